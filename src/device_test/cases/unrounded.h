// What quantised results are before they are rounded.
#pragma once

#include <optional>
#include <vector>

#include "device_test/cases/reference_work.h"
#include "nnapi/tensor.h"
#include "nnapi/types.h"

namespace nn::testing {

// The outputs of a model of one operation, in steps of each quantised output: what the reference
// computes for the same operation on floats. Empty if it does not take floats.
std::optional<std::vector<std::vector<double>>> unroundedOutputs(const Model& model,
                                                                 const std::vector<Tensor>& inputs,
                                                                 ReferenceWork& work);

}  // namespace nn::testing
