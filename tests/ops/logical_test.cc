#include "ops/tables.h"

namespace nn::ops::logical_test {
namespace {

constexpr auto LOGICAL_AND = OperationType::LOGICAL_AND;
constexpr auto LOGICAL_OR = OperationType::LOGICAL_OR;
constexpr auto LOGICAL_NOT = OperationType::LOGICAL_NOT;

TEST(Logical, NeedsTheLeastVersion) {
    expectNeeds(LOGICAL_OR,
                {{"RankFiveAndUnknown", In{b8({}), b8({1, 1, 1, 1, 1})}, Out{b8({})}, V1_2}});
}

TEST(Logical, SaysWhyPreparationFails) {
    expectFails(infer, LOGICAL_OR,
                {{"Shapes", In{b8({3}), b8({2})}, Out{b8({})},
                  "dimension 1 from the end is 3 in input 0 'input0' (operand 0) and 2 in input 1 "
                  "'input1' (operand 1), allowed equal or 1 [logical.shapes]"}});
}

TEST(Logical, InfersShapes) {
    expectShapes(LOGICAL_AND,
                 {{"UnknownDimension", In{b8({0, 1}), b8({3})}, Out{b8({})}, Shapes{{0, 3}}}});
    expectShapes(LOGICAL_NOT, {{"UnknownDimension", In{b8({0, 3})}, Out{b8({})}, Shapes{{0, 3}}}});
}

TEST(Logical, Computes) {
    expectComputes(LOGICAL_AND,
                   {{"AnyByteIsTrue", In{b8({1}, {2}), b8({1}, {4})}, Out{b8({1}, {1})}}});
    expectComputes(LOGICAL_NOT, {{"AnyByteIsTrue", In{b8({1}, {255})}, Out{b8({1}, {0})}}});
}

}  // namespace
}  // namespace nn::ops::logical_test
