// faults_driver.h -- A driver with fault injection: an adapted scripted device behind objects that
// forward each call of the HAL and corrupt one of them.
//
//   const auto schedule = std::make_shared<FaultSchedule>();
//   const Driver driver = makeDriver(schedule, HalVersion::V1_2, /*isThreaded=*/false);
//   auto device = V1_2::utils::Device::create("faulty", driver.hidl, options);
//   schedule->set({.fault = "CALLBACK_NEVER", .call = PREPARE});
//   ... the callback of its next preparation is never called ...
//
// One thread calls and plans the fault of its next call.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include "driver/faults_device.h"
#include "driver/faults_process.h"
#include "fakes/hidl_methods.h"

namespace nn::driver_faults {

// ---- callbacks between the adapter and the client

// Counts the notifications of the adapter and forwards them with the planned fault. A client is a
// pointer to one.
template <class Interface, class Client>
class Post : public Interface {
   public:
    Post(SharedProcess process, Client client)
        : mProcess(std::move(process)), mClient(std::move(client)) {}
    ~Post() override {
        if (mTold != 1) {
            mProcess->schedule->accuse("hidl.one_notification: the adapter notifies " +
                                       std::to_string(mTold) + "x");
        }
    }
    void expectStatus(int32_t status) {
        if (status != 0 && (mTold != 1 || mCode != status)) {
            mProcess->schedule->accuse("hidl.refused_launch: launch and callback differ");
        }
    }

   protected:
    // deliver(client, version, code, hasResults) calls the method of that version.
    using Deliver = std::function<void(decltype(*Client())&, HalVersion version, int32_t code,
                                       bool hasResults)>;
    void receive(HalVersion version, int32_t status, const Deliver& deliverTo) {
        ++mTold;
        mCode = status;
        const auto deliver = [process = mProcess, client = mClient, deliverTo](
                                     HalVersion by, int32_t code, bool hasResults) {
            if (process->isDead) return process->bury(client);
            deliverTo(*client, by, code, hasResults);
        };
        FaultSchedule& schedule = *mProcess->schedule;
        if (status != 0) {
            deliver(version, status, false);
        } else if (schedule.fire("CALLBACK_STATUS")) {
            deliver(version, schedule.code(), false);
        } else if (schedule.fire("CALLBACK_STATUS_WITH_MODEL")) {
            deliver(version, schedule.code(), true);
        } else if (schedule.fire("CALLBACK_NULL")) {
            deliver(version, 0, false);
        } else if (schedule.fire("CALLBACK_TWICE")) {
            deliver(version, 0, true);
            deliver(version, 2, false);
        } else if (schedule.fire("CALLBACK_TWICE_FAILED_FIRST")) {
            deliver(version, 2, false);
            deliver(version, 0, true);
        } else if (schedule.fire("CALLBACK_NEVER")) {
            schedule.keep([client = mClient] {});
        } else if (schedule.fire("CALLBACK_LATE")) {
            schedule.keep([deliver, version] { deliver(version, 0, true); });
        } else if (schedule.fire("CALLBACK_DROPPED")) {
            return;
        } else if (schedule.fire("CALLBACK_OLDER")) {
            deliver(static_cast<HalVersion>(schedule.code()), 0, true);
        } else if (schedule.fire("DEAD_BETWEEN")) {
            mProcess->bury(mClient);
            schedule.start([process = mProcess] { process->die(); });
        } else {
            const bool dies = schedule.fire("DEAD_AFTER");
            deliver(version, 0, true);
            if (dies) mProcess->die();
        }
    }

    const SharedProcess mProcess;

   private:
    const Client mClient;
    std::atomic<int> mTold{0};
    std::atomic<int32_t> mCode{0};
};

using Shapes = hidl_vec<V1_2::OutputShape>;
using parts::kNoTiming;

template <class Status>
void spoilExecution(FaultSchedule& schedule, Status& status, Shapes& shapes, V1_2::Timing& timing) {
    const V1_2::OutputShape right{.dimensions = {4}, .isSufficient = true};
    const V1_2::OutputShape insufficient{.dimensions = {4}, .isSufficient = false};
    const V1_2::OutputShape other{.dimensions = {5}, .isSufficient = true};
    const std::tuple<std::string_view, Status, Shapes> rows[] = {
            {"SHAPES_TOO_MANY", Status::NONE, {right, right}},
            {"SHAPES_INSUFFICIENT", Status::NONE, {insufficient}},
            {"SHAPES_OTHER", Status::NONE, {other}},
            {"SHAPES_OF_FAILURE", Status::INVALID_ARGUMENT, {right}},
            {"TOO_SMALL", Status::OUTPUT_INSUFFICIENT_SIZE, {insufficient}},
            {"TOO_SMALL_WITHOUT_SHAPES", Status::OUTPUT_INSUFFICIENT_SIZE, {}},
            {"TOO_SMALL_BUT_SUFFICIENT", Status::OUTPUT_INSUFFICIENT_SIZE, {right}},
    };
    for (const auto& [fault, code, all] : rows) {
        if (!schedule.fire(fault)) continue;
        status = code;
        shapes = all;
        timing = kNoTiming;
    }
    if (schedule.fire("TIMING_WRONG")) timing = {.timeOnDevice = 10, .timeInDriver = 5};
    if (schedule.fire("TIMING_UNASKED")) timing = {.timeOnDevice = 5, .timeInDriver = 10};
}

template <class Client>
class ExecutionPost final
    : public Post<parts::ExecutionCallback<ExecutionPost<Client>>, sp<Client>> {
   public:
    using Post<parts::ExecutionCallback<ExecutionPost<Client>>, sp<Client>>::Post;

    template <class Status>
    Return<void> notified(HalVersion version, Status status, Shapes shapes, V1_2::Timing timing) {
        const auto code = static_cast<int32_t>(status);
        if (code == 0) spoilExecution(*this->mProcess->schedule, status, shapes, timing);
        this->receive(version, code,
                      [=](Client& client, HalVersion by, int32_t told, bool hasResults) {
                          const auto spoiled = static_cast<int32_t>(status);
                          (void)parts::notify(client, by, spoiled == 0 ? told : spoiled,
                                              hasResults ? shapes : Shapes(),
                                              hasResults ? timing : kNoTiming)
                                  .isOk();
                      });
        return hidl::Void();
    }
};

sp<V1_3::IPreparedModel> wireModel(const SharedProcess& process,
                                   const sp<V1_3::IPreparedModel>& behind);

template <class Client>
class PreparationPost final
    : public Post<parts::PreparationCallback<PreparationPost<Client>>, sp<Client>> {
   public:
    using Post<parts::PreparationCallback<PreparationPost<Client>>, sp<Client>>::Post;

    Return<void> notified(HalVersion version, auto status, const sp<V1_0::IPreparedModel>& behind) {
        const auto code = static_cast<int32_t>(status);
        if ((code == 0) != (behind != nullptr)) {
            this->mProcess->schedule->accuse(
                    "hidl.notified_model: a failure with a model, or a success without");
        }
        const sp<V1_3::IPreparedModel> model =
                wireModel(this->mProcess, V1_3::IPreparedModel::castFrom(behind));
        this->receive(version, code,
                      [model](Client& client, HalVersion by, int32_t told, bool hasResults) {
                          (void)parts::notify(client, by, told,
                                              hasResults ? model : sp<V1_3::IPreparedModel>())
                                  .isOk();
                      });
        return hidl::Void();
    }
};

template <class Client>
struct PostFor {
    using type = std::conditional_t<std::derived_from<Client, V1_0::IExecutionCallback>,
                                    ExecutionPost<Client>, PreparationPost<Client>>;
};

// ---- objects

class FencedCallback final : public Object<V1_3::IFencedExecutionCallback> {
   public:
    using Object::Object;
    Return<void> getExecutionInfo(getExecutionInfo_cb results) override {
        return call("getExecutionInfo", results,
                    [](auto& target, const auto& last) { return target.getExecutionInfo(last); });
    }
};

class BurstContext final : public Object<V1_2::IBurstContext> {
   public:
    using Object::Object;
    Return<void> freeMemory(int32_t slot) override {
        return mProcess->isDead ? Return<void>(fake::dead()) : inner()->freeMemory(slot);
    }
};

// The client's end of a burst, from which the driver requests memories.
class BurstCallback final : public V1_2::IBurstCallback {
   public:
    BurstCallback(SharedProcess process, sp<V1_2::IBurstCallback> client)
        : mProcess(std::move(process)), mClient(std::move(client)) {}
    Return<void> getMemories(const hidl_vec<int32_t>& slots, getMemories_cb callback) override {
        FaultSchedule& schedule = *mProcess->schedule;
        if (schedule.fire("MEMORIES_TRANSPORT")) return fake::lost();
        if (schedule.fire("MEMORIES_STATUS")) {
            callback(V1_0::ErrorStatus::GENERAL_FAILURE, {});
            return hidl::Void();
        }
        if (schedule.fire("MEMORIES_DEAD")) {
            // A call to a dead process does not return results.
            schedule.waitForReturnAfter([this] { mProcess->die(); });
            return fake::lost();
        }
        return mClient->getMemories(
                slots, [&](V1_0::ErrorStatus status, hidl_vec<hidl_memory> memories) {
                    const bool isShort = memories.size() > 0 && schedule.fire("MEMORIES_SHORT");
                    if (isShort) memories.resize(memories.size() - 1);
                    callback(status, memories);
                });
    }

   private:
    SharedProcess mProcess;
    sp<V1_2::IBurstCallback> mClient;
};

// A fence with this many descriptors; the other end of the first stays open until all delayed work
// is done.
inline hidl_handle makeFence(FaultSchedule& schedule, std::string_view fault) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    const bool isOfTwo = fault == "FENCE_OF_TWO";
    hidl::native_handle_t* native = hidl::native_handle_create(isOfTwo ? 2 : 1, 0);
    native->data[0] = ends[0];
    if (isOfTwo) native->data[1] = dup(ends[0]);
    hidl_handle handle;
    handle.setTo(native, /*shouldOwn=*/true);
    const auto writer = std::make_shared<UniqueFd>(ends[1]);
    if (fault != "FENCE_FAILS") schedule.keep([writer] {});
    if (fault == "FENCE_LATER") {
        // The client may already be gone; the copy of the reading end avoids SIGPIPE.
        const auto reader = std::make_shared<UniqueFd>(dup(ends[0]));
        schedule.start([writer, reader] { EXPECT_EQ(write(writer->get(), "x", 1), 1); });
    }
    return handle;
}

class PreparedModelObject : public Object<V1_3::IPreparedModel> {
   public:
    PreparedModelObject(SharedProcess process, sp<V1_3::IPreparedModel> inner, HalVersion version)
        : Object(std::move(process), std::move(inner)), mVersion(version) {}

    // Reports the interfaces of an older version.
    Return<void> interfaceChain(interfaceChain_cb callback) override {
        callback(parts::chainUpTo<V1_3::IPreparedModel, V1_2::IPreparedModel, V1_0::IPreparedModel>(
                mVersion));
        return hidl::Void();
    }

   private:
    const HalVersion mVersion;
};

class PreparedModel final : public fakes::HidlPreparedModel<PreparedModelObject> {
   public:
    using HidlPreparedModel::HidlPreparedModel;
    Return<void> configureExecutionBurst(const BurstClient& client, const RequestQueue& requests,
                                         const ResultQueue& results,
                                         configureExecutionBurst_cb callback) override {
        return HidlPreparedModel::configureExecutionBurst(sp<BurstCallback>::make(mProcess, client),
                                                          requests, results, callback);
    }
};

inline sp<V1_3::IPreparedModel> wireModel(const SharedProcess& process,
                                          const sp<V1_3::IPreparedModel>& behind) {
    const bool isOld = behind != nullptr && process->schedule->fire("OLD_PREPARED_MODEL");
    const auto version = static_cast<HalVersion>(process->schedule->code());
    return wire<PreparedModel>(process, behind, isOld ? version : HalVersion::V1_3);
}

class Buffer final : public Object<V1_3::IBuffer> {
   public:
    using Object::Object;
    Return<V1_3::ErrorStatus> copyTo(const hidl_memory& dst) override {
        return copy([&] { return inner()->copyTo(dst); });
    }
    Return<V1_3::ErrorStatus> copyFrom(const hidl_memory& src,
                                       const hidl_vec<uint32_t>& dimensions) override {
        return copy([&] { return inner()->copyFrom(src, dimensions); });
    }

   private:
    template <class Behind>
    Return<V1_3::ErrorStatus> copy(const Behind& behind) {
        if (const auto failure = mProcess->enter(COPY); failure) return *failure;
        if (fire("STATUS")) return static_cast<V1_3::ErrorStatus>(mProcess->schedule->code());
        const V1_3::ErrorStatus status = behind();
        if (fire("DEAD_AFTER")) mProcess->die();
        if (const auto failure = mProcess->leave(COPY); failure) return *failure;
        return status;
    }
};

class Device final : public fakes::HidlDevice<Object<V1_3::IDevice>> {
   public:
    using HidlDevice::HidlDevice;
    Return<V1_0::DeviceStatus> getStatus() override { return inner()->getStatus(); }
    Return<void> allocate(const V1_3::BufferDesc& desc, const Models& models, const Roles& inputs,
                          const Roles& outputs, allocate_cb results) override {
        // The target objects in this process.
        Models targets = models;
        for (auto& each : targets) each = dynamic_cast<const PreparedModel&>(*each).inner();
        return HidlDevice::allocate(desc, targets, inputs, outputs, results);
    }
};

// ---- faults in results

template <class Status>
void spoil(Process&, Status&, auto&...) {}
template <class Status>
void spoil(Process& process, Status& status, Shapes& shapes, V1_2::Timing& timing) {
    spoilExecution(*process.schedule, status, shapes, timing);
}
template <class Status>
void spoil(Process& process, Status& status, V1_2::Timing& launched, V1_2::Timing&) {
    Shapes none;
    spoilExecution(*process.schedule, status, none, launched);
}
template <class Status>
void spoil(Process& process, Status&, hidl_handle& fence,
           sp<V1_3::IFencedExecutionCallback>& info) {
    for (const char* fault : {"FENCE_LATER", "FENCE_NEVER", "FENCE_FAILS", "FENCE_OF_TWO"}) {
        if (process.schedule->fire(fault)) fence = makeFence(*process.schedule, fault);
    }
    info = wireOrNull<FencedCallback>(process, info);
}
template <class Status>
void spoil(Process& process, Status&, sp<V1_2::IBurstContext>& context) {
    context = wireOrNull<BurstContext>(process, context);
}
template <class Status>
void spoil(Process& process, Status&, sp<V1_3::IBuffer>& buffer, uint32_t& token) {
    buffer = wireOrNull<Buffer>(process, buffer);
    if (process.schedule->fire("NO_TOKEN")) token = 0;
}
template <class Status>
void spoil(Process& process, Status&, hidl_string& version) {
    if (process.schedule->fire("NULL_RESULT")) version = "";
}
template <class Status>
void spoil(Process& process, Status&, hidl_vec<bool>& supported) {
    if (!process.schedule->fire("SUPPORT_TOO_MANY")) return;
    supported.resize(supported.size() + 1);
    supported[supported.size() - 1] = true;
}

}  // namespace nn::driver_faults
