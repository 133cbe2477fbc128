// The values that the reference computes for a model, and parts of the model that begin and end
// with them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "nnapi/io.h"
#include "nnapi/slice.h"
#include "nnapi/validated_model.h"

namespace nn::testing {

// By operands of one graph, usually the main graph: inputs, and what operations write.
using MainValues = std::map<uint32_t, Tensor>;

// Executes on the reference. Fails as prepare() and PreparedModel::run() do, and with
// RESOURCE_EXHAUSTED_PERSISTENT if the values exceed the limit of an execution.
Result<MainValues> referenceValues(const ValidatedModel& model, const std::vector<Tensor>& inputs,
                                   const Limits& limits, const StopCondition& until = {});

// The same for each graph: entry 0 is that of the main graph, entry i + 1 that of referenced[i]
// when the first IF or WHILE calls it that refers to it, whether or not the condition holds. Empty
// for graphs that nothing refers to.
Result<std::vector<MainValues>> valuesOfGraphs(const Model& model,
                                               const std::vector<Tensor>& inputs,
                                               const Limits& limits,
                                               const StopCondition& until = {});

// The graphs that an IF or WHILE refers to, as indexes in Model::referenced, and the operands
// that it passes to them. None for other operations.
struct GraphCall {
    std::vector<uint32_t> graphs{};     // of an IF: taken where true, where false
    std::vector<uint32_t> arguments{};  // operands
};
GraphCall graphCallOf(const Model::Subgraph& graph, const Operation& operation);

// Gives an operand with unknown dimensions those of its value, unless one of them is 0.
void specifyDimensions(Operand& operand, const Tensor& value);

// Some operations of the main graph as a test case of their own: values that come from elsewhere
// become inputs. `slice` is filled in too.
Result<TestCase> partOf(const ValidatedModel& model, const MainValues& values,
                        const std::vector<bool>& operations, SliceOutputs outputs, Slice& slice);

}  // namespace nn::testing
