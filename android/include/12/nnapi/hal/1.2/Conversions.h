// nnapi/hal/1.2/Conversions.h -- conversions of HAL 1.2, by Android's names.
#pragma once

#include <android/hardware/neuralnetworks/1.2/types.h>

#include "nnapi/Result.h"
#include "nnapi/convert.h"
#include "nnapi/hal/CommonUtils.h"

namespace android::nn {
using ::nn::convert;
using ::nn::unvalidatedConvert;
}  // namespace android::nn

namespace android::hardware::neuralnetworks::V1_2::utils {
using ::nn::V1_2::utils::compliantVersion;
using ::nn::V1_2::utils::convert;
using ::nn::V1_2::utils::convertFromNonCanonical;
using ::nn::V1_2::utils::kVersion;
using ::nn::V1_2::utils::unvalidatedConvert;
using ::nn::V1_2::utils::valid;
using ::nn::V1_2::utils::validate;
}  // namespace android::hardware::neuralnetworks::V1_2::utils
