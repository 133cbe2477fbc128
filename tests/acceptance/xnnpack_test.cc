// All test vectors through the device of XNNPACK, as they are and with their weights as constants:
// what it supports meets the accuracy criteria, and what it refuses has a reason.
#include "nnapi/driver/xnnpack.h"

#include <cmath>
#include <cstring>
#include <map>
#include <random>

#include "nnapi/interpreter.h"
#include "nnapi/testing/compare.h"
#include "nnapi/testing/generate.h"
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

// The operations that XNNPACK has.
constexpr OperationType kOperations[] = {OperationType::ABS,
                                         OperationType::ADD,
                                         OperationType::AVERAGE_POOL_2D,
                                         OperationType::CAST,
                                         OperationType::CHANNEL_SHUFFLE,
                                         OperationType::CONV_2D,
                                         OperationType::DEPTHWISE_CONV_2D,
                                         OperationType::DEPTH_TO_SPACE,
                                         OperationType::DEQUANTIZE,
                                         OperationType::DIV,
                                         OperationType::ELU,
                                         OperationType::EXPAND_DIMS,
                                         OperationType::FLOOR,
                                         OperationType::FULLY_CONNECTED,
                                         OperationType::GROUPED_CONV_2D,
                                         OperationType::HARD_SWISH,
                                         OperationType::LOGISTIC,
                                         OperationType::MAXIMUM,
                                         OperationType::MAX_POOL_2D,
                                         OperationType::MEAN,
                                         OperationType::MINIMUM,
                                         OperationType::MUL,
                                         OperationType::NEG,
                                         OperationType::PAD,
                                         OperationType::PAD_V2,
                                         OperationType::PRELU,
                                         OperationType::QUANTIZE,
                                         OperationType::RELU,
                                         OperationType::RELU1,
                                         OperationType::RELU6,
                                         OperationType::RESHAPE,
                                         OperationType::RESIZE_BILINEAR,
                                         OperationType::SOFTMAX,
                                         OperationType::SQRT,
                                         OperationType::SQUEEZE,
                                         OperationType::SUB,
                                         OperationType::TANH,
                                         OperationType::TRANSPOSE_CONV_2D};

class Vectors {
   public:
    // Whether the device supports the case; then its results are compared.
    bool take(const TestCase& testCase, const std::string& how) {
        const auto support = xnnpackSupport(testCase.model);
        const auto prepared = prepareOn(*mDevice, testCase.model);
        if (!support.ok()) {
            EXPECT_FALSE(prepared.has_value()) << testCase.name;
            ++counts[how + ", not legal"];
            return false;
        }
        EXPECT_EQ(prepared.has_value(), support->all()) << testCase.name;
        const auto isSupported = mDevice->getSupportedOperations(testCase.model).value();
        for (size_t k = 0; k < isSupported.size(); ++k) {
            const std::vector<Diagnostic>& reasons = support->operations[k].reasons;
            EXPECT_EQ(isSupported[k], reasons.empty()) << testCase.name;
            if (!reasons.empty()) ++refusals[reasons.front().rule];
        }
        if (!prepared.has_value()) {
            EXPECT_EQ(prepared.error().code, ErrorStatus::INVALID_ARGUMENT) << testCase.name;
            ++counts[how + ", refused"];
            return false;
        }
        EXPECT_FALSE(testCase.expectFailure) << testCase.name;
        for (const Operation& operation : testCase.model.main.operations) {
            computed.insert(operation.type);
        }
        const auto found = execute(**prepared, testCase);
        if (!found.has_value()) {
            ADD_FAILURE() << testCase.name << ": " << found.error().message;
            return true;
        }
        const testing::Comparison comparison = testing::compareOutputs(
                testCase.model, expected(testCase), *found, testing::criteriaFor(testCase.model));
        EXPECT_TRUE(comparison.pass) << how << " " << testCase.name << ": " << comparison.message;
        if (comparison.pass) ++counts[how + ", passed"];
        return true;
    }

    std::map<std::string, int> counts{}, refusals{};
    std::set<OperationType> computed{};

   private:
    SharedDevice mDevice = xnnpackDevice();
};

// Rules 7, 8, 14, 228.
TEST(Xnnpack, MeetsTheCriteriaOfAllVectorsThatItSupports) {
    Vectors vectors;
    forEachVector([&](const TestCase& testCase) {
        if (!vectors.take(testCase, "as it is") && testCase.model.main.inputIndexes.size() > 1) {
            vectors.take(withConstants(testCase), "with constants");
        }
    });
    const std::map<std::string, int> expected = {
            {"as it is, not legal", 5},      {"as it is, passed", 1213},
            {"as it is, refused", 5405},     {"with constants, not legal", 2},
            {"with constants, passed", 189}, {"with constants, refused", 2221},
    };
    EXPECT_EQ(vectors.counts, expected);
    // All vectors of DIV are of types or shapes that are refused; random models have others.
    std::set<OperationType> all(std::begin(kOperations), std::end(kOperations));
    all.erase(OperationType::DIV);
    EXPECT_EQ(vectors.computed, all);
    const std::map<std::string, int> rules = {
            {"depthwise_conv_2d.filter", 60}, {"xnnpack.axis", 294},   {"xnnpack.constant", 851},
            {"xnnpack.dimensions", 121},      {"xnnpack.layout", 701}, {"xnnpack.operation", 5205},
            {"xnnpack.type", 2570},           {"xnnpack.value", 102},
    };
    EXPECT_EQ(vectors.refusals, rules);
}

// Where the reference has NaN the specification says nothing: XNNPACK may give a bound of the
// activation instead.
void ignoreNan(const Model& model, std::vector<Tensor>& outputs, std::vector<Tensor>& found) {
    for (size_t i = 0; i < outputs.size(); ++i) {
        const OperandType type = model.main.operands[model.main.outputIndexes[i]].type;
        if (type != OperandType::TENSOR_FLOAT32) continue;
        for (size_t k = 0; k + 4 <= outputs[i].data.size(); k += 4) {
            float value;
            std::memcpy(&value, outputs[i].data.data() + k, 4);
            if (!std::isnan(value)) continue;
            std::memset(outputs[i].data.data() + k, 0, 4);
            std::memset(found[i].data.data() + k, 0, 4);
        }
    }
}

// Compares the device with the reference on random models, and counts the operations of those that
// it supports.
std::map<OperationType, int> compareRandomModels(uint32_t count, size_t mostOperations,
                                                 std::span<const OperationType> operations) {
    const SharedDevice device = xnnpackDevice();
    std::map<OperationType, int> compared;
    for (uint32_t seed = 0; seed < count; ++seed) {
        std::minstd_rand random(seed + 1);
        std::vector<uint8_t> bytes(4000);
        for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random() >> 8);
        testing::Source source(bytes);
        TestCase testCase;
        testCase.model = testing::validModel(
                source,
                {.mostOperations = mostOperations,
                 .operations = mostOperations == 1 ? operations.subspan(seed % operations.size(), 1)
                                                   : operations,
                 .executable = true});
        testCase.inputs = testing::anyInputs(source, testCase.model);
        if (testCase.inputs.size() > 1) testCase = withConstants(testCase);
        const auto prepared = prepareOn(*device, testCase.model);
        if (!prepared.has_value()) continue;
        const auto reference = prepare(testCase.model);
        auto outputs = reference.ok() ? reference->run(testCase.inputs)
                                      : Result<std::vector<Tensor>>(reference.status());
        if (!outputs.ok()) {
            ADD_FAILURE() << seed << ": " << outputs.status();
            continue;
        }
        for (const Tensor& output : *outputs) testCase.outputs.push_back({.value = output});
        auto found = execute(**prepared, testCase);
        if (!found.has_value()) {
            ADD_FAILURE() << seed << ": " << found.error().message;
            continue;
        }
        ignoreNan(testCase.model, *outputs, *found);
        const auto comparison = testing::compareOutputs(testCase.model, *outputs, *found,
                                                        testing::criteriaFor(testCase.model));
        EXPECT_TRUE(comparison.pass)
                << seed << " " << toString(testCase.model.main.operations.front().type) << ": "
                << comparison.message;
        for (const Operation& operation : testCase.model.main.operations) {
            ++compared[operation.type];
        }
    }
    return compared;
}

TEST(Xnnpack, AgreesWithTheReferenceOnRandomOperations) {
    auto compared = compareRandomModels(20000, 1, kOperations);
    for (const OperationType type : kOperations) EXPECT_GT(compared[type], 10) << toString(type);
}

// What an operation may be off by, the next one may multiply: these are exact.
TEST(Xnnpack, AgreesWithTheReferenceOnRandomModels) {
    static constexpr OperationType kExact[] = {OperationType::ABS,
                                               OperationType::CAST,
                                               OperationType::CHANNEL_SHUFFLE,
                                               OperationType::DEQUANTIZE,
                                               OperationType::DEPTH_TO_SPACE,
                                               OperationType::EXPAND_DIMS,
                                               OperationType::FLOOR,
                                               OperationType::MAXIMUM,
                                               OperationType::MAX_POOL_2D,
                                               OperationType::MINIMUM,
                                               OperationType::NEG,
                                               OperationType::PAD,
                                               OperationType::PAD_V2,
                                               OperationType::RELU,
                                               OperationType::RELU1,
                                               OperationType::RELU6,
                                               OperationType::RESHAPE,
                                               OperationType::SQUEEZE};
    auto compared = compareRandomModels(5000, 6, kExact);
    for (const OperationType type : kExact) EXPECT_GT(compared[type], 10) << toString(type);
}

}  // namespace
}  // namespace nn::xnnpack_vectors_test
