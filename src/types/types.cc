#include "nnapi/types.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <absl/algorithm/container.h>

#include <algorithm>
#include <cerrno>
#include <limits>

#include "nnapi/checked_math.h"
#include "nnapi/result.h"

namespace nn {
namespace {

bool isBefore(const Capabilities::OperandPerformance& entry, OperandType type) {
    return entry.type < type;
}

}  // namespace

Clock::time_point Clock::now() {
    timespec now{};
    clock_gettime(CLOCK_BOOTTIME, &now);
    return time_point(std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec));
}

TimePoint makeDeadline(Duration duration) {
    const TimePoint now = Clock::now();
    return now + std::min(duration, TimePoint::max() - now);
}

bool hasDeadlinePassed(const OptionalTimePoint& deadline) {
    return deadline && Clock::now() >= *deadline;
}

void UniqueFd::reset(int fd) {
    if (mFd >= 0) close(mFd);
    mFd = fd;
}

bool UniqueFd::sameFile(int a, int b) {
    if (a == b || (a < 0 && b < 0)) return true;
    if (a < 0 || b < 0) return false;
    struct stat statA {};
    struct stat statB {};
    return fstat(a, &statA) == 0 && fstat(b, &statB) == 0 && statA.st_dev == statB.st_dev &&
           statA.st_ino == statB.st_ino;
}

UniqueFd duplicate(int fd) {
    return UniqueFd(fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
}

bool operator==(const SharedHandle& a, const SharedHandle& b) {
    return a.get() == b.get() || (a.get() != nullptr && b.get() != nullptr && *a == *b);
}

bool operator==(const SharedMemory& a, const SharedMemory& b) {
    return a.get() == b.get() || (a.get() != nullptr && b.get() != nullptr && *a == *b);
}

Result<SyncFence> SyncFence::create(SharedHandle handle) {
    if (handle == nullptr || !handle->ok()) {
        return makeError(ErrorStatus::INVALID_ARGUMENT,
                         "the handle of a fence has no open descriptor");
    }
    return SyncFence(std::move(handle));
}

SyncFence::FenceState SyncFence::syncWait(OptionalDuration timeout) const {
    if (!hasFd()) return FenceState::SIGNALED;
    const auto milliseconds =
            !timeout ? std::chrono::milliseconds(-1)
                     : std::max(std::chrono::ceil<std::chrono::milliseconds>(*timeout),
                                std::chrono::milliseconds(0));
    pollfd entry{.fd = getFd(), .events = POLLIN, .revents = 0};
    int ready = 0;
    do {
        ready = poll(&entry, 1, saturatingCast<int>(milliseconds.count()));
    } while (ready < 0 && (errno == EINTR || errno == EAGAIN));
    if (ready == 0) return FenceState::ACTIVE;
    if (ready < 0) return FenceState::UNKNOWN;
    if ((entry.revents & POLLIN) != 0) return FenceState::SIGNALED;
    return (entry.revents & POLLNVAL) != 0 ? FenceState::UNKNOWN : FenceState::ERROR;
}

size_t size(const SharedMemory& memory) {
    if (memory.get() == nullptr) return 0;
    return std::visit([](const auto& kind) { return kind.size; }, memory->handle);
}

bool hasPointer(const DataLocation& location) {
    if (const auto* pointer = std::get_if<const void*>(&location.pointer))
        return *pointer != nullptr;
    const auto* pointer = std::get_if<void*>(&location.pointer);
    return pointer != nullptr && *pointer != nullptr;
}

Model::OperandValues::Appended Model::OperandValues::append(const void* data, size_t length) {
    const uint64_t alignment = length < 2 ? 1 : length < 4 ? 2 : 4;
    const auto offset = checkedRoundUp<uint64_t>(mBytes.size(), alignment);
    const auto end = checkedAdd<uint64_t>(offset, uint64_t{length});
    if (!end || *end > std::numeric_limits<uint32_t>::max()) return std::nullopt;
    mBytes.resize(*offset);
    const auto* bytes = static_cast<const uint8_t*>(data);
    mBytes.insert(mBytes.end(), bytes, bytes + length);
    return DataLocation{.offset = static_cast<uint32_t>(*offset),
                        .length = static_cast<uint32_t>(length)};
}

std::optional<Capabilities::OperandPerformanceTable> Capabilities::OperandPerformanceTable::create(
        std::vector<OperandPerformance> sorted) {
    const auto notAscending = [](const auto& a, const auto& b) { return a.type >= b.type; };
    if (absl::c_adjacent_find(sorted, notAscending) != sorted.end()) return std::nullopt;
    OperandPerformanceTable table;
    table.mSorted = std::move(sorted);
    return table;
}

Capabilities::PerformanceInfo Capabilities::OperandPerformanceTable::lookup(
        OperandType type) const {
    const auto entry = absl::c_lower_bound(mSorted, type, isBefore);
    return entry == mSorted.end() || entry->type != type ? PerformanceInfo{} : entry->info;
}

void Capabilities::OperandPerformanceTable::update(OperandType type, PerformanceInfo info) {
    const auto entry = absl::c_lower_bound(mSorted, type, isBefore);
    if (entry != mSorted.end() && entry->type == type) {
        entry->info = info;
    } else {
        mSorted.insert(entry, {.type = type, .info = info});
    }
}

}  // namespace nn
