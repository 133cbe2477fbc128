// The protocol of HAL 1.0 to 1.3. A driver only shows the interfaces of its own version.
#include <mutex>
#include <thread>

#include "device_test/bugs/parts.h"
#include "device_test/cases/hidl_callbacks.h"
#include "fakes/hidl_methods.h"
#include "nnapi/device_test/faulty_driver.h"
#include "nnapi/driver/burst.h"
#include "nnapi/hal/hidl/forwarding.h"

namespace nn::bugs {
namespace hidl_level {
namespace {

using hidl::hidl_handle;
using hidl::hidl_memory;
using hidl::hidl_vec;
using hidl::Return;
using hidl::sp;
using Files = hidl_vec<hidl_handle>;
using Shapes = hidl_vec<V1_2::OutputShape>;
using RequestQueue = hidl::MQDescriptorSync<V1_2::FmqRequestDatum>;
using ResultQueue = hidl::MQDescriptorSync<V1_2::FmqResultDatum>;

// Shared by the objects of a driver.
struct Own {
    Bug bug{};
    Level level = Level::V1_3;
    std::mutex ofDevice{};
    std::mutex mutex{};
    std::vector<sp<hidl::IBase>> kept{};  // callbacks
    sp<V1_3::IPreparedModel> last{};

    bool has(Bug one) const { return bug == one; }
    void keep(sp<hidl::IBase> callback) {
        const std::lock_guard lock(mutex);
        kept.push_back(std::move(callback));
    }
};
using SharedOwn = std::shared_ptr<Own>;

// ---- executions

template <class Client>
class ExecutionCallback final : public parts::ExecutionCallback<ExecutionCallback<Client>> {
   public:
    ExecutionCallback(SharedOwn own, sp<Client> client)
        : mOwn(std::move(own)), mClient(std::move(client)) {}

    template <class Status>
    Return<void> notified(HalVersion by, Status status, const Shapes& shapes,
                          const V1_2::Timing& timing) {
        if (mOwn->has(Bug::never_notifies_error_execution) && status != Status::NONE) {
            mOwn->keep(mClient);
            return hidl::Void();
        }
        if (mOwn->has(Bug::refuses_launch_notifies_none)) status = Status::NONE;
        if (mOwn->has(Bug::notifies_older_method_execution) && by == HalVersion::V1_3) {
            by = HalVersion::V1_2;
            if (status != Status::NONE) status = Status::GENERAL_FAILURE;
        }
        const auto notify = [&] {
            return parts::notify(*mClient, by, static_cast<int32_t>(status), shapes, timing);
        };
        if (mOwn->has(Bug::notifies_twice_execution)) (void)notify().isOk();
        return notify();
    }

   private:
    const SharedOwn mOwn;
    const sp<Client> mClient;
};

class EarlyInfo final : public V1_3::IFencedExecutionCallback {
   public:
    Return<void> getExecutionInfo(getExecutionInfo_cb callback) override {
        callback(V1_3::ErrorStatus::NONE, parts::kNoTiming, parts::kNoTiming);
        return hidl::Void();
    }
};

// ---- bursts

// A burst whose client believes that it has freed a slot.
class ForgetfulContext final : public V1_2::IBurstContext {
   public:
    explicit ForgetfulContext(sp<V1_2::IBurstContext> good) : mGood(std::move(good)) {}
    Return<void> freeMemory(int32_t) override { return hidl::Void(); }

   private:
    const sp<V1_2::IBurstContext> mGood;
};

// A burst that replies to each request with a packet that is shorter than its header claims.
class ShortContext final : public V1_2::IBurstContext {
   public:
    ShortContext(const RequestQueue& requests, const ResultQueue& results)
        : mRequests(requests), mResults(results), mThread([this] { serve(); }) {}
    ~ShortContext() override {
        mIsOver = true;
        mThread.join();
    }
    Return<void> freeMemory(int32_t) override { return hidl::Void(); }

   private:
    template <class Datum>
    using Queue = hidl::MessageQueue<Datum, hidl::kSynchronizedReadWrite>;

    void serve() {
        while (!mIsOver) {
            constexpr int64_t kPause = 10'000'000;
            V1_2::FmqRequestDatum first;
            if (!mRequests.readBlocking(&first, 1, kPause)) continue;
            std::vector<V1_2::FmqRequestDatum> rest(mRequests.availableToRead());
            if (!rest.empty()) (void)mRequests.read(rest.data(), rest.size());
            std::vector<V1_2::FmqResultDatum> packet(2);
            packet[0].packetInformation({.packetSize = 3,
                                         .errorStatus = V1_0::ErrorStatus::GENERAL_FAILURE,
                                         .numberOfOperands = 0});
            packet[1].executionTiming(parts::kNoTiming);
            (void)mResults.writeBlocking(packet.data(), packet.size(), kPause);
        }
    }

    Queue<V1_2::FmqRequestDatum> mRequests;
    Queue<V1_2::FmqResultDatum> mResults;
    std::atomic<bool> mIsOver = false;
    std::thread mThread;
};

// ---- prepared models

// The version that an object shows.
HalVersion versionOf(Level level) {
    if (!isHidl(level)) return HalVersion::V1_3;
    return static_cast<HalVersion>(static_cast<int>(level) - static_cast<int>(Level::V1_0));
}

class PreparedModelObject : public V1_3::IPreparedModel {
   public:
    PreparedModelObject(SharedOwn own, sp<V1_3::IPreparedModel> good)
        : mOwn(std::move(own)), mGood(std::move(good)) {}
    const sp<V1_3::IPreparedModel>& inner() const { return mGood; }

    Return<void> interfaceChain(interfaceChain_cb callback) override {
        callback(parts::chainUpTo<V1_3::IPreparedModel, V1_2::IPreparedModel, V1_0::IPreparedModel>(
                versionOf(mOwn->level)));
        return hidl::Void();
    }

   protected:
    template <class Status, class Client>
    Return<Status> launch(std::string_view, const sp<Client>& client, const auto& good,
                          const auto&...) {
        sp<Client> callback;
        if (client != nullptr) callback = sp<ExecutionCallback<Client>>::make(mOwn, client);
        Return<Status> status = good(*mGood, callback);
        if (mOwn->has(Bug::refuses_launch_notifies_none)) return Status::NONE;
        return status;
    }
    Return<void> call(std::string_view, const auto& results, const auto& good, const auto&...) {
        return good(*mGood, results);
    }

    const SharedOwn mOwn;

   private:
    const sp<V1_3::IPreparedModel> mGood;
};

class PreparedModel final : public fakes::HidlPreparedModel<PreparedModelObject> {
   public:
    using HidlPreparedModel::HidlPreparedModel;

    Return<void> executeSynchronously(const V1_0::Request& request, V1_2::MeasureTiming measure,
                                      executeSynchronously_cb callback) override {
        if (mOwn->has(Bug::synchronous_never_answers)) return hidl::Void();
        return inner()->executeSynchronously(
                request, measure,
                [&](V1_0::ErrorStatus status, const Shapes& shapes, const V1_2::Timing& timing) {
                    callBack(callback, status, shapes, timing, measure);
                    if (mOwn->has(Bug::answers_synchronous_twice)) callback(status, shapes, timing);
                });
    }

    Return<void> configureExecutionBurst(const BurstClient& client, const RequestQueue& requests,
                                         const ResultQueue& results,
                                         configureExecutionBurst_cb callback) override {
        if (mOwn->has(Bug::burst_null_with_none)) {
            callback(V1_0::ErrorStatus::NONE, nullptr);
            return hidl::Void();
        }
        if (mOwn->has(Bug::burst_result_count)) {
            callback(V1_0::ErrorStatus::NONE, sp<ShortContext>::make(requests, results));
            return hidl::Void();
        }
        return inner()->configureExecutionBurst(
                client, requests, results,
                [&](V1_0::ErrorStatus status, const sp<V1_2::IBurstContext>& context) {
                    const bool isForgetful =
                            mOwn->has(Bug::burst_keeps_freed_slot) && context != nullptr;
                    if (!isForgetful) return callback(status, context);
                    callback(status, sp<ForgetfulContext>::make(context));
                });
    }

    Return<void> executeFenced(const V1_3::Request& request, const Fences& waitFor,
                               V1_2::MeasureTiming measure, const Deadline& deadline,
                               const Timeout& loopTimeout, const Timeout& afterFences,
                               executeFenced_cb callback) override {
        return inner()->executeFenced(
                request, waitFor, measure, deadline, loopTimeout, afterFences,
                [&](V1_3::ErrorStatus status, const hidl_handle& fence,
                    const sp<V1_3::IFencedExecutionCallback>& info) {
                    const bool isGood = status == V1_3::ErrorStatus::NONE;
                    if (mOwn->has(Bug::fenced_callback_null))
                        return callback(status, fence, nullptr);
                    const bool isEarly = mOwn->has(Bug::fenced_info_before_signal) && isGood;
                    const bool isOdd = mOwn->has(Bug::fenced_error_with_callback) && !isGood;
                    if (isEarly || isOdd) return callback(status, fence, sp<EarlyInfo>::make());
                    callback(status, fence, info);
                });
    }

   private:
    void callBack(const executeSynchronously_cb& callback, V1_0::ErrorStatus status,
                  const Shapes& shapes, V1_2::Timing timing, V1_2::MeasureTiming measure) const {
        using Code = V1_0::ErrorStatus;
        const bool isNone = status == Code::NONE;
        if (mOwn->has(Bug::error_code_of_1_3) && !isNone) {
            status = static_cast<Code>(V1_3::ErrorStatus::MISSED_DEADLINE_TRANSIENT);
        }
        if (mOwn->has(Bug::timing_zero_unmeasured) && measure == V1_2::MeasureTiming::NO) {
            timing = {};
        }
        const bool isInsufficient = status == Code::OUTPUT_INSUFFICIENT_SIZE;
        if (mOwn->has(Bug::insufficient_without_shapes) && isInsufficient) {
            return callback(status, {}, timing);
        }
        if (mOwn->has(Bug::shapes_with_error) && status == Code::INVALID_ARGUMENT) {
            return callback(status, Shapes(1), timing);
        }
        callback(status, shapes, timing);
    }
};

template <class Client>
class PreparationCallback final : public parts::PreparationCallback<PreparationCallback<Client>> {
   public:
    PreparationCallback(SharedOwn own, sp<Client> client)
        : mOwn(std::move(own)), mClient(std::move(client)) {}

    template <class Status>
    Return<void> notified(HalVersion by, Status status, const sp<V1_0::IPreparedModel>& given) {
        if (mOwn->has(Bug::never_notifies_error) && status != Status::NONE) {
            mOwn->keep(mClient);
            return hidl::Void();
        }
        if (mOwn->has(Bug::launch_status_differs) && status == Status::INVALID_ARGUMENT) {
            status = Status::GENERAL_FAILURE;
        }
        if (mOwn->has(Bug::notifies_older_method)) by = HalVersion::V1_0;
        sp<V1_3::IPreparedModel> model = wrap(V1_3::IPreparedModel::castFrom(given));
        if (mOwn->has(Bug::notifies_model_with_error) && by == HalVersion::V1_2) {
            const std::lock_guard lock(mOwn->mutex);
            if (model == nullptr) model = mOwn->last;
            mOwn->last = model;
        }
        std::unique_lock lock(mOwn->ofDevice, std::defer_lock);
        if (mOwn->has(Bug::locks_while_notifying)) lock.lock();
        return parts::notify(*mClient, by, static_cast<int32_t>(status), model);
    }

   private:
    sp<V1_3::IPreparedModel> wrap(const sp<V1_3::IPreparedModel>& model) const {
        if (model == nullptr) return nullptr;
        return sp<PreparedModel>::make(mOwn, model);
    }

    const SharedOwn mOwn;
    const sp<Client> mClient;
};

// ---- devices

class Driver final : public hal::ForwardingHidlDevice {
   public:
    Driver(SharedOwn own, sp<V1_3::IDevice> good)
        : ForwardingHidlDevice(std::move(good)), mOwn(std::move(own)) {}
    // Kept objects may own the driver's objects in turn.
    ~Driver() override {
        std::vector<sp<hidl::IBase>> kept;
        sp<V1_3::IPreparedModel> last;
        const std::lock_guard lock(mOwn->mutex);
        kept.swap(mOwn->kept);
        std::swap(last, mOwn->last);
    }

    Return<void> interfaceChain(interfaceChain_cb callback) override {
        callback(parts::chainUpTo<V1_3::IDevice, V1_2::IDevice, V1_1::IDevice, V1_0::IDevice>(
                versionOf(mOwn->level)));
        return hidl::Void();
    }

    Return<V1_0::DeviceStatus> getStatus() override {
        const std::lock_guard lock(mOwn->ofDevice);
        return inner()->getStatus();
    }

    Return<void> getSupportedOperations_1_2(const V1_2::Model& model,
                                            getSupportedOperations_1_2_cb callback) override {
        return inner()->getSupportedOperations_1_2(
                model, [&](V1_0::ErrorStatus status, const hidl_vec<bool>& supported) {
                    if (mOwn->has(Bug::supports_answers_none)) status = V1_0::ErrorStatus::NONE;
                    callback(status, supported);
                });
    }

    Return<V1_0::ErrorStatus> prepareModel_1_1(
            const V1_1::Model& model, V1_1::ExecutionPreference preference,
            const sp<V1_0::IPreparedModelCallback>& callback) override {
        auto status = ForwardingHidlDevice::prepareModel_1_1(model, preference, callback);
        const bool isOdd = mOwn->has(Bug::notifies_none_returns_error);
        if (isOdd) return V1_0::ErrorStatus::GENERAL_FAILURE;
        return status;
    }

    Return<void> allocate(const V1_3::BufferDesc& desc,
                          const hidl_vec<sp<V1_3::IPreparedModel>>& models,
                          const hidl_vec<V1_3::BufferRole>& inputs,
                          const hidl_vec<V1_3::BufferRole>& outputs,
                          allocate_cb callback) override {
        hidl_vec<sp<V1_3::IPreparedModel>> known;
        known.resize(models.size());
        for (size_t i = 0; i < models.size(); ++i) {
            const auto* own = dynamic_cast<const PreparedModel*>(models[i].get());
            known[i] = own == nullptr ? models[i] : own->inner();
        }
        return inner()->allocate(
                desc, known, inputs, outputs,
                [&](V1_3::ErrorStatus status, const sp<V1_3::IBuffer>& buffer, uint32_t token) {
                    callback(status, buffer, mOwn->has(Bug::token_zero) ? 0 : token);
                });
    }

   private:
    sp<V1_0::IPreparedModelCallback> wrapCallback(
            const sp<V1_0::IPreparedModelCallback>& client) override {
        return with(client);
    }
    sp<V1_2::IPreparedModelCallback> wrapCallback(
            const sp<V1_2::IPreparedModelCallback>& client) override {
        return with(client);
    }
    sp<V1_3::IPreparedModelCallback> wrapCallback(
            const sp<V1_3::IPreparedModelCallback>& client) override {
        return with(client);
    }

    template <class Callback>
    sp<Callback> with(const sp<Callback>& client) const {
        if (client == nullptr) return nullptr;
        if (mOwn->has(Bug::keeps_callback)) mOwn->keep(client);
        return sp<PreparationCallback<Callback>>::make(mOwn, client);
    }

    const SharedOwn mOwn;
};

}  // namespace
}  // namespace hidl_level

hidl::sp<V1_3::IDevice> withProtocolBugs(hidl::sp<V1_3::IDevice> driver, Bug bug) {
    using nn::testing::DeviceFault;
    using nn::testing::faultyDriver;
    if (bug == Bug::notifies_twice_preparation) {
        driver = faultyDriver(driver, {DeviceFault::NOTIFIES_TWICE});
    }
    if (bug == Bug::never_notifies) driver = faultyDriver(driver, {DeviceFault::NOTIFIES_NEVER});
    if (bug == Bug::notifies_null_with_none) {
        driver = faultyDriver(driver, {DeviceFault::NOTIFIES_NULL});
    }
    auto own = std::make_shared<hidl_level::Own>();
    own->bug = bug;
    own->level = bug == Bug::none ? Level::V1_3 : rowOf(bug).level;
    return hidl::sp<hidl_level::Driver>::make(std::move(own), std::move(driver));
}

}  // namespace nn::bugs
