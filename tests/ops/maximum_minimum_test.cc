#include <limits>

#include "ops/tables.h"

namespace nn::ops::maximum_minimum_test {
namespace {

constexpr auto MAXIMUM = OperationType::MAXIMUM;
constexpr auto MINIMUM = OperationType::MINIMUM;

TEST(MaximumMinimum, NeedsTheLeastVersion) {
    const Arg rankFive = f32({1, 1, 1, 1, 2});
    for (const OperationType type : {MAXIMUM, MINIMUM}) {
        expectNeeds(type, {{"RankFive", In{rankFive, rankFive}, Out{rankFive}, V1_2},
                           {"UnknownRank", In{i32({}), i32({})}, Out{i32({})}, V1_2}});
    }
}

TEST(MaximumMinimum, SaysWhyPreparationFails) {
    expectFails(infer, MINIMUM,
                {{"Shapes", In{f32({3}), f32({2})},
                  "dimension 1 from the end is 3 in input 0 'input0' (operand 0) and 2 in input 1 "
                  "'input1' (operand 1), allowed equal or 1 [maximum_minimum.shapes]"}});
}

TEST(MaximumMinimum, InfersShapes) {
    expectShapes(MAXIMUM, {{"UnknownDimension", In{f32({0, 1}), f32({3})}, Shapes{{0, 3}}}});
}

TEST(MaximumMinimum, Computes) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    expectComputes(MAXIMUM,
                   {{"InfinityStays", In{f32({1}, {-kInfinity}), f32({1}, {-kInfinity})},
                     Out{f32({1}, {-kInfinity})}},
                    {"IntegersThatFloatsConfuse", In{i32({1}, {16777216}), i32({1}, {16777217})},
                     Out{i32({1}, {16777217})}}});
    expectComputes(MINIMUM, {{"SignedSaturates", In{qs8({1}, {-128}, 1, 0), qs8({1}, {0}, 1, 0)},
                              Out{qs8({1}, {-128}, 0.5f, 0)}}});
}

}  // namespace
}  // namespace nn::ops::maximum_minimum_test
