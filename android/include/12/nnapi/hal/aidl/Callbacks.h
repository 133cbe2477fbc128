// nnapi/hal/aidl/Callbacks.h -- the callback of preparations of AIDL that a client waits for, by
// Android's name.
#pragma once

#include <memory>

#include "nnapi/hal/aidl/Utils.h"
#include "nnapi_android/callbacks.h"

namespace aidl::android::hardware::neuralnetworks::utils {

class PreparedModelCallback final
    : public BnPreparedModelCallback,
      public ::nnapi_android::Awaited<std::shared_ptr<::nn::hal::utils::AidlPreparedModelCallback>,
                                      ::nn::hal::utils::AidlPendingPreparedModel> {
   public:
    using Data = nn::GeneralResult<nn::SharedPreparedModel>;

    ScopedAStatus notify(ErrorStatus status,
                         const std::shared_ptr<IPreparedModel>& preparedModel) override {
        return mInner->notify(status, preparedModel);
    }

    Data get() const { return ::nnapi_android::await(*mPending); }
};

}  // namespace aidl::android::hardware::neuralnetworks::utils
