// Drivers of AIDL 1 to 4 as canonical devices. The table of faults_test.cc covers failures of calls
// in general. The numbers are those of the rules.
#include "driver/aidl_fakes.h"
#include "driver/models.h"
#include "nnapi/driver/callbacks.h"
#include "nnapi/driver/registry.h"
#include "nnapi/relocation.h"

namespace nn::aidl_wrapper_test {
namespace {

using fake_aidl::ScopedAStatus;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using enum ErrorStatus;
using enum HalVersion;

constexpr HalVersion kVersions[] = {AIDL1, AIDL2, AIDL3, AIDL4};

std::shared_ptr<fake_aidl::Device> makeDriver(HalVersion version) {
    return ndk::SharedRefBase::make<fake_aidl::Device>(referenceDevice({.fencedThreads = 2}),
                                                       version);
}

const std::vector<TokenValuePair> kHints = {{.token = 65537, .value = {1, 2}}};
const std::vector<ExtensionNameAndPrefix> kNames = {{.name = "com.example.hints", .prefix = 1}};

// The reported losses as text: "prepareModel: hints, extensionNameToPrefix".
struct LossTexts {
    std::vector<std::string> lost{};
    WrapOptions options() {
        return {.onLoss = [this](std::string_view call, const Losses& losses) {
            std::string text(call);
            for (const Loss& loss : losses) text += " " + loss.path;
            lost.push_back(std::move(text));
        }};
    }
};

class AidlWrapper : public testing::TestWithParam<HalVersion> {
   protected:
    HalVersion version() const { return GetParam(); }
    // The method's name, or that of its successor with a configuration.
    std::string named(const std::string& method) const {
        return version() >= AIDL4 ? method + "WithConfig" : method;
    }
    const std::shared_ptr<fake_aidl::Device> driver = makeDriver(GetParam());
    fake_aidl::Notes& notes = *driver->notes;
};
INSTANTIATE_TEST_SUITE_P(Versions, AidlWrapper, testing::ValuesIn(kVersions), [](const auto& info) {
    return std::string("AIDL") + toString(info.param).back();
});

// Rules wrapper.arguments and wrapper.creation_order, for AIDL: one call of each method, in this
// order.
TEST_P(AidlWrapper, QueriesInOrder) {
    const SharedDevice device = wrap("fake", driver).value();
    EXPECT_THAT(notes.calls(), ElementsAre("getInterfaceVersion", "getVersionString", "getType",
                                           "getSupportedExtensions", "getCapabilities",
                                           "getNumberOfCacheFilesNeeded"));
    EXPECT_EQ(device->getFeatureLevel(), toVersion(version()));
    EXPECT_EQ(device->getName(), "fake");
    EXPECT_EQ(device->getVersionString(), referenceDevice()->getVersionString());
    EXPECT_EQ(device->getType(), DeviceType::CPU);
    EXPECT_TRUE(device->wait().has_value());
    EXPECT_THAT(wrap("", driver), Refuses(INVALID_ARGUMENT, "the name is empty"));
    EXPECT_THAT(wrap("fake", std::shared_ptr<aidl_hal::IDevice>()),
                Refuses(INVALID_ARGUMENT, "the driver is null"));
    EXPECT_THAT(AIDL2::utils::Device::create("fake", nullptr),
                Refuses(INVALID_ARGUMENT, "the driver is null"));
}

// Rule aidl.version_4: only the methods of each version.
TEST_P(AidlWrapper, UsesTheMethodsOfItsVersion) {
    const SharedDevice device = wrap("fake", driver).value();
    notes.forgetCalls();
    const SharedPreparedModel model = prepareOn(*device, addition()).value();
    Sum sum;
    ASSERT_TRUE(executeOn(*model, sum.request()).has_value());
    EXPECT_THAT(sum.z, ElementsAre(11, 22, 33, 44));
    const auto fenced = executeFencedOn(*model, sum.request());
    ASSERT_TRUE(fenced.has_value()) << fenced.error().message;
    EXPECT_EQ(fenced->first.syncWait({}), SyncFence::FenceState::SIGNALED);
    EXPECT_TRUE(fenced->second().has_value());
    const SharedExecution execution = reusableOn(*model, sum.request()).value();
    for (int i = 0; i < 2; ++i) {
        sum.x = {5, 6, 7, static_cast<float>(i)};
        ASSERT_TRUE(execution->compute({}).has_value());
        EXPECT_THAT(sum.z, ElementsAre(15, 26, 37, 40 + i));
    }
    ASSERT_TRUE(execution->computeFenced({}, {}, {}).has_value());
    const SharedBurst burst = model->configureExecutionBurst().value();
    ASSERT_TRUE(executeOn(*burst, sum.request()).has_value());

    std::vector<std::string> calls = {named("prepareModel"), named("executeSynchronously"),
                                      named("executeFenced")};
    const std::vector<std::string> reusable =
            version() >= AIDL4 ? std::vector<std::string>{"createReusableExecution",
                                                          "IExecution::executeSynchronously",
                                                          "IExecution::executeSynchronously",
                                                          "IExecution::executeFenced"}
                               : std::vector<std::string>{"executeSynchronously",
                                                          "executeSynchronously", "executeFenced"};
    calls.insert(calls.end(), reusable.begin(), reusable.end());
    calls.insert(calls.end(), {"configureExecutionBurst", named("IBurst::executeSynchronously")});
    EXPECT_EQ(notes.calls(), calls);
}

// From version 4 on, hints reach the driver; for older versions, the wrapper reports their loss.
TEST_P(AidlWrapper, CarriesHintsOrTellsThem) {
    LossTexts losses;
    const SharedDevice device = wrap("fake", driver, losses.options()).value();
    const auto model = device->prepareModel(addition(), ExecutionPreference::LOW_POWER,
                                            Priority::HIGH, {}, {}, {}, {}, kHints, kNames);
    ASSERT_TRUE(model.has_value()) << model.error().message;
    const bool isCarried = version() >= AIDL4;
    EXPECT_EQ(notes.hints, isCarried ? 1 : 0);
    EXPECT_EQ(notes.names, isCarried ? 1 : 0);
    Sum sum;
    notes.hints = notes.names = 0;
    ASSERT_TRUE((*model)->execute(sum.request(), {}, {}, {}, kHints, kNames).has_value());
    EXPECT_EQ(notes.hints, isCarried ? 1 : 0);
    EXPECT_EQ(notes.names, isCarried ? 1 : 0);
    const SharedBurst burst = (*model)->configureExecutionBurst().value();
    notes.hints = 0;
    ASSERT_TRUE(burst->execute(sum.request(), {}, {}, {}, kHints, kNames).has_value());
    EXPECT_EQ(notes.hints, isCarried ? 1 : 0);
    if (isCarried) {
        EXPECT_THAT(losses.lost, IsEmpty());
    } else {
        EXPECT_THAT(losses.lost,
                    ElementsAre("prepareModel hints extensionNameToPrefix",
                                "executeSynchronously hints extensionNameToPrefix",
                                "IBurst::executeSynchronously hints extensionNameToPrefix"));
    }
}

// Rule aidl.signed_numbers: times are nanoseconds since boot, and -1 means none.
TEST_P(AidlWrapper, CarriesTimes) {
    const SharedDevice device = wrap("fake", driver).value();
    const TimePoint deadline = Clock::now() + std::chrono::hours(1);
    const SharedPreparedModel model = prepareOn(*device, addition(), deadline).value();
    EXPECT_EQ(notes.deadline, deadline.time_since_epoch().count());
    Sum sum;
    const auto execute = [&](const OptionalTimePoint& until, const OptionalDuration& loop) {
        return model->execute(sum.request(), {}, until, loop, {}, {});
    };
    ASSERT_TRUE(execute(deadline, Duration(7)).has_value());
    EXPECT_EQ(notes.deadline, deadline.time_since_epoch().count());
    EXPECT_EQ(notes.loopTimeout, 7);
    ASSERT_TRUE(execute({}, {}).has_value());
    EXPECT_EQ(notes.deadline, -1);
    EXPECT_EQ(notes.loopTimeout, -1);
    EXPECT_EQ(codeOf(execute({}, Duration(-1))), INVALID_ARGUMENT);
}

// Rule aidl.burst_tokens: only cached memories have tokens, until the last hold is released.
TEST_P(AidlWrapper, NamesMemoriesOfBurstsByTokens) {
    const SharedPreparedModel model = prepareOn(*wrap("fake", driver).value(), addition()).value();
    SharedBurst burst = model->configureExecutionBurst().value();
    const SharedMemory a = createSharedMemory(48).value();
    const SharedMemory b = createSharedMemory(48).value();
    const auto tokensOf = [&](const Request& request) {
        const auto executed = executeOn(*burst, request);
        EXPECT_TRUE(executed.has_value());
        return notes.tokens;
    };
    EXPECT_THAT(tokensOf(sumIn(a)), ElementsAre(-1));
    auto holdOfA = burst->cacheMemory(a);
    const auto holdOfB = burst->cacheMemory(b);
    const auto sameHold = burst->cacheMemory(a);
    EXPECT_EQ(burst->cacheMemory(nullptr), nullptr);
    EXPECT_THAT(tokensOf(sumIn(a)), ElementsAre(0));
    EXPECT_THAT(tokensOf(sumIn(b)), ElementsAre(1));
    Sum sum;
    EXPECT_THAT(tokensOf(sum.request()), ElementsAre(-1, -1));  // memory created for this request
    holdOfA = nullptr;
    EXPECT_THAT(notes.released, IsEmpty());
    const auto execution = reusableOn(*burst, sumIn(a)).value();
    EXPECT_EQ(codeOf(execution->computeFenced({}, {}, {})), GENERAL_FAILURE);
    ASSERT_TRUE(execution->compute({}).has_value());
    EXPECT_THAT(notes.tokens, ElementsAre(0));
}

// Rule aidl.burst_tokens: a memory is released with its last hold; executions hold it as well.
TEST(AidlBurst, ReleasesMemories) {
    const auto driver = makeDriver(AIDL3);
    const SharedPreparedModel model = prepareOn(*wrap("fake", driver).value(), addition()).value();
    const SharedBurst burst = model->configureExecutionBurst().value();
    const SharedMemory memory = createSharedMemory(48).value();
    auto hold = burst->cacheMemory(memory);
    auto execution = reusableOn(*burst, sumIn(memory));
    ASSERT_TRUE(execution.has_value());
    hold = nullptr;
    EXPECT_THAT(driver->notes->released, IsEmpty());
    execution = SharedExecution();
    EXPECT_THAT(driver->notes->released, ElementsAre(0));
    // A token that the driver fails to release is not reused.
    driver->notes->fails["releaseMemoryResource"] = [] {
        return ScopedAStatus::fromExceptionCode(EX_ILLEGAL_STATE);
    };
    hold = burst->cacheMemory(memory);
    hold = nullptr;
    hold = burst->cacheMemory(memory);
    hold = nullptr;
    EXPECT_THAT(driver->notes->released, ElementsAre(0, 0, 1));
}

// While an execution names a token, no other buffer gets it, however the execution was created.
TEST_P(AidlWrapper, ExecutionsKeepBuffers) {
    const SharedDevice device = wrap("fake", driver).value();
    const SharedPreparedModel model = prepareOn(*device, addition()).value();
    const SharedBurst burst = model->configureExecutionBurst().value();
    const SharedMemory memory = createSharedMemory(32).value();
    const auto allocate = [&] {
        return device
                ->allocate({}, {model}, {}, {{.modelIndex = 0, .ioIndex = 0, .probability = 1}})
                .value();
    };
    for (const bool isInBurst : {false, true}) {
        SharedBuffer buffer = allocate();
        const auto token = buffer->getToken();
        Request request = sumIn(memory);
        request.outputs = {{.location = {.poolIndex = 1}}};
        request.pools.emplace_back(buffer);
        auto execution = isInBurst ? reusableOn(*burst, request) : reusableOn(*model, request);
        ASSERT_TRUE(execution.has_value()) << execution.error().message;
        buffer = nullptr;
        request.pools.clear();
        const SharedBuffer other = allocate();
        EXPECT_NE(other->getToken(), token);
        EXPECT_EQ(codeOf((*execution)->compute({})), NONE);
        execution = SharedExecution();
        EXPECT_EQ(allocate()->getToken(), token);
    }
}

// Rule reusable.computations, for AIDL 4: a driver's execution is computed once at a time, also
// with fences.
TEST(AidlExecution, IsComputedOnceAtATime) {
    const auto driver = makeDriver(AIDL4);
    const SharedPreparedModel model = prepareOn(*wrap("fake", driver).value(), addition()).value();
    const auto execution = reusableOn(*model, sumIn(createSharedMemory(48).value())).value();
    const Fence fence;
    const auto first = execution->computeFenced({fence.get()}, {}, {});
    ASSERT_TRUE(first.has_value()) << first.error().message;
    driver->notes->forgetCalls();
    EXPECT_EQ(codeOf(execution->compute({})), NONE);
    const auto second = execution->computeFenced({fence.get()}, {}, {});
    ASSERT_TRUE(second.has_value());
    EXPECT_THAT(driver->notes->calls(),
                ElementsAre("executeSynchronouslyWithConfig", "executeFencedWithConfig"));
    fence.signal();
    for (const auto* fenced : {&first, &second}) {
        EXPECT_EQ((*fenced)->first.syncWait({}), SyncFence::FenceState::SIGNALED);
    }
    driver->notes->forgetCalls();
    EXPECT_EQ(codeOf(execution->compute({})), NONE);
    EXPECT_THAT(driver->notes->calls(), ElementsAre("IExecution::executeSynchronously"));
    // An execution whose launch has failed may still run, so a new one is created.
    driver->notes->fails["IExecution::executeFenced"] = [] {
        return ScopedAStatus::fromExceptionCode(EX_ILLEGAL_STATE);
    };
    EXPECT_THAT(execution->computeFenced({}, {}, {}).error().message,
                HasSubstr("IExecution::executeFenced"));
    driver->notes->forgetCalls();
    EXPECT_EQ(codeOf(execution->compute({})), NONE);
    EXPECT_THAT(driver->notes->calls(),
                ElementsAre("createReusableExecution", "IExecution::executeSynchronously"));
}

// Rule burst.one_at_a_time: one at a time.
TEST(AidlBurst, RefusesASecondExecutionAtOnce) {
    const auto script = std::make_shared<driver_adapter_fakes::Script>();
    SharedBurst burst;
    ErrorStatus inner = NONE;
    const auto inBurst = std::make_shared<driver_adapter_fakes::Script>();
    Sum sum;
    inBurst->execute = [&](const auto&) {
        inner = codeOf(executeOn(*burst, sum.request()));
        return ExecutionResult<Executed>(Executed{});
    };
    script->burst = [inBurst] {
        return V1_0::utils::Burst::create(
                std::make_shared<const driver_adapter_fakes::FakePreparedModel>(inBurst));
    };
    const auto driver =
            hal::adapter::adaptAidl(std::make_shared<driver_adapter_fakes::FakeDevice>(script))
                    .value();
    const SharedPreparedModel model = prepareOn(*wrap("fake", driver).value(), addition()).value();
    burst = model->configureExecutionBurst().value();
    EXPECT_TRUE(executeOn(*burst, sum.request()).has_value());
    EXPECT_EQ(inner, GENERAL_FAILURE);
    burst = nullptr;
}

// The driver reports its version; a newer version than this library's is treated as the newest.
TEST(AidlVersions, AreReportedByDriver) {
    const auto driver = makeDriver(AIDL4);
    const std::pair<int32_t, int> rows[] = {{1, 5}, {2, 6}, {3, 7}, {4, 8}, {5, 8}, {INT32_MAX, 8}};
    for (const auto& [says, level] : rows) {
        driver->notes->interfaceVersion = says;
        EXPECT_EQ(featureLevel(wrap("fake", driver).value()->getFeatureLevel()), level) << says;
    }
    for (const int32_t says : {0, -1, INT32_MIN}) {
        driver->notes->interfaceVersion = says;
        EXPECT_THAT(wrap("fake", driver),
                    Refuses(GENERAL_FAILURE, "getInterfaceVersion: the driver reports " +
                                                     std::to_string(says) + ", allowed 1 or more"));
    }
}

// Rule aidl.failures.
TEST(AidlStatus, HasACodeAndAText) {
    using hal::utils::failureOf;
    const auto code = ScopedAStatus::fromServiceSpecificError;
    const struct {
        ScopedAStatus returned;
        ErrorStatus wanted;
        const char* text;
    } rows[] = {
            {ScopedAStatus::fromStatus(STATUS_DEAD_OBJECT), DEAD_OBJECT, "call: dead object"},
            {ScopedAStatus::fromStatus(STATUS_UNKNOWN_TRANSACTION), GENERAL_FAILURE,
             "call: unknown transaction"},
            {ScopedAStatus::fromStatus(STATUS_TIMED_OUT), GENERAL_FAILURE,
             "call: transaction failed with status -110"},
            {ScopedAStatus::fromExceptionCode(EX_ILLEGAL_ARGUMENT), GENERAL_FAILURE,
             "call: exception -3"},
            {ScopedAStatus::fromExceptionCodeWithMessage(EX_SECURITY, "who are you?"),
             GENERAL_FAILURE, "call: exception -1: who are you?"},
            {code(1), DEVICE_UNAVAILABLE, "call: the driver reports DEVICE_UNAVAILABLE"},
            {code(8), RESOURCE_EXHAUSTED_PERSISTENT,
             "call: the driver reports RESOURCE_EXHAUSTED_PERSISTENT"},
            {code(9), GENERAL_FAILURE, "call: the driver reports GENERAL_FAILURE"},
            {code(-1), GENERAL_FAILURE, "call: the driver reports GENERAL_FAILURE"},
            {code(0), GENERAL_FAILURE, "call: the driver reports GENERAL_FAILURE"},
            {ScopedAStatus::fromServiceSpecificErrorWithMessage(4, "no model"), INVALID_ARGUMENT,
             "call: the driver reports INVALID_ARGUMENT: no model"},
    };
    for (const auto& [returned, wanted, text] : rows) {
        const Status failed = failureOf(returned, "call");
        EXPECT_EQ(errorStatus(failed), wanted) << text;
        EXPECT_EQ(failed.message(), text);
    }
    EXPECT_TRUE(failureOf(ScopedAStatus::ok(), "call").ok());
    EXPECT_EQ(ScopedAStatus::ok().getDescription(), "no error");
    EXPECT_EQ(code(3).getDescription(), "service specific error 3");
}

auto& performances(fake_aidl::Notes& notes) {
    return notes.capabilities.emplace().operandPerformance;
}

// Hostile metadata: rules wrapper.failed_creation, wrapper.cache_files, wrapper.converted_getters
// and aidl.signed_numbers.
TEST(AidlHostile, MetadataFailsTheCreation) {
    using aidl_hal::OperandType;
    const struct {
        const char* name;
        std::function<void(fake_aidl::Notes&)> spoil;
        const char* text;  // part of the message
    } rows[] = {
            {"no version", [](auto& n) { n.version = ""; }, "empty string"},
            {"type 0", [](auto& n) { n.type = aidl_hal::DeviceType{0}; }, "UNKNOWN does not exist"},
            {"type -1", [](auto& n) { n.type = aidl_hal::DeviceType{-1}; }, "DeviceType"},
            {"type 77", [](auto& n) { n.type = aidl_hal::DeviceType{77}; }, "DeviceType"},
            {"-1 files", [](auto& n) { n.files.emplace().numModelCache = -1; }, "numModelCache"},
            {"-2^31 files", [](auto& n) { n.files.emplace().numDataCache = INT32_MIN; },
             "numDataCache"},
            {"33 files", [](auto& n) { n.files.emplace().numModelCache = 33; },
             "33 files of the model cache"},
            {"33 data files", [](auto& n) { n.files.emplace().numDataCache = 33; },
             "33 files of the data cache"},
            {"name of an extension", [](auto& n) { n.extensions = {{{.name = "NO NAME"}}}; },
             "NO NAME"},
            {"size of an extension type",
             [](auto& n) {
                 n.extensions = {{{.name = "com.example.a",
                                   .operandTypes = {{.type = 1, .byteSize = -4}}}}};
             },
             "byteSize"},
            {"order of performances",
             [](auto& n) {
                 performances(n) = {{.type = OperandType::INT32}, {.type = OperandType::FLOAT32}};
             },
             "operandPerformance"},
            {"type of a performance",
             [](auto& n) { performances(n) = {{.type = OperandType{-7}}}; }, "operandPerformance"},
            {"OEM type", [](auto& n) { performances(n) = {{.type = OperandType{10000}}}; },
             "operandPerformance"},
    };
    for (const auto& [name, spoil, text] : rows) {
        SCOPED_TRACE(name);
        const auto driver = makeDriver(AIDL1);
        spoil(*driver->notes);
        const auto device = wrap("fake", driver);
        ASSERT_FALSE(device.has_value());
        EXPECT_THAT(device.error().message, HasSubstr(text));
    }
}

// Rules wrapper.supported_length and aidl.signed_numbers.
TEST(AidlHostile, InvalidResultsFailTheCall) {
    const auto driver = makeDriver(AIDL4);
    fake_aidl::Notes& notes = *driver->notes;
    const SharedDevice device = wrap("fake", driver).value();
    notes.supported = {true, true};
    EXPECT_EQ(codeOf(device->getSupportedOperations(addition())), GENERAL_FAILURE);
    notes.supported = std::vector<bool>();
    EXPECT_EQ(codeOf(device->getSupportedOperations(addition())), GENERAL_FAILURE);
    notes.supported = {true};
    EXPECT_TRUE(device->getSupportedOperations(addition()).has_value());

    const SharedPreparedModel model = prepareOn(*device, addition()).value();
    const auto allocate = [&](const std::vector<SharedPreparedModel>& models) {
        return device->allocate({.dimensions = {4}}, models,
                                {{.modelIndex = 0, .ioIndex = 0, .probability = 1.f}}, {});
    };
    const auto buffer = allocate({model});
    ASSERT_TRUE(buffer.has_value()) << buffer.error().message;
    const SharedMemory memory = createSharedMemory(16).value();
    EXPECT_TRUE((*buffer)->copyFrom(memory, {4}).has_value());
    EXPECT_TRUE((*buffer)->copyTo(memory).has_value());
    EXPECT_NE(codeOf((*buffer)->copyFrom(memory, {4, 0x80000000u})), NONE);
    EXPECT_NE(codeOf((*buffer)->copyTo(nullptr)), NONE);
    notes.token = 0;
    EXPECT_THAT(allocate({model}),
                Refuses(GENERAL_FAILURE, "the buffer's token is 0, which names no buffer"));
    notes.token = -1;
    EXPECT_THAT(allocate({model}),
                Refuses(GENERAL_FAILURE, "the buffer's token is -1, allowed 1 or more"));
    notes.token = 1;
    notes.isBufferNull = true;
    EXPECT_THAT(allocate({model}), Refuses(GENERAL_FAILURE, "the buffer is null"));
    EXPECT_THAT(allocate({nullptr}), Refuses(INVALID_ARGUMENT, "preparedModels[0] is null"));
    EXPECT_THAT(allocate({prepareOn(*referenceDevice(), addition()).value()}),
                Refuses(INVALID_ARGUMENT, "preparedModels[0] does not wrap one of AIDL 4"));
    EXPECT_THAT(AIDL3::utils::PreparedModel::create(nullptr),
                Refuses(GENERAL_FAILURE, "the prepared model is null"));
}

// The objects that a driver's prepared model returns can be wrapped without it.
TEST(AidlObjects, AreWrappedWithoutPreparedModel) {
    const auto driver = makeDriver(AIDL4);
    fake_aidl::Notes& notes = *driver->notes;
    const SharedPreparedModel model = prepareOn(*wrap("fake", driver).value(), addition()).value();
    const auto inner = std::any_cast<std::shared_ptr<aidl_hal::IPreparedModel>>(
            model->getUnderlyingResource());
    Sum sum;
    const auto [request, relocation] = convertRequestFromPointerToShared(sum.request()).value();
    std::shared_ptr<aidl_hal::IExecution> made;
    ASSERT_TRUE(inner->createReusableExecution(AIDL4::utils::convert(request).value(),
                                               {.loopTimeoutDurationNs = -1}, &made)
                        .isOk());
    EXPECT_EQ(codeOf(AIDL4::utils::Execution::create(nullptr, request, MeasureTiming::NO)),
              GENERAL_FAILURE);
    const SharedExecution execution =
            AIDL4::utils::Execution::create(made, request, MeasureTiming::NO).value();
    for (int i = 0; i < 2; ++i) {
        relocation.input.flush();
        ASSERT_TRUE(execution->compute({}).has_value());
        relocation.output.flush();
        EXPECT_THAT(sum.z, ElementsAre(11, 22, 33, 44));
        sum.x[0] = 1;
    }
    // Waits for the fence of the previous execution, which may fail.
    const auto launched = execution->computeFenced({}, {}, {});
    ASSERT_TRUE(launched.has_value()) << launched.error().message;
    EXPECT_TRUE(execution->compute({}).has_value());
    notes.fails["IExecution::executeSynchronously"] = [] {
        return ScopedAStatus::fromServiceSpecificError(4);
    };
    EXPECT_EQ(codeOf(execution->compute({})), INVALID_ARGUMENT);
    notes.fails.clear();
    EXPECT_TRUE(execution->compute({}).has_value());
    notes.execute = [](aidl_hal::ExecutionResult* result) {
        *result = {.outputSufficientSize = true, .outputShapes = {{}, {}, {}}, .timing = {}};
        return ScopedAStatus::ok();
    };
    EXPECT_EQ(codeOf(execution->compute({})), GENERAL_FAILURE);

    aidl_hal::DeviceBuffer buffer;
    ASSERT_TRUE(driver->allocate(
                              {.dimensions = {4}},
                              [&] {
                                  std::vector<aidl_hal::IPreparedModelParcel> models(1);
                                  models[0].preparedModel = inner;
                                  return models;
                              }(),
                              {{.modelIndex = 0, .ioIndex = 0, .probability = 1.f}}, {}, &buffer)
                        .isOk());
    const auto token = Request::MemoryDomainToken(buffer.token);
    EXPECT_EQ(codeOf(AIDL2::utils::Buffer::create(nullptr, token)), GENERAL_FAILURE);
    EXPECT_EQ(codeOf(AIDL2::utils::Buffer::create(buffer.buffer, {})), GENERAL_FAILURE);
    const SharedBuffer wrapped = AIDL2::utils::Buffer::create(buffer.buffer, token).value();
    EXPECT_EQ(wrapped->getToken(), token);
    EXPECT_TRUE(wrapped->copyFrom(createSharedMemory(16).value(), {4}).has_value());
}

// A model that is too new for the driver does not reach it.
TEST(AidlModels, StayInTheirVersion) {
    const auto driver = makeDriver(AIDL1);
    const SharedDevice device = wrap("fake", driver).value();
    driver->notes->forgetCalls();
    Model model;
    Graph main(model);
    const auto x = main.input(TENSOR_FLOAT32, {2, 2});
    main.add(OperationType::PACK, {main.scalar(0), x, main.input(TENSOR_FLOAT32, {2, 2})},
             {main.output(TENSOR_FLOAT32, {2, 2, 2})});
    model.main = main.graph;
    const auto prepared = prepareOn(*device, model);
    ASSERT_FALSE(prepared.has_value());
    EXPECT_THAT(prepared.error().message, HasSubstr("AIDL 2"));
    EXPECT_THAT(driver->notes->calls(), IsEmpty());
}

TEST(AidlRegistry, RegistersDrivers) {
    DeviceRegistry registry;
    ASSERT_TRUE(registry.registerDriver("npu", makeDriver(AIDL2)).has_value());
    EXPECT_EQ(registry.getDevice("npu").value()->getFeatureLevel(), toVersion(AIDL2));
    EXPECT_EQ(codeOf(registry.registerDriver("none", std::shared_ptr<aidl_hal::IDevice>())),
              INVALID_ARGUMENT);
}

// ---- death

// An object in another process, simulated by the test.
struct Mortal final : AIBinder {
    bool isRemote() const override { return true; }
    bool isAlive() const override { return !isDead; }
    binder_status_t ping() override { return isDead ? STATUS_DEAD_OBJECT : STATUS_OK; }
    binder_status_t linkToDeath(const AIBinder_DeathRecipient& r, void* c) override {
        if (isDead) return STATUS_DEAD_OBJECT;
        recipient = r;
        cookie = c;
        return STATUS_OK;
    }
    binder_status_t unlinkToDeath(const AIBinder_DeathRecipient& r, void* c) override {
        if (isDead || c != cookie) return STATUS_DEAD_OBJECT;
        r.onUnlinked(std::exchange(cookie, nullptr));
        return STATUS_OK;
    }
    void die() {
        isDead = true;
        if (cookie == nullptr) return;
        recipient.onBinderDied(cookie);
        recipient.onUnlinked(std::exchange(cookie, nullptr));
    }
    bool isDead = false;
    AIBinder_DeathRecipient recipient{};
    void* cookie = nullptr;
};
struct Remote final : ndk::BpCInterface<aidl_hal::IBuffer> {
    using BpCInterface::BpCInterface;
    ScopedAStatus copyFrom(const aidl_hal::Memory&, const std::vector<int32_t>&) override {
        return ScopedAStatus::ok();
    }
    ScopedAStatus copyTo(const aidl_hal::Memory&) override { return ScopedAStatus::ok(); }
};
struct Told final : hal::utils::IProtectedCallback {
    void notifyAsDeadObject() override { ++times; }
    int times = 0;
};

// Rules wrapper.link_to_death, wrapper.death_in_prepare and wrapper.cache_handles.
TEST(AidlDeath, IsToldOnce) {
    using hal::utils::DeathHandler;
    const auto binder = std::make_shared<Mortal>();
    const std::shared_ptr<ndk::ICInterface> object =
            ndk::SharedRefBase::make<Remote>(ndk::SpAIBinder(binder));
    EXPECT_TRUE(object->isRemote());
    const auto told = std::make_shared<Told>();
    const auto forgotten = std::make_shared<Told>();
    {
        const DeathHandler handler = DeathHandler::create(object).value();
        (void)handler.protectCallback(forgotten);  // its hold is released at once
        EXPECT_NE(binder->cookie, nullptr);
    }
    EXPECT_EQ(binder->cookie, nullptr);
    const DeathHandler handler = DeathHandler::create(object).value();
    const auto hold = handler.protectCallback(told);
    EXPECT_FALSE(handler.isDead());
    binder->die();
    EXPECT_TRUE(handler.isDead());
    EXPECT_EQ(told->times, 1);
    EXPECT_EQ(forgotten->times, 0);
    EXPECT_THAT(DeathHandler::create(object), Refuses(DEAD_OBJECT, "linkToDeath: dead object"));
    EXPECT_EQ(codeOf(DeathHandler::create(std::shared_ptr<ndk::ICInterface>())), INVALID_ARGUMENT);
    // A local object never dies and cannot be linked to.
    EXPECT_TRUE(DeathHandler::create(makeDriver(AIDL1)).has_value());
}

TEST(AidlBinder, ReturnsNull) {
    EXPECT_FALSE(AIBinder_isRemote(nullptr));
    EXPECT_FALSE(AIBinder_isAlive(nullptr));
    EXPECT_EQ(AIBinder_ping(nullptr), STATUS_UNEXPECTED_NULL);
    static int unlinked;
    unlinked = 0;
    AIBinder_DeathRecipient* recipient = AIBinder_DeathRecipient_new([](void*) {});
    AIBinder_DeathRecipient_setOnUnlinked(recipient, [](void*) { ++unlinked; });
    EXPECT_EQ(AIBinder_linkToDeath(nullptr, recipient, nullptr), STATUS_UNEXPECTED_NULL);
    AIBinder local;
    EXPECT_EQ(AIBinder_linkToDeath(&local, recipient, nullptr), STATUS_INVALID_OPERATION);
    EXPECT_EQ(unlinked, 2);
    EXPECT_EQ(AIBinder_linkToDeath(&local, nullptr, nullptr), STATUS_UNEXPECTED_NULL);
    EXPECT_EQ(AIBinder_unlinkToDeath(&local, recipient, nullptr), STATUS_INVALID_OPERATION);
    EXPECT_EQ(AIBinder_unlinkToDeath(nullptr, recipient, nullptr), STATUS_UNEXPECTED_NULL);
    EXPECT_TRUE(AIBinder_isAlive(&local));
    AIBinder_DeathRecipient_delete(recipient);
    AIBinder_DeathRecipient_setOnUnlinked(nullptr, nullptr);
    const auto driver = makeDriver(AIDL1);
    EXPECT_EQ(driver->asBinder(), driver->asBinder());
    EXPECT_FALSE(driver->isRemote());
    EXPECT_EQ(driver->ref<fake_aidl::Device>(), driver);
}

}  // namespace
}  // namespace nn::aidl_wrapper_test
