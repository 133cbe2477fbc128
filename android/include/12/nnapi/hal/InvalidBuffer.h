// nnapi/hal/InvalidBuffer.h -- a buffer that is permanently gone, by Android's name.
#pragma once

#include "nnapi/Types.h"
#include "nnapi/driver/invalid.h"

namespace android::hardware::neuralnetworks::utils {
using ::nn::hal::utils::InvalidBuffer;
}
