// Executes nnapi-device, the program for devices.
#pragma once

#include <string>
#include <vector>

#include "tools/nnapi/output.h"

namespace nn::cli {

// Replaces this process by nnapi-device with the same arguments. Looks in the folder of this
// program, then in ../libexec/nnapi. Returns only after printing an error, with the way to build it
// if it is in neither.
Exit executeDeviceProgram(const std::vector<std::string>& arguments);

}  // namespace nn::cli
