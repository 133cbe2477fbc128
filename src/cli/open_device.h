// Devices by what users call them.
#pragma once

#include <string>
#include <vector>

#include "nnapi/driver/interfaces.h"

namespace nn::cli {

// As nn::DeviceRegistry::open: "nnapi-reference", "./libmydriver.so", either with "@1.2" at its end
// to see it through a HAL version; "nnapi-xnnpack" where it is built in; and "unix:PATH" or
// "unix:PATH#NAME" for a device behind `nnapi serve`.
GeneralResult<SharedDevice> openDevice(const std::string& spec);

// The same; of "unix:PATH" all devices.
GeneralResult<std::vector<SharedDevice>> openDevices(const std::string& spec);

// All that have names of their own, and why some do not open.
std::vector<SharedDevice> registeredDevices(std::vector<Status>& refused);

// What opens the specs that openDevice does not know; for tests of the program. Empty: nothing.
using DeviceOpener = GeneralResult<SharedDevice> (*)(const std::string& spec);
void setOtherDevices(DeviceOpener opener);

}  // namespace nn::cli
