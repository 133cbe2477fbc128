// nnapi/hal/1.2/Callbacks.h -- callbacks of HAL 1.2 that a client waits for, by Android's names.
//
//   const auto callback = sp<PreparedModelCallback>::make();
//   const auto scoped = deathHandler.protectCallback(callback.get());
//   ...
//   return callback->get();
#pragma once

#include <android/hardware/neuralnetworks/1.2/IExecutionCallback.h>
#include <android/hardware/neuralnetworks/1.2/IPreparedModelCallback.h>

#include "nnapi_android/callbacks.h"

namespace android::hardware::neuralnetworks::V1_2::utils {

class PreparedModelCallback final
    : public ::nn::V1_2::IPreparedModelCallback,
      public ::nnapi_android::AwaitedModel<::nn::V1_2::utils::PreparedModelCallback> {
   public:
    using Data = nn::GeneralResult<nn::SharedPreparedModel>;

    explicit PreparedModelCallback(bool executeSynchronously = true)
        : kExecuteSynchronously(executeSynchronously) {}

    ::nn::hidl::Return<void> notify(
            ::nn::V1_0::ErrorStatus status,
            const ::nn::hidl::sp<::nn::V1_0::IPreparedModel>& preparedModel) override {
        return mInner->notify(status, preparedModel);
    }
    ::nn::hidl::Return<void> notify_1_2(
            ::nn::V1_0::ErrorStatus status,
            const ::nn::hidl::sp<::nn::V1_2::IPreparedModel>& preparedModel) override {
        return mInner->notify_1_2(status, preparedModel);
    }

    Data get() const { return ::nnapi_android::await(*mPending, kExecuteSynchronously); }

   private:
    const bool kExecuteSynchronously;
};

class ExecutionCallback final
    : public ::nn::V1_2::IExecutionCallback,
      public ::nnapi_android::AwaitedExecution<::nn::V1_2::utils::ExecutionCallback> {
   public:
    using Data = ::nnapi_android::ExecutionData;

    ::nn::hidl::Return<void> notify(::nn::V1_0::ErrorStatus status) override {
        return mInner->notify(status);
    }
    ::nn::hidl::Return<void> notify_1_2(
            ::nn::V1_0::ErrorStatus status,
            const ::nn::hidl::hidl_vec<::nn::V1_2::OutputShape>& outputShapes,
            const ::nn::V1_2::Timing& timing) override {
        return mInner->notify_1_2(status, outputShapes, timing);
    }

    Data get() const { return ::nnapi_android::await(*mPending); }
};

}  // namespace android::hardware::neuralnetworks::V1_2::utils
