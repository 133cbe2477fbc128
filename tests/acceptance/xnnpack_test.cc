// All test vectors through the device of XNNPACK, as they are and with their weights as constants:
// what it supports meets the accuracy criteria, and what it refuses has a reason.
#include "nnapi/driver/xnnpack.h"

#include <map>

#include "nnapi/testing/compare.h"
#include "vectors.h"

namespace nn::xnnpack_vectors_test {
namespace {

using LifeTime = Request::Argument::LifeTime;

GeneralResult<SharedPreparedModel> prepareOn(const IDevice& device, const Model& model) {
    return device.prepareModel(model, ExecutionPreference::DEFAULT, Priority::DEFAULT, {}, {}, {},
                               {}, {}, {});
}

// One byte for what has none, since a place has a length.
Request::Argument argument(std::vector<uint8_t>& bytes, const Tensor& tensor) {
    if (tensor.hasNoValue) return {.lifetime = LifeTime::NO_VALUE};
    if (bytes.empty()) bytes.resize(1);
    return {.lifetime = LifeTime::POINTER,
            .location = {.pointer = static_cast<void*>(bytes.data()),
                         .length = static_cast<uint32_t>(bytes.size())},
            .dimensions = tensor.dimensions};
}

GeneralResult<std::vector<Tensor>> execute(const IPreparedModel& model, const TestCase& testCase) {
    std::vector<std::vector<uint8_t>> inputs, outputs;
    Request request;
    for (const Tensor& tensor : testCase.inputs) {
        inputs.push_back(tensor.data);
        request.inputs.push_back(argument(inputs.back(), tensor));
    }
    for (const TestCase::Output& output : testCase.outputs) {
        outputs.emplace_back(output.value.data.size(), uint8_t{0xa5});
        request.outputs.push_back(argument(outputs.back(), output.value));
        request.outputs.back().dimensions.clear();
    }
    const auto executed = model.execute(request, MeasureTiming::NO, {}, {}, {}, {});
    if (!executed.has_value()) return executed.status();
    std::vector<Tensor> tensors;
    for (size_t i = 0; i < outputs.size(); ++i) {
        const size_t size = testCase.outputs[i].value.data.size();
        tensors.push_back({.dimensions = executed->first[i].dimensions,
                           .data = {outputs[i].begin(), outputs[i].begin() + size}});
    }
    return tensors;
}

std::vector<Tensor> expected(const TestCase& testCase) {
    std::vector<Tensor> tensors;
    for (const TestCase::Output& output : testCase.outputs) {
        tensors.push_back(output.value);
        if (output.ignored) tensors.back().hasNoValue = true;
    }
    return tensors;
}

// All inputs but the first become constants of the model: weights, as most models have them.
TestCase withConstants(TestCase testCase) {
    Model::Subgraph& main = testCase.model.main;
    for (size_t i = 1; i < main.inputIndexes.size(); ++i) {
        const Tensor& value = testCase.inputs[i];
        Operand& operand = main.operands[main.inputIndexes[i]];
        operand.dimensions = value.dimensions;
        if (value.hasNoValue || value.data.empty()) {
            operand.lifetime = Operand::LifeTime::NO_VALUE;
            continue;
        }
        operand.lifetime = Operand::LifeTime::CONSTANT_COPY;
        operand.location =
                *testCase.model.operandValues.append(value.data.data(), value.data.size());
    }
    if (main.inputIndexes.size() > 1) main.inputIndexes.resize(1);
    if (testCase.inputs.size() > 1) testCase.inputs.resize(1);
    return testCase;
}

std::string ruleOf(const Diagnostic& reason) { return reason.rule; }

TEST(XnnpackVectors, MeetTheCriteriaOrAreRefusedWithAReason) {
    const SharedDevice device = xnnpackDevice();
    std::map<std::string, int> counts, byOperation;
    const auto passes = [&](const TestCase& testCase, const std::string& how) {
        const auto support = xnnpackSupport(testCase.model);
        const auto prepared = prepareOn(*device, testCase.model);
        if (!support.ok()) {
            EXPECT_FALSE(prepared.has_value()) << testCase.name;
            ++counts[how + ": not legal"];
            return false;
        }
        EXPECT_EQ(prepared.has_value(), support->all()) << testCase.name;
        const auto isSupported = device->getSupportedOperations(testCase.model).value();
        for (size_t k = 0; k < isSupported.size(); ++k) {
            const auto& reasons = support->operations[k].reasons;
            EXPECT_EQ(isSupported[k], reasons.empty()) << testCase.name;
            if (!reasons.empty()) {
                if (getenv("XNN_REASONS"))
                    printf("REASON %s: %s\n", how.c_str(), toString(reasons[0]).c_str());
                EXPECT_NE(ruleOf(reasons[0]), "") << testCase.name;
            }
        }
        if (!prepared.has_value()) {
            EXPECT_EQ(prepared.error().code, ErrorStatus::INVALID_ARGUMENT) << testCase.name;
            ++counts[how + ": refused"];
            return false;
        }
        EXPECT_FALSE(testCase.expectFailure) << testCase.name;
        const auto found = execute(**prepared, testCase);
        if (!found.has_value()) {
            ADD_FAILURE() << testCase.name << " " << found.error().message;
            return true;
        }
        const testing::Comparison comparison =
                testing::compareOutputs(testCase.model, expected(testCase), *found,
                                        testing::criteriaFor(testCase.model));
        EXPECT_TRUE(comparison.pass) << how << " " << testCase.name << " " << comparison.message;
        ++counts[how + (comparison.pass ? ": passed" : ": failed")];
        for (const Operation& operation : testCase.model.main.operations) {
            ++byOperation[toString(operation.type)];
        }
        return true;
    };
    forEachVector([&](const TestCase& testCase) {
        if (!passes(testCase, "as it is") && testCase.model.main.inputIndexes.size() > 1) {
            passes(withConstants(testCase), "with constants");
        }
    });
    for (const auto& [what, count] : counts) printf("%s %d\n", what.c_str(), count);
    for (const auto& [what, count] : byOperation) printf("%s %d\n", what.c_str(), count);
}

}  // namespace
}  // namespace nn::xnnpack_vectors_test
