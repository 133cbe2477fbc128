// nnapi/hal/1.0/PreparedModel.h -- a prepared model of HAL 1.0 as a canonical one, by Android's
// name.
#pragma once

#include <android/hardware/neuralnetworks/1.0/IPreparedModel.h>

#include "nnapi/IPreparedModel.h"
#include "nnapi/driver/wrap.h"

namespace android::hardware::neuralnetworks::V1_0::utils {
using ::nn::V1_0::utils::PreparedModel;
}
