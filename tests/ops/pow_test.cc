#include "ops/tables.h"

namespace nn::ops::pow_test {
namespace {

constexpr auto POW = OperationType::POW;

TEST(Pow, NeedsTheLeastVersion) {
    expectNeeds(POW, {{"Float", {f32({2}), f32({})}, {f32({})}, V1_2},
                      {"Half", {f16({2}), f16({1, 1, 1, 1, 1})}, {f16({})}, V1_2}});
}

TEST(Pow, SaysWhyItRefuses) {
    expectFails(check, POW,
                {{"ExponentIsInteger",
                  {f32({2}), i32({2})},
                  {f32({2})},
                  "input 1 'exponent' (operand 1) is TENSOR_INT32, allowed TENSOR_FLOAT32 when "
                  "input 0 is TENSOR_FLOAT32 [pow.types]"}});
}

TEST(Pow, SaysWhyPreparationFails) {
    expectFails(infer, POW,
                {{"Shapes",
                  {f32({3}), f32({2})},
                  {f32({})},
                  "dimension 1 from the end is 3 in input 0 'base' (operand 0) and 2 in input 1 "
                  "'exponent' (operand 1), allowed equal or 1 [pow.shapes]"}});
}

TEST(Pow, InfersShapes) {
    expectShapes(POW, {{"UnknownDimension", {f32({0, 1}), f32({3})}, {f32({})}, {{0, 3}}}});
}

TEST(Pow, Computes) {
    expectComputes(
            POW,
            {{"Float", {f32({2}, {2, 9}), f32({2}, {3, 0.5f})}, {f32({2}, {8, 3})}},
             {"NegativeBase", {f32({2}, {-2, -2}), f32({2}, {3, -2})}, {f32({2}, {-8, 0.25f})}},
             {"ZeroToZero", {f32({1}, {0}), f32({1}, {0})}, {f32({1}, {1})}},
             {"Half", {f16({2}, {2, 3}), f16({1}, {2})}, {f16({2}, {4, 9})}},
             {"Broadcast", {f32({2, 1}, {2, 3}), f32({2}, {1, 2})}, {f32({2, 2}, {2, 4, 3, 9})}}});
}

}  // namespace
}  // namespace nn::ops::pow_test
