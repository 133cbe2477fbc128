#include <limits>

#include "ops/tables.h"

namespace nn::ops::elu_test {
namespace {

constexpr auto ELU = OperationType::ELU;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

TEST(Elu, NeedsTheLeastVersion) {
    expectNeeds(ELU, {{"UnknownRank", In{f16({}), real16(1)}, Out{f16({})}, V1_3}});
}

TEST(Elu, Computes) {
    expectComputes(ELU, {{"LargeNegativeAlpha", In{f32({2}, {2.0794415f, -5}), real(-2)},
                          Out{f32({2}, {-11.920558f, 0})}},
                         {"NoAlpha", In{f32({3}, {3, -3, kInfinity}), real(0)},
                          Out{f32({3}, {3, 0, kInfinity})}}});
}

}  // namespace
}  // namespace nn::ops::elu_test
