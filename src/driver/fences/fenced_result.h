// The result of a fenced execution, signaled by a fence and read by its callback.
#pragma once

#include <mutex>
#include <optional>
#include <utility>

#include "base/process_mutex.h"
#include "driver/fences/fences.h"
#include "nnapi/driver/result.h"
#include "nnapi/types.h"

namespace nn::driver {

// Set by one thread, read by any number.
class FencedResult {
   public:
    std::optional<OwnFence> fence{};  // until it has ended

    void end(GeneralResult<FencedTimings> result) {
        const bool isGood = result.has_value();
        {
            const std::lock_guard lock(mMutex);
            mInfos = std::move(result);
        }
        if (isGood && fence) fence->signal();
        fence.reset();  // unsignaled, it fails
    }
    GeneralResult<FencedTimings> info() {
        const std::lock_guard lock(mMutex);
        if (!mInfos) return error() << "the execution has not ended yet";
        return *mInfos;
    }

   private:
    ProcessMutex mMutex{};
    std::optional<GeneralResult<FencedTimings>> mInfos{};
};

}  // namespace nn::driver
