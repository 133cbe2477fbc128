// ANeuralNetworksEvent: signaled when an execution has ended.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>

#include "base/per_process.h"
#include "base/process_mutex.h"
#include "nnapi/c/NeuralNetworks.h"
#include "nnapi/types.h"

namespace nn::runtime {

// Ends once, with a code. Thread-safe. An event of an execution ends only in the process that
// started it: in a forked one it has failed with DEAD_OBJECT.
class ApiEvent {
   public:
    // Ends when end() is called.
    ApiEvent() = default;
    // Ends when the fence is signaled, with the code that `settle` returns. `settle` may be called
    // on several threads at once.
    ApiEvent(SyncFence fence, std::function<int(SyncFence::FenceState)> settle)
        : mFence(std::move(fence)), mSettle(std::move(settle)) {}
    // Ends when a fence of another component is signaled.
    explicit ApiEvent(SyncFence fence);

    void end(int code);
    // Waits for the code. May be called any number of times.
    int wait();
    // The code without waiting; empty until the event has ended.
    std::optional<int> poll();

    // It has no descriptor if no code outside this process uses the event.
    const SyncFence& fence() const { return mFence; }

   private:
    int settle(SyncFence::FenceState state);
    // Called with the lock held.
    bool isOfParent() const { return !mIsForeign && mProcess != processGeneration(); }

    const SyncFence mFence{};
    const bool mIsForeign = false;
    const uint64_t mProcess = processGeneration();
    std::function<int(SyncFence::FenceState)> mSettle{};
    ProcessMutex mMutex{};
    PerProcess<std::condition_variable> mEnded{};
    std::optional<int> mCode{};
};

}  // namespace nn::runtime
