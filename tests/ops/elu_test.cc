#include <limits>

#include "ops/tables.h"

namespace nn::ops::elu_test {
namespace {

constexpr auto ELU = OperationType::ELU;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

TEST(Elu, NeedsTheLeastVersion) {
    expectNeeds(ELU, {{"UnknownRank", In{f16({}), real16(1)}, Out{f16({})}, V1_3}});
}

TEST(Elu, InfersShapes) {
    expectShapes(ELU, {{"UnknownDimension", In{f32({0, 3}), real(1)}, Shapes{{0, 3}}}});
}

TEST(Elu, Computes) {
    expectComputes(
            ELU,
            {{"Float", In{f32({3}, {2, 0, -0.6931472f}), real(3)}, Out{f32({3}, {2, 0, -1.5f})}},
             // ln 2 - 1, 3 ln 2 - 2 * 7, and nothing below 0
             {"NegativeAlpha", In{f32({4}, {0.6931472f, 0, -0.6931472f, -100}), real(-1)},
              Out{f32({4}, {-0.3068528f, 0, 0, 0})}},
             {"LargeNegativeAlpha", In{f32({2}, {2.0794415f, -5}), real(-2)},
              Out{f32({2}, {-11.920558f, 0})}},
             {"NoAlpha", In{f32({3}, {3, -3, kInfinity}), real(0)},
              Out{f32({3}, {3, 0, kInfinity})}},
             {"Half", In{f16({2}, {2, -1000}), real16(0.5f)}, Out{f16({2}, {2, -0.5f})}},
             // 1 - 0.5 * 1.71828
             {"HalfOfNegativeAlpha", In{f16({3}, {1, 0, -1000}), real16(-0.5f)},
              Out{f16({3}, {0.14086f, 0, 0})}}});
}

}  // namespace
}  // namespace nn::ops::elu_test
