// nnapi/hal/1.3/PreparedModel.h -- a prepared model of HAL 1.3 as a canonical one, by Android's
// name.
#pragma once

#include <android/hardware/neuralnetworks/1.3/IPreparedModel.h>

#include "nnapi/IPreparedModel.h"
#include "nnapi/driver/wrap.h"

namespace android::hardware::neuralnetworks::V1_3::utils {
using ::nn::V1_3::utils::PreparedModel;
}
