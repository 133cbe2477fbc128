// Waits for many fences on one thread.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/per_process.h"
#include "driver/threads/thread_pool.h"
#include "nnapi/driver/result.h"
#include "nnapi/types.h"

namespace nn::driver {

// Waits for the fences of any number of callers on one thread, which runs only while there are any.
// Thread-safe. A forked process waits only for its own fences.
class FenceWatch {
   public:
    // Called once: with success when all fences are signaled, with MISSED_DEADLINE_TRANSIENT when
    // the deadline passes first, with GENERAL_FAILURE when a fence fails. It must be short, since
    // it delays all others.
    using Done = std::function<void(const Status&)>;

    FenceWatch();

    // Fails, without calling done, where the system provides no thread or descriptor.
    Status add(std::vector<SyncFence> fences, const OptionalTimePoint& deadline, Done done);

   private:
    struct Shared;
    static void watch(Shared& shared);

    PerProcess<Shared> mShared;
    ThreadPool mThread{1};
};

}  // namespace nn::driver
