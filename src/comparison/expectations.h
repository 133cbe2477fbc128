// Compares the outputs of an execution with those that a test case expects.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "nnapi/comparison.h"
#include "nnapi/io.h"

namespace nn::testing {

// The default criteria of a model; 8-bit values of a MobileNet may differ by three units.
Criteria criteriaFor(std::string_view name, const Model& model);

// The same with tolerances that suit the operations of the model.
Criteria criteriaFor(std::string_view name, const Model& model,
                     std::span<const OperationTolerance> tolerances);

// Between two elements, a position loses the digits of the larger index: floats of a model with
// RESIZE_BILINEAR or ROI_ALIGN may be off by 1e-3.
void widenForInterpolation(const Model& model, Criteria& criteria);

// The expected outputs of a case; ignored ones are empty.
std::vector<Tensor> expectedOutputs(const TestCase& testCase);

// Compares the outputs with those of the case, or with its expected distribution. The model is that
// of the case.
Comparison compareWithCase(const Model& model, const TestCase& testCase,
                           std::span<const Tensor> outputs, const Criteria& criteria);

}  // namespace nn::testing
