#include "testing/shrink/editable_case.h"

#include <algorithm>

#include "nnapi/checked_model.h"
#include "nnapi/memory.h"
#include "nnapi/type_utils.h"
#include "testing/shrink/reference_values.h"

namespace nn::testing {
namespace {

using LifeTime = Operand::LifeTime;

Model::Subgraph& graphAt(Model& model, size_t graph) {
    return graph == 0 ? model.main : model.referenced[graph - 1];
}
const Model::Subgraph& graphAt(const Model& model, size_t graph) {
    return graph == 0 ? model.main : model.referenced[graph - 1];
}

Result<std::vector<uint8_t>> constantBytes(const Model& model, const Operand& operand) {
    const DataLocation& location = operand.location;
    std::vector<uint8_t> bytes(location.length);
    if (operand.lifetime == LifeTime::CONSTANT_REFERENCE) {
        if (location.poolIndex >= model.pools.size())
            return makeError(ErrorStatus::INVALID_ARGUMENT, "a constant of no pool");
        NNAPI_RETURN_IF_ERROR(readMemory(model.pools[location.poolIndex], location.offset, bytes));
        return bytes;
    }
    const uint8_t* from = nullptr;
    if (operand.lifetime == LifeTime::POINTER) {
        from = std::visit([](auto p) { return static_cast<const uint8_t*>(p); }, location.pointer);
    } else if (uint64_t{location.offset} + location.length <= model.operandValues.size()) {
        from = model.operandValues.data() + location.offset;
    }
    if (from == nullptr && !bytes.empty())
        return makeError(ErrorStatus::INVALID_ARGUMENT, "a constant without a value");
    std::copy_n(from, bytes.size(), bytes.begin());
    return bytes;
}

// Each result of the main graph.
template <class Visit>
void forEachResult(Model::Subgraph& main, Visit visit) {
    for (const Operation& operation : main.operations) {
        for (const uint32_t output : operation.outputs) {
            if (output < main.operands.size()) visit(output, main.operands[output]);
        }
    }
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
            NNAPI_ASSIGN_OR_RETURN(bytes, constantBytes(model, operands[i]));
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

Result<TestCase> computed(const EditableCase& editable, const Limits& limits, const Until& until) {
    NNAPI_ASSIGN_OR_RETURN(made, assembled(editable));
    Model::Subgraph& main = made.model.main;
    Model model = made.model;
    if (editable.isInferred) {
        forEachResult(model.main, [](uint32_t, Operand& operand) { operand.dimensions.clear(); });
    }
    NNAPI_ASSIGN_OR_RETURN(checked, check(std::move(model), limits, until));
    NNAPI_ASSIGN_OR_RETURN(values, referenceValues(checked, made.inputs, limits, until));
    if (editable.isInferred) {
        forEachResult(main, [&](uint32_t output, Operand& operand) {
            inferResult(operand, values[output]);
        });
        NNAPI_RETURN_IF_ERROR(check(made.model, limits, until).status());
    }
    made.outputs.resize(main.outputIndexes.size());
    for (size_t i = 0; i < made.outputs.size(); ++i) {
        made.outputs[i].value = values[main.outputIndexes[i]];
    }
    return made;
}

std::vector<EditableTensor> editableTensors(EditableCase& editable) {
    std::vector<EditableTensor> tensors;
    auto& operands = editable.main().operands;
    for (uint32_t i = 0; i < operands.size(); ++i) {
        if (elementSize(operands[i].type) == 0) continue;
        EditableTensor tensor{.operand = i, .type = operands[i].type};
        if (const auto input = editable.inputAt(i)) {
            if (*input >= editable.testCase.inputs.size()) continue;
            Tensor& value = editable.testCase.inputs[*input];
            tensor.dimensions = &value.dimensions;
            tensor.data = &value.data;
        } else if (isConstant(operands[i].lifetime)) {
            tensor.dimensions = &operands[i].dimensions;
            tensor.data = &editable.constants[0][i];
        }
        if (tensor.data != nullptr && !tensor.data->empty()) tensors.push_back(tensor);
    }
    return tensors;
}

}  // namespace nn::testing
