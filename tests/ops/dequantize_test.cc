#include "ops/tables.h"

namespace nn::ops::dequantize_test {
namespace {

constexpr auto DEQUANTIZE = OperationType::DEQUANTIZE;

TEST(Dequantize, SaysWhyItRefuses) {
    expectFails(check, DEQUANTIZE,
                {{"RankFive", In{q8({1, 1, 1, 1, 1}, {}, 1, 0)},
                  "input 0 'input' (operand 0) has rank 5, allowed 1 to 4 [dequantize.rank]"}});
}

TEST(Dequantize, InfersShapes) {
    expectShapes(DEQUANTIZE, {{"UnknownDimension", In{q8({0, 3}, {}, 1, 0)}, Shapes{{0, 3}}}});
}

TEST(Dequantize, Computes) {
    expectComputes(
            DEQUANTIZE,
            {{"Unsigned", In{q8({3}, {8, 11, 255}, 0.5, 10)}, Out{f32({3}, {-1, 0.5f, 122.5f})}},
             {"Signed", In{qs8({2}, {-128, 127}, 0.5, 1)}, Out{f16({2}, {-64.5f, 63})}},
             {"Symmetric", In{as(TENSOR_QUANT8_SYMM, qs8({2}, {-128, 127}, 0.5, 0))},
              Out{f32({2}, {-64, 63.5f})}},
             {"FirstChannel", In{perChannel({2, 2}, {1, 2, 3, -4}, {1, 0.5f}, 0)},
              Out{f32({2, 2}, {1, 2, 1.5f, -2})}},
             {"MiddleChannel", In{perChannel({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}, {1, 10}, 1)},
              Out{f32({2, 2, 2}, {1, 2, 30, 40, 5, 6, 70, 80})}},
             {"LastChannel", In{perChannel({2, 2}, {1, 2, 3, 4}, {1, 0.5f}, 1)},
              Out{f16({2, 2}, {1, 1, 3, 2})}},
             {"NoElements", In{q8({0, 3}, {}, 1, 0)}, Out{f32({0, 3})}}});
}

}  // namespace
}  // namespace nn::ops::dequantize_test
