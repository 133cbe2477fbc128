// nnapi/hal/CommonUtils.h -- shared utilities of all versions of drivers, by Android's names.
#pragma once

#include <vector>

#include "nnapi/Result.h"
#include "nnapi/SharedMemory.h"
#include "nnapi/TypeUtils.h"
#include "nnapi/Types.h"
#include "nnapi/hal/aidl/types.h"
#include "nnapi/hal/hidl.h"

// Short names.
namespace android::hardware::neuralnetworks {
namespace hal = ::android::hardware::neuralnetworks;
namespace aidl_hal = ::aidl::android::hardware::neuralnetworks;
}  // namespace android::hardware::neuralnetworks
namespace android::nn {
namespace hal = ::android::hardware::neuralnetworks;
namespace aidl_hal = ::aidl::android::hardware::neuralnetworks;
}  // namespace android::nn
namespace aidl::android::hardware::neuralnetworks {
namespace hal = ::android::hardware::neuralnetworks;
namespace aidl_hal = ::aidl::android::hardware::neuralnetworks;
namespace utils {
namespace nn = ::android::nn;
}
}  // namespace aidl::android::hardware::neuralnetworks

namespace android::hardware::neuralnetworks::utils {

using nn::convertRequestFromPointerToShared;
using nn::countNumberOfConsumers;
using nn::flushDataFromPointerToShared;
using nn::hasNoPointerData;
using nn::InputRelocationInfo;
using nn::InputRelocationTracker;
using nn::OutputRelocationInfo;
using nn::OutputRelocationTracker;
using nn::RelocationInfo;
using nn::RelocationTracker;
using nn::RequestRelocation;

// The performance by types of a driver of HAL 1.0 or 1.1, which states two.
nn::Capabilities::OperandPerformanceTable makeQuantized8PerformanceConsistentWithP(
        const nn::Capabilities::PerformanceInfo& float32Performance,
        const nn::Capabilities::PerformanceInfo& quantized8Performance);

// Handles and fences of HIDL. Descriptors are duplicated.
nn::GeneralResult<::nn::hidl::hidl_memory> createHidlMemory(const nn::SharedMemory& memory);
nn::GeneralResult<::nn::hidl::hidl_handle> hidlHandleFromSharedHandle(
        const nn::SharedHandle& handle);
nn::GeneralResult<nn::SharedHandle> sharedHandleFromNativeHandle(
        const ::nn::hidl::native_handle_t* handle);
nn::GeneralResult<::nn::hidl::hidl_vec<::nn::hidl::hidl_handle>> convertSyncFences(
        const std::vector<nn::SyncFence>& fences);

}  // namespace android::hardware::neuralnetworks::utils
