// The values that the reference computes for a model, and parts of the model that begin and end
// with them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "nnapi/checked_model.h"
#include "nnapi/io.h"
#include "nnapi/slice.h"

namespace nn::testing {

// By operands of the main graph: inputs, and what operations write.
using MainValues = std::map<uint32_t, Tensor>;

// Executes on the reference. Fails as prepare() and PreparedModel::run() do, and with
// RESOURCE_EXHAUSTED_PERSISTENT if the values exceed the limit of an execution.
Result<MainValues> referenceValues(const CheckedModel& model, const std::vector<Tensor>& inputs,
                                   const Limits& limits, const Until& until = {});

// Gives an operand with unknown dimensions those of its value, unless one of them is 0.
void specifyDimensions(Operand& operand, const Tensor& value);

// Some operations of the main graph as a test case of their own: values that come from elsewhere
// become inputs. `slice` is filled in too.
Result<TestCase> partOf(const CheckedModel& model, const MainValues& values,
                        const std::vector<bool>& operations, SliceOutputs outputs, Slice& slice);

}  // namespace nn::testing
