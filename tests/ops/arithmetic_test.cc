#include <limits>

#include "ops/op_test.h"

namespace nn::ops::arithmetic_test {
namespace {

constexpr auto ADD = OperationType::ADD;
constexpr auto SUB = OperationType::SUB;
constexpr auto MUL = OperationType::MUL;
constexpr auto DIV = OperationType::DIV;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kLargest = std::numeric_limits<float>::max();
constexpr int32_t kLeastInt = std::numeric_limits<int32_t>::min();
constexpr int32_t kMostInt = std::numeric_limits<int32_t>::max();

struct Case {
    const char* name;
    OperationType type;
    std::vector<Arg> inputs;
    Arg output;
};

struct Legal {
    Case of;
    Version needed;
};

TEST(Arithmetic, NeedsTheLeastVersion) {
    const Arg q = q8({2}, {}, 1, 0);
    const Arg qs = qs8({2}, {}, 1, 0);
    const Arg wide = q8({2}, {}, 2, 0);
    const Arg wideSigned = qs8({2}, {}, 2, 0);
    const Legal kLegal[] = {
            {{"AddFloat", ADD, {f32({2}), f32({2}), integer(0)}, f32({2})}, V1_0},
            {{"AddQuantised", ADD, {q, q, integer(0)}, q}, V1_0},
            {{"AddHalf", ADD, {f16({2}), f16({2}), integer(0)}, f16({2})}, V1_2},
            {{"AddSigned", ADD, {qs, qs, integer(0)}, qs}, V1_3},
            {{"AddInteger", ADD, {i32({2}), i32({2}), integer(0)}, i32({2})}, V1_3},
            {{"AddRankFiveAndUnknown", ADD, {f32({1, 1, 1, 1, 2}), f32({}), integer(0)}, f32({})},
             V1_0},
            {{"MulFloat", MUL, {f32({2}), f32({2}), integer(0)}, f32({2})}, V1_0},
            {{"MulQuantised", MUL, {q, q, integer(0)}, wide}, V1_0},
            {{"MulHalf", MUL, {f16({2}), f16({2}), integer(0)}, f16({2})}, V1_2},
            {{"MulSigned", MUL, {qs, qs, integer(0)}, wideSigned}, V1_3},
            {{"MulInteger", MUL, {i32({2}), i32({2}), integer(0)}, i32({2})}, V1_3},
            {{"SubFloat", SUB, {f32({2}), f32({2}), integer(0)}, f32({2})}, V1_1},
            {{"SubQuantised", SUB, {q, q, integer(0)}, q}, V1_2},
            {{"SubHalf", SUB, {f16({2}), f16({2}), integer(0)}, f16({2})}, V1_2},
            {{"SubSigned", SUB, {qs, qs, integer(0)}, qs}, V1_3},
            {{"SubInteger", SUB, {i32({2}), i32({2}), integer(0)}, i32({2})}, V1_3},
            {{"DivFloat", DIV, {f32({2}), f32({2}), integer(0)}, f32({2})}, V1_1},
            {{"DivHalf", DIV, {f16({2}), f16({2}), integer(0)}, f16({2})}, V1_2},
            {{"DivInteger", DIV, {i32({2}), i32({2}), integer(0)}, i32({2})}, V1_3},
    };
    for (const auto& [of, needed] : kLegal) {
        EXPECT_THAT(check(of.type, of.inputs, {of.output}), Needs(needed)) << of.name;
    }
}

struct Broken {
    Case of;
    const char* message;
};

TEST(Arithmetic, SaysWhyItRefuses) {
    const Arg q = q8({2}, {}, 0.5, 0);
    const Arg qs = qs8({2}, {}, 0.5, 0);
    const Broken kBroken[] = {
            {{"NoActivation", ADD, {f32({2}), f32({2})}, f32({2})},
             "ADD: has 2 inputs, allowed 3 [arithmetic.inputs]"},
            {{"OtherType", SUB, {f32({2}), f16({2}), integer(0)}, f32({2})},
             "SUB: input 1 'input1' (operand 1) is TENSOR_FLOAT16, allowed TENSOR_FLOAT32 when "
             "input 0 is TENSOR_FLOAT32 [arithmetic.types]"},
            {{"DivQuantised", DIV, {q, q, integer(0)}, q},
             "DIV: input 0 'input0' (operand 0) is TENSOR_QUANT8_ASYMM, allowed TENSOR_FLOAT32, "
             "TENSOR_FLOAT16 or TENSOR_INT32 [arithmetic.types]"},
            {{"DivSigned", DIV, {qs, qs, integer(0)}, qs},
             "DIV: input 0 'input0' (operand 0) is TENSOR_QUANT8_ASYMM_SIGNED, allowed "
             "TENSOR_FLOAT32, TENSOR_FLOAT16 or TENSOR_INT32 [arithmetic.types]"},
            {{"RankFive", ADD, {f32({2}), f32({1, 1, 1, 1, 2}), integer(0)}, f32({})},
             "ADD: input 1 'input1' (operand 1) has rank 5, allowed 1 to 4 [arithmetic.rank]"},
            {{"MulScale", MUL, {q, q, integer(0)}, q8({2}, {}, 0.25, 0)},
             "MUL: output 0 'output' (operand 3) has scale 0.25, allowed above 0.25, the product "
             "of the scales of the inputs [arithmetic.mul_scale]"},
            {{"MulScaleSigned", MUL, {qs, qs, integer(0)}, qs8({2}, {}, 0.125, 0)},
             "MUL: output 0 'output' (operand 3) has scale 0.125, allowed above 0.25, the product "
             "of the scales of the inputs [arithmetic.mul_scale]"},
    };
    for (const auto& [of, message] : kBroken) {
        EXPECT_THAT(check(of.type, of.inputs, {of.output}), Fails(message)) << of.name;
    }
}

TEST(Arithmetic, SaysWhyPreparationFails) {
    const Broken kBroken[] = {
            {{"Activation", ADD, {f32({2}), f32({2}), integer(4)}, f32({2})},
             "ADD: input 2 'activation' (operand 2) is 4, allowed 0 (NONE), 1 (RELU), 2 (RELU1) "
             "or 3 (RELU6) [arithmetic.activation]"},
            {{"ActivationOfInteger", MUL, {i32({2}), i32({2}), integer(1)}, i32({2})},
             "MUL: input 2 'activation' (operand 2) is 1, allowed 0 (NONE) for TENSOR_INT32 "
             "[arithmetic.activation]"},
            {{"Shapes", DIV, {f32({3, 2}), f32({2, 2}), integer(0)}, f32({})},
             "DIV: dimension 2 from the end is 3 in input 0 'input0' (operand 0) and 2 in input 1 "
             "'input1' (operand 1), allowed equal or 1 [arithmetic.shapes]"},
            {{"SumScale",
              SUB,
              {q8({2}, {}, 1, 0), q8({2}, {}, 524288, 0), integer(0)},
              q8({2}, {}, 1, 0)},
             "SUB: output 0 'output' (operand 3) has scale 1, allowed above 1, the larger scale of "
             "the inputs / 2^19 [arithmetic.sum_scale]"},
    };
    for (const auto& [of, message] : kBroken) {
        EXPECT_THAT(infer(of.type, of.inputs, {of.output}), Fails(message)) << of.name;
    }
}

struct Inferred {
    const char* name;
    std::vector<uint32_t> a;
    std::vector<uint32_t> b;
    std::vector<uint32_t> output;
};

TEST(Arithmetic, InfersShapes) {
    const Inferred kInferred[] = {
            {"Broadcast", {4, 1, 2}, {5, 4, 3, 1}, {5, 4, 3, 2}},
            {"UnknownRank", {}, {2}, {}},
            {"UnknownAgainstOne", {0}, {1}, {0}},
            {"UnknownAgainstTwo", {0}, {2}, {2}},
    };
    for (const Inferred& row : kInferred) {
        const Outcome got = infer(ADD, {f32(row.a), f32(row.b), integer(0)}, {f32({})});
        EXPECT_EQ(got.error, "") << row.name;
        EXPECT_EQ(got.outputs[0].dimensions, row.output) << row.name;
    }
}

TEST(Arithmetic, Computes) {
    const Case kCases[] = {
            {"Add",
             ADD,
             {f32({3}, {1, 2, 3}), f32({3}, {10, 20, 30}), integer(0)},
             f32({3}, {11, 22, 33})},
            {"Sub", SUB, {f32({2}, {1, 2}), f32({2}, {10, 1}), integer(0)}, f32({2}, {-9, 1})},
            {"Mul", MUL, {f32({2}, {3, -2}), f32({2}, {4, 5}), integer(1)}, f32({2}, {12, 0})},
            {"Div", DIV, {f32({2}, {3, -2}), f32({2}, {4, 5}), integer(0)}, f32({2}, {0.75, -0.4})},
            {"Relu1", ADD, {f32({2}, {1, -9}), f32({2}, {1, 1}), integer(2)}, f32({2}, {1, -1})},
            {"Relu6", ADD, {f32({2}, {9, -9}), f32({2}, {1, 1}), integer(3)}, f32({2}, {6, 0})},
            {"Half", DIV, {f16({1}, {1}), f16({1}, {4}), integer(0)}, f16({1}, {0.25})},
            {"NoActivationIsFinite",
             DIV,
             {f32({2}, {1, -1}), f32({1}, {0}), integer(0)},
             f32({2}, {kLargest, -kLargest})},
            {"HalfKeepsInfinity",
             ADD,
             {f16({1}, {60000}), f16({1}, {60000}), integer(0)},
             f16({1}, {kInfinity})},

            {"ScalarOnTheLeft",
             SUB,
             {f32({1}, {10}), f32({2, 2}, {1, 2, 3, 4}), integer(0)},
             f32({2, 2}, {9, 8, 7, 6})},
            {"ScalarOnTheRight",
             SUB,
             {f32({2, 2}, {1, 2, 3, 4}), f32({1, 1, 1}, {10}), integer(0)},
             f32({1, 2, 2}, {-9, -8, -7, -6})},
            {"Bias",
             ADD,
             {f32({2, 3}, {1, 2, 3, 4, 5, 6}), f32({3}, {10, 20, 30}), integer(0)},
             f32({2, 3}, {11, 22, 33, 14, 25, 36})},
            {"Column",
             SUB,
             {f32({2, 3}, {1, 2, 3, 4, 5, 6}), f32({2, 1}, {1, 4}), integer(0)},
             f32({2, 3}, {0, 1, 2, 0, 1, 2})},
            {"BothWays",
             ADD,
             {f32({2, 1, 2}, {1, 2, 3, 4}), f32({3, 1}, {10, 20, 30}), integer(0)},
             f32({2, 3, 2}, {11, 12, 21, 22, 31, 32, 13, 14, 23, 24, 33, 34})},
            {"OuterMovesInner",
             ADD,
             {f32({2, 2, 1, 2}, {1, 2, 3, 4, 5, 6, 7, 8}), f32({2, 1, 2, 1}, {10, 20, 30, 40}),
              integer(0)},
             f32({2, 2, 2, 2}, {11, 12, 21, 22, 13, 14, 23, 24, 35, 36, 45, 46, 37, 38, 47, 48})},
            {"NoElements", MUL, {f32({0, 2}), f32({2}, {1, 2}), integer(0)}, f32({0, 2})},
            {"NoElementsAgainstOne",
             ADD,
             {f32({2, 0}), f32({2, 1}, {1, 2}), integer(0)},
             f32({2, 0})},

            {"AddWraps",
             ADD,
             {i32({2}, {kMostInt, kLeastInt}), i32({2}, {1, -1}), integer(0)},
             i32({2}, {kLeastInt, kMostInt})},
            {"SubWraps",
             SUB,
             {i32({2}, {kMostInt, 0}), i32({2}, {-1, kLeastInt}), integer(0)},
             i32({2}, {kLeastInt, kLeastInt})},
            {"MulWraps",
             MUL,
             {i32({3}, {65536, kLeastInt, -3}), i32({3}, {65536, -1, 7}), integer(0)},
             i32({3}, {0, kLeastInt, -21})},
            {"DivFloors",
             DIV,
             {i32({4}, {7, -7, 7, -7}), i32({4}, {2, 2, -2, -2}), integer(0)},
             i32({4}, {3, -4, -4, 3})},
            {"DivByZero",
             DIV,
             {i32({3}, {7, 0, -7}), i32({1}, {0}), integer(0)},
             i32({3}, {0, 0, 0})},
            {"DivWraps",
             DIV,
             {i32({1}, {kLeastInt}), i32({1}, {-1}), integer(0)},
             i32({1}, {kLeastInt})},

            {"AddQuantised",  // 5 + 4, 10 + 255
             ADD,
             {q8({2}, {10, 20}, 0.5, 0), q8({2}, {4, 255}, 1, 0), integer(0)},
             q8({2}, {9, 255}, 1, 0)},
            {"AddSigned",  // 1 + 2, -4 - 4
             ADD,
             {qs8({2}, {2, -3}, 1, 1), qs8({2}, {2, -4}, 1, 0), integer(0)},
             qs8({2}, {5, -17}, 0.5, -1)},
            {"SubQuantisedRoundsHalfAwayFromZero",  // 1 - 2 = -1, in halves of 2
             SUB,
             {q8({1}, {1}, 1, 0), q8({1}, {2}, 1, 0), integer(0)},
             q8({1}, {9}, 2, 10)},
            {"MulQuantised",  // 3 * 4
             MUL,
             {q8({1}, {6}, 0.5, 0), q8({1}, {26}, 0.25, 10), integer(0)},
             q8({1}, {25}, 0.5, 1)},
            {"Relu6Quantised",  // 9 and -9 as halves with zero point 10
             ADD,
             {q8({2}, {19, 1}, 1, 10), q8({1}, {0}, 1, 0), integer(3)},
             q8({2}, {22, 10}, 0.5, 10)},
    };
    for (const Case& row : kCases) {
        Arg output = row.output;
        output.data.clear();
        EXPECT_THAT(run(row.type, row.inputs, {output}), Gives(row.output)) << row.name;
    }
}

}  // namespace
}  // namespace nn::ops::arithmetic_test
