// nnapi/hal/1.2/Utils.h -- checks of objects of HAL 1.2, and its defaults, by Android's names.
#pragma once

#include <cstdint>

#include "nnapi/Validation.h"
#include "nnapi/hal/1.2/Conversions.h"

namespace android::hardware::neuralnetworks::V1_2::utils {
inline constexpr auto kDefaultMesaureTiming = ::nn::V1_2::MeasureTiming::NO;
inline constexpr ::nn::V1_2::Timing kNoTiming = {.timeOnDevice = UINT64_MAX,
                                                 .timeInDriver = UINT64_MAX};
}  // namespace android::hardware::neuralnetworks::V1_2::utils
