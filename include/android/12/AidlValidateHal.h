// AidlValidateHal.h -- roles of the buffers of AIDL drivers, by Android's names.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <vector>

#include "AidlHalInterfaces.h"
#include "nnapi/Validation.h"
#include "nnapi_android/helper_types.h"

namespace nnapi_android {

// The helpers of AIDL drivers take canonical arguments: only their prepared models are of AIDL.
struct AidlDriverTypes : CanonicalTypes {
    using IPreparedModel = ::nn::aidl_hal::IPreparedModel;
};

}  // namespace nnapi_android

namespace android::nn {

using AidlHalPreparedModelRole =
        ::nnapi_android::BasicPreparedModelRole<::nnapi_android::AidlDriverTypes>;

// As the function in nnapi/Validation.h; false for illegal objects. Costs nothing for the models'
// constants and operations.
bool validateMemoryDesc(
        const aidl_hal::BufferDesc& desc,
        const std::vector<std::shared_ptr<aidl_hal::IPreparedModel>>& preparedModels,
        const std::vector<aidl_hal::BufferRole>& inputRoles,
        const std::vector<aidl_hal::BufferRole>& outputRoles,
        const std::function<
                const aidl_hal::Model*(const std::shared_ptr<aidl_hal::IPreparedModel>&)>& getModel,
        std::set<AidlHalPreparedModelRole>* preparedModelRoles, aidl_hal::Operand* combinedOperand);

}  // namespace android::nn
