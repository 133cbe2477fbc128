// Calls that fail, many times: a driver releases all that it has acquired for them.
#include <utility>

#include "device_test/cases/cache_fixture.h"
#include "device_test/cases/cases.h"
#include "device_test/cases/device_memory.h"
#include "device_test/cases/growth.h"

namespace nn::testing {
namespace {

using enum ErrorStatus;

Failure mustFailBy(ExecutionPath path, const IDevice& device, const PreparedJob& sum,
                   const Request& request, const OptionalTimePoint& deadline) {
    const auto executed = executeBy(path, *sum.prepared, request, {.deadline = deadline});
    if (Failure failure = lackOfFences(device, executed.status(), path)) return failure;
    const Codes allowed = deadline ? Codes{kMissedOrFailed} : Codes{kInvalidOrFailed};
    return mustFail("execute", executed.status(), allowed,
                    deadline ? "deadline.past" : "execution.result");
}

// An input is missing.
Failure illegalRequests(ExecutionPath path, size_t times, const SharedDevice& device) {
    PreparedJob sum;
    if (Failure failure = sum.begin(*device)) return failure;
    Request request = sum.arguments->request();
    request.inputs.pop_back();
    return repeat("executions that fail", times,
                  [&] { return mustFailBy(path, *device, sum, request, {}); });
}

Failure missedDeadlines(ExecutionPath path, size_t times, const SharedDevice& device) {
    PreparedJob sum;
    if (Failure failure = sum.begin(*device)) return failure;
    return repeat("executions that miss their deadline", times, [&] {
        return mustFailBy(path, *device, sum, sum.arguments->request(), TimePoint{});
    });
}

// The output is too small.
Failure smallOutputs(size_t times, const SharedDevice& device) {
    SharedPreparedModel prepared;
    if (Failure failure = prepareOn(*device, addition(0), &prepared)) return failure;
    Result<Arguments> arguments = JobCase(sumJob()).arguments();
    if (!arguments.ok()) return failedCall("memory of the case", arguments.status());
    Request request = arguments->request();
    --request.outputs[0].location.length;
    return repeat("executions into outputs that are too small", times, [&] {
        const auto executed = execute(*prepared, request);
        return mustFail("execute", executed.status(), {{OUTPUT_INSUFFICIENT_SIZE, GENERAL_FAILURE}},
                        "execution.insufficient_shapes");
    });
}

// A fence that is in error.
Failure failedFences(size_t times, const SharedDevice& device) {
    PreparedJob sum;
    if (Failure failure = sum.begin(*device)) return failure;
    return repeat("executions behind fences in error", times, [&]() -> Failure {
        OwnFence fence;
        if (!fence.ok()) return failed("the case", "no more descriptors");
        fence.fail();
        const auto launched = sum.prepared->executeFenced(sum.arguments->request(), {fence.get()},
                                                          MeasureTiming::NO, {}, {}, {}, {}, {});
        if (Failure failure = lackOfFences(*device, launched.status())) return failure;
        if (!launched.has_value()) {
            return mustFail("executeFenced", launched.status(), {kInvalidOrFailed},
                            "fenced.failed_fence");
        }
        (void)launched->first.syncWait(std::chrono::seconds(10));
        if (!launched->second) return failed("executeFenced", "no callback", "fenced.result");
        return mustFail("the callback", launched->second().status(), {kInvalidOrFailed},
                        "fenced.failed_fence");
    });
}

Failure rejectedModels(size_t times, const SharedDevice& device) {
    if (Failure failure = checkSupports(*device, chain(3, 16))) return failure;
    Model model = chain(8, 1024);
    model.main.operations.back().inputs.pop_back();
    return repeat("models that are not legal", times, [&] {
        return mustFail("prepareModel", prepareOn(*device, model).status(), {kInvalid},
                        "prepare.arguments");
    });
}

Failure latePreparations(size_t times, const SharedDevice& device) {
    const Model model = chain(8, 1024);
    if (Failure failure = checkSupports(*device, model)) return failure;
    return repeat("preparations that miss their deadline", times, [&] {
        const auto prepared =
                device->prepareModel(model, ExecutionPreference::DEFAULT, Priority::DEFAULT,
                                     TimePoint{}, {}, {}, {}, {}, {});
        return mustFail("prepareModel", prepared.status(), {kMissed}, "deadline.past");
    });
}

Failure emptyCaches(size_t times, const std::string& folder, const SharedDevice& device) {
    CacheFixture cache(device, folder);
    if (Failure failure = cache.begin()) return failure;
    return repeat("loads of empty files", times, [&] {
        return mustNotLoad(cache.load(), "cache.load, cache.unusable_descriptor");
    });
}

// A role of an input that the model does not have.
Failure refusedBuffers(size_t times, const SharedDevice& device) {
    DeviceMemory domain(device);
    if (Failure failure = domain.begin()) return failure;
    return repeat("allocations that fail", times, [&] {
        return mustFail("allocate", domain.allocate({}, {role(7)}, {}).status(), {kInvalidOrFailed},
                        "buffer.token");
    });
}

}  // namespace

void addGrowthOfFailures(Cases& cases, const DeviceTestOptions& options) {
    const size_t times = options.executions / 4;
    const auto add = [&](std::string_view name, RunCase run) {
        cases.push_back(deviceCase(fmt::format("growth/failures/{}", name), std::move(run)));
    };
    for (const ExecutionPath path : kExecutionPaths) {
        add(fmt::format("request_{}", nameOf(path)),
            [=](const SharedDevice& d) { return illegalRequests(path, times, d); });
        add(fmt::format("deadline_{}", nameOf(path)),
            [=](const SharedDevice& d) { return missedDeadlines(path, times, d); });
    }
    add("small_output", [=](const SharedDevice& d) { return smallOutputs(times, d); });
    add("fence", [=](const SharedDevice& d) { return failedFences(times, d); });
    add("model", [=](const SharedDevice& d) { return rejectedModels(times, d); });
    add("late_preparation", [=](const SharedDevice& d) { return latePreparations(times, d); });
    add("cache", [=, folder = options.temporaryFolder](const SharedDevice& d) {
        return emptyCaches(times, folder, d);
    });
    add("allocation", [=](const SharedDevice& d) { return refusedBuffers(times, d); });
}

}  // namespace nn::testing
