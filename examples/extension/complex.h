// An extension for complex numbers, as a vendor would write it.
//
//   name         com.example.complex
//   type 0       TENSOR_COMPLEX64: elements of 8 bytes, real and imaginary part as floats
//   operation 0  MULTIPLY(a, b) -> c, all TENSOR_COMPLEX64 of the same dimensions
//   operation 1  MAGNITUDE(a) -> m, TENSOR_COMPLEX64 to TENSOR_FLOAT32 of the same dimensions
#pragma once

#include <algorithm>
#include <complex>
#include <memory>

#include "nnapi/extension_operations.h"

namespace example {

inline constexpr char kComplexName[] = "com.example.complex";
inline constexpr uint16_t kComplex64 = 0;  // types
inline constexpr uint16_t kMultiply = 0;   // operations
inline constexpr uint16_t kMagnitude = 1;

inline nn::Status refuse(const char* why) {
    return nn::makeError(nn::ErrorStatus::INVALID_ARGUMENT, why);
}

inline bool areComplex(std::span<const nn::ExtensionOperand> operands) {
    return std::ranges::all_of(
            operands, [](const auto& operand) { return operand.is(kComplexName, kComplex64); });
}

inline nn::Status validateMultiply(const nn::ExtensionCall& call) {
    if (call.inputs.size() != 2 || call.outputs.size() != 1)
        return refuse("MULTIPLY takes 2 inputs and gives 1 output");
    if (!areComplex(call.inputs) || !areComplex(call.outputs))
        return refuse("MULTIPLY takes and gives TENSOR_COMPLEX64 only");
    return {};
}

inline nn::Status validateMagnitude(const nn::ExtensionCall& call) {
    if (call.inputs.size() != 1 || call.outputs.size() != 1)
        return refuse("MAGNITUDE takes 1 input and gives 1 output");
    if (!areComplex(call.inputs) || !call.outputs[0].is(nn::OperandType::TENSOR_FLOAT32))
        return refuse("MAGNITUDE takes TENSOR_COMPLEX64 and gives TENSOR_FLOAT32");
    return {};
}

inline nn::Status sameDimensions(const nn::ExtensionCall& call,
                                 std::span<nn::ExtensionOperation::Dimensions> outputs) {
    const auto first = call.inputs[0].dimensions;
    for (const nn::ExtensionOperand& input : call.inputs) {
        if (!std::ranges::equal(input.dimensions, first))
            return refuse("the inputs have different dimensions");
    }
    outputs[0].emplace(first.begin(), first.end());
    return {};
}

inline nn::Status multiply(const nn::ExtensionCall& call) {
    const auto a = call.inputs[0].as<std::complex<float>>();
    const auto b = call.inputs[1].as<std::complex<float>>();
    const auto c = call.outputs[0].mutableAs<std::complex<float>>();
    for (size_t i = 0; i < c.size(); ++i) c[i] = a[i] * b[i];
    return {};
}

inline nn::Status magnitude(const nn::ExtensionCall& call) {
    const auto a = call.inputs[0].as<std::complex<float>>();
    const auto m = call.outputs[0].mutableAs<float>();
    for (size_t i = 0; i < m.size(); ++i) m[i] = std::abs(a[i]);
    return {};
}

inline std::shared_ptr<const nn::ExtensionOperations> complexExtension() {
    return std::make_shared<const nn::ExtensionOperations>(nn::ExtensionOperations{
            .extension = {.name = kComplexName,
                          .operandTypes = {{.type = kComplex64, .isTensor = true, .byteSize = 8}}},
            .operations = {{.number = kMultiply,
                            .validate = validateMultiply,
                            .inferShapes = sameDimensions,
                            .compute = multiply},
                           {.number = kMagnitude,
                            .validate = validateMagnitude,
                            .inferShapes = sameDimensions,
                            .compute = magnitude}}});
}

}  // namespace example
