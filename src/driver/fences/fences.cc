#include "driver/fences/fences.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/standard_streams.h"
#include "nnapi/driver/callbacks.h"

namespace nn::driver {

Status waitForAll(std::span<const SyncFence> fences, const OptionalTimePoint& deadline,
                  Duration ceiling) {
    const hal::utils::WaitPolicy patience(deadline, ceiling);
    for (size_t i = 0; i < fences.size(); ++i) {
        switch (fences[i].syncWait(patience.end() - Clock::now())) {
            case SyncFence::FenceState::SIGNALED:
                break;
            case SyncFence::FenceState::ACTIVE:
                return deadline ? fenceIsLate(i) : patience.exceeded(fmt::format("fence {}", i));
            case SyncFence::FenceState::ERROR:
            case SyncFence::FenceState::UNKNOWN:
                return fenceFailed(i);
        }
    }
    return {};
}

Status fenceFailed(size_t index) { return error() << "fence " << index << " has failed"; }

Status fenceIsLate(size_t index) {
    return error(ErrorStatus::MISSED_DEADLINE_TRANSIENT)
           << "fence " << index << " is not signaled before the deadline";
}

namespace {

Status noDescriptors() {
    return error(ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT)
           << "no descriptors for a fence: " << std::strerror(errno);
}

}  // namespace

Result<OwnFence> OwnFence::create() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return noDescriptors();
    OwnFence made;
    UniqueFd readEnd = aboveStandardStreams(ends[0]);
    made.mWriteEnd = aboveStandardStreams(ends[1]);
    if (!readEnd.ok() || !made.mWriteEnd.ok()) return noDescriptors();
    made.mFence = SyncFence::create(std::move(readEnd));
    return made;
}

void OwnFence::signal() const {
    // The reader may have closed its end; mFence keeps that end open here, so write() cannot raise
    // SIGPIPE.
    (void)!::write(mWriteEnd.get(), "", 1);
}

OptionalTimePoint earlier(const OptionalTimePoint& a, const OptionalTimePoint& b) {
    if (!a || !b) return a ? a : b;
    return std::min(*a, *b);
}

OptionalTimePoint after(TimePoint moment, const OptionalDuration& duration) {
    if (!duration) return std::nullopt;
    return moment + std::min(*duration, TimePoint::max() - moment);
}

}  // namespace nn::driver
