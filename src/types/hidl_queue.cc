#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <new>

#include "nnapi/checked_math.h"
#include "nnapi/hal/hidl/message_queue.h"
#include "nnapi/memory.h"

namespace nn::hidl {
namespace {

using SteadyClock = std::chrono::steady_clock;

// Not FUTEX_PRIVATE, since the word is in memory shared between processes.
long futex(std::atomic<uint32_t>* word, int operation, uint32_t value, const timespec* timeout,
           uint32_t bits) {
    return syscall(SYS_futex, word, operation, value, timeout, nullptr, bits);
}

// When a wait of so many nanoseconds ends; empty if never.
std::optional<int64_t> endOf(int64_t nanoseconds) {
    if (nanoseconds <= 0) return std::nullopt;
    return checkedAdd<int64_t>(SteadyClock::now().time_since_epoch().count(), nanoseconds);
}

}  // namespace

status_t EventFlag::createEventFlag(std::atomic<uint32_t>* word, EventFlag** flag) {
    if (word == nullptr || flag == nullptr) return BAD_VALUE;
    *flag = new (std::nothrow) EventFlag(word);
    return *flag == nullptr ? NO_MEMORY : NO_ERROR;
}

status_t EventFlag::deleteEventFlag(EventFlag** flag) {
    if (flag == nullptr || *flag == nullptr) return BAD_VALUE;
    delete *flag;
    *flag = nullptr;
    return NO_ERROR;
}

status_t EventFlag::wake(uint32_t bits) {
    if (bits == 0) return NO_ERROR;
    const uint32_t before = mWord->fetch_or(bits, std::memory_order_seq_cst);
    if ((~before & bits) != 0) futex(mWord, FUTEX_WAKE_BITSET, INT32_MAX, nullptr, bits);
    return NO_ERROR;
}

status_t EventFlag::wait(uint32_t bits, uint32_t* state, int64_t timeoutNanoseconds, bool retry) {
    if (bits == 0 || state == nullptr) return BAD_VALUE;
    // FUTEX_WAIT_BITSET requires an absolute time of the clock of steady_clock.
    timespec time{};
    const std::optional<int64_t> end = endOf(timeoutNanoseconds);
    if (end) {
        time = {.tv_sec = static_cast<time_t>(*end / 1'000'000'000),
                .tv_nsec = static_cast<long>(*end % 1'000'000'000)};
    }
    while (true) {
        const uint32_t before = mWord->fetch_and(~bits, std::memory_order_seq_cst);
        *state = before & bits;
        if (*state != 0) return NO_ERROR;
        // A peer that keeps changing the word must not prevent the timeout.
        if (end && SteadyClock::now().time_since_epoch().count() >= *end) return TIMED_OUT;
        if (futex(mWord, FUTEX_WAIT_BITSET, before, end ? &time : nullptr, bits) == 0) continue;
        if (errno == EINTR && !retry) return -EINTR;
        if (errno != EINTR && errno != EAGAIN && errno != ETIMEDOUT) return -errno;
    }
}

namespace queue_internal {
namespace {

// Two counters, the event flag, and the elements, each on separate cache lines.
constexpr uint32_t kReadOffset = 0;
constexpr uint32_t kWrittenOffset = 64;
constexpr uint32_t kEventFlagOffset = 128;
constexpr uint32_t kElementsOffset = 192;

// Expects one descriptor, of memory that cannot shrink.
Result<Mapping> mapFixed(const native_handle_t* handle, uint64_t size) {
    if (handle == nullptr || !wellFormed(*handle) || handle->numFds != 1) {
        return makeError(ErrorStatus::INVALID_ARGUMENT, "a queue has one file descriptor");
    }
    Memory::Ashmem memory;
    memory.fd = duplicate(handle->data[0]);
    memory.size = static_cast<size_t>(size);
    auto shared = std::make_shared<const Memory>(Memory{std::move(memory)});
    if (!cannotShrink(shared)) {
        return makeError(ErrorStatus::INVALID_ARGUMENT, "the memory of a queue can be shortened");
    }
    return map(shared);
}

// The address of a part; null if it is outside the memory or misaligned.
uint8_t* partOf(const Mapping& mapping, const GrantorDescriptor& grantor, uint64_t atLeast,
                uint64_t alignment) {
    if (grantor.fdIndex != 0 || grantor.extent < atLeast || grantor.offset % alignment != 0) {
        return nullptr;
    }
    const auto end = checkedAdd<uint64_t>(grantor.offset, grantor.extent);
    if (!end || *end > mapping.size()) return nullptr;
    return mapping.mutableData() + grantor.offset;
}

bool overlap(const GrantorDescriptor& a, const GrantorDescriptor& b) {
    return a.offset < b.offset + b.extent && b.offset < a.offset + a.extent;
}

}  // namespace

std::unique_ptr<Ring> Ring::create(size_t quantum, size_t count, bool hasEventFlag) {
    const auto bytes = checkedMul<size_t>(quantum, count);
    const auto size = bytes ? checkedAdd<size_t>(*bytes, kElementsOffset) : std::nullopt;
    if (count == 0 || !size) return nullptr;
    const auto memory = createSharedMemory(*size);
    if (!memory.ok()) return nullptr;
    const auto* ashmem = std::get_if<Memory::Ashmem>(&(*memory)->handle);
    native_handle_t* native = native_handle_create(1, 0);
    if (ashmem == nullptr || native == nullptr) return nullptr;
    hidl_handle handle;
    handle.setTo(native, /*shouldOwn=*/true);
    native->data[0] = duplicate(ashmem->fd.get()).release();
    hidl_vec<GrantorDescriptor> grantors = {
            {.offset = kReadOffset, .extent = 8},
            {.offset = kWrittenOffset, .extent = 8},
            {.offset = kElementsOffset, .extent = *bytes},
            {.offset = kEventFlagOffset, .extent = 4},
    };
    if (!hasEventFlag) grantors.resize(3);
    return open(grantors, handle.getNativeHandle(), quantum, /*resetPointers=*/true);
}

std::unique_ptr<Ring> Ring::open(const hidl_vec<GrantorDescriptor>& grantors,
                                 const native_handle_t* handle, size_t quantum,
                                 bool resetPointers) {
    if (grantors.size() < 3 || grantors.size() > 4 || quantum == 0) return nullptr;
    uint64_t size = 0;
    for (size_t i = 0; i < grantors.size(); ++i) {
        const auto end = checkedAdd<uint64_t>(grantors[i].offset, grantors[i].extent);
        if (!end) return nullptr;
        size = std::max(size, *end);
    }
    for (size_t i = 0; i < grantors.size(); ++i) {
        for (size_t k = 0; k < i; ++k) {
            if (overlap(grantors[i], grantors[k])) return nullptr;
        }
    }
    if (!checkedCast<size_t>(size)) return nullptr;
    const Result<Mapping> mapping = mapFixed(handle, size);
    if (!mapping.ok() || mapping->mutableData() == nullptr) return nullptr;

    const uint64_t bytes = grantors[2].extent;
    if (bytes == 0 || bytes % quantum != 0) return nullptr;
    uint8_t* read = partOf(*mapping, grantors[0], 8, 8);
    uint8_t* written = partOf(*mapping, grantors[1], 8, 8);
    uint8_t* elements = partOf(*mapping, grantors[2], quantum, 4);
    uint8_t* eventFlag = grantors.size() == 4 ? partOf(*mapping, grantors[3], 4, 4) : nullptr;
    if (read == nullptr || written == nullptr || elements == nullptr) return nullptr;
    if (grantors.size() == 4 && eventFlag == nullptr) return nullptr;

    native_handle_t* native = native_handle_create(1, 0);
    if (native == nullptr) return nullptr;
    std::unique_ptr<Ring> ring(new Ring);
    ring->mHandle.setTo(native, /*shouldOwn=*/true);
    native->data[0] = duplicate(handle->data[0]).release();
    if (native->data[0] < 0) return nullptr;
    ring->mOwner = std::make_shared<const Mapping>(*mapping);
    ring->mRead = reinterpret_cast<std::atomic<uint64_t>*>(read);
    ring->mWritten = reinterpret_cast<std::atomic<uint64_t>*>(written);
    ring->mElements = elements;
    ring->mEventFlag = reinterpret_cast<std::atomic<uint32_t>*>(eventFlag);
    ring->mQuantum = quantum;
    ring->mCount = static_cast<size_t>(bytes / quantum);
    ring->mGrantors = grantors;
    if (resetPointers) {
        ring->mRead->store(0, std::memory_order_release);
        ring->mWritten->store(0, std::memory_order_release);
    }
    return ring;
}

bool Ring::areSound() const {
    // Looks for a consistent snapshot of both counters, for threads other than reader and writer.
    // If the reader keeps moving, it is alive.
    for (int i = 0; i < 64 && !mIsBroken.load(std::memory_order_relaxed); ++i) {
        const uint64_t read = mRead->load(std::memory_order_acquire);
        const uint64_t written = mWritten->load(std::memory_order_acquire);
        if (written - read <= mCount) return true;
        if (mRead->load(std::memory_order_acquire) == read) {
            mIsBroken.store(true, std::memory_order_relaxed);
        }
    }
    return !mIsBroken.load(std::memory_order_relaxed);
}

size_t Ring::availableToRead() const {
    const uint64_t read = mRead->load(std::memory_order_relaxed);
    const uint64_t available = mWritten->load(std::memory_order_acquire) - read;
    if (available > mCount) (void)areSound();  // areSound() remembers the result
    if (available > mCount || mIsBroken.load(std::memory_order_relaxed)) return 0;
    return static_cast<size_t>(available);
}

size_t Ring::availableToWrite() const {
    const uint64_t written = mWritten->load(std::memory_order_relaxed);
    const uint64_t taken = written - mRead->load(std::memory_order_acquire);
    if (taken > mCount) (void)areSound();
    if (taken > mCount || mIsBroken.load(std::memory_order_relaxed)) return 0;
    return mCount - static_cast<size_t>(taken);
}

bool Ring::write(const uint8_t* bytes, size_t count) {
    if (count > availableToWrite()) return false;
    const uint64_t written = mWritten->load(std::memory_order_relaxed);
    const auto first = static_cast<size_t>(written % mCount);
    const size_t untilEnd = std::min(count, mCount - first);
    std::memcpy(mElements + first * mQuantum, bytes, untilEnd * mQuantum);
    std::memcpy(mElements, bytes + untilEnd * mQuantum, (count - untilEnd) * mQuantum);
    mWritten->store(written + count, std::memory_order_release);
    return true;
}

bool Ring::read(uint8_t* bytes, size_t count) {
    if (count > availableToRead()) return false;
    const uint64_t read = mRead->load(std::memory_order_relaxed);
    const auto first = static_cast<size_t>(read % mCount);
    const size_t untilEnd = std::min(count, mCount - first);
    std::memcpy(bytes, mElements + first * mQuantum, untilEnd * mQuantum);
    std::memcpy(bytes + untilEnd * mQuantum, mElements, (count - untilEnd) * mQuantum);
    mRead->store(read + count, std::memory_order_release);
    return true;
}

template <class Transfer>
bool Ring::transferBlocking(uint32_t awaited, uint32_t announced, int64_t timeoutNanoseconds,
                            const Transfer& transfer) {
    if (mEventFlag == nullptr) return false;
    EventFlag flag(mEventFlag);
    const std::optional<int64_t> end = endOf(timeoutNanoseconds);
    while (!transfer()) {
        if (!areSound()) return false;
        int64_t left = 0;
        if (end) {
            left = *end - SteadyClock::now().time_since_epoch().count();
            if (left <= 0) return false;
        }
        uint32_t state = 0;
        const status_t status = flag.wait(awaited, &state, left);
        if (status != NO_ERROR && status != TIMED_OUT) return false;
    }
    flag.wake(announced);
    return true;
}

bool Ring::writeBlocking(const uint8_t* bytes, size_t count, int64_t timeoutNanoseconds) {
    return transferBlocking(FMQ_NOT_FULL, FMQ_NOT_EMPTY, timeoutNanoseconds,
                            [&] { return write(bytes, count); });
}

bool Ring::readBlocking(uint8_t* bytes, size_t count, int64_t timeoutNanoseconds) {
    return transferBlocking(FMQ_NOT_EMPTY, FMQ_NOT_FULL, timeoutNanoseconds,
                            [&] { return read(bytes, count); });
}

}  // namespace queue_internal
}  // namespace nn::hidl
