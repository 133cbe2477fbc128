// nnapi/hal/1.2/PreparedModel.h -- a prepared model of HAL 1.2 as a canonical one, by Android's
// name.
#pragma once

#include <android/hardware/neuralnetworks/1.2/IPreparedModel.h>

#include "nnapi/IPreparedModel.h"
#include "nnapi/driver/wrap.h"

namespace android::hardware::neuralnetworks::V1_2::utils {
using ::nn::V1_2::utils::PreparedModel;
}
