// nnapi/hal/1.0/Callbacks.h -- callbacks of HAL 1.0 that a client waits for, by Android's names.
//
//   const auto callback = sp<PreparedModelCallback>::make();
//   const auto scoped = deathHandler.protectCallback(callback.get());
//   ...
//   return callback->get();
#pragma once

#include <android/hardware/neuralnetworks/1.0/IExecutionCallback.h>
#include <android/hardware/neuralnetworks/1.0/IPreparedModelCallback.h>

#include "nnapi_android/callbacks.h"

namespace android::hardware::neuralnetworks::V1_0::utils {

class PreparedModelCallback final
    : public ::nn::V1_0::IPreparedModelCallback,
      public ::nnapi_android::AwaitedModel<::nn::V1_0::utils::PreparedModelCallback> {
   public:
    using Data = nn::GeneralResult<nn::SharedPreparedModel>;

    ::nn::hidl::Return<void> notify(
            ::nn::V1_0::ErrorStatus status,
            const ::nn::hidl::sp<::nn::V1_0::IPreparedModel>& preparedModel) override {
        return mInner->notify(status, preparedModel);
    }

    Data get() const { return ::nnapi_android::await(*mPending, /*executeSynchronously=*/true); }
};

class ExecutionCallback final
    : public ::nn::V1_0::IExecutionCallback,
      public ::nnapi_android::AwaitedExecution<::nn::V1_0::utils::ExecutionCallback> {
   public:
    using Data = ::nnapi_android::ExecutionData;

    ::nn::hidl::Return<void> notify(::nn::V1_0::ErrorStatus status) override {
        return mInner->notify(status);
    }

    Data get() const { return ::nnapi_android::await(*mPending); }
};

}  // namespace android::hardware::neuralnetworks::V1_0::utils
