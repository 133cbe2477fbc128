// nnapi/extension_operations.h -- operations of a vendor's own, for the interpreter.
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
// An extension is known by its name. extensionNameToPrefix of a model tells which prefix its types
// and operations have in that model; another model may have another prefix. docs/extensions.md
// explains it step by step; examples/extension is a program to start from.
//
// The functions are called on the threads that prepare and execute, on several at once where
// several do so. They must not throw. A failure that they return is reported at the place of the
// operation.
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

// One operand of a call.
struct ExtensionOperand {
    OperandType type = OperandType::FLOAT32;  // as in the model, with its prefix
    std::string_view extension{};             // the extension of the type; empty for a listed type

    // Empty for a scalar. While the model is validated, 0 is an unknown dimension of a tensor and
    // empty an unknown rank.
    std::span<const uint32_t> dimensions{};
    float scale = 0.0f;
    int32_t zeroPoint = 0;
    std::span<const uint8_t> params{};  // what an extension keeps in extraParams
    bool hasNoValue = false;            // an omitted input

    // The elements of an input; empty while they are unknown. Aligned to the largest power of two
    // that divides the size of an element, at most 64 bytes.
    std::span<const uint8_t> data{};
    // The elements of an output, while it is computed; aligned in the same way, and all 0 at first.
    std::span<uint8_t> mutableData{};

    bool is(OperandType listed) const { return extension.empty() && type == listed; }
    bool is(std::string_view name, uint16_t typeWithinExtension) const {
        return extension == name &&
               (static_cast<uint32_t>(type) & kTypeWithinExtensionMask) == typeWithinExtension;
    }

    // All whole elements.
    template <class E>
    std::span<const E> as() const {
        return {reinterpret_cast<const E*>(data.data()), data.size() / sizeof(E)};
    }
    template <class E>
    std::span<E> mutableAs() const {
        return {reinterpret_cast<E*>(mutableData.data()), mutableData.size() / sizeof(E)};
    }
};

struct ExtensionCall {
    std::span<const ExtensionOperand> inputs{};
    std::span<const ExtensionOperand> outputs{};
};

struct ExtensionOperation {
    using Dimensions = std::optional<std::vector<uint32_t>>;

    uint16_t number = 0;  // within the extension

    // Refuses calls that are not legal, once when a model is prepared: numbers and types of
    // operands, values of constants. Empty: every call is legal. The other functions see only legal
    // calls.
    std::function<Status(const ExtensionCall&)> validate{};

    // Gives the dimensions of each output, as soon as those of all inputs are known and again in
    // every execution, or fails where they do not fit. It leaves out the dimensions that depend on
    // values unknown while the model is prepared. Empty: the model must state them.
    std::function<Status(const ExtensionCall&, std::span<Dimensions> outputs)> inferShapes{};

    // Reads inputs, writes all elements of all outputs. Must be set.
    std::function<Status(const ExtensionCall&)> compute{};

    // If false, calls are refused that have an input without a value or with a dimension of 0.
    bool takesOmittedInputs = false;
    bool takesZeroSizedInputs = false;
};

// All that the interpreter knows of an extension.
struct ExtensionOperations {
    Extension extension{};                         // its name and its types
    std::vector<ExtensionOperation> operations{};  // with distinct numbers
};

}  // namespace nn
