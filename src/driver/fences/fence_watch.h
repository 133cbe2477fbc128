// Waiting for fences without a thread for each that waits.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "driver/threads/thread_pool.h"
#include "nnapi/driver/result.h"
#include "nnapi/types.h"
#include "types/per_process.h"

namespace nn::driver {

// One thread that waits for the fences of any number of callers, and is there only while somebody
// waits. Thread-safe. A process that is forked waits for fences of its own alone.
class FenceWatch {
   public:
    // Called once: with success when all fences are signalled, with MISSED_DEADLINE_TRANSIENT when
    // the deadline passes before, with GENERAL_FAILURE when one of them fails. It must be short:
    // all others wait meanwhile.
    using Done = std::function<void(const Status&)>;

    FenceWatch();

    // Fails, and never calls done, where the system gives no thread or descriptor.
    Status add(std::vector<SyncFence> fences, const OptionalTimePoint& deadline, Done done);

   private:
    struct Shared;
    static void watch(Shared& shared);

    PerProcess<Shared> mShared;
    ThreadPool mThread{1};
};

}  // namespace nn::driver
