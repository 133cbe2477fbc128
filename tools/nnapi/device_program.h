// Executes nnapi-device, the program for devices, which is installed beside nnapi.
#pragma once

#include <string>
#include <vector>

#include "tools/nnapi/output.h"

namespace nn::cli {

// Replaces this process by nnapi-device with the same arguments. Returns only after a complaint
// that it is not there, and how to build it.
Exit executeDeviceProgram(const std::vector<std::string>& arguments);

}  // namespace nn::cli
