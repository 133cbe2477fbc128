#include "ops/tables.h"

namespace nn::ops::gather_test {
namespace {

constexpr auto GATHER = OperationType::GATHER;

TEST(Gather, NeedsTheLeastVersion) {
    expectNeeds(GATHER, {{"OtherScale", In{q8({2}, {}, 1, 3), integer(0), i32({1})},
                          Out{q8({}, {}, 2, 3)}, V1_2}});
}

TEST(Gather, SaysWhyPreparationFails) {
    expectFails(infer, GATHER,
                {{"Axis", In{f32({2}), integer(-2), i32({1})},
                  "input 1 'axis' (operand 1) is -2, allowed -1 to 0 for rank 1 [gather.axis]"}});
}

TEST(Gather, SaysWhyExecutionFails) {
    expectFails(
            run, GATHER,
            {{"Negative", In{f32({2}, {1, 2}), integer(0), i32({2}, {0, -1})},
              "element 1 of input 2 'indices' (operand 2) is -1, allowed 0 to 1 [gather.index]"},
             {"TooLarge", In{f32({2}, {1, 2}), integer(0), i32({1}, {2})},
              "element 0 of input 2 'indices' (operand 2) is 2, allowed 0 to 1 [gather.index]"}});
}

TEST(Gather, InfersShapes) {
    expectShapes(
            GATHER,
            {{"UnknownAxis", In{f32({2, 3}), as(INT32, i32({})), i32({4, 5})}, Shapes{{0, 0, 0}}},
             {"UnknownDimensions", In{f32({2, 0}), integer(0), i32({0})}, Shapes{{0, 0}}},
             {"UnknownRank", In{f32({2, 3}), integer(0), i32({})}, Shapes{{}}}});
}

TEST(Gather, Computes) {
    expectComputes(
            GATHER,
            {{"Columns", In{q8({2, 3}, {1, 2, 3, 4, 5, 6}, 1, 0), integer(-1), i32({2}, {2, 0})},
              Out{q8({2, 2}, {3, 1, 6, 4}, 1, 0)}}});
}

}  // namespace
}  // namespace nn::ops::gather_test
