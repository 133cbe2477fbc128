// The dimensions of outputs, for kernels.
#include "nnapi/kernel/output_shapes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

namespace nn::kernel_output_shapes_test {
namespace {

using kernel::InputValue;
using kernel::outputDimensions;
using testing::HasSubstr;
using enum OperandType;

// An operation with its operands in order, and the known data of its inputs.
struct Case {
    std::vector<Operand> operands{};
    Operation operation{};
    std::vector<InputValue> inputs{};

    Case& input(OperandType type, const Dimensions& dimensions,
                std::span<const uint8_t> data = {}) {
        operation.inputs.push_back(static_cast<uint32_t>(operands.size()));
        operands.push_back({.type = type, .scale = type == TENSOR_QUANT8_ASYMM ? 1.0f : 0.0f});
        inputs.push_back({dimensions, data});
        return *this;
    }
    Case& output(OperandType type) {
        operation.outputs.push_back(static_cast<uint32_t>(operands.size()));
        operands.push_back({.type = type});
        return *this;
    }
    Result<std::vector<Dimensions>> result() const {
        return outputDimensions(operation, operands, inputs);
    }
};

std::vector<uint8_t> bytesOf(const std::vector<int32_t>& values) {
    std::vector<uint8_t> bytes(values.size() * sizeof(int32_t));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

const Dimensions kScalar{}, kImage{1, 8, 8, 3}, kFilter{16, 3, 3, 3}, kBias{16};
const auto kZero = bytesOf({0}), kOne = bytesOf({1}), kTwo = bytesOf({2});

Case convolution(std::span<const uint8_t> stride) {
    Case conv{.operation = {.type = OperationType::CONV_2D}};
    conv.input(TENSOR_FLOAT32, kImage).input(TENSOR_FLOAT32, kFilter).input(TENSOR_FLOAT32, kBias);
    conv.input(INT32, kScalar, kOne);  // SAME
    conv.input(INT32, kScalar, stride).input(INT32, kScalar, kTwo).input(INT32, kScalar, kZero);
    return conv.output(TENSOR_FLOAT32);
}

TEST(KernelOutputShapes, FollowFromInputs) {
    EXPECT_EQ(convolution(kTwo).result().value(), (std::vector<Dimensions>{{1, 4, 4, 16}}));
    EXPECT_EQ(convolution({}).result().value(), (std::vector<Dimensions>{{1, 4, 0, 16}}))
            << "the stride of the width is not known";

    const Dimensions a{2, 1, 3}, b{4, 1};
    Case add{.operation = {.type = OperationType::ADD}};
    add.input(TENSOR_FLOAT32, a).input(TENSOR_FLOAT32, b).input(INT32, kScalar, kZero);
    add.output(TENSOR_FLOAT32);
    EXPECT_EQ(add.result().value(), (std::vector<Dimensions>{{2, 4, 3}}));

    const Dimensions flat{6}, two{2};
    const auto shape = bytesOf({3, -1});
    Case reshape{.operation = {.type = OperationType::RESHAPE}};
    reshape.input(TENSOR_FLOAT32, flat).input(TENSOR_INT32, two, shape).output(TENSOR_FLOAT32);
    EXPECT_EQ(reshape.result().value(), (std::vector<Dimensions>{{3, 2}}));

    const auto three = bytesOf({3});
    Case split{.operation = {.type = OperationType::SPLIT}};
    split.input(TENSOR_FLOAT32, flat).input(INT32, kScalar, kZero).input(INT32, kScalar, three);
    split.output(TENSOR_FLOAT32).output(TENSOR_FLOAT32).output(TENSOR_FLOAT32);
    EXPECT_EQ(split.result().value(), (std::vector<Dimensions>{{2}, {2}, {2}}));
}

// Data may have any alignment.
TEST(KernelOutputShapes, ReadDataThatIsNotAligned) {
    std::vector<uint8_t> bytes(1);
    bytes.insert(bytes.end(), kTwo.begin(), kTwo.end());
    EXPECT_EQ(convolution(std::span(bytes).subspan(1)).result().value(),
              (std::vector<Dimensions>{{1, 4, 4, 16}}));
}

TEST(KernelOutputShapes, ReportErrors) {
    const auto minus = bytesOf({-1});
    const auto messageOf = [](const Case& wrong) {
        const auto result = wrong.result();
        EXPECT_FALSE(result.ok());
        EXPECT_EQ(errorStatus(result.status()), ErrorStatus::INVALID_ARGUMENT);
        return std::string(result.status().message());
    };
    EXPECT_EQ(messageOf(convolution(minus)),
              "operation CONV_2D: input 4 'strideWidth' (operand 4) is -1, allowed above 0 "
              "[conv_2d.stride]");
    Case wrong = convolution(kTwo);
    wrong.operands[1].type = TENSOR_INT32;
    EXPECT_THAT(messageOf(wrong), HasSubstr("[conv_2d.types]"));
    wrong = convolution(kTwo);
    wrong.inputs.pop_back();
    EXPECT_EQ(messageOf(wrong), "there are 6 inputs, allowed 7 as the operation has");
    wrong = convolution(kTwo);
    wrong.operation.outputs = {8};
    EXPECT_EQ(messageOf(wrong), "operand 8 is named, allowed below 8");
    wrong = convolution(std::span(kTwo).first(3));
    EXPECT_EQ(messageOf(wrong), "input 4 has 3 bytes, allowed 4");
    for (const OperationType type : {OperationType::IF, OperationType::WHILE,
                                     OperationType::OEM_OPERATION, OperationType{1 << 20}}) {
        wrong = convolution(kTwo);
        wrong.operation.type = type;
        EXPECT_THAT(messageOf(wrong), HasSubstr("has no shape inference"));
    }
    wrong = {.operation = {.type = OperationType::ADD}};
    EXPECT_THAT(messageOf(wrong), HasSubstr("has 0 inputs, allowed 3"));
}

}  // namespace
}  // namespace nn::kernel_output_shapes_test
