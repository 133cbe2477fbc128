#include "ops/tables.h"

namespace nn::ops::mean_test {
namespace {

constexpr auto MEAN = OperationType::MEAN;

TEST(Mean, SaysWhyItRefuses) {
    expectFails(check, MEAN,
                {{"RankFive", In{f32({1, 1, 1, 1, 1}), i32({1}), integer(0)},
                  "input 0 'input' (operand 0) has rank 5, allowed 1 to 4 [mean.rank]"}});
}

TEST(Mean, SaysWhyPreparationFails) {
    expectFails(infer, MEAN,
                {{"Axis", In{f32({2}), i32({1}, {-2}), integer(1)},
                  "element 0 of input 1 'axis' (operand 1) is -2, allowed -1 to 0 for rank 1 "
                  "[mean.axes]"},
                 {"OtherScale", In{q8({2}, {}, 1, 3), i32({1}), integer(0)}, Out{q8({}, {}, 2, 3)},
                  "output 0 'output' (operand 3) has scale 2 and zeroPoint 3, allowed 1 and 3 as "
                  "input 0 'input' (operand 0) [mean.quantization]"}});
}

TEST(Mean, InfersShapes) {
    expectShapes(MEAN, {{"UnknownAxes", In{f32({2, 3}), i32({1}), integer(0)}, Shapes{{}}},
                        {"UnknownAxesKept", In{f32({2, 3}), i32({1}), integer(1)}, Shapes{{0, 0}}},
                        {"UnknownDimension", In{f32({0, 3}), i32({1}, {1}), integer(1)},
                         Shapes{{0, 1}}}});
}

TEST(Mean, Computes) {
    const Arg x = f32({2, 2}, {1, 2, 3, 6});
    expectComputes(
            MEAN,
            {{"ColumnsKept", In{x, i32({1}, {0}), integer(1)}, Out{f32({1, 2}, {2, 4})}},
             {"NegativeKeepsNothing", In{x, i32({1}, {0}), integer(-1)}, Out{f32({2}, {2, 4})}},
             {"Twice", In{x, i32({3}, {0, -2, 0}), integer(0)}, Out{f32({2}, {2, 4})}},
             {"All", In{x, i32({2}, {0, 1}), integer(0)}, Out{f32({1}, {3})}},
             {"NoAxes", In{x, i32({0}), integer(0)}, Out{x}},
             {"QuantizedRounds", In{q8({3}, {1, 1, 0}, 0.5f, 0), i32({1}, {0}), integer(0)},
              Out{q8({1}, {1}, 0.5f, 0)}},
             {"Signed", In{qs8({2}, {-8, -4}, 0.5f, 100), i32({1}, {0}), integer(0)},
              Out{qs8({1}, {-6}, 0.5f, 100)}}});
}

}  // namespace
}  // namespace nn::ops::mean_test
