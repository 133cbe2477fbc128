#include <limits>

#include "ops/tables.h"

namespace nn::ops::cast_test {
namespace {

constexpr auto CAST = OperationType::CAST;

TEST(Cast, TakesDimensionsThatOneSideLeavesOpen) {
    expectNeeds(CAST, {{"OfTheInput", In{f32({0, 2})}, Out{i32({3, 2})}, V1_2},
                       {"OfTheOutput", In{f32({3, 2})}, Out{i32({0, 2})}, V1_2},
                       {"OfBoth", In{f32({0, 2})}, Out{f32({3, 0})}, V1_2},
                       {"Rank", In{f32({2, 3})}, V1_2}});
}

TEST(Cast, SaysWhyItRefuses) {
    expectFails(check, CAST,
                {{"Rank", In{f32({2})}, Out{i32({2, 1})},
                  "output 0 'output' (operand 1) has rank 2, allowed 1 as input 0 'input' (operand "
                  "0) [cast.shape]"},
                 {"Dimension", In{f32({2, 3})}, Out{i32({2, 4})},
                  "dimension 1 of output 0 'output' (operand 1) is 4, allowed 3 as in input 0 "
                  "'input' (operand 0) [cast.shape]"}});
}

TEST(Cast, Computes) {
    constexpr int32_t kMinInt = std::numeric_limits<int32_t>::min();
    constexpr int32_t kMaxInt = std::numeric_limits<int32_t>::max();
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    expectComputes(
            CAST,
            {{"FloatOutOfRange", In{f32({5}, {3e9f, -3e9f, kInfinity, -kInfinity, kNan})},
              Out{i32({5}, {kMaxInt, kMinInt, kMaxInt, kMinInt, 0})}},
             {"FloatToQuantized", In{f32({5}, {-1.7f, 2.9f, 300, 255.9f, kNan})},
              Out{q8({5}, {0, 2, 255, 255, 0}, 0.5f, 100)}},
             {"FloatToHalf", In{f32({2}, {0.5f, 1e6f})}, Out{f16({2}, {0.5f, kInfinity})}},
             {"IntegerToFloat", In{i32({2}, {kMinInt, 3})}, Out{f32({2}, {-2147483648.0f, 3})}},
             {"Bool", In{b8({2}, {0, 1})}, Out{b8({2}, {0, 1})}}});
}

}  // namespace
}  // namespace nn::ops::cast_test
