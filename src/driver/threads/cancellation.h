// Cancels work whose caller may stop waiting before it is done.
#pragma once

#include <atomic>
#include <memory>
#include <utility>

#include "nnapi/stop_condition.h"
#include "nnapi/types.h"

namespace nn::driver {

// While this object exists, the caller of this thread's calls needs no result once the flag is set
// or the time has passed. Devices that check it then stop. Scopes nest: the inner one applies.
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

// The innermost scope of this thread; null without one.
const CancellationScope* currentScope();

// While this object exists, calls of this thread belong to a scope of another thread, which keeps
// the scope meanwhile. Null: to none.
class AdoptedScope {
   public:
    explicit AdoptedScope(const CancellationScope* scope);
    AdoptedScope(const AdoptedScope&) = delete;
    AdoptedScope& operator=(const AdoptedScope&) = delete;
    ~AdoptedScope();

   private:
    const CancellationScope* mOuter;
};

// The stop condition of this thread's scope; empty without one. The first may be kept for work on
// other threads; the second only refers to the scope, and does not allocate.
StopFunction currentStop();
StopFunction borrowedStop();

// Stops when either does; either may be empty.
StopFunction either(StopFunction a, StopFunction b);

}  // namespace nn::driver
