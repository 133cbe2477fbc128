// What a described device supports, and why it refuses the rest.
#include <functional>

#include "nnapi/device_overlay.h"
#include "validate/models.h"

namespace nn::device_overlay_test {
namespace {

using enum OperandType;
using Entry = DeviceOverlay::Operation;
using Limits = DeviceOverlay::Operand;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr Version V1_2 = kVersionFeatureLevel3;

DeviceOverlay softmaxDevice(Limits limits) {
    return {.version = V1_2,
            .operations = {{.type = OperationType::SOFTMAX, .operands = {std::move(limits)}}}};
}

std::vector<std::string> firstReasons(const Model& model, const DeviceOverlay& device) {
    const Result<DeviceSupport> support = supportedOperations(model, device);
    EXPECT_TRUE(support.ok()) << support.status();
    return support.ok() ? textsOf(support->operations[0].reasons) : std::vector<std::string>();
}

struct Row {
    const char* name;
    Limits limits;
    std::function<void(Model&)> change;
    const char* reason;  // empty: supported
};

TEST(DeviceOverlay, LimitsOfOperands) {
    const auto nothing = [](Model&) {};
    const auto unknownRank = [](Model& m) { m.main.operands[0].dimensions = {}; };
    const auto unknownDimension = [](Model& m) { m.main.operands[0].dimensions = {2, 0}; };
    const auto betaIsInput = [](Model& m) {
        m.main.operands[1] = operandOf(FLOAT32, {}, LifeTime::SUBGRAPH_INPUT);
        m.main.inputIndexes = {0, 1};
    };
    const Row kRows[] = {
            {"Free", {.name = "input"}, nothing, ""},
            {"Type", {.name = "input", .types = {TENSOR_FLOAT16, TENSOR_FLOAT32}}, nothing, ""},
            {"OtherType",
             {.name = "input", .types = {TENSOR_FLOAT16, TENSOR_QUANT8_ASYMM}},
             nothing,
             "main.operations[0] SOFTMAX: input 0 'input' (operand 0) is TENSOR_FLOAT32, allowed "
             "TENSOR_FLOAT16, TENSOR_QUANT8_ASYMM on the device [device.types]"},
            {"Output",
             {.name = "output", .types = {TENSOR_FLOAT16}},
             nothing,
             "main.operations[0] SOFTMAX: output 0 'output' (operand 2) is TENSOR_FLOAT32, allowed "
             "TENSOR_FLOAT16 on the device [device.types]"},
            {"Rank", {.name = "input", .leastRank = 2, .mostRank = 2}, nothing, ""},
            {"RankTooSmall",
             {.name = "input", .leastRank = 3},
             nothing,
             "main.operations[0] SOFTMAX: input 0 'input' (operand 0) has rank 2, allowed 3 or "
             "more "
             "on the device [device.rank]"},
            {"RankTooLarge",
             {.name = "input", .mostRank = 1},
             nothing,
             "main.operations[0] SOFTMAX: input 0 'input' (operand 0) has rank 2, allowed 0 to 1 "
             "on "
             "the device [device.rank]"},
            {"RankUnknown",
             {.name = "input", .mostRank = 4},
             unknownRank,
             "main.operations[0] SOFTMAX: input 0 'input' (operand 0) has unknown rank, allowed 0 "
             "to 4 on the device [device.rank]"},
            {"Dimensions", {.name = "input", .mostDimensions = {2, 3, 1}}, nothing, ""},
            {"DimensionsFree", {.name = "input", .mostDimensions = {0, 3}}, nothing, ""},
            {"DimensionTooLarge",
             {.name = "input", .mostDimensions = {0, 2}},
             nothing,
             "main.operations[0] SOFTMAX: input 0 'input' (operand 0) has dimension 1 of 3, "
             "allowed "
             "up to 2 on the device [device.dimensions]"},
            {"DimensionUnknown",
             {.name = "input", .mostDimensions = {0, 3}},
             unknownDimension,
             "main.operations[0] SOFTMAX: input 0 'input' (operand 0) has unknown dimension 1, "
             "allowed up to 3 on the device [device.dimensions]"},
            {"Constant", {.name = "beta", .mustBeConstant = true}, nothing, ""},
            {"NoConstant",
             {.name = "beta", .mustBeConstant = true},
             betaIsInput,
             "main.operations[0] SOFTMAX: input 1 'beta' (operand 1) is no constant, allowed only "
             "a "
             "constant on the device [device.constant]"},
            {"Value",
             {.name = "beta", .leastValue = 1, .mostValue = 1, .values = {1}},
             nothing,
             ""},
            {"ValueTooSmall",
             {.name = "beta", .leastValue = 1.5},
             nothing,
             "main.operations[0] SOFTMAX: input 1 'beta' (operand 1) is 1, allowed 1.5 or more on "
             "the device [device.value]"},
            {"ValueTooLarge",
             {.name = "beta", .leastValue = 0, .mostValue = 0.5},
             nothing,
             "main.operations[0] SOFTMAX: input 1 'beta' (operand 1) is 1, allowed 0 to 0.5 on the "
             "device [device.value]"},
            {"ValueNotListed",
             {.name = "beta", .mostValue = 4, .values = {2, 4}},
             nothing,
             "main.operations[0] SOFTMAX: input 1 'beta' (operand 1) is 1, allowed up to 4 and of "
             "these 2, 4 on the device [device.value]"},
            {"ValueUnknown",
             {.name = "beta", .values = {1}},
             betaIsInput,
             "main.operations[0] SOFTMAX: input 1 'beta' (operand 1) has a value that the model "
             "itself does not hold, but the device has limits for [device.value]"},
    };
    for (const Row& row : kRows) {
        Model model = softmaxModel();
        row.change(model);
        const std::vector<std::string> reasons = firstReasons(model, softmaxDevice(row.limits));
        if (*row.reason == '\0') {
            EXPECT_THAT(reasons, IsEmpty()) << row.name;
        } else {
            EXPECT_THAT(reasons, ElementsAre(row.reason)) << row.name;
        }
    }
}

// The second SOFTMAX reads what the first gives, whose declared dimensions are unknown.
TEST(DeviceOverlay, DimensionsAreInferred) {
    Model model = softmaxModel();
    model.main.operands[2].dimensions = {};
    const Limits limits{.name = "input", .mostDimensions = {2, 3}};
    EXPECT_TRUE(supportedOperations(model, softmaxDevice(limits))->all());
}

TEST(DeviceOverlay, OperationsWithoutEntry) {
    DeviceOverlay device{.version = V1_2};
    EXPECT_THAT(firstReasons(softmaxModel(), device),
                ElementsAre("main.operations[0] SOFTMAX: is not supported by the device "
                            "[device.operation]"));
    device.supportsOthers = true;
    EXPECT_THAT(firstReasons(softmaxModel(), device), IsEmpty());
}

TEST(DeviceOverlay, AlternativesAndTheOneThatIsNearest) {
    DeviceOverlay device{.version = V1_2};
    device.operations = {
            {.type = OperationType::SOFTMAX,
             .operands = {{.name = "input", .mostRank = 1}, {.name = "beta", .mostValue = 0.5}}},
            {.type = OperationType::SOFTMAX,
             .operands = {{.name = "input", .types = {TENSOR_FLOAT16}}}}};
    EXPECT_THAT(firstReasons(softmaxModel(), device),
                ElementsAre("main.operations[0] SOFTMAX: input 0 'input' (operand 0) is "
                            "TENSOR_FLOAT32, allowed TENSOR_FLOAT16 on the device [device.types]"));
    device.operations.push_back({.type = OperationType::SOFTMAX});
    EXPECT_THAT(firstReasons(softmaxModel(), device), IsEmpty());
}

TEST(DeviceOverlay, VersionOfTheDevice) {
    Model model = softmaxModel();
    model.main.operands[2].dimensions = {};  // a tensor of unknown rank needs HAL 1.2
    DeviceOverlay device{.version = kVersionFeatureLevel2, .supportsOthers = true};
    EXPECT_THAT(firstReasons(model, device),
                ElementsAre("main.operands[2]: a tensor of unknown rank needs HAL 1.2, target is "
                            "HAL 1.1 [since]"));
    device.version = V1_2;
    EXPECT_THAT(firstReasons(model, device), IsEmpty());
}

TEST(DeviceOverlay, LiftedRules) {
    Model model = softmaxModel();
    for (const size_t i : {0, 2, 3}) model.main.operands[i].dimensions = {1, 1, 1, 2, 3};
    DeviceOverlay device = softmaxDevice({.name = "input", .mostRank = 5});
    EXPECT_THAT(supportedOperations(model, device),
                Refuses("main.operations[0] SOFTMAX: input 0 'input' (operand 0) has rank 5, "
                        "allowed 1 to 4 [softmax.rank]"));
    device.operations[0].liftedRules = {"softmax.rank"};
    EXPECT_THAT(firstReasons(model, device), IsEmpty());
    device.operations[0].operands[0].mostRank = 4;
    EXPECT_THAT(firstReasons(model, device),
                ElementsAre("main.operations[0] SOFTMAX: input 0 'input' (operand 0) has rank 5, "
                            "allowed 0 to 4 on the device [device.rank]"));
}

// A type that the specification does not have for the operation.
TEST(DeviceOverlay, LiftedTypes) {
    Model model = softmaxModel();
    for (const size_t i : {0, 2, 3}) model.main.operands[i].type = TENSOR_INT32;
    DeviceOverlay device = softmaxDevice({.name = "input", .types = {TENSOR_INT32}});
    device.operations[0].liftedRules = {"softmax.types"};
    EXPECT_THAT(firstReasons(model, device), IsEmpty());
    device.operations[0].operands[0].types = {TENSOR_FLOAT32};
    EXPECT_THAT(firstReasons(model, device),
                ElementsAre("main.operations[0] SOFTMAX: input 0 'input' (operand 0) is "
                            "TENSOR_INT32, allowed TENSOR_FLOAT32 on the device [device.types]"));
}

TEST(DeviceOverlay, GraphsOfControlFlow) {
    DeviceOverlay device{.version = kVersionFeatureLevel4};
    device.operations = {
            {.type = OperationType::IF},
            {.type = OperationType::SOFTMAX, .operands = {{.name = "beta", .values = {1}}}}};
    EXPECT_THAT(firstReasons(ifModel(), device), IsEmpty());
    device.operations[1].operands[0].values = {2};
    EXPECT_THAT(
            firstReasons(ifModel(), device).front(),
            "referenced[0].operations[0] SOFTMAX: input 1 'beta' (operand 1) is 1, allowed 2 on "
            "the device [device.value]");
    EXPECT_THAT(firstReasons(ifModel(), device), testing::SizeIs(4));  // two in either branch
}

TEST(DeviceOverlay, OperationsOfExtensions) {
    DeviceOverlay device{.version = V1_2};
    device.operations = {{.extension = "com.example.test", .typeWithinExtension = 2}};
    EXPECT_THAT(firstReasons(extensionModel(), device), IsEmpty());
    device.operations[0].typeWithinExtension = 3;
    EXPECT_THAT(firstReasons(extensionModel(), device),
                ElementsAre("main.operations[0]: is not supported by the device "
                            "[device.operation]"));
}

TEST(DeviceOverlay, EntriesThatNameWhatIsNotThere) {
    struct Broken {
        Entry entry;
        const char* message;
    };
    const Broken kRows[] = {
            {{.type = OperationType::SOFTMAX, .operands = {{.name = "gamma"}}},
             "operations[0].operands[0]: name is 'gamma', allowed an operand of SOFTMAX "
             "[device.entry]"},
            {{.type = OperationType::SOFTMAX, .liftedRules = {"relu.rank"}},
             "operations[0].liftedRules[0]: is 'relu.rank', allowed a rule of SOFTMAX, which "
             "begins with 'softmax.' [device.entry]"},
            {{.type = static_cast<OperationType>(107)},
             "operations[0]: type is 107, allowed 0 to 105, 10000 and extension types "
             "[operation.type]"},
            {{.extension = "com.example.test", .operands = {{.name = "input"}}},
             "operations[0]: limits or lifted rules are given, allowed none for an extension's "
             "operation [device.entry]"},
    };
    for (const Broken& row : kRows) {
        EXPECT_THAT(supportedOperations(softmaxModel(), {.operations = {row.entry}}),
                    Refuses(std::string(row.message)));
    }
}

}  // namespace
}  // namespace nn::device_overlay_test
