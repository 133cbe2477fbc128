// Bits of a word in shared memory, on which the two sides of a queue wait.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <utils/Errors.h>

#include <atomic>
#include <climits>
#include <cstdint>

namespace android::hardware {

class EventFlag {
   public:
    static status_t createEventFlag(std::atomic<uint32_t>* word, EventFlag** flag) {
        if (word == nullptr || flag == nullptr) return BAD_VALUE;
        *flag = new EventFlag(word);
        return NO_ERROR;
    }
    static status_t deleteEventFlag(EventFlag** flag) {
        if (flag == nullptr || *flag == nullptr) return BAD_VALUE;
        delete *flag;
        *flag = nullptr;
        return NO_ERROR;
    }

    status_t wake(uint32_t bits) {
        mWord->fetch_or(bits);
        syscall(SYS_futex, mWord, FUTEX_WAKE_BITSET, INT_MAX, nullptr, nullptr, bits);
        return NO_ERROR;
    }
    // Clears the bits that are set. Without a timeout, waits forever.
    status_t wait(uint32_t bits, uint32_t* state, int64_t timeoutNanoSeconds = 0,
                  bool /*retry*/ = true) {
        constexpr int64_t kSecond = 1'000'000'000;
        timespec end{};
        clock_gettime(CLOCK_MONOTONIC, &end);
        const int64_t nanoseconds = end.tv_nsec + timeoutNanoSeconds % kSecond;
        end.tv_sec += timeoutNanoSeconds / kSecond + nanoseconds / kSecond;
        end.tv_nsec = nanoseconds % kSecond;
        while ((*state = mWord->fetch_and(~bits) & bits) == 0) {
            const uint32_t seen = *mWord;
            if ((seen & bits) != 0) continue;
            if (syscall(SYS_futex, mWord, FUTEX_WAIT_BITSET, seen,
                        timeoutNanoSeconds == 0 ? nullptr : &end, nullptr, bits) != 0 &&
                errno == ETIMEDOUT) {
                return TIMED_OUT;
            }
        }
        return NO_ERROR;
    }

   private:
    explicit EventFlag(std::atomic<uint32_t>* word) : mWord(word) {}

    std::atomic<uint32_t>* mWord;
};

}  // namespace android::hardware
