// Checks whether a device name can be registered.
#pragma once

#include <string_view>

#include "nnapi/result.h"

namespace nn::driver {

// Succeeds if a device can be registered under the name; otherwise returns the reason.
Status checkName(std::string_view name);

}  // namespace nn::driver
