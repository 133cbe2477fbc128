// nnapi/hal/1.1/Utils.h -- checks of objects of HAL 1.1, and its default, by Android's names.
#pragma once

#include "nnapi/Validation.h"
#include "nnapi/hal/1.1/Conversions.h"

namespace android::hardware::neuralnetworks::V1_1::utils {
inline constexpr auto kDefaultExecutionPreference =
        ::nn::V1_1::ExecutionPreference::FAST_SINGLE_ANSWER;
}
