// nnapi/hal/1.3/Conversions.h -- conversions of HAL 1.3, by Android's names.
#pragma once

#include <android/hardware/neuralnetworks/1.3/types.h>

#include "nnapi/Result.h"
#include "nnapi/convert.h"
#include "nnapi/hal/CommonUtils.h"

namespace android::nn {
using ::nn::convert;
using ::nn::unvalidatedConvert;
}  // namespace android::nn

namespace android::hardware::neuralnetworks::V1_3::utils {
using ::nn::V1_3::utils::compliantVersion;
using ::nn::V1_3::utils::convert;
using ::nn::V1_3::utils::convertFromNonCanonical;
using ::nn::V1_3::utils::kVersion;
using ::nn::V1_3::utils::unvalidatedConvert;
using ::nn::V1_3::utils::valid;
using ::nn::V1_3::utils::validate;
}  // namespace android::hardware::neuralnetworks::V1_3::utils
