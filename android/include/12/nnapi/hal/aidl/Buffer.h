// nnapi/hal/aidl/Buffer.h -- a buffer of AIDL as a canonical one, by Android's name.
#pragma once

#include "nnapi/IBuffer.h"
#include "nnapi/driver/wrap.h"
#include "nnapi/hal/aidl/Utils.h"

namespace aidl::android::hardware::neuralnetworks::utils {
#define NNAPI_ANDROID_UTILS_(version) ::nn::AIDL##version::utils
#define NNAPI_ANDROID_UTILS(version) NNAPI_ANDROID_UTILS_(version)
using NNAPI_ANDROID_UTILS(NNAPI_AIDL_VERSION)::Buffer;
#undef NNAPI_ANDROID_UTILS
#undef NNAPI_ANDROID_UTILS_
}  // namespace aidl::android::hardware::neuralnetworks::utils
