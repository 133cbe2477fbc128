// What quantized results are before they are rounded.
#pragma once

#include <optional>
#include <vector>

#include "nnapi/tensor.h"
#include "nnapi/types.h"
#include "testing/device/reference_work.h"

namespace nn::testing {

// The outputs of a model of one operation, in steps of each quantized output: the reference's
// results of the same operation on floats. Empty if it has no float form.
std::optional<std::vector<std::vector<double>>> unroundedOutputs(const Model& model,
                                                                 const std::vector<Tensor>& inputs,
                                                                 ReferenceWork& work);

}  // namespace nn::testing
