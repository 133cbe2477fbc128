// Checks whether a device name can be registered.
#pragma once

#include <string_view>

#include "nnapi/result.h"

namespace nn::driver {

// Why a device cannot be registered under that name; success where it can.
Status checkName(std::string_view name);

}  // namespace nn::driver
