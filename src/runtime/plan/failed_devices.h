// Tells which devices a failure is of, however far up it travels.
#pragma once

#include <string>
#include <string_view>

#include "nnapi/driver/result.h"

namespace nn::runtime {

// The same failure, of these devices: "npu", or "npu, nnapi-reference". One that has some keeps
// them.
Status failureOf(std::string_view devices, Status failure);

// Empty where a failure is of none, but of the plan itself.
std::string devicesOf(const Status& failure);

}  // namespace nn::runtime
