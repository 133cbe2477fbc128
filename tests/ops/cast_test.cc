#include <limits>

#include "ops/op_test.h"

namespace nn::ops::cast_test {
namespace {

constexpr auto CAST = OperationType::CAST;

TEST(Cast, NeedsTheLeastVersion) {
    const Arg kNumbers[] = {f16({2}), f32({2}), i32({2}), q8({2}, {}, 1, 0)};
    for (const Arg& from : kNumbers) {
        for (const Arg& to : kNumbers) {
            EXPECT_THAT(check(CAST, {from}, {to}), Needs(V1_2))
                    << toString(from.type) << " to " << toString(to.type);
        }
    }
    const Arg kOthers[] = {b8({2}), q16a({2}, {}, 1, 0), q16s({2}, {}, 1), qs8({2}, {}, 1, 0),
                           as(TENSOR_QUANT8_SYMM, qs8({2}, {}, 1, 0))};
    for (const Arg& other : kOthers) {
        EXPECT_THAT(check(CAST, {other}, {other}), Needs(V1_3)) << toString(other.type);
    }
}

TEST(Cast, TakesDimensionsThatOneSideLeavesOpen) {
    EXPECT_THAT(check(CAST, {f32({0, 2})}, {i32({3, 2})}), Needs(V1_2));
    EXPECT_THAT(check(CAST, {f32({3, 2})}, {i32({0, 2})}), Needs(V1_2));
    EXPECT_THAT(check(CAST, {f32({0, 2})}, {f32({3, 0})}), Needs(V1_2));
    EXPECT_THAT(check(CAST, {f32({2, 3})}, {f32({})}), Needs(V1_2));
}

struct Case {
    const char* name;
    Arg input;
    Arg output;
};

struct Broken {
    Case of;
    const char* message;
};

TEST(Cast, SaysWhyItRefuses) {
    const Broken kBroken[] = {
            {{"BoolToFloat", b8({2}), f32({2})},
             "CAST: output 0 'output' (operand 1) is TENSOR_FLOAT32, allowed TENSOR_BOOL8 when "
             "input 0 is TENSOR_BOOL8 [cast.types]"},
            {{"FloatToSigned", f32({2}), qs8({2}, {}, 1, 0)},
             "CAST: output 0 'output' (operand 1) is TENSOR_QUANT8_ASYMM_SIGNED, allowed "
             "TENSOR_FLOAT16, TENSOR_FLOAT32, TENSOR_INT32 or TENSOR_QUANT8_ASYMM when input 0 is "
             "TENSOR_FLOAT32 [cast.types]"},
            {{"Rank", f32({2}), i32({2, 1})},
             "CAST: output 0 'output' (operand 1) has rank 2, allowed 1 as input 0 'input' "
             "(operand 0) [cast.shape]"},
            {{"Dimension", f32({2, 3}), i32({2, 4})},
             "CAST: dimension 1 of output 0 'output' (operand 1) is 4, allowed 3 as in input 0 "
             "'input' (operand 0) [cast.shape]"},
    };
    for (const auto& [of, message] : kBroken) {
        EXPECT_THAT(check(CAST, {of.input}, {of.output}), Fails(message)) << of.name;
    }
}

TEST(Cast, InfersShapes) {
    EXPECT_EQ(infer(CAST, {f32({0, 3})}, {i32({})}).outputs[0].dimensions,
              (std::vector<uint32_t>{0, 3}));
}

TEST(Cast, Computes) {
    constexpr int32_t kLeastInt = std::numeric_limits<int32_t>::min();
    constexpr int32_t kMostInt = std::numeric_limits<int32_t>::max();
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const Case kCases[] = {
            {"FloatToInteger", f32({4}, {-1.9f, -0.5f, 0.5f, 1.9f}), i32({4}, {-1, 0, 0, 1})},
            {"FloatOutOfRange", f32({5}, {3e9f, -3e9f, kInfinity, -kInfinity, kNan}),
             i32({5}, {kMostInt, kLeastInt, kMostInt, kLeastInt, 0})},
            {"FloatToQuantised", f32({5}, {-1.7f, 2.9f, 300, 255.9f, kNan}),
             q8({5}, {0, 2, 255, 255, 0}, 0.5f, 100)},
            {"FloatToHalf", f32({2}, {0.5f, 1e6f}), f16({2}, {0.5f, kInfinity})},
            {"HalfToFloat", f16({1}, {-0.25f}), f32({1}, {-0.25f})},
            {"HalfToInteger", f16({1}, {-2.75f}), i32({1}, {-2})},
            {"IntegerToFloat", i32({2}, {kLeastInt, 3}), f32({2}, {-2147483648.0f, 3})},
            {"IntegerToQuantised", i32({3}, {-5, 7, 256}), q8({3}, {0, 7, 255}, 2, 9)},
            {"QuantisedToFloat", q8({2}, {0, 200}, 0.5f, 100), f32({2}, {0, 200})},
            {"QuantisedToHalf", q8({1}, {200}, 0.5f, 100), f16({1}, {200})},
            {"QuantisedToInteger", q8({1}, {200}, 0.5f, 100), i32({1}, {200})},
            {"QuantisedToQuantised", q8({1}, {200}, 0.5f, 100), q8({1}, {200}, 2, 7)},
            {"IntegerToInteger", i32({1}, {kLeastInt}), i32({1}, {kLeastInt})},
            {"Bool", b8({2}, {0, 1}), b8({2}, {0, 1})},
            {"Symmetric", q16s({2}, {-32768, 5}, 1), q16s({2}, {-32768, 5}, 2)},
    };
    for (const Case& row : kCases) {
        Arg output = row.output;
        output.data.clear();
        EXPECT_THAT(run(CAST, {row.input}, {output}), Gives(row.output)) << row.name;
    }
}

}  // namespace
}  // namespace nn::ops::cast_test
