// nnapi/hal/Adapter.h -- offers a canonical device as a driver of HIDL, by Android's names.
#pragma once

#include <utility>

#include <android/hardware/neuralnetworks/1.3/IDevice.h>

#include "nnapi/IDevice.h"
#include "nnapi/Types.h"
#include "nnapi/driver/adapt.h"

namespace android::hardware::neuralnetworks::adapter {

using ::nn::hal::adapter::Executor;
using ::nn::hal::adapter::Task;

// Null for a device that is null.
inline ::nn::hidl::sp<::nn::V1_3::IDevice> adapt(nn::SharedDevice device, Executor executor) {
    auto adapted = ::nn::hal::adapter::adaptWith(std::move(device), std::move(executor));
    return adapted.has_value() ? *std::move(adapted) : nullptr;
}
inline ::nn::hidl::sp<::nn::V1_3::IDevice> adapt(nn::SharedDevice device) {
    auto adapted = ::nn::hal::adapter::adapt(std::move(device));
    return adapted.has_value() ? *std::move(adapted) : nullptr;
}

}  // namespace android::hardware::neuralnetworks::adapter
