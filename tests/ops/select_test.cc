#include "ops/op_test.h"

namespace nn::ops::select_test {
namespace {

constexpr auto SELECT = OperationType::SELECT;

struct Legal {
    const char* name;
    Arg input;
    Version needed;
};

TEST(Select, NeedsTheLeastVersion) {
    const Legal kLegal[] = {
            {"Half", f16({2}), V1_2},
            {"Float", f32({1, 1, 1, 1, 2}), V1_2},
            {"Integer", i32({}), V1_2},
            {"Quantised", q8({2}, {}, 1, 0), V1_2},
            {"Signed", qs8({2}, {}, 1, 0), V1_3},
    };
    for (const Legal& row : kLegal) {
        EXPECT_THAT(check(SELECT, {b8({}), row.input, row.input}, {row.input}), Needs(row.needed))
                << row.name;
    }
}

struct Case {
    const char* name;
    std::vector<Arg> inputs;
    Arg output;
};

struct Broken {
    Case of;
    const char* message;
};

TEST(Select, SaysWhyItRefuses) {
    const Broken kBroken[] = {
            {{"MaskIsInteger", {i32({2}), f32({2}), f32({2})}, f32({2})},
             "SELECT: input 0 'mask' (operand 0) is TENSOR_INT32, allowed TENSOR_BOOL8 "
             "[select.types]"},
            {{"OtherType", {b8({2}), f32({2}), i32({2})}, f32({2})},
             "SELECT: input 2 'input2' (operand 2) is TENSOR_INT32, allowed TENSOR_FLOAT32 when "
             "input 1 is TENSOR_FLOAT32 [select.types]"},
    };
    for (const auto& [of, message] : kBroken) {
        EXPECT_THAT(check(SELECT, of.inputs, {of.output}), Fails(message)) << of.name;
    }
}

TEST(Select, SaysWhyPreparationFails) {
    const Broken kBroken[] = {
            {{"Rank", {b8({2}), f32({2}), f32({1, 2})}, f32({})},
             "SELECT: input 2 'input2' (operand 2) has rank 2, allowed 1 as the inputs before "
             "[select.shapes]"},
            {{"Dimension", {b8({2, 0}), f32({2, 3}), f32({2, 1})}, f32({})},
             "SELECT: dimension 1 of input 2 'input2' (operand 2) is 1, allowed 3 as in the "
             "inputs before [select.shapes]"},
    };
    for (const auto& [of, message] : kBroken) {
        EXPECT_THAT(infer(SELECT, of.inputs, {of.output}), Fails(message)) << of.name;
    }
}

TEST(Select, InfersShapes) {
    const Case kCases[] = {
            {"Merged", {b8({}), f32({0, 3, 0}), f32({2, 0, 0})}, f32({2, 3, 0})},
            {"NothingKnown", {b8({}), f32({}), f32({})}, f32({})},
    };
    for (const Case& row : kCases) {
        const Outcome got = infer(SELECT, row.inputs, {f32({})});
        EXPECT_EQ(got.error, "") << row.name;
        EXPECT_EQ(got.outputs[0].dimensions, row.output.dimensions) << row.name;
    }
}

TEST(Select, Computes) {
    const Case kCases[] = {
            {"Float", {b8({2}, {1, 0}), f32({2}, {1, 2}), f32({2}, {3, 4})}, f32({2}, {1, 4})},
            {"AnyByteIsTrue",
             {b8({2}, {0, 255}), f16({2}, {1, 2}), f16({2}, {3, 4})},
             f16({2}, {3, 2})},
            {"IntegersThatFloatsConfuse",
             {b8({2}, {1, 0}), i32({2}, {16777217, 2}), i32({2}, {3, -16777217})},
             i32({2}, {16777217, -16777217})},
            {"Quantised",  // 5, and 300 saturates
             {b8({2}, {1, 0}), q8({2}, {10, 0}, 0.5f, 0), q8({2}, {0, 160}, 2, 10)},
             q8({2}, {6, 255}, 1, 1)},
            {"Signed",
             {b8({2}, {1, 0}), qs8({2}, {-128, 0}, 1, 0), qs8({2}, {0, 127}, 1, 0)},
             qs8({2}, {-128, 127}, 1, 0)},
    };
    for (const Case& row : kCases) {
        Arg output = row.output;
        output.data.clear();
        EXPECT_THAT(run(SELECT, row.inputs, {output}), Gives(row.output)) << row.name;
    }
}

}  // namespace
}  // namespace nn::ops::select_test
