// nnapi/hal/1.0/Burst.h -- a burst over a prepared model that has none, by Android's name.
#pragma once

#include "nnapi/IBurst.h"
#include "nnapi/driver/wrap.h"

namespace android::hardware::neuralnetworks::V1_0::utils {
using ::nn::V1_0::utils::Burst;
}
