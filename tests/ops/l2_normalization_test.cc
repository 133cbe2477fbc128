#include "ops/tables.h"

namespace nn::ops::l2_normalization_test {
namespace {

constexpr auto L2_NORMALIZATION = OperationType::L2_NORMALIZATION;
constexpr float kScale = 1.0f / 128;

TEST(L2Normalization, NeedsTheLeastVersion) {
    const Arg image = f32({1, 2, 2, 3});
    expectNeeds(L2_NORMALIZATION, {{"RankFour", In{image}, Out{image}, V1_0},
                                   {"RankTwo", In{f32({2, 3})}, Out{f32({2, 3})}, V1_2},
                                   {"UnknownRank", In{f32({})}, V1_2}});
}

TEST(L2Normalization, SaysWhyItRefuses) {
    expectFails(
            check, L2_NORMALIZATION,
            {{"RankFive", In{f32({1, 1, 1, 1, 3})},
              "input 0 'input' (operand 0) has rank 5, allowed 1 to 4 [l2_normalization.rank]"}});
    expectFails(infer, L2_NORMALIZATION,
                {{"AxisTooLarge", In{f32({2, 3}), integer(2)},
                  "input 1 'axis' (operand 1) is 2, allowed -2 to 1 for rank 2 "
                  "[l2_normalization.axis]"},
                 {"Scale", In{q8({2, 3}, {}, 1, 0)}, Out{q8({}, {}, 1, 128)},
                  "output 0 'output' (operand 1) has scale 1 and zeroPoint 128, allowed 0.0078125 "
                  "and 128 [l2_normalization.quantization]"}});
}

TEST(L2Normalization, InfersShapes) {
    expectShapes(L2_NORMALIZATION, {{"Unknown", In{f32({0, 3})}, Shapes{{0, 3}}}});
}

TEST(L2Normalization, Computes) {
    expectComputes(L2_NORMALIZATION,
                   {{"Zeros", In{f32({1, 2}, {0, 0})}, Out{f32({1, 2}, {0, 0})}},
                    {"NormBelowTheLeast", In{f32({1, 1}, {1e-8f})}, Out{f32({1, 1}, {1e-2f})}},
                    {"SquaresDoNotOverflow", In{f32({1, 1}, {1e30f})}, Out{f32({1, 1}, {1})}},
                    {"QuantizedZeros", In{q8({1, 2}, {10, 10}, 0.5f, 10)},
                     Out{q8({1, 2}, {128, 128}, kScale, 128)}},
                    {"SignedOneSaturates", In{qs8({1, 1}, {11}, 0.5f, 10)},
                     Out{qs8({1, 1}, {127}, kScale, 0)}}});
}

}  // namespace
}  // namespace nn::ops::l2_normalization_test
