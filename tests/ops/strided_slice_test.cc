#include "ops/tables.h"

namespace nn::ops::strided_slice_test {
namespace {

constexpr auto STRIDED_SLICE = OperationType::STRIDED_SLICE;

TEST(StridedSlice, SaysWhyItRefuses) {
    expectFails(check, STRIDED_SLICE,
                {{"RankFive",
                  In{f32({1, 1, 1, 1, 1}), i32({1}, {0}), i32({1}, {1}), i32({1}, {1}), integer(0),
                     integer(0), integer(0)},
                  "input 0 'input' (operand 0) has rank 5, allowed 1 to 4 [strided_slice.rank]"}});
}

TEST(StridedSlice, SaysWhyPreparationFails) {
    expectFails(
            infer, STRIDED_SLICE,
            {{"OtherLength",
              In{f32({2, 2}), i32({1}, {0}), i32({1}, {1}), i32({1}, {1}), integer(0), integer(0),
                 integer(0)},
              "input 1 'begin' (operand 1) has dimensions [1], allowed [2] [strided_slice.bounds]"},
             {"StrideZero",
              In{f32({2}), i32({1}, {0}), i32({1}, {1}), i32({1}, {0}), integer(0), integer(0),
                 integer(0)},
              "element 0 of input 3 'strides' (operand 3) is 0, allowed any other "
              "[strided_slice.strides]"},
             {"ShrinksTwo",
              In{f32({2}), i32({1}, {0}), i32({1}, {2}), i32({1}, {1}), integer(0), integer(0),
                 integer(1)},
              "axis 0 has 2 elements with stride 1, allowed 1 with a stride above 0 where input 6 "
              "'shrinkAxisMask' (operand 6) removes it [strided_slice.shrink]"},
             {"ShrinksBackwards",
              In{f32({2}), i32({1}, {1}), i32({1}, {0}), i32({1}, {-1}), integer(0), integer(0),
                 integer(1)},
              "axis 0 has 1 element with stride -1, allowed 1 with a stride above 0 where input 6 "
              "'shrinkAxisMask' (operand 6) removes it [strided_slice.shrink]"},
             {"OtherScale",
              In{q8({2}, {}, 1, 3), i32({1}, {0}), i32({1}, {1}), i32({1}, {1}), integer(0),
                 integer(0), integer(0)},
              Out{q8({}, {}, 2, 3)},
              "output 0 'output' (operand 7) has scale 2 and zeroPoint 3, allowed 1 and 3 as input "
              "0 'input' (operand 0) [strided_slice.quantization]"}});
}

TEST(StridedSlice, InfersShapes) {
    const Arg open = as(INT32, i32({}));
    expectShapes(
            STRIDED_SLICE,
            {{"UnknownBounds",
              In{f32({2, 3}), i32({2}), i32({2}), i32({2}), integer(0), integer(0), integer(2)},
              Shapes{{0}}},
             {"UnknownShrinking",
              In{f32({2, 3}), i32({2}), i32({2}), i32({2}), integer(0), integer(0), open},
              Shapes{{}}},
             {"UnknownDimension",
              In{f32({0, 3}), i32({2}, {0, 0}), i32({2}, {1, 3}), i32({2}, {1, 2}), integer(0),
                 integer(0), integer(0)},
              Shapes{{0, 2}}},
             {"UnknownRank",
              In{f32({}), i32({1}, {0}), i32({1}, {1}), i32({1}, {1}), integer(0), integer(0),
                 integer(0)},
              Shapes{{}}}});
}

TEST(StridedSlice, Computes) {
    const Arg x = f32({4}, {1, 2, 3, 4});
    expectComputes(STRIDED_SLICE,
                   {{"EverySecond",
                     In{x, i32({1}, {0}), i32({1}, {4}), i32({1}, {2}), integer(0), integer(0),
                        integer(0)},
                     Out{f32({2}, {1, 3})}},
                    {"FromTheEnd",
                     In{x, i32({1}, {-3}), i32({1}, {-1}), i32({1}, {1}), integer(0), integer(0),
                        integer(0)},
                     Out{f32({2}, {2, 3})}},
                    {"CutToTheAxis",
                     In{x, i32({1}, {-9}), i32({1}, {9}), i32({1}, {3}), integer(0), integer(0),
                        integer(0)},
                     Out{f32({2}, {1, 4})}},
                    {"Backwards",
                     In{x, i32({1}, {9}), i32({1}, {-9}), i32({1}, {-1}), integer(0), integer(0),
                        integer(0)},
                     Out{f32({4}, {4, 3, 2, 1})}},
                    {"EndMinusOneIsTheLast",
                     In{x, i32({1}, {3}), i32({1}, {-1}), i32({1}, {-1}), integer(0), integer(0),
                        integer(0)},
                     Out{f32({0})}},
                    {"BackwardsMasked",
                     In{x, i32({1}, {0}), i32({1}, {0}), i32({1}, {-2}), integer(1), integer(1),
                        integer(0)},
                     Out{f32({2}, {4, 2})}},
                    {"Masked",
                     In{x, i32({1}, {2}), i32({1}, {2}), i32({1}, {1}), integer(1), integer(1),
                        integer(0)},
                     Out{f32({4}, {1, 2, 3, 4})}},
                    {"BitsBeyondTheRank",
                     In{x, i32({1}, {2}), i32({1}, {3}), i32({1}, {1}), integer(-2), integer(-2),
                        integer(-2)},
                     Out{f32({1}, {3})}},
                    {"Empty",
                     In{x, i32({1}, {3}), i32({1}, {1}), i32({1}, {1}), integer(0), integer(0),
                        integer(0)},
                     Out{f32({0})}},
                    {"AllShrunk",
                     In{x, i32({1}, {2}), i32({1}, {3}), i32({1}, {1}), integer(0), integer(0),
                        integer(1)},
                     Out{f32({1}, {3})}},
                    {"MinStride",
                     In{x, i32({1}, {3}), i32({1}, {-9}), i32({1}, {INT32_MIN}), integer(0),
                        integer(0), integer(0)},
                     Out{f32({1}, {4})}},
                    {"Shrunk",
                     In{q8({2, 3}, {1, 2, 3, 4, 5, 6}, 1, 0), i32({2}, {1, 2}), i32({2}, {2, 0}),
                        i32({2}, {1, -1}), integer(0), integer(0), integer(1)},
                     Out{q8({2}, {6, 5}, 1, 0)}}});
}

}  // namespace
}  // namespace nn::ops::strided_slice_test
