// nnapi/extension_operations.h -- Implements the operations of a vendor extension for the
// interpreter.
//
//   // com.example.complex: type 0 is a tensor of pairs of floats, operation 0 their magnitude.
//   const nn::ExtensionOperations complex{
//           .extension = {.name = "com.example.complex",
//                         .operandTypes = {{.type = 0, .isTensor = true, .byteSize = 8}}},
//           .operations = {{.number = 0, .inferShapes = sameAsInput, .compute = magnitude}}};
//
//   nn::Status magnitude(const nn::ExtensionCall& call) {
//       const auto x = call.inputs[0].as<std::complex<float>>();
//       const auto y = call.outputs[0].mutableAs<float>();
//       for (size_t i = 0; i < y.size(); ++i) y[i] = std::abs(x[i]);
//       return {};
//   }
//
//   auto prepared = nn::prepare(
//           model, {.extensions = {std::make_shared<const nn::ExtensionOperations>(complex)}});
//
// An extension is identified by its name. A model's extensionNameToPrefix gives it a prefix, which
// may differ in another model. docs/extensions.md explains it step by step; examples/extension is a
// complete program.
//
// The functions are called on the threads that prepare and execute, possibly several at once, and
// must not throw. A failure that they return is reported with the place of the operation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "nnapi/result.h"
#include "nnapi/types.h"

namespace nn {

// An operand of a call; views are valid during the call.
struct ExtensionOperand {
    OperandType type = OperandType::FLOAT32;  // as in the model, including its prefix
    std::string_view extension{};             // of the type; empty for a type of the HAL

    // Empty for a scalar. During preparation, 0 is an unknown dimension and an empty list of a
    // tensor is an unknown rank.
    std::span<const uint32_t> dimensions{};
    float scale = 0.0f;     // as in the model
    int32_t zeroPoint = 0;  // as in the model
    // Of TENSOR_QUANT8_SYMM_PER_CHANNEL: a scale for each index of dimension channelDim.
    std::span<const float> channelScales{};
    uint32_t channelDim = 0;
    std::span<const uint8_t> params{};  // the extension's extraParams
    bool hasNoValue = false;            // an omitted operand

    // Elements of an input; empty while unknown. Aligned to the largest power of two that divides
    // the element size, at most 64 bytes.
    std::span<const uint8_t> data{};
    // Elements of an output during compute(); aligned likewise, initially 0.
    std::span<uint8_t> mutableData{};

    // True if the operand has this type.
    bool is(OperandType listed) const { return extension.empty() && type == listed; }
    bool is(std::string_view name, uint16_t typeWithinExtension) const {
        return extension == name &&
               (static_cast<uint32_t>(type) & kTypeWithinExtensionMask) == typeWithinExtension;
    }

    // The data as elements of type E; a partial element at the end is left out.
    template <class E>
    std::span<const E> as() const {
        return {reinterpret_cast<const E*>(data.data()), data.size() / sizeof(E)};
    }
    template <class E>
    std::span<E> mutableAs() const {
        return {reinterpret_cast<E*>(mutableData.data()), mutableData.size() / sizeof(E)};
    }
};

// The operands of one operation.
struct ExtensionCall {
    // As many as the operation has, omitted ones included.
    std::span<const ExtensionOperand> inputs{};
    std::span<const ExtensionOperand> outputs{};

    // Fails once the execution must end: at its deadline or time limit, or when it is cancelled. A
    // long compute() calls it about once a millisecond, and returns its failure. Thread-safe.
    Status checkContinues() const { return mayContinue ? mayContinue() : Status(); }

    std::function<Status()> mayContinue{};  // set only for compute()
};

// One operation of an extension.
struct ExtensionOperation {
    // Empty: unknown until the execution.
    using Dimensions = std::optional<std::vector<uint32_t>>;

    uint16_t number = 0;  // within the extension

    // Fails for illegal calls (numbers and types of operands, values of constants); called once,
    // when a model is prepared. If empty, every call is legal. The other functions see only legal
    // calls.
    std::function<Status(const ExtensionCall&)> validate{};

    // Sets the dimensions of each output as soon as those of all inputs are known, and again in
    // every execution, or fails if the inputs do not fit. Leaves out dimensions that depend on
    // values unknown during preparation. If empty, the model must state the dimensions.
    std::function<Status(const ExtensionCall&, std::span<Dimensions> outputs)> inferShapes{};

    // Reads the inputs and writes all elements of all outputs. Required.
    std::function<Status(const ExtensionCall&)> compute{};

    // If false, calls with an omitted input, or with a dimension of 0, are rejected.
    bool takesOmittedInputs = false;
    bool takesZeroSizedInputs = false;
};

// An extension and its operations.
struct ExtensionOperations {
    Extension extension{};                         // name and types
    std::vector<ExtensionOperation> operations{};  // numbers are unique
};

}  // namespace nn
