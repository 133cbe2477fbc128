// nnapi/hal/1.2/Burst.h -- a burst over message queues as a canonical one, by Android's name.
#pragma once

#include <android/hardware/neuralnetworks/1.2/IPreparedModel.h>

#include "nnapi/IBurst.h"
#include "nnapi/driver/burst.h"

namespace android::hardware::neuralnetworks::V1_2::utils {
using ::nn::V1_2::utils::Burst;
}
