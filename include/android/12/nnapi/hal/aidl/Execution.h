// nnapi/hal/aidl/Execution.h -- a reusable execution of AIDL as a canonical one, by Android's name.
#pragma once

#include "nnapi/IExecution.h"
#include "nnapi/driver/wrap.h"
#include "nnapi/hal/aidl/Utils.h"

namespace aidl::android::hardware::neuralnetworks::utils {
using ::nn::AIDL4::utils::Execution;
}  // namespace aidl::android::hardware::neuralnetworks::utils
