// Devices by what users call them.
#pragma once

#include <string>

#include "nnapi/driver/interfaces.h"

namespace nn::cli {

// As nn::DeviceRegistry::open: "nnapi-reference", "./libmydriver.so", either with "@1.2" at its end
// to see it through a HAL version; "nnapi-sample_quant" and its like; "nnapi-xnnpack" where it is
// built in; "faulty:HANGS_IN_EXECUTE" for a reference with faults, "faulty:HANGS_IN_EXECUTE:DEVICE"
// for another.
GeneralResult<SharedDevice> openDevice(const std::string& spec);

}  // namespace nn::cli
