// Cases of concurrent use, rules object.concurrency, burst.one_at_a_time, hidl.concurrency,
// burst.second_execution and device_test.stress.
#include <algorithm>
#include <atomic>

#include "device_test/cases/cache_fixture.h"
#include "device_test/cases/cases.h"
#include "device_test/cases/device_memory.h"
#include "device_test/cases/execution_paths.h"
#include "device_test/cases/prepared_case.h"
#include "device_test/cases/threads.h"
#include "nnapi/memory.h"

namespace nn::testing {
namespace {

using enum ErrorStatus;

constexpr int kRounds = 25;

Failure computesBy(ExecutionPath path, const IDevice& device, const IPreparedModel& prepared,
                   const JobCase& job) {
    const Result<Arguments> arguments = job.arguments();
    if (!arguments.ok()) return failedCall("memory of the case", arguments.status());
    const auto executed = executeBy(path, prepared, arguments->request());
    if (lackOfFences(device, executed.status(), path)) return std::nullopt;
    return checkExecuted(fmt::format("execute ({})", nameOf(path)), executed, MeasureTiming::NO,
                         job.wanted(), *arguments);
}

// Rule hidl.concurrency: any mix of executions of one prepared model.
Failure oneModel(const SharedDevice& device) {
    SharedPreparedModel prepared;
    if (Failure failure = prepareOn(*device, addition(256), &prepared)) return failure;
    return onThreads([&](size_t thread) -> Failure {
        const JobCase job(sumJob(256, static_cast<float>(thread + 1)));
        for (int round = 0; round < kRounds; ++round) {
            const ExecutionPath path =
                    kExecutionPaths[(thread + static_cast<size_t>(round)) % kExecutionPaths.size()];
            if (Failure failure = computesBy(path, *device, *prepared, job)) return failure;
        }
        return std::nullopt;
    });
}

// Rule hidl.concurrency: several threads prepare at once, the same model and others.
Failure preparing(const SharedDevice& device) {
    if (Failure failure = checkSupports(*device, chain(3, 16))) return failure;
    return onThreads([&](size_t thread) -> Failure {
        for (int round = 0; round < kRounds; ++round) {
            const JobCase job(chainJob(2 + thread % 3, 16));
            SharedPreparedModel prepared;
            if (Failure failure = prepareOn(*device, job.model(), &prepared)) return failure;
            if (Failure failure = checkComputes("execute", *prepared, job)) return failure;
        }
        return std::nullopt;
    });
}

// Prepares and releases many models in turn.
Failure manyModels(const SharedDevice& device) {
    std::vector<std::unique_ptr<JobCase>> jobs;
    std::vector<SharedPreparedModel> prepared(24);
    for (size_t i = 0; i < prepared.size(); ++i) {
        jobs.push_back(std::make_unique<JobCase>(chainJob(1 + i, 16)));
        if (Failure failure = prepareOn(*device, jobs[i]->model(), &prepared[i])) return failure;
    }
    return onThreads([&](size_t thread) -> Failure {
        for (size_t i = 0; i < prepared.size() * 2; ++i) {
            const size_t k = (i * 7 + thread) % prepared.size();
            if (Failure failure = checkComputes("execute", *prepared[k], *jobs[k])) return failure;
        }
        return std::nullopt;
    });
}

// Only an execution on a burst that threads share may fail.
Failure computesOnBurst(const char* place, const IBurst& burst, size_t thread, bool isShared) {
    const JobCase job(sumJob(64, static_cast<float>(thread + 1)));
    const Result<Arguments> arguments = job.arguments();
    if (!arguments.ok()) return failedCall("memory of the case", arguments.status());
    for (int round = 0; round < kRounds; ++round) {
        const auto executed =
                burst.execute(arguments->request(), MeasureTiming::NO, {}, {}, {}, {});
        Failure failure = isShared && !executed.has_value()
                                  ? mustFail(place, executed.status(),
                                             {{GENERAL_FAILURE, RESOURCE_EXHAUSTED_TRANSIENT}},
                                             "burst.second_execution")
                                  : checkExecuted(place, executed, MeasureTiming::NO, job.wanted(),
                                                  *arguments);
        if (failure) return failure;
    }
    return std::nullopt;
}

// Two bursts of one prepared model are independent.
Failure twoBursts(const SharedDevice& device) {
    SharedPreparedModel prepared;
    if (Failure failure = prepareOn(*device, addition(64), &prepared)) return failure;
    std::array<SharedBurst, 2> bursts;
    for (SharedBurst& burst : bursts) {
        if (Failure failure = createBurst(*prepared, &burst)) return failure;
    }
    return onThreads([&](size_t thread) -> Failure {
        if (thread >= bursts.size()) return std::nullopt;
        return computesOnBurst("execute of a burst", *bursts[thread], thread, /*isShared=*/false);
    });
}

// Rules burst.one_at_a_time and burst.second_execution: several threads on one burst. Each
// execution succeeds, or fails because another one is running.
Failure oneBurst(const SharedDevice& device) {
    SharedPreparedModel prepared;
    if (Failure failure = prepareOn(*device, addition(64), &prepared)) return failure;
    SharedBurst burst;
    if (Failure failure = createBurst(*prepared, &burst)) return failure;
    return onThreads([&](size_t thread) {
        return computesOnBurst("execute of the burst", *burst, thread, /*isShared=*/true);
    });
}

// Prepared models, executions and bursts are made and released while others run.
Failure createdAndReleasedConcurrently(const SharedDevice& device) {
    if (Failure failure = checkSupports(*device, addition(16))) return failure;
    return onThreads([&](size_t) -> Failure {
        const JobCase job(sumJob(16));
        for (int round = 0; round < kRounds; ++round) {
            SharedPreparedModel prepared;
            if (Failure failure = prepareOn(*device, job.model(), &prepared)) return failure;
            SharedBurst burst;
            if (Failure failure = createBurst(*prepared, &burst)) return failure;
            const Result<Arguments> arguments = job.arguments();
            if (!arguments.ok()) return failedCall("memory of the case", arguments.status());
            SharedExecution execution;
            if (Failure failure = createExecution(*prepared, arguments->request(), &execution)) {
                return failure;
            }
            prepared.reset();  // the execution must not depend on this reference
            if (Failure failure = checkExecuted("compute", execution->compute({}),
                                                MeasureTiming::NO, job.wanted(), *arguments)) {
                return failure;
            }
        }
        return std::nullopt;
    });
}

// Rule execution.inputs: executions that meet use disjoint parts of one pool; each writes only its
// outputs, and the client the other parts.
class OnePool {
   public:
    static constexpr uint32_t kCount = 512;  // floats
    static constexpr uint32_t kPart = 3 * (kCount * sizeof(float));

    OnePool(SharedMemory pool, size_t thread)
        : mPool(std::move(pool)), mBegin(static_cast<uint32_t>(thread) * kPart) {
        for (uint32_t i = 0; i < 3; ++i) {
            Request::Argument argument{.location = {.offset = mBegin + i * kSize, .length = kSize}};
            (i < 2 ? mRequest.inputs : mRequest.outputs).push_back(argument);
        }
        mRequest.pools = {mPool};
    }

    Failure round(const IPreparedModel& prepared, float scale) const {
        const Job job = sumJob(kCount, scale);
        std::vector<uint8_t> part = job.inputs[0].data;
        part.insert(part.end(), job.inputs[1].data.begin(), job.inputs[1].data.end());
        part.resize(kPart, 0xA5);
        const Status written = writeMemory(mPool, mBegin, part);
        if (!written.ok()) return failedCall("memory of the case", written);
        const auto executed = execute(prepared, mRequest);
        if (!executed.has_value())
            return failedCall("execute", executed.status(), "execution.result");
        std::copy(job.outputs[0].data.begin(), job.outputs[0].data.end(),
                  part.begin() + 2 * ptrdiff_t{kSize});
        std::vector<uint8_t> found(kPart);
        const Status read = readMemory(mPool, mBegin, found);
        if (!read.ok()) return failedCall("memory of the case", read);
        if (found == part) return std::nullopt;
        const bool isInput =
                !std::equal(found.begin(), found.begin() + 2 * ptrdiff_t{kSize}, part.begin());
        return failed("execute",
                      fmt::format("{} changed while executions of other threads use other parts of "
                                  "the pool; each writes only its outputs",
                                  isInput ? "the inputs have" : "the sum is wrong or has"),
                      "execution.inputs");
    }

    // Writes to the part again and again while others execute; each value must stay.
    Failure writeUntil(const std::function<bool()>& isOver, std::atomic<int>& writes) const {
        std::vector<uint8_t> found(sizeof(uint32_t));
        for (uint8_t value = 1; !isOver(); ++value) {
            const std::vector<uint8_t> written(found.size(), value);
            Status status = writeMemory(mPool, mBegin, written);
            std::this_thread::yield();
            if (status.ok()) status = readMemory(mPool, mBegin, found);
            if (!status.ok()) return failedCall("memory of the case", status);
            ++writes;
            if (found == written) continue;
            return failed("execute",
                          "an execution has written to a part of the pool that is not its output",
                          "execution.inputs");
        }
        return std::nullopt;
    }

   private:
    static constexpr uint32_t kSize = kCount * sizeof(float);
    SharedMemory mPool;
    uint32_t mBegin;
    Request mRequest{};
};

Failure onePool(const SharedDevice& device) {
    SharedPreparedModel prepared;
    if (Failure failure = prepareOn(*device, addition(OnePool::kCount), &prepared)) return failure;
    const Result<SharedMemory> pool = createSharedMemory(kThreads * OnePool::kPart);
    if (!pool.ok()) return failedCall("memory of the case", pool.status());
    // On a busy machine the writer may begin late, or seldom run.
    constexpr int kWrites = 500, kMaxRounds = 2000;
    std::atomic<int> writes = 0;
    std::atomic<size_t> executing = kThreads - 1;
    return onThreads([&](size_t thread) -> Failure {
        const OnePool own(*pool, thread);
        if (thread == 0) return own.writeUntil([&] { return executing == 0; }, writes);
        // Also where the device throws.
        const std::shared_ptr<void> atEnd(nullptr, [&](void*) { --executing; });
        const auto goesOn = [&](int round) {
            return round <= 2 * kRounds || (writes < kWrites && round <= kMaxRounds);
        };
        for (int round = 1; goesOn(round); ++round) {
            if (Failure failure = own.round(*prepared, static_cast<float>(round))) return failure;
        }
        return std::nullopt;
    });
}

// Rule reusable.computations: concurrent computes of one execution share its memory, but none
// fails.
Failure oneExecution(const SharedDevice& device) {
    PreparedJob sum{.job = JobCase(sumJob(64))};
    SharedExecution execution;
    if (Failure failure = sum.begin(*device, &execution)) return failure;
    DeviceOutcome outcome = onThreads([&](size_t) -> Failure {
        for (int round = 0; round < kRounds; ++round) {
            const auto computed = execution->compute({});
            if (!computed.has_value())
                return failedCall("compute", computed.status(),
                                  "reusable.computations, wrapper.reusable");
        }
        return std::nullopt;
    });
    if (outcome.result != DeviceOutcome::Result::PASSED) return outcome;
    return checkValues({}, sum.job.wanted(), *sum.arguments).value_or(outcome);
}

// Rule device_test.stress: memory is mapped and released during executions.
Failure memoryDuringExecutions(const SharedDevice& device) {
    SharedPreparedModel prepared;
    if (Failure failure = prepareOn(*device, addition(4096), &prepared)) return failure;
    return onThreads([&](size_t thread) -> Failure {
        const JobCase job(sumJob(4096, static_cast<float>(thread + 1)));
        for (int round = 0; round < kRounds; ++round) {
            if (Failure failure = checkComputes("execute", *prepared, job)) return failure;
            (void)createSharedMemory(1 << 20);
        }
        return std::nullopt;
    });
}

bool isLack(const Failure& failure) {
    return failure && failure->result == DeviceOutcome::Result::NOT_SUPPORTED;
}

// Rules hidl.concurrency and device_test.stress: every thread runs all paths, each starting with
// another one.
Failure allPaths(const SharedDevice& device, const std::string& folder) {
    SharedPreparedModel prepared;
    if (Failure failure = prepareOn(*device, addition(64), &prepared)) return failure;
    return onThreads([&](size_t thread) -> Failure {
        const JobCase job(sumJob(64, static_cast<float>(thread + 1)));
        DeviceMemory domain(device);
        CacheFixture cache(device, folder, chainJob(2 + thread, 16));
        const Failure noMemory = domain.begin();
        const Failure noCache = cache.begin();
        for (const Failure& failure : {noMemory, noCache}) {
            if (failure && !isLack(failure)) return failure;
        }
        for (size_t round = 0; round < kRounds; ++round) {
            const size_t path = (thread + round) % (kExecutionPaths.size() + 2);
            Failure failure;
            if (path < kExecutionPaths.size()) {
                failure = computesBy(kExecutionPaths[path], *device, *prepared, job);
            } else if (path == kExecutionPaths.size()) {
                if (!noMemory) failure = executeOnBuffers(domain);
            } else if (!noCache) {
                failure = cache.saveAndLoad();
            }
            if (failure && !isLack(failure)) return failure;
        }
        return std::nullopt;
    });
}

}  // namespace

void addConcurrency(Cases& cases, const DeviceTestOptions& options) {
    const auto add = [&](const char* name, RunCase run) {
        cases.push_back(deviceCase(fmt::format("concurrency/{}", name), std::move(run)));
    };
    add("one_model", oneModel);
    add("preparing", preparing);
    add("many_models", manyModels);
    add("two_bursts", twoBursts);
    add("one_burst", oneBurst);
    add("one_execution", oneExecution);
    add("one_pool", onePool);
    add("coming_and_going", createdAndReleasedConcurrently);
    add("memory_under_way", memoryDuringExecutions);
    add("all_paths", [folder = options.temporaryFolder](const SharedDevice& device) {
        return allPaths(device, folder);
    });
}

}  // namespace nn::testing
