#include "ops/op_test.h"

namespace nn::ops::logical_test {
namespace {

constexpr auto LOGICAL_AND = OperationType::LOGICAL_AND;
constexpr auto LOGICAL_OR = OperationType::LOGICAL_OR;
constexpr auto LOGICAL_NOT = OperationType::LOGICAL_NOT;

struct Case {
    const char* name;
    OperationType type;
    std::vector<Arg> inputs;
    Arg output;
};

TEST(Logical, NeedsTheLeastVersion) {
    const Case kCases[] = {
            {"And", LOGICAL_AND, {b8({2}), b8({2})}, b8({2})},
            {"Or", LOGICAL_OR, {b8({}), b8({1, 1, 1, 1, 1})}, b8({})},
            {"Not", LOGICAL_NOT, {b8({2})}, b8({2})},
    };
    for (const Case& row : kCases) {
        EXPECT_THAT(check(row.type, row.inputs, {row.output}), Needs(V1_2)) << row.name;
    }
}

struct Broken {
    Case of;
    const char* message;
};

TEST(Logical, SaysWhyItRefuses) {
    const Broken kBroken[] = {
            {{"NotOfTwo", LOGICAL_NOT, {b8({2}), b8({2})}, b8({2})},
             "LOGICAL_NOT: has 2 inputs, allowed 1 [logical.inputs]"},
            {{"Integer", LOGICAL_AND, {b8({2}), i32({2})}, b8({2})},
             "LOGICAL_AND: input 1 'input1' (operand 1) is TENSOR_INT32, allowed TENSOR_BOOL8 "
             "[logical.types]"},
    };
    for (const auto& [of, message] : kBroken) {
        EXPECT_THAT(check(of.type, of.inputs, {of.output}), Fails(message)) << of.name;
    }
}

TEST(Logical, SaysWhyPreparationFails) {
    EXPECT_THAT(infer(LOGICAL_OR, {b8({3}), b8({2})}, {b8({})}),
                Fails("LOGICAL_OR: dimension 1 from the end is 3 in input 0 'input0' (operand 0) "
                      "and 2 in input 1 'input1' (operand 1), allowed equal or 1 "
                      "[logical.shapes]"));
}

TEST(Logical, InfersShapes) {
    const std::vector<uint32_t> expected = {0, 3};
    EXPECT_EQ(infer(LOGICAL_AND, {b8({0, 1}), b8({3})}, {b8({})}).outputs[0].dimensions, expected);
    EXPECT_EQ(infer(LOGICAL_NOT, {b8({0, 3})}, {b8({})}).outputs[0].dimensions, expected);
}

TEST(Logical, Computes) {
    const Case kCases[] = {
            {"And",
             LOGICAL_AND,
             {b8({4}, {0, 0, 1, 1}), b8({4}, {0, 1, 0, 1})},
             b8({4}, {0, 0, 0, 1})},
            {"Or",
             LOGICAL_OR,
             {b8({4}, {0, 0, 1, 1}), b8({4}, {0, 1, 0, 1})},
             b8({4}, {0, 1, 1, 1})},
            {"Not", LOGICAL_NOT, {b8({2}, {0, 1})}, b8({2}, {1, 0})},
            {"AnyByteIsTrue", LOGICAL_AND, {b8({1}, {2}), b8({1}, {4})}, b8({1}, {1})},
            {"NotOfAnyByte", LOGICAL_NOT, {b8({1}, {255})}, b8({1}, {0})},
            {"Broadcast",
             LOGICAL_AND,
             {b8({2, 1}, {1, 0}), b8({2}, {1, 0})},
             b8({2, 2}, {1, 0, 0, 0})},
    };
    for (const Case& row : kCases) {
        Arg output = row.output;
        output.data.clear();
        EXPECT_THAT(run(row.type, row.inputs, {output}), Gives(row.output)) << row.name;
    }
}

}  // namespace
}  // namespace nn::ops::logical_test
