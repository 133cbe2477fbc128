// Compares the outputs of an execution with those that a test case expects.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "nnapi/io.h"
#include "nnapi/testing/compare.h"
#include "nnapi/testing/device_test.h"

namespace nn::testing {

// The criteria of a model by itself, but three units for 8-bit values of a MobileNet.
Criteria criteriaFor(std::string_view name, const Model& model);

// The same with the tolerances that fit the operations of the model.
Criteria criteriaFor(std::string_view name, const Model& model,
                     std::span<const OperationTolerance> tolerances);

// What the outputs of a case should be; ignored ones have no value.
std::vector<Tensor> expectedOutputs(const TestCase& testCase);

// Compares the outputs with those of the case, or how they are distributed where that says so. The
// model is that of the case.
Comparison compareWithCase(const Model& model, const TestCase& testCase,
                           std::span<const Tensor> outputs, const Criteria& criteria);

}  // namespace nn::testing
