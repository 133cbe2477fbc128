#include "ops/tables.h"

namespace nn::ops::dequantize_test {
namespace {

constexpr auto DEQUANTIZE = OperationType::DEQUANTIZE;

TEST(Dequantize, SaysWhyItRefuses) {
    expectFails(check, DEQUANTIZE,
                {{"RankFive", In{q8({1, 1, 1, 1, 1}, {}, 1, 0)},
                  "input 0 'input' (operand 0) has rank 5, allowed 1 to 4 [dequantize.rank]"}});
}

TEST(Dequantize, Computes) {
    expectComputes(DEQUANTIZE, {{"NoElements", In{q8({0, 3}, {}, 1, 0)}, Out{f32({0, 3})}}});
}

}  // namespace
}  // namespace nn::ops::dequantize_test
