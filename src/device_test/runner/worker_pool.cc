#include "device_test/runner/worker_pool.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <deque>

#include "device_test/runner/case_result.h"
#include "device_test/runner/worker_process.h"

namespace nn::testing {
namespace {

// Opening a device may take longer than the shortest limit of a case.
constexpr Duration kMinToOpen = std::chrono::seconds(10);
// A case whose calls all return in time, and that does not end.
constexpr int kMaxLimitsOfCase = 40;

}  // namespace

// A process, and its current batch.
class WorkerPool::Worker {
   public:
    Worker(WorkerProcess process, TimePoint now) : process(std::move(process)), since(now) {}

    WorkerProcess process;
    bool isReady = false;
    bool isMalformed = false;      // it has written a line that no worker writes
    std::deque<size_t> tasks{};    // not completed yet; the first is running
    std::deque<Json> items{};      // their inputs, as in `tasks` of the line
    Json rest{};                   // the line without its tasks
    TimePoint since;               // start of the first of them, or of the worker
    std::optional<size_t> last{};  // the task that it completed last
    bool isIdle() const { return isReady && tasks.empty(); }
};

class WorkerPool::Run {
   public:
    Run(const Options& options, const std::function<std::optional<Batch>()>& nextBatch,
        const std::function<void(size_t, TaskResult)>& onResult)
        : mOptions(options), mNextBatch(nextBatch), mOnResult(onResult) {}

    Status run() {
        while (!isStopped()) {
            NNAPI_RETURN_IF_ERROR(startWorkers());
            giveBatches();
            if (mWorkers.empty()) break;
            NNAPI_RETURN_IF_ERROR(waitForResults());
        }
        for (auto& worker : mWorkers) worker->process.kill();
        return {};
    }

   private:
    bool isStopped() const {
        return (mOptions.isCancelled && mOptions.isCancelled()) ||
               (mOptions.end && Clock::now() >= *mOptions.end);
    }

    // The next tasks that are not skipped, including those of lost workers.
    std::optional<Batch> takeBatch() {
        for (;;) {
            std::optional<Batch> batch = takeAnyBatch();
            if (!batch || !mOptions.skips) return batch;
            Batch wanted{.line = batch->line};
            wanted.line["tasks"] = Json::array();
            for (size_t i = 0; i < batch->tasks.size(); ++i) {
                if (mOptions.skips(batch->tasks[i])) continue;
                wanted.tasks.push_back(batch->tasks[i]);
                wanted.line["tasks"].push_back(std::move(batch->line["tasks"][i]));
            }
            if (!wanted.tasks.empty()) return wanted;
        }
    }

    std::optional<Batch> takeAnyBatch() {
        if (!mWaiting.empty()) {
            Batch batch = std::move(mWaiting.front());
            mWaiting.pop_front();
            return batch;
        }
        if (mIsOver) return std::nullopt;
        std::optional<Batch> batch = mNextBatch();
        mIsOver = !batch;
        return batch;
    }

    // Starts as many workers as there is work for.
    Status startWorkers() {
        while (mWorkers.size() < mOptions.workers) {
            const auto starting = static_cast<size_t>(std::ranges::count_if(
                    mWorkers, [](const auto& worker) { return worker->tasks.empty(); }));
            while (mWaiting.size() <= starting && !mIsOver) {
                if (std::optional<Batch> batch = mNextBatch()) {
                    mWaiting.push_back(*std::move(batch));
                } else {
                    mIsOver = true;
                }
            }
            if (mWaiting.size() <= starting) return {};
            Result<WorkerProcess> process = WorkerProcess::start(mOptions.program);
            if (!process.ok()) return process.status();
            mWorkers.push_back(std::make_unique<Worker>(*std::move(process), Clock::now()));
            mWorkers.back()->process.socket().send(mOptions.hello);
        }
        return {};
    }

    void giveBatches() {
        for (size_t i = 0; i < mWorkers.size();) {
            Worker& worker = *mWorkers[i];
            if (!worker.isIdle()) {
                ++i;
                continue;
            }
            std::optional<Batch> batch = takeBatch();
            if (!batch) {
                worker.process.socket().close();
                worker.process.calls().hasBeenSeen = true;  // no stacks are read here
                reportLateCrash(worker, worker.process.waitForEnd(kToEnd));
                mWorkers.erase(mWorkers.begin() + static_cast<ptrdiff_t>(i));
                continue;
            }
            worker.process.socket().send(batch->line);
            worker.tasks.assign(batch->tasks.begin(), batch->tasks.end());
            worker.items.clear();
            for (Json& item : batch->line["tasks"]) worker.items.push_back(std::move(item));
            worker.rest = std::move(batch->line);
            worker.rest.erase("tasks");
            worker.since = Clock::now();
            ++i;
        }
    }

    void reportLateCrash(const Worker& worker, const std::string& how) {
        if (worker.last && how.starts_with("ended by") && mOptions.onLateCrash) {
            mOptions.onLateCrash(*worker.last, how);
        }
    }

    // When a worker is late: long after it was last heard of, or has last called the device or seen
    // a call return. A case may consist of many slow calls, but not without end.
    TimePoint dueTimeOf(Worker& worker) const {
        const Duration limit = limitOf(worker);
        const TimePoint active = std::max(worker.since, quietSince(worker.process.calls()));
        return std::min(active + limit, worker.since + kMaxLimitsOfCase * limit);
    }

    Duration limitOf(const Worker& worker) const {
        return worker.isReady ? mOptions.timeLimit : std::max(mOptions.timeLimit, kMinToOpen);
    }

    Status waitForResults() {
        std::vector<pollfd> descriptors;
        Duration left = std::min(mOptions.timeLimit, kBetweenLooks);
        const TimePoint now = Clock::now();
        if (mOptions.end) left = std::min<Duration>(left, *mOptions.end - now);
        for (auto& worker : mWorkers) {
            descriptors.push_back(
                    {.fd = worker->process.socket().fd(), .events = POLLIN, .revents = 0});
            left = std::min<Duration>(left, dueTimeOf(*worker) - now);
        }
        const auto milliseconds =
                std::chrono::ceil<std::chrono::milliseconds>(std::max(left, Duration::zero()));
        poll(descriptors.data(), descriptors.size(), static_cast<int>(milliseconds.count()));
        for (size_t i = descriptors.size(); i-- > 0;) {
            Worker& worker = *mWorkers[i];
            const bool hasCome = (descriptors[i].revents & (POLLIN | POLLHUP | POLLERR)) != 0;
            const bool isThere = worker.process.receive(hasCome);
            NNAPI_RETURN_IF_ERROR(takeResults(worker));
            // A result may have come while another worker was checked, but not without end.
            const Duration late = Clock::now() - dueTimeOf(worker);
            const bool isLate = late >= Duration::zero() &&
                                (late >= limitOf(worker) || !worker.process.socket().hasInput());
            if (worker.isMalformed) {
                worker.process.kill();
                NNAPI_RETURN_IF_ERROR(
                        replace(i, {.kind = TaskResult::Kind::MALFORMED,
                                    .how = "has written something else to its socket"}));
            } else if (!isThere) {
                const bool isHandled = worker.process.calls().crash.thread != 0;
                TaskResult result{.kind = TaskResult::Kind::CRASH};
                if (isHandled) {
                    result.call = lastCall(worker.process.calls());
                    result.stacks = worker.process.stacks(mStacks);
                }
                result.how = worker.process.waitForEnd(kToEnd);
                NNAPI_RETURN_IF_ERROR(replace(i, std::move(result)));
            } else if (!worker.isIdle() && isLate) {
                // The call first: a signal for a stack may end the driver's wait.
                TaskResult result{.kind = TaskResult::Kind::HANG,
                                  .how = "has not replied in time",
                                  .call = lastCall(worker.process.calls())};
                result.stacks = worker.process.stacks(mStacks);
                worker.process.kill();
                NNAPI_RETURN_IF_ERROR(replace(i, std::move(result)));
            }
        }
        return {};
    }

    Status takeResults(Worker& worker) {
        while (std::optional<Json> line = isStopped() || worker.isMalformed
                                                  ? std::nullopt
                                                  : worker.process.socket().next()) {
            const TimePoint now = Clock::now();
            if (!worker.isReady) {
                if (line->is_object() && line->contains("error")) {
                    return makeError(ErrorStatus::GENERAL_FAILURE, errorIn(*line));
                }
                worker.isMalformed = !isReadyLine(*line);
                worker.isReady = !worker.isMalformed;
                mWasReady = mWasReady || worker.isReady;
            } else if (worker.tasks.empty() || !isOutcome(*line)) {
                worker.isMalformed = true;
            } else {
                mOnResult(worker.tasks.front(),
                          {.line = *std::move(line), .took = now - worker.since});
                worker.last = worker.tasks.front();
                worker.tasks.pop_front();
                worker.items.pop_front();
            }
            worker.since = now;
        }
        return {};
    }

    // The first of its tasks is to blame; the others go to another worker.
    Status replace(size_t index, TaskResult result) {
        const std::unique_ptr<Worker> worker = std::move(mWorkers[index]);
        mWorkers.erase(mWorkers.begin() + static_cast<ptrdiff_t>(index));
        if (!worker->isReady && !mWasReady) {
            return makeError(
                    ErrorStatus::GENERAL_FAILURE,
                    fmt::format("the device cannot be opened: the process {}", result.how));
        }
        if (worker->tasks.empty()) {
            reportLateCrash(*worker, result.how);
            // It ended between two batches, or while opening the device again.
            return ++mLost < kMaxLost
                           ? Status()
                           : makeError(ErrorStatus::GENERAL_FAILURE,
                                       fmt::format("workers end again and again without a task: "
                                                   "the last one {}",
                                                   result.how));
        }
        const size_t culprit = worker->tasks.front();
        worker->tasks.pop_front();
        worker->items.pop_front();
        if (!worker->tasks.empty()) {
            Batch batch{.line = std::move(worker->rest)};
            batch.line["tasks"] = Json::array();
            for (Json& item : worker->items) batch.line["tasks"].push_back(std::move(item));
            batch.tasks.assign(worker->tasks.begin(), worker->tasks.end());
            mWaiting.push_front(std::move(batch));
        }
        result.took = Clock::now() - worker->since;
        if (!result.call) result.call = lastCall(worker->process.calls());
        mOnResult(culprit, std::move(result));
        return {};
    }

    static constexpr int kMaxLost = 20;

    const Options& mOptions;
    const std::function<std::optional<Batch>()>& mNextBatch;
    const std::function<void(size_t, TaskResult)>& mOnResult;
    std::vector<std::unique_ptr<Worker>> mWorkers{};
    std::deque<Batch> mWaiting{};
    StackReader mStacks{};
    bool mIsOver = false;    // there are no more batches
    bool mWasReady = false;  // at least one worker has opened the device
    int mLost = 0;
};

WorkerPool::WorkerPool(Options options) : mOptions(std::move(options)) {}
WorkerPool::~WorkerPool() = default;

Status WorkerPool::run(const std::function<std::optional<Batch>()>& nextBatch,
                       const std::function<void(size_t, TaskResult)>& onResult) {
    return Run(mOptions, nextBatch, onResult).run();
}

}  // namespace nn::testing
