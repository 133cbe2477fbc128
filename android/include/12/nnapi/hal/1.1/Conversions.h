// nnapi/hal/1.1/Conversions.h -- conversions of HAL 1.1, by Android's names.
#pragma once

#include <android/hardware/neuralnetworks/1.1/types.h>

#include "nnapi/Result.h"
#include "nnapi/convert.h"
#include "nnapi/hal/CommonUtils.h"

namespace android::nn {
using ::nn::convert;
using ::nn::unvalidatedConvert;
}  // namespace android::nn

namespace android::hardware::neuralnetworks::V1_1::utils {
using ::nn::V1_1::utils::compliantVersion;
using ::nn::V1_1::utils::convert;
using ::nn::V1_1::utils::convertFromNonCanonical;
using ::nn::V1_1::utils::kVersion;
using ::nn::V1_1::utils::unvalidatedConvert;
using ::nn::V1_1::utils::valid;
using ::nn::V1_1::utils::validate;
}  // namespace android::hardware::neuralnetworks::V1_1::utils
