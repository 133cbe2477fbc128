#include "ops/tables.h"

namespace nn::ops::slice_test {
namespace {

constexpr auto SLICE = OperationType::SLICE;

TEST(Slice, SaysWhyPreparationFails) {
    expectFails(infer, SLICE,
                {{"BeginTooShort", In{f32({2, 3}), i32({1}, {0}), i32({2}, {1, 1})},
                  "input 1 'begin' (operand 1) has dimensions [1], allowed [2] [slice.begin]"},
                 {"SizeTooShort", In{f32({2, 3}), i32({2}, {0, 0}), i32({1}, {1})},
                  "input 2 'size' (operand 2) has dimensions [1], allowed [2] [slice.size]"},
                 {"BeginNegative", In{f32({2}), i32({1}, {-1}), i32({1}, {1})},
                  "element 0 of input 1 'begin' (operand 1) is -1, allowed 0 to 2 [slice.begin]"},
                 {"BeginOutside", In{f32({2}), i32({1}, {3}), i32({1}, {-1})},
                  "element 0 of input 1 'begin' (operand 1) is 3, allowed 0 to 2 [slice.begin]"},
                 {"SizeOutside", In{f32({2}), i32({1}, {1}), i32({1}, {INT32_MAX})},
                  "element 0 of input 2 'size' (operand 2) is 2147483647, allowed -1 to 1 "
                  "[slice.size]"},
                 {"SizeNegative", In{f32({0}), i32({1}, {1}), i32({1}, {-2})},
                  "element 0 of input 2 'size' (operand 2) is -2, allowed -1 to what is left of "
                  "the dimension [slice.size]"},
                 {"OtherScale", In{q8({2}, {}, 1, 3), i32({1}), i32({1})}, Out{q8({}, {}, 2, 3)},
                  "output 0 'output' (operand 3) has scale 2 and zeroPoint 3, allowed 1 and 3 as "
                  "input 0 'input' (operand 0) [slice.quantization]"}});
}

TEST(Slice, InfersShapes) {
    expectShapes(SLICE,
                 {{"UnknownLists", In{f32({2, 3}), i32({2}), i32({2})}, Shapes{{0, 0}}},
                  {"UnknownBegin", In{f32({2, 3}), i32({2}), i32({2}, {1, -1})}, Shapes{{1, 0}}},
                  {"UnknownDimension", In{f32({0, 3}), i32({2}, {1, 1}), i32({2}, {-1, -1})},
                   Shapes{{0, 2}}},
                  {"UnknownRank", In{f32({}), i32({2}, {1, 1}), i32({2}, {1, 1})}, Shapes{{}}}});
}

TEST(Slice, Computes) {
    expectComputes(
            SLICE,
            {{"Rest",
              In{q8({2, 3}, {1, 2, 3, 4, 5, 6}, 1, 0), i32({2}, {1, 1}), i32({2}, {-1, -1})},
              Out{q8({1, 2}, {5, 6}, 1, 0)}},
             {"NothingLeft", In{f32({2}, {1, 2}), i32({1}, {2}), i32({1}, {-1})}, Out{f32({0})}},
             {"NothingTaken", In{f32({2, 2}, {1, 2, 3, 4}), i32({2}, {1, 0}), i32({2}, {0, 2})},
              Out{f32({0, 2})}},
             {"NothingThere", In{f32({0, 2}), i32({2}, {0, 1}), i32({2}, {-1, 1})},
              Out{f32({0, 1})}}});
}

}  // namespace
}  // namespace nn::ops::slice_test
