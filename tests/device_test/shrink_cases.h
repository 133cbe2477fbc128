// Test cases to shrink.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "nnapi/device_test/device_test.h"
#include "nnapi/interpreter.h"
#include "nnapi/io.h"

namespace nn::shrink_test {

// With the outputs of the reference.
inline TestCase caseOf(Model model, std::vector<Tensor> inputs) {
    TestCase made{.name = "made", .model = std::move(model), .inputs = std::move(inputs)};
    std::vector<Tensor> outputs = prepare(made.model).value().run(made.inputs).value();
    for (Tensor& output : outputs) made.outputs.push_back({.value = std::move(output)});
    return made;
}

// Of the main graph.
inline std::vector<OperationType> operationsOf(const TestCase& testCase) {
    std::vector<OperationType> types;
    for (const Operation& operation : testCase.model.main.operations) {
        types.push_back(operation.type);
    }
    return types;
}

// The outcome of a case among the vectors, by a path.
inline nn::testing::DeviceOutcome outcomeOf(const SharedDevice& device, const TestCase& testCase,
                                            const std::string& path) {
    for (const auto& one : nn::testing::listCases(std::make_shared<const TestCase>(testCase))) {
        if (one.kind == "vectors" && one.path == path) return runCase(device, one);
    }
    return {};
}

}  // namespace nn::shrink_test
