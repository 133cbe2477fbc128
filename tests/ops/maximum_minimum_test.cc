#include <limits>

#include "ops/tables.h"

namespace nn::ops::maximum_minimum_test {
namespace {

constexpr auto MAXIMUM = OperationType::MAXIMUM;
constexpr auto MINIMUM = OperationType::MINIMUM;

TEST(MaximumMinimum, NeedsTheLeastVersion) {
    const Arg rankFive = f32({1, 1, 1, 1, 2});
    const Arg q = q8({2}, {}, 1, 0);
    const Arg qs = qs8({2}, {}, 1, 0);
    for (const OperationType type : {MAXIMUM, MINIMUM}) {
        expectNeeds(type, {{"Half", {f16({2}), f16({2})}, {f16({2})}, V1_2},
                           {"Float", {rankFive, rankFive}, {rankFive}, V1_2},
                           {"Integer", {i32({}), i32({})}, {i32({})}, V1_2},
                           {"Quantised", {q, q}, {q}, V1_2},
                           {"Signed", {qs, qs}, {qs}, V1_3}});
    }
}

TEST(MaximumMinimum, SaysWhyItRefuses) {
    expectFails(check, MAXIMUM,
                {{"Bool",
                  {b8({2}), b8({2})},
                  {b8({2})},
                  "input 0 'input0' (operand 0) is TENSOR_BOOL8, allowed TENSOR_FLOAT16, "
                  "TENSOR_FLOAT32, TENSOR_INT32, TENSOR_QUANT8_ASYMM or TENSOR_QUANT8_ASYMM_SIGNED "
                  "[maximum_minimum.types]"}});
}

TEST(MaximumMinimum, SaysWhyPreparationFails) {
    expectFails(infer, MINIMUM,
                {{"Shapes",
                  {f32({3}), f32({2})},
                  {f32({})},
                  "dimension 1 from the end is 3 in input 0 'input0' (operand 0) and 2 in input 1 "
                  "'input1' (operand 1), allowed equal or 1 [maximum_minimum.shapes]"}});
}

TEST(MaximumMinimum, InfersShapes) {
    expectShapes(MAXIMUM, {{"UnknownDimension", {f32({0, 1}), f32({3})}, {f32({})}, {{0, 3}}}});
}

TEST(MaximumMinimum, Computes) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    expectComputes(
            MAXIMUM,
            {{"Float", {f32({2, 2}, {1, 5, 3, 2}), f32({2}, {2, 4})}, {f32({2, 2}, {2, 5, 3, 4})}},
             {"InfinityStays",
              {f32({1}, {-kInfinity}), f32({1}, {-kInfinity})},
              {f32({1}, {-kInfinity})}},
             {"IntegersThatFloatsConfuse",
              {i32({1}, {16777216}), i32({1}, {16777217})},
              {i32({1}, {16777217})}},
             {"Quantised",  // 2 and 6, 100 and 6
              {q8({2}, {4, 200}, 0.5f, 0), q8({1}, {13}, 2, 10)},
              {q8({2}, {7, 101}, 1, 1)}}});
    expectComputes(
            MINIMUM,
            {{"Float", {f32({2, 2}, {1, 5, 3, 2}), f32({2}, {2, 4})}, {f32({2, 2}, {1, 4, 2, 2})}},
             {"Half", {f16({1}, {-1}), f16({1}, {2})}, {f16({1}, {-1})}},
             {"SignedSaturates",
              {qs8({1}, {-128}, 1, 0), qs8({1}, {0}, 1, 0)},
              {qs8({1}, {-128}, 0.5f, 0)}}});
}

}  // namespace
}  // namespace nn::ops::maximum_minimum_test
