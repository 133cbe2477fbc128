// Execution cases beyond the vectors: changed inputs, bursts, fences.
#include <thread>

#include "device_test/cases/cases.h"
#include "device_test/cases/execution_paths.h"
#include "device_test/cases/prepared_case.h"

namespace nn::testing {
namespace {

using enum ErrorStatus;
using namespace std::chrono_literals;

// Rule reusable.computations: a reusable execution reads its inputs at each computation.
Failure reusableWithOtherInputs(const SharedDevice& device) {
    PreparedJob sum;
    SharedExecution execution;
    if (Failure failure = sum.begin(*device, &execution)) return failure;
    for (const float scale : {1.0f, 2.0f, -3.0f}) {
        const JobCase job(sumJob(4, scale));
        sum.arguments->setInputs(job.testCase().inputs);
        sum.arguments->clearOutputs();
        const auto computed = execution->compute({});
        if (Failure failure =
                    checkExecuted(fmt::format("compute with inputs times {}", scale), computed,
                                  MeasureTiming::NO, job.wanted(), *sum.arguments)) {
            return failure;
        }
    }
    return std::nullopt;
}

Failure reusableFenced(const SharedDevice& device) {
    PreparedJob sum;
    SharedExecution execution;
    if (Failure failure = sum.begin(*device, &execution)) return failure;
    for (const char* place : {"the first computeFenced", "the second computeFenced"}) {
        sum.arguments->clearOutputs();
        const auto launched = execution->computeFenced({}, {}, {});
        if (Failure failure = lackOfFences(*device, launched.status())) return failure;
        if (!launched.has_value())
            return failedCall(place, launched.status(), "reusable.computations");
        if (Failure failure = waitFor(*launched, 10s)) {
            return failure;
        }
        if (Failure failure = checkValues({}, sum.job.wanted(), *sum.arguments)) return failure;
    }
    return std::nullopt;
}

Failure burstComputesNothingFenced(const SharedDevice&, PreparedJob& sum) {
    SharedBurst burst;
    if (Failure failure = createBurst(*sum.prepared, &burst)) return failure;
    const auto execution =
            burst->createReusableExecution(sum.arguments->request(), MeasureTiming::NO, {}, {}, {});
    if (!execution.has_value()) {
        return failedCall("createReusableExecution of the burst", execution.status(),
                          "burst.one_at_a_time");
    }
    if (*execution == nullptr) {
        return failed("createReusableExecution of the burst", "null and no error",
                      "burst.one_at_a_time");
    }
    if (Failure failure = mustFail("computeFenced of the burst",
                                   (*execution)->computeFenced({}, {}, {}).status(),
                                   {{GENERAL_FAILURE}}, "burst.fenced")) {
        return failure;
    }
    return checkExecuted("compute of the burst", (*execution)->compute({}), MeasureTiming::NO,
                         sum.job.wanted(), *sum.arguments);
}

// Rule burst.one_at_a_time: memory may leave the cache and return.
Failure burstCache(const SharedDevice&, PreparedJob& sum) {
    SharedBurst burst;
    if (Failure failure = createBurst(*sum.prepared, &burst)) return failure;
    for (int round = 0; round < 4; ++round) {
        auto hold = burst->cacheMemory(sum.arguments->inputMemory());
        const auto second = burst->cacheMemory(sum.arguments->inputMemory());
        if (round % 2 == 1) hold.reset();
        sum.arguments->clearOutputs();
        const auto executed =
                burst->execute(sum.arguments->request(), MeasureTiming::NO, {}, {}, {}, {});
        if (Failure failure =
                    checkExecuted(fmt::format("execute of the burst, round {}", round), executed,
                                  MeasureTiming::NO, sum.job.wanted(), *sum.arguments)) {
            return failure;
        }
    }
    return std::nullopt;
}

// ---- fences

// The result of an execution that waits for a fence.
struct Launched {
    Status status{};
    SyncFence fence{};
    ExecuteFencedInfoCallback callback{};
};

// Launches an execution that waits for the fence. `meanwhile` runs concurrently, since the call may
// block until the fence is signaled.
Launched launch(const PreparedJob& sum, const OwnFence& fence, const OptionalTimePoint& deadline,
                const OptionalDuration& afterFence, const std::function<void()>& meanwhile) {
    std::thread other(meanwhile);
    auto launched =
            sum.prepared->executeFenced(sum.arguments->request(), {fence.get()}, MeasureTiming::YES,
                                        deadline, {}, afterFence, {}, {});
    other.join();
    if (!launched.has_value()) return {.status = launched.status()};
    return {.fence = std::move(launched->first), .callback = std::move(launched->second)};
}

// Rule fenced.result: the execution does not start before the fence is signaled.
Failure waitsForFence(const SharedDevice& device, PreparedJob& sum, OwnFence& fence) {
    constexpr auto kDelay = 50ms;
    const TimePoint start = Clock::now();
    const Launched launched = launch(sum, fence, {}, {}, [&] {
        std::this_thread::sleep_for(kDelay);
        fence.signal();
    });
    if (Failure failure = lackOfFences(*device, launched.status)) return failure;
    if (!launched.status.ok()) return failedCall("executeFenced", launched.status, "fenced.result");
    if (Failure failure = waitFor(launched.fence, 10s, SyncFence::FenceState::SIGNALED)) {
        return failure;
    }
    if (Clock::now() - start < kDelay) {
        return failed("executeFenced", "ended before the fence was signaled that it waits for",
                      "fenced.result");
    }
    if (!launched.callback)
        return failed("executeFenced", "no callback for the timing", "fenced.result");
    const auto info = launched.callback();
    if (!info.has_value()) return failedCall("the callback", info.status(), "fenced.result");
    const auto again = launched.callback();
    if (!again.has_value())
        return failedCall("the callback, again", again.status(),
                          "fenced.result, protocol.execution_info");
    for (const Timing& timing : {info->first, info->second, again->first, again->second}) {
        if (Failure failure = checkTiming("the callback", MeasureTiming::YES, timing)) {
            return failure;
        }
    }
    const auto& [sinceLaunch, sinceFence] = *info;
    if (sinceLaunch.timeInDriver && sinceFence.timeInDriver &&
        *sinceLaunch.timeInDriver < *sinceFence.timeInDriver) {
        return failed("the callback", "less time since the launch than since the fence",
                      "fenced.result");
    }
    return checkValues({}, sum.job.wanted(), *sum.arguments);
}

// Rule fenced.result: all fences are waited for, whichever is the last.
Failure waitsForEachFence(const SharedDevice& device, size_t count) {
    constexpr auto kDelay = 30ms;
    for (size_t late = 0; late < count; ++late) {
        PreparedJob sum;
        if (Failure failure = sum.begin(*device)) return failure;
        std::vector<OwnFence> fences(count);
        std::vector<SyncFence> waitFor;
        for (size_t i = 0; i < count; ++i) {
            if (!fences[i].ok()) return failed("the case", "no more descriptors");
            if (i != late) fences[i].signal();
            waitFor.push_back(fences[i].get());
        }
        const TimePoint start = Clock::now();
        std::jthread other([&] {
            std::this_thread::sleep_for(kDelay);
            fences[late].signal();
        });
        const auto launched = sum.prepared->executeFenced(sum.arguments->request(), waitFor,
                                                          MeasureTiming::NO, {}, {}, {}, {}, {});
        if (Failure failure = lackOfFences(*device, launched.status())) return failure;
        if (!launched.has_value())
            return failedCall("executeFenced", launched.status(), "fenced.result");
        if (Failure failure = nn::testing::waitFor(*launched, 10s)) return failure;
        if (Clock::now() - start < kDelay) {
            return failed("executeFenced",
                          fmt::format("ended before fence {} of {} was signaled, which it waits "
                                      "for",
                                      late + 1, count),
                          "fenced.result");
        }
        if (Failure failure = checkValues({}, sum.job.wanted(), *sum.arguments)) return failure;
    }
    return std::nullopt;
}

// Either the call fails, or its fence and callback do, with one of the codes.
Failure mustFailFenced(const IDevice& device, const Launched& launched, Codes codes,
                       const char* rules) {
    if (!launched.status.ok()) {
        if (Failure failure = lackOfFences(device, launched.status)) return failure;
        return mustFail("executeFenced", launched.status, codes, rules);
    }
    if (Failure failure = waitFor(launched.fence, 10s, SyncFence::FenceState::ERROR)) {
        return failure;
    }
    if (!launched.callback) return failed("executeFenced", "no callback", "fenced.result");
    return mustFail("the callback", launched.callback().status(), codes, rules);
}

Failure fenceInError(const SharedDevice& device, PreparedJob& sum, OwnFence& fence) {
    const Launched launched = launch(sum, fence, {}, {}, [&] {
        std::this_thread::sleep_for(20ms);
        fence.fail();
    });
    return mustFailFenced(*device, launched, {{GENERAL_FAILURE}},
                          "fenced.failed_fence, fence.order");
}

// Rules fenced.deadlines and fence.deadline: the deadline passes before the fence is signaled. The
// execution may be aborted, or go on.
Failure fenceAndDeadline(const SharedDevice& device, PreparedJob& sum, OwnFence& fence) {
    const Launched launched = launch(sum, fence, Clock::now() + 50ms, {}, [&] {
        std::this_thread::sleep_for(500ms);
        fence.signal();
    });
    const bool isDone =
            launched.status.ok() && launched.fence.syncWait(10s) == SyncFence::FenceState::SIGNALED;
    if (!isDone)
        return mustFailFenced(*device, launched, {kMissed}, "fenced.deadlines, fence.deadline");
    if (!launched.callback) return failed("executeFenced", "no callback", "fenced.result");
    const auto info = launched.callback();
    if (!info.has_value()) return failedCall("the callback", info.status(), "fenced.failed_fence");
    return checkValues({}, sum.job.wanted(), *sum.arguments);
}

// Rule fenced.deadlines: a sufficient timeout after the fence aborts nothing.
Failure timeAfterFence(const SharedDevice& device, PreparedJob& sum, OwnFence& fence) {
    fence.signal();
    const Launched launched = launch(sum, fence, {}, Duration(1h), [] {});
    if (Failure failure = lackOfFences(*device, launched.status)) return failure;
    if (!launched.status.ok())
        return failedCall("executeFenced", launched.status, "fenced.deadlines");
    if (Failure failure = waitFor(launched.fence, 10s, SyncFence::FenceState::SIGNALED)) {
        return failure;
    }
    return checkValues({}, sum.job.wanted(), *sum.arguments);
}

// Rule fenced.deadlines: the time counts from the fences, however late they are. On a busy machine
// an execution may take longer than it has: only what misses all of several is wrong.
Failure timeAfterLateFence(const SharedDevice& device) {
    constexpr Duration kLimit = 500ms;
    constexpr int kRuns = 4;
    for (int i = 0; i < kRuns; ++i) {
        PreparedJob sum;
        if (Failure failure = sum.begin(*device)) return failure;
        OwnFence fence;
        if (!fence.ok()) return failed("the case", "no more descriptors");
        const Launched launched = launch(sum, fence, {}, kLimit, [&] {
            std::this_thread::sleep_for(kLimit + 200ms);
            fence.signal();
        });
        const bool isDone = launched.status.ok() &&
                            launched.fence.syncWait(10s) == SyncFence::FenceState::SIGNALED;
        if (isDone) return checkValues({}, sum.job.wanted(), *sum.arguments);
        if (Failure failure = mustFailFenced(*device, launched, {kMissed}, "fenced.deadlines")) {
            return failure;
        }
    }
    return failed(
            "executeFenced",
            "misses its time limit of 500 ms after a fence that was signaled 700 ms after the "
            "call: counts it from the call",
            "fenced.deadlines");
}

// Rule wrapper.empty_fence: a fence without a descriptor in the list is signaled already.
Failure emptyFence(const SharedDevice& device, PreparedJob& sum) {
    const auto launched =
            sum.prepared->executeFenced(sum.arguments->request(), {SyncFence::createAsSignaled()},
                                        MeasureTiming::NO, {}, {}, {}, {}, {});
    if (Failure failure = lackOfFences(*device, launched.status())) return failure;
    // The HAL cannot carry it, but a device in the same process may accept it.
    if (launched.has_value()) {
        if (Failure failure = waitFor(*launched, 10s)) {
            return failure;
        }
        return checkValues({}, sum.job.wanted(), *sum.arguments);
    }
    return mustFail("executeFenced", launched.status(), {kInvalid}, "wrapper.empty_fence");
}

// ---- results

// Two inputs share a place in a pool.
Failure sharedPool(const SharedDevice&, PreparedJob& sum) {
    Request& request = sum.arguments->request();
    request.inputs[1] = request.inputs[0];
    const auto executed = execute(*sum.prepared, request);
    const JobCase twice(
            {.model = sum.job.model(), .inputs = {}, .outputs = {tensorOf({4}, ramp(4, 0, 2))}});
    return checkExecuted("execute", executed, MeasureTiming::NO, twice.wanted(), *sum.arguments);
}

// The request determines the sizes of inputs and outputs, in each execution anew.
Failure sizesOfRequest(const SharedDevice& device) {
    SharedPreparedModel prepared;
    if (Failure failure = prepareOn(*device, addition(0), &prepared)) return failure;
    bool hasSucceeded = false;
    for (const uint32_t size : {5u, 7u, 2u}) {
        Job job = sumJob(size);
        job.model = addition(0);
        const JobCase unknown(std::move(job));
        const Result<Arguments> arguments = unknown.arguments();
        if (!arguments.ok()) return failedCall("memory of the case", arguments.status());
        const auto executed = execute(*prepared, arguments->request());
        // A device that has executed one size supports such outputs.
        if (!hasSucceeded && !executed.has_value() && executed.error().code == GENERAL_FAILURE) {
            return notSupported(fmt::format("outputs whose size is not known beforehand ({})",
                                            executed.error().message));
        }
        if (Failure failure = checkExecuted(fmt::format("execute with size {}", size), executed,
                                            MeasureTiming::NO, unknown.wanted(), *arguments)) {
            return failure;
        }
        hasSucceeded = true;
    }
    return std::nullopt;
}

// Rules execution.timing and execution.unmeasured: whether one execution is measured has no effect
// on the next.
Failure measuredInTurn(const SharedDevice& device, PreparedJob& sum, ExecutionPath path) {
    using enum MeasureTiming;
    for (const MeasureTiming measure : {YES, NO, YES, NO, NO, YES}) {
        sum.arguments->clearOutputs();
        const auto executed =
                executeBy(path, *sum.prepared, sum.arguments->request(), {.measure = measure});
        if (Failure failure = lackOfFences(*device, executed.status(), path)) return failure;
        const char* place = measure == YES ? "execute, measured" : "execute after a measured one";
        if (Failure failure =
                    checkExecuted(place, executed, measure, sum.job.wanted(), *sum.arguments)) {
            return failure;
        }
    }
    return std::nullopt;
}

}  // namespace

void addExecution(Cases& cases, const DeviceTestOptions&) {
    const auto add = [&](std::string_view name, RunCase run) {
        cases.push_back(deviceCase(fmt::format("execution/{}", name), std::move(run)));
    };
    // Of a sum that is prepared.
    const auto addSum = [&](std::string_view name, auto run) {
        add(name, [run](const SharedDevice& device) -> Failure {
            PreparedJob sum;
            if (Failure failure = sum.begin(*device)) return failure;
            return run(device, sum);
        });
    };
    // Also of a fence that is not signaled yet.
    const auto addFenced = [&](std::string_view name, auto run) {
        addSum(name, [run](const SharedDevice& device, PreparedJob& sum) -> Failure {
            OwnFence fence;
            if (!fence.ok()) return failed("the case", "no more descriptors");
            return run(device, sum, fence);
        });
    };
    add("reusable_with_other_inputs", reusableWithOtherInputs);
    add("reusable_fenced", reusableFenced);
    addSum("burst_computes_nothing_fenced", burstComputesNothingFenced);
    addSum("burst_cache", burstCache);
    addFenced("waits_for_fence", waitsForFence);
    addFenced("fence_in_error", fenceInError);
    addFenced("fence_and_deadline", fenceAndDeadline);
    addFenced("time_after_fence", timeAfterFence);
    add("time_after_late_fence", timeAfterLateFence);
    addSum("empty_fence", emptyFence);
    addSum("shared_pool", sharedPool);
    add("sizes_of_request", sizesOfRequest);
    for (const ExecutionPath path : kExecutionPaths) {
        addSum(fmt::format("measured_in_turn/{}", nameOf(path)),
               [path](const SharedDevice& d, PreparedJob& sum) {
                   return measuredInTurn(d, sum, path);
               });
    }
    add("each_of_two_fences", [](const SharedDevice& d) { return waitsForEachFence(d, 2); });
    add("each_of_three_fences", [](const SharedDevice& d) { return waitsForEachFence(d, 3); });
}

}  // namespace nn::testing
