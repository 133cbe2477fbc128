// What executions signal when they have ended.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>

#include "nnapi/c/NeuralNetworks.h"
#include "nnapi/types.h"
#include "types/per_process.h"
#include "types/process_mutex.h"

namespace nn::runtime {

// Something that ends once, with a code. Thread-safe. What an execution is to end does so in the
// process that started it alone: in one that is forked meanwhile it has failed, as DEAD_OBJECT.
class ApiEvent {
   public:
    // Ends when end() is called.
    ApiEvent() = default;
    // Ends when the fence does: with the code that `settle` answers then, which may be called on
    // several threads at once.
    ApiEvent(SyncFence fence, std::function<int(SyncFence::FenceState)> settle)
        : mFence(std::move(fence)), mSettle(std::move(settle)) {}
    // Ends when somebody else's fence does.
    explicit ApiEvent(SyncFence fence);

    void end(int code);
    // The code; any number of times.
    int wait();
    // Without waiting; empty while it goes on.
    std::optional<int> poll();

    // Without a descriptor, where the event is not known to others.
    const SyncFence& fence() const { return mFence; }

   private:
    int settle(SyncFence::FenceState state);
    // With the lock.
    bool isOfParent() const { return !mIsOfOthers && mProcess != processGeneration(); }

    const SyncFence mFence{};
    const bool mIsOfOthers = false;
    const uint64_t mProcess = processGeneration();
    std::function<int(SyncFence::FenceState)> mSettle{};
    ProcessMutex mMutex{};
    PerProcess<std::condition_variable> mEnded{};
    std::optional<int> mCode{};
};

}  // namespace nn::runtime
