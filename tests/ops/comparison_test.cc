#include <limits>

#include "ops/tables.h"

namespace nn::ops::comparison_test {
namespace {

constexpr auto EQUAL = OperationType::EQUAL;
constexpr auto GREATER = OperationType::GREATER;
constexpr auto GREATER_EQUAL = OperationType::GREATER_EQUAL;
constexpr auto LESS = OperationType::LESS;
constexpr auto LESS_EQUAL = OperationType::LESS_EQUAL;
constexpr auto NOT_EQUAL = OperationType::NOT_EQUAL;

TEST(Comparison, NeedsTheLeastVersion) {
    const Arg rankFive = f32({1, 1, 1, 1, 2});
    for (const OperationType type : {EQUAL, GREATER, GREATER_EQUAL, LESS, LESS_EQUAL, NOT_EQUAL}) {
        expectNeeds(type, {{"RankFive", In{rankFive, rankFive}, Out{b8({})}, V1_2},
                           {"UnknownRank", In{i32({}), i32({})}, Out{b8({})}, V1_2}});
    }
}

TEST(Comparison, SaysWhyPreparationFails) {
    expectFails(infer, LESS,
                {{"Shapes", In{f32({3}), f32({2})}, Out{b8({})},
                  "dimension 1 from the end is 3 in input 0 'input0' (operand 0) and 2 in input 1 "
                  "'input1' (operand 1), allowed equal or 1 [comparison.shapes]"}});
}

TEST(Comparison, InfersShapes) {
    expectShapes(LESS,
                 {{"UnknownDimension", In{f32({0, 1}), f32({3})}, Out{b8({})}, Shapes{{0, 3}}}});
}

TEST(Comparison, Computes) {
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    const std::vector<Arg> kFloats = {f32({4}, {1, 2, 3, kNan}), f32({4}, {2, 2, 2, kNan})};
    expectComputes(EQUAL,
                   {{"Float", kFloats, Out{b8({4}, {0, 1, 0, 0})}},
                    {"IntegersThatFloatsConfuse",
                     In{i32({2}, {16777217, -5}), i32({2}, {16777216, -5})}, Out{b8({2}, {0, 1})}},
                    {"BoolsAreBytes", In{b8({2}, {2, 1}), b8({1}, {1})}, Out{b8({2}, {0, 1})}},
                    {"QuantizedAreReal",  // 2 and 1.5 with 2
                     In{q8({2}, {4, 3}, 0.5f, 0), q8({1}, {11}, 2, 10)}, Out{b8({2}, {1, 0})}}});
    expectComputes(GREATER, {{"Float", kFloats, Out{b8({4}, {0, 0, 1, 0})}}});
    expectComputes(GREATER_EQUAL, {{"Float", kFloats, Out{b8({4}, {0, 1, 1, 0})}}});
    expectComputes(LESS, {{"Float", kFloats, Out{b8({4}, {1, 0, 0, 0})}}});
    expectComputes(LESS_EQUAL, {{"Float", kFloats, Out{b8({4}, {1, 1, 0, 0})}}});
    expectComputes(NOT_EQUAL, {{"Float", kFloats, Out{b8({4}, {1, 0, 1, 1})}}});
}

}  // namespace
}  // namespace nn::ops::comparison_test
