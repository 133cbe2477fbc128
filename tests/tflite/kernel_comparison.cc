#include "kernel_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "nnapi/interpreter.h"
#include "nnapi/print.h"
#include "nnapi/slice.h"
#include "nnapi/validated_model.h"

namespace nn {
namespace {

// By operands of the main graph.
using Values = std::map<uint32_t, Tensor>;

// TensorFlow Lite's values for the inputs and outputs of the recorded model. They are found by
// their bytes, since the delegate may order them differently.
Values valuesOf(const TestCase& recorded, const std::vector<LiteTensor>& byNnapi,
                const std::vector<LiteTensor>& byLite) {
    Values values;
    std::vector<bool> isTaken(byNnapi.size());
    const auto take = [&](uint32_t operand, const Tensor& value) {
        for (size_t i = 0; i < byNnapi.size() && i < byLite.size(); ++i) {
            if (isTaken[i] || byNnapi[i].value.data != value.data) continue;
            isTaken[i] = true;
            values[operand] = {.dimensions = value.dimensions, .data = byLite[i].value.data};
            return;
        }
    };
    const Model::Subgraph& main = recorded.model.main;
    for (size_t i = 0; i < main.inputIndexes.size(); ++i) {
        take(main.inputIndexes[i], recorded.inputs[i]);
    }
    for (size_t i = 0; i < main.outputIndexes.size(); ++i) {
        take(main.outputIndexes[i], recorded.outputs[i].value);
    }
    return values;
}

}  // namespace

OperationsComparison compareOperations(const TestCase& recorded,
                                       const std::vector<LiteTensor>& byNnapi,
                                       const std::vector<LiteTensor>& byLite) {
    OperationsComparison comparison;
    const Values fromLite = valuesOf(recorded, byNnapi, byLite);
    Values values = fromLite;
    const auto fail = [&](size_t operation, std::string_view why) {
        comparison.failures.push_back(
                fmt::format("operations[{}] {}: {}", operation,
                            toString(recorded.model.main.operations[operation].type), why));
    };
    const Result<ValidatedModel> checked = validateModel(recorded.model);
    if (!checked.ok()) {
        comparison.failures.emplace_back(checked.status().message());
        return comparison;
    }
    const size_t count = recorded.model.main.operations.size();
    for (size_t k = 0; k < count; ++k) {
        ++comparison.operations;
        std::vector<bool> one(count);
        one[k] = true;
        const Result<Slice> slice = sliceOfOperations(*checked, one, SliceOutputs::ALL);
        const Result<PreparedModel> prepared =
                slice.ok() ? prepare(slice->model) : Result<PreparedModel>(slice.status());
        if (!prepared.ok()) {
            fail(k, std::string(prepared.status().message()));
            continue;
        }
        std::vector<Tensor> inputs;
        for (const uint32_t index : slice->model.main.inputIndexes) {
            inputs.push_back(values[slice->origin.main.operands[index]]);
        }
        const Result<std::vector<Tensor>> outputs = prepared->run(inputs);
        if (!outputs.ok()) {
            fail(k, std::string(outputs.status().message()));
            continue;
        }
        for (size_t i = 0; i < outputs->size(); ++i) {
            const uint32_t index = slice->model.main.outputIndexes[i];
            const uint32_t operand = slice->origin.main.operands[index];
            const auto wanted = fromLite.find(operand);
            if (wanted == fromLite.end()) {
                values[operand] = (*outputs)[i];
                continue;
            }
            ++comparison.compared;
            const OperandType type = recorded.model.main.operands[operand].type;
            const testing::TensorComparison compared =
                    testing::compareTensors(type, wanted->second, (*outputs)[i], toleranceOf(type));
            if (!compared.pass) fail(k, compared.message);
        }
    }
    return comparison;
}

NetworkComparison compareNetworks(const std::vector<LiteTensor>& byNnapi,
                                  const std::vector<LiteTensor>& byLite) {
    NetworkComparison comparison;
    for (size_t t = 0; t < std::min(byNnapi.size(), byLite.size()); ++t) {
        const LiteTensor &a = byNnapi[t], &b = byLite[t];
        if (a.isInput || a.value.data.size() != b.value.data.size() || b.elements() == 0) continue;
        double difference = 0, largest = 0;
        size_t topOfA = 0, topOfB = 0;
        for (size_t i = 0; i < b.elements(); ++i) {
            difference = std::max(difference, std::abs(a.element(i) - b.element(i)));
            largest = std::max(largest, std::abs(b.element(i)));
            if (a.element(i) > a.element(topOfA)) topOfA = i;
            if (b.element(i) > b.element(topOfB)) topOfB = i;
        }
        if (largest > 0) comparison.largest = std::max(comparison.largest, difference / largest);
        double second = std::numeric_limits<double>::lowest();
        for (size_t i = 0; i < b.elements(); ++i) {
            if (i != topOfB) second = std::max(second, b.element(i));
        }
        if (topOfA != topOfB && b.element(topOfB) - second > difference) comparison.sameTop = false;
    }
    return comparison;
}

}  // namespace nn
