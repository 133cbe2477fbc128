// Devices by what users call them.
#pragma once

#include <string>

#include "nnapi/driver/interfaces.h"

namespace nn::cli {

// As nn::DeviceRegistry::open: "nnapi-reference", "./libmydriver.so", either with "@1.2" at its end
// to see it through a HAL version; and "nnapi-xnnpack" where it is built in.
GeneralResult<SharedDevice> openDevice(const std::string& spec);

// What opens the specs that openDevice does not know; for tests of the program. Empty: nothing.
using DeviceOpener = GeneralResult<SharedDevice> (*)(const std::string& spec);
void setOtherDevices(DeviceOpener opener);

}  // namespace nn::cli
