#include "device_test/cases/reference_values.h"

#include <algorithm>
#include <atomic>

#include "device_test/cases/models.h"
#include "nnapi/interpreter.h"
#include "nnapi/type_utils.h"

namespace nn::testing {

Result<MainValues> referenceValues(const ValidatedModel& model, const std::vector<Tensor>& inputs,
                                   const Limits& limits, const StopCondition& until) {
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
    const auto outputs = prepared.run(
            inputs,
            {.deadline = until.deadline,
             .isCancelled = [&] { return isTooMuch || (until.isCancelled && until.isCancelled()); },
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

GraphCall graphCallOf(const Model::Subgraph& graph, const Operation& operation) {
    const bool isIf = operation.type == OperationType::IF;
    if (!isIf && operation.type != OperationType::WHILE) return {};
    const ptrdiff_t first = isIf ? 1 : 0;
    GraphCall call;
    call.arguments.assign(operation.inputs.begin() + first + 2, operation.inputs.end());
    for (ptrdiff_t i = first; i < first + 2; ++i) {
        call.graphs.push_back(
                graph.operands[operation.inputs[static_cast<size_t>(i)]].location.offset);
    }
    return call;
}

Result<std::vector<MainValues>> valuesOfGraphs(const Model& model,
                                               const std::vector<Tensor>& inputs,
                                               const Limits& limits, const StopCondition& until) {
    std::vector<MainValues> values(model.referenced.size() + 1);
    struct Called {
        size_t graph = 0;
        std::vector<Tensor> inputs{};
    };
    std::vector<bool> isKnown(values.size());
    for (std::vector<Called> waiting{{.inputs = inputs}}; !waiting.empty();) {
        const Called called = std::move(waiting.back());
        waiting.pop_back();
        if (isKnown[called.graph]) continue;
        isKnown[called.graph] = true;
        Model part = model;
        if (called.graph != 0) part.main = model.referenced[called.graph - 1];
        NNAPI_ASSIGN_OR_RETURN(checked, validateModel(part, limits, until));
        NNAPI_ASSIGN_OR_RETURN(own, referenceValues(checked, called.inputs, limits, until));
        for (const Operation& operation : part.main.operations) {
            const GraphCall call = graphCallOf(part.main, operation);
            std::vector<Tensor> arguments;
            for (const uint32_t argument : call.arguments) {
                const auto found = own.find(argument);
                if (found != own.end()) {
                    arguments.push_back(found->second);
                    continue;
                }
                const Operand& operand = part.main.operands[argument];
                NNAPI_ASSIGN_OR_RETURN(bytes, constantOf(part, operand));
                arguments.push_back({.dimensions = operand.dimensions, .data = std::move(bytes)});
            }
            for (size_t i = 0; i < call.graphs.size(); ++i) {
                waiting.push_back({.graph = call.graphs[i] + 1, .inputs = arguments});
            }
        }
        values[called.graph] = std::move(own);
    }
    return values;
}

void specifyDimensions(Operand& operand, const Tensor& value) {
    if (hasUnspecifiedDimensions(operand.type, operand.dimensions) &&
        std::ranges::count(value.dimensions, 0u) == 0) {
        operand.dimensions = value.dimensions;
    }
}

Result<TestCase> partOf(const ValidatedModel& model, const MainValues& values,
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
