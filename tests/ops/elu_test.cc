#include "ops/tables.h"

namespace nn::ops::elu_test {
namespace {

constexpr auto ELU = OperationType::ELU;

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
    expectComputes(ELU,
                   {{"Float", {f32({3}, {2, 0, -0.6931472f}), real(3)}, {f32({3}, {2, 0, -1.5f})}},
                    {"NegativeAlpha", {f32({1}, {-0.6931472f}), real(-1)}, {f32({1}, {0.5f})}},
                    {"Half", {f16({2}, {2, -1000}), real16(0.5f)}, {f16({2}, {2, -0.5f})}}});
}

}  // namespace
}  // namespace nn::ops::elu_test
