// A lock with deadlines, for objects that serve one caller at a time. Other callers wait or fail.
#pragma once

#include "base/per_process.h"
#include "nnapi/driver/callbacks.h"

namespace nn::driver {

// A forked process starts unlocked.
class ExclusiveUse {
   public:
    ExclusiveUse();
    ~ExclusiveUse();

    // Unlocks on destruction. No mutex is held in between.
    class Turn {
       public:
        explicit Turn(ExclusiveUse* turns) : mTurns(turns) {}
        Turn(const Turn&) = delete;
        Turn& operator=(const Turn&) = delete;
        ~Turn() {
            if (mTurns != nullptr) mTurns->release();
        }
        bool isTaken() const { return mTurns != nullptr; }

       private:
        ExclusiveUse* mTurns;
    };

    Turn tryTake();
    // Fails if the deadline or the ceiling passes first.
    Turn take(const OptionalTimePoint& deadline, Duration ceiling);

   private:
    void release();

    struct Shared;
    PerProcess<Shared> mShared;
};

}  // namespace nn::driver
