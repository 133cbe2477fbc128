#include <limits>

#include "ops/tables.h"

namespace nn::ops::topk_v2_test {
namespace {

constexpr auto TOPK_V2 = OperationType::TOPK_V2;

TEST(TopkV2, SaysWhyPreparationFails) {
    expectFails(infer, TOPK_V2,
                {{"Zero", In{f32({2}), integer(0)}, Out{f32({}), i32({})},
                  "input 1 'k' (operand 1) is 0, allowed 1 to 2 [topk_v2.k]"},
                 {"MoreThanThereAre", In{f32({5, 2}), integer(3)}, Out{f32({}), i32({})},
                  "input 1 'k' (operand 1) is 3, allowed 1 to 2 [topk_v2.k]"},
                 {"NegativeOfUnknown", In{f32({}), integer(-1)}, Out{f32({}), i32({})},
                  "input 1 'k' (operand 1) is -1, allowed 1 to the size of the last dimension "
                  "[topk_v2.k]"},
                 {"OtherScale", In{q8({2}, {}, 1, 3), integer(1)}, Out{q8({}, {}, 2, 3), i32({})},
                  "output 0 'values' (operand 2) has scale 2 and zeroPoint 3, allowed 1 and 3 as "
                  "input 0 'input' (operand 0) [topk_v2.quantization]"}});
}

TEST(TopkV2, SaysWhyExecutionFails) {
    expectFails(run, TOPK_V2,
                {{"RankZero", In{f32({}, {1}), integer(1)}, Out{f32({}), i32({})},
                  "input 0 'input' (operand 0) has rank 0, allowed 1 or more [topk_v2.rank]"}});
}

TEST(TopkV2, InfersShapes) {
    expectShapes(TOPK_V2,
                 {{"UnknownK", In{f32({2, 3}), as(INT32, i32({}))}, Out{f32({}), i32({})},
                   Shapes{{2, 0}, {2, 0}}},
                  {"UnknownDimensions", In{f32({0, 0}), integer(2)}, Out{f32({}), i32({})},
                   Shapes{{0, 2}, {0, 2}}},
                  {"UnknownRank", In{f32({}), integer(2)}, Out{f32({}), i32({})}, Shapes{{}, {}}}});
}

TEST(TopkV2, Computes) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    expectComputes(TOPK_V2, {{"LastOfEqualFirst", In{q8({4}, {7, 9, 7, 9}, 1, 0), integer(4)},
                              Out{q8({4}, {9, 9, 7, 7}, 1, 0), i32({4}, {3, 1, 2, 0})}},
                             {"Negative", In{qs8({3}, {-1, -128, 0}, 1, 0), integer(3)},
                              Out{qs8({3}, {0, -1, -128}, 1, 0), i32({3}, {2, 0, 1})}},
                             {"LargeIntegers", In{i32({2}, {16777216, 16777217}), integer(1)},
                              Out{i32({1}, {16777217}), i32({1}, {1})}},
                             {"ZerosAreEqual", In{f32({2}, {0.0f, -0.0f}), integer(1)},
                              Out{f32({1}, {0}), i32({1}, {1})}},
                             {"NanIsLast", In{f32({4}, {nan, 1, nan, 2}), integer(2)},
                              Out{f32({2}, {2, 1}), i32({2}, {3, 1})}}});
}

}  // namespace
}  // namespace nn::ops::topk_v2_test
