// Waiting for drivers. Numbers are those of the rules.
#include "nnapi/driver/callbacks.h"

#include <chrono>
#include <thread>

#include "driver/fake_driver.h"
#include "driver/models.h"

namespace nn::callbacks_test {
namespace {

using fake::dead;
using fake::lost;
using fake::sp;
using hal::utils::DeathHandler;
using hal::utils::ExecutionReport;
using hal::utils::IProtectedCallback;
using hal::utils::PendingExecution;
using hal::utils::PendingPreparedModel;
using hal::utils::TransferValue;
using hal::utils::WaitPolicy;
using std::chrono::milliseconds;
using testing::Optional;
using enum ErrorStatus;

// Rule transport.errors.
TEST(Transport, FailuresHaveTheirCodes) {
    using hal::utils::failureOf;
    EXPECT_TRUE(failureOf(hidl::Status::ok()).ok());
    EXPECT_EQ(errorStatus(failureOf(dead())), DEAD_OBJECT);
    EXPECT_EQ(errorStatus(failureOf(lost())), GENERAL_FAILURE);
    EXPECT_EQ(failureOf(hidl::Return<bool>(dead()), "ping").message(), "ping: dead object");
    EXPECT_TRUE(failureOf(hidl::Return<bool>(false)).ok());
}

// ---- TransferValue

// Rule transport.first_value.
TEST(TransferValue, FirstPutWins) {
    const TransferValue<int> value;
    EXPECT_TRUE(value.put(1));
    EXPECT_FALSE(value.put(2));
    EXPECT_THAT(value.take(TimePoint::min()), Optional(1));
    EXPECT_EQ(value.take(TimePoint::max()), std::nullopt);  // it was taken
    EXPECT_FALSE(value.put(3));
}

// Rule transport.first_value: a wait ends at its limit.
TEST(TransferValue, TakeEnds) {
    const TransferValue<int> value;
    EXPECT_EQ(value.take(TimePoint::min()), std::nullopt);
    EXPECT_EQ(value.take(TimePoint()), std::nullopt);
    EXPECT_EQ(value.take(soon()), std::nullopt);
    std::thread putter([&] {
        std::this_thread::sleep_for(milliseconds(5));
        value.put(4);
    });
    EXPECT_THAT(value.take(TimePoint::max()), Optional(4));
    putter.join();
}

// Rule callback.late_notification.
TEST(TransferValue, DropsWhatComesAfterTheEnd) {
    const auto object = std::make_shared<int>(5);
    const TransferValue<std::shared_ptr<int>> value;
    value.put(object);
    value.close();
    EXPECT_EQ(object.use_count(), 1);
    EXPECT_FALSE(value.put(object));
    EXPECT_EQ(object.use_count(), 1);
    EXPECT_TRUE(value.isOver());
}

// One of many putters wins, and exactly one of many takers gets the value.
TEST(TransferValue, IsThreadSafe) {
    for (int round = 0; round < 50; ++round) {
        const TransferValue<int> value;
        std::atomic<int> put = 0, taken = 0;
        std::vector<std::thread> threads;
        for (int i = 0; i < 4; ++i) {
            threads.emplace_back([&, i] { put += value.put(i); });
            threads.emplace_back([&] { taken += value.take(TimePoint::max()).has_value(); });
        }
        for (std::thread& thread : threads) thread.join();
        EXPECT_EQ(put, 1);
        EXPECT_EQ(taken, 1);
    }
}

// Rule wrapper.silent_driver.
TEST(WaitPolicy, EndsWithTheDeadlineOrTheCeiling) {
    const TimePoint deadline(Duration(5));
    EXPECT_EQ(WaitPolicy(deadline, milliseconds(1)).end(), deadline);
    EXPECT_EQ(errorStatus(WaitPolicy(deadline, {}).exceeded("x")), MISSED_DEADLINE_TRANSIENT);
    EXPECT_EQ(WaitPolicy({}, Duration::max()).end(), TimePoint::max());
    EXPECT_LE(WaitPolicy({}, Duration::min()).end(), soon());
    EXPECT_LE(WaitPolicy(TimePoint::max(), milliseconds(1)).end(), soon());
    EXPECT_EQ(WaitPolicy({}, milliseconds(7)).exceeded("x").message(),
              "x: no result for 7 ms, the most to wait without a deadline");
}

// ---- death

class Counting final : public IProtectedCallback {
   public:
    void notifyAsDeadObject() override {
        ++count;
        if (then) then();
    }
    std::atomic<int> count = 0;
    std::function<void()> then{};
};

// Rules wrapper.link_to_death and death.handler.
TEST(DeathHandler, LinksAndUnlinks) {
    EXPECT_EQ(codeOf(DeathHandler::create(nullptr)), INVALID_ARGUMENT);
    const auto object = sp<fake::Buffer>::make();
    {
        const auto handler = DeathHandler::create(object);
        ASSERT_TRUE(handler.has_value());
        EXPECT_EQ(object->links(), 1u);
        EXPECT_FALSE(handler->isDead());
    }
    EXPECT_EQ(object->links(), 0u);
    EXPECT_THAT(object->calls(), testing::ElementsAre("linkToDeath", "unlinkToDeath"));
    {
        // A failure to unlink does no harm, nor does a later notification of the death.
        auto handler = DeathHandler::create(object).value();
        const auto callback = std::make_shared<Counting>();
        handler.protectCallbackForLifetimeOfDeathHandler(callback);
        object->replies["unlinkToDeath"] = {.transport = dead()};
        { const DeathHandler gone = std::move(handler); }
        object->die();
        EXPECT_EQ(callback->count, 0);
    }
    object->linkResult = false;
    EXPECT_EQ(codeOf(DeathHandler::create(sp<fake::Buffer>(object))), DEAD_OBJECT);
    const auto mute = sp<fake::Buffer>::make();
    mute->linkResult = false;
    EXPECT_EQ(codeOf(DeathHandler::create(mute)), GENERAL_FAILURE);
    mute->replies["linkToDeath"] = {.transport = lost()};
    EXPECT_EQ(codeOf(DeathHandler::create(mute)), GENERAL_FAILURE);
}

// Rules death.protected_callback, death.protected_lifetime and death.cleared_callback.
TEST(DeathHandler, NotifiesOnce) {
    const auto object = sp<fake::Buffer>::make();
    const DeathHandler handler = DeathHandler::create(object).value();
    const auto released = std::make_shared<Counting>(), held = std::make_shared<Counting>(),
               always = std::make_shared<Counting>(), late = std::make_shared<Counting>();
    { const auto hold = handler.protectCallback(released); }
    auto hold = handler.protectCallback(held);
    const auto again = handler.protectCallback(held);
    handler.protectCallbackForLifetimeOfDeathHandler(always);
    EXPECT_EQ(handler.protectCallback(nullptr), nullptr);
    object->die();
    object->die();
    EXPECT_TRUE(handler.isDead());
    EXPECT_EQ(released->count, 0);
    EXPECT_EQ(held->count, 2);  // once for each time that it was protected
    EXPECT_EQ(always->count, 1);
    hold = nullptr;
    const auto lateHold = handler.protectCallback(late);
    handler.protectCallbackForLifetimeOfDeathHandler(late);
    EXPECT_EQ(late->count, 2);
}

// Rule death.threads: no lock is held while a callback runs, so it may use the handler.
TEST(DeathHandler, CallbacksMayUseIt) {
    const auto object = sp<fake::Buffer>::make();
    const DeathHandler handler = DeathHandler::create(object).value();
    const auto inner = std::make_shared<Counting>(), outer = std::make_shared<Counting>();
    std::shared_ptr<const DeathHandler::Hold> hold = handler.protectCallback(outer);
    outer->then = [&] {
        hold = nullptr;
        EXPECT_TRUE(handler.isDead());
        const auto another = handler.protectCallback(inner);
    };
    object->die();
    EXPECT_EQ(outer->count, 1);
    EXPECT_EQ(inner->count, 1);
}

// Rules death.protected_callback and death.threads: each callback is notified exactly once, however
// the threads interleave.
TEST(DeathHandler, IsThreadSafe) {
    for (int round = 0; round < 50; ++round) {
        const auto object = sp<fake::Buffer>::make();
        const DeathHandler handler = DeathHandler::create(object).value();
        const auto callbacks = std::make_shared<std::array<std::shared_ptr<Counting>, 8>>();
        std::vector<std::thread> threads;
        for (auto& callback : *callbacks) {
            callback = std::make_shared<Counting>();
            threads.emplace_back([&] {
                const auto hold = handler.protectCallback(callback);
                while (callback->count == 0) std::this_thread::yield();
            });
        }
        threads.emplace_back([&] { object->die(); });
        for (std::thread& thread : threads) thread.join();
        for (const auto& callback : *callbacks) EXPECT_EQ(callback->count, 1);
    }
}

// ---- callbacks

// Rules hidl.notified_model, wrapper.notified_status and callback.second_notification: the
// callbacks of each version, through each of their methods.
template <class Callback>
GeneralResult<sp<V1_0::IPreparedModel>> after(std::function<void(Callback&)> notify) {
    const auto pending = std::make_shared<PendingPreparedModel>();
    notify(*sp<Callback>::make(pending));
    return pending->take({soon(), {}}, "prepare");
}

TEST(PreparedModelCallback, TakesTheMethodsOfItsVersion) {
    const auto model = sp<fake::PreparedModel>::make();
    using From1_0 = V1_0::utils::PreparedModelCallback;
    using From1_2 = V1_2::utils::PreparedModelCallback;
    using From1_3 = V1_3::utils::PreparedModelCallback;
    const auto kNone = V1_0::ErrorStatus::NONE;
    const GeneralResult<sp<V1_0::IPreparedModel>> results[] = {
            after<From1_0>([&](auto& c) { (void)c.notify(kNone, model); }),
            after<From1_2>([&](auto& c) { (void)c.notify(kNone, model); }),
            after<From1_2>([&](auto& c) { (void)c.notify_1_2(kNone, model); }),
            after<From1_3>([&](auto& c) { (void)c.notify(kNone, model); }),
            after<From1_3>([&](auto& c) { (void)c.notify_1_2(kNone, model); }),
            after<From1_3>([&](auto& c) { (void)c.notify_1_3(V1_3::ErrorStatus::NONE, model); }),
    };
    for (const auto& result : results) {
        ASSERT_TRUE(result.has_value());
        EXPECT_TRUE(*result == model);
    }
    EXPECT_THAT(
            after<From1_3>([](auto& c) { (void)c.notify(V1_0::ErrorStatus::NONE, nullptr); }),
            Refuses(GENERAL_FAILURE, "notify: the driver reports NONE without a prepared model"));
    EXPECT_THAT(after<From1_2>([&](auto& c) { (void)c.notify_1_2(V1_0::ErrorStatus(77), model); }),
                Refuses(GENERAL_FAILURE, "notify_1_2: the driver reports GENERAL_FAILURE"));
    EXPECT_EQ(codeOf(after<From1_3>([&](auto& c) {
                  (void)c.notify_1_3(V1_3::ErrorStatus::MISSED_DEADLINE_PERSISTENT, nullptr);
              })),
              MISSED_DEADLINE_PERSISTENT);
}

// Rules hidl.one_notification and callback.second_notification: the first notification counts; the
// second model is released.
TEST(PreparedModelCallback, KeepsFirstNotification) {
    const int living = fake::living;
    {
        const auto result = after<V1_3::utils::PreparedModelCallback>([](auto& callback) {
            (void)callback.notify_1_3(V1_3::ErrorStatus::INVALID_ARGUMENT, nullptr);
            (void)callback.notify_1_3(V1_3::ErrorStatus::NONE, sp<fake::PreparedModel>::make());
        });
        EXPECT_EQ(codeOf(result), INVALID_ARGUMENT);
        EXPECT_EQ(fake::living, living);
    }
}

// Rule callback.dropped: releasing the last reference wakes the caller, long before the limit.
TEST(PreparedModelCallback, FailsAtOnceWhenDropped) {
    const auto pending = std::make_shared<PendingPreparedModel>();
    std::thread driver(
            [callback = sp<V1_3::utils::PreparedModelCallback>::make(pending)]() mutable {
                std::this_thread::sleep_for(milliseconds(5));
                callback = nullptr;
            });
    EXPECT_THAT(pending->take({{}, std::chrono::minutes(1)}, "prepare"),
                Refuses(GENERAL_FAILURE, "the driver has dropped the callback without calling it"));
    driver.join();
}

// Rule callback.late_notification.
TEST(PreparedModelCallback, ReleasesLateResults) {
    const int living = fake::living;
    const auto pending = std::make_shared<PendingPreparedModel>();
    const auto callback = sp<V1_3::utils::PreparedModelCallback>::make(pending);
    EXPECT_EQ(codeOf(pending->take({{}, Duration::zero()}, "prepare")), GENERAL_FAILURE);
    (void)callback->notify_1_3(V1_3::ErrorStatus::NONE, sp<fake::PreparedModel>::make());
    EXPECT_EQ(fake::living, living);
}

// Rule wrapper.death_in_prepare: also if the callback still exists.
TEST(PreparedModelCallback, ReportsDeadObjectAfterDeath) {
    const auto pending = std::make_shared<PendingPreparedModel>();
    const auto callback = sp<V1_3::utils::PreparedModelCallback>::make(pending);
    pending->notifyAsDeadObject();
    (void)callback->notify(V1_0::ErrorStatus::NONE, sp<fake::PreparedModel>::make());
    EXPECT_THAT(pending->take({{}, std::chrono::minutes(1)}, "prepare"),
                Refuses(DEAD_OBJECT, "the driver has died"));
}

template <class Callback>
ExecutionReport reportBy(const std::function<void(Callback&)>& notify) {
    const auto pending = std::make_shared<PendingExecution>();
    notify(*sp<Callback>::make(pending));
    return pending->take({soon(), {}}, "execute").value();
}

// Rules hidl.callbacks and wrapper.v1_0_notification: older methods report neither shapes nor
// times.
TEST(ExecutionCallback, TakesTheMethodsOfItsVersion) {
    using From1_0 = V1_0::utils::ExecutionCallback;
    using From1_2 = V1_2::utils::ExecutionCallback;
    using From1_3 = V1_3::utils::ExecutionCallback;
    const fake::hidl_vec<V1_2::OutputShape> shapes = {{.dimensions = {2}, .isSufficient = true}};
    const V1_2::Timing timing{1, 2};
    const auto kNone = V1_0::ErrorStatus::NONE;
    const ExecutionReport old[] = {
            reportBy<From1_0>([&](auto& c) { (void)c.notify(kNone); }),
            reportBy<From1_2>([&](auto& c) { (void)c.notify(kNone); }),
            reportBy<From1_3>([&](auto& c) { (void)c.notify(kNone); }),
    };
    for (const auto& each : old) {
        EXPECT_EQ(each.code, NONE);
        EXPECT_FALSE(each.outputShapes.has_value());
        EXPECT_EQ(*each.timing, Timing());
    }
    const ExecutionReport reports[] = {
            reportBy<From1_2>([&](auto& c) { (void)c.notify_1_2(kNone, shapes, timing); }),
            reportBy<From1_3>([&](auto& c) { (void)c.notify_1_2(kNone, shapes, timing); }),
            reportBy<From1_3>(
                    [&](auto& c) { (void)c.notify_1_3(V1_3::ErrorStatus::NONE, shapes, timing); }),
    };
    for (const auto& each : reports) {
        EXPECT_EQ(each.code, NONE);
        ASSERT_TRUE(each.outputShapes && each.outputShapes->ok());
        EXPECT_EQ((**each.outputShapes)[0], (OutputShape{{2}, true}));
        EXPECT_EQ(each.timing->timeInDriver, std::chrono::microseconds(2));
    }
}

}  // namespace
}  // namespace nn::callbacks_test
