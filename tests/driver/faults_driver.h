// A driver into which faults are put: the reference device, adapted, behind objects that forward
// each call and spoil one of them.
//
//   const auto scene = std::make_shared<Scene>();
//   const Driver driver = makeDriver(scene, Executors::INLINE);
//   auto device = V1_2::utils::Device::create("faulty", driver.device, options);
//   const auto plan = std::make_shared<Plan>();
//   plan->fault = Fault::CALLBACK_NEVER;
//   plan->where = PREPARE;
//   const Planned planned(plan);
//   ... call the device on this thread: its first preparation is never answered ...
//
// Each object of a chain is one of the same process: when that dies, all calls answer a dead
// object, all recipients are told, and callbacks are told nothing any more. A plan belongs to the
// thread that made it and to the work that this thread starts.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "driver/models.h"
#include "nnapi/convert.h"
#include "nnapi/driver/adapt.h"
#include "nnapi/memory.h"

namespace nn::driver_faults {

using hidl::hidl_handle;
using hidl::hidl_memory;
using hidl::hidl_string;
using hidl::hidl_vec;
using hidl::Return;
using hidl::sp;

// The calls of a driver, as bits.
enum Where : uint32_t {
    NOWHERE = 0,
    CREATE = 1u << 0,  // what is asked when a device is wrapped
    SUPPORTED = 1u << 1,
    PING = 1u << 2,
    PREPARE = 1u << 3,
    EXECUTE = 1u << 4,  // with a callback
    EXECUTE_SYNC = 1u << 5,
    FENCED = 1u << 6,
    INFO = 1u << 7,       // of a fenced execution
    CONFIGURE = 1u << 8,  // a burst
    MEMORIES = 1u << 9,   // that a burst asks its client for
    ALLOCATE = 1u << 10,
    COPY = 1u << 11,
};

enum class Fault {
    NONE,
    // The call.
    STATUS,           // a code, and nothing else happens
    STATUS_KEPT,      // a code, and the callback is kept
    STATUS_LIES,      // a code, although all goes well
    TRANSPORT,        // the call does not arrive
    TRANSPORT_AFTER,  // what it answers does not
    DEAD_BEFORE,
    DEAD_IN,
    DEAD_BETWEEN,  // after NONE, before the callback
    DEAD_AFTER,
    THROWS,
    UNANSWERED,  // returns without results
    TWICE,       // hands over two results
    LINK_FALSE,
    LINK_TRANSPORT,
    LINK_DEAD,
    // The callback.
    CALLBACK_STATUS,
    CALLBACK_STATUS_WITH_MODEL,
    CALLBACK_NULL,
    CALLBACK_TWICE,
    CALLBACK_TWICE_FAILED_FIRST,
    CALLBACK_NEVER,
    CALLBACK_LATE,
    CALLBACK_DROPPED,
    CALLBACK_OLDER,
    OLD_PREPARED_MODEL,
    // Results.
    SHAPES_TOO_MANY,
    SHAPES_INSUFFICIENT,
    SHAPES_OTHER,
    SHAPES_OF_FAILURE,
    TOO_SMALL,
    TOO_SMALL_WITHOUT_SHAPES,
    TOO_SMALL_BUT_SUFFICIENT,
    TIMING_WRONG,
    TIMING_UNASKED,
    SUPPORT_TOO_MANY,
    NULL_RESULT,
    NO_TOKEN,
    FENCE_LATER,
    FENCE_NEVER,
    FENCE_FAILS,
    FENCE_OF_TWO,
    // What the driver is made of.
    EXECUTOR_THROWS,
    EXECUTOR_DROPS,
    EXECUTOR_KEEPS,
    EXECUTOR_LATE,
    EXECUTOR_TWICE,
    DEVICE_THROWS,
    DEVICE_NULL,
    DEVICE_CODE,
    DEVICE_SLOW,
    // Bursts.
    MEMORIES_STATUS,
    MEMORIES_SHORT,
    MEMORIES_TRANSPORT,
    MEMORIES_DEAD,
    // The factory of a resilient device, besides.
    FACTORY_FAILS,
    FACTORY_NULL,
    FACTORY_THROWS,
    FACTORY_OTHER,
};

// What all chains of a test share: the objects that live, and what must not happen.
struct Scene {
    std::atomic<int> living{0};

    void accuse(std::string violation) {
        const std::lock_guard lock(mMutex);
        mViolations.push_back(std::move(violation));
    }
    std::vector<std::string> violations() {
        const std::lock_guard lock(mMutex);
        return mViolations;
    }

   private:
    std::mutex mMutex{};
    std::vector<std::string> mViolations{};
};
using SharedScene = std::shared_ptr<Scene>;

// Counted while it lives.
class Living {
   public:
    explicit Living(SharedScene scene) : mScene(std::move(scene)) { ++mScene->living; }
    Living(const Living& other) : Living(other.mScene) {}
    Living& operator=(const Living&) = delete;
    ~Living() { --mScene->living; }
    Scene& scene() const { return *mScene; }

   private:
    SharedScene mScene;
};

class Chain;

// The one fault of a step. Its first fitting call has it.
struct Plan {
    Fault fault = Fault::NONE;
    uint32_t where = NOWHERE;
    int32_t code = 0;
    int skip = 0;  // so many fitting calls go well
    std::chrono::milliseconds slow{0};
    Fault factory = Fault::NONE;  // besides, should the device be made anew

    std::atomic<bool> fired{false};
    std::atomic<bool> factoryFired{false};

    bool is(Fault which) const { return fault == which && !fired; }
    bool fire(Fault which) { return fault == which && !fired.exchange(true); }

    // The process that had the last fitting call.
    void serve(const std::shared_ptr<Chain>& chain) {
        const std::lock_guard lock(mMutex);
        mServer = chain;
    }
    std::shared_ptr<Chain> server() {
        const std::lock_guard lock(mMutex);
        return mServer.lock();
    }
    void start(std::function<void()> work) {
        const std::lock_guard lock(mMutex);
        mThreads.emplace_back(std::move(work));
    }
    // For what nobody does in time.
    void keep(std::function<void()> late) {
        const std::lock_guard lock(mMutex);
        mLate.push_back(std::move(late));
    }
    // Does what is late, or drops it; then nothing of the plan is left.
    void finish(bool doesLate) {
        for (;;) {
            std::vector<std::function<void()>> late;
            std::vector<std::thread> threads;
            {
                const std::lock_guard lock(mMutex);
                late.swap(mLate);
                threads.swap(mThreads);
            }
            if (late.empty() && threads.empty()) return;
            for (std::thread& thread : threads) thread.join();
            for (const auto& work : late) {
                if (doesLate) work();
            }
        }
    }

   private:
    std::mutex mMutex{};
    std::vector<std::thread> mThreads{};
    std::vector<std::function<void()>> mLate{};
    std::weak_ptr<Chain> mServer{};
};
using SharedPlan = std::shared_ptr<Plan>;

// Where a burst's own thread finds the plan of the step that uses it.
struct Cell {
    void set(SharedPlan plan) {
        const std::lock_guard lock(mMutex);
        mPlan = std::move(plan);
    }
    SharedPlan get() {
        const std::lock_guard lock(mMutex);
        return mPlan;
    }

   private:
    std::mutex mMutex{};
    SharedPlan mPlan{};
};
using SharedCell = std::shared_ptr<Cell>;

struct Current {
    SharedPlan plan{};
    uint32_t where = NOWHERE;  // the call that is under way
    SharedCell cell{};
};
inline Current& current() {
    thread_local Current current;
    return current;
}

// Sets what the calling thread plans.
class Planned {
   public:
    explicit Planned(SharedPlan plan, uint32_t where = NOWHERE, SharedCell cell = nullptr)
        : mBefore(std::exchange(current(),
                                Current{std::move(plan), where,
                                        cell != nullptr ? std::move(cell) : current().cell})) {}
    Planned(const Planned&) = delete;
    Planned& operator=(const Planned&) = delete;
    ~Planned() { current() = std::move(mBefore); }

   private:
    Current mBefore;
};

// The plan of the calling thread, where it is for such a call and none has had it.
inline SharedPlan planFor(uint32_t where) {
    const SharedPlan& plan = current().plan;
    if (plan == nullptr || (plan->where & where) == 0) return nullptr;
    return plan;
}

inline hidl::Status deadObject() { return hidl::Status::fromStatusT(hidl::DEAD_OBJECT); }
inline hidl::Status lostCall() { return hidl::Status::fromStatusT(hidl::FAILED_TRANSACTION); }

// ---- the process of a driver

class Chain : public std::enable_shared_from_this<Chain> {
   public:
    explicit Chain(SharedScene scene) : mLiving(std::move(scene)) {}

    Scene& scene() const { return mLiving.scene(); }
    const Living& living() const { return mLiving; }
    bool isDead() const { return mIsDead; }

    void die() {
        std::vector<Link> links;
        {
            const std::lock_guard lock(mMutex);
            mIsDead = true;
            links.swap(mLinks);
        }
        for (const Link& link : links) link.recipient->serviceDied(link.cookie, nullptr);
    }

    Return<bool> link(const void* object, const sp<hidl::hidl_death_recipient>& recipient,
                      uint64_t cookie, uint32_t where) {
        if (const SharedPlan plan = planFor(where); plan != nullptr && !isDead()) {
            if (plan->fire(Fault::LINK_FALSE)) return false;
            if (plan->fire(Fault::LINK_TRANSPORT)) return lostCall();
            if (plan->fire(Fault::LINK_DEAD)) die();
        }
        const std::lock_guard lock(mMutex);
        if (mIsDead) return deadObject();
        mLinks.push_back({object, recipient, cookie});
        return true;
    }
    Return<bool> unlink(const void* object, const sp<hidl::hidl_death_recipient>& recipient) {
        Link unlinked;  // released without the lock
        const std::lock_guard lock(mMutex);
        if (mIsDead) return deadObject();
        const auto at = std::find_if(mLinks.begin(), mLinks.end(), [&](const Link& link) {
            return link.object == object && link.recipient == recipient;
        });
        if (at == mLinks.end()) return false;
        unlinked = std::move(*at);
        mLinks.erase(at);
        return true;
    }
    size_t links() const {
        const std::lock_guard lock(mMutex);
        return mLinks.size();
    }
    // A dead process releases what it holds when its death has been told, not before.
    void bury(std::function<void()> holding) {
        const std::lock_guard lock(mMutex);
        mBuried.push_back(std::move(holding));
    }

    // A call that does not reach the object behind; nothing where it shall go on.
    std::optional<hidl::Status> enter(const SharedPlan& plan) {
        if (plan != nullptr) plan->serve(shared_from_this());
        if (isDead()) return deadObject();
        if (plan == nullptr) return std::nullopt;
        if (plan->fire(Fault::TRANSPORT)) return lostCall();
        if (plan->fire(Fault::DEAD_BEFORE)) {
            die();
            return deadObject();
        }
        if (plan->fire(Fault::THROWS)) throw std::runtime_error("the driver throws");
        return std::nullopt;
    }
    // Of a call that was answered.
    std::optional<hidl::Status> leave(const SharedPlan& plan) {
        if (plan == nullptr) return std::nullopt;
        if (plan->fire(Fault::TRANSPORT_AFTER)) return lostCall();
        if (plan->fire(Fault::DEAD_IN)) {
            die();
            return deadObject();
        }
        return std::nullopt;
    }

    // A method that hands its results to a callback: ask(callback) is the one behind, and
    // spoil(plan, status, values) puts faults into them.
    template <class HalStatus, class... Values, class Answer, class Ask, class Spoil>
    Return<void> forward(uint32_t where, const Answer& answer, const Ask& ask, const Spoil& spoil) {
        const SharedPlan plan = planFor(where);
        if (plan != nullptr && plan->skip > 0) {
            --plan->skip;
            return isDead() ? Return<void>(deadObject()) : ask(answer);
        }
        if (const auto failure = enter(plan); failure) return *failure;
        if (plan != nullptr) {
            if (plan->fire(Fault::UNANSWERED)) return hidl::Void();
            if (plan->fire(Fault::STATUS)) {
                answer(static_cast<HalStatus>(plan->code), Values{}...);
                return hidl::Void();
            }
        }
        HalStatus status{};
        std::tuple<Values...> values{};
        {
            const Planned planned(current().plan, where);
            const Return<void> returned = ask([&](HalStatus code, const Values&... all) {
                status = code;
                values = std::tuple<Values...>(all...);
            });
            if (!returned.isOk()) scene().accuse("the adapter fails: " + returned.description());
        }
        if (plan != nullptr && status == HalStatus::NONE) spoil(*plan, status, values);
        std::apply([&](const Values&... all) { answer(status, all...); }, values);
        if (plan != nullptr && plan->fire(Fault::TWICE)) {
            answer(HalStatus::GENERAL_FAILURE, Values{}...);
        }
        if (plan != nullptr && plan->fire(Fault::DEAD_AFTER)) die();
        if (const auto failure = leave(plan); failure) return *failure;
        return hidl::Void();
    }
    template <class HalStatus, class... Values, class Answer, class Ask>
    Return<void> forward(uint32_t where, const Answer& answer, const Ask& ask) {
        return forward<HalStatus, Values...>(where, answer, ask, [](auto&&...) {});
    }

    // A method that launches what a callback is told the end of: launch(middle) is the one behind.
    template <class HalStatus, class Middle, class Client, class Launch>
    Return<HalStatus> launch(uint32_t where, const sp<Client>& client, const Launch& launch) {
        const SharedPlan plan = planFor(where);
        if (const auto failure = enter(plan); failure) return *failure;
        if (plan != nullptr) {
            const auto code = static_cast<HalStatus>(plan->code);
            if (plan->fire(Fault::STATUS)) return code;
            if (plan->fire(Fault::STATUS_KEPT)) {
                plan->keep([client] {});
                return code;
            }
        }
        const auto middle = sp<Middle>::make(shared_from_this(), plan, client);
        HalStatus status{};
        {
            const Planned planned(current().plan, where);
            const Return<HalStatus> returned = launch(middle);
            if (!returned.isOk()) scene().accuse("the adapter fails: " + returned.description());
            status = returned;
        }
        middle->launched(static_cast<int32_t>(status));
        if (const auto failure = leave(plan); failure) return *failure;
        if (plan != nullptr && status == HalStatus::NONE && plan->fire(Fault::STATUS_LIES)) {
            return static_cast<HalStatus>(plan->code);
        }
        return status;
    }

   private:
    struct Link {
        const void* object = nullptr;
        sp<hidl::hidl_death_recipient> recipient{};
        uint64_t cookie = 0;
    };

    Living mLiving;
    std::atomic<bool> mIsDead{false};
    mutable std::mutex mMutex{};
    std::vector<Link> mLinks{};
    std::vector<std::function<void()>> mBuried{};
};
using SharedChain = std::shared_ptr<Chain>;

// What all objects of a chain do alike. `Links` are the steps whose plans spoil linkToDeath.
template <class Interface, uint32_t Links>
class Object : public Interface {
   public:
    explicit Object(SharedChain chain) : mChain(std::move(chain)), mLiving(mChain->living()) {}

    Return<void> ping() override {
        const SharedPlan plan = planFor(PING);
        if (const auto failure = mChain->enter(plan); failure) return *failure;
        if (const auto failure = mChain->leave(plan); failure) return *failure;
        return hidl::Void();
    }
    Return<bool> linkToDeath(const sp<hidl::hidl_death_recipient>& recipient,
                             uint64_t cookie) override {
        return mChain->link(this, recipient, cookie, Links);
    }
    Return<bool> unlinkToDeath(const sp<hidl::hidl_death_recipient>& recipient) override {
        return mChain->unlink(this, recipient);
    }

   protected:
    const SharedChain mChain;

   private:
    Living mLiving;
};

// ---- callbacks between the adapter and the client

// Counts what the adapter tells (rules 43, 44), and hands it on with the fault of the plan.
template <class Interface, class Client, class... Results>
class Middle : public Interface {
   public:
    // Calls the client by the method of a version: tell(client, version, status, results).
    Middle(SharedChain chain, SharedPlan plan, sp<Client> client)
        : mChain(std::move(chain)),
          mPlan(std::move(plan)),
          mClient(std::move(client)),
          mLiving(mChain->living()) {}
    ~Middle() override {
        if (mTold != 1) {
            mChain->scene().accuse("rule 43: the adapter has notified " + std::to_string(mTold) +
                                   " times");
        }
    }

    void launched(int32_t status) {
        if (status == 0) return;
        if (mTold != 1) mChain->scene().accuse("rule 44: a failed launch did not notify");
        if (mCode != status) mChain->scene().accuse("rule 44: launch and callback differ");
    }

   protected:
    virtual void tell(Client& client, int method, int32_t status, const Results&... results) = 0;
    // Faults in the results of a success; false where there is none for these.
    virtual bool spoil(Plan& plan, int32_t& status, Results&... results) = 0;
    virtual std::tuple<Results...> withoutResults() const = 0;

    Return<void> receive(int method, int32_t status, Results... results) {
        ++mTold;
        mCode = status;
        const auto self = sp<Middle>(this);
        const auto deliver = [self](int how, int32_t code, const Results&... all) {
            const sp<Client> client = self->mClient;
            if (self->mChain->isDead()) {
                self->mChain->bury([client] {});
            } else if (client != nullptr) {
                self->tell(*client, how, code, all...);
            }
        };
        const auto deliverFailure = [&](int32_t code) {
            std::apply([&](const Results&... all) { deliver(method, code, all...); },
                       withoutResults());
        };
        if (mPlan == nullptr || mPlan->fired || status != 0) {
            deliver(method, status, results...);
            return hidl::Void();
        }
        Plan& plan = *mPlan;
        if (plan.fire(Fault::CALLBACK_STATUS)) {
            deliverFailure(plan.code);
        } else if (plan.fire(Fault::CALLBACK_STATUS_WITH_MODEL)) {
            deliver(method, plan.code, results...);
        } else if (plan.fire(Fault::CALLBACK_NULL)) {
            deliverFailure(0);
        } else if (plan.fire(Fault::CALLBACK_TWICE)) {
            deliver(method, 0, results...);
            deliverFailure(2);
        } else if (plan.fire(Fault::CALLBACK_TWICE_FAILED_FIRST)) {
            deliverFailure(2);
            deliver(method, 0, results...);
        } else if (plan.fire(Fault::CALLBACK_NEVER)) {
            plan.keep([client = mClient] {});
        } else if (plan.fire(Fault::CALLBACK_LATE)) {
            plan.keep([=] { deliver(method, 0, results...); });
        } else if (plan.fire(Fault::CALLBACK_DROPPED)) {
            mClient = nullptr;
        } else if (method > 0 && plan.fire(Fault::CALLBACK_OLDER)) {
            deliver(plan.code % 2 == 0 || method == 2 ? 0 : 2, 0, results...);
        } else if (plan.fire(Fault::DEAD_BETWEEN)) {
            mChain->bury([client = mClient] {});
            plan.start([chain = mChain] { chain->die(); });
        } else if (plan.fire(Fault::DEAD_AFTER)) {
            deliver(method, 0, results...);
            mChain->die();
        } else {
            (void)spoil(plan, status, results...);
            deliver(method, status, results...);
        }
        return hidl::Void();
    }

    const SharedChain mChain;
    const SharedPlan mPlan;

   private:
    sp<Client> mClient;
    Living mLiving;
    std::atomic<int> mTold{0};
    std::atomic<int32_t> mCode{0};
};

using Shapes = hidl_vec<V1_2::OutputShape>;

inline bool spoilExecution(Plan& plan, int32_t& status, Shapes& shapes, V1_2::Timing& timing) {
    const V1_2::OutputShape sufficient{.dimensions = {4}, .isSufficient = true};
    const V1_2::OutputShape insufficient{.dimensions = {4}, .isSufficient = false};
    const auto answer = [&](int32_t code, Shapes all) {
        status = code;
        shapes = std::move(all);
        if (code != 0) timing = {UINT64_MAX, UINT64_MAX};
        return true;
    };
    if (plan.fire(Fault::SHAPES_TOO_MANY)) return answer(0, {sufficient, sufficient});
    if (plan.fire(Fault::SHAPES_INSUFFICIENT)) return answer(0, {insufficient});
    if (plan.fire(Fault::SHAPES_OTHER)) {
        return answer(0, {V1_2::OutputShape{.dimensions = {5}, .isSufficient = true}});
    }
    if (plan.fire(Fault::SHAPES_OF_FAILURE)) return answer(4, {sufficient});
    if (plan.fire(Fault::TOO_SMALL)) return answer(3, {insufficient});
    if (plan.fire(Fault::TOO_SMALL_WITHOUT_SHAPES)) return answer(3, {});
    if (plan.fire(Fault::TOO_SMALL_BUT_SUFFICIENT)) return answer(3, {sufficient});
    if (plan.fire(Fault::TIMING_WRONG)) {
        timing = {.timeOnDevice = 10, .timeInDriver = 5};
        return true;
    }
    if (plan.fire(Fault::TIMING_UNASKED)) {
        timing = {.timeOnDevice = 5, .timeInDriver = 10};
        return true;
    }
    return false;
}

template <class Client>
class MiddleExecution final
    : public Middle<V1_3::IExecutionCallback, Client, Shapes, V1_2::Timing> {
    using Base = Middle<V1_3::IExecutionCallback, Client, Shapes, V1_2::Timing>;

   public:
    using Base::Base;

    Return<void> notify(V1_0::ErrorStatus status) override {
        return this->receive(0, static_cast<int32_t>(status), {}, {UINT64_MAX, UINT64_MAX});
    }
    Return<void> notify_1_2(V1_0::ErrorStatus status, const Shapes& shapes,
                            const V1_2::Timing& timing) override {
        return this->receive(2, static_cast<int32_t>(status), shapes, timing);
    }
    Return<void> notify_1_3(V1_3::ErrorStatus status, const Shapes& shapes,
                            const V1_2::Timing& timing) override {
        return this->receive(3, static_cast<int32_t>(status), shapes, timing);
    }

   private:
    void tell(Client& client, int method, int32_t status, const Shapes& shapes,
              const V1_2::Timing& timing) override {
        if constexpr (std::derived_from<Client, V1_3::IExecutionCallback>) {
            if (method == 3) {
                (void)client.notify_1_3(static_cast<V1_3::ErrorStatus>(status), shapes, timing);
                return;
            }
        }
        if constexpr (std::derived_from<Client, V1_2::IExecutionCallback>) {
            if (method == 2) {
                (void)client.notify_1_2(static_cast<V1_0::ErrorStatus>(status), shapes, timing);
                return;
            }
        }
        (void)client.notify(static_cast<V1_0::ErrorStatus>(status));
    }
    bool spoil(Plan& plan, int32_t& status, Shapes& shapes, V1_2::Timing& timing) override {
        // HAL 1.0 has nothing to spoil.
        if constexpr (!std::derived_from<Client, V1_2::IExecutionCallback>) return false;
        return spoilExecution(plan, status, shapes, timing);
    }
    std::tuple<Shapes, V1_2::Timing> withoutResults() const override {
        return {Shapes{}, V1_2::Timing{UINT64_MAX, UINT64_MAX}};
    }
};

// ---- objects

class FencedCallback final : public Object<V1_3::IFencedExecutionCallback, NOWHERE> {
   public:
    FencedCallback(SharedChain chain, sp<V1_3::IFencedExecutionCallback> behind)
        : Object(std::move(chain)), mBehind(std::move(behind)) {}

    Return<void> getExecutionInfo(getExecutionInfo_cb callback) override {
        return mChain->forward<V1_3::ErrorStatus, V1_2::Timing, V1_2::Timing>(
                INFO, callback, [&](auto answer) { return mBehind->getExecutionInfo(answer); },
                [](Plan& plan, auto&, auto& timings) {
                    const bool isWrong = plan.fire(Fault::TIMING_WRONG);
                    const bool isUnasked = !isWrong && plan.fire(Fault::TIMING_UNASKED);
                    if (isWrong) std::get<0>(timings) = {.timeOnDevice = 10, .timeInDriver = 5};
                    if (isUnasked) std::get<0>(timings) = {.timeOnDevice = 5, .timeInDriver = 10};
                });
    }

   private:
    sp<V1_3::IFencedExecutionCallback> mBehind;
};

// A burst whose client has released it.
struct Release {
    void wait(std::chrono::milliseconds most) {
        std::unique_lock lock(mutex);
        condition.wait_for(lock, most, [this] { return isDone; });
    }
    void done() {
        const std::lock_guard lock(mutex);
        isDone = true;
        condition.notify_all();
    }

    std::mutex mutex{};
    std::condition_variable condition{};
    bool isDone = false;
};

class BurstContext final : public Object<V1_2::IBurstContext, CONFIGURE> {
   public:
    BurstContext(SharedChain chain, sp<V1_2::IBurstContext> behind,
                 std::shared_ptr<Release> release)
        : Object(std::move(chain)), mBehind(std::move(behind)), mRelease(std::move(release)) {}
    ~BurstContext() override { mRelease->done(); }
    Return<void> freeMemory(int32_t slot) override {
        return mChain->isDead() ? Return<void>(deadObject()) : mBehind->freeMemory(slot);
    }

   private:
    sp<V1_2::IBurstContext> mBehind;
    std::shared_ptr<Release> mRelease;
};

// The client of a burst, as its driver asks it for memories.
class BurstCallback final : public V1_2::IBurstCallback {
   public:
    BurstCallback(SharedChain chain, SharedCell cell, std::shared_ptr<Release> release,
                  sp<V1_2::IBurstCallback> client)
        : mChain(std::move(chain)),
          mCell(std::move(cell)),
          mRelease(std::move(release)),
          mClient(std::move(client)),
          mLiving(mChain->living()) {}
    Return<void> getMemories(const hidl_vec<int32_t>& slots, getMemories_cb callback) override {
        const Planned planned(mCell == nullptr ? nullptr : mCell->get());
        const SharedPlan plan = planFor(MEMORIES);
        if (plan != nullptr) {
            if (plan->fire(Fault::MEMORIES_TRANSPORT)) return lostCall();
            if (plan->fire(Fault::MEMORIES_STATUS)) {
                callback(V1_0::ErrorStatus::GENERAL_FAILURE, {});
                return hidl::Void();
            }
            if (plan->fire(Fault::MEMORIES_DEAD)) {
                mChain->die();
                // A dead process answers nothing.
                mRelease->wait(std::chrono::seconds(5));
                return lostCall();
            }
        }
        return mClient->getMemories(
                slots, [&](V1_0::ErrorStatus status, const hidl_vec<hidl_memory>& memories) {
                    if (plan == nullptr || !plan->fire(Fault::MEMORIES_SHORT)) {
                        return callback(status, memories);
                    }
                    hidl_vec<hidl_memory> fewer = memories;
                    fewer.resize(memories.size() - 1);
                    callback(status, fewer);
                });
    }

   private:
    SharedChain mChain;
    SharedCell mCell;
    std::shared_ptr<Release> mRelease;
    sp<V1_2::IBurstCallback> mClient;
    Living mLiving;
};

// A fence that a plan signals later, never, or fails.
inline hidl_handle makeFence(Plan& plan, Fault fault) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    hidl::native_handle_t* native = hidl::native_handle_create(1, 0);
    native->data[0] = ends[0];
    hidl_handle handle;
    handle.setTo(native, /*shouldOwn=*/true);
    const auto writer = std::make_shared<UniqueFd>(ends[1]);
    if (fault == Fault::FENCE_LATER) {
        plan.start([writer] { (void)!write(writer->get(), "x", 1); });
        plan.keep([writer] {});
    } else if (fault == Fault::FENCE_NEVER) {
        plan.keep([writer] {});
    }
    return handle;
}

class PreparedModel final : public Object<V1_3::IPreparedModel, PREPARE | CONFIGURE> {
   public:
    PreparedModel(SharedChain chain, sp<V1_3::IPreparedModel> behind, HalVersion version)
        : Object(std::move(chain)), mBehind(std::move(behind)), mVersion(version) {}

    const sp<V1_3::IPreparedModel>& behind() const { return mBehind; }

    // As a driver of an older version says it.
    Return<void> interfaceChain(interfaceChain_cb callback) override {
        hidl_vec<hidl_string> names = {V1_0::IPreparedModel::descriptor, hidl::IBase::descriptor};
        const auto prepend = [&](const char* name) {
            hidl_vec<hidl_string> more = {name};
            for (const hidl_string& each : names) more.push_back(each);
            names = std::move(more);
        };
        if (mVersion >= HalVersion::V1_2) prepend(V1_2::IPreparedModel::descriptor);
        if (mVersion >= HalVersion::V1_3) prepend(V1_3::IPreparedModel::descriptor);
        callback(names);
        return hidl::Void();
    }

    Return<V1_0::ErrorStatus> execute(const V1_0::Request& request,
                                      const sp<V1_0::IExecutionCallback>& callback) override {
        return launch<V1_0::ErrorStatus>(
                callback, [&](const auto& middle) { return mBehind->execute(request, middle); });
    }
    Return<V1_0::ErrorStatus> execute_1_2(const V1_0::Request& request, V1_2::MeasureTiming measure,
                                          const sp<V1_2::IExecutionCallback>& callback) override {
        return launch<V1_0::ErrorStatus>(callback, [&](const auto& middle) {
            return mBehind->execute_1_2(request, measure, middle);
        });
    }
    Return<V1_3::ErrorStatus> execute_1_3(const V1_3::Request& request, V1_2::MeasureTiming measure,
                                          const V1_3::OptionalTimePoint& deadline,
                                          const V1_3::OptionalTimeoutDuration& loopTimeout,
                                          const sp<V1_3::IExecutionCallback>& callback) override {
        return launch<V1_3::ErrorStatus>(callback, [&](const auto& middle) {
            return mBehind->execute_1_3(request, measure, deadline, loopTimeout, middle);
        });
    }
    Return<void> executeSynchronously(const V1_0::Request& request, V1_2::MeasureTiming measure,
                                      executeSynchronously_cb callback) override {
        return ask<V1_0::ErrorStatus>(callback, [&](auto answer) {
            return mBehind->executeSynchronously(request, measure, answer);
        });
    }
    Return<void> executeSynchronously_1_3(const V1_3::Request& request, V1_2::MeasureTiming measure,
                                          const V1_3::OptionalTimePoint& deadline,
                                          const V1_3::OptionalTimeoutDuration& loopTimeout,
                                          executeSynchronously_1_3_cb callback) override {
        return ask<V1_3::ErrorStatus>(callback, [&](auto answer) {
            return mBehind->executeSynchronously_1_3(request, measure, deadline, loopTimeout,
                                                     answer);
        });
    }
    Return<void> executeFenced(const V1_3::Request& request, const hidl_vec<hidl_handle>& waitFor,
                               V1_2::MeasureTiming measure, const V1_3::OptionalTimePoint& deadline,
                               const V1_3::OptionalTimeoutDuration& loopTimeout,
                               const V1_3::OptionalTimeoutDuration& duration,
                               executeFenced_cb callback) override {
        using Callback = sp<V1_3::IFencedExecutionCallback>;
        return mChain->forward<V1_3::ErrorStatus, hidl_handle, Callback>(
                FENCED,
                [&](V1_3::ErrorStatus status, const hidl_handle& fence, const Callback& info) {
                    callback(status, fence,
                             info == nullptr ? Callback()
                                             : Callback(sp<FencedCallback>::make(mChain, info)));
                },
                [&](auto answer) {
                    return mBehind->executeFenced(request, waitFor, measure, deadline, loopTimeout,
                                                  duration, answer);
                },
                [](Plan& plan, auto&, auto& values) {
                    auto& [fence, info] = values;
                    for (const Fault fault :
                         {Fault::FENCE_LATER, Fault::FENCE_NEVER, Fault::FENCE_FAILS}) {
                        if (plan.fire(fault)) fence = makeFence(plan, fault);
                    }
                    if (plan.fire(Fault::NULL_RESULT)) info = nullptr;
                    if (plan.fire(Fault::FENCE_OF_TWO)) {
                        hidl::native_handle_t* native = hidl::native_handle_create(2, 0);
                        for (int& fd : native->data) fd = dup(STDERR_FILENO);
                        fence.setTo(native, /*shouldOwn=*/true);
                    }
                });
    }
    Return<void> configureExecutionBurst(
            const sp<V1_2::IBurstCallback>& callback,
            const hidl::MQDescriptorSync<V1_2::FmqRequestDatum>& requests,
            const hidl::MQDescriptorSync<V1_2::FmqResultDatum>& results,
            configureExecutionBurst_cb answer) override {
        const auto release = std::make_shared<Release>();
        const auto middle = sp<BurstCallback>::make(mChain, current().cell, release, callback);
        using Context = sp<V1_2::IBurstContext>;
        return mChain->forward<V1_0::ErrorStatus, Context>(
                CONFIGURE,
                [&](V1_0::ErrorStatus status, const Context& context) {
                    answer(status, context == nullptr ? Context()
                                                      : Context(sp<BurstContext>::make(
                                                                mChain, context, release)));
                },
                [&](auto put) {
                    return mBehind->configureExecutionBurst(middle, requests, results, put);
                },
                [](Plan& plan, auto&, auto& values) {
                    if (plan.fire(Fault::NULL_RESULT)) std::get<0>(values) = nullptr;
                });
    }

   private:
    template <class HalStatus, class Client, class Launch>
    Return<HalStatus> launch(const sp<Client>& client, const Launch& launch) {
        return mChain->template launch<HalStatus, MiddleExecution<Client>>(EXECUTE, client, launch);
    }
    template <class HalStatus, class Answer, class Ask>
    Return<void> ask(const Answer& callback, const Ask& ask) {
        return mChain->template forward<HalStatus, Shapes, V1_2::Timing>(
                EXECUTE_SYNC, callback, ask, [](Plan& plan, HalStatus& status, auto& values) {
                    auto code = static_cast<int32_t>(status);
                    auto& [shapes, timing] = values;
                    (void)spoilExecution(plan, code, shapes, timing);
                    status = static_cast<HalStatus>(code);
                });
    }

    sp<V1_3::IPreparedModel> mBehind;
    HalVersion mVersion;
};

template <class Client>
class MiddlePreparation final
    : public Middle<V1_3::IPreparedModelCallback, Client, sp<V1_3::IPreparedModel>> {
    using Base = Middle<V1_3::IPreparedModelCallback, Client, sp<V1_3::IPreparedModel>>;

   public:
    using Base::Base;

    Return<void> notify(V1_0::ErrorStatus status,
                        const sp<V1_0::IPreparedModel>& preparedModel) override {
        return take(0, static_cast<int32_t>(status), V1_3::IPreparedModel::castFrom(preparedModel));
    }
    Return<void> notify_1_2(V1_0::ErrorStatus status,
                            const sp<V1_2::IPreparedModel>& preparedModel) override {
        return take(2, static_cast<int32_t>(status), V1_3::IPreparedModel::castFrom(preparedModel));
    }
    Return<void> notify_1_3(V1_3::ErrorStatus status,
                            const sp<V1_3::IPreparedModel>& preparedModel) override {
        return take(3, static_cast<int32_t>(status), preparedModel);
    }

   private:
    Return<void> take(int method, int32_t status, const sp<V1_3::IPreparedModel>& behind) {
        if ((status == 0) != (behind != nullptr)) {
            this->mChain->scene().accuse("rule 47: the adapter notifies " + std::to_string(status) +
                                         (behind == nullptr ? " without" : " with") + " a model");
        }
        if (behind == nullptr) return this->receive(method, status, nullptr);
        HalVersion version = HalVersion::V1_3;
        if (this->mPlan != nullptr && this->mPlan->fire(Fault::OLD_PREPARED_MODEL)) {
            version = this->mPlan->code % 2 == 0 ? HalVersion::V1_0 : HalVersion::V1_2;
        }
        return this->receive(method, status,
                             sp<PreparedModel>::make(this->mChain, behind, version));
    }
    void tell(Client& client, int method, int32_t status,
              const sp<V1_3::IPreparedModel>& preparedModel) override {
        if constexpr (std::derived_from<Client, V1_3::IPreparedModelCallback>) {
            if (method == 3) {
                (void)client.notify_1_3(static_cast<V1_3::ErrorStatus>(status), preparedModel);
                return;
            }
        }
        if constexpr (std::derived_from<Client, V1_2::IPreparedModelCallback>) {
            if (method == 2) {
                (void)client.notify_1_2(static_cast<V1_0::ErrorStatus>(status), preparedModel);
                return;
            }
        }
        (void)client.notify(static_cast<V1_0::ErrorStatus>(status), preparedModel);
    }
    bool spoil(Plan&, int32_t&, sp<V1_3::IPreparedModel>&) override { return false; }
    std::tuple<sp<V1_3::IPreparedModel>> withoutResults() const override { return {}; }
};

class Buffer final : public Object<V1_3::IBuffer, NOWHERE> {
   public:
    Buffer(SharedChain chain, sp<V1_3::IBuffer> behind)
        : Object(std::move(chain)), mBehind(std::move(behind)) {}
    Return<V1_3::ErrorStatus> copyTo(const hidl_memory& dst) override {
        return call([&] { return mBehind->copyTo(dst); });
    }
    Return<V1_3::ErrorStatus> copyFrom(const hidl_memory& src,
                                       const hidl_vec<uint32_t>& dimensions) override {
        return call([&] { return mBehind->copyFrom(src, dimensions); });
    }

   private:
    template <class Call>
    Return<V1_3::ErrorStatus> call(const Call& call) {
        const SharedPlan plan = planFor(COPY);
        if (const auto failure = mChain->enter(plan); failure) return *failure;
        if (plan != nullptr && plan->fire(Fault::STATUS)) {
            return static_cast<V1_3::ErrorStatus>(plan->code);
        }
        const V1_3::ErrorStatus status = call();
        if (const auto failure = mChain->leave(plan); failure) return *failure;
        return status;
    }

    sp<V1_3::IBuffer> mBehind;
};

class Device final : public Object<V1_3::IDevice, CREATE> {
   public:
    Device(SharedChain chain, sp<V1_3::IDevice> behind)
        : Object(std::move(chain)), mBehind(std::move(behind)) {}

    Return<void> getCapabilities(getCapabilities_cb callback) override {
        return mChain->forward<V1_0::ErrorStatus, V1_0::Capabilities>(
                CREATE, callback, [&](auto answer) { return mBehind->getCapabilities(answer); });
    }
    Return<void> getCapabilities_1_1(getCapabilities_1_1_cb callback) override {
        return mChain->forward<V1_0::ErrorStatus, V1_1::Capabilities>(
                CREATE, callback,
                [&](auto answer) { return mBehind->getCapabilities_1_1(answer); });
    }
    Return<void> getCapabilities_1_2(getCapabilities_1_2_cb callback) override {
        return mChain->forward<V1_0::ErrorStatus, V1_2::Capabilities>(
                CREATE, callback,
                [&](auto answer) { return mBehind->getCapabilities_1_2(answer); });
    }
    Return<void> getCapabilities_1_3(getCapabilities_1_3_cb callback) override {
        return mChain->forward<V1_3::ErrorStatus, V1_3::Capabilities>(
                CREATE, callback,
                [&](auto answer) { return mBehind->getCapabilities_1_3(answer); });
    }
    Return<void> getVersionString(getVersionString_cb callback) override {
        return mChain->forward<V1_0::ErrorStatus, hidl_string>(
                CREATE, callback, [&](auto answer) { return mBehind->getVersionString(answer); },
                [](Plan& plan, auto&, auto& values) {
                    if (plan.fire(Fault::NULL_RESULT)) std::get<0>(values) = "";
                });
    }
    Return<void> getType(getType_cb callback) override {
        return mChain->forward<V1_0::ErrorStatus, V1_2::DeviceType>(
                CREATE, callback, [&](auto answer) { return mBehind->getType(answer); });
    }
    Return<void> getSupportedExtensions(getSupportedExtensions_cb callback) override {
        return mChain->forward<V1_0::ErrorStatus, hidl_vec<V1_2::Extension>>(
                CREATE, callback,
                [&](auto answer) { return mBehind->getSupportedExtensions(answer); });
    }
    Return<void> getNumberOfCacheFilesNeeded(getNumberOfCacheFilesNeeded_cb callback) override {
        return mChain->forward<V1_0::ErrorStatus, uint32_t, uint32_t>(
                CREATE, callback,
                [&](auto answer) { return mBehind->getNumberOfCacheFilesNeeded(answer); });
    }
    Return<V1_0::DeviceStatus> getStatus() override { return mBehind->getStatus(); }

    Return<void> getSupportedOperations(const V1_0::Model& model,
                                        getSupportedOperations_cb callback) override {
        return support<V1_0::ErrorStatus>(callback, [&](auto answer) {
            return mBehind->getSupportedOperations(model, answer);
        });
    }
    Return<void> getSupportedOperations_1_1(const V1_1::Model& model,
                                            getSupportedOperations_1_1_cb callback) override {
        return support<V1_0::ErrorStatus>(callback, [&](auto answer) {
            return mBehind->getSupportedOperations_1_1(model, answer);
        });
    }
    Return<void> getSupportedOperations_1_2(const V1_2::Model& model,
                                            getSupportedOperations_1_2_cb callback) override {
        return support<V1_0::ErrorStatus>(callback, [&](auto answer) {
            return mBehind->getSupportedOperations_1_2(model, answer);
        });
    }
    Return<void> getSupportedOperations_1_3(const V1_3::Model& model,
                                            getSupportedOperations_1_3_cb callback) override {
        return support<V1_3::ErrorStatus>(callback, [&](auto answer) {
            return mBehind->getSupportedOperations_1_3(model, answer);
        });
    }

    Return<V1_0::ErrorStatus> prepareModel(
            const V1_0::Model& model, const sp<V1_0::IPreparedModelCallback>& callback) override {
        return launch<V1_0::ErrorStatus>(
                callback, [&](const auto& middle) { return mBehind->prepareModel(model, middle); });
    }
    Return<V1_0::ErrorStatus> prepareModel_1_1(
            const V1_1::Model& model, V1_1::ExecutionPreference preference,
            const sp<V1_0::IPreparedModelCallback>& callback) override {
        return launch<V1_0::ErrorStatus>(callback, [&](const auto& middle) {
            return mBehind->prepareModel_1_1(model, preference, middle);
        });
    }
    Return<V1_0::ErrorStatus> prepareModel_1_2(
            const V1_2::Model& model, V1_1::ExecutionPreference preference,
            const hidl_vec<hidl_handle>& modelCache, const hidl_vec<hidl_handle>& dataCache,
            const V1_2::HidlToken& token,
            const sp<V1_2::IPreparedModelCallback>& callback) override {
        return launch<V1_0::ErrorStatus>(callback, [&](const auto& middle) {
            return mBehind->prepareModel_1_2(model, preference, modelCache, dataCache, token,
                                             middle);
        });
    }
    Return<V1_3::ErrorStatus> prepareModel_1_3(
            const V1_3::Model& model, V1_1::ExecutionPreference preference, V1_3::Priority priority,
            const V1_3::OptionalTimePoint& deadline, const hidl_vec<hidl_handle>& modelCache,
            const hidl_vec<hidl_handle>& dataCache, const V1_2::HidlToken& token,
            const sp<V1_3::IPreparedModelCallback>& callback) override {
        return launch<V1_3::ErrorStatus>(callback, [&](const auto& middle) {
            return mBehind->prepareModel_1_3(model, preference, priority, deadline, modelCache,
                                             dataCache, token, middle);
        });
    }
    Return<V1_0::ErrorStatus> prepareModelFromCache(
            const hidl_vec<hidl_handle>& modelCache, const hidl_vec<hidl_handle>& dataCache,
            const V1_2::HidlToken& token,
            const sp<V1_2::IPreparedModelCallback>& callback) override {
        return launch<V1_0::ErrorStatus>(callback, [&](const auto& middle) {
            return mBehind->prepareModelFromCache(modelCache, dataCache, token, middle);
        });
    }
    Return<V1_3::ErrorStatus> prepareModelFromCache_1_3(
            const V1_3::OptionalTimePoint& deadline, const hidl_vec<hidl_handle>& modelCache,
            const hidl_vec<hidl_handle>& dataCache, const V1_2::HidlToken& token,
            const sp<V1_3::IPreparedModelCallback>& callback) override {
        return launch<V1_3::ErrorStatus>(callback, [&](const auto& middle) {
            return mBehind->prepareModelFromCache_1_3(deadline, modelCache, dataCache, token,
                                                      middle);
        });
    }

    Return<void> allocate(const V1_3::BufferDesc& desc,
                          const hidl_vec<sp<V1_3::IPreparedModel>>& preparedModels,
                          const hidl_vec<V1_3::BufferRole>& inputs,
                          const hidl_vec<V1_3::BufferRole>& outputs,
                          allocate_cb callback) override {
        // Those of this process as it knows them.
        hidl_vec<sp<V1_3::IPreparedModel>> behind = preparedModels;
        for (auto& each : behind) {
            if (const auto* mine = dynamic_cast<const PreparedModel*>(each.get())) {
                each = mine->behind();
            }
        }
        using Pointer = sp<V1_3::IBuffer>;
        return mChain->forward<V1_3::ErrorStatus, Pointer, uint32_t>(
                ALLOCATE,
                [&](V1_3::ErrorStatus status, const Pointer& buffer, uint32_t token) {
                    callback(status,
                             buffer == nullptr ? Pointer()
                                               : Pointer(sp<Buffer>::make(mChain, buffer)),
                             token);
                },
                [&](auto answer) {
                    return mBehind->allocate(desc, behind, inputs, outputs, answer);
                },
                [](Plan& plan, auto&, auto& values) {
                    if (plan.fire(Fault::NULL_RESULT)) std::get<0>(values) = nullptr;
                    if (plan.fire(Fault::NO_TOKEN)) std::get<1>(values) = 0;
                });
    }

   private:
    template <class HalStatus, class Answer, class Ask>
    Return<void> support(const Answer& callback, const Ask& ask) {
        return mChain->template forward<HalStatus, hidl_vec<bool>>(
                SUPPORTED, callback, ask, [](Plan& plan, auto&, auto& values) {
                    if (plan.fire(Fault::SUPPORT_TOO_MANY)) std::get<0>(values).push_back(true);
                });
    }
    template <class HalStatus, class Client, class Launch>
    Return<HalStatus> launch(const sp<Client>& client, const Launch& launch) {
        return mChain->template launch<HalStatus, MiddlePreparation<Client>>(PREPARE, client,
                                                                             launch);
    }

    sp<V1_3::IDevice> mBehind;
};

// ---- the canonical device behind the adapter

// Faults of the device itself, where it is called on behalf of a planned call.
template <class Outcome>
std::optional<Outcome> deviceFault(const SharedPlan& plan) {
    if (plan == nullptr) return std::nullopt;
    if (plan->fire(Fault::DEVICE_THROWS)) throw std::runtime_error("the device throws");
    if (plan->fire(Fault::DEVICE_CODE)) {
        return Outcome(makeError(static_cast<ErrorStatus>(plan->code), "the device fails"));
    }
    return std::nullopt;
}

class CanonicalBuffer final : public IBuffer {
   public:
    CanonicalBuffer(Living living, uint32_t token) : mLiving(std::move(living)), mToken{token} {}
    Request::MemoryDomainToken getToken() const override { return mToken; }
    GeneralResult<void> copyTo(const SharedMemory&) const override { return {}; }
    GeneralResult<void> copyFrom(const SharedMemory&, const Dimensions&) const override {
        return {};
    }

   private:
    Living mLiving;
    Request::MemoryDomainToken mToken;
};

class CanonicalBurst final : public IBurst {
   public:
    CanonicalBurst(Living living, SharedCell cell, SharedPreparedModel preparedModel)
        : mLiving(std::move(living)),
          mCell(std::move(cell)),
          mPreparedModel(std::move(preparedModel)) {}
    OptionalCacheHold cacheMemory(const SharedMemory&) const override { return nullptr; }
    ExecutionResult<Executed> execute(
            const Request& request, MeasureTiming measure, const OptionalTimePoint& deadline,
            const OptionalDuration& loopTimeout, const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& prefixes) const override {
        const Planned planned(mCell == nullptr ? nullptr : mCell->get(), MEMORIES);
        return mPreparedModel->execute(request, measure, deadline, loopTimeout, hints, prefixes);
    }
    GeneralResult<SharedExecution> createReusableExecution(
            const Request& request, MeasureTiming measure, const OptionalDuration& loopTimeout,
            const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& prefixes) const override {
        return mPreparedModel->createReusableExecution(request, measure, loopTimeout, hints,
                                                       prefixes);
    }

   private:
    Living mLiving;
    SharedCell mCell;
    SharedPreparedModel mPreparedModel;
};

class CanonicalPreparedModel final : public IPreparedModel,
                                     public std::enable_shared_from_this<CanonicalPreparedModel> {
   public:
    CanonicalPreparedModel(Living living, SharedPreparedModel behind)
        : mLiving(std::move(living)), mBehind(std::move(behind)) {}

    ExecutionResult<Executed> execute(
            const Request& request, MeasureTiming measure, const OptionalTimePoint& deadline,
            const OptionalDuration& loopTimeout, const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& prefixes) const override {
        const SharedPlan plan = planFor(current().where);
        if (auto fault = deviceFault<ExecutionResult<Executed>>(plan); fault) return *fault;
        const auto run = [&] {
            return mBehind->execute(request, measure, deadline, loopTimeout, hints, prefixes);
        };
        if (plan == nullptr || !plan->fire(Fault::DEVICE_SLOW)) return run();
        auto executed = run();
        // A device may have read its inputs long before it writes its outputs.
        const Request::Argument& output = request.outputs[0];
        const auto* pool = std::get_if<SharedMemory>(&request.pools[output.location.poolIndex]);
        std::vector<uint8_t> bytes(output.location.length);
        const bool isRead = readMemory(*pool, output.location.offset, bytes).ok();
        std::this_thread::sleep_for(plan->slow);
        if (isRead && executed.has_value()) {
            (void)writeMemory(*pool, output.location.offset, bytes).ok();
        }
        return executed;
    }
    GeneralResult<ExecutedFenced> executeFenced(
            const Request& request, const std::vector<SyncFence>& waitFor, MeasureTiming measure,
            const OptionalTimePoint& deadline, const OptionalDuration& loopTimeout,
            const OptionalDuration& afterFences, const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& prefixes) const override {
        const SharedPlan plan = planFor(current().where);
        if (auto fault = deviceFault<GeneralResult<ExecutedFenced>>(plan); fault) return *fault;
        return mBehind->executeFenced(request, waitFor, measure, deadline, loopTimeout, afterFences,
                                      hints, prefixes);
    }
    GeneralResult<SharedExecution> createReusableExecution(
            const Request& request, MeasureTiming measure, const OptionalDuration& loopTimeout,
            const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& prefixes) const override {
        return mBehind->createReusableExecution(request, measure, loopTimeout, hints, prefixes);
    }
    GeneralResult<SharedBurst> configureExecutionBurst() const override {
        const SharedPlan plan = planFor(current().where);
        if (auto fault = deviceFault<GeneralResult<SharedBurst>>(plan); fault) return *fault;
        if (plan != nullptr && plan->fire(Fault::DEVICE_NULL)) return SharedBurst();
        return SharedBurst(std::make_shared<const CanonicalBurst>(mLiving, current().cell,
                                                                  shared_from_this()));
    }
    std::any getUnderlyingResource() const override { return {}; }

   private:
    Living mLiving;
    SharedPreparedModel mBehind;
};

class CanonicalDevice final : public IDevice {
   public:
    CanonicalDevice(Living living, SharedDevice behind)
        : mLiving(std::move(living)), mBehind(std::move(behind)) {}

    const std::string& getName() const override { return mBehind->getName(); }
    const std::string& getVersionString() const override { return mBehind->getVersionString(); }
    Version getFeatureLevel() const override { return mBehind->getFeatureLevel(); }
    DeviceType getType() const override { return mBehind->getType(); }
    const std::vector<Extension>& getSupportedExtensions() const override {
        return mBehind->getSupportedExtensions();
    }
    const Capabilities& getCapabilities() const override { return mBehind->getCapabilities(); }
    std::pair<uint32_t, uint32_t> getNumberOfCacheFilesNeeded() const override { return {1, 0}; }
    GeneralResult<void> wait() const override { return {}; }
    GeneralResult<std::vector<bool>> getSupportedOperations(const Model& model) const override {
        const SharedPlan plan = planFor(current().where);
        using Answer = GeneralResult<std::vector<bool>>;
        if (auto fault = deviceFault<Answer>(plan); fault) return *fault;
        if (plan != nullptr && plan->fire(Fault::DEVICE_NULL)) return Answer(std::vector<bool>());
        return mBehind->getSupportedOperations(model);
    }
    GeneralResult<SharedPreparedModel> prepareModel(
            const Model& model, ExecutionPreference preference, Priority priority,
            OptionalTimePoint deadline, const std::vector<SharedHandle>& modelCache,
            const std::vector<SharedHandle>& dataCache, const CacheToken& token,
            const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& prefixes) const override {
        return prepare([&] {
            return mBehind->prepareModel(model, preference, priority, deadline, modelCache,
                                         dataCache, token, hints, prefixes);
        });
    }
    // Its cache holds z = x + y, always.
    GeneralResult<SharedPreparedModel> prepareModelFromCache(OptionalTimePoint deadline,
                                                             const std::vector<SharedHandle>&,
                                                             const std::vector<SharedHandle>&,
                                                             const CacheToken&) const override {
        return prepare([&] {
            return mBehind->prepareModel(addition(), ExecutionPreference::DEFAULT,
                                         Priority::DEFAULT, deadline, {}, {}, {}, {}, {});
        });
    }
    GeneralResult<SharedBuffer> allocate(const BufferDesc&, const std::vector<SharedPreparedModel>&,
                                         const std::vector<BufferRole>&,
                                         const std::vector<BufferRole>&) const override {
        const SharedPlan plan = planFor(current().where);
        if (auto fault = deviceFault<GeneralResult<SharedBuffer>>(plan); fault) return *fault;
        if (plan != nullptr && plan->fire(Fault::DEVICE_NULL)) return SharedBuffer();
        return SharedBuffer(std::make_shared<const CanonicalBuffer>(mLiving, ++mLastToken));
    }

   private:
    template <class Prepare>
    GeneralResult<SharedPreparedModel> prepare(const Prepare& prepareBehind) const {
        const SharedPlan plan = planFor(current().where);
        if (auto fault = deviceFault<GeneralResult<SharedPreparedModel>>(plan); fault) {
            return *fault;
        }
        if (plan != nullptr && plan->fire(Fault::DEVICE_NULL)) return SharedPreparedModel();
        if (plan != nullptr && plan->fire(Fault::DEVICE_SLOW)) {
            std::this_thread::sleep_for(plan->slow);
        }
        auto prepared = prepareBehind();
        if (!prepared.has_value()) return prepared;
        return SharedPreparedModel(
                std::make_shared<const CanonicalPreparedModel>(mLiving, *std::move(prepared)));
    }

    Living mLiving;
    SharedDevice mBehind;
    mutable std::atomic<uint32_t> mLastToken{0};
};

// ---- chains

enum class Executors { OWN, INLINE, THREADS };

inline hal::adapter::Executor makeExecutor(Executors kind) {
    if (kind == Executors::OWN) return nullptr;
    return [kind](hal::adapter::Task task, const OptionalTimePoint&) {
        const Current caller = current();
        if (const SharedPlan plan = planFor(caller.where); plan != nullptr) {
            if (plan->fire(Fault::EXECUTOR_THROWS)) throw std::runtime_error("no threads");
            if (plan->fire(Fault::EXECUTOR_DROPS)) return;
            if (plan->fire(Fault::EXECUTOR_KEEPS) || plan->fire(Fault::EXECUTOR_LATE)) {
                plan->keep(std::move(task));
                return;
            }
            if (plan->fire(Fault::EXECUTOR_TWICE)) task();
        }
        if (kind == Executors::INLINE || caller.plan == nullptr) return task();
        caller.plan->start([task = std::move(task), caller] {
            const Planned planned(caller.plan, caller.where);
            task();
        });
    };
}

struct Driver {
    SharedChain chain{};
    sp<V1_3::IDevice> device{};
};

inline Driver makeDriver(const SharedScene& scene, Executors executors,
                         const std::string& versionString = "1") {
    const auto chain = std::make_shared<Chain>(scene);
    auto behind = std::make_shared<const CanonicalDevice>(
            chain->living(), referenceDevice({.versionString = versionString}));
    auto adapted = hal::adapter::adapt(
            std::move(behind),
            hal::adapter::AdaptOptions{.executor = makeExecutor(executors), .numberOfThreads = 2});
    return {chain, sp<Device>::make(chain, *std::move(adapted))};
}

}  // namespace nn::driver_faults
