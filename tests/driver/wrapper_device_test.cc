// A device of a HAL version as a canonical one: creation, getters, preparing, allocating. The
// numbers are those of the rules.
#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "driver/fake_driver.h"
#include "driver/models.h"
#include "in_threads.h"

namespace nn::wrapper_device_test {
namespace {

using fake::dead;
using fake::lost;
using fake::Reply;
using fake::sp;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using enum ErrorStatus;
using enum HalVersion;

constexpr HalVersion kVersions[] = {V1_0, V1_1, V1_2, V1_3};

template <class Interface>
sp<Interface> as(const sp<fake::Device>& driver) {
    return driver;
}

GeneralResult<SharedDevice> create(std::string name, const sp<fake::Device>& driver,
                                   HalVersion version, const WrapOptions& options = {}) {
    switch (version) {
        case V1_0:
            return V1_0::utils::Device::create(name, as<V1_0::IDevice>(driver), options);
        case V1_1:
            return V1_1::utils::Device::create(name, as<V1_1::IDevice>(driver), options);
        case V1_2:
            return V1_2::utils::Device::create(name, as<V1_2::IDevice>(driver), options);
        default:
            return V1_3::utils::Device::create(name, as<V1_3::IDevice>(driver), options);
    }
}

// Short, so that tests of hanging drivers are short as well.
const WrapOptions kImpatient{.ceiling = kSoon};

SharedDevice wrapped(const sp<fake::Device>& driver, const WrapOptions& options = {}) {
    return create("fake", driver, driver->version, options).value();
}

// The methods of a version.
const char* const kCapabilities[] = {"getCapabilities", "getCapabilities_1_1",
                                     "getCapabilities_1_2", "getCapabilities_1_3"};
const char* const kSupported[] = {"getSupportedOperations", "getSupportedOperations_1_1",
                                  "getSupportedOperations_1_2", "getSupportedOperations_1_3"};
const char* const kPrepare[] = {"prepareModel", "prepareModel_1_1", "prepareModel_1_2",
                                "prepareModel_1_3"};
const char* const kFromCache[] = {"", "", "prepareModelFromCache", "prepareModelFromCache_1_3"};

const char* of(const char* const (&names)[4], HalVersion version) {
    return names[static_cast<size_t>(version)];
}

std::vector<std::string> creationOf(HalVersion version) {
    if (version < V1_2) return {of(kCapabilities, version), "linkToDeath"};
    return {"getVersionString",
            "getType",
            "getSupportedExtensions",
            of(kCapabilities, version),
            "getNumberOfCacheFilesNeeded",
            "linkToDeath"};
}

class WrapperDevice : public testing::TestWithParam<HalVersion> {
   protected:
    HalVersion version() const { return GetParam(); }
    sp<fake::Device> driver = sp<fake::Device>::make(GetParam());
};

INSTANTIATE_TEST_SUITE_P(Versions, WrapperDevice, testing::ValuesIn(kVersions),
                         [](const auto& info) {
                             return "V1_" + std::to_string(static_cast<int>(info.param));
                         });

// ---- creation

// Rule wrapper.arguments.
TEST_P(WrapperDevice, NeedsANameAndADriver) {
    EXPECT_THAT(create("", driver, version()), Refuses(INVALID_ARGUMENT, "the name is empty"));
    EXPECT_THAT(create("fake", nullptr, version()),
                Refuses(INVALID_ARGUMENT, "the driver is null"));
    EXPECT_THAT(driver->calls(), IsEmpty());
    EXPECT_THAT(wrap("fake", nullptr), Refuses(INVALID_ARGUMENT, "the driver is null"));
    EXPECT_THAT(wrap("", driver), Refuses(INVALID_ARGUMENT, "the name is empty"));
}

// Rules hidl.death_recipient and wrapper.creation_order: one call of each, in this order.
TEST_P(WrapperDevice, AsksInOrder) {
    wrapped(driver);
    auto calls = creationOf(version());
    calls.push_back("unlinkToDeath");
    EXPECT_EQ(driver->calls(), calls);
    EXPECT_EQ(driver->links(), 0u);
}

// Rules hidl.inheritance, wrapper.own_version and wrapper.feature_level: the newest version of a
// driver, or the requested one.
TEST_P(WrapperDevice, IsOfTheNewestVersion) {
    const SharedDevice device = wrap("fake", driver).value();
    EXPECT_EQ(device->getFeatureLevel(), toVersion(version()));
    EXPECT_EQ(driver->calls(), creationOf(version()));
    for (const HalVersion older : kVersions) {
        if (older > version()) continue;
        driver->forgetCalls();
        EXPECT_EQ(create("fake", driver, older).value()->getFeatureLevel(), toVersion(older));
        EXPECT_EQ(driver->calls()[0], creationOf(older)[0]);
    }
}

// Rules hidl.statuses, wrapper.failed_creation, wrapper.link_to_death, transport.errors and
// callback.synchronous: each failure of each call ends the creation with this code.
TEST_P(WrapperDevice, CreationFailsWithItsFirstCall) {
    const struct {
        Reply reply;
        ErrorStatus code;
        bool isStatus = true;  // whether the method returns a status
    } kRows[] = {
            {{.transport = lost()}, GENERAL_FAILURE, false},
            {{.transport = dead()}, DEAD_OBJECT, false},
            {{.transport = hidl::Status::fromExceptionCode(hidl::Status::EX_SECURITY, "no")},
             GENERAL_FAILURE,
             false},
            {{.code = 1}, DEVICE_UNAVAILABLE},
            {{.code = 2}, GENERAL_FAILURE},
            {{.code = 4}, INVALID_ARGUMENT},
            {{.code = 77}, GENERAL_FAILURE},
            {{.code = -1}, GENERAL_FAILURE},
            {{.code = 10000}, GENERAL_FAILURE},
            {{.times = 0}, GENERAL_FAILURE},
    };
    const std::vector<std::string> calls = creationOf(version());
    for (size_t i = 0; i < calls.size(); ++i) {
        for (const auto& row : kRows) {
            if (row.isStatus && calls[i] == "linkToDeath") continue;
            SCOPED_TRACE(calls[i] + " " + row.reply.transport.description() + " " +
                         std::to_string(row.reply.code));
            const auto failing = sp<fake::Device>::make(version());
            failing->replies[calls[i]] = row.reply;
            const auto device = create("fake", failing, version());
            EXPECT_EQ(codeOf(device), row.code);
            EXPECT_THAT(device.error().message, testing::StartsWith(calls[i] + ": "));
            EXPECT_EQ(failing->calls(), std::vector(calls.begin(), calls.begin() + i + 1));
        }
    }
}

// Rules hidl.statuses and wrapper.failed_creation: codes 5 to 8 exist only in calls of 1.3.
TEST_P(WrapperDevice, CodesOfDeadlinesAreThoseOf1_3) {
    for (const auto code : {MISSED_DEADLINE_TRANSIENT, MISSED_DEADLINE_PERSISTENT,
                            RESOURCE_EXHAUSTED_TRANSIENT, RESOURCE_EXHAUSTED_PERSISTENT}) {
        driver->replies[of(kCapabilities, version())] = {.code = static_cast<int32_t>(code)};
        EXPECT_EQ(codeOf(create("fake", driver, version())),
                  version() == V1_3 ? code : GENERAL_FAILURE);
    }
}

// Rule wrapper.link_to_death.
TEST_P(WrapperDevice, NeedsALinkToDeath) {
    driver->linkResult = false;
    EXPECT_THAT(create("fake", driver, version()),
                Refuses(GENERAL_FAILURE, "linkToDeath: the object does not report its death"));
}

// Rules wrapper.cache_files and wrapper.converted_getters.
TEST(WrapperDeviceValues, ThatAreNotLegalFailTheCreation) {
    const struct {
        const char* name;
        std::function<void(fake::Device&)> spoil;
        ErrorStatus code;
        const char* message;
    } kRows[] = {
            {"ModelFiles", [](auto& d) { d.modelFiles = 33; }, GENERAL_FAILURE,
             "getNumberOfCacheFilesNeeded: the driver wants 33 files of the model cache"},
            {"DataFiles", [](auto& d) { d.dataFiles = UINT32_MAX; }, GENERAL_FAILURE,
             "getNumberOfCacheFilesNeeded: the driver wants 4294967295 files of the data cache"},
            {"NoVersion", [](auto& d) { d.versionString = ""; }, GENERAL_FAILURE,
             "getVersionString: the driver returns an empty string"},
            {"Type", [](auto& d) { d.type = V1_2::DeviceType(0); }, INVALID_ARGUMENT, "UNKNOWN"},
            {"TypeUnknown", [](auto& d) { d.type = V1_2::DeviceType(9); }, INVALID_ARGUMENT,
             "DeviceType(9)"},
            {"Extension", [](auto& d) { d.extensions = {{.name = "", .operandTypes = {}}}; },
             INVALID_ARGUMENT, "name"},
            {"Capabilities",
             [](auto& d) {
                 d.capabilities_1_2.relaxedFloat32toFloat16PerformanceScalar.execTime = -1;
                 d.capabilities_1_3.relaxedFloat32toFloat16PerformanceScalar.execTime = -1;
             },
             INVALID_ARGUMENT, "execTime is -1, allowed above 0"},
    };
    for (const auto& row : kRows) {
        for (const HalVersion version : {V1_2, V1_3}) {
            SCOPED_TRACE(row.name);
            const auto driver = sp<fake::Device>::make(version);
            row.spoil(*driver);
            const auto device = create("fake", driver, version);
            EXPECT_EQ(codeOf(device), row.code);
            EXPECT_THAT(device.error().message, HasSubstr(row.message));
        }
    }
}

// Rules device.cache_files and wrapper.cache_files: the maximal number of files, empty tables and
// the largest floats are valid.
TEST_P(WrapperDevice, TakesTheLimits) {
    driver->modelFiles = driver->dataFiles = 32;
    const SharedDevice device = wrapped(driver);
    EXPECT_EQ(device->getCapabilities().relaxedFloat32toFloat16PerformanceTensor.execTime,
              Capabilities::kUnknownPerformance);
    if (version() >= V1_2) {
        EXPECT_THAT(device->getNumberOfCacheFilesNeeded(), Pair(32u, 32u));
        EXPECT_THAT(device->getCapabilities().operandPerformance.asVector(), IsEmpty());
    }
}

// Rules device.getters, device.version_string, wrapper.cached_getters and wrapper.constants:
// getters return the driver's first values, or the constants of old versions.
TEST_P(WrapperDevice, GettersReturnCachedValues) {
    driver->modelFiles = 1;
    driver->dataFiles = 2;
    driver->extensions = {{.name = "com.example.a", .operandTypes = {}}};
    const SharedDevice device = wrapped(driver);
    driver->forgetCalls();
    driver->versionString = "other";
    driver->type = V1_2::DeviceType::GPU;
    driver->extensions = {};
    driver->modelFiles = 7;
    driver->die();

    const bool hasMetadata = version() >= V1_2;
    EXPECT_EQ(device->getName(), "fake");
    EXPECT_EQ(device->getVersionString(), hasMetadata ? "fake-1" : "UNKNOWN");
    EXPECT_EQ(&device->getVersionString(), &device->getVersionString());
    EXPECT_EQ(device->getType(), hasMetadata ? DeviceType::ACCELERATOR : DeviceType::OTHER);
    EXPECT_EQ(device->getSupportedExtensions().size(), hasMetadata ? 1u : 0u);
    EXPECT_EQ(&device->getCapabilities(), &device->getCapabilities());
    EXPECT_EQ(device->getNumberOfCacheFilesNeeded(),
              hasMetadata ? std::pair(1u, 2u) : std::pair(0u, 0u));
    EXPECT_EQ(device->getFeatureLevel(), toVersion(version()));
    EXPECT_THAT(driver->calls(), IsEmpty());
}

// Rules device.wait, wrapper.wait and transport.errors.
TEST_P(WrapperDevice, WaitsByOnePing) {
    const SharedDevice device = wrapped(driver);
    driver->forgetCalls();
    EXPECT_TRUE(device->wait().has_value());
    EXPECT_THAT(driver->calls(), ElementsAre("ping"));
    driver->replies["ping"] = {.transport = lost()};
    EXPECT_EQ(codeOf(device->wait()), GENERAL_FAILURE);
    driver->replies["ping"] = {.transport = dead()};
    EXPECT_THAT(device->wait(), Refuses(DEAD_OBJECT, "ping: dead object"));
}

// ---- getSupportedOperations

// x + c, where c is behind a pointer.
const float kOne = 1;
Model additionOfPointer() {
    Model model = addition(1);
    Operand& y = model.main.operands[model.main.inputIndexes[1]];
    y.lifetime = Operand::LifeTime::POINTER;
    y.location = {.pointer = static_cast<const void*>(&kOne), .length = sizeof(kOne)};
    model.main.inputIndexes.pop_back();
    return model;
}

// Requires HAL 1.2, or with RANK 1.3.
Model tooNewFor(HalVersion version) {
    Model model = addition();
    const auto type =
            version < V1_2 ? OperandType::TENSOR_FLOAT16 : OperandType::TENSOR_QUANT8_ASYMM_SIGNED;
    for (Operand& operand : model.main.operands) {
        if (operand.type != OperandType::TENSOR_FLOAT32) continue;
        operand.type = type;
        if (version >= V1_2) operand.scale = 1;
    }
    return model;
}

// Rules device.supported_operations and wrapper.supported_model.
TEST_P(WrapperDevice, AsksForSupportedOperations) {
    const SharedDevice device = wrapped(driver);
    driver->forgetCalls();
    EXPECT_THAT(device->getSupportedOperations(addition()).value(), ElementsAre(true));
    EXPECT_EQ(driver->pools, 0u);
    EXPECT_THAT(device->getSupportedOperations(additionOfPointer()).value(), ElementsAre(true));
    EXPECT_EQ(driver->pools, 1u);
    EXPECT_THAT(driver->calls(), ElementsAre(of(kSupported, version()), of(kSupported, version())));
}

// Rules wrapper.supported_model and wrapper.prepare: a model that does not convert is rejected
// before the driver is called.
TEST_P(WrapperDevice, RefusesModelsThatDoNotConvert) {
    const SharedDevice device = wrapped(driver);
    driver->forgetCalls();
    Model broken = addition();
    broken.main.operands[0].scale = 1;
    EXPECT_EQ(codeOf(device->getSupportedOperations(broken)), INVALID_ARGUMENT);
    EXPECT_EQ(codeOf(prepareOn(*device, broken)), INVALID_ARGUMENT);
    if (version() < V1_3) {
        const std::string needed = version() < V1_2 ? "HAL 1.2" : "HAL 1.3";
        const auto supported = device->getSupportedOperations(tooNewFor(version()));
        const auto prepared = prepareOn(*device, tooNewFor(version()));
        EXPECT_EQ(codeOf(supported), INVALID_ARGUMENT);
        EXPECT_THAT(supported.error().message, HasSubstr("needs " + needed));
        EXPECT_EQ(codeOf(prepared), INVALID_ARGUMENT);
        EXPECT_THAT(prepared.error().message, HasSubstr("needs " + needed));
    }
    EXPECT_THAT(driver->calls(), IsEmpty());
}

// Rule wrapper.supported_length. faults_test.cc covers the failures of the call.
TEST_P(WrapperDevice, ChecksSupportedOperations) {
    const std::string call = of(kSupported, version());
    const SharedDevice device = wrapped(driver);
    for (const size_t count : {0u, 2u}) {
        driver->supported = [=](size_t) { return fake::hidl_vec<bool>(count); };
        EXPECT_THAT(device->getSupportedOperations(addition()),
                    Refuses(GENERAL_FAILURE,
                            call + ": the driver returns results for " + std::to_string(count) +
                                    " operations, allowed 1, those of the main graph"));
    }
}

// ---- prepareModel

// Rules callback.late_notification and wrapper.silent_driver: a driver that hangs.
TEST_P(WrapperDevice, WaitsNoLongerThanTheCeiling) {
    sp<V1_0::IPreparedModelCallback> kept;
    driver->onPrepare = [&](const auto& callback) { kept = callback; };
    const SharedDevice device = wrapped(driver, kImpatient);
    const std::string call = of(kPrepare, version());
    EXPECT_THAT(prepareOn(*device, addition()),
                Refuses(GENERAL_FAILURE, call + ": no result for 100 ms, the most to wait without "
                                                "a deadline"));

    // The late notification is ignored, and its prepared model released.
    const int living = fake::living;
    fake::Device::notify(kept, version(), 0, sp<fake::PreparedModel>::make(version()));
    EXPECT_EQ(fake::living, living);
}

// Rules wrapper.lost_arguments and wrapper.local_deadline: for versions without deadlines, the
// wrapper enforces them.
TEST_P(WrapperDevice, HonorsDeadlines) {
    const SharedDevice device = wrapped(driver);
    const auto prepareUntil = [&](TimePoint deadline) {
        return codeOf(prepareOn(*device, addition(), deadline));
    };
    driver->forgetCalls();
    EXPECT_EQ(prepareUntil(Clock::now()), version() < V1_3 ? MISSED_DEADLINE_PERSISTENT : NONE);
    EXPECT_EQ(driver->calls().size(), version() < V1_3 ? 0u : 1u);
    driver->onPrepare = [&](const auto& callback) {
        std::this_thread::sleep_for(3 * kSoon);
        fake::Device::notify(callback, version(), 0, sp<fake::PreparedModel>::make(version()));
    };
    EXPECT_EQ(prepareUntil(soon()), version() < V1_3 ? MISSED_DEADLINE_TRANSIENT : NONE);
    EXPECT_EQ(prepareUntil(Clock::now() + std::chrono::seconds(30)), NONE);
}

// The files of a cache.
std::vector<SharedHandle> files(size_t count) {
    std::vector<SharedHandle> handles;
    for (size_t i = 0; i < count; ++i) {
        handles.push_back(std::make_shared<const Handle>(open("/dev/null", O_RDWR)));
    }
    return handles;
}

// Rules prepare.arguments, hidl.v1_1, hidl.v1_2, hidl.v1_3 and wrapper.lost_arguments: each version
// receives the arguments that it has; the wrapper reports the loss of the others.
TEST_P(WrapperDevice, CarriesArgumentsOrTellsThem) {
    Losses losses;
    std::string call;
    const SharedDevice device =
            wrapped(driver, {.onLoss = [&](std::string_view name, const Losses& lost) {
                        call = name;
                        losses = lost;
                    }});
    CacheToken token{};
    token[3] = 7;
    ASSERT_TRUE(device->prepareModel(addition(), ExecutionPreference::LOW_POWER, Priority::HIGH,
                                     Clock::now() + std::chrono::minutes(1), files(32), files(32),
                                     token, {{.token = 1, .value = {}}},
                                     {{.name = "com.example.a", .prefix = 1}})
                        .has_value());
    std::vector<std::string> paths;
    for (const Loss& loss : losses) paths.push_back(loss.path);
    EXPECT_EQ(call, of(kPrepare, version()));
    if (version() == V1_0) {
        EXPECT_THAT(paths, ElementsAre("preference", "priority", "deadline", "modelCache",
                                       "dataCache", "token", "hints", "extensionNameToPrefix"));
        EXPECT_EQ(toString(losses[0]),
                  "preference: LOW_POWER becomes FAST_SINGLE_ANSWER, HAL 1.0 has no preference");
    } else if (version() == V1_1) {
        EXPECT_THAT(paths, ElementsAre("priority", "deadline", "modelCache", "dataCache", "token",
                                       "hints", "extensionNameToPrefix"));
    } else if (version() == V1_2) {
        EXPECT_THAT(paths, ElementsAre("priority", "deadline", "hints", "extensionNameToPrefix"));
        EXPECT_EQ(toString(losses[0]), "priority: HIGH becomes MEDIUM, HAL 1.2 has no priority");
    } else {
        EXPECT_THAT(paths, ElementsAre("hints", "extensionNameToPrefix"));
    }
    if (version() >= V1_1) {
        EXPECT_EQ(driver->preference, V1_1::ExecutionPreference::LOW_POWER);
    }
    if (version() >= V1_2) {
        EXPECT_EQ(driver->modelHandles, 32u);
        EXPECT_EQ(driver->dataHandles, 32u);
        EXPECT_EQ(driver->cacheToken, token);
    }
    if (version() >= V1_3) {
        EXPECT_EQ(driver->priority, V1_3::Priority::HIGH);
        EXPECT_EQ(driver->deadline.getDiscriminator(),
                  V1_3::OptionalTimePoint::hidl_discriminator::nanosecondsSinceEpoch);
    }
}

// Rule wrapper.lost_arguments: no loss is reported if nothing is lost; a token without files has no
// meaning.
TEST_P(WrapperDevice, TellsNothingWhereNothingIsLost) {
    int told = 0;
    const SharedDevice device =
            wrapped(driver, {.onLoss = [&](std::string_view, const Losses&) { ++told; }});
    CacheToken token{};
    token[0] = 1;
    ASSERT_TRUE(device->prepareModel(addition(), ExecutionPreference::DEFAULT, Priority::DEFAULT,
                                     {}, {}, {}, token, {}, {})
                        .has_value());
    EXPECT_EQ(told, 0);
    EXPECT_EQ(driver->cacheToken, CacheToken{});
}

// Rules prepare.arguments and wrapper.prepare: invalid arguments fail; invalid cache files only
// disable the cache.
TEST_P(WrapperDevice, ChecksArguments) {
    Losses losses;
    const SharedDevice device =
            wrapped(driver, {.onLoss = [&](std::string_view, const Losses& l) { losses = l; }});
    driver->forgetCalls();
    const auto prepare = [&](ExecutionPreference preference, Priority priority,
                             std::vector<SharedHandle> modelCache) {
        return codeOf(device->prepareModel(addition(), preference, priority, {}, modelCache, {}, {},
                                           {}, {}));
    };
    EXPECT_EQ(prepare(ExecutionPreference(9), Priority::DEFAULT, {}), INVALID_ARGUMENT);
    EXPECT_EQ(prepare(ExecutionPreference::DEFAULT, Priority(9), {}), INVALID_ARGUMENT);
    EXPECT_THAT(driver->calls(), IsEmpty());

    const auto closed = std::make_shared<const Handle>();
    EXPECT_EQ(prepare(ExecutionPreference::DEFAULT, Priority::DEFAULT, {closed}), NONE);
    EXPECT_EQ(driver->modelHandles, 0u);
    ASSERT_EQ(losses.size(), 1u);
    EXPECT_EQ(losses[0].path, "modelCache");
    if (version() >= V1_2) {
        EXPECT_THAT(losses[0].why, HasSubstr("file descriptor is -1, allowed 0 or more"));
    }
}

// Rule wrapper.prepared_model_version: a prepared model from an older notify is wrapped by its own
// version.
TEST(WrapperDeviceValues, PreparedModelsAreWrappedByTheirVersion) {
    const struct {
        HalVersion device, notify, preparedModel, wrapped;
    } kRows[] = {
            {V1_3, V1_3, V1_3, V1_3}, {V1_3, V1_2, V1_2, V1_2}, {V1_3, V1_2, V1_3, V1_3},
            {V1_3, V1_0, V1_0, V1_0}, {V1_3, V1_0, V1_2, V1_2}, {V1_3, V1_0, V1_3, V1_3},
            {V1_2, V1_2, V1_2, V1_2}, {V1_2, V1_0, V1_0, V1_0}, {V1_2, V1_0, V1_2, V1_2},
            {V1_2, V1_2, V1_3, V1_2}, {V1_1, V1_0, V1_0, V1_0}, {V1_0, V1_0, V1_3, V1_0},
    };
    for (const auto& row : kRows) {
        SCOPED_TRACE(std::string(toString(row.device)) + " by " +
                     std::string(toString(row.notify)));
        const auto driver = sp<fake::Device>::make(row.device);
        driver->notifyBy = row.notify;
        driver->prepared = sp<fake::PreparedModel>::make(row.preparedModel);
        const auto prepared = prepareOn(*wrapped(driver), addition());
        ASSERT_TRUE(prepared.has_value());
        const std::any resource = (*prepared)->getUnderlyingResource();
        EXPECT_EQ(std::any_cast<sp<V1_3::IPreparedModel>>(&resource) != nullptr,
                  row.wrapped == V1_3);
        EXPECT_EQ(std::any_cast<sp<V1_2::IPreparedModel>>(&resource) != nullptr,
                  row.wrapped == V1_2);
        EXPECT_EQ(std::any_cast<sp<V1_0::IPreparedModel>>(&resource) != nullptr,
                  row.wrapped == V1_0);
    }
}

// ---- prepareModelFromCache

// Rules wrapper.load and wrapper.cache_handles.
TEST_P(WrapperDevice, PreparesFromCache) {
    const SharedDevice device = wrapped(driver);
    driver->forgetCalls();
    CacheToken token{};
    token[31] = 1;
    const auto prepared = device->prepareModelFromCache({}, files(2), files(1), token);
    if (version() < V1_2) {
        EXPECT_THAT(prepared,
                    Refuses(GENERAL_FAILURE, toString(toVersion(version())) + " has no caching"));
        EXPECT_THAT(driver->calls(), IsEmpty());
        return;
    }
    EXPECT_TRUE(prepared.has_value());
    EXPECT_THAT(driver->calls(), ElementsAre(of(kFromCache, version())));
    EXPECT_EQ(driver->modelHandles, 2u);
    EXPECT_EQ(driver->dataHandles, 1u);
    EXPECT_EQ(driver->cacheToken, token);
    EXPECT_EQ(codeOf(device->prepareModelFromCache({}, {std::make_shared<const Handle>()}, {}, {})),
              INVALID_ARGUMENT);
}

// Rules wrapper.load, wrapper.silent_driver and wrapper.local_deadline. faults_test.cc covers the
// other failures.
TEST(WrapperDeviceValues, PreparingFromCacheEndsWithItsDeadline) {
    for (const HalVersion version : {V1_2, V1_3}) {
        const auto driver = sp<fake::Device>::make(version);
        const SharedDevice device = wrapped(driver, kImpatient);
        sp<V1_0::IPreparedModelCallback> kept;
        driver->onPrepare = [&](const auto& callback) { kept = callback; };
        const auto prepareUntil = [&](OptionalTimePoint deadline) {
            return codeOf(device->prepareModelFromCache(deadline, {}, {}, {}));
        };
        EXPECT_EQ(prepareUntil({}), GENERAL_FAILURE);
        EXPECT_EQ(prepareUntil(soon()), MISSED_DEADLINE_TRANSIENT);
        EXPECT_EQ(prepareUntil(Clock::now()),
                  version == V1_3 ? MISSED_DEADLINE_TRANSIENT : MISSED_DEADLINE_PERSISTENT);
    }
}

// ---- allocate

// Rules buffer.token, buffer.methods, hidl.v1_3_callbacks, hidl.failed_allocate, wrapper.allocate
// and wrapper.allocate_null.
TEST_P(WrapperDevice, Allocates) {
    const SharedDevice device = wrapped(driver);
    const SharedPreparedModel prepared = prepareOn(*device, addition()).value();
    driver->forgetCalls();
    const BufferRole role{.modelIndex = 0, .ioIndex = 0, .probability = 1};
    const auto buffer = device->allocate({}, {prepared}, {role}, {});
    if (version() < V1_3) {
        EXPECT_THAT(buffer, Refuses(GENERAL_FAILURE,
                                    toString(toVersion(version())) + " has no memory of devices"));
        EXPECT_THAT(driver->calls(), IsEmpty());
        return;
    }
    ASSERT_TRUE(buffer.has_value());
    EXPECT_EQ((*buffer)->getToken(), Request::MemoryDomainToken(1));
    EXPECT_EQ(driver->models, 1u);
    EXPECT_EQ(driver->inputRoles, 1u);
    EXPECT_EQ(driver->outputRoles, 0u);
    // Without roles, the driver decides.
    EXPECT_TRUE(device->allocate({}, {}, {}, {}).has_value());
    EXPECT_EQ(driver->models, 0u);
}

// Rules hidl.failed_allocate, wrapper.allocate and wrapper.allocate_null. faults_test.cc covers the
// other failures of the call.
TEST(WrapperDeviceValues, AllocateChecks) {
    const auto driver = sp<fake::Device>::make(V1_3);
    const SharedDevice device = wrapped(driver);
    const SharedPreparedModel prepared = prepareOn(*device, addition()).value();
    const auto old = sp<fake::Device>::make(V1_2);
    const SharedPreparedModel ofOther = prepareOn(*wrapped(old), addition()).value();
    const SharedPreparedModel ofReference = prepareOn(*referenceDevice(), addition()).value();
    const BufferRole role{.modelIndex = 0, .ioIndex = 0, .probability = 1};
    const auto allocate = [&](SharedPreparedModel model) {
        return device->allocate({}, {std::move(model)}, {role}, {});
    };
    driver->forgetCalls();
    EXPECT_THAT(allocate(nullptr), Refuses(INVALID_ARGUMENT, "preparedModels[0] is null"));
    EXPECT_THAT(allocate(ofOther),
                Refuses(INVALID_ARGUMENT, "preparedModels[0] does not wrap one of HAL 1.3"));
    EXPECT_EQ(codeOf(allocate(ofReference)), INVALID_ARGUMENT);
    EXPECT_EQ(codeOf(device->allocate({}, {prepared}, {{.probability = 2}}, {})), INVALID_ARGUMENT);
    EXPECT_THAT(driver->calls(), IsEmpty());

    driver->replies["allocate"] = {.code = 7};
    EXPECT_EQ(codeOf(allocate(prepared)), RESOURCE_EXHAUSTED_TRANSIENT);
    driver->replies.clear();
    driver->token = 0;
    EXPECT_THAT(allocate(prepared),
                Refuses(GENERAL_FAILURE, "the buffer's token is 0, which names no buffer"));
    driver->token = 1;
    driver->buffer = nullptr;
    EXPECT_THAT(allocate(prepared), Refuses(GENERAL_FAILURE, "the buffer is null"));
}

// Rules buffer.methods and hidl.v1_3_callbacks. faults_test.cc covers the failures of the calls.
TEST(WrapperBuffer, Copies) {
    const auto driver = sp<fake::Buffer>::make();
    const auto token = Request::MemoryDomainToken(7);
    EXPECT_EQ(codeOf(V1_3::utils::Buffer::create(nullptr, token)), GENERAL_FAILURE);
    EXPECT_EQ(codeOf(V1_3::utils::Buffer::create(driver, {})), GENERAL_FAILURE);
    const SharedBuffer buffer = V1_3::utils::Buffer::create(driver, token).value();
    const SharedMemory memory = createSharedMemory(16).value();
    EXPECT_EQ(buffer->getToken(), token);
    EXPECT_TRUE(buffer->copyTo(memory).has_value());
    EXPECT_TRUE(buffer->copyFrom(memory, {2, 2}).has_value());
    EXPECT_THAT(driver->dimensions, ElementsAre(2u, 2u));
    EXPECT_THAT(driver->calls(), ElementsAre("copyTo", "copyFrom"));
    EXPECT_EQ(codeOf(buffer->copyTo(nullptr)), INVALID_ARGUMENT);
    EXPECT_EQ(codeOf(buffer->copyFrom(nullptr, {})), INVALID_ARGUMENT);
    EXPECT_THAT(driver->calls(), ElementsAre("copyTo", "copyFrom"));
}

// ---- many threads

// Rules prepared_model.release and hidl.concurrency: eight threads use one device, whose driver
// finally dies.
TEST_P(WrapperDevice, ServesManyThreads) {
    const SharedDevice device = wrapped(driver);
    std::atomic<int> prepared = 0, died = 0;
    inThreads(8, [&](int i) {
        for (int round = 0; round < 200; ++round) {
            const auto result = prepareOn(*device, addition());
            ++(result.has_value() ? prepared : died);
            EXPECT_TRUE(result.has_value() || codeOf(result) == DEAD_OBJECT);
            (void)device->getSupportedOperations(addition());
            (void)device->wait();
            (void)device->getVersionString();
            if (i == 0 && round == 150) driver->die();
        }
    });
    EXPECT_EQ(prepared + died, 1600);
    EXPECT_GE(prepared, 151);
    EXPECT_GE(died, 1);
}

}  // namespace
}  // namespace nn::wrapper_device_test
