// Cancellation of what a thread does for a caller who may go away before it is done.
#pragma once

#include <atomic>
#include <memory>
#include <utility>

#include "nnapi/types.h"
#include "nnapi/until.h"

namespace nn::driver {

// As long as it is there, calls of this thread are made for a caller who wants no result once the
// flag is set, or this time is past. Devices that look at it end their work then. Scopes nest: the
// inner one counts.
class CancellationScope {
   public:
    CancellationScope(std::shared_ptr<const std::atomic<bool>> isCancelled, TimePoint end);
    CancellationScope(const CancellationScope&) = delete;
    CancellationScope& operator=(const CancellationScope&) = delete;
    ~CancellationScope();

   private:
    friend StopFunction currentStop();
    friend StopFunction borrowedStop();
    std::shared_ptr<const std::atomic<bool>> mIsCancelled;
    TimePoint mEnd;
    const CancellationScope* mOuter;
};

// Of the scope of this thread; empty where there is none. The first may be kept for work on other
// threads, the second only refers to the scope, and costs no allocation.
StopFunction currentStop();
StopFunction borrowedStop();

// Asks both; either may be empty.
StopFunction either(StopFunction a, StopFunction b);

}  // namespace nn::driver
