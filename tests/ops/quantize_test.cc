#include <limits>

#include "ops/tables.h"

namespace nn::ops::quantize_test {
namespace {

constexpr auto QUANTIZE = OperationType::QUANTIZE;

TEST(Quantize, NeedsTheLeastVersion) {
    expectNeeds(QUANTIZE, {{"RankFive", In{f16({1, 1, 1, 1, 1})}, Out{qs8({}, {}, 1, 0)}, V1_3}});
}

TEST(Quantize, Computes) {
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    expectComputes(QUANTIZE,
                   {{"HalvesAwayFromZero", In{f32({4}, {0.25f, -0.25f, 0.75f, -1})},
                     Out{q8({4}, {11, 9, 12, 8}, 0.5, 10)}},
                    {"Saturates", In{f32({2}, {1000, -1000})}, Out{q8({2}, {255, 0}, 0.5, 10)}},
                    {"NotFinite", In{f32({3}, {kInfinity, -kInfinity, kNan})},
                     Out{qs8({3}, {127, -128, 127}, 0.5, 10)}},
                    {"NoElements", In{f32({2, 0})}, Out{q8({2, 0}, {}, 1, 0)}}});
}

}  // namespace
}  // namespace nn::ops::quantize_test
