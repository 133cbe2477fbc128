// Errors, clocks and fences of libutils and libsync.
#include <errno.h>
#include <linux/sync_file.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <climits>
#include <cstdio>
#include <cstring>
#include <span>
#include <string_view>
#include <thread>
#include <utility>

#include "android-base/unique_fd.h"
#include "nnapi/types.h"
#include "sync/sync.h"
#include "utils/Errors.h"
#include "utils/SystemClock.h"
#include "utils/Timers.h"

namespace android {
namespace {

#define NNAPI_NAMED(name) \
    { name, #name }
constexpr std::pair<status_t, std::string_view> kNames[] = {
        NNAPI_NAMED(OK),
        NNAPI_NAMED(UNKNOWN_ERROR),
        NNAPI_NAMED(NO_MEMORY),
        NNAPI_NAMED(INVALID_OPERATION),
        NNAPI_NAMED(BAD_VALUE),
        NNAPI_NAMED(BAD_TYPE),
        NNAPI_NAMED(NAME_NOT_FOUND),
        NNAPI_NAMED(PERMISSION_DENIED),
        NNAPI_NAMED(NO_INIT),
        NNAPI_NAMED(ALREADY_EXISTS),
        NNAPI_NAMED(DEAD_OBJECT),
        NNAPI_NAMED(FAILED_TRANSACTION),
        NNAPI_NAMED(BAD_INDEX),
        NNAPI_NAMED(NOT_ENOUGH_DATA),
        NNAPI_NAMED(WOULD_BLOCK),
        NNAPI_NAMED(TIMED_OUT),
        NNAPI_NAMED(UNKNOWN_TRANSACTION),
        NNAPI_NAMED(FDS_NOT_ALLOWED),
        NNAPI_NAMED(UNEXPECTED_NULL),
};
#undef NNAPI_NAMED

int64_t now(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return s2ns(time.tv_sec) + time.tv_nsec;
}

enum class Fence { ACTIVE, SIGNALED, FAILED };

Fence stateOf(const pollfd& entry) {
    if ((entry.revents & POLLIN) != 0) return Fence::SIGNALED;
    return entry.revents == 0 ? Fence::ACTIVE : Fence::FAILED;
}

int pollAgain(pollfd* entries, nfds_t count, int timeout) {
    int ready = 0;
    do {
        ready = poll(entries, count, timeout);
    } while (ready < 0 && (errno == EINTR || errno == EAGAIN));
    return ready;
}

// Signals `merged` when both fences are. If one fails, or no process waits any more, it is closed
// without a signal, so that a waiting process sees a failure.
void forward(std::array<base::unique_fd, 2> fences, base::unique_fd merged) {
    std::array<pollfd, 3> entries = {pollfd{fences[0], POLLIN, 0}, pollfd{fences[1], POLLIN, 0},
                                     pollfd{merged, 0, 0}};
    int waiting = 2;
    while (waiting > 0) {
        if (pollAgain(entries.data(), entries.size(), -1) < 0 || entries[2].revents != 0) return;
        for (pollfd& entry : std::span(entries).first(2)) {
            switch (stateOf(entry)) {
                case Fence::ACTIVE:
                    break;
                case Fence::FAILED:
                    return;
                case Fence::SIGNALED:
                    entry = {-1, 0, 0};
                    --waiting;
            }
        }
    }
    const char signal = 1;
    (void)!write(merged, &signal, sizeof(signal));
}

}  // namespace

std::string statusToString(status_t status) {
    for (const auto& [code, name] : kNames) {
        if (code == status) return std::string(name);
    }
    char buffer[128];
    return std::to_string(status) + " (" +
           strerror_r(static_cast<int>(-int64_t{status}), buffer, sizeof(buffer)) + ")";
}

int64_t uptimeNanos() { return now(CLOCK_MONOTONIC); }
int64_t uptimeMillis() { return ns2ms(uptimeNanos()); }
int64_t elapsedRealtimeNano() { return now(CLOCK_BOOTTIME); }
int64_t elapsedRealtime() { return ns2ms(elapsedRealtimeNano()); }

}  // namespace android

nsecs_t systemTime(int clock) {
    constexpr clockid_t kClocks[] = {CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_PROCESS_CPUTIME_ID,
                                     CLOCK_THREAD_CPUTIME_ID, CLOCK_BOOTTIME};
    const bool isKnown = clock >= 0 && clock < static_cast<int>(std::size(kClocks));
    return android::now(isKnown ? kClocks[clock] : CLOCK_MONOTONIC);
}

int toMillisecondTimeoutDelay(nsecs_t referenceTime, nsecs_t timeoutTime) {
    if (timeoutTime <= referenceTime) return 0;
    const auto delay = static_cast<uint64_t>(timeoutTime) - static_cast<uint64_t>(referenceTime);
    if (delay > uint64_t{INT_MAX - 1} * 1'000'000) return -1;
    return static_cast<int>((delay + 999'999) / 1'000'000);
}

int sync_wait(int fd, int timeout) {
    if (fd < 0) {
        errno = EINVAL;
        return -1;
    }
    pollfd entry{fd, POLLIN, 0};
    const int ready = android::pollAgain(&entry, 1, timeout);
    if (ready > 0 && android::stateOf(entry) == android::Fence::SIGNALED) return 0;
    if (ready >= 0) errno = ready == 0 ? ETIME : EINVAL;
    return -1;
}

int32_t sync_merge(const char* name, int32_t fd1, int32_t fd2) {
    using android::Fence;
    using android::base::unique_fd;
    sync_merge_data request{};
    snprintf(request.name, sizeof(request.name), "%s", name == nullptr ? "" : name);
    request.fd2 = fd2;
    if (ioctl(fd1, SYNC_IOC_MERGE, &request) == 0) return request.fence;

    // Fences that are not sync files: once one is signaled, the other is the merged fence; before
    // that, it is a pipe to which a thread writes.
    std::array<unique_fd, 2> fences = {unique_fd(nn::duplicate(fd1)),
                                       unique_fd(nn::duplicate(fd2))};
    std::array<pollfd, 2> entries = {pollfd{fences[0], POLLIN, 0}, pollfd{fences[1], POLLIN, 0}};
    if (!fences[0].ok() || !fences[1].ok() ||
        android::pollAgain(entries.data(), entries.size(), 0) < 0) {
        errno = EBADF;
        return -1;
    }
    for (size_t i = 0; i < entries.size(); ++i) {
        if (android::stateOf(entries[i]) == Fence::SIGNALED) return fences[1 - i].release();
        if (android::stateOf(entries[i]) == Fence::FAILED) return fences[i].release();
    }
    unique_fd merged;
    unique_fd writer;
    if (!android::base::Pipe(&merged, &writer)) return -1;
    std::thread(android::forward, std::move(fences), std::move(writer)).detach();
    return merged.release();
}
