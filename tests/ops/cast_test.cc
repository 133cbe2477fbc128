#include <limits>

#include "ops/tables.h"

namespace nn::ops::cast_test {
namespace {

constexpr auto CAST = OperationType::CAST;

TEST(Cast, NeedsTheLeastVersion) {
    for (const Arg& from : {f16({2}), f32({2}), i32({2}), q8({2}, {}, 1, 0)}) {
        SCOPED_TRACE(toString(from.type));
        expectNeeds(CAST, {{"ToHalf", {from}, {f16({2})}, V1_2},
                           {"ToFloat", {from}, {f32({2})}, V1_2},
                           {"ToInteger", {from}, {i32({2})}, V1_2},
                           {"ToQuantised", {from}, {q8({2}, {}, 1, 0)}, V1_2}});
    }
    const Arg qs = qs8({2}, {}, 1, 0);
    const Arg symmetric = as(TENSOR_QUANT8_SYMM, qs);
    expectNeeds(CAST, {{"Bool", {b8({2})}, {b8({2})}, V1_3},
                       {"Quant16", {q16a({2}, {}, 1, 0)}, {q16a({2}, {}, 1, 0)}, V1_3},
                       {"Quant16Symmetric", {q16s({2}, {}, 1)}, {q16s({2}, {}, 1)}, V1_3},
                       {"Signed", {qs}, {qs}, V1_3},
                       {"Symmetric", {symmetric}, {symmetric}, V1_3}});
}

TEST(Cast, TakesDimensionsThatOneSideLeavesOpen) {
    expectNeeds(CAST, {{"OfTheInput", {f32({0, 2})}, {i32({3, 2})}, V1_2},
                       {"OfTheOutput", {f32({3, 2})}, {i32({0, 2})}, V1_2},
                       {"OfBoth", {f32({0, 2})}, {f32({3, 0})}, V1_2},
                       {"Rank", {f32({2, 3})}, {f32({})}, V1_2}});
}

TEST(Cast, SaysWhyItRefuses) {
    expectFails(check, CAST,
                {{"BoolToFloat",
                  {b8({2})},
                  {f32({2})},
                  "output 0 'output' (operand 1) is TENSOR_FLOAT32, allowed TENSOR_BOOL8 when "
                  "input 0 is TENSOR_BOOL8 [cast.types]"},
                 {"FloatToSigned",
                  {f32({2})},
                  {qs8({2}, {}, 1, 0)},
                  "output 0 'output' (operand 1) is TENSOR_QUANT8_ASYMM_SIGNED, allowed "
                  "TENSOR_FLOAT16, TENSOR_FLOAT32, TENSOR_INT32 or TENSOR_QUANT8_ASYMM when input "
                  "0 is TENSOR_FLOAT32 [cast.types]"},
                 {"Rank",
                  {f32({2})},
                  {i32({2, 1})},
                  "output 0 'output' (operand 1) has rank 2, allowed 1 as input 0 'input' (operand "
                  "0) [cast.shape]"},
                 {"Dimension",
                  {f32({2, 3})},
                  {i32({2, 4})},
                  "dimension 1 of output 0 'output' (operand 1) is 4, allowed 3 as in input 0 "
                  "'input' (operand 0) [cast.shape]"}});
}

TEST(Cast, InfersShapes) {
    expectShapes(CAST, {{"UnknownDimension", {f32({0, 3})}, {i32({})}, {{0, 3}}}});
}

TEST(Cast, Computes) {
    constexpr int32_t kMinInt = std::numeric_limits<int32_t>::min();
    constexpr int32_t kMaxInt = std::numeric_limits<int32_t>::max();
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    expectComputes(
            CAST,
            {{"FloatToInteger", {f32({4}, {-1.9f, -0.5f, 0.5f, 1.9f})}, {i32({4}, {-1, 0, 0, 1})}},
             {"FloatOutOfRange",
              {f32({5}, {3e9f, -3e9f, kInfinity, -kInfinity, kNan})},
              {i32({5}, {kMaxInt, kMinInt, kMaxInt, kMinInt, 0})}},
             {"FloatToQuantised",
              {f32({5}, {-1.7f, 2.9f, 300, 255.9f, kNan})},
              {q8({5}, {0, 2, 255, 255, 0}, 0.5f, 100)}},
             {"FloatToHalf", {f32({2}, {0.5f, 1e6f})}, {f16({2}, {0.5f, kInfinity})}},
             {"HalfToFloat", {f16({1}, {-0.25f})}, {f32({1}, {-0.25f})}},
             {"HalfToInteger", {f16({1}, {-2.75f})}, {i32({1}, {-2})}},
             {"IntegerToFloat", {i32({2}, {kMinInt, 3})}, {f32({2}, {-2147483648.0f, 3})}},
             {"IntegerToQuantised", {i32({3}, {-5, 7, 256})}, {q8({3}, {0, 7, 255}, 2, 9)}},
             {"QuantisedToFloat", {q8({2}, {0, 200}, 0.5f, 100)}, {f32({2}, {0, 200})}},
             {"QuantisedToHalf", {q8({1}, {200}, 0.5f, 100)}, {f16({1}, {200})}},
             {"QuantisedToInteger", {q8({1}, {200}, 0.5f, 100)}, {i32({1}, {200})}},
             {"QuantisedToQuantised", {q8({1}, {200}, 0.5f, 100)}, {q8({1}, {200}, 2, 7)}},
             {"IntegerToInteger", {i32({1}, {kMinInt})}, {i32({1}, {kMinInt})}},
             {"Bool", {b8({2}, {0, 1})}, {b8({2}, {0, 1})}},
             {"Symmetric", {q16s({2}, {-32768, 5}, 1)}, {q16s({2}, {-32768, 5}, 2)}}});
}

}  // namespace
}  // namespace nn::ops::cast_test
