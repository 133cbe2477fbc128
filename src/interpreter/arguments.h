// Checks the arguments of an execution, buffers or values, and prepares them for the main graph.
#pragma once

#include <absl/functional/function_ref.h>

#include <span>
#include <vector>

#include "interpreter/run.h"
#include "nnapi/tensor.h"

namespace nn {

// Sets inputs, outputs and destinations of the state. Inputs in shared memory are copied, so that
// another process cannot change a value between its check and its use; other inputs are copied
// where their elements are not aligned. Results get memory of the state, since outputs of a request
// may overlap. Fails with INVALID_ARGUMENT.
Status takeRequest(const Plan& plan, const Request& request, ExecutionState& state);
Status takeValues(const Plan& plan, std::span<const Tensor> inputs, ExecutionState& state);

// The result at a position among the outputs of the main graph.
using ResultAt = absl::FunctionRef<const ops::Value&(size_t)>;

// Copies the results into the buffers of the request, in order, and reports all shapes if they are
// requested. Fails with OUTPUT_INSUFFICIENT_SIZE and all shapes if a buffer is too small.
Status giveOutputs(const Plan& plan, ResultAt resultAt, ExecutionState& state, bool listShapes,
                   std::vector<OutputShape>& shapes);

// The results as values.
std::vector<Tensor> outputValues(const Plan& plan, const Run& run);

}  // namespace nn
