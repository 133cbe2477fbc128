// An AIDL driver's buffer as a canonical one.
#pragma once

#include <memory>

#include "nnapi/driver/interfaces.h"
#include "nnapi/hal/aidl/interfaces.h"

namespace nn::driver::aidl {

// GENERAL_FAILURE for null, and for tokens below 1.
GeneralResult<SharedBuffer> wrapBuffer(std::shared_ptr<aidl_hal::IBuffer> buffer, int32_t token);

}  // namespace nn::driver::aidl
