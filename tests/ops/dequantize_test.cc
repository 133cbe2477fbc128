#include "ops/tables.h"

namespace nn::ops::dequantize_test {
namespace {

constexpr auto DEQUANTIZE = OperationType::DEQUANTIZE;

TEST(Dequantize, NeedsTheLeastVersion) {
    const Arg q = q8({2}, {}, 1, 0);
    const Arg qs = qs8({2}, {}, 1, 0);
    const Arg symmetric = as(TENSOR_QUANT8_SYMM, qs);
    const Arg channels = perChannel({2}, {}, {1, 2}, 0);
    expectNeeds(DEQUANTIZE, {{"UnsignedToFloat", {q}, {f32({2})}, V1_0},
                             {"UnsignedToHalf", {q}, {f16({2})}, V1_2},
                             {"SymmetricToFloat", {symmetric}, {f32({2})}, V1_2},
                             {"SymmetricToHalf", {symmetric}, {f16({2})}, V1_2},
                             {"PerChannelToFloat", {channels}, {f32({2})}, V1_2},
                             {"PerChannelToHalf", {channels}, {f16({2})}, V1_2},
                             {"SignedToFloat", {qs}, {f32({2})}, V1_3},
                             {"SignedToHalf", {qs}, {f16({2})}, V1_3}});
}

TEST(Dequantize, SaysWhyItRefuses) {
    expectFails(check, DEQUANTIZE,
                {{"Integer",
                  {i32({2})},
                  {f32({2})},
                  "input 0 'input' (operand 0) is TENSOR_INT32, allowed TENSOR_QUANT8_ASYMM, "
                  "TENSOR_QUANT8_SYMM, TENSOR_QUANT8_SYMM_PER_CHANNEL or "
                  "TENSOR_QUANT8_ASYMM_SIGNED [dequantize.types]"},
                 {"RankFive",
                  {q8({1, 1, 1, 1, 1}, {}, 1, 0)},
                  {f32({})},
                  "input 0 'input' (operand 0) has rank 5, allowed 1 to 4 [dequantize.rank]"}});
}

TEST(Dequantize, InfersShapes) {
    expectShapes(DEQUANTIZE, {{"UnknownDimension", {q8({0, 3}, {}, 1, 0)}, {f32({})}, {{0, 3}}}});
}

TEST(Dequantize, Computes) {
    expectComputes(DEQUANTIZE,
                   {{"Unsigned", {q8({3}, {8, 11, 255}, 0.5, 10)}, {f32({3}, {-1, 0.5f, 122.5f})}},
                    {"Signed", {qs8({2}, {-128, 127}, 0.5, 1)}, {f16({2}, {-64.5f, 63})}},
                    {"Symmetric",
                     {as(TENSOR_QUANT8_SYMM, qs8({2}, {-128, 127}, 0.5, 0))},
                     {f32({2}, {-64, 63.5f})}},
                    {"FirstChannel",
                     {perChannel({2, 2}, {1, 2, 3, -4}, {1, 0.5f}, 0)},
                     {f32({2, 2}, {1, 2, 1.5f, -2})}},
                    {"MiddleChannel",
                     {perChannel({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}, {1, 10}, 1)},
                     {f32({2, 2, 2}, {1, 2, 30, 40, 5, 6, 70, 80})}},
                    {"LastChannel",
                     {perChannel({2, 2}, {1, 2, 3, 4}, {1, 0.5f}, 1)},
                     {f16({2, 2}, {1, 1, 3, 2})}},
                    {"NoElements", {q8({0, 3}, {}, 1, 0)}, {f32({0, 3})}}});
}

}  // namespace
}  // namespace nn::ops::dequantize_test
