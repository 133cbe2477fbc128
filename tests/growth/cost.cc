#include "growth/cost.h"

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <ctime>

#include "heap.h"

namespace nn::growth {
namespace {

// Counts user-space instructions of this thread; negative if there is no such counter.
int counter() {
    static const int fd = [] {
        perf_event_attr what{};
        what.size = sizeof(what);
        what.type = PERF_TYPE_HARDWARE;
        what.config = PERF_COUNT_HW_INSTRUCTIONS;
        what.exclude_kernel = 1;
        what.exclude_hv = 1;
        return static_cast<int>(syscall(SYS_perf_event_open, &what, 0, -1, -1, 0));
    }();
    return fd;
}

std::optional<uint64_t> instructions() {
    uint64_t count = 0;
    if (counter() < 0 || read(counter(), &count, sizeof(count)) != sizeof(count) || count == 0)
        return std::nullopt;
    return count;
}

uint64_t nanoseconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

}  // namespace

Meter::Meter() : mNanoseconds(nanoseconds()), mAllocations(heap::allocations), mInUse(heap::inUse) {
    heap::peak = heap::inUse;
    mInstructions = instructions();
}

Cost Meter::read() const {
    Cost cost;
    if (const auto now = instructions(); now && mInstructions) {
        cost.instructions = *now - *mInstructions;
    }
    cost.nanoseconds = nanoseconds() - mNanoseconds;
    cost.allocations = heap::allocations - mAllocations;
    cost.peakBytes = heap::peak - mInUse;
    return cost;
}

}  // namespace nn::growth
