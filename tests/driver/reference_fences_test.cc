// Fenced executions on threads of the reference device: they return early, wait for fences without
// holding a thread, and signal or fail a fence of their own.
#include <atomic>
#include <ctime>

#include "driver/fences/execution_outcome.h"
#include "driver/fences/fences.h"
#include "driver/models.h"
#include "driver/threads/cancellation.h"
#include "held_by_process.h"
#include "in_child.h"
#include "nnapi/driver/adapt.h"
#include "nnapi/driver/wrap.h"
#include "nnapi/memory.h"
#include "sanitized.h"

namespace nn::reference_fences_test {
namespace {

using testing::ElementsAre;
using enum ErrorStatus;
using State = SyncFence::FenceState;
using std::chrono::milliseconds;

SharedDevice deviceWith(size_t threads) { return referenceDevice({.fencedThreads = threads}); }

struct Launch {
    OptionalTimePoint deadline{};
    OptionalDuration loopTimeout{};
    OptionalDuration afterFences{};
};
GeneralResult<ExecutedFenced> launch(const SharedPreparedModel& model, const Request& request,
                                     const std::vector<SyncFence>& fences, Launch with = {}) {
    return model->executeFenced(request, fences, MeasureTiming::YES, with.deadline,
                                with.loopTimeout, with.afterFences, {}, {});
}
State waited(const SyncFence& fence) { return fence.syncWait(std::chrono::seconds(20)); }
// Querying the timing also shows ThreadSanitizer the ordering through the pipe.
State waited(const ExecutedFenced& executed) {
    const State state = waited(executed.first);
    (void)executed.second();
    return state;
}

// Waiting uses no processor time.
TEST(ReferenceFences, SleepUntilTheDeadline) {
    const SharedPreparedModel model = prepareOn(*deviceWith(1), addition()).value();
    Sum sum;
    const Fence never;
    const auto executed = launch(model, sum.request(), {never.get()},
                                 {.deadline = Clock::now() + milliseconds(400)});
    ASSERT_TRUE(executed.has_value()) << executed.error().message;
    const std::clock_t before = std::clock();
    EXPECT_EQ(waited(*executed), State::ERROR);
    EXPECT_LT(std::clock() - before, CLOCKS_PER_SEC / 20);
}

// Rules fence.order and fence.early_return.
TEST(ReferenceFences, ReturnEarly) {
    const SharedPreparedModel model = prepareOn(*deviceWith(1), addition()).value();
    Sum sum;
    const Fence first, second;
    const auto executed = launch(model, sum.request(), {first.get(), SyncFence(), second.get()});
    ASSERT_TRUE(executed.has_value()) << executed.error().message;
    const auto& [fence, info] = *executed;
    EXPECT_EQ(fence.syncWait(milliseconds(5)), State::ACTIVE);
    EXPECT_EQ(info().error().code, GENERAL_FAILURE) << "not ended yet";
    second.signal();
    EXPECT_EQ(fence.syncWait(milliseconds(5)), State::ACTIVE);
    first.signal();
    EXPECT_EQ(waited(*executed), State::SIGNALED);
    EXPECT_THAT(sum.z, ElementsAre(11, 22, 33, 44));
    const auto [sinceLaunch, sinceFences] = info().value();
    EXPECT_GE(*sinceLaunch.timeInDriver, *sinceFences.timeInDriver + milliseconds(10));
}

// A driver may report any time.
TEST(FencedTimings, EndWithTheLongest) {
    const auto sinceLaunch = [](Duration inDriver, Duration waited) {
        return *driver::fencedTimings({.timeInDriver = inDriver}, waited).first.timeInDriver;
    };
    EXPECT_EQ(sinceLaunch(Duration(3), Duration(4)), Duration(7));
    EXPECT_EQ(sinceLaunch(Duration::max(), Duration(4)), Duration::max());
    EXPECT_EQ(sinceLaunch(Duration::max() - Duration(3), Duration(4)), Duration::max());
    EXPECT_EQ(sinceLaunch(Duration(-3), Duration::max()), Duration::max() - Duration(3));
    EXPECT_EQ(sinceLaunch(Duration::min(), Duration(4)), Duration::min() + Duration(4));
    EXPECT_EQ(driver::fencedTimings({}, Duration(4)), std::pair(Timing(), Timing()));
}

// Errors that are detectable at the launch are returned at once, in the order of rule fence.order.
TEST(ReferenceFences, FailAtLaunchForDetectableErrors) {
    const SharedDevice device = deviceWith(1);
    const SharedPreparedModel model = prepareOn(*device, addition()).value();
    const SharedPreparedModel open = prepareOn(*device, addition(0)).value();
    const Fence never;
    Sum sum;
    EXPECT_EQ(launch(open, sum.request({4}), {never.get()}).error().code, INVALID_ARGUMENT);
    EXPECT_EQ(codeOf(launch(model, sum.request(), {never.get()}, {.deadline = TimePoint{}})),
              MISSED_DEADLINE_PERSISTENT);
}

// Rules fenced.failed_fence, fence.pipe and fence.deadline: the fence fails, and its information
// has the code.
TEST(ReferenceFences, Failures) {
    const SharedDevice device = deviceWith(1);
    const SharedPreparedModel sums = prepareOn(*device, addition()).value();
    const SharedPreparedModel loops = prepareOn(*device, endlessLoop()).value();
    const Fence never;
    const SyncFence closed(std::make_shared<const Handle>(9999));
    const SyncFence failed = Fence().get();
    Sum sum;
    std::vector<float> in(1), out(1);
    const Request loop{.inputs = {pointerTo(in)}, .outputs = {pointerTo(out)}};
    const TimePoint deadline = soon();
    const struct {
        const char* name;
        GeneralResult<ExecutedFenced> executed;
        ErrorStatus code;
    } kRows[] = {
            {"FailedFence", launch(sums, sum.request(), {failed}), GENERAL_FAILURE},
            {"BadDescriptor", launch(sums, sum.request(), {closed}), GENERAL_FAILURE},
            {"DeadlineWhileWaiting",
             launch(sums, sum.request(), {never.get()}, {.deadline = deadline}),
             MISSED_DEADLINE_TRANSIENT},
            {"NoTimeAfterFences", launch(sums, sum.request(), {}, {.afterFences = Duration(0)}),
             MISSED_DEADLINE_TRANSIENT},
            {"Loop", launch(loops, loop, {}, {.loopTimeout = milliseconds(1)}),
             MISSED_DEADLINE_TRANSIENT},
            {"DeadlineWhileComputing", launch(loops, loop, {}, {.deadline = deadline}),
             MISSED_DEADLINE_TRANSIENT},
    };
    for (const auto& row : kRows) {
        ASSERT_TRUE(row.executed.has_value()) << row.name << row.executed.error().message;
        EXPECT_EQ(waited(*row.executed), State::ERROR) << row.name;
        EXPECT_EQ(row.executed->second().error().code, row.code) << row.name;
    }
    // The next execution succeeds.
    const auto executed = launch(sums, sum.request(), {});
    EXPECT_EQ(waited(*executed), State::SIGNALED);
}

// The trace scope of the launching thread also covers the computing thread.
TEST(ReferenceFences, EndWithTheScopeOfTheirCaller) {
    const SharedPreparedModel loops = prepareOn(*deviceWith(1), endlessLoop()).value();
    std::vector<float> in(1), out(1);
    const Request loop{.inputs = {pointerTo(in)}, .outputs = {pointerTo(out)}};
    const auto isCancelled = std::make_shared<std::atomic<bool>>(false);
    const auto launchUntil = [&](TimePoint end) {
        const driver::CancellationScope scope(isCancelled, end);
        return launch(loops, loop, {}, {.loopTimeout = std::chrono::hours(1)}).value();
    };
    const auto expectStopped = [](const ExecutedFenced& executed) {
        EXPECT_EQ(waited(executed), State::ERROR);
        EXPECT_EQ(executed.second().error().code, GENERAL_FAILURE);
    };
    expectStopped(launchUntil(soon()));
    const ExecutedFenced executed = launchUntil(TimePoint::max());
    EXPECT_EQ(executed.first.syncWait(milliseconds(5)), State::ACTIVE);
    *isCancelled = true;
    expectStopped(executed);
}

// A chain through a device buffer, launched from its end to its beginning where fences allow it,
// with a single device thread. The caller does not wait in between.
TEST(ReferenceFences, Chains) {
    constexpr size_t kLength = 50;
    const SharedDevice device = deviceWith(1);
    const SharedPreparedModel model = prepareOn(*device, addition()).value();
    const auto buffer = [&] {
        return device->allocate({}, {model}, {{0, 0, 1}}, {{0, 0, 1}}).value();
    };
    Sum sum;
    const Fence start;
    SharedBuffer from = buffer();
    Request request = sum.request();
    request.outputs = {{}};
    request.pools = {from};
    SyncFence last = launch(model, request, {start.get()}).value().first;
    for (size_t i = 0; i < kLength; ++i) {
        const SharedBuffer to = buffer();
        Request next = sum.request();
        next.inputs[0] = {};
        next.outputs = {{.location = {.poolIndex = 1}}};
        next.pools = {from, to};
        last = launch(model, next, {last}).value().first;
        from = to;
    }
    EXPECT_EQ(last.syncWait(milliseconds(5)), State::ACTIVE);
    start.signal();
    EXPECT_EQ(waited(last), State::SIGNALED);
    const SharedMemory memory = createSharedMemory(16).value();
    ASSERT_TRUE(from->copyTo(memory).has_value());
    float first = 0;
    ASSERT_TRUE(readMemory(memory, 0, {reinterpret_cast<uint8_t*>(&first), 4}).ok());
    EXPECT_EQ(first, 11 + 10 * kLength);
}

// A failure at the beginning of a chain propagates to its end.
TEST(ReferenceFences, ChainsFail) {
    const SharedPreparedModel model = prepareOn(*deviceWith(1), addition()).value();
    Sum sum;
    auto start = std::make_unique<Fence>();
    SyncFence last = start->get();
    for (int i = 0; i < 10; ++i) last = launch(model, sum.request(), {last}).value().first;
    start.reset();
    EXPECT_EQ(waited(last), State::ERROR);
}

// Rule deadline.preparation: LOW, MEDIUM and HIGH are ordered by priority while the only thread
// computes.
TEST(ReferenceFences, HigherPrioritiesGoFirst) {
    const SharedDevice device = deviceWith(1);
    const auto with = [&](const Model& model, Priority priority) {
        return device
                ->prepareModel(model, ExecutionPreference::DEFAULT, priority, {}, {}, {}, {}, {},
                               {})
                .value();
    };
    std::vector<float> in(1), out(1);
    const Request loop{.inputs = {pointerTo(in)}, .outputs = {pointerTo(out)}};
    const auto busy = launch(with(endlessLoop(), Priority::HIGH), loop, {},
                             {.loopTimeout = milliseconds(500)});
    // Launched as (x + 1) * 10 + 5, computed by priority.
    Model product = addition();
    product.main.operations[0].type = OperationType::MUL;
    const struct {
        Model model;
        Priority priority;
        float y;
    } kSteps[] = {{addition(), Priority::LOW, 1},
                  {product, Priority::MEDIUM, 10},
                  {addition(), Priority::HIGH, 5}};
    const SharedMemory pool = createSharedMemory(16).value();
    std::vector<Sum> sums;
    std::vector<ExecutedFenced> launched;
    sums.reserve(std::size(kSteps));
    for (const auto& step : kSteps) {
        Sum& sum = sums.emplace_back();
        sum.y.assign(4, step.y);
        Request request = sum.request();
        request.inputs[0] = {.location = {.length = 16}};
        request.outputs[0] = {.location = {.length = 16}};
        request.pools = {pool};
        launched.push_back(launch(with(step.model, step.priority), request, {}).value());
    }
    EXPECT_EQ(launched[2].first.syncWait(Duration::zero()), State::ACTIVE);
    for (const auto& [fence, info] : launched) {
        EXPECT_EQ(waited(fence), State::SIGNALED);
        EXPECT_TRUE(info().has_value());
    }
    EXPECT_EQ(waited(*busy), State::ERROR);
    float x = 0;
    ASSERT_TRUE(readMemory(pool, 0, {reinterpret_cast<uint8_t*>(&x), 4}).ok());
    EXPECT_EQ(x, (0 + 5) * 10 + 1);
}

// 2,000 executions leave nothing behind, in whatever order their objects are released.
TEST(ReferenceFences, OutliveTheirDevice) {
    const size_t before = held::descriptors();
    for (int round = 0; round < 200; ++round) {
        Sum sum;
        ExecutedFenced last;
        {
            const SharedPreparedModel model = prepareOn(*deviceWith(2), addition()).value();
            for (int i = 0; i < 10; ++i) last = launch(model, sum.request(), {last.first}).value();
        }
        ASSERT_EQ(waited(last), State::SIGNALED);
        ASSERT_THAT(sum.z, ElementsAre(11, 22, 33, 44));
    }
    // The last thread closes its descriptor shortly after it signals the fence.
    EXPECT_LE(held::settled(held::descriptors, before), before);
}

// A forked process has none of the threads, and a lock may be held forever.
TEST(ReferenceFences, GoOnInProcessesThatAreForked) {
    if (kIsThreadSanitized) {
        GTEST_SKIP() << "ThreadSanitizer ends processes that start threads after a fork";
    }
    SharedPreparedModel model = prepareOn(*deviceWith(2), addition()).value();
    SharedPreparedModel other = prepareOn(*deviceWith(1), addition()).value();
    const auto compute = [](const SharedPreparedModel& on) {
        Sum sum;
        const Fence fence;
        const auto executed = launch(on, sum.request(), {fence.get()});
        fence.signal();
        return executed.has_value() && waited(*executed) == State::SIGNALED &&
               sum.z == std::vector<float>{11, 22, 33, 44};
    };
    // With idle threads, and with one that waits for a fence.
    for (const bool isWaiting : {false, true}) {
        Sum sum;
        const Fence fence;
        ASSERT_TRUE(compute(model) && compute(other));
        ExecutedFenced waiting;
        if (isWaiting) waiting = launch(model, sum.request(), {fence.get()}).value();
        const int ended = inChild([&] {
            const bool isGood = compute(model) && compute(model);
            // The child must not wait for threads that do not exist.
            model.reset();
            other.reset();
            return isGood ? 0 : 1;
        });
        EXPECT_EQ(ended, 0);
        EXPECT_TRUE(compute(model));
        fence.signal();
        if (isWaiting) {
            EXPECT_EQ(waited(waiting), State::SIGNALED);
        }
    }
}

// Rule fence.early_return: through an adapter and a wrapper, the returned fence can be waited for.
TEST(ReferenceFences, ReturnEarlyThroughDriversOf1_3) {
    const SharedDevice device = wrap("adapted", *hal::adapter::adapt(deviceWith(1))).value();
    const SharedPreparedModel model = prepareOn(*device, addition()).value();
    const Request request = PooledSum().request();
    const Fence start;
    SyncFence last = start.get();
    for (int i = 0; i < 5; ++i) last = launch(model, request, {last}).value().first;
    EXPECT_EQ(last.syncWait(milliseconds(5)), State::ACTIVE);
    start.signal();
    EXPECT_EQ(waited(last), State::SIGNALED);
}

// A peer may never signal its fence.
TEST(WaitForAll, EndsWithTheDeadlineOrTheCeiling) {
    const Fence fence, signaled;
    signaled.signal();
    const OptionalTimePoint far = Clock::now() + std::chrono::hours(1);
    const OptionalTimePoint near = Clock::now() + milliseconds(5);
    const struct {
        std::vector<SyncFence> fences;
        OptionalTimePoint deadline;
        Duration ceiling;
        ErrorStatus code;
        std::string_view message;
    } rows[] = {
            {{}, {}, milliseconds(0), NONE, ""},
            {{signaled.get()}, {}, milliseconds(0), NONE, ""},
            {{signaled.get()}, far, milliseconds(0), NONE, ""},
            {{signaled.get(), fence.get()},
             {},
             milliseconds(5),
             GENERAL_FAILURE,
             "fence 1: no result for 5 ms, the most to wait without a deadline"},
            {{fence.get()},
             near,
             std::chrono::hours(1),
             MISSED_DEADLINE_TRANSIENT,
             "fence 0 is not signaled before the deadline"},
    };
    for (const auto& row : rows) {
        const Status status = driver::waitForAll(row.fences, row.deadline, row.ceiling);
        EXPECT_EQ(errorStatus(status), row.code) << row.message;
        EXPECT_EQ(std::string(status.message()), row.message);
    }
}

}  // namespace
}  // namespace nn::reference_fences_test
