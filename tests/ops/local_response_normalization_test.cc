#include <cmath>

#include "ops/tables.h"

namespace nn::ops::local_response_normalization_test {
namespace {

constexpr auto LOCAL_RESPONSE_NORMALIZATION = OperationType::LOCAL_RESPONSE_NORMALIZATION;

// Inputs with radius, bias, alpha, beta.
std::vector<Arg> with(Arg input, int32_t radius, float bias, float alpha, float beta) {
    return {std::move(input), integer(radius), real(bias), real(alpha), real(beta)};
}
std::vector<Arg> with(Arg input, int32_t radius, float bias, float alpha, float beta,
                      int32_t axis) {
    return {std::move(input), integer(radius), real(bias), real(alpha), real(beta), integer(axis)};
}

TEST(LocalResponseNormalization, NeedsTheLeastVersion) {
    const Arg image = f32({1, 2, 2, 3});
    expectNeeds(LOCAL_RESPONSE_NORMALIZATION,
                {{"RankFour", with(image, 1, 1, 1, 1), Out{image}, V1_0},
                 {"RankTwo", with(f32({2, 3}), 1, 1, 1, 1), Out{f32({2, 3})}, V1_2},
                 {"UnknownRank", with(f32({}), 1, 1, 1, 1), V1_2}});
}

TEST(LocalResponseNormalization, SaysWhyItRefuses) {
    expectFails(check, LOCAL_RESPONSE_NORMALIZATION,
                {{"RankFive", with(f32({1, 1, 1, 1, 3}), 1, 1, 1, 1),
                  "input 0 'input' (operand 0) has rank 5, allowed 1 to 4 "
                  "[local_response_normalization.rank]"}});
    expectFails(infer, LOCAL_RESPONSE_NORMALIZATION,
                {{"RadiusNegative", with(f32({2, 3}), -1, 1, 1, 1),
                  "input 1 'radius' (operand 1) is -1, allowed 0 or more "
                  "[local_response_normalization.radius]"},
                 {"AxisTooSmall", with(f32({2, 3}), 1, 1, 1, 1, -3),
                  "input 5 'axis' (operand 5) is -3, allowed -2 to 1 for rank 2 "
                  "[local_response_normalization.axis]"}});
}

TEST(LocalResponseNormalization, Computes) {
    const Arg input = f32({1, 3}, {1, 2, 3});
    expectComputes(LOCAL_RESPONSE_NORMALIZATION,
                   {{"WindowIsCutAtTheEnds", with(input, 1, 1, 1, 1),
                     Out{f32({1, 3}, {1 / 6.0f, 2 / 15.0f, 3 / 14.0f})}},
                    {"LargestRadius", with(input, INT32_MAX, 1, 1, 1),
                     Out{f32({1, 3}, {1 / 15.0f, 2 / 15.0f, 3 / 15.0f})}},
                    {"OnlyItself", with(f32({1, 1}, {4}), 0, 9, 1, 0.5f), Out{f32({1, 1}, {0.8f})}},
                    {"AlphaIsNotDivided", with(f32({1, 1}, {4}), 5, 1, 0.5f, 1),
                     Out{f32({1, 1}, {4 / 9.0f})}},
                    {"FirstAxis", with(f32({3, 1}, {1, 2, 3}), 1, 1, 1, 1, 0),
                     Out{f32({3, 1}, {1 / 6.0f, 2 / 15.0f, 3 / 14.0f})}},
                    {"Half", In{f16({1, 1}, {4}), integer(0), real16(9), real16(1), real16(0.5f)},
                     Out{f16({1, 1}, {0.8f})}}});
}

// Powers that are computed with roots, and others; also of negative numbers, where they exist.
TEST(LocalResponseNormalization, ComputesEachPower) {
    for (const float beta : {0.0f, 0.5f, 0.75f, 1.0f, 0.6f, 2.0f, -0.5f}) {
        for (const float bias : {3.0f, 0.0f, -9.0f}) {
            if (bias < 0 && beta != std::floor(beta)) continue;
            std::vector<float> y;
            for (const float x : {1.0f, -2.0f, 0.5f}) {
                const double base = bias + 2 * double{x} * x;
                y.push_back(static_cast<float>(x * std::pow(base, -double{beta})));
            }
            SCOPED_TRACE(std::to_string(beta) + ", " + std::to_string(bias));
            expectComputes(LOCAL_RESPONSE_NORMALIZATION,
                           {{"Power", with(f32({3, 1}, {1, -2, 0.5f}), 0, bias, 2, beta),
                             Out{f32({3, 1}, y)}}});
        }
    }
}

TEST(LocalResponseNormalization, CountsItsSteps) {
    EXPECT_EQ(stepsOf(LOCAL_RESPONSE_NORMALIZATION,
                      with(f32({2, 4}, std::vector<float>(8)), 1, 1, 1, 1), {f32({})}),
              2u * (2 + 3 + 3 + 2));
}

}  // namespace
}  // namespace nn::ops::local_response_normalization_test
