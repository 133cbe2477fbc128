// A prepared model as clients of AIDL see it.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "nnapi/driver/interfaces.h"
#include "nnapi/hal/aidl/interfaces.h"

namespace npu_driver {

// A service-specific error with the code and the message; success for an OK status.
ndk::ScopedAStatus statusOf(const nn::Status& status);

// Moves a result to its output argument, or returns its error.
template <class Result, class T>
ndk::ScopedAStatus returnResult(Result result, T* to) {
    if (result.ok()) *to = *std::move(result);
    return statusOf(result.status());
}

// Executions take place in the calling thread.
class AidlPreparedModel final : public nn::aidl_hal::BnPreparedModel {
   public:
    explicit AidlPreparedModel(nn::SharedPreparedModel canonical)
        : mCanonical(std::move(canonical)) {}

    const nn::SharedPreparedModel& canonical() const { return mCanonical; }

    ndk::ScopedAStatus executeSynchronously(const nn::aidl_hal::Request& request, bool measure,
                                            int64_t deadline, int64_t loopTimeout,
                                            nn::aidl_hal::ExecutionResult* to) override;
    ndk::ScopedAStatus executeFenced(const nn::aidl_hal::Request& request,
                                     const std::vector<ndk::ScopedFileDescriptor>& waitFor,
                                     bool measure, int64_t deadline, int64_t loopTimeout,
                                     int64_t timeAfterFences,
                                     nn::aidl_hal::FencedExecutionResult* to) override;
    ndk::ScopedAStatus configureExecutionBurst(std::shared_ptr<nn::aidl_hal::IBurst>* to) override;

   private:
    const nn::SharedPreparedModel mCanonical;
};

}  // namespace npu_driver
