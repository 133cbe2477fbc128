// nnapi/hal/1.3/Utils.h -- checks of objects of HAL 1.3, and its default, by Android's names.
#pragma once

#include "nnapi/Validation.h"
#include "nnapi/hal/1.3/Conversions.h"

namespace android::hardware::neuralnetworks::V1_3::utils {
inline constexpr auto kDefaultPriority = ::nn::V1_3::Priority::MEDIUM;
}
