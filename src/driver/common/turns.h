// One at a time: the others wait for their turn, or are refused.
#pragma once

#include <condition_variable>
#include <mutex>

#include "nnapi/driver/callbacks.h"

namespace nn::driver {

class Turns {
   public:
    // Releases the turn with its end. No lock is held meanwhile.
    class Turn {
       public:
        explicit Turn(Turns* turns) : mTurns(turns) {}
        Turn(const Turn&) = delete;
        Turn& operator=(const Turn&) = delete;
        ~Turn() {
            if (mTurns != nullptr) mTurns->release();
        }
        bool isTaken() const { return mTurns != nullptr; }

       private:
        Turns* mTurns;
    };

    Turn tryTake();
    // Not taken where nobody releases the turn until then.
    Turn take(const OptionalTimePoint& deadline, Duration ceiling);

   private:
    void release();

    std::mutex mMutex{};
    std::condition_variable mCondition{};
    bool mIsTaken = false;
    int mWaiting = 0;
};

}  // namespace nn::driver
