// Cases that detect leaks: descriptors, threads, mappings and heap of this process must not grow
// with the number of executions, nor the time of each. For a driver in another process, only the
// client side is seen.
#include "device_test/cases/growth.h"
#include "device_test/cases/cache_fixture.h"
#include "device_test/cases/device_memory.h"

namespace nn::testing {
namespace {

Failure executing(ExecutionPath path, size_t executions, const SharedDevice& device) {
    PreparedJob sum;
    if (Failure failure = sum.begin(*device)) return failure;
    return repeat("executions", executions, [&] { return executeOnce(path, *device, sum); });
}

// Many more on one burst, whose cache must not grow with new memories.
Failure onOneBurst(size_t executions, const SharedDevice& device) {
    const JobCase job(sumJob());
    SharedPreparedModel prepared;
    if (Failure failure = prepareOn(*device, job.model(), &prepared)) return failure;
    SharedBurst burst;
    if (Failure failure = createBurst(*prepared, &burst)) return failure;
    return repeat("executions", executions, [&]() -> Failure {
        const Result<Arguments> arguments = job.arguments();
        if (!arguments.ok()) return failedCall("memory of the case", arguments.status());
        const auto hold = burst->cacheMemory(arguments->inputMemory());
        const auto executed =
                burst->execute(arguments->request(), MeasureTiming::NO, {}, {}, {}, {});
        return checkExecuted("execute of the burst", executed, MeasureTiming::NO, job.wanted(),
                             *arguments);
    });
}

Failure preparing(size_t times, const SharedDevice& device) {
    const JobCase job(chainJob(3, 16));
    return repeat("preparations", times, [&] { return prepareOnce(*device, job); });
}

Failure allocating(size_t times, const SharedDevice& device) {
    DeviceMemory domain(device);
    if (Failure failure = domain.begin()) return failure;
    return repeat("executions on buffers", times,
                  [&]() -> Failure { return executeOnBuffers(domain); });
}

Failure caching(size_t times, const std::string& folder, const SharedDevice& device) {
    CacheFixture cache(device, folder);
    if (Failure failure = cache.begin()) return failure;
    return repeat("loads from a cache", times, [&]() -> Failure { return cache.saveAndLoad(); });
}

}  // namespace

void addGrowth(Cases& cases, const DeviceTestOptions& options) {
    const size_t executions = options.executions;
    // Slower actions are repeated less, but often enough to detect growth.
    const size_t fewer = executions / 2;
    const auto add = [&](std::string_view name, RunCase run) {
        cases.push_back(deviceCase(fmt::format("growth/{}", name), std::move(run)));
    };
    for (const ExecutionPath path : kExecutionPaths) {
        add(nameOf(path), [=](const SharedDevice& d) { return executing(path, executions, d); });
    }
    add("one_burst", [=](const SharedDevice& d) { return onOneBurst(executions, d); });
    add("preparing", [=](const SharedDevice& d) { return preparing(fewer, d); });
    add("device_memory", [=](const SharedDevice& d) { return allocating(fewer, d); });
    add("cache", [=, folder = options.temporaryFolder](const SharedDevice& d) {
        return caching(fewer, folder, d);
    });
    add("descriptor_0", [=, folder = options.temporaryFolder](const SharedDevice& d) {
        return closingZero(folder, d);
    });
    addGrowthOfFailures(cases, options);
}

}  // namespace nn::testing
