#include "testing/shrink/reference_values.h"

#include <algorithm>
#include <atomic>

#include "nnapi/interpreter.h"
#include "nnapi/type_utils.h"

namespace nn::testing {

Result<MainValues> referenceValues(const CheckedModel& model, const std::vector<Tensor>& inputs,
                                   const Limits& limits, const Until& until) {
    NNAPI_ASSIGN_OR_RETURN(prepared, prepare(model, {.limits = limits, .until = until}));
    MainValues values;
    uint64_t bytes = 0;
    std::atomic<bool> isTooMuch = false;
    const auto observer = [&](const ComputedOperation& computed) {
        if (computed.graph != 0 || isTooMuch) return;
        for (const ComputedOperation::Output& output : computed.outputs) {
            bytes += output.data.size();
            values[output.operand] = {
                    .dimensions = {output.dimensions.begin(), output.dimensions.end()},
                    .data = {output.data.begin(), output.data.end()}};
        }
        isTooMuch = bytes > limits.peakBytes;
    };
    const auto outputs =
            prepared.run(inputs, {.deadline = until.deadline,
                                  .stop = [&] { return isTooMuch || (until.stop && until.stop()); },
                                  .observer = observer});
    if (isTooMuch) {
        return makeError(ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT,
                         "the values of all operations exceed the limit of an execution");
    }
    NNAPI_RETURN_IF_ERROR(outputs.status());
    const std::vector<uint32_t>& indexes = model.model().main.inputIndexes;
    for (size_t i = 0; i < std::min(indexes.size(), inputs.size()); ++i) {
        values[indexes[i]] = inputs[i];
    }
    return values;
}

void specifyDimensions(Operand& operand, const Tensor& value) {
    if (hasUnspecifiedDimensions(operand.type, operand.dimensions) &&
        std::ranges::count(value.dimensions, 0u) == 0) {
        operand.dimensions = value.dimensions;
    }
}

Result<TestCase> partOf(const CheckedModel& model, const MainValues& values,
                        const std::vector<bool>& operations, SliceOutputs outputs, Slice& slice) {
    NNAPI_ASSIGN_OR_RETURN(made, sliceOfOperations(model, operations, outputs));
    slice = std::move(made);
    Model::Subgraph& main = slice.model.main;
    const auto valueOf = [&](uint32_t index) -> const Tensor& {
        static const Tensor kNone{.hasNoValue = true};
        const auto found = values.find(slice.origin.main.operands[index]);
        if (found == values.end()) return kNone;
        specifyDimensions(main.operands[index], found->second);
        return found->second;
    };
    TestCase part;
    for (const uint32_t index : main.inputIndexes) part.inputs.push_back(valueOf(index));
    for (const uint32_t index : main.outputIndexes) {
        part.outputs.push_back({.value = valueOf(index)});
    }
    part.model = slice.model;
    return part;
}

}  // namespace nn::testing
