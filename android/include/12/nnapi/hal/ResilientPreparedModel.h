// nnapi/hal/ResilientPreparedModel.h -- a prepared model that comes back when its driver does, by
// Android's name.
#pragma once

#include "nnapi/Types.h"
#include "nnapi/driver/resilient.h"

namespace android::hardware::neuralnetworks::utils {
using ::nn::hal::utils::ResilientPreparedModel;
}
