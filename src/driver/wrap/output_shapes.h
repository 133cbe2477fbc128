// Checks the output shapes that drivers answer against the model. Wrappers, bursts and services use
// it alike.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "nnapi/driver/result.h"
#include "nnapi/types.h"

namespace nn::driver {

// What a model says of one of its outputs.
struct OutputSignature {
    OperandType type{};
    Dimensions dimensions{};
};

// Null where the model is not known.
using SharedOutputSignatures = std::shared_ptr<const std::vector<OutputSignature>>;

// In the order of the outputs; none of a model with an output that is not one of its operands.
std::vector<OutputSignature> outputSignatures(const Model& model);

// What an execution is expected to answer, from its request and its model. It refers to both.
struct ExpectedOutputs {
    std::span<const Request::Argument> arguments{};
    // Null where the model is not known, as after preparing from a cache.
    const std::vector<OutputSignature>* model = nullptr;
};

// True where the size of each output is known beforehand. Of a model that is not known it is
// supposed that it says whatever the request does not.
bool areFullySpecified(const ExpectedOutputs& expected);

// GENERAL_FAILURE where the shapes are not those that an execution with this end may answer:
//   NONE                      one for each output, sufficient and of known rank, or none where all
//                             outputs are fully specified
//   OUTPUT_INSUFFICIENT_SIZE  one for each output, at least one of them not sufficient, with all
//                             dimensions that model and request know
//   any other                 none
Status checkOutputShapes(ErrorStatus code, std::span<const OutputShape> shapes,
                         const ExpectedOutputs& expected);

}  // namespace nn::driver
