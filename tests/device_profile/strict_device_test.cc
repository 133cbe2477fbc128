// Valid models that a strict device does not support, and the reasons.
#include <fmt/format.h>

#include <functional>

#include "nnapi/device_profile.h"
#include "nnapi/memory.h"
#include "nnapi/validated_model.h"
#include "validate/models.h"

namespace nn::strict_device_test {
namespace {

using enum OperandType;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr Version kNewest{.level = Version::Level::FEATURE_LEVEL_8, .runtimeOnlyFeatures = true};

DeviceProfile strictDevice() {
    return {.version = kNewest, .supportsOthers = true, .isStrict = true};
}

// All reasons, those about operations first.
std::vector<std::string> reasonsOf(const Model& model, const DeviceProfile& device = strictDevice(),
                                   const SupportOptions& options = {}) {
    const Result<DeviceSupport> support = supportedOperations(model, device, options);
    EXPECT_TRUE(support.ok()) << support.status();
    if (!support.ok()) return {};
    std::vector<std::string> texts;
    for (const OperationSupport& operation : support->operations) {
        for (const Diagnostic& reason : operation.reasons) texts.push_back(toString(reason));
    }
    for (const Diagnostic& reason : support->reasons) texts.push_back(toString(reason));
    EXPECT_EQ(support->all(), texts.empty());
    return texts;
}

Operand pooled(Model& model, SharedMemory pool) {
    Operand operand = operandOf(FLOAT32, {}, LifeTime::CONSTANT_REFERENCE);
    operand.location = {.poolIndex = static_cast<uint32_t>(model.pools.size()), .length = 4};
    model.pools.push_back(std::move(pool));
    return operand;
}

struct Row {
    const char* name;
    Model (*legal)();
    std::function<void(Model&)> change;
    std::vector<std::string> reasons;
};

TEST(StrictDevice, ReportsWhatCannotBePrepared) {
    const std::string kBeta0 =
            "main.operations[0] SOFTMAX: input 1 'beta' (operand 1) is -1, allowed above 0 "
            "[softmax.beta]";
    const std::string kBeta1 =
            "main.operations[1] SOFTMAX: input 1 'beta' (operand 1) is -1, allowed above 0 "
            "[softmax.beta]";
    const Row kRows[] = {
            {"Fits", softmaxModel, [](Model&) {}, {}},
            {"Parameter",
             softmaxModel,
             [](Model& m) { m.main.operands[1] = constantOf<float>(m, FLOAT32, {}, {-1.0f}); },
             {kBeta0, kBeta1}},
            {"ParameterInAPool",
             softmaxModel,
             [](Model& m) {
                 const SharedMemory pool = createSharedMemory(4).value();
                 const float beta = -1.0f;
                 std::memcpy(map(pool)->mutableData(), &beta, sizeof(beta));
                 m.main.operands[1] = pooled(m, pool);
             },
             {kBeta0, kBeta1}},
            {"PoolThatIsNotThere",
             softmaxModel,
             [](Model& m) {
                 m.main.operands[1] = pooled(m, std::make_shared<const Memory>(Memory{
                                                        Memory::Unknown{.size = 4, .name = "a"}}));
             },
             {"main.operands[1]: memory is of a kind that cannot be mapped on this host "
              "[interpreter.constant]",
              "main.operands[1]: memory is of a kind that cannot be mapped on this host "
              "[interpreter.constant]"}},
            {"Shapes",
             softmaxModel,
             [](Model& m) {
                 m.main.operands[2].dimensions = {};
                 m.main.operands[3].dimensions = {2, 4};
             },
             {"main.operations[1] SOFTMAX: output 0 'output' (operand 3) has dimensions [2, 4], "
              "but the operation gives [2, 3] [operation.output_shape]"}},
            {"NoValueForAGraph",
             ifModel,
             [](Model& m) {
                 m.main.operands[3].lifetime = LifeTime::NO_VALUE;
                 m.main.inputIndexes = {0};
             },
             {"main.operations[0] IF: input 3 (operand 3) has no value, allowed only for optional "
              "operands [interpreter.omitted]"}},
            {"InAGraph",
             ifModel,
             [](Model& m) {
                 m.referenced[1].operands[1] = constantOf<float>(m, FLOAT32, {}, {0.0f});
                 m.referenced[1].operations.pop_back();
                 m.referenced[1].operands.erase(m.referenced[1].operands.begin() + 2);
                 m.referenced[1].operations[0].outputs = {2};
                 m.referenced[1].outputIndexes = {2};
             },
             {"referenced[1].operations[0] SOFTMAX: input 1 'beta' (operand 1) is 0, allowed above "
              "0 [softmax.beta]"}},
            {"InAGraphThatNobodyNames",
             softmaxModel,
             [](Model& m) {
                 m.referenced = {m.main};
                 m.referenced[0].operands[2].dimensions = {5};
             },
             {"referenced[0].operations[0] SOFTMAX: output 0 'output' (operand 2) has dimensions "
              "[5], but the operation gives [2, 3] [operation.output_shape]"}},
            {"OperandOfNoOperation",
             softmaxModel,
             [](Model& m) {
                 m.main.operands.push_back(operandOf(OEM, {}, LifeTime::SUBGRAPH_INPUT));
                 m.main.inputIndexes = {0, 4};
             },
             {"main.operands[4]: not implemented: values of type OEM [interpreter.type]"}},
            {"OemOperation",
             [] { return modelReading(operandOf(FLOAT32, {}, LifeTime::SUBGRAPH_INPUT)); },
             [](Model&) {},
             {"main.operations[0] OEM_OPERATION: not implemented: OEM_OPERATION "
              "[interpreter.operation]"}},
            {"Extension",
             extensionModel,
             [](Model&) {},
             {"main.operations[0] com.example.test:2: operation 2 of extension com.example.test "
              "(prefix 3) is not registered: give its ExtensionOperations in "
              "PrepareOptions::extensions [interpreter.extension]",
              "main.operands[0]: operand 1 of extension com.example.test (prefix 3) is not "
              "registered: give its ExtensionOperations in PrepareOptions::extensions "
              "[interpreter.extension]"}},
    };
    for (const Row& row : kRows) {
        Model model = row.legal();
        row.change(model);
        ASSERT_TRUE(validate(model).ok()) << row.name << ": " << validate(model).status();
        EXPECT_EQ(reasonsOf(model), row.reasons) << row.name;
        DeviceProfile lenient = strictDevice();
        lenient.isStrict = false;
        EXPECT_THAT(reasonsOf(model, lenient), IsEmpty()) << row.name;
    }
}

TEST(StrictDevice, LeavesVendorsOperationsToEntriesAndRegistrations) {
    const Model model = extensionModel();
    DeviceProfile device = strictDevice();
    device.operations = {{.extension = "com.example.test", .typeWithinExtension = 2}};
    EXPECT_THAT(reasonsOf(model, device), IsEmpty());
    device.operations = {{.type = OperationType::OEM_OPERATION}};
    EXPECT_THAT(reasonsOf(modelReading(operandOf(OEM, {}, LifeTime::SUBGRAPH_INPUT)), device),
                IsEmpty());

    ExtensionOperations test{
            .extension = {.name = "com.example.test",
                          .operandTypes = {{.type = 1, .isTensor = true, .byteSize = 2}}},
            .operations = {
                    {.number = 2, .compute = [](const ExtensionCall&) { return Status(); }}}};
    const auto registered = [&] {
        return SupportOptions{.extensions = {std::make_shared<const ExtensionOperations>(test)}};
    };
    EXPECT_THAT(reasonsOf(model, strictDevice(), registered()), IsEmpty());
    test.operations[0].validate = [](const ExtensionCall& call) {
        return makeError(ErrorStatus::INVALID_ARGUMENT,
                         fmt::format("{} outputs", call.outputs.size()));
    };
    EXPECT_THAT(reasonsOf(model, strictDevice(), registered()),
                ElementsAre("main.operations[0] com.example.test:2: 1 outputs "
                            "[interpreter.extension]"));
    test.operations[0].compute = nullptr;
    EXPECT_THAT(supportedOperations(model, strictDevice(), registered()),
                Refuses("extension com.example.test: operation 2 has no compute "
                        "[interpreter.extension]"));
}

// An extension receives its constants wherever they lie, aligned for its elements.
TEST(StrictDevice, PassesConstantsToExtensions) {
    std::vector<uint8_t> seen;
    const auto test = std::make_shared<const ExtensionOperations>(ExtensionOperations{
            .extension = {.name = "com.example.test",
                          .operandTypes = {{.type = 1, .isTensor = true, .byteSize = 8}}},
            .operations = {{.number = 2,
                            .validate =
                                    [&](const ExtensionCall& call) {
                                        const auto& data = call.inputs[0].data;
                                        seen.assign(data.begin(), data.end());
                                        EXPECT_EQ(reinterpret_cast<uintptr_t>(data.data()) % 8, 0u);
                                        return Status();
                                    },
                            .compute = [](const ExtensionCall&) { return Status(); }}}});
    const std::vector<uint8_t> kBytes = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    const std::vector<uint8_t> kValue(kBytes.begin() + 1, kBytes.end());
    Model model = extensionModel();
    Operand& operand = model.main.operands[0];
    operand.dimensions = {1};
    model.main.inputIndexes = {};
    model.operandValues = Model::OperandValues(kBytes);
    model.pools = {createSharedMemory(kBytes.size()).value()};
    std::ranges::copy(kBytes, map(model.pools[0])->mutableData());
    struct Place {
        LifeTime lifetime;
        DataLocation location;
    };
    const Place kPlaces[] = {
            {LifeTime::CONSTANT_COPY, {.offset = 1, .length = 8}},
            {LifeTime::CONSTANT_REFERENCE, {.offset = 1, .length = 8}},
            {LifeTime::POINTER,
             {.pointer = static_cast<const void*>(kBytes.data() + 1), .length = 8}},
    };
    for (const auto& [lifetime, location] : kPlaces) {
        operand.lifetime = lifetime;
        operand.location = location;
        seen.clear();
        EXPECT_THAT(reasonsOf(model, strictDevice(), {.extensions = {test}}), IsEmpty());
        EXPECT_EQ(seen, kValue) << toString(lifetime);
    }
    operand.dimensions = {2};
    EXPECT_THAT(reasonsOf(model, strictDevice(), {.extensions = {test}}),
                ElementsAre("main.operands[0]: length is 8, allowed 16 [interpreter.constant]"));
}

// A lifted rule is not a reason, even if shape inference checks it again.
TEST(StrictDevice, LiftedRulesAreNoReason) {
    Model model = softmaxModel();
    for (const size_t i : {0, 2, 3}) model.main.operands[i].dimensions = {1, 1, 1, 2, 3};
    EXPECT_FALSE(validate(model).ok());
    DeviceProfile device = strictDevice();
    device.operations = {{.type = OperationType::SOFTMAX, .liftedRules = {"softmax.rank"}}};
    EXPECT_THAT(reasonsOf(model, device), IsEmpty());
}

TEST(StrictDevice, CountsTheRankAmongLimits) {
    EXPECT_THAT(supportedOperations(softmaxModel(), strictDevice(), {.limits = {.operations = 1}})
                        .status()
                        .message(),
                "main: has 2 operations, allowed 1 [limits.operations]");
}

TEST(StrictDevice, EndsEarly) {
    using namespace std::chrono_literals;
    const Model model = softmaxModel();
    const ValidatedModel checked = validateModel(model).value();
    for (const EarlyEnd& row : earlyEnds("the check of what a device supports")) {
        const SupportOptions options{.limits = row.limits, .until = row.until};
        const Status status = supportedOperations(checked, strictDevice(), options).status();
        EXPECT_EQ(errorStatus(status), row.code) << row.message;
        EXPECT_EQ(std::string(status.message()), row.message);
        if (row.limits.time == 0) continue;  // reported by the validation
        EXPECT_EQ(supportedOperations(model, strictDevice(), options).status(), status);
    }
    const StopCondition later{.deadline = Clock::now() + 1h, .isCancelled = [] { return false; }};
    EXPECT_EQ(reasonsOf(model, strictDevice(), {.until = later}), std::vector<std::string>());
}

// A stop request while graphs are checked, before the main one.
TEST(StrictDevice, EndsEarlyInAReferencedGraph) {
    Model model = softmaxModel();
    model.referenced.assign(40, model.main);
    int looks = 0;
    const StopCondition until{.isCancelled = [&] { return ++looks > 1; }};
    DeviceProfile device = strictDevice();
    device.operations.assign(4096, {.type = OperationType::ADD});
    const Status status =
            supportedOperations(validateModel(model).value(), device, {.until = until}).status();
    EXPECT_EQ(std::string(status.message()),
              "the check of what a device supports was stopped [until.stop]");
}

}  // namespace
}  // namespace nn::strict_device_test
