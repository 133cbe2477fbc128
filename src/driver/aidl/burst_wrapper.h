// The client's end of an AIDL burst, as a canonical burst.
#pragma once

#include <memory>

#include "driver/wrap/output_shapes.h"
#include "nnapi/driver/wrap.h"

namespace nn::driver::aidl {

GeneralResult<SharedBurst> wrapBurst(std::shared_ptr<aidl_hal::IBurst> driver, HalVersion version,
                                     const WrapOptions& options, SharedOutputSignatures outputs);

}  // namespace nn::driver::aidl
