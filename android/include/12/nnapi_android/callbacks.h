// nnapi_android/callbacks.h -- the waits of the callbacks of all HAL versions.
//
// Android's callbacks hold the result themselves, and their owner waits for it by get(). They
// forward to those of nnapi/driver/callbacks.h. Without a result, get() fails after five minutes.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "nnapi/Result.h"
#include "nnapi/Types.h"
#include "nnapi/driver/callbacks.h"
#include "nnapi/hal/ProtectCallback.h"

namespace nnapi_android {

// A result, the callback that stores it, and the monitor of the driver's death.
template <class Inner, class Pending>
class Awaited : public ::android::hardware::neuralnetworks::utils::IProtectedCallback {
   public:
    void notifyAsDeadObject() override { mPending->notifyAsDeadObject(); }

   protected:
    const std::shared_ptr<Pending> mPending = std::make_shared<Pending>();
    const Inner mInner = make(mPending);

   private:
    static Inner make(const std::shared_ptr<Pending>& pending) {
        using Callback = std::remove_reference_t<decltype(*std::declval<Inner>())>;
        if constexpr (requires { Inner::make(pending); }) {
            return Inner::make(pending);
        } else {
            return ::ndk::SharedRefBase::make<Callback>(pending);
        }
    }
};

// The result for a client: the prepared model by the newest interface that it has, or the outcome
// of an execution.
using ExecutionData =
        ::nn::ExecutionResult<std::pair<std::vector<::nn::OutputShape>, ::nn::Timing>>;

::nn::GeneralResult<::nn::SharedPreparedModel> await(
        const ::nn::hal::utils::PendingPreparedModel& pending, bool executeSynchronously);
::nn::GeneralResult<::nn::SharedPreparedModel> await(
        const ::nn::hal::utils::AidlPendingPreparedModel& pending);
ExecutionData await(const ::nn::hal::utils::PendingExecution& pending);

template <class Callback>
using AwaitedModel = Awaited<::nn::hidl::sp<Callback>, ::nn::hal::utils::PendingPreparedModel>;
template <class Callback>
using AwaitedExecution = Awaited<::nn::hidl::sp<Callback>, ::nn::hal::utils::PendingExecution>;

}  // namespace nnapi_android
