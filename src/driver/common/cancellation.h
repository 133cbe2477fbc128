// Cancellation of what a thread does for a caller who may go away before it is done.
#pragma once

#include <utility>

#include "nnapi/until.h"

namespace nn::driver {

// As long as it is there, calls of this thread are made for a caller who wants no result once the
// function says so. Devices that look at currentStop() end their work then. Scopes nest: the inner
// one counts.
class CancellationScope {
   public:
    explicit CancellationScope(StopFunction stop);
    CancellationScope(const CancellationScope&) = delete;
    CancellationScope& operator=(const CancellationScope&) = delete;
    ~CancellationScope();

   private:
    StopFunction mStop;
    const StopFunction* mOuter;
};

// Of the scope of this thread; empty where there is none. It may be kept for work on other threads.
StopFunction currentStop();

// Asks both; either may be empty.
StopFunction either(StopFunction a, StopFunction b);

}  // namespace nn::driver
