// Each bug in the protocol of a HAL version, as a strict client of that version sees it: the
// methods of the client that are called, how often, and their arguments; and the result of the
// call.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <condition_variable>
#include <future>
#include <mutex>
#include <set>
#include <thread>

#include "device_test/bugs/bugs.h"
#include "device_test/cases/hidl_callbacks.h"
#include "device_test/cases/models.h"
#include "nnapi/convert.h"
#include "nnapi/driver/wrap.h"
#include "nnapi/memory.h"

namespace nn::bugs_protocol_test {
namespace {

using bugs::Bug;
using bugs::Level;
using hidl::hidl_handle;
using hidl::hidl_vec;
using hidl::sp;
using nn::testing::addition;
using nn::testing::endlessLoop;
using std::chrono::milliseconds;

// The notifications of a client, in their order.
class Log {
   public:
    void add(const std::string& text) {
        const std::lock_guard lock(mMutex);
        mTexts.push_back(text);
        mChanged.notify_all();
    }
    // Waits for so many texts, and some time for one more.
    std::string text(size_t min = 1) {
        std::unique_lock lock(mMutex);
        (void)mChanged.wait_for(lock, milliseconds(300), [&] { return mTexts.size() >= min; });
        (void)mChanged.wait_for(lock, milliseconds(20), [&] { return mTexts.size() > min; });
        std::string all;
        for (const std::string& each : mTexts) all += "; " + each;
        return all;
    }

   private:
    std::mutex mMutex{};
    std::condition_variable mChanged{};
    std::vector<std::string> mTexts{};
};
using SharedLog = std::shared_ptr<Log>;

// Three floats each, in one pool.
Request requestFor(uint32_t outputLength = 12) {
    const auto at = [](uint32_t offset, uint32_t length) {
        return Request::Argument{.location = {.offset = offset, .length = length}};
    };
    return {.inputs = {at(0, 12), at(16, 12)},
            .outputs = {at(32, outputLength)},
            .pools = {createSharedMemory(64).value()}};
}
// Inputs of a size that the request gives.
Request openRequest(uint32_t outputLength) {
    Request request = requestFor(outputLength);
    for (Request::Argument& input : request.inputs) input.dimensions = {3};
    return request;
}
Request loopRequest() {
    const auto at = [](uint32_t offset) {
        return Request::Argument{.location = {.offset = offset, .length = 4}};
    };
    return {.inputs = {at(0)}, .outputs = {at(32)}, .pools = {createSharedMemory(64).value()}};
}

std::string_view orNull(bool isThere) { return isThere ? " object" : " null"; }

// ---- HIDL

class Preparation final : public parts::PreparationCallback<Preparation> {
   public:
    explicit Preparation(SharedLog log) : mLog(std::move(log)) {}
    hidl::Return<void> notified(HalVersion by, auto status, const sp<V1_0::IPreparedModel>& given) {
        if (given != nullptr) model = given;
        mLog->add(std::string(parts::notifyMethod(by)) + " " + toString(status) +
                  std::string(orNull(given != nullptr)));
        return hidl::Void();
    }
    sp<V1_0::IPreparedModel> model{};

   private:
    const SharedLog mLog;
};

class Execution final : public parts::ExecutionCallback<Execution> {
   public:
    explicit Execution(SharedLog log) : mLog(std::move(log)) {}
    hidl::Return<void> notified(HalVersion by, auto status, const Shapes&, const V1_2::Timing&) {
        mLog->add(std::string(parts::notifyMethod(by)) + " " + toString(status));
        return hidl::Void();
    }

   private:
    const SharedLog mLog;
};

using Driver = sp<V1_0::IDevice>;
using Prepared = sp<V1_0::IPreparedModel>;

template <class Status>
std::string returns(const hidl::Return<Status>& status) {
    return "returns " + toString(static_cast<Status>(status));
}

// A model without operations is not legal.
template <class HalModel>
HalModel broken(HalModel model) {
    model.operations.resize(0);
    return model;
}

// Prepares by the method of a version, which the driver must have.
std::string launch(const Driver& driver, HalVersion by, const Model& model, bool isBroken,
                   const sp<Preparation>& callback) {
    constexpr auto kPreference = V1_1::ExecutionPreference::FAST_SINGLE_ANSWER;
    const auto legal = [&](auto converted) {
        return isBroken ? broken(*std::move(converted)) : *std::move(converted);
    };
    if (by == HalVersion::V1_0) {
        return returns(driver->prepareModel(legal(V1_0::utils::convert(model)), callback));
    }
    if (by == HalVersion::V1_1) {
        const sp<V1_1::IDevice> device = V1_1::IDevice::castFrom(driver);
        return returns(device->prepareModel_1_1(legal(V1_1::utils::convert(model)), kPreference,
                                                callback));
    }
    if (by == HalVersion::V1_2) {
        const sp<V1_2::IDevice> device = V1_2::IDevice::castFrom(driver);
        return returns(device->prepareModel_1_2(legal(V1_2::utils::convert(model)), kPreference, {},
                                                {}, {}, callback));
    }
    const sp<V1_3::IDevice> device = V1_3::IDevice::castFrom(driver);
    return returns(device->prepareModel_1_3(*V1_3::utils::convert(model), kPreference,
                                            V1_3::Priority::MEDIUM, {}, {}, {}, {}, callback));
}
// The returned status and the notifications.
template <HalVersion by, bool isBroken>
std::string prepareBy(const Driver& driver) {
    const auto log = std::make_shared<Log>();
    const std::string returned =
            launch(driver, by, addition(3), isBroken, sp<Preparation>::make(log));
    return returned + log->text();
}
template <HalVersion by>
std::string prepareGood(const Driver& driver) {
    return prepareBy<by, false>(driver);
}
template <HalVersion by>
std::string prepareBad(const Driver& driver) {
    return prepareBy<by, true>(driver);
}
std::string prepareBadAfterGood(const Driver& driver) {
    (void)prepareGood<HalVersion::V1_2>(driver);
    return prepareBad<HalVersion::V1_2>(driver);
}
std::string callbackAfterPreparation(const Driver& driver) {
    const auto log = std::make_shared<Log>();
    (void)launch(driver, HalVersion::V1_3, addition(3), false, sp<Preparation>::make(log));
    (void)log->text();
    const auto isKept = [&] { return log.use_count() > 1; };  // by the callback
    for (int i = 0; i < 300 && isKept(); ++i) std::this_thread::sleep_for(milliseconds(1));
    return isKept() ? "kept" : "released";
}
// A callback that queries the status of its device, and waits for it for a short time.
class QueryingPreparation final : public parts::PreparationCallback<QueryingPreparation> {
   public:
    explicit QueryingPreparation(Driver driver) : mDriver(std::move(driver)) {}
    hidl::Return<void> notified(HalVersion, auto, const sp<V1_0::IPreparedModel>&) {
        std::future<void> query =
                std::async(std::launch::async, [this] { (void)mDriver->getStatus().isOk(); });
        const bool hasReturned = query.wait_for(milliseconds(200)) == std::future_status::ready;
        mResult.set_value(hasReturned ? "returned" : "waits");
        mQuery = std::move(query);
        return hidl::Void();
    }
    std::string result() { return mResult.get_future().get(); }

   private:
    const Driver mDriver;
    std::promise<std::string> mResult{};
    std::future<void> mQuery{};
};
std::string statusWhileNotified(const Driver& driver) {
    const sp<V1_3::IDevice> device = V1_3::IDevice::castFrom(driver);
    const auto callback = sp<QueryingPreparation>::make(driver);
    (void)device->prepareModel_1_3(*V1_3::utils::convert(addition(3)),
                                   V1_1::ExecutionPreference::FAST_SINGLE_ANSWER,
                                   V1_3::Priority::MEDIUM, {}, {}, {}, {}, callback);
    return callback->result();
}
std::string supportOfBad1_2(const Driver& driver) {
    const sp<V1_2::IDevice> device = V1_2::IDevice::castFrom(driver);
    std::string text;
    (void)device->getSupportedOperations_1_2(
            broken(*V1_2::utils::convert(addition(3))),
            [&](V1_0::ErrorStatus status, const hidl_vec<bool>&) { text += toString(status); });
    return text;
}

// Prepares by the newest method of the driver.
template <class Interface>
sp<Interface> preparedBy(const Driver& driver, const Model& model) {
    const auto log = std::make_shared<Log>();
    const auto callback = sp<Preparation>::make(log);
    const bool is1_3 = sp<V1_3::IDevice>(V1_3::IDevice::castFrom(driver)) != nullptr;
    const bool is1_2 = sp<V1_2::IDevice>(V1_2::IDevice::castFrom(driver)) != nullptr;
    const HalVersion newest = is1_3   ? HalVersion::V1_3
                              : is1_2 ? HalVersion::V1_2
                                      : HalVersion::V1_0;
    (void)launch(driver, newest, model, false, callback);
    (void)log->text();
    return Interface::castFrom(callback->model);
}

std::string execute1_0(const Driver& driver, const V1_0::Request& request) {
    const Prepared prepared = preparedBy<V1_0::IPreparedModel>(driver, addition(3));
    const auto log = std::make_shared<Log>();
    const std::string returned = returns(prepared->execute(request, sp<Execution>::make(log)));
    return returned + log->text();
}
std::string executeGood1_0(const Driver& driver) {
    return execute1_0(driver, *V1_0::utils::convert(requestFor()));
}
std::string executeBad1_0(const Driver& driver) {
    V1_0::Request request = *V1_0::utils::convert(requestFor());
    request.inputs.resize(1);
    return execute1_0(driver, request);
}
std::string executeGood1_3(const Driver& driver) {
    const auto prepared = preparedBy<V1_3::IPreparedModel>(driver, addition(3));
    const auto log = std::make_shared<Log>();
    const std::string returned = returns(prepared->execute_1_3(*V1_3::utils::convert(requestFor()),
                                                               V1_2::MeasureTiming::NO, {}, {},
                                                               sp<Execution>::make(log)));
    return returned + log->text();
}
// An execution that takes its time.
std::string whenIsNotified(const Driver& driver) {
    const auto prepared = preparedBy<V1_3::IPreparedModel>(driver, endlessLoop());
    const auto log = std::make_shared<Log>();
    V1_3::OptionalTimeoutDuration timeout;
    timeout.nanoseconds(milliseconds(100) / std::chrono::nanoseconds(1));
    (void)prepared->execute_1_3(*V1_3::utils::convert(loopRequest()), V1_2::MeasureTiming::NO, {},
                                timeout, sp<Execution>::make(log));
    log->add("returned");
    return log->text(2);
}

std::string synchronously(const Driver& driver, const Model& model, V1_0::Request request) {
    const auto prepared = preparedBy<V1_2::IPreparedModel>(driver, model);
    std::string text;
    (void)prepared->executeSynchronously(
            request, V1_2::MeasureTiming::NO,
            [&](V1_0::ErrorStatus status, const hidl_vec<V1_2::OutputShape>& shapes,
                const V1_2::Timing& timing) {
                text += "returns " + std::to_string(static_cast<int>(status)) + " with " +
                        std::to_string(shapes.size()) + " shapes" +
                        (timing.timeInDriver == UINT64_MAX ? "; " : " and a time; ");
            });
    return text;
}
std::string synchronouslyGood(const Driver& driver) {
    return synchronously(driver, addition(3), *V1_0::utils::convert(requestFor()));
}
std::string synchronouslyBad(const Driver& driver) {
    V1_0::Request request = *V1_0::utils::convert(requestFor());
    request.inputs.resize(1);
    return synchronously(driver, addition(3), request);
}
std::string synchronouslyTooLittle(const Driver& driver) {
    return synchronously(driver, addition(0), *V1_0::utils::convert(openRequest(4)));
}

std::string fenced(const Driver& driver, const V1_3::Request& request) {
    const auto prepared = preparedBy<V1_3::IPreparedModel>(driver, addition(3));
    std::string text;
    (void)prepared->executeFenced(request, {}, V1_2::MeasureTiming::NO, {}, {}, {},
                                  [&](V1_3::ErrorStatus status, const hidl_handle&,
                                      const sp<V1_3::IFencedExecutionCallback>& info) {
                                      text += toString(status).append(orNull(info != nullptr));
                                  });
    return text;
}
std::string fencedGood(const Driver& driver) {
    return fenced(driver, *V1_3::utils::convert(requestFor()));
}
std::string fencedBad(const Driver& driver) {
    V1_3::Request request = *V1_3::utils::convert(requestFor());
    request.inputs.resize(1);
    return fenced(driver, request);
}
// The driver of this bug and that without it execute on threads of their own.
std::string infoBeforeTheSignal(const Driver& driver) {
    const auto prepared = preparedBy<V1_3::IPreparedModel>(driver, addition(3));
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return "no pipe";
    const UniqueFd writer(ends[1]);
    hidl_vec<hidl_handle> fences;
    fences.resize(1);
    fences[0] = *V1_3::utils::convert(SyncFence::create(UniqueFd(ends[0])));
    std::string text = "no info";
    (void)prepared->executeFenced(
            *V1_3::utils::convert(requestFor()), fences, V1_2::MeasureTiming::NO, {}, {}, {},
            [&](V1_3::ErrorStatus, const hidl_handle&,
                const sp<V1_3::IFencedExecutionCallback>& info) {
                if (info == nullptr) return;
                (void)info->getExecutionInfo([&](V1_3::ErrorStatus status, const V1_2::Timing&,
                                                 const V1_2::Timing&) { text = toString(status); });
            });
    (void)!write(writer.get(), "", 1);
    return text;
}
std::string token(const Driver& driver) {
    const auto prepared = preparedBy<V1_3::IPreparedModel>(driver, addition(3));
    const sp<V1_3::IDevice> device = V1_3::IDevice::castFrom(driver);
    hidl_vec<sp<V1_3::IPreparedModel>> models;
    models.resize(1);
    models[0] = prepared;
    hidl_vec<V1_3::BufferRole> roles;
    roles.resize(1);
    roles[0] = {.modelIndex = 0, .ioIndex = 0, .frequency = 1};
    std::string text;
    (void)device->allocate({}, models, roles, {},
                           [&](V1_3::ErrorStatus status, const sp<V1_3::IBuffer>&, uint32_t token) {
                               text = toString(status) + (token == 0 ? " 0" : " above 0");
                           });
    return text;
}

// ---- HIDL bursts, by the client of the library

GeneralResult<SharedPreparedModel> prepare(const SharedDevice& device, const Model& model) {
    return device->prepareModel(model, ExecutionPreference::DEFAULT, Priority::DEFAULT, {}, {}, {},
                                {}, {}, {});
}
std::string burst(const SharedDevice& device) {
    const auto prepared = prepare(device, addition(3));
    const auto made = (*prepared)->configureExecutionBurst();
    if (!made.has_value()) return "no burst";
    const auto executed = (*made)->execute(requestFor(), MeasureTiming::NO, {}, {}, {}, {});
    return executed.has_value() ? "executes" : "fails";
}
// Executes with two memories; the second gets the slot, or the token, of the first.
std::string onTwoMemories(const auto& execute) {
    for (const float x : {1.f, 5.f}) {
        const Request request = requestFor();
        const auto pool = std::get<SharedMemory>(request.pools[0]);
        const auto bytes = nn::testing::tensorOf({3}, std::vector<float>(3, x)).data;
        (void)writeMemory(pool, 0, bytes);
        if (!execute(request, pool)) return "fails";
        std::vector<uint8_t> sum(bytes.size());
        (void)readMemory(pool, 32, sum);
        if (sum != bytes) return "of the memory before";
    }
    return "right";
}
std::string burstOnOtherMemory(const SharedDevice& device) {
    const auto prepared = prepare(device, addition(3));
    const auto made = (*prepared)->configureExecutionBurst();
    return onTwoMemories([&](const Request& request, const SharedMemory& pool) {
        const auto hold = (*made)->cacheMemory(pool);
        return (*made)->execute(request, MeasureTiming::NO, {}, {}, {}, {}).has_value();
    });
}

template <class Observed>
struct Row {
    Bug bug;
    std::string (*observe)(const Observed&);
    const char* without;
    const char* with;
};
using HidlRow = Row<Driver>;
const HidlRow kHidl[] = {
        {Bug::notifies_twice_execution, executeGood1_0, "returns NONE; notify NONE",
         "returns NONE; notify NONE; notify NONE"},
        {Bug::notifies_twice_preparation, prepareGood<HalVersion::V1_0>,
         "returns NONE; notify NONE object",
         "returns NONE; notify NONE object; notify GENERAL_FAILURE null"},
        {Bug::never_notifies_error, prepareBad<HalVersion::V1_0>,
         "returns INVALID_ARGUMENT; notify INVALID_ARGUMENT null", "returns INVALID_ARGUMENT"},
        {Bug::never_notifies_error_execution, executeBad1_0,
         "returns INVALID_ARGUMENT; notify INVALID_ARGUMENT", "returns INVALID_ARGUMENT"},
        {Bug::never_notifies, prepareGood<HalVersion::V1_3>, "returns NONE; notify_1_3 NONE object",
         "returns NONE"},
        {Bug::launch_status_differs, prepareBad<HalVersion::V1_0>,
         "returns INVALID_ARGUMENT; notify INVALID_ARGUMENT null",
         "returns INVALID_ARGUMENT; notify GENERAL_FAILURE null"},
        {Bug::notifies_null_with_none, prepareGood<HalVersion::V1_3>,
         "returns NONE; notify_1_3 NONE object", "returns NONE; notify_1_3 NONE null"},
        {Bug::notifies_none_returns_error, prepareGood<HalVersion::V1_1>,
         "returns NONE; notify NONE object", "returns GENERAL_FAILURE; notify NONE object"},
        {Bug::refuses_launch_notifies_none, executeBad1_0,
         "returns INVALID_ARGUMENT; notify INVALID_ARGUMENT", "returns NONE; notify NONE"},
        {Bug::answers_synchronous_twice, synchronouslyGood, "returns 0 with 0 shapes; ",
         "returns 0 with 0 shapes; returns 0 with 0 shapes; "},
        {Bug::synchronous_never_answers, synchronouslyGood, "returns 0 with 0 shapes; ", ""},
        {Bug::notifies_older_method, prepareGood<HalVersion::V1_2>,
         "returns NONE; notify_1_2 NONE object", "returns NONE; notify NONE object"},
        {Bug::notifies_older_method_execution, executeGood1_3, "returns NONE; notify_1_3 NONE",
         "returns NONE; notify_1_2 NONE"},
        {Bug::notifies_model_with_error, prepareBadAfterGood,
         "returns INVALID_ARGUMENT; notify_1_2 INVALID_ARGUMENT null",
         "returns INVALID_ARGUMENT; notify_1_2 INVALID_ARGUMENT object"},
        {Bug::error_code_of_1_3, synchronouslyBad, "returns 4 with 0 shapes; ",
         "returns 5 with 0 shapes; "},
        {Bug::insufficient_without_shapes, synchronouslyTooLittle, "returns 3 with 1 shapes; ",
         "returns 3 with 0 shapes; "},
        {Bug::shapes_with_error, synchronouslyBad, "returns 4 with 0 shapes; ",
         "returns 4 with 1 shapes; "},
        {Bug::timing_zero_unmeasured, synchronouslyGood, "returns 0 with 0 shapes; ",
         "returns 0 with 0 shapes and a time; "},
        {Bug::fenced_callback_null, fencedGood, "NONE object", "NONE null"},
        {Bug::fenced_error_with_callback, fencedBad, "INVALID_ARGUMENT null",
         "INVALID_ARGUMENT object"},
        {Bug::token_zero, token, "NONE above 0", "NONE 0"},
        {Bug::keeps_callback, callbackAfterPreparation, "released", "kept"},
        {Bug::locks_while_notifying, statusWhileNotified, "returned", "waits"},
        {Bug::supports_answers_none, supportOfBad1_2, "INVALID_ARGUMENT", "NONE"},
        {Bug::notifies_before_return, whenIsNotified,
         "; returned; notify_1_3 MISSED_DEADLINE_TRANSIENT",
         "; notify_1_3 MISSED_DEADLINE_TRANSIENT; returned"},
};

TEST(BugsProtocol, HidlIsSeen) {
    for (const HidlRow& row : kHidl) {
        SCOPED_TRACE(bugs::rowOf(row.bug).name);
        EXPECT_EQ(row.observe(bugs::hidlDriver(Bug::none)), row.without);
        EXPECT_EQ(row.observe(bugs::hidlDriver(row.bug)), row.with);
    }
}

// Its fences are signaled later, unlike those of a driver without threads.
TEST(BugsProtocol, InfoBeforeTheSignalIsSeen) {
    EXPECT_EQ(infoBeforeTheSignal(bugs::hidlDriver(Bug::fenced_info_before_signal)), "NONE");
}

// ---- AIDL

class AidlPreparation final : public aidl_hal::BnPreparedModelCallback {
   public:
    explicit AidlPreparation(SharedLog log) : mLog(std::move(log)) {}
    ::ndk::ScopedAStatus notify(aidl_hal::ErrorStatus status,
                                const std::shared_ptr<aidl_hal::IPreparedModel>& given) override {
        if (given != nullptr) model = given;
        mLog->add("notify " + toString(status).append(orNull(given != nullptr)));
        return ::ndk::ScopedAStatus::ok();
    }
    std::shared_ptr<aidl_hal::IPreparedModel> model{};

   private:
    const SharedLog mLog;
};

using AidlDriver = std::shared_ptr<aidl_hal::IDevice>;

std::string outcomeOf(const ::ndk::ScopedAStatus& status) {
    if (status.isOk()) return "ok";
    if (status.getExceptionCode() == EX_SERVICE_SPECIFIC) {
        return toString(static_cast<aidl_hal::ErrorStatus>(status.getServiceSpecificError()));
    }
    return "exception " + std::to_string(status.getExceptionCode());
}

// The outcome of the call and the notifications; sets a model that the driver notifies.
std::string aidlPrepare(const AidlDriver& driver, const aidl_hal::Model& model,
                        std::shared_ptr<aidl_hal::IPreparedModel>* prepared = nullptr) {
    const auto log = std::make_shared<Log>();
    const auto callback = ::ndk::SharedRefBase::make<AidlPreparation>(log);
    std::string text = outcomeOf(driver->prepareModel(
            model, aidl_hal::ExecutionPreference::FAST_SINGLE_ANSWER, aidl_hal::Priority::MEDIUM,
            -1, {}, {}, std::vector<uint8_t>(32, 0), callback));
    text += log->text();
    if (prepared != nullptr) *prepared = callback->model;
    return text;
}
std::string aidlPrepareGood(const AidlDriver& driver) {
    return aidlPrepare(driver, *AIDL1::utils::convert(addition(3)));
}
std::string aidlPrepareBad(const AidlDriver& driver) {
    aidl_hal::Model model = *AIDL1::utils::convert(addition(3));
    model.main.operations.clear();
    return aidlPrepare(driver, model);
}

std::shared_ptr<aidl_hal::IPreparedModel> aidlPrepared(const AidlDriver& driver,
                                                       const Model& model) {
    std::shared_ptr<aidl_hal::IPreparedModel> prepared;
    (void)aidlPrepare(driver, *AIDL1::utils::convert(model), &prepared);
    return prepared;
}

std::string aidlExecute(const AidlDriver& driver, const Model& model, const Request& request,
                        bool isBroken = false) {
    aidl_hal::Request converted = *AIDL1::utils::convert(request);
    if (isBroken) converted.inputs.resize(1);
    aidl_hal::ExecutionResult result;
    const auto status =
            aidlPrepared(driver, model)->executeSynchronously(converted, false, -1, -1, &result);
    if (!status.isOk()) return outcomeOf(status);
    return std::string(result.outputSufficientSize ? "sufficient" : "insufficient") +
           (result.timing.timeInDriverNs == -1 ? "" : " and a time");
}
std::string aidlExecuteGood(const AidlDriver& driver) {
    return aidlExecute(driver, addition(3), requestFor());
}
std::string aidlExecuteBad(const AidlDriver& driver) {
    return aidlExecute(driver, addition(3), requestFor(), true);
}
std::string aidlExecuteTooLittle(const AidlDriver& driver) {
    return aidlExecute(driver, addition(0), openRequest(4));
}
std::string aidlBurst(const AidlDriver& driver) {
    std::shared_ptr<aidl_hal::IBurst> burst;
    const auto status = aidlPrepared(driver, addition(3))->configureExecutionBurst(&burst);
    return outcomeOf(status).append(orNull(burst != nullptr));
}
// Another memory of a token that was released.
std::string aidlBurstAfterRelease(const AidlDriver& driver) {
    std::shared_ptr<aidl_hal::IBurst> burst;
    (void)aidlPrepared(driver, addition(3))->configureExecutionBurst(&burst);
    return onTwoMemories([&](const Request& request, const SharedMemory&) {
        aidl_hal::ExecutionResult result;
        (void)burst->executeSynchronously(*AIDL1::utils::convert(request), {7}, false, -1, -1,
                                          &result);
        (void)burst->releaseMemoryResource(7);
        return true;
    });
}
std::string aidlFenced(const AidlDriver& driver) {
    aidl_hal::FencedExecutionResult result;
    const auto status = aidlPrepared(driver, addition(3))
                                ->executeFenced(*AIDL1::utils::convert(requestFor()), {}, false, -1,
                                                -1, -1, &result);
    return outcomeOf(status).append(orNull(result.callback != nullptr));
}
std::string aidlReusable(const AidlDriver& driver) {
    std::shared_ptr<aidl_hal::IExecution> execution;
    const auto status =
            aidlPrepared(driver, addition(3))
                    ->createReusableExecution(*AIDL4::utils::convert(requestFor()),
                                              {.measureTiming = false, .loopTimeoutDurationNs = -1},
                                              &execution);
    return outcomeOf(status).append(orNull(execution != nullptr));
}
std::string aidlToken(const AidlDriver& driver) {
    std::vector<aidl_hal::IPreparedModelParcel> models(1);
    models[0].preparedModel = aidlPrepared(driver, addition(3));
    aidl_hal::DeviceBuffer buffer;
    const auto status = driver->allocate(
            {}, models, {{.modelIndex = 0, .ioIndex = 0, .probability = 1}}, {}, &buffer);
    return outcomeOf(status) + (buffer.token == 0 ? " 0" : " above 0");
}

using AidlRow = Row<AidlDriver>;
const AidlRow kAidl[] = {
        {Bug::aidl_notifies_twice, aidlPrepareGood, "ok; notify NONE object",
         "ok; notify NONE object; notify GENERAL_FAILURE null"},
        {Bug::aidl_never_notifies_error, aidlPrepareBad,
         "INVALID_ARGUMENT; notify INVALID_ARGUMENT null", "INVALID_ARGUMENT"},
        {Bug::aidl_null_with_none, aidlPrepareGood, "ok; notify NONE object",
         "ok; notify NONE null"},
        {Bug::aidl_launch_status_differs, aidlPrepareBad,
         "INVALID_ARGUMENT; notify INVALID_ARGUMENT null",
         "INVALID_ARGUMENT; notify GENERAL_FAILURE null"},
        {Bug::aidl_insufficient_as_error, aidlExecuteTooLittle, "insufficient",
         "OUTPUT_INSUFFICIENT_SIZE"},
        {Bug::aidl_error_without_code, aidlExecuteBad, "INVALID_ARGUMENT", "exception -5"},
        {Bug::aidl_timing_zero, aidlExecuteGood, "sufficient", "sufficient and a time"},
        {Bug::aidl_burst_null, aidlBurst, "ok object", "ok null"},
        {Bug::aidl_burst_ignores_release, aidlBurstAfterRelease, "right", "of the memory before"},
        {Bug::aidl_fenced_callback_null, aidlFenced, "ok object", "ok null"},
        {Bug::aidl_token_zero, aidlToken, "ok above 0", "ok 0"},
        {Bug::aidl_interface_version, aidlReusable, "ok object", "exception -129 null"},
        {Bug::aidl_reusable_null, aidlReusable, "ok object", "ok null"},
};

TEST(BugsProtocol, AidlIsSeen) {
    for (const AidlRow& row : kAidl) {
        SCOPED_TRACE(bugs::rowOf(row.bug).name);
        EXPECT_EQ(row.observe(bugs::aidlDriver(Bug::none)), row.without);
        EXPECT_EQ(row.observe(bugs::aidlDriver(row.bug)), row.with);
    }
}

using BurstRow = Row<SharedDevice>;
const BurstRow kBursts[] = {
        {Bug::burst_null_with_none, burst, "executes", "no burst"},
        {Bug::burst_result_count, burst, "executes", "fails"},
        {Bug::burst_keeps_freed_slot, burstOnOtherMemory, "right", "of the memory before"},
};

TEST(BugsProtocol, BurstsAreSeen) {
    const auto healthy = V1_2::utils::Device::create(
            "buggy", V1_2::IDevice::castFrom(bugs::hidlDriver(Bug::none)));
    for (const BurstRow& row : kBursts) {
        SCOPED_TRACE(bugs::rowOf(row.bug).name);
        EXPECT_EQ(row.observe(*healthy), row.without);
        EXPECT_EQ(row.observe(*bugs::openDevice(row.bug)), row.with);
    }
}

// A driver of a version only has the interfaces of its row and the older ones.
TEST(BugsProtocol, ShowsItsOwnVersion) {
    const Driver driver = bugs::hidlDriver(Bug::notifies_twice_execution);
    EXPECT_EQ(sp<V1_1::IDevice>(V1_1::IDevice::castFrom(driver)), nullptr);
    EXPECT_EQ((*bugs::openDevice(Bug::notifies_older_method))->getFeatureLevel(),
              kVersionFeatureLevel3);
    EXPECT_EQ((*bugs::openDevice(Bug::aidl_token_zero))->getFeatureLevel(), kVersionFeatureLevel7);
}

TEST(BugsProtocol, HasARowForEachBug) {
    // aidl_locks_while_notifying is the same as locks_while_notifying.
    std::set<Bug> tested{Bug::fenced_info_before_signal, Bug::aidl_locks_while_notifying};
    for (const HidlRow& row : kHidl) EXPECT_TRUE(tested.insert(row.bug).second);
    for (const AidlRow& row : kAidl) EXPECT_TRUE(tested.insert(row.bug).second);
    for (const BurstRow& row : kBursts) EXPECT_TRUE(tested.insert(row.bug).second);
    for (const bugs::BugRow& row : bugs::catalog()) {
        if (row.family != "PROTOCOL") continue;
        EXPECT_TRUE(tested.contains(row.bug)) << row.name;
    }
}

// ---- the catalog

TEST(Bugs, AreManyAndDistinct) {
    std::set<std::string_view> names, sentences;
    size_t bugs = 0;
    for (const bugs::BugRow& row : bugs::catalog()) {
        EXPECT_TRUE(names.insert(row.name).second) << row.name;
        EXPECT_TRUE(sentences.insert(row.what).second || bugs::isAidl(row.level)) << row.what;
        EXPECT_EQ(bugs::bugNamed(row.name), row.bug);
        EXPECT_FALSE(row.isPermitted && row.where.empty()) << row.name << " needs a reason";
        bugs += row.isPermitted ? 0 : 1;
    }
    EXPECT_GE(bugs, 120u);
    EXPECT_EQ(bugs::bugNamed(""), Bug::none);
    EXPECT_EQ(bugs::bugNamed("none_of_these"), std::nullopt);
}

}  // namespace
}  // namespace nn::bugs_protocol_test
