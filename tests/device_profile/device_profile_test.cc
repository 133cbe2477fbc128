// The operations that a device profile supports, and the reasons against the others.
#include <cmath>
#include <functional>

#include "nnapi/device_profile.h"
#include "validate/models.h"

namespace nn::device_profile_test {
namespace {

using enum OperandType;
using Entry = DeviceProfile::Operation;
using Limits = DeviceProfile::Operand;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr Version V1_2 = kVersionFeatureLevel3;

DeviceProfile softmaxDevice(Limits limits) {
    return {.version = V1_2,
            .operations = {{.type = OperationType::SOFTMAX, .operands = {std::move(limits)}}}};
}

std::vector<std::string> firstReasons(const Model& model, const DeviceProfile& device) {
    const Result<DeviceSupport> support = supportedOperations(model, device);
    EXPECT_TRUE(support.ok()) << support.status();
    return support.ok() ? textsOf(support->operations[0].reasons) : std::vector<std::string>();
}

struct Row {
    const char* name;
    Limits limits;
    std::function<void(Model&)> change;
    const char* reason;  // after the place; empty: supported

    std::string text() const {
        return std::string("main.operations[0] SOFTMAX: ") +
               (limits.name == "input"    ? "input 0 'input' (operand 0) "
                : limits.name == "output" ? "output 0 'output' (operand 2) "
                                          : "input 1 'beta' (operand 1) ") +
               reason;
    }
};

TEST(DeviceProfile, LimitsOfOperands) {
    const auto nothing = [](Model&) {};
    const auto unknownRank = [](Model& m) { m.main.operands[0].dimensions = {}; };
    const auto unknownDimension = [](Model& m) { m.main.operands[0].dimensions = {2, 0}; };
    const auto betaIsInput = [](Model& m) {
        m.main.operands[1] = operandOf(FLOAT32, {}, LifeTime::SUBGRAPH_INPUT);
        m.main.inputIndexes = {0, 1};
    };
    const auto betaIsNaN = [](Model& m) {
        m.main.operands[1] = constantOf<float>(m, FLOAT32, {}, {std::nanf("")});
    };
    const auto inputIsConstant = [](Model& m) {
        m.main.operands[0] = constantOf<float>(m, TENSOR_FLOAT32, {2, 3}, {1, 1, 1, 1, 1, 1});
        m.main.inputIndexes = {};
    };
    const Row kRows[] = {
            {"Free", Limits{.name = "input"}, nothing, ""},
            {"Type", Limits{.name = "input", .types = {TENSOR_FLOAT16, TENSOR_FLOAT32}}, nothing,
             ""},
            {"OtherType", Limits{.name = "input", .types = {TENSOR_FLOAT16, TENSOR_QUANT8_ASYMM}},
             nothing,
             "is TENSOR_FLOAT32, allowed TENSOR_FLOAT16, TENSOR_QUANT8_ASYMM on the device "
             "[device.types]"},
            {"Output", Limits{.name = "output", .types = {TENSOR_FLOAT16}}, nothing,
             "is TENSOR_FLOAT32, allowed TENSOR_FLOAT16 on the device [device.types]"},
            {"Rank", Limits{.name = "input", .minRank = 2, .maxRank = 2}, nothing, ""},
            {"RankTooSmall", Limits{.name = "input", .minRank = 3}, nothing,
             "has rank 2, allowed 3 or more on the device [device.rank]"},
            {"RankTooLarge", Limits{.name = "input", .maxRank = 1}, nothing,
             "has rank 2, allowed 0 to 1 on the device [device.rank]"},
            {"RankUnknown", Limits{.name = "input", .maxRank = 4}, unknownRank,
             "has unknown rank, allowed 0 to 4 on the device [device.rank]"},
            {"RankNotBetween", Limits{.name = "input", .minRank = 3, .maxRank = 4}, nothing,
             "has rank 2, allowed 3 to 4 on the device [device.rank]"},
            {"RankUnknownUpwards", Limits{.name = "input", .minRank = 1}, unknownRank,
             "has unknown rank, allowed 1 or more on the device [device.rank]"},
            {"Dimensions", Limits{.name = "input", .maxDimensions = {2, 3, 1}}, nothing, ""},
            {"DimensionsFree", Limits{.name = "input", .maxDimensions = {0, 3}}, nothing, ""},
            {"DimensionTooLarge", Limits{.name = "input", .maxDimensions = {0, 2}}, nothing,
             "has dimension 1 of 3, allowed up to 2 on the device [device.dimensions]"},
            {"DimensionUnknown", Limits{.name = "input", .maxDimensions = {0, 3}}, unknownDimension,
             "has unknown dimension 1, allowed up to 3 on the device [device.dimensions]"},
            {"DimensionOfUnknownRank", Limits{.name = "input", .maxDimensions = {0, 3}},
             unknownRank,
             "has unknown dimension 1, allowed up to 3 on the device [device.dimensions]"},
            {"Constant", Limits{.name = "beta", .mustBeConstant = true}, nothing, ""},
            {"NoConstant", Limits{.name = "beta", .mustBeConstant = true}, betaIsInput,
             "is not a constant, allowed only a constant on the device [device.constant]"},
            {"Value", Limits{.name = "beta", .minValue = 1, .maxValue = 1, .values = {1}}, nothing,
             ""},
            {"ValueTooSmall", Limits{.name = "beta", .minValue = 1.5}, nothing,
             "is 1, allowed 1.5 or more on the device [device.value]"},
            {"ValueTooLarge", Limits{.name = "beta", .minValue = 0, .maxValue = 0.5}, nothing,
             "is 1, allowed 0 to 0.5 on the device [device.value]"},
            {"ValueNotListed", Limits{.name = "beta", .maxValue = 4, .values = {2, 4}}, nothing,
             "is 1, allowed up to 4 and of these 2, 4 on the device [device.value]"},
            {"ValueAboveTheOnlyBound", Limits{.name = "beta", .maxValue = 0.5}, nothing,
             "is 1, allowed up to 0.5 on the device [device.value]"},
            {"ValueNotInTheOnlyList", Limits{.name = "beta", .values = {2, 4}}, nothing,
             "is 1, allowed 2, 4 on the device [device.value]"},
            {"ValueIsNaN", Limits{.name = "beta", .minValue = 0}, betaIsNaN,
             "is nan, allowed 0 or more on the device [device.value]"},
            {"ValueOfFloats", Limits{.name = "input", .minValue = 0}, inputIsConstant,
             "has a value that the model itself does not hold, but the device limits it "
             "[device.value]"},
            {"ValueUnknown", Limits{.name = "beta", .values = {1}}, betaIsInput,
             "has a value that the model itself does not hold, but the device limits it "
             "[device.value]"},
    };
    for (const Row& row : kRows) {
        Model model = softmaxModel();
        row.change(model);
        const std::vector<std::string> reasons = firstReasons(model, softmaxDevice(row.limits));
        if (*row.reason == '\0') {
            EXPECT_THAT(reasons, IsEmpty()) << row.name;
        } else {
            EXPECT_THAT(reasons, ElementsAre(row.text())) << row.name;
        }
    }
}

// One operation with all of its operands: the first is the input, the last the output, those
// between are constants.
Model modelOf(OperationType type, Model model, std::vector<Operand> operands) {
    const auto output = static_cast<uint32_t>(operands.size() - 1);
    Operation operation{.type = type, .inputs = {}, .outputs = {output}};
    for (uint32_t i = 0; i < output; ++i) operation.inputs.push_back(i);
    model.main = {.operands = std::move(operands),
                  .operations = {std::move(operation)},
                  .inputIndexes = {0},
                  .outputIndexes = {output}};
    return model;
}

TEST(DeviceProfile, LimitsOfValuesOfAllTypes) {
    const auto in = [](OperandType type, std::vector<uint32_t> dimensions) {
        return operandOf(type, std::move(dimensions), LifeTime::SUBGRAPH_INPUT);
    };
    const auto out = [](OperandType type, std::vector<uint32_t> dimensions) {
        return operandOf(type, std::move(dimensions), LifeTime::SUBGRAPH_OUTPUT);
    };
    Model m;
    const Operand half = constantOf<uint16_t>(m, FLOAT16, {}, {0x3800});  // 0.5
    const Operand two = constantOf<int32_t>(m, INT32, {}, {2});
    const Operand yes = constantOf<uint8_t>(m, BOOL, {}, {1});
    const Operand axes = constantOf<int32_t>(m, TENSOR_INT32, {3}, {0, 1, -1});
    const Model softmax = modelOf(OperationType::SOFTMAX, m,
                                  {in(TENSOR_FLOAT16, {2, 3}), half, out(TENSOR_FLOAT16, {2, 3})});
    const Model depthToSpace =
            modelOf(OperationType::DEPTH_TO_SPACE, m,
                    {in(TENSOR_FLOAT32, {1, 4, 1, 1}), two, yes, out(TENSOR_FLOAT32, {})});
    const Model mean =
            modelOf(OperationType::MEAN, m,
                    {in(TENSOR_FLOAT32, {2, 3}), axes, two, out(TENSOR_FLOAT32, {1, 1})});
    const struct {
        const Model& model;
        Limits limits;
        const char* reason;
    } kRows[] = {
            {softmax, {.name = "beta", .values = {0.5}}, ""},
            {softmax,
             {.name = "beta", .values = {1}},
             "main.operations[0] SOFTMAX: input 1 'beta' (operand 1) is 0.5, allowed 1 on the "
             "device [device.value]"},
            {depthToSpace, {.name = "blockSize", .values = {2}}, ""},
            {depthToSpace,
             {.name = "blockSize", .values = {4, 8}},
             "main.operations[0] DEPTH_TO_SPACE: input 1 'blockSize' (operand 1) is 2, allowed 4, "
             "8 on the device [device.value]"},
            {depthToSpace, {.name = "nchw", .values = {1}}, ""},
            {depthToSpace,
             {.name = "nchw", .values = {0}},
             "main.operations[0] DEPTH_TO_SPACE: input 2 'nchw' (operand 2) is 1, allowed 0 on the "
             "device [device.value]"},
            // every element counts, and the first that is wrong is named
            {mean, {.name = "axis", .minValue = -1, .maxValue = 1}, ""},
            {mean, {.name = "axis", .maxValue = 1}, ""},
            {mean,
             {.name = "axis", .minValue = 0},
             "main.operations[0] MEAN: input 1 'axis' (operand 1) is -1, allowed 0 or more on the "
             "device [device.value]"},
            {mean,
             {.name = "axis", .values = {0}},
             "main.operations[0] MEAN: input 1 'axis' (operand 1) is 1, allowed 0 on the device "
             "[device.value]"},
    };
    for (const auto& row : kRows) {
        DeviceProfile device{.version = V1_2};
        device.operations = {{.type = row.model.main.operations[0].type, .operands = {row.limits}}};
        const std::vector<std::string> reasons = firstReasons(row.model, device);
        EXPECT_LE(reasons.size(), 1u);
        EXPECT_EQ(reasons.empty() ? "" : reasons[0], row.reason);
    }
}

// An omitted parameter has no value to limit.
TEST(DeviceProfile, LimitsOfOptionalOperands) {
    Model constants;
    const Operand dims = constantOf<int32_t>(constants, TENSOR_INT32, {1}, {0});
    const Model given = modelOf(OperationType::SQUEEZE, constants,
                                {operandOf(TENSOR_FLOAT32, {1, 3}, LifeTime::SUBGRAPH_INPUT), dims,
                                 operandOf(TENSOR_FLOAT32, {3}, LifeTime::SUBGRAPH_OUTPUT)});
    Model omitted = given;
    omitted.main.operands[1] = operandOf(TENSOR_INT32, {}, LifeTime::NO_VALUE);
    DeviceProfile device{.version = V1_2};
    device.operations = {
            {.type = OperationType::SQUEEZE, .operands = {{.name = "squeezeDims", .minValue = 1}}}};
    EXPECT_THAT(firstReasons(given, device),
                ElementsAre("main.operations[0] SQUEEZE: input 1 'squeezeDims' (operand 1) is 0, "
                            "allowed 1 or more on the device [device.value]"));
    EXPECT_THAT(firstReasons(omitted, device), IsEmpty());
}

// The second SOFTMAX reads the output of the first, whose declared dimensions are unknown.
TEST(DeviceProfile, DimensionsAreInferred) {
    Model model = softmaxModel();
    model.main.operands[2].dimensions = {};
    const Limits limits{.name = "input", .maxDimensions = {2, 3}};
    EXPECT_TRUE(supportedOperations(model, softmaxDevice(limits))->all());
    EXPECT_FALSE(supportedOperations(model, softmaxDevice({.name = "input", .maxRank = 1}))->all());
}

// Outputs of an operation that violates a rule remain unknown, even if the device lifts the rule.
TEST(DeviceProfile, DimensionsAreNotInferredPastLiftedRules) {
    Model model = softmaxModel();
    for (const size_t i : {0, 3}) model.main.operands[i].dimensions = {1, 1, 1, 2, 3};
    model.main.operands[2].dimensions = {};
    DeviceProfile device = softmaxDevice({.name = "input", .maxRank = 5});
    device.operations[0].liftedRules = {"softmax.rank"};
    const Result<DeviceSupport> support = supportedOperations(model, device);
    ASSERT_TRUE(support.ok()) << support.status();
    EXPECT_TRUE(support->operations[0].isSupported());
    EXPECT_THAT(textsOf(support->operations[1].reasons),
                ElementsAre("main.operations[1] SOFTMAX: input 0 'input' (operand 2) has unknown "
                            "rank, allowed 0 to 5 on the device [device.rank]"));
}

TEST(DeviceProfile, MessagesShowTheFirstValuesOfAList) {
    Limits limits{.name = "beta"};
    for (int i = 2; i < 100; ++i) limits.values.push_back(i);
    EXPECT_THAT(firstReasons(softmaxModel(), softmaxDevice(limits)),
                ElementsAre("main.operations[0] SOFTMAX: input 1 'beta' (operand 1) is 1, allowed "
                            "2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17 and 82 more on "
                            "the device [device.value]"));
}

TEST(DeviceProfile, OperationsWithoutEntry) {
    DeviceProfile device{.version = V1_2};
    EXPECT_THAT(firstReasons(softmaxModel(), device),
                ElementsAre("main.operations[0] SOFTMAX: is not supported by the device "
                            "[device.operation]"));
    device.supportsOthers = true;
    EXPECT_THAT(firstReasons(softmaxModel(), device), IsEmpty());
}

TEST(DeviceProfile, ReasonsOfTheNearestAlternative) {
    DeviceProfile device{.version = V1_2};
    device.operations = {
            {.type = OperationType::SOFTMAX,
             .operands = {{.name = "input", .maxRank = 1}, {.name = "beta", .maxValue = 0.5}}},
            {.type = OperationType::SOFTMAX,
             .operands = {{.name = "input", .types = {TENSOR_FLOAT16}}}}};
    EXPECT_THAT(firstReasons(softmaxModel(), device),
                ElementsAre("main.operations[0] SOFTMAX: input 0 'input' (operand 0) is "
                            "TENSOR_FLOAT32, allowed TENSOR_FLOAT16 on the device [device.types]"));
    device.operations.push_back({.type = OperationType::SOFTMAX});
    EXPECT_THAT(firstReasons(softmaxModel(), device), IsEmpty());
}

TEST(DeviceProfile, ReasonsOfTheFirstOfEquallyNearAlternatives) {
    DeviceProfile device{.version = V1_2};
    for (const uint32_t most : {1u, 0u}) {
        device.operations.push_back(
                {.type = OperationType::SOFTMAX, .operands = {{.name = "input", .maxRank = most}}});
    }
    EXPECT_THAT(firstReasons(softmaxModel(), device),
                ElementsAre("main.operations[0] SOFTMAX: input 0 'input' (operand 0) has rank 2, "
                            "allowed 0 to 1 on the device [device.rank]"));
}

TEST(DeviceProfile, VersionOfTheDevice) {
    Model model = softmaxModel();
    model.main.operands[2].dimensions = {};  // a tensor of unknown rank needs HAL 1.2
    DeviceProfile device{.version = kVersionFeatureLevel2, .supportsOthers = true};
    EXPECT_THAT(firstReasons(model, device),
                ElementsAre("main.operands[2]: a tensor of unknown rank needs HAL 1.2, target is "
                            "HAL 1.1 [since]"));
    device.version = V1_2;
    EXPECT_THAT(firstReasons(model, device), IsEmpty());
    EXPECT_THAT(firstReasons(ifModel(), device),
                ElementsAre("main.operations[0] IF: IF needs HAL 1.3, target is HAL 1.2 [since]",
                            "main.operands[1]: SUBGRAPH needs HAL 1.3, target is HAL 1.2 [since]",
                            "main.operands[2]: SUBGRAPH needs HAL 1.3, target is HAL 1.2 [since]"));
}

// A device lifts only rules of the operation that it names, not those of operands.
TEST(DeviceProfile, RulesThatAreNotLifted) {
    Model model = softmaxModel();
    model.main.operands[0].zeroPoint = 1;
    DeviceProfile device = softmaxDevice({.name = "input"});
    device.operations[0].liftedRules = {"softmax.rank", "softmax.types"};
    const auto refuses = Refuses(
            "main.operands[0]: zeroPoint is 1, allowed 0 for TENSOR_FLOAT32 [operand.zero_point]");
    EXPECT_THAT(supportedOperations(model, device), refuses);
    device.operations[0].liftedRules.clear();
    EXPECT_THAT(supportedOperations(model, device), refuses);

    Model constants;
    const Operand none = constantOf<int32_t>(constants, INT32, {}, {0});
    const Operand large = operandOf(TENSOR_FLOAT32, {1, 1, 1, 1, 1}, LifeTime::SUBGRAPH_INPUT);
    model = modelOf(OperationType::ADD, constants,
                    {large, constantOf<float>(constants, TENSOR_FLOAT32, {1}, {1}), none,
                     operandOf(TENSOR_FLOAT32, {}, LifeTime::SUBGRAPH_OUTPUT)});
    model.operandValues = constants.operandValues;
    device.operations = {{.type = OperationType::MUL, .liftedRules = {"arithmetic.rank"}},
                         {.type = OperationType::ADD}};
    EXPECT_THAT(supportedOperations(model, device),
                Refuses("main.operations[0] ADD: input 0 'input0' (operand 0) has rank 5, allowed "
                        "1 to 4 [arithmetic.rank]"));
    std::swap(device.operations[0].liftedRules, device.operations[1].liftedRules);
    device.operations[0].liftedRules.clear();
    EXPECT_THAT(firstReasons(model, device), IsEmpty());
}

// If no form has that many operands, limits do not apply.
TEST(DeviceProfile, LiftedCounts) {
    Model model = softmaxModel();
    model.main.operations[0].inputs.pop_back();
    DeviceProfile device = softmaxDevice({.name = "input", .maxRank = 1});
    device.operations[0].liftedRules = {"softmax.inputs"};
    const Result<DeviceSupport> support = supportedOperations(model, device);
    ASSERT_TRUE(support.ok()) << support.status();
    EXPECT_TRUE(support->operations[0].isSupported());
    EXPECT_FALSE(support->operations[1].isSupported());
}

TEST(DeviceProfile, LiftedRules) {
    Model model = softmaxModel();
    for (const size_t i : {0, 2, 3}) model.main.operands[i].dimensions = {1, 1, 1, 2, 3};
    DeviceProfile device = softmaxDevice({.name = "input", .maxRank = 5});
    EXPECT_THAT(supportedOperations(model, device),
                Refuses("main.operations[0] SOFTMAX: input 0 'input' (operand 0) has rank 5, "
                        "allowed 1 to 4 [softmax.rank]"));
    device.operations[0].liftedRules = {"softmax.rank"};
    EXPECT_THAT(firstReasons(model, device), IsEmpty());
    device.operations[0].operands[0].maxRank = 4;
    EXPECT_THAT(firstReasons(model, device),
                ElementsAre("main.operations[0] SOFTMAX: input 0 'input' (operand 0) has rank 5, "
                            "allowed 0 to 4 on the device [device.rank]"));
}

// A type that the specification does not have for the operation.
TEST(DeviceProfile, LiftedTypes) {
    Model model = softmaxModel();
    for (const size_t i : {0, 2, 3}) model.main.operands[i].type = TENSOR_INT32;
    DeviceProfile device = softmaxDevice({.name = "input", .types = {TENSOR_INT32}});
    device.operations[0].liftedRules = {"softmax.types"};
    EXPECT_THAT(firstReasons(model, device), IsEmpty());
    device.operations[0].operands[0].types = {TENSOR_FLOAT32};
    EXPECT_THAT(firstReasons(model, device),
                ElementsAre("main.operations[0] SOFTMAX: input 0 'input' (operand 0) is "
                            "TENSOR_INT32, allowed TENSOR_FLOAT32 on the device [device.types]"));
}

TEST(DeviceProfile, GraphsOfControlFlow) {
    DeviceProfile device{.version = kVersionFeatureLevel4};
    device.operations = {
            {.type = OperationType::IF},
            {.type = OperationType::SOFTMAX, .operands = {{.name = "beta", .values = {1}}}}};
    EXPECT_THAT(firstReasons(ifModel(), device), IsEmpty());
    device.operations[1].operands[0].values = {2};
    EXPECT_THAT(firstReasons(ifModel(), device).front(),
                "referenced[0].operations[0] SOFTMAX: input 1 'beta' (operand 1) is 1, allowed 2 "
                "on the device [device.value]");
    EXPECT_THAT(firstReasons(ifModel(), device), testing::SizeIs(4));  // two in either branch
}

// Graphs that reference each other twice would double the reasons at each level.
TEST(DeviceProfile, PassesOnTheFirstReasonsOfAGraph) {
    DeviceProfile device{.version = kVersionFeatureLevel4,
                         .operations = {{.type = OperationType::IF}}};
    device.supportsOthers = false;
    Model model = ifModel();
    const Model::Subgraph branches = model.main;
    for (uint32_t i = 2; i < 40; ++i) {
        Model::Subgraph& graph = model.referenced.emplace_back(branches);
        graph.operands[0].lifetime = LifeTime::CONSTANT_COPY;
        graph.operands[0].location.length = 1;
        graph.inputIndexes = {3};
        graph.operands[1].location.offset = graph.operands[2].location.offset = i - 1;
    }
    model.main.operands[1].location.offset = model.main.operands[2].location.offset = 39;
    EXPECT_THAT(firstReasons(model, device), testing::SizeIs(32));  // 16 of either branch
}

// Reasons are collected from the innermost graphs, in any order of the graphs, once for each
// branch.
TEST(DeviceProfile, GraphsInGraphs) {
    DeviceProfile device{.version = kVersionFeatureLevel4};
    device.operations = {
            {.type = OperationType::IF},
            {.type = OperationType::SOFTMAX, .operands = {{.name = "beta", .values = {2}}}}};
    const auto nested = [](uint32_t inner, uint32_t first, uint32_t second) {
        Model model = ifModel();
        Model::Subgraph branches = model.main;  // whose condition is some byte
        branches.operands[0].lifetime = LifeTime::CONSTANT_COPY;
        branches.operands[0].location.length = 1;
        branches.inputIndexes = {3};
        branches.operands[1].location.offset = first;
        branches.operands[2].location.offset = second;
        model.referenced.insert(model.referenced.begin() + inner, branches);
        model.main.operands[1].location.offset = inner;
        model.main.operands[2].location.offset = inner;
        return model;
    };
    const struct {
        uint32_t inner, first, second;
    } kRows[] = {{0, 1, 2}, {1, 0, 2}, {2, 0, 1}, {0, 2, 2}};
    for (const auto& row : kRows) {
        std::vector<std::string> reasons;
        for (const uint32_t graph : {row.first, row.second, row.first, row.second}) {
            for (const char* operation : {"0", "1"}) {
                reasons.push_back("referenced[" + std::to_string(graph) + "].operations[" +
                                  operation +
                                  "] SOFTMAX: input 1 'beta' (operand 1) is 1, allowed 2 on the "
                                  "device [device.value]");
            }
        }
        EXPECT_EQ(firstReasons(nested(row.inner, row.first, row.second), device), reasons);
    }
}

// An entry describes only the operation of that name and number.
TEST(DeviceProfile, OperationsOfExtensionsByNameAndType) {
    DeviceProfile device{.version = V1_2};
    const auto supports = [&](const Model& model, Entry entry) {
        device.operations = {std::move(entry)};
        return firstReasons(model, device).empty();
    };
    const Entry ofTest{.extension = "com.example.test", .typeWithinExtension = 2};
    Model model = extensionModel();  // operation 2 of the extension with prefix 3
    EXPECT_TRUE(supports(model, ofTest));
    EXPECT_FALSE(supports(model, {.extension = "com.example.test", .typeWithinExtension = 3}));
    EXPECT_THAT(
            firstReasons(model, device),
            ElementsAre("main.operations[0]: is not supported by the device [device.operation]"));
    EXPECT_FALSE(supports(model, {.extension = "com.example.other", .typeWithinExtension = 2}));
    EXPECT_TRUE(supports(model, {.type = model.main.operations[0].type}));
    model.extensionNameToPrefix = {{"com.example.test", 4}, {"com.example.other", 3}};
    EXPECT_FALSE(supports(model, ofTest));
    EXPECT_TRUE(supports(model, {.extension = "com.example.other", .typeWithinExtension = 2}));
    // SOFTMAX is number 25, and belongs to no extension, even if one has prefix 0.
    model = softmaxModel();
    model.extensionNameToPrefix = {{"com.example.test", 0}};
    EXPECT_FALSE(supports(model, {.extension = "com.example.test", .typeWithinExtension = 25}));
}

TEST(DeviceProfile, InvalidEntries) {
    struct Broken {
        Entry entry;
        std::string message;
    };
    const Broken kRows[] = {
            {{.type = OperationType::SOFTMAX, .operands = {{.name = "gamma"}}},
             "operations[0].operands[0]: name is \"gamma\", allowed an operand of SOFTMAX "
             "[device.entry]"},
            {{.type = OperationType::SOFTMAX, .operands = {{.name = "output"}, {.name = "in"}}},
             "operations[0].operands[1]: name is \"in\", allowed an operand of SOFTMAX "
             "[device.entry]"},
            {{.type = OperationType::OEM_OPERATION, .operands = {{.name = "input"}}},
             "operations[0].operands[0]: name is \"input\", allowed an operand of OEM_OPERATION "
             "[device.entry]"},
            {{.type = OperationType::SOFTMAX, .liftedRules = {"softmax.rank", "softmaxrank"}},
             "operations[0].liftedRules[1]: is \"softmaxrank\", allowed a rule of SOFTMAX, which "
             "begins with 'softmax.' [device.entry]"},
            {{.type = static_cast<OperationType>(9999),
              .operands = {{.name = "input"}},
              .liftedRules = {"softmax.rank"}},
             "operations[0]: type is 9999, " + kAllowedOperationTypes},
            {{.extension = "com.example.test", .liftedRules = {"softmax.rank"}},
             "operations[0]: limits or lifted rules are given, allowed none for an extension's "
             "operation [device.entry]"},
            {{.type = OperationType::SOFTMAX, .liftedRules = {"relu.rank"}},
             "operations[0].liftedRules[0]: is \"relu.rank\", allowed a rule of SOFTMAX, which "
             "begins with 'softmax.' [device.entry]"},
            {{.type = OperationType::SOFTMAX,
              .operands = {{.name = "input"}, {.name = "beta"}, {.name = "input"}}},
             "operations[0].operands[2]: name is \"input\", allowed each operand once "
             "[device.entry]"},
            {{.type = OperationType::SOFTMAX,
              .operands = {{.name = "input",
                            .types = {TENSOR_FLOAT32, static_cast<OperandType>(999)}}}},
             "operations[0].operands[0].types[1]: type is 999, allowed 0 to 15, 10000, 10001 and "
             "extension types [operand.type]"},
            {{.type = OperationType::SOFTMAX,
              .operands = {{.name = "input", .minRank = 5, .maxRank = 1}}},
             "operations[0].operands[0]: the bounds of the rank are 5 to 1, allowed numbers, "
             "the first at most the second [device.entry]"},
            {{.type = OperationType::SOFTMAX,
              .operands = {{.name = "beta", .minValue = std::nan("")}}},
             "operations[0].operands[0]: the bounds of the value are nan to inf, allowed numbers, "
             "the first at most the second [device.entry]"},
            {{.type = OperationType::SOFTMAX,
              .operands = {{.name = "beta", .values = {1, std::nan("")}}}},
             "operations[0].operands[0].values[1]: is nan, allowed a number [device.entry]"},
            {{.type = OperationType::SOFTMAX, .operands = {{.name = std::string(65, 'x')}}},
             "operations[0].operands[0]: name is \"" + std::string(64, 'x') +
                     "\"..., allowed an operand of SOFTMAX [device.entry]"},
            {{.type = static_cast<OperationType>(9999)},
             "operations[0]: type is 9999, " + kAllowedOperationTypes},
            {{.extension = "com.example.test", .operands = {{.name = "input"}}},
             "operations[0]: limits or lifted rules are given, allowed none for an extension's "
             "operation [device.entry]"},
    };
    for (const Broken& row : kRows) {
        EXPECT_THAT(supportedOperations(softmaxModel(), {.operations = {row.entry}}),
                    Refuses(row.message));
    }
}

}  // namespace
}  // namespace nn::device_profile_test
