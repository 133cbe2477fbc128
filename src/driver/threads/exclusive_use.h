// Lets one at a time: the others wait for their turn, or are refused.
#pragma once

#include "nnapi/driver/callbacks.h"
#include "types/per_process.h"

namespace nn::driver {

// In a process that is forked nobody has the turn.
class ExclusiveUse {
   public:
    ExclusiveUse();
    ~ExclusiveUse();

    // Releases the turn with its end. No lock is held meanwhile.
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
    // Not taken where nobody releases the turn until then.
    Turn take(const OptionalTimePoint& deadline, Duration ceiling);

   private:
    void release();

    struct Shared;
    PerProcess<Shared> mShared;
};

}  // namespace nn::driver
