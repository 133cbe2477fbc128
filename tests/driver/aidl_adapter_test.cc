// A canonical device offered to clients of AIDL 1 to 4. The table of faults_test.cc covers failures
// of calls in general. The numbers are those of the rules.

#include "device_test/cases/device_parts.h"
#include "driver/adapter_fakes.h"
#include "held_by_process.h"
#include "nnapi/driver/forwarding.h"
#include "nnapi/hal/aidl/clone.h"
#include "nnapi/hal/aidl/interfaces.h"

namespace nn::aidl_adapter_test {
namespace {

using driver_adapter_fakes::FakeDevice;
using driver_adapter_fakes::FakePreparedModel;
using driver_adapter_fakes::Script;
using hal::adapter::adaptAidl;
using ndk::ScopedAStatus;
using ndk::ScopedFileDescriptor;
using testing::ElementsAre;
using testing::HasSubstr;
using enum HalVersion;

constexpr HalVersion kVersions[] = {AIDL1, AIDL2, AIDL3, AIDL4};
constexpr int64_t kNoTime = -1;
constexpr auto kInvalid = static_cast<int32_t>(aidl_hal::ErrorStatus::INVALID_ARGUMENT);
constexpr auto kGeneral = static_cast<int32_t>(aidl_hal::ErrorStatus::GENERAL_FAILURE);
using SharedModel = std::shared_ptr<aidl_hal::IPreparedModel>;
using Files = std::vector<ScopedFileDescriptor>;

const std::vector<uint8_t> kToken(32);

class Client final : public aidl_hal::BnPreparedModelCallback {
   public:
    ScopedAStatus notify(aidl_hal::ErrorStatus status, const SharedModel& model) override {
        statuses.push_back(static_cast<int32_t>(status));
        preparedModel = model;
        return ScopedAStatus::ok();
    }
    std::vector<int32_t> statuses{};
    SharedModel preparedModel{};
};

// The code of a failure of the service; 0 for a success.
int32_t codeOf(const ScopedAStatus& status) { return status.getServiceSpecificError(); }

hal::adapter::AdaptOptions inThisThread() { return {.executor = driver_adapter_fakes::runInline}; }

std::shared_ptr<aidl_hal::IDevice> makeDriver(const std::shared_ptr<Script>& script,
                                              HalVersion version = AIDL4) {
    return adaptAidl(std::make_shared<const FakeDevice>(script), version, inThisThread()).value();
}

aidl_hal::Model modelOf(const Model& model) { return unvalidatedConvertTo<AIDL4>(model).value(); }

SharedModel prepareOn(aidl_hal::IDevice& driver, const Model& model = addition()) {
    const auto client = ndk::SharedRefBase::make<Client>();
    EXPECT_TRUE(
            driver.prepareModel(modelOf(model), {}, {}, kNoTime, {}, {}, kToken, client).isOk());
    EXPECT_THAT(client->statuses, ElementsAre(0));
    return client->preparedModel;
}

// z = x + y in one pool.
aidl_hal::Request pooled() { return AIDL1::utils::convert(PooledSum().request()).value(); }

// Counts executions, which succeed.
void countExecutions(Script& script, int& executed) {
    script.execute = [&](const auto&) {
        ++executed;
        return ExecutionResult<Executed>(Executed{});
    };
}

// Bursts that execute as the prepared models of the script do.
void giveBursts(const std::shared_ptr<Script>& script) {
    script->burst = [script = std::weak_ptr(script)] {
        return V1_0::utils::Burst::create(std::make_shared<const FakePreparedModel>(script.lock()));
    };
}

ScopedFileDescriptor openFile() { return ScopedFileDescriptor(memfd_create("file", MFD_CLOEXEC)); }

Files filesOf(ScopedFileDescriptor fd) {
    Files files;
    files.push_back(std::move(fd));
    return files;
}

class AidlAdapter : public testing::Test {
   protected:
    const std::shared_ptr<Script> script = std::make_shared<Script>();
    const std::shared_ptr<aidl_hal::IDevice> driver = makeDriver(script);
    const SharedModel model = prepareOn(*driver);
};
class AidlHostileClient : public AidlAdapter {};

// ---- versions

TEST_F(AidlAdapter, NeedsADeviceAndAVersionOfAidl) {
    const auto device = std::make_shared<const FakeDevice>(script);
    EXPECT_THAT(adaptAidl(nullptr), Refuses(ErrorStatus::INVALID_ARGUMENT, "the device is null"));
    EXPECT_THAT(adaptAidl(device, V1_3),
                Refuses(ErrorStatus::INVALID_ARGUMENT,
                        "the version is HAL 1.3, allowed AIDL 1 to AIDL 4"));
    EXPECT_THAT(adaptAidl(device, HalVersion{99}),
                Refuses(ErrorStatus::INVALID_ARGUMENT,
                        "the version is none, allowed AIDL 1 to AIDL 4"));
}

// Rule aidl.version_4: each object reports the version and does not implement later methods.
TEST_F(AidlAdapter, HasTheMethodsOfItsVersion) {
    for (const HalVersion version : kVersions) {
        SCOPED_TRACE(toString(version));
        const auto script = std::make_shared<Script>();
        giveBursts(script);
        const auto driver = makeDriver(script, version);
        const SharedModel model = prepareOn(*driver);
        std::shared_ptr<aidl_hal::IBurst> burst;
        ASSERT_TRUE(model->configureExecutionBurst(&burst).isOk());
        const int32_t number = static_cast<int32_t>(version) - static_cast<int32_t>(AIDL1) + 1;
        int32_t says[3] = {};
        EXPECT_TRUE(driver->getInterfaceVersion(&says[0]).isOk());
        EXPECT_TRUE(model->getInterfaceVersion(&says[1]).isOk());
        EXPECT_TRUE(burst->getInterfaceVersion(&says[2]).isOk());
        EXPECT_THAT(says, ElementsAre(number, number, number));

        const auto client = ndk::SharedRefBase::make<Client>();
        aidl_hal::ExecutionResult result;
        aidl_hal::FencedExecutionResult fenced;
        std::shared_ptr<aidl_hal::IExecution> execution;
        aidl_hal::PrepareModelConfig preparing;
        preparing.deadlineNs = kNoTime;
        const aidl_hal::ExecutionConfig config{.loopTimeoutDurationNs = kNoTime};
        const aidl_hal::Request request = pooled();
        ScopedAStatus returned[5];
        returned[0] = driver->prepareModelWithConfig(modelOf(addition()), preparing, client);
        returned[1] = model->executeSynchronouslyWithConfig(request, config, kNoTime, &result);
        returned[2] =
                model->executeFencedWithConfig(request, {}, config, kNoTime, kNoTime, &fenced);
        returned[3] = model->createReusableExecution(request, config, &execution);
        returned[4] =
                burst->executeSynchronouslyWithConfig(request, {-1}, config, kNoTime, &result);
        for (size_t i = 0; i < std::size(returned); ++i) {
            if (version < AIDL4) {
                EXPECT_EQ(returned[i].getStatus(), STATUS_UNKNOWN_TRANSACTION) << i;
            } else if (i != 2) {  // the device has no fences
                EXPECT_TRUE(returned[i].isOk()) << i << returned[i].getDescription();
            } else {
                EXPECT_EQ(codeOf(returned[i]), kGeneral);
                EXPECT_STREQ(returned[i].getMessage(), "no fences");
            }
        }
        EXPECT_EQ(client->statuses.size(), version < AIDL4 ? 0u : 1u);
    }
}

// A driver written for an older version need not implement the methods of version 4.
TEST(AidlInterfaces, MethodsOfVersion4AreUnknownByDefault) {
    struct Old final : aidl_hal::BnBurstVersion<3> {
        ScopedAStatus executeSynchronously(const aidl_hal::Request&, const std::vector<int64_t>&,
                                           bool, int64_t, int64_t,
                                           aidl_hal::ExecutionResult*) override {
            return ScopedAStatus::ok();
        }
        ScopedAStatus releaseMemoryResource(int64_t) override { return ScopedAStatus::ok(); }
    };
    const std::shared_ptr<aidl_hal::IBurst> burst = ndk::SharedRefBase::make<Old>();
    aidl_hal::ExecutionResult result;
    EXPECT_EQ(burst->executeSynchronouslyWithConfig({}, {}, {}, kNoTime, &result).getStatus(),
              STATUS_UNKNOWN_TRANSACTION);
    std::string hash;
    EXPECT_TRUE(burst->getInterfaceHash(&hash).isOk());
    EXPECT_FALSE(hash.empty());
    EXPECT_EQ(burst->getInterfaceHash(nullptr).getExceptionCode(), EX_NULL_POINTER);
    EXPECT_EQ(burst->getInterfaceVersion(nullptr).getExceptionCode(), EX_NULL_POINTER);
}

// ---- properties of the device

TEST_F(AidlAdapter, ReportsDeviceProperties) {
    script->extensions = {{.name = "com.example.a"}};
    const auto driver = makeDriver(script);
    std::string version;
    aidl_hal::DeviceType type{};
    std::vector<aidl_hal::Extension> extensions;
    aidl_hal::NumberOfCacheFiles files;
    EXPECT_TRUE(driver->getVersionString(&version).isOk());
    EXPECT_TRUE(driver->getType(&type).isOk());
    EXPECT_TRUE(driver->getSupportedExtensions(&extensions).isOk());
    EXPECT_TRUE(driver->getNumberOfCacheFilesNeeded(&files).isOk());
    EXPECT_EQ(version, "7");
    EXPECT_EQ(type, aidl_hal::DeviceType::CPU);
    ASSERT_EQ(extensions.size(), 1u);
    EXPECT_EQ(extensions[0].name, "com.example.a");
    EXPECT_EQ(files, (aidl_hal::NumberOfCacheFiles{1, 2}));
}

// The original NNAPI aborts the process in these cases.
TEST_F(AidlAdapter, FailsWithWhatAidlCannotSay) {
    const Capabilities oem{.operandPerformance = Capabilities::OperandPerformanceTable::create(
                                                         {{.type = OperandType::OEM}})
                                                         .value()};
    script->capabilities = [&]() -> const Capabilities& { return oem; };
    script->type = DeviceType::UNKNOWN;
    script->files = {33, 0};
    const auto driver = makeDriver(script);
    aidl_hal::Capabilities capabilities;
    aidl_hal::DeviceType type{};
    aidl_hal::NumberOfCacheFiles files;
    EXPECT_EQ(codeOf(driver->getCapabilities(&capabilities)), kGeneral);
    EXPECT_EQ(codeOf(driver->getType(&type)), kGeneral);
    EXPECT_EQ(codeOf(driver->getNumberOfCacheFilesNeeded(&files)), kGeneral);
}

TEST_F(AidlAdapter, RejectsNullResultPointers) {
    script->fenced = [](const auto&) {
        return GeneralResult<ExecutedFenced>(
                ExecutedFenced{SyncFence::createAsSignaled(), [] { return FencedTimings(); }});
    };
    aidl_hal::FencedExecutionResult fenced;
    ASSERT_TRUE(
            model->executeFenced(pooled(), {}, false, kNoTime, kNoTime, kNoTime, &fenced).isOk());
    aidl_hal::Timing timing;
    aidl_hal::ErrorStatus status{};
    const ScopedAStatus returned[] = {
            driver->getVersionString(nullptr),
            driver->getType(nullptr),
            driver->getCapabilities(nullptr),
            driver->getNumberOfCacheFilesNeeded(nullptr),
            driver->getSupportedExtensions(nullptr),
            driver->getSupportedOperations(modelOf(addition()), nullptr),
            driver->getInterfaceVersion(nullptr),
            driver->getInterfaceHash(nullptr),
            driver->allocate({}, {}, {}, {}, nullptr),
            model->executeSynchronously(pooled(), false, kNoTime, kNoTime, nullptr),
            model->executeFenced(pooled(), {}, false, kNoTime, kNoTime, kNoTime, nullptr),
            model->configureExecutionBurst(nullptr),
            model->createReusableExecution(pooled(), {}, nullptr),
            fenced.callback->getExecutionInfo(nullptr, &timing, &status),
            fenced.callback->getExecutionInfo(&timing, nullptr, &status),
            fenced.callback->getExecutionInfo(&timing, &timing, nullptr)};
    for (const ScopedAStatus& each : returned) {
        EXPECT_EQ(each.getExceptionCode(), EX_NULL_POINTER);
    }
}

// ---- hostile clients

// The arguments of a preparation; each test makes one of them invalid.
struct Preparing {
    aidl_hal::Model model = modelOf(addition());
    aidl_hal::ExecutionPreference preference{};
    aidl_hal::Priority priority{};
    int64_t deadlineNs = kNoTime;
    std::vector<uint8_t> token = kToken;
    std::vector<aidl_hal::TokenValuePair> hints{};
    std::vector<aidl_hal::ExtensionNameAndPrefix> names{};
    bool isForNobody = false;
};

const std::vector<aidl_hal::ExtensionNameAndPrefix> kTooLarge = {
        {.name = "com.example.a", .prefix = 0x8000}};

const struct {
    const char* name;
    std::function<void(Preparing&)> spoil;
    const char* text;  // part of the message
    bool needsConfig = false;
} kHostilePreparations[] = {
        {"operand -1", [](auto& p) { p.model.main.operations[0].inputs[0] = -1; }, "inputs"},
        {"operand -2^31", [](auto& p) { p.model.main.outputIndexes[0] = INT32_MIN; },
         "outputIndexes"},
        {"operand 99", [](auto& p) { p.model.main.operations[0].inputs[0] = 99; }, "operand"},
        {"dimension -4", [](auto& p) { p.model.main.operands[0].dimensions[0] = -4; },
         "dimensions"},
        {"type -1", [](auto& p) { p.model.main.operands[0].type = aidl_hal::OperandType{-1}; },
         "type"},
        {"OEM type", [](auto& p) { p.model.main.operands[0].type = aidl_hal::OperandType{10001}; },
         "OEM"},
        {"OEM operation",
         [](auto& p) { p.model.main.operations[0].type = aidl_hal::OperationType{10000}; }, "OEM"},
        {"unknown operation",
         [](auto& p) { p.model.main.operations[0].type = aidl_hal::OperationType{106}; }, "106"},
        {"lifetime 7",
         [](auto& p) { p.model.main.operands[0].lifetime = aidl_hal::OperandLifeTime{7}; },
         "does not exist"},
        {"offset over 32 bits",
         [](auto& p) { p.model.main.operands[2].location.offset = int64_t{1} << 32; }, "offset"},
        {"length -1", [](auto& p) { p.model.main.operands[2].location.length = -1; }, "length"},
        {"padding -1", [](auto& p) { p.model.main.operands[2].location.padding = -1; }, "padding"},
        {"pool -1", [](auto& p) { p.model.main.operands[2].location.poolIndex = -1; }, "poolIndex"},
        {"closed memory", [](auto& p) { p.model.pools.push_back({}); }, "cannot be duplicated"},
        {"size of a memory",
         [](auto& p) {
             using Tag = aidl_hal::Memory::Tag;
             p.model.pools.emplace_back().template get<Tag::ashmem>() = {.fd = openFile(),
                                                                         .size = INT64_MIN};
         },
         "size"},
        {"prefix of 16 bits", [](auto& p) { p.model.extensionNameToPrefix = kTooLarge; }, "prefix"},
        {"preference 3", [](auto& p) { p.preference = aidl_hal::ExecutionPreference{3}; }, ""},
        {"preference -1", [](auto& p) { p.preference = aidl_hal::ExecutionPreference{-1}; }, ""},
        {"priority -1", [](auto& p) { p.priority = aidl_hal::Priority{-1}; }, ""},
        {"priority 3", [](auto& p) { p.priority = aidl_hal::Priority{3}; }, ""},
        {"deadline -2", [](auto& p) { p.deadlineNs = -2; }, "-2 ns"},
        {"deadline -2^63", [](auto& p) { p.deadlineNs = INT64_MIN; }, "ns"},
        {"nobody", [](auto& p) { p.isForNobody = true; }, "the callback is null"},
        {"token of 31 bytes", [](auto& p) { p.token.resize(31); }, "31 bytes"},
        {"token of 0 bytes", [](auto& p) { p.token.clear(); }, "0 bytes"},
        {"negative hint", [](auto& p) { p.hints = {{.token = -1}}; }, "token", true},
        {"hint twice", [](auto& p) { p.hints.assign(2, {.token = 1}); }, "token", true},
        {"prefix of a hint", [](auto& p) { p.names = kTooLarge; }, "prefix", true},
};

// Rules hidl.one_notification, hidl.refused_launch, hidl.notified_model and aidl.signed_numbers:
// the client is notified once, and the call returns.
TEST_F(AidlHostileClient, PreparesNothing) {
    int prepared = 0;
    script->prepare = [&](const auto&) {
        ++prepared;
        return GeneralResult<SharedPreparedModel>(error() << "reached");
    };
    for (const auto& [name, spoil, text, needsConfig] : kHostilePreparations) {
        for (const bool hasConfig : {false, true}) {
            SCOPED_TRACE(std::string(name) + (hasConfig ? ", with a configuration" : ""));
            Preparing p;
            spoil(p);
            if (hasConfig ? p.token.size() != 32 : needsConfig) continue;
            const auto client = ndk::SharedRefBase::make<Client>();
            const auto callback = p.isForNobody ? nullptr : client;
            aidl_hal::PrepareModelConfig config{.preference = p.preference,
                                                .priority = p.priority,
                                                .deadlineNs = p.deadlineNs,
                                                .compilationHints = p.hints,
                                                .extensionNameToPrefix = p.names};
            const ScopedAStatus launched =
                    hasConfig ? driver->prepareModelWithConfig(p.model, config, callback)
                              : driver->prepareModel(p.model, p.preference, p.priority,
                                                     p.deadlineNs, {}, {}, p.token, callback);
            EXPECT_EQ(codeOf(launched), kInvalid);
            EXPECT_THAT(launched.getMessage(), HasSubstr(text));
            EXPECT_EQ(client->preparedModel, nullptr);
            if (p.isForNobody) continue;
            EXPECT_THAT(client->statuses, ElementsAre(kInvalid));
        }
    }
    EXPECT_EQ(prepared, 0);
}

// Invalid files fail only a preparation from the cache.
TEST_F(AidlHostileClient, SendsFilesThatAreClosed) {
    const Files closed = filesOf(ScopedFileDescriptor());
    const auto client = ndk::SharedRefBase::make<Client>();
    EXPECT_TRUE(driver->prepareModel(modelOf(addition()), {}, {}, kNoTime, closed, closed, kToken,
                                     client)
                        .isOk());
    EXPECT_THAT(client->statuses, ElementsAre(0));
    const auto fromCache = [&](int64_t deadline, const Files& files, std::vector<uint8_t> token) {
        const auto callback = ndk::SharedRefBase::make<Client>();
        const auto launched = driver->prepareModelFromCache(deadline, files, {}, token, callback);
        EXPECT_THAT(callback->statuses, ElementsAre(codeOf(launched)));
        return codeOf(launched);
    };
    EXPECT_EQ(fromCache(kNoTime, closed, kToken), kInvalid);
    EXPECT_EQ(fromCache(-2, filesOf(openFile()), kToken), kInvalid);
    EXPECT_EQ(fromCache(kNoTime, filesOf(openFile()), std::vector<uint8_t>(33)), kInvalid);
    EXPECT_EQ(fromCache(kNoTime, filesOf(openFile()), kToken), 0);
}

struct Asking {
    aidl_hal::Request request = pooled();
    int64_t deadlineNs = kNoTime;
    int64_t loopTimeoutNs = kNoTime;
    int64_t durationNs = kNoTime;
    Files waitFor{};
    std::vector<int64_t> tokens{-1};
    std::vector<aidl_hal::TokenValuePair> hints{};
};
enum For : uint32_t { ANY = 7, ORDINARY = 1, FENCES = 2, TOKENS = 4 };
using PoolTag = aidl_hal::RequestMemoryPool::Tag;

const struct {
    const char* name;
    std::function<void(Asking&)> spoil;
    uint32_t of = ANY;
    bool needsConfig = false;
} kHostileExecutions[] = {
        {"offset -1", [](auto& a) { a.request.inputs[0].location.offset = -1; }},
        {"length over 32 bits",
         [](auto& a) { a.request.inputs[0].location.length = int64_t{1} << 33; }},
        {"pool 7", [](auto& a) { a.request.outputs[0].location.poolIndex = 7; }},
        {"pool -1", [](auto& a) { a.request.outputs[0].location.poolIndex = -1; }},
        {"dimension -1", [](auto& a) { a.request.inputs[1].dimensions = {-1}; }},
        {"place of no value", [](auto& a) { a.request.inputs[1].hasNoValue = true; }},
        {"closed memory", [](auto& a) { a.request.pools[0].template set<PoolTag::pool>(); }},
        {"token of a buffer", [](auto& a) { a.request.pools[0].template set<PoolTag::token>(-5); }},
        {"buffer 0", [](auto& a) { a.request.pools[0].template set<PoolTag::token>(0); }},
        {"deadline -2", [](auto& a) { a.deadlineNs = -2; }},
        {"time of loops -2", [](auto& a) { a.loopTimeoutNs = -2; }},
        {"hint -1", [](auto& a) { a.hints = {{.token = -1}}; }, ANY, true},
        {"duration -2", [](auto& a) { a.durationNs = -2; }, FENCES},
        {"closed fence", [](auto& a) { a.waitFor = filesOf(ScopedFileDescriptor()); }, FENCES},
        {"no token", [](auto& a) { a.tokens = {}; }, TOKENS},
        {"tokens too many", [](auto& a) { a.tokens.push_back(-1); }, TOKENS},
        {"token -2", [](auto& a) { a.tokens = {-2}; }, TOKENS},
        {"token -2^63", [](auto& a) { a.tokens = {INT64_MIN}; }, TOKENS},
};

// Rules aidl.signed_numbers and aidl.burst_tokens.
TEST_F(AidlHostileClient, RejectsInvalidExecutions) {
    int executed = 0;
    countExecutions(*script, executed);
    giveBursts(script);
    std::shared_ptr<aidl_hal::IBurst> burst;
    ASSERT_TRUE(model->configureExecutionBurst(&burst).isOk());
    for (const auto& [name, spoil, of, needsConfig] : kHostileExecutions) {
        SCOPED_TRACE(name);
        Asking a;
        spoil(a);
        const aidl_hal::ExecutionConfig config{.loopTimeoutDurationNs = a.loopTimeoutNs,
                                               .executionHints = a.hints};
        aidl_hal::ExecutionResult result;
        aidl_hal::FencedExecutionResult fenced;
        std::shared_ptr<aidl_hal::IExecution> execution;
        const auto expectInvalid = [](const ScopedAStatus& returned) {
            EXPECT_EQ(codeOf(returned), kInvalid);
            EXPECT_STRNE(returned.getMessage(), "");
        };
        if ((of & ORDINARY) != 0) {
            expectInvalid(model->executeSynchronouslyWithConfig(a.request, config, a.deadlineNs,
                                                                &result));
            if (!needsConfig) {
                expectInvalid(model->executeSynchronously(a.request, false, a.deadlineNs,
                                                          a.loopTimeoutNs, &result));
            }
            if (a.deadlineNs == kNoTime) {
                expectInvalid(model->createReusableExecution(a.request, config, &execution));
            }
        }
        if ((of & FENCES) != 0) {
            expectInvalid(model->executeFencedWithConfig(a.request, a.waitFor, config, a.deadlineNs,
                                                         a.durationNs, &fenced));
            if (!needsConfig) {
                expectInvalid(model->executeFenced(a.request, a.waitFor, false, a.deadlineNs,
                                                   a.loopTimeoutNs, a.durationNs, &fenced));
            }
        }
        if ((of & TOKENS) != 0) {
            expectInvalid(burst->executeSynchronouslyWithConfig(a.request, a.tokens, config,
                                                                a.deadlineNs, &result));
            if (!needsConfig) {
                expectInvalid(burst->executeSynchronously(a.request, a.tokens, false, a.deadlineNs,
                                                          a.loopTimeoutNs, &result));
            }
        }
        EXPECT_EQ(fenced.callback, nullptr);
        EXPECT_EQ(execution, nullptr);
    }
    EXPECT_EQ(executed, 0);
    EXPECT_EQ(codeOf(burst->releaseMemoryResource(-2)), kInvalid);
    EXPECT_TRUE(burst->releaseMemoryResource(-1).isOk());
    EXPECT_TRUE(burst->releaseMemoryResource(12345).isOk());

    std::shared_ptr<aidl_hal::IExecution> execution;
    ASSERT_TRUE(model->createReusableExecution(pooled(), {}, &execution).isOk());
    aidl_hal::ExecutionResult result;
    aidl_hal::FencedExecutionResult fenced;
    EXPECT_EQ(codeOf(execution->executeSynchronously(-2, &result)), kInvalid);
    EXPECT_EQ(codeOf(execution->executeFenced({}, -2, -1, &fenced)), kInvalid);
    EXPECT_EQ(codeOf(execution->executeFenced({}, -1, -2, &fenced)), kInvalid);
    EXPECT_EQ(codeOf(execution->executeFenced(filesOf(ScopedFileDescriptor()), -1, -1, &fenced)),
              kInvalid);
    EXPECT_EQ(executed, 0);
}

// ---- executions

// Shapes that AIDL cannot represent.
TEST_F(AidlAdapter, RefusesOutputShapesThatAreTooLarge) {
    script->execute = [](const auto&) -> ExecutionResult<Executed> {
        return ExecutionError("small", ErrorStatus::OUTPUT_INSUFFICIENT_SIZE,
                              {{.dimensions = {0x80000000u}, .isSufficient = false}});
    };
    const SharedModel model = prepareOn(*driver, addition(0));
    aidl_hal::ExecutionResult result;
    EXPECT_EQ(codeOf(model->executeSynchronously(pooled(), true, kNoTime, kNoTime, &result)),
              kGeneral);
}

// The client receives the message of an exception that the device throws.
TEST_F(AidlAdapter, ReportsExceptionsOfDevice) {
    const auto messageOf = [&](auto thrown) {
        script->execute = [=](const auto&) -> ExecutionResult<Executed> { throw thrown; };
        aidl_hal::ExecutionResult result;
        const auto status = model->executeSynchronously(pooled(), true, kNoTime, kNoTime, &result);
        EXPECT_EQ(codeOf(status), kGeneral);
        return std::string(status.getMessage());
    };
    EXPECT_EQ(messageOf(std::runtime_error("no more luck")),
              "an exception was thrown: no more luck");
    EXPECT_EQ(messageOf(7), "an exception was thrown");
}

// Rules execution.unmeasured and fenced.early_callback: the status is part of the result.
TEST_F(AidlAdapter, ReportsResultOfFencedExecution) {
    const Fence fence;
    GeneralResult<FencedTimings> info = FencedTimings();
    script->fenced = [&](const auto&) {
        return GeneralResult<ExecutedFenced>(ExecutedFenced{fence.get(), [&] { return info; }});
    };
    aidl_hal::FencedExecutionResult result;
    ASSERT_TRUE(
            model->executeFenced(pooled(), {}, true, kNoTime, kNoTime, kNoTime, &result).isOk());
    EXPECT_GE(result.syncFence.get(), 0);
    const auto ask = [&] {
        aidl_hal::Timing launched{7, 7};
        aidl_hal::Timing fenced{7, 7};
        aidl_hal::ErrorStatus status{};
        EXPECT_TRUE(result.callback->getExecutionInfo(&launched, &fenced, &status).isOk());
        return std::tuple(static_cast<int32_t>(status), launched, fenced);
    };
    const aidl_hal::Timing none{-1, -1};
    EXPECT_EQ(ask(), std::tuple(0, none, none));
    info = std::pair(Timing{.timeInDriver = Duration(5)}, Timing{.timeInDriver = Duration(3)});
    EXPECT_EQ(ask(), std::tuple(0, aidl_hal::Timing{-1, 5}, aidl_hal::Timing{-1, 3}));
    info = error(ErrorStatus::DEVICE_UNAVAILABLE) << "busy";
    EXPECT_EQ(ask(), std::tuple(1, none, none));
}

// Rule aidl.burst_tokens: the first memory with a token counts until it is released.
TEST_F(AidlAdapter, KeepsMemoriesOfBursts) {
    std::vector<const Memory*> memories;
    script->execute = [&](const auto& call) {
        memories.push_back(std::get<SharedMemory>(call.request.pools[0]).get());
        return ExecutionResult<Executed>(Executed{});
    };
    giveBursts(script);
    std::shared_ptr<aidl_hal::IBurst> burst;
    ASSERT_TRUE(model->configureExecutionBurst(&burst).isOk());
    aidl_hal::ExecutionResult result;
    const auto execute = [&](int64_t token) {
        EXPECT_TRUE(burst->executeSynchronously(pooled(), {token}, false, kNoTime, kNoTime, &result)
                            .isOk());
        return memories.back();
    };
    const Memory* first = execute(5);
    EXPECT_EQ(execute(5), first);
    EXPECT_NE(execute(6), first);
    EXPECT_NE(execute(-1), first);
    EXPECT_EQ(execute(5), first);
    EXPECT_TRUE(burst->releaseMemoryResource(5).isOk());
    const SharedMemory other = createSharedMemory(48).value();  // may reuse its address
    EXPECT_EQ(execute(5), execute(5));

    // A client cannot exhaust the descriptors of the process.
    const size_t before = held::descriptors();
    for (int64_t token = 100; token < 600; ++token) (void)execute(token);
    EXPECT_EQ(execute(100), execute(100));
    EXPECT_LE(held::descriptors(), before + 256);
}

// Executes with a memory of this many bytes under token 5, all of it one input.
ScopedAStatus executeWith(aidl_hal::IBurst& burst, uint32_t size) {
    const Request request{
            .inputs = {{.location = {.length = size}}},
            .outputs = {{.location = {.poolIndex = 1, .length = 4}}},
            .pools = {createSharedMemory(size).value(), createSharedMemory(4).value()}};
    aidl_hal::ExecutionResult result;
    return burst.executeSynchronously(AIDL4::utils::convert(request).value(), {5, -1}, false,
                                      kNoTime, kNoTime, &result);
}

// A client names a memory with a token that stands for a smaller one; the smaller size counts.
TEST_F(AidlHostileClient, NamesALargerMemoryByAKnownToken) {
    int executed = 0;
    countExecutions(*script, executed);
    giveBursts(script);
    std::shared_ptr<aidl_hal::IBurst> burst;
    ASSERT_TRUE(model->configureExecutionBurst(&burst).isOk());
    const auto execute = [&](uint32_t size) { return executeWith(*burst, size); };
    EXPECT_TRUE(execute(16).isOk());
    EXPECT_TRUE(execute(8).isOk());
    EXPECT_TRUE(execute(16).isOk());
    const ScopedAStatus larger = execute(17);
    EXPECT_EQ(codeOf(larger), kInvalid);
    EXPECT_THAT(larger.getMessage(), HasSubstr("inputs[0]"));
    EXPECT_EQ(executed, 3);
}

// A burst that is called again while it stores a memory.
class InterruptedBurst final : public ForwardingBurst {
   public:
    InterruptedBurst(SharedBurst real, std::function<void()> interrupt)
        : ForwardingBurst(std::move(real)), mInterrupt(std::move(interrupt)) {}

    OptionalCacheHold cacheMemory(const SharedMemory& memory) const override {
        if (const auto interrupt = std::exchange(mInterrupt, {})) interrupt();
        return ForwardingBurst::cacheMemory(memory);
    }

   private:
    mutable std::function<void()> mInterrupt;
};

// Meanwhile another call names a smaller memory with the same token.
TEST_F(AidlHostileClient, NamesTwoMemoriesByOneTokenAtOnce) {
    int executed = 0;
    countExecutions(*script, executed);
    std::shared_ptr<aidl_hal::IBurst> burst;
    script->burst = [&, script = std::weak_ptr(script)]() -> GeneralResult<SharedBurst> {
        NNAPI_ASSIGN_OR_RETURN(real, V1_0::utils::Burst::create(
                                             std::make_shared<FakePreparedModel>(script.lock())));
        return SharedBurst(std::make_shared<const InterruptedBurst>(
                std::move(real), [&] { EXPECT_TRUE(executeWith(*burst, 4).isOk()); }));
    };
    ASSERT_TRUE(model->configureExecutionBurst(&burst).isOk());
    EXPECT_EQ(codeOf(executeWith(*burst, 4096)), kInvalid);
    EXPECT_EQ(executed, 1);
}

// ---- memory of devices

// Rules hidl.failed_allocate, wrapper.allocate and aidl.signed_numbers.
TEST_F(AidlAdapter, Allocates) {
    uint32_t token = 7;
    script->allocate = [&](const auto&, const auto&) {
        return GeneralResult<SharedBuffer>(std::make_shared<const parts::EmptyBuffer>(token));
    };
    const SharedModel foreign = prepareOn(*makeDriver(script));
    aidl_hal::DeviceBuffer buffer;
    const aidl_hal::BufferRole role{.modelIndex = 0, .ioIndex = 0, .probability = 1.f};
    const auto allocate = [&](const std::vector<aidl_hal::IPreparedModelParcel>& models,
                              const aidl_hal::BufferDesc& desc, const aidl_hal::BufferRole& as) {
        buffer = {};
        return codeOf(driver->allocate(desc, models, {as}, {}, &buffer));
    };
    EXPECT_EQ(allocate({{model}}, {.dimensions = {4}}, role), 0);
    EXPECT_EQ(buffer.token, 7);
    aidl_hal::Memory memory;
    using Tag = aidl_hal::Memory::Tag;
    memory.get<Tag::ashmem>() = {.fd = openFile(), .size = 16};
    EXPECT_TRUE(buffer.buffer->copyFrom(memory, {4}).isOk());
    EXPECT_TRUE(buffer.buffer->copyTo(memory).isOk());
    EXPECT_EQ(codeOf(buffer.buffer->copyFrom(memory, {-4})), kInvalid);
    EXPECT_EQ(codeOf(buffer.buffer->copyFrom({}, {4})), kInvalid);
    EXPECT_EQ(codeOf(buffer.buffer->copyTo({})), kInvalid);

    EXPECT_EQ(allocate({{nullptr}}, {}, role), kInvalid);
    EXPECT_EQ(allocate({{foreign}}, {}, role), kInvalid);
    EXPECT_EQ(allocate({{model}}, {.dimensions = {-4}}, role), kInvalid);
    EXPECT_EQ(allocate({{model}}, {}, {.modelIndex = -1, .ioIndex = 0, .probability = 1.f}),
              kInvalid);
    EXPECT_EQ(allocate({{model}}, {}, {.modelIndex = 0, .ioIndex = INT32_MIN, .probability = 1.f}),
              kInvalid);
    for (const uint32_t wrong : {0u, 0x80000000u, 0xffffffffu}) {
        token = wrong;
        EXPECT_EQ(allocate({{model}}, {}, role), kGeneral) << wrong;
        EXPECT_EQ(buffer.buffer, nullptr);
        EXPECT_EQ(buffer.token, 0);
    }
}

// Error codes that AIDL lacks.
TEST_F(AidlAdapter, ReportsCollapsedCodeToListener) {
    script->prepare = [](const auto&) {
        return GeneralResult<SharedPreparedModel>(error(ErrorStatus::DEAD_OBJECT) << "gone");
    };
    std::vector<std::string> lost;
    auto options = inThisThread();
    options.onLoss = [&](std::string_view call, const Losses& losses) {
        for (const Loss& loss : losses) {
            lost.push_back(std::string(call) + ": " + loss.path + " " + loss.before + " " +
                           loss.after + " " + loss.why);
        }
    };
    const auto driver =
            adaptAidl(std::make_shared<const FakeDevice>(script), AIDL2, options).value();
    const auto client = ndk::SharedRefBase::make<Client>();
    EXPECT_TRUE(driver->prepareModel(modelOf(addition()), {}, {}, kNoTime, {}, {}, kToken, client)
                        .isOk());
    EXPECT_THAT(client->statuses, ElementsAre(kGeneral));
    EXPECT_THAT(lost, ElementsAre("prepareModel: status DEAD_OBJECT GENERAL_FAILURE AIDL 2 has no "
                                  "DEAD_OBJECT"));
}

}  // namespace
}  // namespace nn::aidl_adapter_test
