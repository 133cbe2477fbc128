// Devices by what users call them.
#pragma once

#include <string>

#include "nnapi/driver/interfaces.h"

namespace nn::cli {

// "nnapi-reference", or "nnapi-reference@1.2": the same seen through HAL 1.2, adapted and wrapped.
GeneralResult<SharedDevice> openDevice(const std::string& spec);

// What opens the specs that openDevice does not know; for tests of the program. Empty: nothing.
using DeviceOpener = GeneralResult<SharedDevice> (*)(const std::string& spec);
void setOtherDevices(DeviceOpener opener);

}  // namespace nn::cli
