#include "ops/tables.h"

namespace nn::ops::pow_test {
namespace {

constexpr auto POW = OperationType::POW;

TEST(Pow, NeedsTheLeastVersion) {
    expectNeeds(POW, {{"Float", In{f32({2}), f32({})}, V1_2},
                      {"Half", In{f16({2}), f16({1, 1, 1, 1, 1})}, Out{f16({})}, V1_2}});
}

TEST(Pow, SaysWhyPreparationFails) {
    expectFails(infer, POW,
                {{"Shapes", In{f32({3}), f32({2})},
                  "dimension 1 from the end is 3 in input 0 'base' (operand 0) and 2 in input 1 "
                  "'exponent' (operand 1), allowed equal or 1 [pow.shapes]"}});
}

TEST(Pow, InfersShapes) {
    expectShapes(POW, {{"UnknownDimension", In{f32({0, 1}), f32({3})}, Shapes{{0, 3}}}});
}

TEST(Pow, Computes) {
    expectComputes(POW, {{"NegativeBase", In{f32({2}, {-2, -2}), f32({2}, {3, -2})},
                          Out{f32({2}, {-8, 0.25f})}},
                         {"ZeroToZero", In{f32({1}, {0}), f32({1}, {0})}, Out{f32({1}, {1})}}});
}

}  // namespace
}  // namespace nn::ops::pow_test
