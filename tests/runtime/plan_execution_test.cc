// Execution of plans: fallback, deadlines, fences, unknown sizes, buffers.
#include <thread>

#include "device_test/cases/execution_paths.h"
#include "device_test/cases/prepared_case.h"
#include "nnapi/driver/adapt.h"
#include "nnapi/driver/default_prepared_model.h"
#include "nnapi/driver/wrap.h"
#include "nnapi/memory.h"
#include "runtime/fake_device.h"
#include "runtime/plan/step_callers.h"
#include "runtime/plan_models.h"
#include "vectors.h"

namespace nn::runtime::plan_execution_test {
namespace {

using nn::testing::DeviceFault;
using nn::testing::DeviceFaults;
using nn::testing::executeBy;
using nn::testing::ExecutionPath;
using nn::testing::faultyDevice;
using nn::testing::kExecutionPaths;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// The names of the devices that fell back, in their order.
struct Fallbacks {
    std::vector<std::string> names{};
    FallbackListener listener() {
        return [this](std::string_view name, const Status&) { names.emplace_back(name); };
    }
};

SharedDevice faulty(DeviceFaults faults) {
    return *faultyDevice(referenceDevice(), std::move(faults));
}

// Both devices report their times.
TEST(PlanExecution, TimesAreSums) {
    const auto plan = makePlan(sumTimes(), addAndMul(), withoutFallback());
    Floats values;
    const auto prepared = (*plan)->preparedModel();
    const auto timed = prepared->execute(values.request(), MeasureTiming::YES, {}, {}, {}, {});
    ASSERT_TRUE(timed.has_value());
    EXPECT_TRUE(timed->second.timeInDriver.has_value());
    EXPECT_EQ(execute(*prepared, values.request())->second, Timing());
}

// Counts the reusable executions that it creates.
class CountingPreparedModel final : public DefaultPreparedModel {
   public:
    ExecutionResult<Executed> execute(const Request&, MeasureTiming, const OptionalTimePoint&,
                                      const OptionalDuration&, const std::vector<TokenValuePair>&,
                                      const std::vector<ExtensionNameAndPrefix>&) const override {
        return Executed{};
    }
    GeneralResult<SharedExecution> createReusableExecution(
            const Request& request, MeasureTiming measure, const OptionalDuration& loop,
            const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& prefixes) const override {
        ++made;
        return DefaultPreparedModel::createReusableExecution(request, measure, loop, hints,
                                                             prefixes);
    }

    mutable int made = 0;
};

// Different memories, buffers or tokens are different requests.
TEST(PlanExecution, ReusableExecutionsAreForOneRequest) {
    const auto prepared = std::make_shared<const CountingPreparedModel>();
    const Model model = addition();
    CompiledPlan compound{.sizes = Sizes(model, {})};
    compound.steps.emplace_back().prepared = prepared;
    const Request::MemoryPool pools[] = {*createSharedMemory(16), *createSharedMemory(16),
                                         std::make_shared<const parts::EmptyBuffer>(),
                                         Request::MemoryDomainToken(7)};
    ReusableCaller caller(compound);
    for (int time = 0; time < 2; ++time) {
        int distinct = 0;
        for (const Request::MemoryPool& pool : pools) {
            const Request request{.inputs = {}, .outputs = {{}}, .pools = {pool}};
            const auto executed =
                    caller.call(compound.steps[0], 0,
                                {.request = request, .hints = {}, .extensionNameToPrefix = {}});
            EXPECT_TRUE(executed.has_value());
            EXPECT_EQ(prepared->made, time == 0 ? ++distinct : 4);
        }
    }
}

TEST(PlanExecution, ABurstExecutesOneAtATime) {
    DeviceFaults faults;
    const auto plan = makePlan(sumTimes(), addAndMul(faulty(faults)), withoutFallback());
    const auto burst = (*plan)->preparedModel()->configureExecutionBurst();
    ASSERT_TRUE(burst.has_value());
    faults.turnOn(DeviceFault::HANGS_IN_EXECUTE);
    Floats first, second;
    const std::string busy = "the burst executes already, allowed one at a time";
    const auto executeOnce = [&](Floats& values, const OptionalTimePoint& deadline) {
        return (*burst)->execute(values.request(), MeasureTiming::NO, deadline, {}, {}, {});
    };
    std::thread hanging([&] {
        auto executed = executeOnce(first, {});
        while (executed.error().message == busy) executed = executeOnce(first, {});
        EXPECT_THAT(executed, FailsWithCode(ErrorStatus::DEAD_OBJECT));
    });
    // Eventually the hanging execution has the burst; all others miss their deadline at once.
    const TimePoint patience = makeDeadline(std::chrono::seconds(30));
    while (executeOnce(second, Clock::now()).error().message != busy) {
        if (Clock::now() > patience) {
            ADD_FAILURE() << "the device does not hang";
            break;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    faults.turnOff(DeviceFault::HANGS_IN_EXECUTE);
    hanging.join();
    const auto again = (*burst)->execute(second.request(), MeasureTiming::NO, {}, {}, {}, {});
    EXPECT_TRUE(again.has_value());
    EXPECT_EQ(second.z, Floats::expected());
    const auto execution =
            (*burst)->createReusableExecution(second.request(), MeasureTiming::NO, {}, {}, {});
    EXPECT_TRUE((*execution)->compute({}).has_value());
    EXPECT_THAT((*execution)->computeFenced({}, {}, {}),
                FailsWithCode(ErrorStatus::GENERAL_FAILURE));
    const SharedMemory memory = *createSharedMemory(64);
    EXPECT_EQ((*burst)->cacheMemory(memory), nullptr);  // these devices have no caches
}

// ---- fallback

// The result of each way of executing if the device of the first step fails, and the devices
// reported to have fallen back.
TEST(PlanFallback, AFailingStepRunsOnTheCpu) {
    for (const DeviceFault fault : {DeviceFault::DIES_IN_EXECUTE, DeviceFault::THROWS,
                                    DeviceFault::WRONG_DIMENSIONS, DeviceFault::TOO_MANY_SHAPES}) {
        Fallbacks fallbacks;
        const auto plan = makePlan(sumTimes(), addAndMul(faulty({fault})),
                                   {.onFallback = fallbacks.listener()});
        ASSERT_TRUE(plan.has_value());
        for (const ExecutionPath path :
             {ExecutionPath::SYNC, ExecutionPath::REUSABLE, ExecutionPath::BURST}) {
            Floats values;
            const auto executed = executeBy(path, *(*plan)->preparedModel(), values.request());
            ASSERT_TRUE(executed.has_value()) << toString(fault) << executed.error().message;
            EXPECT_EQ(values.z, Floats::expected());
        }
        EXPECT_THAT(fallbacks.names, ElementsAre("A", "A", "A")) << toString(fault);
    }
}

TEST(PlanFallback, WithAnExplicitListThereIsNone) {
    for (const PlanOptions& options : {withoutFallback(), PlanOptions{.isExplicit = true}}) {
        const auto plan =
                makePlan(sumTimes(), addAndMul(faulty({DeviceFault::DIES_IN_EXECUTE})), options);
        for (const ExecutionPath path : kExecutionPaths) {
            Floats values;
            EXPECT_THAT(executeBy(path, *(*plan)->preparedModel(), values.request()),
                        FailsWithCode(ErrorStatus::DEAD_OBJECT));
        }
        // A failure to prepare is as final.
        EXPECT_THAT(
                makePlan(sumTimes(), addAndMul(faulty({DeviceFault::DIES_IN_PREPARE})), options),
                FailsWithCode(ErrorStatus::DEAD_OBJECT));
    }
}

TEST(PlanFallback, ASimplePlanFallsBackAsAWhole) {
    for (const DeviceFault fault : {DeviceFault::DIES_IN_EXECUTE, DeviceFault::THROWS,
                                    DeviceFault::NULL_EXECUTION, DeviceFault::NULL_BURST}) {
        Fallbacks fallbacks;
        const auto a = masked({.name = "A"}, faulty({fault}));
        const auto plan = makePlan(sumTimes(), {{a}, cpu(2)}, {.onFallback = fallbacks.listener()});
        ASSERT_TRUE(plan.has_value());
        EXPECT_TRUE((*plan)->isSimple());
        for (const ExecutionPath path : kExecutionPaths) {
            Floats values;
            const auto executed = executeBy(path, *(*plan)->preparedModel(), values.request());
            ASSERT_TRUE(executed.has_value()) << toString(fault) << executed.error().message;
            EXPECT_EQ(values.z, Floats::expected());
        }
    }
}

// The results of a device are checked even without a CPU.
TEST(PlanFallback, ASimplePlanChecksWithoutACpu) {
    for (const DeviceFault fault :
         {DeviceFault::THROWS, DeviceFault::WRONG_DIMENSIONS, DeviceFault::TOO_MANY_SHAPES}) {
        const auto a = masked({.name = "A"}, faulty({fault}));
        const auto plan = makePlan(sumTimes(), {{a}}, {.isExplicit = true});
        ASSERT_TRUE(plan.has_value());
        for (const ExecutionPath path :
             {ExecutionPath::SYNC, ExecutionPath::REUSABLE, ExecutionPath::BURST}) {
            Floats values;
            EXPECT_THAT(executeBy(path, *(*plan)->preparedModel(), values.request()),
                        FailsWithCode(ErrorStatus::GENERAL_FAILURE))
                    << toString(fault);
        }
    }
}

TEST(PlanFallback, WhatCannotBePreparedGoesToTheCpu) {
    for (const DeviceFault fault : {DeviceFault::DIES_IN_PREPARE, DeviceFault::PREPARES_NULL}) {
        Fallbacks fallbacks;
        const auto plan = makePlan(sumTimes(), addAndMul(faulty({fault})),
                                   {.onFallback = fallbacks.listener()});
        ASSERT_TRUE(plan.has_value());
        EXPECT_THAT(devicesOf(**plan), ElementsAre("nnapi-reference"));
        EXPECT_THAT(fallbacks.names, ElementsAre("A"));
    }
}

// A full fallback reports the devices of each failed step in order.
TEST(PlanFallback, NamesTheDevicesThatHaveFailed) {
    Fallbacks fallbacks;
    std::vector<PlanDevice> devices = addAndMul({}, faulty({DeviceFault::DIES_IN_EXECUTE}));
    devices[0] = {masked({.name = "A", .mask = only({ADD})})};
    devices[2].device = faulty({DeviceFault::DIES_IN_EXECUTE});
    const auto plan = makePlan(sumTimes(), devices, {.onFallback = fallbacks.listener()});
    ASSERT_TRUE(plan.has_value()) << plan.error().message;
    Floats values;
    EXPECT_THAT(executeBy(ExecutionPath::SYNC, *(*plan)->preparedModel(), values.request()),
                FailsWithCode(ErrorStatus::DEAD_OBJECT));
    EXPECT_THAT(fallbacks.names, ElementsAre("B", "B, nnapi-reference"));
}

// The launch fails: the whole model runs on the CPU, behind the given fences.
TEST(PlanFallback, Fenced) {
    Fallbacks fallbacks;
    const auto plan = makePlan(sumTimes(), addAndMul(faulty({DeviceFault::NO_CALLBACK})),
                               {.onFallback = fallbacks.listener()});
    const Fence fence;
    Floats values;
    std::thread signaller([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        fence.signal();
    });
    const auto fenced = launch(**plan, values.request(), {fence.get()});
    signaller.join();
    ASSERT_TRUE(fenced.has_value()) << fenced.error().message;
    EXPECT_FALSE(fenced->first.hasFd());
    EXPECT_TRUE(fenced->second().has_value());
    EXPECT_EQ(values.z, Floats::expected());
    EXPECT_THAT(fallbacks.names, ElementsAre("A"));
}

// The CPU could execute it after its fences, but a launch must not have an output of unknown size.
TEST(PlanFallback, LaunchesThatAreRefusedStayRefused) {
    Fallbacks fallbacks;
    const auto dies = [] { return Status(error(ErrorStatus::DEAD_OBJECT) << "gone"); };
    const std::vector<PlanDevice> devices = {
            {masked({.name = "A"}, fakeDevice(FakeOptions{.onExecute = dies}))}, cpu(2)};
    const auto plan = makePlan(sumTimes(0), devices, {.onFallback = fallbacks.listener()});
    ASSERT_TRUE(plan.has_value() && (*plan)->isSimple());
    Floats values;
    Request request = values.request();
    for (auto& input : request.inputs) input.dimensions = {4};
    const auto launched = [&](const std::vector<SyncFence>& waitFor = {}) {
        return (*plan)->preparedModel()->executeFenced(request, waitFor, MeasureTiming::NO,
                                                       makeDeadline(std::chrono::seconds(30)), {},
                                                       {}, {}, {});
    };
    EXPECT_THAT(launched(), FailsWithCode(ErrorStatus::DEAD_OBJECT));
    const Fence never;
    EXPECT_THAT(launched({never.get()}), FailsWithCode(ErrorStatus::DEAD_OBJECT)) << "at once";
    EXPECT_THAT(fallbacks.names, IsEmpty());
    request.outputs[0].dimensions = {4};
    ASSERT_TRUE(launched().has_value());
    EXPECT_EQ(values.z, Floats::expected());
    EXPECT_THAT(fallbacks.names, ElementsAre("A"));
}

// Each device waits for the fence of the previous one; the plan returns the last fence.
TEST(PlanFences, AChain) {
    const SharedDevice a = referenceDevice({.fencedThreads = 1});
    const SharedDevice b = referenceDevice({.fencedThreads = 1});
    const auto plan = makePlan(sumTimes(), addAndMul(a, b), withoutFallback());
    const Fence fence;
    Floats values;
    const auto fenced = launch(**plan, values.request(), {fence.get()});
    ASSERT_TRUE(fenced.has_value()) << fenced.error().message;
    ASSERT_TRUE(fenced->first.hasFd());
    EXPECT_THAT(fenced->second(), FailsWithCode(ErrorStatus::GENERAL_FAILURE));  // not yet
    fence.signal();
    EXPECT_EQ(fenced->first.syncWait(std::chrono::seconds(10)), SyncFence::FenceState::SIGNALED);
    const auto info = fenced->second();
    ASSERT_TRUE(info.has_value()) << info.error().message;
    EXPECT_EQ(values.z, Floats::expected());
    EXPECT_GE(info->first.timeInDriver, info->second.timeInDriver);
}

TEST(PlanFences, AFenceThatFails) {
    const SharedDevice a = referenceDevice({.fencedThreads = 1});
    const auto plan = makePlan(sumTimes(), addAndMul(a, a), withoutFallback());
    Floats values;
    std::optional<Fence> fence(std::in_place);
    const auto fenced = launch(**plan, values.request(), {fence->get()}, MeasureTiming::NO);
    ASSERT_TRUE(fenced.has_value());
    fence.reset();
    EXPECT_EQ(fenced->first.syncWait(std::chrono::seconds(10)), SyncFence::FenceState::ERROR);
    EXPECT_THAT(fenced->second(), FailsWithCode(ErrorStatus::GENERAL_FAILURE));
}

TEST(PlanFences, ControlFlowWaitsForItsConditions) {
    const SharedDevice a = referenceDevice({.fencedThreads = 1});
    const auto plan = makePlan(doubling(), addAndMul(a, a), withoutFallback());
    LoopValues values{.x = {1.5}};
    const auto executed =
            executeBy(ExecutionPath::FENCED, *(*plan)->preparedModel(), values.request());
    ASSERT_TRUE(executed.has_value()) << executed.error().message;
    EXPECT_THAT(values.y, ElementsAre(12));
}

// LESS and ADD on A, MUL on B, which pass each launch to `onLaunched`.
std::vector<PlanDevice> launching(decltype(FakeOptions::onLaunched) onLaunched) {
    const auto fake = fakeDevice(FakeOptions{.onLaunched = std::move(onLaunched)});
    return {{masked({.name = "A", .mask = only({LESS, ADD})}, fake)},
            {masked({.name = "B", .mask = only({MUL})}, fake)},
            cpu(2)};
}

// Keeping the callback of each iteration would keep driver resources such as descriptors.
TEST(PlanFences, CallbacksOfALoopAreLetGo) {
    const auto token = std::make_shared<int>();
    long most = 0;
    const auto devices = launching([&](GeneralResult<ExecutedFenced> launched) {
        most = std::max(most, token.use_count());
        launched->second = [token, ask = launched->second]() -> GeneralResult<FencedTimings> {
            NNAPI_RETURN_IF_ERROR(ask().status());
            return std::pair(Timing{Duration(5), Duration(7)}, Timing{Duration(2), Duration(3)});
        };
        return launched;
    });
    const auto plan = makePlan(doubling(100), devices, withoutFallback());
    ASSERT_TRUE(plan.has_value()) << plan.error().message;
    LoopValues values{.x = {0}};
    const auto fenced = launch(**plan, values.request());
    ASSERT_TRUE(fenced.has_value()) << fenced.error().message;
    EXPECT_THAT(values.i, ElementsAre(100));
    EXPECT_LT(most, 20);
    // 101 conditions, and 100 times both steps of the body.
    const Timing all{Duration(301 * 2), Duration(301 * 3)};
    for (int n = 0; n < 2; ++n) {
        const auto infos = fenced->second();
        ASSERT_TRUE(infos.has_value()) << infos.error().message;
        EXPECT_EQ(*infos, std::pair(all, all));
    }
}

TEST(PlanFences, AStepThatHasFailedFailsTheWhole) {
    int launches = 0;
    const auto devices = launching([&](GeneralResult<ExecutedFenced> launched) {
        if (++launches != 2) return launched;
        launched->second = []() -> GeneralResult<FencedTimings> {
            return error(ErrorStatus::DEAD_OBJECT) << "it is dead";
        };
        return launched;
    });
    const auto plan = makePlan(doubling(), devices, withoutFallback());
    ASSERT_TRUE(plan.has_value()) << plan.error().message;
    LoopValues values;
    const auto fenced = launch(**plan, values.request());
    ASSERT_TRUE(fenced.has_value()) << fenced.error().message;
    EXPECT_THAT(fenced->second(), Refuses(ErrorStatus::DEAD_OBJECT, "it is dead"));
}

// A device that computes nothing: its launches have this fence, and this error.
SharedDevice failing(const SyncFence& fence, ErrorStatus code, const char* why) {
    const ExecuteFencedInfoCallback callback = [=]() -> GeneralResult<FencedTimings> {
        return error(code) << why;
    };
    const auto launch = [=](const fakes::ExecutionCall&, const auto&, const auto&,
                            const IPreparedModel&) -> fakes::Launched {
        return ExecutedFenced{fence, callback};
    };
    return fakes::hooked(referenceDevice(), {.launch = launch});
}

// The reason is that of the step, not that its fence has failed.
TEST(PlanFences, AnOldDeviceAfterAStepWhoseFenceHasFailed) {
    const auto a = failing(Fence().get(), ErrorStatus::MISSED_DEADLINE_TRANSIENT, "late");
    const auto b = referenceDevice({.featureLevel = kVersionFeatureLevel3});
    const auto plan = makePlan(sumTimes(), addAndMul(a, b), withoutFallback());
    ASSERT_TRUE(plan.has_value()) << plan.error().message;
    Floats values;
    EXPECT_THAT(launch(**plan, values.request()),
                Refuses(ErrorStatus::MISSED_DEADLINE_TRANSIENT, "late"));
}

TEST(PlanFences, AStepThatFailsBeforeThePreviousOneHasEnded) {
    const Fence never;
    const auto a = failing(never.get(), ErrorStatus::GENERAL_FAILURE, "not yet");
    const auto b = failing(Fence().get(), ErrorStatus::MISSED_DEADLINE_TRANSIENT, "late");
    const auto plan = makePlan(sumTimes(), addAndMul(a, b), withoutFallback());
    ASSERT_TRUE(plan.has_value()) << plan.error().message;
    Floats values;
    const auto fenced = launch(**plan, values.request());
    ASSERT_TRUE(fenced.has_value()) << fenced.error().message;
    EXPECT_THAT(fenced->second(), Refuses(ErrorStatus::MISSED_DEADLINE_TRANSIENT, "late"));
}

// Devices before HAL 1.3 have no fences: the plan waits for them.
TEST(PlanFences, OldDevices) {
    const std::vector<PlanDevice> devices = {
            {masked({.name = "A", .mask = only({ADD}), .level = kVersionFeatureLevel3})},
            {masked({.name = "B", .mask = only({MUL})}, referenceDevice({.fencedThreads = 1}))},
            cpu(2)};
    const auto plan = makePlan(sumTimes(), devices, withoutFallback());
    Floats values;
    const auto executed =
            executeBy(ExecutionPath::FENCED, *(*plan)->preparedModel(), values.request());
    ASSERT_TRUE(executed.has_value()) << executed.error().message;
    EXPECT_EQ(values.z, Floats::expected());
    // Also if one device supports the whole model.
    const auto driver = hal::adapter::adapt(referenceDevice());
    const auto old = V1_2::utils::Device::create("old", *driver);
    ASSERT_TRUE(old.has_value());
    Fallbacks fallbacks;
    const std::vector<PlanDevice> one = {
            {masked({.name = "old", .level = kVersionFeatureLevel3}, *old)}, cpu(2)};
    const auto simple = makePlan(sumTimes(), one, {.onFallback = fallbacks.listener()});
    ASSERT_TRUE(simple.has_value() && (*simple)->isSimple());
    Floats others;
    ASSERT_TRUE(executeBy(ExecutionPath::FENCED, *(*simple)->preparedModel(), others.request())
                        .has_value());
    EXPECT_EQ(others.z, Floats::expected());
    EXPECT_THAT(fallbacks.names, IsEmpty());
}

// Executes after fences with timing, on one device that supports the whole model and reports these
// times.
GeneralResult<FencedTimings> infosOf(FakeOptions options, Version level,
                                     const PlanOptions& planOptions) {
    const std::vector<PlanDevice> devices = {
            {masked({.name = "A", .level = level}, fakeDevice(std::move(options)))}, cpu(2)};
    const auto plan = makePlan(sumTimes(), devices, planOptions);
    if (!plan.has_value()) return plan.status();
    Floats values;
    const auto fenced = launch(**plan, values.request());
    if (!fenced.has_value()) return fenced.status();
    EXPECT_NE(fenced->first.syncWait(std::chrono::minutes(1)), SyncFence::FenceState::ACTIVE);
    return fenced->second();
}

constexpr char kImpossible[] =
        "the driver reports times that cannot be: timeInDriver is -1 ns, allowed 0 or more "
        "[time.negative]";

TEST(PlanFences, TimesOfOldDevicesAreChecked) {
    const Version old = kVersionFeatureLevel3;
    const Timing most{.timeInDriver = Duration::max()};
    const auto longest = infosOf({.timing = most}, old, withoutFallback());
    ASSERT_TRUE(longest.has_value()) << longest.error().message;
    EXPECT_EQ(*longest, std::pair(most, most));
    const FakeOptions wrong{.timing = {.timeInDriver = Duration(-1)}};
    EXPECT_THAT(infosOf(wrong, old, withoutFallback()),
                Refuses(ErrorStatus::GENERAL_FAILURE, kImpossible));
    Fallbacks fallbacks;
    EXPECT_TRUE(infosOf(wrong, old, {.onFallback = fallbacks.listener()}).has_value());
    EXPECT_THAT(fallbacks.names, ElementsAre("A"));
}

TEST(PlanFences, TimesOfCallbacksAreChecked) {
    const Timing wrong{.timeInDriver = Duration(-1)};
    const auto saysSo = [&](GeneralResult<ExecutedFenced> launched) {
        launched->second = [wrong, right = launched->second] {
            (void)right();
            return std::pair(Timing(), wrong);
        };
        return launched;
    };
    EXPECT_THAT(infosOf({.onLaunched = saysSo}, kNewestVersion, {}),
                Refuses(ErrorStatus::GENERAL_FAILURE, kImpossible));
    const auto plan = makePlan(doubling(), launching(saysSo), withoutFallback());
    ASSERT_TRUE(plan.has_value()) << plan.error().message;
    for (const MeasureTiming measure : {MeasureTiming::YES, MeasureTiming::NO}) {
        LoopValues values;
        const auto fenced = launch(**plan, values.request(), {}, measure);
        ASSERT_TRUE(fenced.has_value()) << fenced.error().message;
        if (measure == MeasureTiming::YES) {
            EXPECT_THAT(fenced->second(), Refuses(ErrorStatus::GENERAL_FAILURE, kImpossible));
        } else {  // timing was not requested
            EXPECT_EQ(fenced->second().value(), std::pair(Timing(), Timing()));
        }
    }
}

// The plan needs the condition behind a fence that is never signaled.
TEST(PlanFences, WaitsOfThePlanEndWithTheDeadline) {
    const std::vector<PlanDevice> devices = {{masked({.name = "A", .mask = only({ADD, MUL})})},
                                             {masked({.name = "B", .mask = only({LESS})},
                                                     faulty({DeviceFault::FENCE_NEVER_SIGNALLED}))},
                                             cpu(2)};
    const auto plan = makePlan(doubling(), devices, withoutFallback());
    LoopValues values;
    const auto fenced = (*plan)->preparedModel()->executeFenced(
            values.request(), {}, MeasureTiming::NO, makeDeadline(std::chrono::milliseconds(50)),
            {}, {}, {}, {});
    EXPECT_THAT(fenced, FailsWithCode(ErrorStatus::MISSED_DEADLINE_TRANSIENT));
}

TEST(PlanFences, TimeoutAfterFences) {
    const auto plan = makePlan(doubling(1e9f), addAndMul(), withoutFallback());
    LoopValues values;
    const Fence fence;
    fence.signal();
    const auto fenced = (*plan)->preparedModel()->executeFenced(
            values.request(), {fence.get()}, MeasureTiming::NO, {}, {},
            std::chrono::milliseconds(20), {}, {});
    EXPECT_THAT(fenced, FailsWithCode(ErrorStatus::MISSED_DEADLINE_TRANSIENT));
}

// ---- deadlines

TEST(PlanDeadlines, TheTimeOfALoopIsFinal) {
    Fallbacks fallbacks;
    const auto plan = makePlan(doubling(1e9f), addAndMul(), {.onFallback = fallbacks.listener()});
    LoopValues values;
    const auto prepared = (*plan)->preparedModel();
    EXPECT_THAT(execute(*prepared, values.request(), {}, std::chrono::milliseconds(20)),
                FailsWithCode(ErrorStatus::MISSED_DEADLINE_TRANSIENT));
    EXPECT_THAT(execute(*prepared, values.request(), makeDeadline(std::chrono::milliseconds(20))),
                FailsWithCode(ErrorStatus::MISSED_DEADLINE_TRANSIENT));
    EXPECT_THAT(fallbacks.names, IsEmpty());
}

// A device that reports a missed deadline too early has failed like any other.
TEST(PlanDeadlines, ADeviceThatGivesUpTooEarly) {
    Fallbacks fallbacks;
    const auto plan = makePlan(sumTimes(), addAndMul(faulty({DeviceFault::MISSES_AMPLE_DEADLINES})),
                               {.onFallback = fallbacks.listener()});
    Floats values;
    const auto executed = execute(*(*plan)->preparedModel(), values.request(),
                                  makeDeadline(std::chrono::minutes(1)));
    ASSERT_TRUE(executed.has_value()) << executed.error().message;
    EXPECT_EQ(values.z, Floats::expected());
    EXPECT_THAT(fallbacks.names, ElementsAre("A"));
}

// ---- sizes known only at run time

TEST(PlanSizes, DynamicTemporariesGrow) {
    const auto plan = makePlan(sumTimes(0), addAndMul(), withoutFallback());
    ASSERT_TRUE(plan.has_value());
    ASSERT_TRUE((*plan)->hasDynamicTemporaries());
    const auto prepared = (*plan)->preparedModel();
    for (const uint32_t size : {3u, 100'000u, 5u, 1'000'000u}) {
        std::vector<float> x(size, 2), y(size, 3), z(size, 0);
        const Request request{.inputs = {pointerTo(x, {size}), pointerTo(y, {size})},
                              .outputs = {pointerTo(z)}};
        const auto executed = execute(*prepared, request);
        ASSERT_TRUE(executed.has_value()) << executed.error().message;
        ASSERT_EQ(executed->first.size(), 1u);
        EXPECT_EQ(executed->first.front(), (OutputShape{{size}, true}));
        EXPECT_EQ(z, std::vector<float>(size, 15));
        // Fenced executions require known output sizes.
        EXPECT_THAT(executeBy(ExecutionPath::FENCED, *prepared, request),
                    FailsWithCode(ErrorStatus::INVALID_ARGUMENT));
        Request known = request;
        known.outputs.front().dimensions = {size};
        EXPECT_TRUE(executeBy(ExecutionPath::FENCED, *prepared, known).has_value());
    }
}

// All values between the steps have an unknown size.
TEST(PlanSizes, TheCpuTakesOver) {
    Fallbacks fallbacks;
    const auto plan = makePlan(sumTimes(0),
                               addAndMul(referenceDevice(), faulty({DeviceFault::DIES_IN_EXECUTE})),
                               {.onFallback = fallbacks.listener()});
    ASSERT_TRUE(plan.has_value()) << plan.error().message;
    Floats values;
    Request request = values.request();
    for (auto& input : request.inputs) input.dimensions = {4};
    ASSERT_TRUE(execute(*(*plan)->preparedModel(), request).has_value());
    EXPECT_EQ(values.z, Floats::expected());
    EXPECT_THAT(fallbacks.names, ElementsAre("B"));
}

TEST(PlanSizes, AnOutputWithoutEnoughRoomIsFinal) {
    Fallbacks fallbacks;
    const auto plan = makePlan(sumTimes(0), addAndMul(), {.onFallback = fallbacks.listener()});
    Floats values;
    Request request = values.request();
    for (auto& input : request.inputs) input.dimensions = {4};
    request.outputs[0].location.length = 8;
    for (const ExecutionPath path :
         {ExecutionPath::SYNC, ExecutionPath::REUSABLE, ExecutionPath::BURST}) {
        const auto executed = executeBy(path, *(*plan)->preparedModel(), request);
        ASSERT_THAT(executed, FailsWithCode(ErrorStatus::OUTPUT_INSUFFICIENT_SIZE));
        EXPECT_THAT(executed.error().outputShapes, ElementsAre(OutputShape{{4}, false}));
    }
    EXPECT_THAT(fallbacks.names, IsEmpty());
}

// Turns the first constant of the model into an input, so that the step that reads it has one.
TestCase withInput(TestCase testCase) {
    Model& model = testCase.model;
    Operand& operand = model.main.operands.front();
    EXPECT_EQ(operand.lifetime, LifeTime::CONSTANT_COPY);
    const uint8_t* data = model.operandValues.data() + operand.location.offset;
    testCase.inputs.push_back(
            {.dimensions = operand.dimensions, .data = {data, data + operand.location.length}});
    operand.lifetime = LifeTime::SUBGRAPH_INPUT;
    operand.location = {};
    model.main.inputIndexes.push_back(0);
    return testCase;
}

// A request cannot represent a value without elements, so the CPU executes such a step.
TEST(PlanSizes, ValuesWithoutElementsAreForTheCpu) {
    std::optional<TestCase> found;
    forEachVector({NNAPI_SOURCE_DIR "/tests/vectors/V1_2/add_v1_2.jsonl.gz"},
                  [&](const TestCase& testCase) {
                      if (testCase.name == "add_v1_2_zero_sized") found = withInput(testCase);
                  });
    ASSERT_TRUE(found.has_value());
    const std::vector<PlanDevice> devices = {
            {masked({.name = "A", .mask = only({OperationType::BOX_WITH_NMS_LIMIT})})}, cpu(2)};
    Fallbacks fallbacks;
    const auto plan = makePlan(found->model, devices, {.onFallback = fallbacks.listener()});
    ASSERT_TRUE(plan.has_value()) << plan.error().message;
    EXPECT_THAT(devicesOf(**plan), ElementsAre("A", "nnapi-reference"));
    const auto arguments = nn::testing::argumentsFor(found->model, *found);
    ASSERT_TRUE(arguments.ok());
    const auto executed = execute(*(*plan)->preparedModel(), arguments->request());
    ASSERT_TRUE(executed.has_value()) << executed.error().message;
    EXPECT_THAT(fallbacks.names, ElementsAre("nnapi-reference"));
    const auto strict = makePlan(found->model, devices, withoutFallback());
    EXPECT_THAT(execute(*(*strict)->preparedModel(), arguments->request()),
                Refuses(ErrorStatus::GENERAL_FAILURE,
                        "a step reads a value without elements, which no request can say"));
}

TEST(PlanSizes, OfExtensionTypes) {
    Model model;
    model.extensionNameToPrefix = {{.name = "vendor.known", .prefix = 1},
                                   {.name = "vendor.unknown", .prefix = 2}};
    const SharedDevice describing = fakes::hooked(
            referenceDevice(),
            {.extensions = {{{.name = "vendor.known",
                              .operandTypes = {{.type = 0, .isTensor = true, .byteSize = 2},
                                               {.type = 1, .isTensor = false, .byteSize = 8}}}}}});
    const SharedDevice devices[] = {referenceDevice(), describing};
    const Sizes sizes(model, devices);
    const auto typeOf = [](uint32_t prefix, uint32_t type) {
        return static_cast<OperandType>(prefix << kExtensionTypeBits | type);
    };
    const struct {
        OperandType type;
        Dimensions dimensions;
        std::optional<uint32_t> bytes;
        bool canHaveDimensions;
    } rows[] = {
            {typeOf(1, 0), {3, 2}, 12, true},
            {typeOf(1, 0), {}, 0, true},
            {typeOf(1, 0), {3, 0}, 0, true},
            {typeOf(1, 0), {0x7fffffff}, 0xfffffffe, true},
            {typeOf(1, 0), {0x80000000}, std::nullopt, true},
            {typeOf(1, 1), {}, 8, false},
            // No device describes these types.
            {typeOf(1, 2), {3}, 0, true},
            {typeOf(2, 0), {3}, 0, true},
            {typeOf(2, 1), {}, 0, true},
            {OperandType::FLOAT32, {}, 4, false},
            {TENSOR_FLOAT32, {3}, 12, true},
            {TENSOR_FLOAT32, {}, 0, true},
    };
    for (const auto& row : rows) {
        const Operand operand{.type = row.type, .dimensions = row.dimensions};
        const std::string name = print(operand);
        EXPECT_EQ(sizes.bytes(operand), row.bytes) << name;
        EXPECT_EQ(sizes.isUnknown(operand), row.bytes == 0u) << name;
        EXPECT_EQ(sizes.canHaveDimensions(row.type), row.canHaveDimensions) << name;
    }
}

// ---- memory of devices

// x lies in a buffer of A, and the result goes into one of B.
TEST(PlanBuffers, StepsUseBuffersOfTheirDevices) {
    const SharedDevice a = referenceDevice(), b = referenceDevice();
    Fallbacks fallbacks;
    DeviceFaults ofA, ofB;
    const auto plan = makePlan(sumTimes(), addAndMul(*faultyDevice(a, ofA), *faultyDevice(b, ofB)),
                               {.onFallback = fallbacks.listener()});
    ASSERT_TRUE(plan.has_value());
    const auto ofInput = (*plan)->rolesOf({0, true});
    const auto ofOutput = (*plan)->rolesOf({0, false});
    ASSERT_EQ(ofInput.size(), 1u);
    ASSERT_EQ(ofOutput.size(), 1u);
    EXPECT_EQ((*plan)->rolesOf({1, true}).size(), 2u);
    EXPECT_THAT((*plan)->rolesOf({7, true}), IsEmpty());
    const auto in = ofInput[0].device->allocate({{4}}, {ofInput[0].preparedModel},
                                                {{0, ofInput[0].ioIndex, 1.0f}}, {});
    const auto out = ofOutput[0].device->allocate({{4}}, {ofOutput[0].preparedModel}, {},
                                                  {{0, ofOutput[0].ioIndex, 1.0f}});
    ASSERT_TRUE(in.has_value()) << in.error().message;
    ASSERT_TRUE(out.has_value()) << out.error().message;
    const SharedMemory memory = *createSharedMemory(16);
    Floats values;
    const auto bytesOf = [](std::vector<float>& v) {
        return std::span(reinterpret_cast<uint8_t*>(v.data()), 16);
    };
    ASSERT_TRUE(writeMemory(memory, 0, bytesOf(values.x)).ok());
    ASSERT_TRUE((*in)->copyFrom(memory, {}).has_value());
    Request request = values.request();
    request.inputs[0] = {.location = {.poolIndex = 0}};
    request.outputs[0] = {.location = {.poolIndex = 1}};
    request.pools = {*in, *out};
    const auto check = [&] {
        const SharedMemory zeros = *createSharedMemory(16);
        ASSERT_TRUE((*out)->copyFrom(zeros, {}).has_value());
        const auto executed = execute(*(*plan)->preparedModel(), request);
        ASSERT_TRUE(executed.has_value()) << executed.error().message;
        ASSERT_TRUE((*out)->copyTo(memory).has_value());
        ASSERT_TRUE(readMemory(memory, 0, bytesOf(values.z)).ok());
        EXPECT_EQ(values.z, Floats::expected());
    };
    check();
    EXPECT_THAT(fallbacks.names, IsEmpty());
    // The CPU cannot use these buffers, so it receives copies.
    ofA.turnOn(DeviceFault::DIES_IN_EXECUTE);
    check();
    EXPECT_THAT(fallbacks.names, ElementsAre("A"));
    ofA.turnOff(DeviceFault::DIES_IN_EXECUTE);
    ofB.turnOn(DeviceFault::DIES_IN_EXECUTE);
    check();
    EXPECT_THAT(fallbacks.names, ElementsAre("A", "B"));
}

TEST(PlanBuffers, RolesOfControlFlow) {
    const auto plan = makePlan(choice(), addAndMul(), withoutFallback());
    ASSERT_TRUE(plan.has_value());
    EXPECT_THAT((*plan)->rolesOf({0, true}), IsEmpty());  // the plan reads the condition
    EXPECT_EQ((*plan)->rolesOf({1, true}).size(), 2u);    // of both branches
    EXPECT_EQ((*plan)->rolesOf({0, false}).size(), 2u);
    const auto loop = makePlan(doubling(), addAndMul(), withoutFallback());
    EXPECT_THAT((*loop)->rolesOf({0, true}), IsEmpty());
    EXPECT_THAT((*loop)->rolesOf({0, false}), IsEmpty());
    // A branch also reads the condition; the plan still reads it itself.
    Model model = choice(1);
    Graph select(model);
    const auto condition = select.input(TENSOR_BOOL8, {1});
    const auto x = select.input(TENSOR_FLOAT32, {1});
    select.add(OperationType::SELECT, {condition, x, x}, {select.output(TENSOR_FLOAT32, {1})});
    Graph product(model);
    product.input(TENSOR_BOOL8, {1});
    const auto y = product.input(TENSOR_FLOAT32, {1});
    product.add(MUL, {y, y, product.scalar(0)}, {product.output(TENSOR_FLOAT32, {1})});
    model.referenced = {select.graph, product.graph};
    std::vector<uint32_t>& inputs = model.main.operations[0].inputs;
    inputs.insert(inputs.begin() + 3, inputs.front());
    const std::vector<PlanDevice> devices{
            {masked({.name = "A", .mask = only({OperationType::SELECT})})},
            {masked({.name = "B", .mask = only({MUL})})},
            cpu(2.0f)};
    const auto passing = makePlan(model, devices, withoutFallback());
    ASSERT_TRUE(passing.has_value()) << passing.error().message;
    EXPECT_THAT((*passing)->rolesOf({0, true}), IsEmpty());
    EXPECT_EQ((*passing)->rolesOf({1, true}).size(), 2u);
}

TEST(PlanControlFlow, Branches) {
    const auto plan = makePlan(choice(), addAndMul(), withoutFallback());
    for (const uint8_t condition : {uint8_t{1}, uint8_t{0}}) {
        std::vector<uint8_t> holds{condition};
        std::vector<float> x{3, 5}, y{0, 0};
        const Request request{.inputs = {pointerTo(holds), pointerTo(x)},
                              .outputs = {pointerTo(y)}};
        for (const ExecutionPath path : kExecutionPaths) {
            ASSERT_TRUE(executeBy(path, *(*plan)->preparedModel(), request).has_value());
            EXPECT_EQ(y, condition ? std::vector<float>({6, 10}) : std::vector<float>({9, 25}));
        }
    }
}

TEST(PlanControlFlow, AGraphOfSeveralIsPlannedOnce) {
    Model model = choice();
    for (Operand& operand : model.main.operands) {
        if (operand.type == SUBGRAPH) operand.location.offset = 0;  // "else" becomes "then"
    }
    model.referenced.pop_back();
    const auto plan = makePlan(model, addAndMul(), withoutFallback());
    ASSERT_TRUE(plan.has_value()) << plan.error().message;
    EXPECT_THAT(devicesOf(**plan), ElementsAre("plan", "A"));
    EXPECT_EQ((*plan)->steps().back().graph, 0u);
    for (const uint8_t condition : {uint8_t{1}, uint8_t{0}}) {
        std::vector<uint8_t> holds{condition};
        std::vector<float> x{3, 5}, y{0, 0};
        const Request request{.inputs = {pointerTo(holds), pointerTo(x)},
                              .outputs = {pointerTo(y)}};
        ASSERT_TRUE(execute(*(*plan)->preparedModel(), request).has_value());
        EXPECT_THAT(y, ElementsAre(6, 10));
    }
}

// An extracted part of a model contains it once, too.
TEST(PlanControlFlow, AGraphOfSeveralIsExtractedOnce) {
    Model model = choice();
    for (Operand& operand : model.main.operands) {
        if (operand.type == SUBGRAPH) operand.location.offset = 0;
    }
    model.referenced.pop_back();
    const uint32_t chosen = model.main.outputIndexes[0];
    const auto y = static_cast<uint32_t>(model.main.operands.size());
    model.main.operands.push_back(model.main.operands[chosen]);
    model.main.operands[chosen].lifetime = Operand::LifeTime::TEMPORARY_VARIABLE;
    model.main.operations.push_back(
            {.type = OperationType::TANH, .inputs = {chosen}, .outputs = {y}});
    model.main.outputIndexes = {y};
    const auto a = masked({.name = "A", .mask = only({OperationType::IF, ADD})});
    const auto b = masked({.name = "B", .mask = only({OperationType::TANH})});
    const auto plan = makePlan(model, {{a}, {b}, cpu(2)}, withoutFallback());
    ASSERT_TRUE(plan.has_value()) << plan.error().message;
    ASSERT_EQ(a->prepared.size(), 1u);
    EXPECT_EQ(a->prepared.front().referenced.size(), 1u);
}

// A loop whose condition never holds returns its initial values.
TEST(PlanControlFlow, NoTimeRound) {
    const auto plan = makePlan(doubling(0), addAndMul(), withoutFallback());
    LoopValues values{.x = {7}, .i = {9}};
    ASSERT_TRUE(execute(*(*plan)->preparedModel(), values.request()).has_value());
    EXPECT_THAT(values.i, ElementsAre(0));
    EXPECT_THAT(values.y, ElementsAre(7));
}

// Objects that a plan returns outlive the plan and its model.
TEST(PlanExecution, OutlivesThePlan) {
    SharedExecution execution;
    Floats values;
    {
        const auto plan = makePlan(sumTimes(), addAndMul(), {});
        execution = *(*plan)->preparedModel()->createReusableExecution(
                values.request(), MeasureTiming::NO, {}, {}, {});
    }
    ASSERT_TRUE(execution->compute({}).has_value());
    EXPECT_EQ(values.z, Floats::expected());
}

}  // namespace
}  // namespace nn::runtime::plan_execution_test
