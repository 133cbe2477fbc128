// hidl/ServiceManagement.h -- where registerAsService and getService of HIDL's devices look.
//
//   status_t registered = device->registerAsService("npu");   // OK, or why not
//   sp<V1_3::IDevice> device = V1_3::IDevice::getService("npu");
//
// This process finds a service, and others of the user do by a Unix socket: NNAPI_SERVICE of
// the environment ("unix:PATH", for all devices of the process) or, by its name, one in the folder
// of nnapi/service/runtime_folder.h. BAD_VALUE for a name that cannot be one of a device, or a file
// there; UNKNOWN_ERROR if it cannot be served, which the log explains.
#pragma once

#include <string>
#include <vector>

#include "hidl/Status.h"
#include "nnapi/hal/v1_3_interfaces.h"

namespace android::hardware {

// The names of all services of an interface (V1_0::IDevice::descriptor), of any version of HIDL's:
// getService finds each.
std::vector<std::string> getAllHalInstanceNames(const std::string& descriptor);

}  // namespace android::hardware
