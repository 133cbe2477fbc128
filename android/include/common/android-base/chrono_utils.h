// android-base/chrono_utils.h -- boot_clock, which counts while the machine is suspended, and
// Timer.
//
//   android::base::Timer timer;
//   LOG(INFO) << "prepared in " << timer;
#pragma once

#include <chrono>
#include <ostream>

#include "nnapi/types.h"

namespace android::base {

using boot_clock = ::nn::Clock;

class Timer {
   public:
    Timer() : mStart(boot_clock::now()) {}
    std::chrono::milliseconds duration() const {
        return std::chrono::duration_cast<std::chrono::milliseconds>(boot_clock::now() - mStart);
    }

   private:
    boot_clock::time_point mStart;
};

inline std::ostream& operator<<(std::ostream& out, const Timer& timer) {
    return out << timer.duration().count() << "ms";
}

}  // namespace android::base
