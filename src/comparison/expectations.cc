#include "comparison/expectations.h"

#include <absl/algorithm/container.h>

#include <algorithm>

namespace nn::testing {
namespace {

bool hasOperation(const Model& model, OperationType type) {
    const auto isIn = [type](const Model::Subgraph& graph) {
        return absl::c_any_of(graph.operations, [type](const Operation& operation) {
            return operation.type == type;
        });
    };
    return isIn(model.main) || absl::c_any_of(model.referenced, isIn);
}

// The tolerance that applies to a type.
Tolerance& memberOf(Criteria& criteria, OperandType type) {
    switch (type) {
        case OperandType::FLOAT32:
        case OperandType::TENSOR_FLOAT32:
            return criteria.float32;
        case OperandType::FLOAT16:
        case OperandType::TENSOR_FLOAT16:
            return criteria.float16;
        case OperandType::INT32:
        case OperandType::UINT32:
        case OperandType::TENSOR_INT32:
            return criteria.int32;
        case OperandType::TENSOR_QUANT16_ASYMM:
        case OperandType::TENSOR_QUANT16_SYMM:
            return criteria.quant16;
        case OperandType::TENSOR_QUANT8_ASYMM:
        case OperandType::TENSOR_QUANT8_ASYMM_SIGNED:
        case OperandType::TENSOR_QUANT8_SYMM:
        case OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL:
            return criteria.quant8;
        default:
            return criteria.boolean;
    }
}

template <class E>
std::vector<E> valuesOf(OperandType type, const Tensor& tensor) {
    std::vector<E> values(elementCount(type, tensor));
    for (size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<E>(elementValue(type, tensor, i));
    }
    return values;
}

}  // namespace

Criteria criteriaFor(std::string_view name, const Model& model) {
    Criteria criteria = criteriaFor(model);
    if (name.find("mobilenet") != std::string_view::npos) criteria.quant8.absolute = 3;
    return criteria;
}

Criteria criteriaFor(std::string_view name, const Model& model,
                     std::span<const OperationTolerance> tolerances) {
    const Criteria usual = criteriaFor(name, model);
    Criteria criteria = usual;
    for (const OperationTolerance& row : tolerances) {
        if (row.operation && !hasOperation(model, *row.operation)) continue;
        Criteria before = usual;
        Tolerance& own = memberOf(criteria, row.type);
        const bool isFirst = own == memberOf(before, row.type);
        const Tolerance& other = row.tolerance;
        own.absolute = isFirst ? other.absolute : std::max(own.absolute, other.absolute);
        own.relative = isFirst ? other.relative : std::max(own.relative, other.relative);
    }
    return criteria;
}

void widenForInterpolation(const Model& model, Criteria& criteria) {
    if (hasOperation(model, OperationType::RESIZE_BILINEAR) ||
        hasOperation(model, OperationType::ROI_ALIGN)) {
        criteria.float32.absolute = std::max(criteria.float32.absolute, 1e-3);
    }
}

std::vector<Tensor> expectedOutputs(const TestCase& testCase) {
    std::vector<Tensor> expected;
    for (const TestCase::Output& output : testCase.outputs) {
        expected.push_back(output.ignored ? Tensor{.hasNoValue = true} : output.value);
    }
    return expected;
}

Comparison compareWithCase(const Model& model, const TestCase& testCase,
                           std::span<const Tensor> outputs, const Criteria& criteria) {
    const double tolerance = testCase.expectedMultinomialDistributionTolerance;
    const auto& inputs = model.main.inputIndexes;
    if (tolerance <= 0 || outputs.empty() || inputs.empty() || testCase.inputs.empty()) {
        return compareOutputs(model, expectedOutputs(testCase), outputs, criteria);
    }
    const OperandType type = model.main.operands[inputs.front()].type;
    return compareDistribution(valuesOf<float>(type, testCase.inputs.front()),
                               valuesOf<int32_t>(OperandType::TENSOR_INT32, outputs.front()),
                               tolerance);
}

}  // namespace nn::testing
