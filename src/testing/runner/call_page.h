// The memory that a worker shares with its run: which call of the device each thread is in, and the
// addresses of stacks. It is still there after the worker has ended, and the worker writes it in
// signal handlers, so it consists of atomics and bytes.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "nnapi/result.h"
#include "nnapi/types.h"

namespace nn::testing {

struct CallPage {
    static constexpr size_t kThreads = 64;
    static constexpr size_t kFrames = 48;

    // Written by the thread that calls.
    struct Call {
        std::atomic<int32_t> thread;   // as the kernel numbers it; 0: the entry is free
        std::atomic<uint64_t> number;  // among all calls of the process, from 1; 0: none
        std::atomic<bool> isRunning;
        std::array<char, 96> name;  // both end with 0
        std::array<char, 416> arguments;
    };
    // Written by a signal handler of the thread.
    struct Stack {
        std::atomic<int32_t> thread;  // set by the run, which asks for the stack
        std::atomic<uint32_t> count;  // of frames, the innermost first
        std::atomic<bool> isWritten;  // `frames` and `count` are
        std::array<uint64_t, kFrames> frames;
    };

    std::atomic<uint64_t> numberOfCalls;
    // Nanoseconds of Clock; 0: never.
    std::atomic<int64_t> lastCall;     // began or returned then
    std::atomic<int64_t> lastOwnWork;  // of the test itself ended then
    std::atomic<int32_t> ownWork;      // parts of it that are being done
    std::array<Call, kThreads> calls;
    std::array<Stack, kThreads> stacks;
    Stack crash;                    // of the thread that a signal ends; its thread is 0 otherwise
    std::atomic<bool> hasBeenSeen;  // the run has read its data of a crashed worker
};
static_assert(std::atomic<uint64_t>::is_always_lock_free);

// Maps the page behind a descriptor, until the process ends; fails if there is none.
Result<CallPage*> mapCallPage(int fd);

// A new page, without calls. The descriptor is for the worker.
class NewCallPage {
   public:
    static Result<NewCallPage> create();

    CallPage& operator*() const { return *mPage; }
    int fd() const { return mFd.get(); }

   private:
    struct Unmap {
        void operator()(CallPage* page) const;
    };

    UniqueFd mFd{};
    std::unique_ptr<CallPage, Unmap> mPage{};
};

}  // namespace nn::testing
