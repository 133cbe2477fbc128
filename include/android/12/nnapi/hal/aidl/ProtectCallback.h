// nnapi/hal/aidl/ProtectCallback.h -- the same for drivers of AIDL as nnapi/hal/ProtectCallback.h.
#pragma once

#include "nnapi/hal/CommonUtils.h"
#include "nnapi/hal/ProtectCallback.h"

namespace aidl::android::hardware::neuralnetworks::utils {
using hal::utils::DeathHandler;
using hal::utils::IProtectedCallback;
}  // namespace aidl::android::hardware::neuralnetworks::utils
