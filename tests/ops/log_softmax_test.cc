#include "ops/tables.h"

namespace nn::ops::log_softmax_test {
namespace {

constexpr auto LOG_SOFTMAX = OperationType::LOG_SOFTMAX;

TEST(LogSoftmax, SaysWhyItRefuses) {
    expectFails(infer, LOG_SOFTMAX,
                {{"AxisTooSmall", In{f32({2, 3}), real(1), integer(INT32_MIN)},
                  "input 2 'axis' (operand 2) is -2147483648, allowed -2 to 1 for rank 2 "
                  "[log_softmax.axis]"}});
}

TEST(LogSoftmax, Computes) {
    constexpr float kLn2 = 0.6931472f;
    constexpr float kLn3 = 1.0986123f;
    expectComputes(LOG_SOFTMAX,
                   {{"FirstAxis", In{f32({2, 2}, {0, 5, kLn2, 5}), real(1), integer(0)},
                     Out{f32({2, 2}, {-kLn3, -kLn2, kLn2 - kLn3, -kLn2})}},
                    {"SmallDoesNotBecomeZero", In{f32({1, 2}, {0, 1000}), real(1), integer(-1)},
                     Out{f32({1, 2}, {-1000, 0})}},
                    {"Half", In{f16({1, 2}, {1, 1}), real16(1), integer(1)},
                     Out{f16({1, 2}, {-kLn2, -kLn2})}}});
}

}  // namespace
}  // namespace nn::ops::log_softmax_test
