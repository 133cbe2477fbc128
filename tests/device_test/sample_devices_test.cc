// The sample devices: their properties, the random models of every operation that they support, and
// their errors.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <random>

#include "device_test/cases/hidl_callbacks.h"
#include "device_test/program.h"
#include "nnapi/convert.h"
#include "nnapi/driver/adapt.h"
#include "nnapi/driver/sample.h"
#include "nnapi/generate/generate.h"
#include "nnapi/hal/v1_3_interfaces.h"
#include "nnapi/memory.h"
#include "nnapi/type_utils.h"

namespace nn::sample_test {
namespace {

using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Info = Capabilities::PerformanceInfo;

SharedDevice sample(const std::string& name) {
    for (const ReferenceDeviceOptions& options : sampleDevices()) {
        if (options.name == "nnapi-sample_" + name) return referenceDevice(options);
    }
    ADD_FAILURE() << "there is no sample " << name;
    return nullptr;
}

// Rule sample.names_and_speeds: time and power of float32, relaxed, and of all else. Rule
// sample.properties.
TEST(Samples, SayWhatTheyAre) {
    const struct {
        const char* name;
        Info float32, relaxed, others;
    } kRows[] = {
            {"all", {1.1f, 1.1f}, {1.1f, 1.1f}, {1.1f, 1.1f}},
            {"float_fast", {0.8f, 1.2f}, {0.7f, 1.1f}, {1, 1}},
            {"float_slow", {1.3f, 0.7f}, {1.2f, 0.6f}, {1, 1}},
            {"minimal", {0.4f, 0.5f}, {0.4f, 0.5f}, {1, 1}},
            {"quant", {50, 1}, {50, 1}, {50, 1}},
            {"sl", {1, 1}, {1, 1}, {1, 1}},
    };
    EXPECT_EQ(sampleDevices().size(), std::size(kRows));
    for (const auto& row : kRows) {
        const SharedDevice device = sample(row.name);
        ASSERT_NE(device, nullptr);
        EXPECT_EQ(device->getVersionString(), "JUST_AN_EXAMPLE");
        EXPECT_EQ(device->getType(), DeviceType::CPU);
        EXPECT_EQ(device->getFeatureLevel(), kNewestVersion);
        EXPECT_THAT(device->getSupportedExtensions(), IsEmpty());
        EXPECT_EQ(device->getNumberOfCacheFilesNeeded(), std::pair(0u, 0u));

        const Capabilities& says = device->getCapabilities();
        EXPECT_EQ(says.relaxedFloat32toFloat16PerformanceScalar, row.relaxed) << row.name;
        EXPECT_EQ(says.relaxedFloat32toFloat16PerformanceTensor, row.relaxed) << row.name;
        EXPECT_EQ(says.ifPerformance, row.others) << row.name;
        EXPECT_EQ(says.whilePerformance, row.others) << row.name;
        for (const OperandTypeInfo& info : operandTypes()) {
            const bool isFloat32 =
                    info.type == OperandType::FLOAT32 || info.type == OperandType::TENSOR_FLOAT32;
            // Graphs have figures of their own; AIDL would refuse types of OEMs.
            const bool isNone = info.type >= OperandType::SUBGRAPH;
            EXPECT_EQ(says.operandPerformance.lookup(info.type), isNone      ? Info{}
                                                                 : isFloat32 ? row.float32
                                                                             : row.others)
                    << row.name << " " << info.name;
        }
    }
}

// ---- support

using Expectation = bool (*)(const Operation& operation, OperandType first, OperandType second);

bool isQuantized(OperandType type) {
    return type == OperandType::TENSOR_QUANT8_ASYMM ||
           type == OperandType::TENSOR_QUANT8_ASYMM_SIGNED;
}

struct PartRow {
    const char* name;
    Expectation wanted;
};

// Rules sample.all, sample.float, sample.minimal and sample.quant.
const PartRow kParts[] = {
        {"all", [](const Operation&, OperandType, OperandType) { return true; }},
        {"sl", [](const Operation&, OperandType, OperandType) { return true; }},
        {"float_fast", [](const Operation&, OperandType first,
                          OperandType) { return first == OperandType::TENSOR_FLOAT32; }},
        {"float_slow", [](const Operation&, OperandType first,
                          OperandType) { return first == OperandType::TENSOR_FLOAT32; }},
        {"minimal",
         [](const Operation& operation, OperandType first, OperandType) {
             return first == OperandType::TENSOR_FLOAT32 &&
                    (operation.type == OperationType::ADD ||
                     operation.type == OperationType::CONCATENATION ||
                     operation.type == OperationType::CONV_2D);
         }},
        {"quant",
         [](const Operation& operation, OperandType first, OperandType second) {
             return isQuantized(operation.type == OperationType::SELECT ? second : first);
         }},
};

Model randomModel(OperationType type, uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<uint8_t> bytes(2048);
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
    nn::testing::Source source(bytes);
    return nn::testing::validModel(
            source, {.maxOperations = 3, .operations = {&type, 1}, .featureLevel = kNewestVersion});
}

TEST(Samples, SupportTheirPartOfEveryOperation) {
    const SharedDevice reference = referenceDevice();
    for (const PartRow& row : kParts) {
        const SharedDevice device = sample(row.name);
        size_t supported = 0, refused = 0;
        for (const OperationTypeInfo& info : operationTypes()) {
            for (uint32_t seed = 0; seed < 12; ++seed) {
                const Model model = randomModel(info.type, seed);
                const auto all = reference->getSupportedOperations(model);
                const auto part = device->getSupportedOperations(model);
                ASSERT_TRUE(all.has_value()) << all.status();
                ASSERT_TRUE(part.has_value()) << part.status();
                for (size_t i = 0; i < all->size(); ++i) {
                    const Operation& operation = model.main.operations[i];
                    const auto typeOf = [&](size_t k) {
                        return k < operation.inputs.size()
                                       ? model.main.operands[operation.inputs[k]].type
                                       : OperandType::OEM;
                    };
                    const bool wanted = (*all)[i] && row.wanted(operation, typeOf(0), typeOf(1));
                    EXPECT_EQ((*part)[i], wanted) << row.name << " " << info.name << " " << seed;
                    ++(wanted ? supported : refused);
                }
            }
        }
        EXPECT_GT(supported, 0u) << row.name;
        EXPECT_GT(refused, 100u) << row.name;  // also models that cannot be executed
    }
}

// Rules sample.all and sample.float: operations of extensions, and those of manufacturers.
TEST(Samples, SupportNoOperationsOfOthers) {
    const Operand tensor{.type = OperandType::TENSOR_FLOAT32,
                         .dimensions = {4},
                         .lifetime = Operand::LifeTime::SUBGRAPH_INPUT};
    Model model;
    model.main.operands = {tensor, tensor};
    model.main.operands[1].lifetime = Operand::LifeTime::SUBGRAPH_OUTPUT;
    model.main.inputIndexes = {0};
    model.main.outputIndexes = {1};
    model.extensionNameToPrefix = {{.name = "com.example.unknown", .prefix = 1}};
    for (const OperationType type :
         {static_cast<OperationType>(1u << 16), OperationType::OEM_OPERATION}) {
        model.main.operations = {{.type = type, .inputs = {0}, .outputs = {1}}};
        for (const PartRow& row : kParts) {
            const auto supported = sample(row.name)->getSupportedOperations(model);
            ASSERT_TRUE(supported.has_value()) << supported.status();
            EXPECT_THAT(*supported, ElementsAre(false)) << row.name;
        }
    }
}

// ---- errors

// z = op(x), of a type.
Model unary(OperationType operation, OperandType type) {
    Operand tensor{.type = type, .dimensions = {4}};
    if (isQuantized(type)) tensor.scale = 1.0f / 256;
    Model model;
    model.main.operands = {tensor, tensor};
    model.main.operands[0].lifetime = Operand::LifeTime::SUBGRAPH_INPUT;
    model.main.operands[1].lifetime = Operand::LifeTime::SUBGRAPH_OUTPUT;
    model.main.operations = {{.type = operation, .inputs = {0}, .outputs = {1}}};
    model.main.inputIndexes = {0};
    model.main.outputIndexes = {1};
    return model;
}

GeneralResult<SharedPreparedModel> prepare(const IDevice& device, const Model& model,
                                           ExecutionPreference preference, Priority priority,
                                           OptionalTimePoint deadline) {
    return device.prepareModel(model, preference, priority, deadline, {}, {}, {}, {}, {});
}

// Rule sample.checked_model: nothing is looked up in a model before it was checked.
TEST(Samples, CheckModelsFirst) {
    Model model = unary(OperationType::RELU, OperandType::TENSOR_FLOAT32);
    model.main.operations[0].inputs = {4711};
    Model none = model;
    none.main.operations[0].inputs = {};
    for (const PartRow& row : kParts) {
        for (const Model& each : {model, none}) {
            EXPECT_EQ(sample(row.name)->getSupportedOperations(each).error().code,
                      ErrorStatus::INVALID_ARGUMENT)
                    << row.name;
        }
    }
}

class Client final : public parts::PreparationCallback<Client> {
   public:
    hidl::Return<void> notified(HalVersion by, auto status,
                                const hidl::sp<V1_0::IPreparedModel>& model) {
        EXPECT_EQ(by, HalVersion::V1_3);
        told.emplace_back(static_cast<V1_3::ErrorStatus>(status), model != nullptr);
        return hidl::Void();
    }
    std::vector<std::pair<V1_3::ErrorStatus, bool>> told{};
};

// Rule sample.unsupported_model, for the device and the driver that is made of it.
TEST(Samples, PrepareNoPart) {
    const Model model = unary(OperationType::RELU, OperandType::TENSOR_QUANT8_ASYMM);
    const auto refused = prepare(*sample("float_fast"), model, ExecutionPreference::DEFAULT,
                                 Priority::DEFAULT, {});
    EXPECT_EQ(refused.error().code, ErrorStatus::INVALID_ARGUMENT);
    EXPECT_EQ(refused.error().message,
              "main.operations[0] RELU: input 0 'input' (operand 0) is TENSOR_QUANT8_ASYMM, "
              "allowed TENSOR_FLOAT32 on the device [device.types]");
    EXPECT_EQ(prepare(*sample("minimal"), unary(OperationType::RELU, OperandType::TENSOR_FLOAT32),
                      ExecutionPreference::DEFAULT, Priority::DEFAULT, {})
                      .error()
                      .message,
              "main.operations[0] RELU: is not supported by the device [device.operation]");

    const auto versioned = V1_3::utils::convert(model);
    ASSERT_TRUE(versioned.ok());
    const auto driver = hal::adapter::adapt(
            sample("float_fast"),
            hal::adapter::AdaptOptions{
                    .executor = [](hal::adapter::Task task, const OptionalTimePoint&) { task(); }});
    const auto client = hidl::sp<Client>::make();
    const hidl::Return<V1_3::ErrorStatus> launched =
            (*driver)->prepareModel_1_3(*versioned, V1_1::ExecutionPreference::FAST_SINGLE_ANSWER,
                                        V1_3::Priority::MEDIUM, {}, {}, {}, {}, client);
    EXPECT_EQ(static_cast<V1_3::ErrorStatus>(launched), V1_3::ErrorStatus::NONE);
    EXPECT_THAT(client->told, ElementsAre(std::pair(V1_3::ErrorStatus::INVALID_ARGUMENT, false)));
}

// Rule sample.order_of_refusals: of several reasons the first is reported.
TEST(Samples, OrderOfReasons) {
    const Model good = unary(OperationType::RELU, OperandType::TENSOR_FLOAT32);
    const Model foreign = unary(OperationType::RELU, OperandType::TENSOR_QUANT8_ASYMM);
    Model bad = good;
    bad.main.operations.clear();
    const auto kNoPreference = static_cast<ExecutionPreference>(7);
    const auto kNoPriority = static_cast<Priority>(7);
    const OptionalTimePoint past = Clock::now() - std::chrono::seconds(1);
    const struct {
        const char* name;
        const Model& model;
        ExecutionPreference preference;
        Priority priority;
        OptionalTimePoint deadline;
        ErrorStatus code;
    } kRows[] = {
            {"good", good, ExecutionPreference::DEFAULT, Priority::DEFAULT, {}, ErrorStatus::NONE},
            {"model", bad, ExecutionPreference::DEFAULT, Priority::DEFAULT, past,
             ErrorStatus::INVALID_ARGUMENT},
            {"preference", good, kNoPreference, Priority::DEFAULT, past,
             ErrorStatus::INVALID_ARGUMENT},
            {"priority", good, ExecutionPreference::DEFAULT, kNoPriority, past,
             ErrorStatus::INVALID_ARGUMENT},
            {"not supported", foreign, ExecutionPreference::DEFAULT, Priority::DEFAULT, past,
             ErrorStatus::INVALID_ARGUMENT},
            {"deadline", good, ExecutionPreference::DEFAULT, Priority::DEFAULT, past,
             ErrorStatus::MISSED_DEADLINE_PERSISTENT},
    };
    for (const auto& row : kRows) {
        const auto prepared = prepare(*sample("float_fast"), row.model, row.preference,
                                      row.priority, row.deadline);
        EXPECT_EQ(prepared.has_value() ? ErrorStatus::NONE : prepared.error().code, row.code)
                << row.name;
    }

    // A pool that cannot be read.
    const UniqueFd file(open("/tmp", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600));
    ASSERT_TRUE(file.ok() && ftruncate(file.get(), 16) == 0);
    const auto pool = createSharedMemory(16, PROT_READ, file.get(), 0);
    ASSERT_TRUE(pool.ok()) << pool.status();
    Model unreadable = good;
    Operand constant = good.main.operands[0];
    constant.lifetime = Operand::LifeTime::CONSTANT_REFERENCE;
    constant.location = {.poolIndex = 0, .length = 16};
    unreadable.main.operands.push_back(constant);
    unreadable.main.operands.push_back({.type = OperandType::TENSOR_FLOAT32,
                                        .dimensions = {4},
                                        .lifetime = Operand::LifeTime::SUBGRAPH_OUTPUT});
    unreadable.main.operations.push_back(
            {.type = OperationType::RELU, .inputs = {2}, .outputs = {3}});
    unreadable.main.outputIndexes.push_back(3);
    unreadable.pools = {*pool};
    const auto prepared = prepare(*sample("float_fast"), unreadable, ExecutionPreference::DEFAULT,
                                  Priority::DEFAULT, {});
    ASSERT_FALSE(prepared.has_value());
    EXPECT_THAT(prepared.error().code,
                AnyOf(ErrorStatus::INVALID_ARGUMENT, ErrorStatus::GENERAL_FAILURE));
}

// Rule device_test.stress, and all others: nothing is wrong with any of them.
TEST(Samples, KeepTheRules) {
    for (const ReferenceDeviceOptions& options : sampleDevices()) {
        // Their arithmetic, of kind numbers, is that of the reference.
        const auto ran =
                device_test_test::runProgram(device_test_test::casesWithNumbersOf("ADD|CONV_2D") +
                                             " --jobs 2 --device " + options.name);
        EXPECT_EQ(ran.code, 0) << options.name << ran.output;
        EXPECT_THAT(ran.output, ::testing::ContainsRegex("basics +1[0-4] ")) << ran.output;
    }
}

// ---- overlays of users

TEST(ReferenceDevice, TakesAnOverlay) {
    const Model model = unary(OperationType::RELU, OperandType::TENSOR_FLOAT32);
    const auto with = [](DeviceProfile overlay) {
        return referenceDevice({.overlay = std::move(overlay)});
    };
    // Entries for extensions and lifted rules make it do no more than it does.
    EXPECT_THAT(
            *with({.operations = {{.type = OperationType::RELU}}})->getSupportedOperations(model),
            ElementsAre(true));
    EXPECT_THAT(
            *with({.operations = {{.type = OperationType::TANH}}})->getSupportedOperations(model),
            ElementsAre(false));
    EXPECT_THAT(*with({.version = kVersionFeatureLevel1, .supportsOthers = true})
                         ->getSupportedOperations(
                                 unary(OperationType::NEG, OperandType::TENSOR_FLOAT32)),
                ElementsAre(false));
    Model scalar = unary(OperationType::SOFTMAX, OperandType::TENSOR_FLOAT32);
    EXPECT_FALSE(with({.operations = {{.type = OperationType::SOFTMAX,
                                       .liftedRules = {"softmax.inputs"}}}})
                         ->getSupportedOperations(scalar)
                         .has_value());
    // An illegal one is reported each time.
    const auto odd =
            with({.operations = {{.type = OperationType::RELU, .operands = {{.name = "nobody"}}}}});
    EXPECT_EQ(odd->getSupportedOperations(model).error().code, ErrorStatus::INVALID_ARGUMENT);
    EXPECT_EQ(prepare(*odd, model, ExecutionPreference::DEFAULT, Priority::DEFAULT, {})
                      .error()
                      .message,
              odd->getSupportedOperations(model).error().message);
    // A model that it does not allow is not loaded from a cache either: it is never saved.
    const auto prepared =
            prepare(*with({}), model, ExecutionPreference::DEFAULT, Priority::DEFAULT, {});
    EXPECT_EQ(prepared.error().code, ErrorStatus::INVALID_ARGUMENT);
}

}  // namespace
}  // namespace nn::sample_test
