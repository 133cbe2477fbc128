// nnapi/hal/InvalidBurst.h -- a burst that is permanently gone, by Android's name.
#pragma once

#include "nnapi/Types.h"
#include "nnapi/driver/invalid.h"

namespace android::hardware::neuralnetworks::utils {
using ::nn::hal::utils::InvalidBurst;
}
