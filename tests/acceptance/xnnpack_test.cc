// Runs all test vectors on the XNNPACK device, unmodified and with their weights as constants:
// supported models meet the accuracy criteria, and unsupported ones have a reason.
#include "nnapi/driver/xnnpack.h"

#include <cmath>
#include <cstring>
#include <map>
#include <random>

#include "nnapi/comparison.h"
#include "nnapi/generate/generate.h"
#include "nnapi/interpreter.h"
#include "vectors.h"

namespace nn::xnnpack_vectors_test {
namespace {

using LifeTime = Request::Argument::LifeTime;
using enum OperandType;

GeneralResult<SharedPreparedModel> prepareOn(const IDevice& device, const Model& model) {
    return device.prepareModel(model, ExecutionPreference::DEFAULT, Priority::DEFAULT, {}, {}, {},
                               {}, {}, {});
}

// One byte for a tensor without elements, since an argument must have a length.
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

// The operations that XNNPACK supports, and the permitted types of the first input.
struct Row {
    OperationType type;
    std::span<const OperandType> inputs;
    bool hasScalesPerChannel = false;
};
constexpr OperandType kReal[] = {TENSOR_FLOAT32};
constexpr OperandType kStored[] = {TENSOR_QUANT8_ASYMM, TENSOR_QUANT8_ASYMM_SIGNED};
constexpr OperandType kAll[] = {TENSOR_FLOAT32, TENSOR_QUANT8_ASYMM, TENSOR_QUANT8_ASYMM_SIGNED};
constexpr OperandType kCast[] = {TENSOR_FLOAT32, TENSOR_FLOAT16};
// For XNNPACK of 2024.
constexpr bool kIs2024 = NNAPI_XNNPACK_RESHAPES != 0;
constexpr std::span<const OperandType> kWithTanh =
        kIs2024 ? std::span<const OperandType>(kAll) : std::span<const OperandType>(kStored);
const Row kRows[] = {
        {OperationType::ABS, kReal},
        {OperationType::ADD, kAll},
        {OperationType::AVERAGE_POOL_2D, kAll},
        {OperationType::CAST, kCast},
        {OperationType::CHANNEL_SHUFFLE, kAll},
        {OperationType::CONV_2D, kAll, true},
        {OperationType::DEPTHWISE_CONV_2D, kAll, true},
        {OperationType::DEPTH_TO_SPACE, kReal},
        {OperationType::DEQUANTIZE, kStored},
        {OperationType::DIV, kReal},
        {OperationType::ELU, kReal},
        {OperationType::EXPAND_DIMS, kAll},
        {OperationType::FLOOR, kReal},
        {OperationType::FULLY_CONNECTED, kAll},
        {OperationType::GROUPED_CONV_2D, kAll, true},
        {OperationType::HARD_SWISH, kReal},
        {OperationType::LOGISTIC, kAll},
        {OperationType::MAXIMUM, kReal},
        {OperationType::MAX_POOL_2D, kAll},
        {OperationType::MEAN, kAll},
        {OperationType::MINIMUM, kReal},
        {OperationType::MUL, kAll},
        {OperationType::NEG, kReal},
        {OperationType::PAD, kAll},
        {OperationType::PAD_V2, kAll},
        {OperationType::PRELU, kReal},
        {OperationType::QUANTIZE, kReal},
        {OperationType::RELU, kAll},
        {OperationType::RELU1, kAll},
        {OperationType::RELU6, kAll},
        {OperationType::RESHAPE, kAll},
        {OperationType::RESIZE_BILINEAR, kAll},
        {OperationType::SOFTMAX, kStored},  // of float32 only with beta 1, which vectors have
        {OperationType::SQRT, kReal},
        {OperationType::SQUEEZE, kAll},
        {OperationType::SUB, kAll},
        {OperationType::TANH, kWithTanh},
        {OperationType::TRANSPOSE_CONV_2D, kAll, kIs2024},
};

const std::vector<OperationType> kOperations = [] {
    std::vector<OperationType> types;
    for (const Row& row : kRows) types.push_back(row.type);
    return types;
}();

class Vectors {
   public:
    // Compares the results if the device supports the case; returns whether it does.
    bool check(const TestCase& testCase, const std::string& how) {
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

// Rules device.supported_operations, prepare.arguments, execution.shapes and
// sample.unsupported_model.
TEST(Xnnpack, MeetsTheCriteriaOfAllVectorsThatItSupports) {
    Vectors vectors;
    forEachVector([&](const TestCase& testCase) {
        if (!vectors.check(testCase, "as it is") && testCase.model.main.inputIndexes.size() > 1) {
            vectors.check(withConstants(testCase), "with constants");
        }
    });
    const std::map<std::string, int> expected = {
            {"as it is, not legal", 5},
            {"as it is, passed", kIs2024 ? 1235 : 1213},
            {"as it is, refused", kIs2024 ? 5383 : 5405},
            {"with constants, not legal", 2},
            {"with constants, passed", kIs2024 ? 198 : 189},
            {"with constants, refused", kIs2024 ? 2212 : 2221},
    };
    EXPECT_EQ(vectors.counts, expected);
    // No vector of DIV has supported types and shapes; random models do.
    std::set<OperationType> all(kOperations.begin(), kOperations.end());
    all.erase(OperationType::DIV);
    EXPECT_EQ(vectors.computed, all);
    const std::map<std::string, int> rules = {
            {"depthwise_conv_2d.filter", 60},
            {"xnnpack.axis", 294},
            {"xnnpack.constant", 851},
            {"xnnpack.dimensions", 121},
            {"xnnpack.layout", 701},
            {"xnnpack.operation", 5205},
            {"xnnpack.type", kIs2024 ? 2539 : 2570},
            {"xnnpack.value", 102},
    };
    EXPECT_EQ(vectors.refusals, rules);
}

// If the reference result is NaN, the specification permits any value: XNNPACK may return a bound
// of the activation instead.
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

// The number of comparisons of an operation, by the types of its first two inputs.
using Compared = std::map<std::tuple<OperationType, OperandType, OperandType>, int>;

int countOf(const Compared& compared, OperationType type,
            std::optional<OperandType> input = std::nullopt, bool isPerChannel = false) {
    int count = 0;
    for (const auto& [key, times] : compared) {
        const auto& [operation, first, second] = key;
        if (operation == type && (!input || first == *input) &&
            (!isPerChannel || second == TENSOR_QUANT8_SYMM_PER_CHANNEL)) {
            count += times;
        }
    }
    return count;
}

// Compares the device with the reference on random models.
Compared compareRandomModels(uint32_t count, size_t maxOperations,
                             std::span<const OperationType> operations) {
    const SharedDevice device = xnnpackDevice();
    Compared compared;
    for (uint32_t seed = 0; seed < count; ++seed) {
        std::minstd_rand random(seed + 1);
        std::vector<uint8_t> bytes(4000);
        for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random() >> 8);
        testing::Source source(bytes);
        TestCase testCase;
        testCase.model = testing::validModel(
                source,
                {.maxOperations = maxOperations,
                 .operations = maxOperations == 1 ? operations.subspan(seed % operations.size(), 1)
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
            const auto typeOf = [&](size_t i) {
                const size_t at = std::min(i, operation.inputs.size() - 1);
                return testCase.model.main.operands[operation.inputs[at]].type;
            };
            ++compared[{operation.type, typeOf(0), typeOf(1)}];
        }
    }
    return compared;
}

TEST(Xnnpack, AgreesWithTheReferenceOnRandomOperations) {
    const Compared compared = compareRandomModels(20000, 1, kOperations);
    for (const Row& row : kRows) {
        for (const OperandType type : row.inputs) {
            EXPECT_GT(countOf(compared, row.type, type), 5)
                    << toString(row.type) << " " << toString(type);
            if (!row.hasScalesPerChannel || type == TENSOR_FLOAT32) continue;
            EXPECT_GT(countOf(compared, row.type, type, true), 5)
                    << toString(row.type) << " " << toString(type);
        }
    }
}

// An operation may multiply the error of the previous one, so these are exact.
TEST(Xnnpack, AgreesWithTheReferenceOnRandomModels) {
    using enum OperationType;
    static constexpr OperationType kExact[] = {
            ABS,         CAST,    CHANNEL_SHUFFLE, DEQUANTIZE,  DEPTH_TO_SPACE,
            EXPAND_DIMS, FLOOR,   MAXIMUM,         MAX_POOL_2D, MINIMUM,
            NEG,         PAD,     PAD_V2,          RELU,        RELU1,
            RELU6,       RESHAPE, SQUEEZE};
    const Compared compared = compareRandomModels(5000, 6, kExact);
    for (const OperationType type : kExact)
        EXPECT_GT(countOf(compared, type), 10) << toString(type);
}

// In quantized networks the errors of the operations add up.
TEST(Xnnpack, ExecutesNetworks) {
    struct Network {
        const char* name;
        double maxAbsError;
    };
    const Network kNetworks[] = {{"", 1e-5},
                                 {"_quant8", 2},
                                 {"_quant8_per_channel", 2},
                                 {"_quant8_signed_per_channel", 2}};
    for (const size_t threads : {1, 2}) {
        const SharedDevice device = xnnpackDevice({.prepare = {.threads = threads}});
        for (const Network& network : kNetworks) {
            const TestCase testCase =
                    **TestCaseReader::open(std::string(NNAPI_SOURCE_DIR
                                                       "/examples/models/mobilenet_224_gender") +
                                           network.name + ".jsonl.gz")
                              ->next();
            const auto prepared = prepareOn(*device, testCase.model);
            ASSERT_TRUE(prepared.has_value()) << network.name << prepared.error().message;
            for (int i = 0; i < 2; ++i) {
                const auto found = execute(**prepared, testCase);
                ASSERT_TRUE(found.has_value()) << network.name << found.error().message;
                const auto comparison =
                        testing::compareOutputs(testCase.model, expected(testCase), *found,
                                                testing::criteriaFor(testCase.model));
                EXPECT_LE(comparison.maxAbsError, network.maxAbsError) << network.name;
            }
        }
    }
}

}  // namespace
}  // namespace nn::xnnpack_vectors_test
