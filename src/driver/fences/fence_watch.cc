#include "driver/fences/fence_watch.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <mutex>
#include <system_error>
#include <utility>

#include "base/standard_streams.h"
#include "driver/fences/fences.h"

namespace nn::driver {
namespace {

struct Waiting {
    std::vector<SyncFence> fences{};
    OptionalTimePoint deadline{};
    FenceWatch::Done done{};
    size_t next = 0;  // the first that may not be signaled

    // The final status; none while it waits.
    std::optional<Status> end() {
        for (; next < fences.size(); ++next) {
            const SyncFence::FenceState state = fences[next].syncWait(Duration::zero());
            if (state == SyncFence::FenceState::ACTIVE) break;
            if (state != SyncFence::FenceState::SIGNALED) return fenceFailed(next);
        }
        if (next == fences.size()) return Status();
        if (deadline && Clock::now() >= *deadline) return fenceIsLate(next);
        return std::nullopt;
    }
};

// For poll(); rounded up, so that the deadline is past when the time is.
int millisecondsUntil(TimePoint deadline) {
    const TimePoint now = Clock::now();
    if (deadline <= now) return 0;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - now);
    return static_cast<int>(std::min<int64_t>(left.count(), INT_MAX));
}

}  // namespace

struct FenceWatch::Shared {
    std::mutex mutex{};
    std::vector<Waiting> added{};
    bool isWatching = false;
    UniqueFd wake{};  // an eventfd, made with the first that waits
};

FenceWatch::FenceWatch() = default;

Status FenceWatch::add(std::vector<SyncFence> fences, const OptionalTimePoint& deadline,
                       Done done) {
    const std::shared_ptr<Shared> shared = mShared.get();
    const std::lock_guard lock(shared->mutex);
    if (!shared->wake.ok()) {
        shared->wake = aboveStandardStreams(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    }
    if (!shared->wake.ok()) {
        return error(ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT)
               << "no descriptor to wait for fences with";
    }
    if (shared->isWatching) {
        const uint64_t one = 1;
        // It fails only where as many as fit are there already.
        (void)!::write(shared->wake.get(), &one, sizeof(one));
    } else {
        try {
            mThread.run([shared] { watch(*shared); });
        } catch (const std::system_error& failure) {
            return error(ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT)
                   << "no thread to wait for fences: " << failure.what();
        }
        shared->isWatching = true;
    }
    shared->added.push_back(
            {.fences = std::move(fences), .deadline = deadline, .done = std::move(done)});
    return {};
}

void FenceWatch::watch(Shared& shared) {
    std::vector<Waiting> all;
    std::vector<pollfd> files;
    while (true) {
        {
            const std::lock_guard lock(shared.mutex);
            std::move(shared.added.begin(), shared.added.end(), std::back_inserter(all));
            shared.added.clear();
            if (all.empty()) {
                shared.isWatching = false;
                return;
            }
        }
        files.assign(1, {.fd = shared.wake.get(), .events = POLLIN, .revents = 0});
        int timeout = -1;
        bool isDone = false;
        std::erase_if(all, [&](Waiting& waiting) {
            if (const auto end = waiting.end(); end) {
                waiting.done(*end);
                return isDone = true;
            }
            files.push_back(
                    {.fd = waiting.fences[waiting.next].getFd(), .events = POLLIN, .revents = 0});
            if (waiting.deadline) {
                const int left = millisecondsUntil(*waiting.deadline);
                timeout = timeout < 0 ? left : std::min(timeout, left);
            }
            return false;
        });
        if (isDone) continue;  // they may have let others wait
        (void)poll(files.data(), files.size(), timeout);
        uint64_t count = 0;
        (void)!::read(shared.wake.get(), &count, sizeof(count));
    }
}

}  // namespace nn::driver
