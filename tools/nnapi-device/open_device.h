// Opens a device by the name that a user gives: registered, plug-in, address, or version suffix.
#pragma once

#include <string>
#include <vector>

#include "nnapi/driver/interfaces.h"

namespace nn::cli {

// As nn::DeviceRegistry::open: "nnapi-reference", "./libmydriver.so", either with "@1.2" or
// "@aidl3" at its end to see it through a HAL version; "nnapi-sample_quant" and its like;
// "nnapi-xnnpack" where it is built in; "unix:PATH", "HOST:PORT", either with "#NAME", for a device
// behind `nnapi serve`, as peer_options.h says; "faulty:HANGS_IN_EXECUTE" for a reference with
// faults, "faulty:HANGS_IN_EXECUTE:DEVICE" for another; "FILE.textproto" for the reference with the
// operations that a description supports (docs/devices.md).
GeneralResult<SharedDevice> openDevice(const std::string& spec);

// The same; null after a complaint on standard error.
SharedDevice openDeviceOrComplain(const std::string& spec);

// Success if a program with the C API can open the device, or all those of the spec.
Status openForLibrary(const std::string& spec);

// As openDevice; for an address without "#NAME", all its devices.
GeneralResult<std::vector<SharedDevice>> openDevices(const std::string& spec);

// All devices with names of their own, and why some cannot be opened.
std::vector<SharedDevice> registeredDevices(std::vector<Status>& refused);

}  // namespace nn::cli
