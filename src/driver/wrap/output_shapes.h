// Checks the output shapes that drivers report against the model, for wrappers, bursts and
// services.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "nnapi/driver/result.h"
#include "nnapi/types.h"

namespace nn::driver {

// The type and dimensions that a model declares for one of its outputs.
struct OutputSignature {
    OperandType type{};
    Dimensions dimensions{};
};

// Null if the model is unknown.
using SharedOutputSignatures = std::shared_ptr<const std::vector<OutputSignature>>;

// One for each output, in order; empty if an output index is out of range.
std::vector<OutputSignature> outputSignatures(const Model& model);

// The specification of an execution's outputs by request and model. Refers to both.
struct ExpectedOutputs {
    std::span<const Request::Argument> arguments{};
    // Null if the model is unknown, as after preparing from a cache.
    const std::vector<OutputSignature>* model = nullptr;
};

// True if the size of each output is known beforehand. An unknown model is assumed to specify all
// sizes that the request does not.
bool areFullySpecified(const ExpectedOutputs& expected);

// GENERAL_FAILURE if an execution with this code may not return these shapes:
//   NONE                      one for each output, sufficient, of known rank and no larger than the
//                             argument, or none if all outputs are fully specified
//   OUTPUT_INSUFFICIENT_SIZE  one for each output, at least one of them not sufficient, with all
//                             dimensions that model and request specify
//   any other                 none
Status checkOutputShapes(ErrorStatus code, std::span<const OutputShape> shapes,
                         const ExpectedOutputs& expected);

}  // namespace nn::driver
