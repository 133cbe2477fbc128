// A driver with fault injection: an adapted scripted device behind objects that forward each call
// of the HAL and corrupt one of them.
//
//   const auto schedule = std::make_shared<FaultSchedule>();
//   const Driver driver = makeDriver(schedule, HalVersion::V1_2, /*isThreaded=*/false);
//   auto device = V1_2::utils::Device::create("faulty", driver.device, options);
//   schedule->set({.fault = "CALLBACK_NEVER", .call = PREPARE});
//   ... its next preparation is never answered ...
//
// All objects of a driver belong to one process: when it dies, its calls fail with a dead object,
// all recipients are notified, and callbacks receive nothing more. One thread calls and plans the
// fault of its next call.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <any>
#include <array>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <tuple>

#include "driver/adapter_fakes.h"
#include "driver/fake_driver.h"
#include "fakes/hidl_methods.h"

namespace nn::driver_faults {

using hidl::hidl_handle;
using hidl::hidl_memory;
using hidl::hidl_string;
using hidl::hidl_vec;
using hidl::Return;
using hidl::sp;
using std::chrono::milliseconds;

// The calls of a driver, as bits, in the order of kCalls.
enum Call : uint32_t {
    NOWHERE = 0,
    CREATE = 1u << 0,  // calls that wrap a device
    SUPPORTED = 1u << 1,
    PING = 1u << 2,
    PREPARE = 1u << 3,
    CACHED = 1u << 4,   // a preparation from the cache
    EXECUTE = 1u << 5,  // with a callback
    EXECUTE_SYNC = 1u << 6,
    FENCED = 1u << 7,
    INFO = 1u << 8,       // of a fenced execution
    CONFIGURE = 1u << 9,  // a burst
    BURST = 1u << 10,     // an execution through queues
    ALLOCATE = 1u << 11,
    COPY = 1u << 12,
    REUSE = 1u << 13,  // creates a reusable execution
};
inline constexpr std::array kCalls = {"CREATE",  "SUPPORTED",    "PING",   "PREPARE", "CACHED",
                                      "EXECUTE", "EXECUTE_SYNC", "FENCED", "INFO",    "CONFIGURE",
                                      "BURST",   "ALLOCATE",     "COPY",   "REUSE"};

// The call of a method of either family.
constexpr Call callOf(std::string_view method) {
    constexpr std::pair<std::string_view, Call> kMethods[] = {
            {"getSupportedOperations", SUPPORTED},
            {"getExecutionInfo", INFO},
            {"get", CREATE},
            {"prepareModelFromCache", CACHED},
            {"prepareModel", PREPARE},
            {"executeSynchronously", EXECUTE_SYNC},
            {"executeFenced", FENCED},
            {"execute", EXECUTE},
            {"configureExecutionBurst", CONFIGURE},
            {"createReusableExecution", REUSE},
            {"IExecution::executeFenced", FENCED},
            {"IExecution::executeSynchronously", EXECUTE_SYNC},
            {"IBurst::executeSynchronously", BURST},
            {"allocate", ALLOCATE},
            {"copy", COPY},
    };
    for (const auto& [start, call] : kMethods) {
        if (method.starts_with(start)) return call;
    }
    return NOWHERE;
}

struct Plan {
    std::string_view fault{};
    uint32_t call = NOWHERE;
    int32_t code = 0;
    int skip = 0;  // this many calls of the kind succeed first
};

// State shared by all drivers of a sequence: the planned fault, delayed work, and violations.
class FaultSchedule {
   public:
    static constexpr milliseconds kSlow{9};

    void set(const Plan& plan) {
        const std::lock_guard lock(mMutex);
        mPlan = plan;
        mHasFired = false;
    }
    // True once, for the planned fault.
    bool fire(std::string_view fault, uint32_t calls = ~0u) {
        const std::lock_guard lock(mMutex);
        if (mHasFired || mPlan.fault != fault || (mPlan.call & calls) == 0) return false;
        return mHasFired = true;
    }
    bool skips(uint32_t call) {
        const std::lock_guard lock(mMutex);
        return (mPlan.call & call) != 0 && mPlan.skip-- > 0;
    }
    bool hasFired() const {
        const std::lock_guard lock(mMutex);
        return mHasFired;
    }
    int32_t code() const {
        const std::lock_guard lock(mMutex);
        return mPlan.code;
    }
    // Called when the call has returned; clears its plan.
    void finish() {
        std::unique_lock lock(mMutex);
        ++mReturns;
        mReturned.notify_all();
        // A joined thread may have started others.
        while (!mThreads.empty()) {
            std::thread thread = std::move(mThreads.back());
            mThreads.pop_back();
            lock.unlock();
            thread.join();
            lock.lock();
        }
        lock.unlock();
        set({});
    }
    // Runs the work, and returns once the pending call has returned.
    void waitForReturnAfter(const std::function<void()>& work) {
        std::unique_lock lock(mMutex);
        const int before = mReturns;
        lock.unlock();
        work();
        lock.lock();
        mReturned.wait_for(lock, std::chrono::seconds(5), [&] { return mReturns != before; });
    }

    void start(std::function<void()> work) {
        const std::lock_guard lock(mMutex);
        mThreads.emplace_back(std::move(work));
    }
    // Defers work that must not run in time.
    void keep(std::function<void()> late) {
        const std::lock_guard lock(mMutex);
        mLate.push_back(std::move(late));
    }
    void doLate() {
        std::vector<std::function<void()>> late;
        {
            const std::lock_guard lock(mMutex);
            late.swap(mLate);
        }
        for (const auto& work : late) work();
    }

    void accuse(std::string violation) {
        const std::lock_guard lock(mMutex);
        mViolations += violation + "\n";
    }
    std::string violations() const {
        const std::lock_guard lock(mMutex);
        return mViolations;
    }

   private:
    mutable std::mutex mMutex{};
    std::condition_variable mReturned{};
    Plan mPlan{};
    bool mHasFired = false;
    int mReturns = 0;
    std::vector<std::thread> mThreads{};
    std::vector<std::function<void()>> mLate{};
    std::string mViolations{};
};
using SharedSchedule = std::shared_ptr<FaultSchedule>;

// ---- the process of a driver

template <class Client>
struct PostFor;  // its callback of a client

class Process : public std::enable_shared_from_this<Process> {
   public:
    explicit Process(SharedSchedule w) : schedule(std::move(w)) {}
    ~Process() {
        if (!isDead && !mLinks.empty())
            schedule->accuse("wrapper.link_to_death: links to death are left");
    }

    const SharedSchedule schedule;
    std::atomic<bool> isDead{false};

    void die() {
        std::vector<Link> links;
        {
            const std::lock_guard lock(mMutex);
            isDead = true;
            links.swap(mLinks);
        }
        for (const Link& link : links) link.tell();
    }
    // A link of a recipient to an object; false if the object rejects it.
    struct Link {
        const void* object = nullptr;
        const void* recipient = nullptr;
        std::function<void()> tell{};
    };
    Return<bool> link(Link link) {
        if (!isDead && schedule->fire("LINK_FALSE")) return false;
        if (!isDead && schedule->fire("LINK_TRANSPORT")) return fake::lost();
        if (!isDead && schedule->fire("LINK_DEAD")) die();
        const std::lock_guard lock(mMutex);
        if (isDead) return fake::dead();
        mLinks.push_back(std::move(link));
        return true;
    }
    Return<bool> unlink(const void* object, const void* recipient) {
        const std::lock_guard lock(mMutex);
        if (isDead) return fake::dead();
        return std::erase_if(mLinks, [&](const Link& link) {
                   return link.object == object && link.recipient == recipient;
               }) != 0;
    }
    // A dead process keeps its references until its death has been notified.
    void bury(std::any client) {
        const std::lock_guard lock(mMutex);
        mBuried.push_back(std::move(client));
    }

    // Fails a call before it reaches the target object; nothing if the call may proceed.
    std::optional<hidl::Status> enter(uint32_t call) {
        if (isDead) return fake::dead();
        if (schedule->fire("TRANSPORT", call)) return fake::lost();
        if (schedule->fire("THROWS", call)) throw std::runtime_error("the driver throws");
        if (!schedule->fire("DEAD_BEFORE", call)) return std::nullopt;
        die();
        return fake::dead();
    }
    // Fails a call after the target object has returned.
    std::optional<hidl::Status> leave(uint32_t call) {
        if (schedule->fire("TRANSPORT_AFTER", call)) return fake::lost();
        if (!schedule->fire("DEAD_IN", call)) return std::nullopt;
        die();
        return fake::dead();
    }

    // A method that passes its results to a function: behind(results) calls the target object, and
    // spoil(*this, status, values...) injects faults into them.
    template <class Status, class... Parameters, class Behind>
    Return<void> ask(uint32_t call, const std::function<void(Status, Parameters...)>& results,
                     const Behind& behind) {
        using Values = std::tuple<std::remove_cvref_t<Parameters>...>;
        const auto fail = [&](Status code) {
            std::apply([&](const auto&... none) { results(code, none...); }, Values());
        };
        if (schedule->skips(call)) call = NOWHERE;
        if (const auto failure = enter(call); failure) return *failure;
        if (schedule->fire("UNANSWERED", call)) return hidl::Void();
        if (schedule->fire("STATUS", call)) {
            fail(static_cast<Status>(schedule->code()));
            return hidl::Void();
        }
        Status status{};
        Values values{};
        expectOk(behind([&](Status code, const auto&... all) {
            status = code;
            values = Values(all...);
        }));
        std::apply(
                [&](auto&... all) {
                    if (status == Status::NONE && call != NOWHERE) spoil(*this, status, all...);
                    results(status, all...);
                },
                values);
        if (schedule->fire("TWICE", call)) fail(Status::GENERAL_FAILURE);
        if (schedule->fire("DEAD_AFTER", call)) die();
        if (const auto failure = leave(call); failure) return *failure;
        return hidl::Void();
    }

    // A method that launches work and notifies a callback when it ends: behind(callback) calls the
    // target object.
    template <class Status, class Client, class Behind>
    Return<Status> launch(uint32_t call, const sp<Client>& client, const Behind& behind) {
        if (const auto failure = enter(call); failure) return *failure;
        const auto code = static_cast<Status>(schedule->code());
        if (schedule->fire("STATUS", call)) return code;
        if (schedule->fire("STATUS_KEPT", call)) {
            schedule->keep([client] {});
            return code;
        }
        const auto post = sp<typename PostFor<Client>::type>::make(shared_from_this(), client);
        const Return<Status> returned = behind(post);
        expectOk(returned);
        const Status status = returned;
        post->expectAnswerOf(static_cast<int32_t>(status));
        if (const auto failure = leave(call); failure) return *failure;
        if (status == Status::NONE && schedule->fire("STATUS_LIES", call)) return code;
        return status;
    }

   private:
    template <class Returned>
    void expectOk(const Returned& returned) {
        if (!returned.isOk()) schedule->accuse("the adapter fails: " + returned.description());
    }

    std::mutex mMutex{};
    std::vector<Link> mLinks{};
    std::vector<std::any> mBuried{};
};
using SharedProcess = std::shared_ptr<Process>;

// Common parts of all objects of a process.
template <class Interface>
class Object : public Interface {
   public:
    Object(SharedProcess process, sp<Interface> inner)
        : mProcess(std::move(process)), mInner(std::move(inner)) {}

    Return<void> ping() override {
        if (const auto failure = mProcess->enter(PING); failure) return *failure;
        if (const auto failure = mProcess->leave(PING); failure) return *failure;
        return hidl::Void();
    }
    Return<bool> linkToDeath(const sp<hidl::hidl_death_recipient>& recipient,
                             uint64_t cookie) override {
        return mProcess->link({this, recipient.get(),
                               [recipient, cookie] { recipient->serviceDied(cookie, nullptr); }});
    }
    Return<bool> unlinkToDeath(const sp<hidl::hidl_death_recipient>& recipient) override {
        return mProcess->unlink(this, recipient.get());
    }
    const sp<Interface>& inner() const { return mInner; }

   protected:
    template <class Results, class Behind>
    Return<void> call(std::string_view method, const Results& results, const Behind& behind,
                      const auto&...) {
        return mProcess->ask(callOf(method), results,
                             [&](const auto& last) { return behind(*mInner, last); });
    }
    template <class Status, class Client, class Behind>
    Return<Status> launch(std::string_view method, const sp<Client>& client, const Behind& behind,
                          const auto&...) {
        return mProcess->template launch<Status>(
                callOf(method), client, [&](const auto& last) { return behind(*mInner, last); });
    }
    bool fire(std::string_view fault) const { return mProcess->schedule->fire(fault); }

    const SharedProcess mProcess;

   private:
    const sp<Interface> mInner;
};
template <class Wire, class Interface, class... More>
sp<Interface> wire(const SharedProcess& process, const sp<Interface>& behind, More... more) {
    if (behind == nullptr) return nullptr;
    return sp<Wire>::make(process, behind, more...);
}
template <class Wire, class Interface>
sp<Interface> wireOrNull(Process& process, const sp<Interface>& behind) {
    if (process.schedule->fire("NULL_RESULT")) return nullptr;
    return wire<Wire>(process.shared_from_this(), behind);
}

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
    void expectAnswerOf(int32_t status) {
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
    const std::tuple<std::string_view, Status, Shapes> answers[] = {
            {"SHAPES_TOO_MANY", Status::NONE, {right, right}},
            {"SHAPES_INSUFFICIENT", Status::NONE, {insufficient}},
            {"SHAPES_OTHER", Status::NONE, {other}},
            {"SHAPES_OF_FAILURE", Status::INVALID_ARGUMENT, {right}},
            {"TOO_SMALL", Status::OUTPUT_INSUFFICIENT_SIZE, {insufficient}},
            {"TOO_SMALL_WITHOUT_SHAPES", Status::OUTPUT_INSUFFICIENT_SIZE, {}},
            {"TOO_SMALL_BUT_SUFFICIENT", Status::OUTPUT_INSUFFICIENT_SIZE, {right}},
    };
    for (const auto& [fault, code, all] : answers) {
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
                                         configureExecutionBurst_cb answer) override {
        return HidlPreparedModel::configureExecutionBurst(sp<BurstCallback>::make(mProcess, client),
                                                          requests, results, answer);
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

// ---- the canonical device behind the adapter (of any family)

// A fault of the device itself, instead of its normal result.
template <class Outcome>
std::optional<Outcome> deviceFault(FaultSchedule& schedule, uint32_t call,
                                   const OptionalTimePoint& deadline = {}) {
    if (deadline && *deadline <= Clock::now()) {
        return Outcome(makeError(ErrorStatus::MISSED_DEADLINE_PERSISTENT, "too late"));
    }
    if (schedule.fire("DEVICE_THROWS", call)) throw std::runtime_error("the device throws");
    if (schedule.fire("DEVICE_NULL", call)) return Outcome(typename Outcome::value_type{});
    if (!schedule.fire("DEVICE_CODE", call)) return std::nullopt;
    return Outcome(makeError(static_cast<ErrorStatus>(schedule.code()), "the device fails"));
}

class CanonicalBuffer final : public IBuffer {
   public:
    explicit CanonicalBuffer(SharedSchedule schedule) : mWorld(std::move(schedule)) {}
    Request::MemoryDomainToken getToken() const override { return Request::MemoryDomainToken{1}; }
    GeneralResult<void> copyTo(const SharedMemory&) const override { return copy(); }
    GeneralResult<void> copyFrom(const SharedMemory&, const Dimensions&) const override {
        return copy();
    }

   private:
    GeneralResult<void> copy() const {
        if (mWorld->fire("DEVICE_THROWS")) throw std::runtime_error("the device throws");
        if (!mWorld->fire("DEVICE_CODE")) return {};
        return makeError(static_cast<ErrorStatus>(mWorld->code()), "the device fails");
    }

    SharedSchedule mWorld;
};

// z = x + y.
inline ExecutionResult<Executed> run(FaultSchedule& schedule,
                                     const driver_adapter_fakes::ExecuteCall& execute,
                                     uint32_t call) {
    if (auto fault = deviceFault<ExecutionResult<Executed>>(schedule, call, execute.deadline);
        fault)
        return *fault;
    const Request& request = execute.request;
    const bool isSlow = schedule.fire("DEVICE_SLOW", call);
    if (!fake::add(request)) return makeError(ErrorStatus::INVALID_ARGUMENT, "no sum");
    if (!isSlow) return Executed{};
    // A device may read its inputs long before it writes its outputs.
    const Request::Argument& output = request.outputs[0];
    const auto& pool = std::get<SharedMemory>(request.pools[output.location.poolIndex]);
    std::vector<uint8_t> sum(output.location.length);
    NNAPI_RETURN_IF_ERROR(readMemory(pool, output.location.offset, sum));
    std::this_thread::sleep_for(FaultSchedule::kSlow);
    NNAPI_RETURN_IF_ERROR(writeMemory(pool, output.location.offset, sum));
    return Executed{};
}

inline SharedDevice makeDevice(const SharedSchedule& schedule) {
    using driver_adapter_fakes::FakePreparedModel;
    const auto inBursts = std::make_shared<driver_adapter_fakes::Script>();
    inBursts->execute = [schedule](const auto& call) { return run(*schedule, call, BURST); };

    const auto script = std::make_shared<driver_adapter_fakes::Script>();
    const std::weak_ptr weak = script;  // it cannot own itself
    script->files = {1, 0};
    script->support = [schedule](const Model&) {
        using Answer = GeneralResult<std::vector<bool>>;
        const auto fault = deviceFault<Answer>(*schedule, SUPPORTED);
        return fault ? *fault : Answer(std::vector<bool>{true});
    };
    script->prepare = [schedule, weak](const auto& call) {
        auto fault = deviceFault<GeneralResult<SharedPreparedModel>>(*schedule, PREPARE | CACHED,
                                                                     call.deadline);
        if (fault) return *fault;
        if (schedule->fire("DEVICE_SLOW", PREPARE | CACHED)) {
            std::this_thread::sleep_for(FaultSchedule::kSlow);
        }
        return GeneralResult<SharedPreparedModel>(
                std::make_shared<const FakePreparedModel>(weak.lock()));
    };
    script->execute = [schedule](const auto& call) {
        return run(*schedule, call, EXECUTE | EXECUTE_SYNC);
    };
    script->fenced = [schedule](const auto& call) -> GeneralResult<ExecutedFenced> {
        if (auto executed = run(*schedule, call, FENCED); !executed.has_value()) {
            return executed.status();
        }
        return ExecutedFenced(SyncFence::createAsSignaled(), [schedule] {
            using Answer = GeneralResult<FencedTimings>;
            const auto fault = deviceFault<Answer>(*schedule, INFO);
            return fault ? *fault : Answer(FencedTimings());
        });
    };
    script->burst = [schedule, inBursts]() -> GeneralResult<SharedBurst> {
        if (auto fault = deviceFault<GeneralResult<SharedBurst>>(*schedule, CONFIGURE); fault) {
            return *fault;
        }
        return V1_0::utils::Burst::create(std::make_shared<const FakePreparedModel>(inBursts));
    };
    script->allocate = [schedule](const auto&, const auto&) {
        auto fault = deviceFault<GeneralResult<SharedBuffer>>(*schedule, ALLOCATE);
        return fault ? *fault
                     : GeneralResult<SharedBuffer>(
                               std::make_shared<const CanonicalBuffer>(schedule));
    };
    return std::make_shared<const driver_adapter_fakes::FakeDevice>(script);
}

// How the adapter of a driver runs its tasks.
inline hal::adapter::AdaptOptions adaptOptions(const SharedSchedule& schedule, bool isThreaded) {
    const auto executor = [schedule, isThreaded](hal::adapter::Task task,
                                                 const OptionalTimePoint&) {
        if (schedule->fire("EXECUTOR_THROWS")) throw std::runtime_error("no threads");
        if (schedule->fire("EXECUTOR_DROPS")) return;
        if (schedule->fire("EXECUTOR_LATE")) return schedule->keep(std::move(task));
        if (schedule->fire("EXECUTOR_TWICE")) task();
        if (!isThreaded) return task();
        schedule->start(std::move(task));
    };
    return {.executor = executor};
}

}  // namespace nn::driver_faults
