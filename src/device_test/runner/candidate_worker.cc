#include "device_test/runner/candidate_worker.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>

#include "device_test/runner/case_result.h"

namespace nn::testing {
namespace {

constexpr Duration kStartOfWorker = std::chrono::seconds(20);

}  // namespace

WorkerPool::TaskResult CandidateWorker::resultOf(Json line, Duration took) {
    const bool isLegal =
            mIsReady ? isOutcome(line)
                     : isReadyLine(line) || (line.is_object() && line.contains("error"));
    if (isLegal) return {.line = std::move(line), .took = took};
    mProcess.reset();
    return {.kind = WorkerPool::TaskResult::Kind::MALFORMED,
            .how = "has written something else to its socket",
            .took = took};
}

WorkerPool::TaskResult CandidateWorker::nextResult(Duration timeLimit) {
    using Kind = WorkerPool::TaskResult::Kind;
    const TimePoint begin = Clock::now();
    for (;;) {
        const Duration took = Clock::now() - begin;
        if (std::optional<Json> line = mProcess->socket().next()) {
            return resultOf(*std::move(line), took);
        }
        const TimePoint active = std::max(begin, quietSince(mProcess->calls()));
        if (Clock::now() - active >= timeLimit) {
            const auto call = lastCall(mProcess->calls());
            mProcess.reset();
            return {.kind = Kind::HANG,
                    .how = "has not replied in time",
                    .call = call,
                    .took = took};
        }
        pollfd descriptor{.fd = mProcess->socket().fd(), .events = POLLIN, .revents = 0};
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(
                std::min<Duration>(active + timeLimit - Clock::now(), kBetweenLooks));
        const bool hasInput = poll(&descriptor, 1, static_cast<int>(left.count())) > 0;
        if (mProcess->receive(hasInput)) continue;
        // A line that arrives with the end is a result, too.
        if (std::optional<Json> line = mProcess->socket().next()) {
            return resultOf(*std::move(line), took);
        }
        mProcess->calls().hasBeenSeen = true;  // no stacks are read here
        std::string how = mProcess->waitForEnd(kToEnd);
        const auto call = lastCall(mProcess->calls());
        mProcess.reset();
        return {.kind = Kind::CRASH, .how = std::move(how), .call = call, .took = took};
    }
}

Status CandidateWorker::start() {
    NNAPI_ASSIGN_OR_RETURN(process, WorkerProcess::start(mProgram));
    mProcess.emplace(std::move(process));
    mIsReady = false;
    mProcess->socket().send(mHello);
    const WorkerPool::TaskResult ready = nextResult(kStartOfWorker);
    const bool isCompleted = ready.kind == WorkerPool::TaskResult::Kind::COMPLETED;
    mIsReady = isCompleted && isReadyLine(ready.line);
    if (mIsReady) return {};
    mProcess.reset();
    return makeError(
            ErrorStatus::GENERAL_FAILURE,
            isCompleted ? errorIn(ready.line)
                        : fmt::format("the device cannot be opened: the process {}", ready.how));
}

Result<WorkerPool::TaskResult> CandidateWorker::run(const std::string& file, const Json& task) {
    if (!mProcess) NNAPI_RETURN_IF_ERROR(start());
    mProcess->socket().send({{"file", file}, {"tasks", Json::array({task})}});
    return nextResult(mTimeLimit);
}

}  // namespace nn::testing
