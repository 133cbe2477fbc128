#include "ops/tables.h"

namespace nn::ops::softmax_test {
namespace {

constexpr auto SOFTMAX = OperationType::SOFTMAX;

TEST(Softmax, NeedsTheLeastVersion) {
    expectNeeds(SOFTMAX, {{"UnknownRank", In{f32({}), real(1)}, V1_0},
                          {"RankOne", In{f32({3}), real(1)}, Out{f32({3})}, V1_2}});
}

TEST(Softmax, SaysWhyItRefuses) {
    expectFails(check, SOFTMAX,
                {{"RankFive", In{f32({1, 1, 1, 1, 3}), real(1)},
                  "input 0 'input' (operand 0) has rank 5, allowed 1 to 4 [softmax.rank]"}});
}

TEST(Softmax, SaysWhyPreparationFails) {
    expectFails(infer, SOFTMAX,
                {{"BetaZero", In{f32({2, 3}), real(0)}, Out{f32({2, 3})},
                  "input 1 'beta' (operand 1) is 0, allowed above 0 [softmax.beta]"},
                 {"AxisTooLarge", In{f32({2, 3}), real(1), integer(2)}, Out{f32({2, 3})},
                  "input 2 'axis' (operand 2) is 2, allowed -2 to 1 for rank 2 [softmax.axis]"},
                 {"Scale", In{q8({2, 3}, {}, 1, 0), real(1)}, Out{q8({2, 3}, {}, 0.5, 0)},
                  "output 0 'output' (operand 2) has scale 0.5 and zeroPoint 0, allowed 0.00390625 "
                  "and 0 [softmax.quantization]"}});
}

TEST(Softmax, Computes) {
    expectComputes(SOFTMAX, {{"LargeDoesNotOverflow", In{f32({1, 2}, {1000, 1000}), real(1)},
                              Out{f32({1, 2}, {0.5f, 0.5f})}},
                             {"QuantizedOneSaturates", In{q8({1, 1}, {10}, 0.1f, 3), real(1)},
                              Out{q8({1, 1}, {255}, 1.0f / 256, 0)}},
                             {"NoBatches", In{f32({0, 2}), real(1)}, Out{f32({0, 2})}}});
}

}  // namespace
}  // namespace nn::ops::softmax_test
