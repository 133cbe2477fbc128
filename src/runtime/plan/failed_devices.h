// Attaches the failing device to a status, however far up it travels.
#pragma once

#include <string>
#include <string_view>

#include "nnapi/driver/result.h"

namespace nn::runtime {

// Attaches device names to a failure: "npu", or "npu, nnapi-reference". Names that are already
// attached stay.
Status failureOf(std::string_view devices, Status failure);

// The attached names; empty for a failure of the plan itself.
std::string devicesOf(const Status& failure);

}  // namespace nn::runtime
