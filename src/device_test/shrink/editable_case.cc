#include "device_test/shrink/editable_case.h"

#include <absl/algorithm/container.h>

#include <algorithm>

#include "device_test/cases/models.h"
#include "device_test/cases/reference_values.h"
#include "nnapi/memory.h"
#include "nnapi/passes.h"
#include "nnapi/type_utils.h"
#include "nnapi/validated_model.h"

namespace nn::testing {
namespace {

using LifeTime = Operand::LifeTime;

Model::Subgraph& graphAt(Model& model, size_t graph) {
    return graph == 0 ? model.main : model.referenced[graph - 1];
}
const Model::Subgraph& graphAt(const Model& model, size_t graph) {
    return graph == 0 ? model.main : model.referenced[graph - 1];
}

// Each operand of a graph whose dimensions follow from other operands.
template <class Visit>
void forEachInferred(Model& model, size_t graph, Visit visit) {
    Model::Subgraph& own = graphAt(model, graph);
    const auto visitAll = [&](const std::vector<uint32_t>& indexes) {
        for (const uint32_t index : indexes) {
            if (index < own.operands.size()) visit(index, own.operands[index]);
        }
    };
    if (graph != 0) visitAll(own.inputIndexes);
    for (const Operation& operation : own.operations) visitAll(operation.outputs);
}

// The condition of an IF or WHILE, whose dimensions must be known.
bool isOneTruth(const Operand& operand) {
    return operand.type == OperandType::TENSOR_BOOL8 &&
           operand.dimensions == std::vector<uint32_t>{1};
}

// Whether nothing reads the results of an operation.
bool isUnread(const Model::Subgraph& graph, const Operation& operation) {
    return absl::c_none_of(operation.outputs, [&](uint32_t output) {
        const auto reads = [output](const Operation& other) {
            return absl::c_linear_search(other.inputs, output);
        };
        return absl::c_linear_search(graph.outputIndexes, output) ||
               absl::c_any_of(graph.operations, reads);
    });
}

// An inferred result keeps unknown dimensions, where it had some, but for its rank.
void inferResult(Operand& operand, const Tensor& value) {
    const bool wasKnown = !hasUnspecifiedDimensions(operand.type, operand.dimensions);
    const bool hadRank = !operand.dimensions.empty();
    operand.dimensions.assign(hadRank ? value.dimensions.size() : 0, 0);
    if (wasKnown) specifyDimensions(operand, value);
}

}  // namespace

std::optional<size_t> EditableCase::inputAt(uint32_t operand) const {
    const auto& indexes = main().inputIndexes;
    const auto found = std::ranges::find(indexes, operand);
    if (found == indexes.end()) return std::nullopt;
    return static_cast<size_t>(found - indexes.begin());
}

Result<EditableCase> editable(const TestCase& testCase) {
    EditableCase made{.testCase = testCase};
    const Model& model = testCase.model;
    made.constants.resize(model.referenced.size() + 1);
    for (size_t graph = 0; graph < made.constants.size(); ++graph) {
        const auto& operands = graphAt(model, graph).operands;
        made.constants[graph].resize(operands.size());
        for (size_t i = 0; i < operands.size(); ++i) {
            if (!isConstant(operands[i].lifetime)) continue;
            NNAPI_ASSIGN_OR_RETURN(bytes, constantOf(model, operands[i]));
            made.constants[graph][i] = std::move(bytes);
        }
    }
    return made;
}

Result<TestCase> assembled(const EditableCase& editable) {
    constexpr size_t kAlignment = 16;
    TestCase made = editable.testCase;
    Model& model = made.model;
    model.operandValues = {};
    model.pools.clear();
    // Not from the first byte, for drivers that ignore the offset.
    std::vector<uint8_t> pool(kAlignment);
    for (size_t graph = 0; graph < editable.constants.size(); ++graph) {
        auto& operands = graphAt(model, graph).operands;
        for (size_t i = 0; i < operands.size(); ++i) {
            Operand& operand = operands[i];
            if (!isConstant(operand.lifetime)) continue;
            const std::vector<uint8_t>& bytes = editable.constants[graph][i];
            if (operand.lifetime != LifeTime::CONSTANT_REFERENCE) {
                const auto location = model.operandValues.append(bytes.data(), bytes.size());
                if (!location)
                    return makeError(ErrorStatus::INVALID_ARGUMENT, "too many bytes of constants");
                operand.lifetime = LifeTime::CONSTANT_COPY;
                operand.location = *location;
                continue;
            }
            operand.location = {.offset = static_cast<uint32_t>(pool.size()),
                                .length = static_cast<uint32_t>(bytes.size())};
            pool.insert(pool.end(), bytes.begin(), bytes.end());
            pool.resize((pool.size() + kAlignment - 1) / kAlignment * kAlignment);
        }
    }
    if (pool.size() == kAlignment) return made;
    NNAPI_ASSIGN_OR_RETURN(memory, createSharedMemory(pool.size()));
    NNAPI_RETURN_IF_ERROR(writeMemory(memory, 0, pool));
    model.pools = {memory};
    return made;
}

// Gives all graphs the dimensions that the values of the main graph's inputs lead to.
static Status inferDimensions(TestCase& testCase, const Limits& limits,
                              const StopCondition& until) {
    Model open = testCase.model;
    for (size_t graph = 0; graph <= open.referenced.size(); ++graph) {
        forEachInferred(open, graph, [](uint32_t, Operand& operand) {
            if (!isOneTruth(operand)) operand.dimensions.clear();
        });
    }
    NNAPI_ASSIGN_OR_RETURN(values, valuesOfGraphs(open, testCase.inputs, limits, until));
    for (size_t graph = 0; graph < values.size(); ++graph) {
        forEachInferred(testCase.model, graph, [&](uint32_t index, Operand& operand) {
            const auto found = values[graph].find(index);
            if (found != values[graph].end()) inferResult(operand, found->second);
        });
    }
    return {};
}

Result<TestCase> computed(const EditableCase& editable, const Limits& limits,
                          const StopCondition& until) {
    NNAPI_ASSIGN_OR_RETURN(made, assembled(editable));
    if (editable.isInferred) NNAPI_RETURN_IF_ERROR(inferDimensions(made, limits, until));
    NNAPI_ASSIGN_OR_RETURN(checked, validateModel(made.model, limits, until));
    NNAPI_ASSIGN_OR_RETURN(values, referenceValues(checked, made.inputs, limits, until));
    const Model::Subgraph& main = made.model.main;
    made.outputs.resize(main.outputIndexes.size());
    for (size_t i = 0; i < made.outputs.size(); ++i) {
        made.outputs[i].value = values[main.outputIndexes[i]];
    }
    return made;
}

Result<EditableCase> withoutUnread(EditableCase editable) {
    for (size_t graph = 0; graph < editable.graphCount(); ++graph) {
        Model::Subgraph& own = editable.graph(graph);
        // Those that only unread ones read follow.
        while (std::erase_if(own.operations,
                             [&, copy = own](const Operation& o) { return isUnread(copy, o); })) {
        }
    }
    Model::Subgraph& main = editable.main();
    for (size_t i = main.inputIndexes.size(); i-- > 0;) {
        const auto reads = [index = main.inputIndexes[i]](const Operation& operation) {
            return absl::c_linear_search(operation.inputs, index);
        };
        if (absl::c_any_of(main.operations, reads)) continue;
        main.operands[main.inputIndexes[i]].lifetime = LifeTime::NO_VALUE;
        main.inputIndexes.erase(main.inputIndexes.begin() + static_cast<ptrdiff_t>(i));
        auto& inputs = editable.testCase.inputs;
        inputs.erase(inputs.begin() + static_cast<ptrdiff_t>(i));
    }
    NNAPI_ASSIGN_OR_RETURN(made, assembled(editable));
    made.model = withoutDeadParts(std::move(made.model)).model;
    NNAPI_ASSIGN_OR_RETURN(small, nn::testing::editable(made));
    small.isInferred = editable.isInferred;
    return small;
}

std::vector<EditableTensor> editableTensors(EditableCase& editable) {
    std::vector<EditableTensor> tensors;
    for (size_t graph = 0; graph < editable.graphCount(); ++graph) {
        auto& operands = editable.graph(graph).operands;
        for (uint32_t i = 0; i < operands.size(); ++i) {
            if (elementSize(operands[i].type) == 0) continue;
            EditableTensor tensor{.operand = &operands[i], .type = operands[i].type};
            const auto input = graph == 0 ? editable.inputAt(i) : std::nullopt;
            if (input) {
                if (*input >= editable.testCase.inputs.size()) continue;
                Tensor& value = editable.testCase.inputs[*input];
                tensor.isInput = true;
                tensor.dimensions = &value.dimensions;
                tensor.data = &value.data;
            } else if (isConstant(operands[i].lifetime)) {
                tensor.dimensions = &operands[i].dimensions;
                tensor.data = &editable.constants[graph][i];
            }
            if (tensor.data != nullptr && !tensor.data->empty()) tensors.push_back(tensor);
        }
    }
    return tensors;
}

}  // namespace nn::testing
