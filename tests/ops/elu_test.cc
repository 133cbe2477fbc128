#include <limits>

#include "ops/tables.h"

namespace nn::ops::elu_test {
namespace {

constexpr auto ELU = OperationType::ELU;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

TEST(Elu, NeedsTheLeastVersion) {
    expectNeeds(ELU, {{"Float", {f32({2}), real(1)}, {f32({2})}, V1_3},
                      {"Half", {f16({}), real16(1)}, {f16({})}, V1_3}});
}

TEST(Elu, SaysWhyItRefuses) {
    expectFails(check, ELU,
                {{"AlphaIsFloat",
                  {f16({2}), real(1)},
                  {f16({2})},
                  "input 1 'alpha' (operand 1) is FLOAT32, allowed FLOAT16 when input 0 is "
                  "TENSOR_FLOAT16 [elu.types]"}});
}

TEST(Elu, InfersShapes) {
    expectShapes(ELU, {{"UnknownDimension", {f32({0, 3}), real(1)}, {f32({})}, {{0, 3}}}});
}

TEST(Elu, Computes) {
    expectComputes(
            ELU,
            {{"Float", {f32({3}, {2, 0, -0.6931472f}), real(3)}, {f32({3}, {2, 0, -1.5f})}},
             // ln 2 - 1, 3 ln 2 - 2 * 7, and nothing below 0
             {"NegativeAlpha",
              {f32({4}, {0.6931472f, 0, -0.6931472f, -100}), real(-1)},
              {f32({4}, {-0.3068528f, 0, 0, 0})}},
             {"LargeNegativeAlpha",
              {f32({2}, {2.0794415f, -5}), real(-2)},
              {f32({2}, {-11.920558f, 0})}},
             {"NoAlpha", {f32({3}, {3, -3, kInfinity}), real(0)}, {f32({3}, {3, 0, kInfinity})}},
             {"Half", {f16({2}, {2, -1000}), real16(0.5f)}, {f16({2}, {2, -0.5f})}},
             // 1 - 0.5 * 1.71828
             {"HalfOfNegativeAlpha",
              {f16({3}, {1, 0, -1000}), real16(-0.5f)},
              {f16({3}, {0.14086f, 0, 0})}}});
}

}  // namespace
}  // namespace nn::ops::elu_test
