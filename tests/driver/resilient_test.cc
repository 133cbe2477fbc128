// Resilient objects over scripted ones, and invalid objects.
#include "nnapi/driver/resilient.h"

#include <atomic>
#include <deque>
#include <mutex>
#include <new>
#include <stdexcept>
#include <thread>

#include "driver/models.h"
#include "fakes/canonical_methods.h"
#include "in_threads.h"
#include "nnapi/driver/invalid.h"
#include "nnapi/memory.h"

namespace nn::driver_resilient_test {
namespace {

using namespace hal::utils;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;
using enum ErrorStatus;

using Roles = std::vector<BufferRole>;
using Models = std::vector<SharedPreparedModel>;

Status dead() { return makeError(DEAD_OBJECT, "it died"); }
Status failure() { return makeError(RESOURCE_EXHAUSTED_TRANSIENT, "too much"); }

// The results of the next calls of any method, and a record of the calls. All objects of a test
// share one script.
class Script {
   public:
    Script(std::vector<Status> results = {}) : mResults(results.begin(), results.end()) {}

    Status next(const std::string& method, int object) {
        const std::lock_guard lock(mMutex);
        mCalls.push_back(method + "@" + std::to_string(object));
        if (mResults.empty()) return {};
        Status result = mResults.front();
        mResults.pop_front();
        return result;
    }
    std::vector<std::string> calls() const {
        const std::lock_guard lock(mMutex);
        return mCalls;
    }

   private:
    mutable std::mutex mMutex;
    std::deque<Status> mResults;
    std::vector<std::string> mCalls{};
};

// The base of all fakes: a call takes the next result of the script. If it succeeds, it returns an
// object of the same number, or an empty result.
template <class Interface>
class Scripted : public Interface {
   public:
    Scripted(Script& script, int id) : mScript(script), mId(id) {}

    // Of the last calls that had them.
    mutable Request lastRequest{};
    mutable Models lastModels{};

   protected:
    Status next(std::string_view method) const { return mScript.next(std::string(method), mId); }
    int id() const { return mId; }

    template <class Result>
    Result call(std::string_view method, const auto&, const auto&... arguments) const {
        (keep(arguments), ...);
        NNAPI_RETURN_IF_ERROR(next(method));
        if constexpr (std::is_same_v<Result, GeneralResult<void>>) {
            return {};
        } else {
            typename Result::value_type made{};
            make(mScript, mId, made);
            return made;
        }
    }

   private:
    void keep(const auto&) const {}
    void keep(const Request& request) const { lastRequest = request; }
    void keep(const Models& models) const { lastModels = models; }

    Script& mScript;
    int mId;
};

using FakeExecution = fakes::CanonicalExecution<Scripted<IExecution>>;

class FakeBurst final : public fakes::CanonicalBurst<Scripted<IBurst>> {
   public:
    using CanonicalBurst::CanonicalBurst;
    OptionalCacheHold cacheMemory(const SharedMemory&) const override {
        (void)next("cacheMemory");
        return std::make_shared<const CacheHold>(nullptr);
    }
};

class FakeBuffer final : public fakes::CanonicalBuffer<Scripted<IBuffer>> {
   public:
    using CanonicalBuffer::CanonicalBuffer;
    Request::MemoryDomainToken getToken() const override {
        (void)next("getToken");
        return Request::MemoryDomainToken(100 + id());
    }
};

class FakePreparedModel final : public fakes::CanonicalPreparedModel<Scripted<IPreparedModel>> {
   public:
    using CanonicalPreparedModel::CanonicalPreparedModel;
    std::any getUnderlyingResource() const override {
        (void)next("getUnderlyingResource");
        return id();
    }
};

// The properties of a device.
struct Traits {
    std::string name = "npu";
    std::string versionString = "1";
    Version featureLevel = kVersionFeatureLevel4;
    DeviceType type = DeviceType::ACCELERATOR;
    std::vector<Extension> extensions = {{.name = "com.example.one", .operandTypes = {}}};
    Capabilities capabilities{};
    std::pair<uint32_t, uint32_t> cacheFiles = {1, 2};
};

class FakeDevice final : public fakes::CanonicalDevice<Scripted<IDevice>> {
   public:
    FakeDevice(Script& script, int id, Traits says = {})
        : CanonicalDevice(script, id), traits(std::move(says)) {}

    const std::string& getName() const override { return traits.name; }
    const std::string& getVersionString() const override { return traits.versionString; }
    Version getFeatureLevel() const override { return traits.featureLevel; }
    DeviceType getType() const override { return traits.type; }
    const std::vector<Extension>& getSupportedExtensions() const override {
        return traits.extensions;
    }
    const Capabilities& getCapabilities() const override { return traits.capabilities; }
    std::pair<uint32_t, uint32_t> getNumberOfCacheFilesNeeded() const override {
        return traits.cacheFiles;
    }

    Traits traits;
};

// The results of calls that succeed.
void make(Script&, int, auto&) {}
void make(Script&, int, std::vector<bool>& supported) { supported = {true}; }
void make(Script& script, int id, SharedExecution& made) {
    made = std::make_shared<const FakeExecution>(script, id);
}
void make(Script& script, int id, SharedBurst& made) {
    made = std::make_shared<const FakeBurst>(script, id);
}
void make(Script& script, int id, SharedBuffer& made) {
    made = std::make_shared<const FakeBuffer>(script, id);
}
void make(Script& script, int id, SharedPreparedModel& made) {
    made = std::make_shared<const FakePreparedModel>(script, id);
}

// Succeeds with invalid results.
class OddResults : public IPreparedModel {
   public:
    std::any getUnderlyingResource() const override { return {}; }

   protected:
    template <class Result>
    Result call(std::string_view, const auto&...) const {
        typename Result::value_type made{};
        if constexpr (std::is_same_v<Result, ExecutionResult<Executed>>) {
            made = {std::vector<OutputShape>(1), Timing{.timeOnDevice = Duration(-5)}};
        }
        return made;
    }
};
using OddPreparedModel = fakes::CanonicalPreparedModel<OddResults>;

// ---- the rules common to all five classes

template <class I>
struct Method {
    const char* name;
    std::function<Status(const I&)> call;
    bool isBlocking = false;
};

// The differences between the five classes; all but the device recover alike.
template <class I, class F>
struct KindOf {
    using Interface = I;
    using Fake = F;
    static auto recover(const auto& object, const I* failing) { return object.recover(failing); }
};
template <class Resilient>
struct Kind;

template <>
struct Kind<ResilientDevice> : KindOf<IDevice, FakeDevice> {
    static SharedDevice current(const ResilientDevice& object) { return object.getDevice(); }
    static auto recover(const ResilientDevice& object, const IDevice* failing) {
        return object.recover(failing, /*blocking=*/false);
    }
    static std::vector<Method<IDevice>> methods() {
        return {{"wait", [](auto& on) -> Status { return on.wait(); }, /*isBlocking=*/true},
                {"getSupportedOperations",
                 [](auto& on) -> Status { return on.getSupportedOperations({}).status(); }},
                {"prepareModel", [](auto& on) -> Status { return prepareOn(on, {}).status(); }},
                {"prepareModelFromCache",
                 [](auto& on) -> Status {
                     return on.prepareModelFromCache({}, {}, {}, {}).status();
                 }},
                {"allocate",
                 [](auto& on) -> Status { return on.allocate({}, {}, {}, {}).status(); }}};
    }
};

template <>
struct Kind<ResilientPreparedModel> : KindOf<IPreparedModel, FakePreparedModel> {
    static SharedPreparedModel current(const ResilientPreparedModel& object) {
        return object.getPreparedModel();
    }
    static std::vector<Method<IPreparedModel>> methods() {
        return {{"execute", [](auto& on) -> Status { return executeOn(on, {}).status(); }},
                {"executeFenced",
                 [](auto& on) -> Status { return executeFencedOn(on, {}).status(); }},
                {"createReusableExecution",
                 [](auto& on) -> Status { return reusableOn(on, {}).status(); }},
                {"configureExecutionBurst",
                 [](auto& on) -> Status { return on.configureExecutionBurst().status(); }}};
    }
};

template <>
struct Kind<ResilientExecution> : KindOf<IExecution, FakeExecution> {
    static SharedExecution current(const ResilientExecution& object) {
        return object.getExecution();
    }
    static std::vector<Method<IExecution>> methods() {
        return {{"compute", [](auto& on) -> Status { return on.compute({}).status(); }},
                {"computeFenced",
                 [](auto& on) -> Status { return on.computeFenced({}, {}, {}).status(); }}};
    }
};

template <>
struct Kind<ResilientBurst> : KindOf<IBurst, FakeBurst> {
    static SharedBurst current(const ResilientBurst& object) { return object.getBurst(); }
    static std::vector<Method<IBurst>> methods() {
        return {{"execute", [](auto& on) -> Status { return executeOn(on, {}).status(); }},
                {"createReusableExecution",
                 [](auto& on) -> Status { return reusableOn(on, {}).status(); }}};
    }
};

template <>
struct Kind<ResilientBuffer> : KindOf<IBuffer, FakeBuffer> {
    static SharedBuffer current(const ResilientBuffer& object) { return object.getBuffer(); }
    static std::vector<Method<IBuffer>> methods() {
        return {{"copyTo", [](auto& on) -> Status { return on.copyTo({}); }},
                {"copyFrom", [](auto& on) -> Status { return on.copyFrom({}, {}); }}};
    }
};

// One resilient object, and a factory that creates object 0, object 1, ... for it.
template <class Resilient>
class ResilientHarness {
   public:
    using Interface = typename Kind<Resilient>::Interface;
    using Shared = std::shared_ptr<const Interface>;
    using Made = GeneralResult<Shared>;

    explicit ResilientHarness(std::vector<Status> results = {}, ResilientOptions options = {})
        : script(std::move(results)) {
        auto created = Resilient::create([this](auto... isBlocking) { return make(isBlocking...); },
                                         options);
        EXPECT_TRUE(created.has_value()) << created.error().message;
        object = created.value();
    }

    Shared fake(int id) {
        return std::make_shared<const typename Kind<Resilient>::Fake>(script, id);
    }

    Script script;
    // Replaces the factory from its second call on.
    std::function<Made()> instead{};
    std::shared_ptr<const Resilient> object;
    // The `blocking` argument of each call of the factory.
    std::vector<bool> madeBlocking{};
    std::vector<Shared> made{};

   private:
    Made make(bool isBlocking = false) {
        madeBlocking.push_back(isBlocking);
        if (instead && madeBlocking.size() > 1) return instead();
        made.push_back(fake(static_cast<int>(made.size())));
        return made.back();
    }
};

template <class Resilient>
class Resilience : public testing::Test {};
using Resilients = testing::Types<ResilientDevice, ResilientPreparedModel, ResilientExecution,
                                  ResilientBurst, ResilientBuffer>;
TYPED_TEST_SUITE(Resilience, Resilients);

// Rules resilient.factory and resilient.null.
TYPED_TEST(Resilience, RefusesToBeCreated) {
    using Shared = std::shared_ptr<const typename Kind<TypeParam>::Interface>;
    using Returned = GeneralResult<Shared>;
    const struct {
        const char* name;
        typename TypeParam::Factory factory;
        ErrorStatus code;
        std::string message;
    } kRows[] = {
            {"Fails", [](auto...) -> Returned { return failure(); }, RESOURCE_EXHAUSTED_TRANSIENT,
             "too much"},
            {"Null", [](auto...) -> Returned { return Shared(); }, GENERAL_FAILURE,
             "a null object came without an error"},
            {"Throws", [](auto...) -> Returned { throw std::runtime_error("no bus"); },
             GENERAL_FAILURE, "the factory has thrown: no bus"},
            {"ThrowsAnything", [](auto...) -> Returned { throw 1; }, GENERAL_FAILURE,
             "the factory has thrown what is not a std::exception"},
            {"NoMemory", [](auto...) -> Returned { throw std::bad_alloc(); },
             RESOURCE_EXHAUSTED_TRANSIENT, "out of memory"},
    };
    for (const auto& row : kRows) {
        EXPECT_THAT(TypeParam::create(row.factory), Refuses(row.code, row.message)) << row.name;
    }
    EXPECT_EQ(TypeParam::create({}).error().code, INVALID_ARGUMENT);
}

// Rules resilient.factory, resilient.repeat, resilient.blocking, resilient.failed_recovery and
// resilient.objects: each method, each result, each outcome of a recovery.
TYPED_TEST(Resilience, ForwardsRecoversOnceRepeatsOnce) {
    using W = ResilientHarness<TypeParam>;
    using Made = typename W::Made;
    const std::string after = "it died; the recovery has failed with ";
    using Results = std::vector<Status>;
    using Objects = std::vector<int>;
    const struct {
        const char* name;
        Results results;
        std::function<Made()> instead;
        size_t factoryCalls;
        Objects objects;  // on which the method was called
        ErrorStatus code;
        std::string message;
    } kRows[] = {
            {"Succeeds", Results{}, nullptr, 1, Objects{0}, NONE, ""},
            {"Fails", Results{failure()}, nullptr, 1, Objects{0}, RESOURCE_EXHAUSTED_TRANSIENT,
             "too much"},
            {"Recovers", Results{dead()}, nullptr, 2, Objects{0, 1}, NONE, ""},
            {"RecoversAndFails", Results{dead(), failure()}, nullptr, 2, Objects{0, 1},
             RESOURCE_EXHAUSTED_TRANSIENT, "too much"},
            {"DiesAgain", Results{dead(), dead()}, nullptr, 2, Objects{0, 1}, DEAD_OBJECT,
             "it died"},
            {"RecoveryFails", Results{dead()}, [] { return failure(); }, 2, Objects{0}, DEAD_OBJECT,
             after + "RESOURCE_EXHAUSTED_TRANSIENT: too much"},
            {"RecoveryIsNull", Results{dead()}, [] { return typename W::Shared(); }, 2, Objects{0},
             DEAD_OBJECT, after + "GENERAL_FAILURE: a null object came without an error"},
            {"RecoveryThrows", Results{dead()},
             []() -> Made { throw std::runtime_error("no bus"); }, 2, Objects{0}, DEAD_OBJECT,
             after + "GENERAL_FAILURE: the factory has thrown: no bus"},
    };
    for (const auto& method : Kind<TypeParam>::methods()) {
        for (const auto& row : kRows) {
            SCOPED_TRACE(std::string(method.name) + " " + row.name);
            W harness(row.results);
            harness.instead = row.instead;
            const Status status = method.call(*harness.object);
            EXPECT_EQ(errorStatus(status), row.code);
            EXPECT_EQ(status.message(), row.message);
            std::vector<std::string> calls;
            for (const int object : row.objects) {
                calls.push_back(std::string(method.name) + "@" + std::to_string(object));
            }
            EXPECT_EQ(harness.script.calls(), calls);
            ASSERT_THAT(harness.madeBlocking, SizeIs(row.factoryCalls));
            if (std::is_same_v<TypeParam, ResilientDevice>) {
                EXPECT_TRUE(harness.madeBlocking[0]);
                if (row.factoryCalls > 1) {
                    EXPECT_EQ(harness.madeBlocking[1], method.isBlocking);
                }
            }
        }
    }
}

// Rule resilient.repeat: after a failed recovery, the next call tries again.
TYPED_TEST(Resilience, TriesAgainWithTheNextCall) {
    ResilientHarness<TypeParam> harness({dead(), dead()});
    harness.instead = [] { return failure(); };
    const auto method = Kind<TypeParam>::methods().back();
    EXPECT_EQ(errorStatus(method.call(*harness.object)), DEAD_OBJECT);
    harness.instead = nullptr;
    EXPECT_TRUE(method.call(*harness.object).ok());
    EXPECT_THAT(harness.madeBlocking, SizeIs(3));
}

// Rule resilient.recover.
TYPED_TEST(Resilience, RecoversOnlyWhatFails) {
    using K = Kind<TypeParam>;
    ResilientHarness<TypeParam> harness;
    const auto first = K::current(*harness.object);
    EXPECT_EQ(first, harness.made[0]);
    EXPECT_EQ(K::recover(*harness.object, nullptr).value(), first);
    EXPECT_THAT(harness.made, SizeIs(1));

    const auto second = K::recover(*harness.object, first.get()).value();
    EXPECT_EQ(second, harness.made[1]);
    EXPECT_EQ(K::current(*harness.object), second);
    EXPECT_EQ(K::recover(*harness.object, first.get()).value(), second) << "it fails no more";
    EXPECT_THAT(harness.made, SizeIs(2));
}

// Rules resilient.recover and resilient.one_factory_call: all calls that notice the same death wait
// for one call of the factory.
TYPED_TEST(Resilience, ThreadsShareARecovery) {
    using K = Kind<TypeParam>;
    for (const bool fails : {false, true}) {
        ResilientHarness<TypeParam> harness;
        const auto first = K::current(*harness.object);
        std::atomic<int> asked{0}, agreed{0};
        harness.instead = [&]() -> typename ResilientHarness<TypeParam>::Made {
            while (asked < 8) std::this_thread::yield();
            // Ensures that the last thread waits as well and does not arrive after the failure.
            if (fails) {
                std::this_thread::sleep_for(std::chrono::milliseconds(300));
                return failure();
            }
            return harness.fake(1);
        };
        inThreads(8, [&](int) {
            ++asked;
            const auto recovered = K::recover(*harness.object, first.get());
            agreed += fails ? recovered.error() ==
                                      GeneralError{"too much", RESOURCE_EXHAUSTED_TRANSIENT}
                            : recovered.value() != first;
        });
        EXPECT_EQ(agreed, 8);
        EXPECT_THAT(harness.madeBlocking, SizeIs(2));
    }
}

// Rules death.threads and resilient.recover: no lock is held while the factory runs, and waiting
// for another thread's recovery has a bound.
TYPED_TEST(Resilience, WaitsForOthersNoLongerThanAllowed) {
    using K = Kind<TypeParam>;
    ResilientHarness<TypeParam> harness({}, {.recoveryTimeout = std::chrono::milliseconds(20)});
    const auto first = K::current(*harness.object);
    GeneralError seen;
    harness.instead = [&]() -> typename ResilientHarness<TypeParam>::Made {
        std::thread([&] {
            EXPECT_EQ(K::current(*harness.object), first);
            seen = K::recover(*harness.object, first.get()).error();
        }).join();
        return failure();
    };
    EXPECT_THAT(K::recover(*harness.object, first.get()),
                Refuses(RESOURCE_EXHAUSTED_TRANSIENT, "too much"));
    EXPECT_EQ(seen,
              (GeneralError{"another thread is still recovering the object", DEVICE_UNAVAILABLE}));
}

// Rule death.threads: a factory that uses the object that it is to recover.
TYPED_TEST(Resilience, IsRefusedToItsFactory) {
    using K = Kind<TypeParam>;
    ResilientHarness<TypeParam> harness({dead(), dead()},
                                        {.recoveryTimeout = std::chrono::hours(1)});
    const auto method = K::methods().front();
    Status inner;
    harness.instead = [&]() -> typename ResilientHarness<TypeParam>::Made {
        inner = method.call(*harness.object);
        return harness.fake(1);
    };
    EXPECT_TRUE(method.call(*harness.object).ok());
    EXPECT_EQ(errorStatus(inner), DEAD_OBJECT);
    EXPECT_EQ(inner.message(),
              "it died; the recovery has failed with GENERAL_FAILURE: the factory needs the object "
              "that it is to make");
}

// ---- devices

// Rule resilient.cached_getters: some values are cached from the first device, the others are
// queried.
TEST(ResilientDevice, CachesGetters) {
    Script script;
    std::vector<std::shared_ptr<FakeDevice>> devices;
    const auto device = ResilientDevice::create([&](bool) {
                            devices.push_back(std::make_shared<FakeDevice>(script, 0));
                            return SharedDevice(devices.back());
                        }).value();
    const std::string& name = device->getName();
    const std::string& version = device->getVersionString();
    const std::vector<Extension>& extensions = device->getSupportedExtensions();
    const Capabilities& capabilities = device->getCapabilities();
    ASSERT_TRUE(device->recover(devices[0].get(), false).has_value());
    devices.front().reset();
    EXPECT_EQ(&device->getName(), &name);
    EXPECT_EQ(&device->getVersionString(), &version);
    EXPECT_EQ(&device->getSupportedExtensions(), &extensions);
    EXPECT_EQ(&device->getCapabilities(), &capabilities);
    EXPECT_EQ(name, "npu");
    EXPECT_EQ(version, "1");
    EXPECT_EQ(extensions, Traits().extensions);
    EXPECT_EQ(capabilities, Traits().capabilities);

    devices.back()->traits = {.name = "other",
                              .featureLevel = kVersionFeatureLevel8,
                              .type = DeviceType::GPU,
                              .cacheFiles = {7, 8}};
    EXPECT_EQ(device->getName(), "npu");
    EXPECT_EQ(device->getFeatureLevel(), kVersionFeatureLevel8);
    EXPECT_EQ(device->getType(), DeviceType::GPU);
    EXPECT_THAT(device->getNumberOfCacheFilesNeeded(), Pair(7u, 8u));
}

// Rule resilient.blocking: a blocking call does not adopt the failed recovery of a call that did
// not block.
TEST(ResilientDevice, WaitsForTheDriverItself) {
    ResilientHarness<ResilientDevice> harness({dead(), dead(), {}, {}});
    std::atomic<bool> isWaiting{false};
    std::thread waiter;
    harness.instead = [&]() -> GeneralResult<SharedDevice> {
        if (harness.madeBlocking.back()) {
            return harness.fake(1);
        }
        waiter = std::thread([&] {
            isWaiting = true;
            EXPECT_TRUE(harness.object->wait().has_value());
        });
        while (!isWaiting) std::this_thread::yield();
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        return failure();
    };
    EXPECT_EQ(harness.object->getSupportedOperations({}).error().code, DEAD_OBJECT);
    waiter.join();
    EXPECT_THAT(harness.madeBlocking, ElementsAre(true, false, true));
}

// Rule resilient.recover: the deadline of a call ends its wait.
TEST(ResilientPreparedModel, WaitsNoLongerThanItsDeadline) {
    ResilientHarness<ResilientPreparedModel> harness({dead(), dead()},
                                                     {.recoveryTimeout = std::chrono::hours(1)});
    ExecutionError seen;
    harness.instead = [&]() -> GeneralResult<SharedPreparedModel> {
        std::thread([&] {
            seen = harness.object->execute({}, {}, soon(), {}, {}, {}).error();
        }).join();
        return failure();
    };
    EXPECT_EQ(executeOn(*harness.object, {}).error().code, DEAD_OBJECT);
    EXPECT_EQ(seen.code, DEAD_OBJECT);
    EXPECT_EQ(seen.message,
              "it died; the recovery has failed with MISSED_DEADLINE_TRANSIENT: another thread is "
              "still recovering the object");
}

// Rules resilient.changed_device, resilient.invalid_device and resilient.invalid_answer.
TEST(ResilientDevice, IsInvalidOnceAnotherDeviceComesBack) {
    const struct {
        const char* name;
        std::function<void(Traits&)> change;
        std::string what;
    } kRows[] = {
            {"Name", [](Traits& is) { is.name = "gpu"; }, "the name, which was 'npu' and is 'gpu'"},
            {"VersionString", [](Traits& is) { is.versionString = "2"; },
             "the version string, which was '1' and is '2'"},
            {"FeatureLevel", [](Traits& is) { is.featureLevel = kVersionFeatureLevel5; },
             "the feature level, which was 4 and is 5"},
            {"Type", [](Traits& is) { is.type = DeviceType::GPU; },
             "the type, which was ACCELERATOR and is GPU"},
            {"Extensions", [](Traits& is) { is.extensions.clear(); }, "other extensions"},
            {"Capabilities", [](Traits& is) { is.capabilities.ifPerformance.execTime = 1; },
             "other capabilities"},
            {"CacheFiles", [](Traits& is) { is.cacheFiles.second = 3; },
             "the number of cache files, which was (1, 2) and is (1, 3)"},
    };
    for (const auto& row : kRows) {
        SCOPED_TRACE(row.name);
        for (const bool wrapResults : {false, true}) {
            ResilientHarness<ResilientDevice> harness({}, {.wrapResults = wrapResults});
            const IDevice* const first = harness.made[0].get();
            const std::string reason = "the device 'npu' has come back as another one, with " +
                                       row.what + "; open it anew";
            SharedDevice other;
            harness.instead = [&] {
                Traits traits;
                row.change(traits);
                other = std::make_shared<const FakeDevice>(harness.script, 1, traits);
                return other;
            };
            const auto recovered = harness.object->recover(first, false);
            ASSERT_TRUE(recovered.has_value()) << recovered.error().message;
            ASSERT_NE(*recovered, nullptr);
            EXPECT_NE(recovered->get(), first);
            EXPECT_NE(*recovered, other);
            EXPECT_EQ(harness.object->getDevice(), *recovered);

            const auto prepared = prepareOn(*harness.object, addition());
            ASSERT_TRUE(prepared.has_value()) << prepared.error().message;
            EXPECT_NE(dynamic_cast<const InvalidPreparedModel*>(prepared->get()), nullptr);
            EXPECT_THAT(executeOn(**prepared, {}), Refuses(GENERAL_FAILURE, reason));
            const auto cached = harness.object->prepareModelFromCache({}, {}, {}, {});
            EXPECT_NE(dynamic_cast<const InvalidPreparedModel*>(cached.value().get()), nullptr);
            const auto buffer = harness.object->allocate({}, {}, {}, {});
            EXPECT_NE(dynamic_cast<const InvalidBuffer*>(buffer.value().get()), nullptr);
            EXPECT_THAT(harness.object->getSupportedOperations({}),
                        Refuses(GENERAL_FAILURE, reason));
            EXPECT_THAT(harness.object->wait(), Refuses(GENERAL_FAILURE, reason));

            EXPECT_EQ(harness.object->getName(), "npu");
            EXPECT_EQ(harness.object->getFeatureLevel(), kVersionFeatureLevel4);
            EXPECT_EQ(harness.object->getType(), DeviceType::ACCELERATOR);
            EXPECT_THAT(harness.object->getNumberOfCacheFilesNeeded(), Pair(1u, 2u));

            harness.instead = nullptr;
            EXPECT_EQ(harness.object->recover(recovered->get(), true).value(), *recovered)
                    << "for good";
            EXPECT_THAT(harness.script.calls(), IsEmpty()) << "neither device is called";
        }
    }
}

// Rules resilient.changed_device and resilient.invalid_device: the call that detects the other
// device fails like all later ones.
TEST(ResilientDevice, FindsOutInTheMiddleOfACall) {
    ResilientHarness<ResilientDevice> harness({dead()});
    harness.instead = [&] {
        return SharedDevice(
                std::make_shared<const FakeDevice>(harness.script, 1, Traits{.name = "gpu"}));
    };
    const auto prepared = prepareOn(*harness.object, addition());
    EXPECT_NE(dynamic_cast<const InvalidPreparedModel*>(prepared.value().get()), nullptr);
    EXPECT_THAT(harness.script.calls(), ElementsAre("prepareModel@0"));
}

// ---- calls that do not recover

// Rule resilient.objects: these methods call the current object once.
TEST(ResilientObjects, SomeMethodsDoNotRecover) {
    ResilientHarness<ResilientPreparedModel> model;
    ResilientHarness<ResilientBurst> burst;
    ResilientHarness<ResilientBuffer> buffer;
    for (const int current : {0, 1}) {
        EXPECT_EQ(std::any_cast<int>(model.object->getUnderlyingResource()), current);
        EXPECT_NE(burst.object->cacheMemory(nullptr), nullptr);
        EXPECT_EQ(buffer.object->getToken(), Request::MemoryDomainToken(100 + current));
        if (current == 1) break;
        ASSERT_TRUE(model.object->recover(model.made[0].get()).has_value());
        ASSERT_TRUE(burst.object->recover(burst.made[0].get()).has_value());
        ASSERT_TRUE(buffer.object->recover(buffer.made[0].get()).has_value());
    }
    EXPECT_THAT(model.script.calls(),
                ElementsAre("getUnderlyingResource@0", "getUnderlyingResource@1"));
    EXPECT_THAT(burst.script.calls(), ElementsAre("cacheMemory@0", "cacheMemory@1"));
    EXPECT_THAT(buffer.script.calls(), ElementsAre("getToken@0", "getToken@1"));
}

// Rule resilient.objects: successful results are not checked, for example nulls and empty lists.
TEST(ResilientObjects, ForwardSuccessesUnchecked) {
    const auto factory = [] {
        return SharedPreparedModel(std::make_shared<const OddPreparedModel>());
    };
    const auto plain = ResilientPreparedModel::create(factory).value();
    const auto executed = executeOn(*plain, {}).value();
    EXPECT_THAT(executed.first, SizeIs(1));
    EXPECT_EQ(executed.second.timeOnDevice, Duration(-5));
    EXPECT_EQ(executeFencedOn(*plain, {}).value().second, nullptr);
    EXPECT_EQ(reusableOn(*plain, {}).value(), nullptr);
    EXPECT_EQ(plain->configureExecutionBurst().value(), nullptr);

    // Null cannot recover.
    const auto wrapping = ResilientPreparedModel::create(factory, {.wrapResults = true}).value();
    EXPECT_THAT(wrapping->configureExecutionBurst(),
                Refuses(GENERAL_FAILURE, "a null object came without an error"));
    EXPECT_THAT(reusableOn(*wrapping, {}),
                Refuses(GENERAL_FAILURE, "a null object came without an error"));
}

// Rule resilient.wrapped_results: without the option, the returned objects are the current object's
// own.
TEST(ResilientObjects, GiveOutPlainObjects) {
    ResilientHarness<ResilientDevice> device;
    const SharedPreparedModel model = prepareOn(*device.object, {}).value();
    EXPECT_NE(dynamic_cast<const FakePreparedModel*>(model.get()), nullptr);
    const SharedBuffer buffer = device.object->allocate({}, {}, {}, {}).value();
    EXPECT_NE(dynamic_cast<const FakeBuffer*>(buffer.get()), nullptr);
    ResilientHarness<ResilientPreparedModel> prepared;
    const SharedBurst burst = prepared.object->configureExecutionBurst().value();
    EXPECT_NE(dynamic_cast<const FakeBurst*>(burst.get()), nullptr);
    const SharedExecution execution = reusableOn(*prepared.object, {}).value();
    EXPECT_NE(dynamic_cast<const FakeExecution*>(execution.get()), nullptr);
}

// Rules buffer.token and prepared_model.resource: a device receives the objects inside resilient
// ones, also nested ones.
TEST(ResilientObjects, AreUnwrappedForThePeer) {
    ResilientHarness<ResilientDevice> device;
    ResilientHarness<ResilientPreparedModel> model;
    ResilientHarness<ResilientBuffer> buffer;
    const auto outer = ResilientPreparedModel::create([&] {
                           return SharedPreparedModel(model.object);
                       }).value();
    ASSERT_TRUE(device.object->allocate({}, {model.object, outer, nullptr}, {}, {}).has_value());
    EXPECT_THAT(static_cast<const FakeDevice&>(*device.made[0]).lastModels,
                ElementsAre(model.made[0], model.made[0], nullptr));

    const SharedBuffer foreign = std::make_shared<const FakeBuffer>(buffer.script, 9);
    const auto token = Request::MemoryDomainToken(5);
    ASSERT_TRUE(executeOn(*model.object, {.pools = {SharedBuffer(buffer.object), token, foreign}})
                        .has_value());
    EXPECT_THAT(static_cast<const FakePreparedModel&>(*model.made[0]).lastRequest.pools,
                ElementsAre(buffer.made[0], token, foreign));
}

// ---- invalid objects

// Rule invalid.objects.
TEST(Invalid, FailsInAllThatCanFail) {
    const Traits traits;
    const InvalidDevice device(traits.name, traits.versionString, traits.featureLevel, traits.type,
                               traits.extensions, traits.capabilities, traits.cacheFiles);
    EXPECT_EQ(device.getName(), traits.name);
    EXPECT_EQ(device.getVersionString(), traits.versionString);
    EXPECT_EQ(device.getFeatureLevel(), traits.featureLevel);
    EXPECT_EQ(device.getType(), traits.type);
    EXPECT_EQ(device.getSupportedExtensions(), traits.extensions);
    EXPECT_EQ(device.getCapabilities(), traits.capabilities);
    EXPECT_EQ(device.getNumberOfCacheFilesNeeded(), traits.cacheFiles);

    const InvalidPreparedModel model;
    EXPECT_FALSE(model.getUnderlyingResource().has_value());
    const InvalidExecution execution;
    const InvalidBurst burst;
    EXPECT_EQ(burst.cacheMemory(nullptr), nullptr);
    const InvalidBuffer buffer;
    EXPECT_EQ(buffer.getToken(), Request::MemoryDomainToken{});

    const auto expectAllFail = [](const auto& methods, const auto& object) {
        for (const auto& method : methods) {
            const Status status = method.call(object);
            EXPECT_EQ(errorStatus(status), GENERAL_FAILURE) << method.name;
            EXPECT_EQ(status.message(), "the object is invalid, and stays so") << method.name;
        }
    };
    expectAllFail(Kind<ResilientDevice>::methods(), device);
    expectAllFail(Kind<ResilientPreparedModel>::methods(), model);
    expectAllFail(Kind<ResilientExecution>::methods(), execution);
    expectAllFail(Kind<ResilientBurst>::methods(), burst);
    expectAllFail(Kind<ResilientBuffer>::methods(), buffer);
    EXPECT_THAT(InvalidBuffer("why").copyTo({}), Refuses(GENERAL_FAILURE, "why"));
}

}  // namespace
}  // namespace nn::driver_resilient_test
