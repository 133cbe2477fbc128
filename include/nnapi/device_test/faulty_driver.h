// nnapi/device_test/faulty_driver.h -- A HAL driver with faulty callbacks, for tests.
//
//   const nn::testing::DeviceFaults faults{nn::testing::DeviceFault::NOTIFIES_NEVER};
//   const auto driver = nn::hal::adapter::adapt(nn::referenceDevice()).value();
//   const auto faulty = nn::testing::faultyDriver(driver, faults);
//   const auto device = nn::V1_3::utils::Device::create("faulty", faulty,
//                                                       {.ceiling = std::chrono::seconds(1)});
//   ... a preparation without a deadline fails after a second ...
//
// For tests of wrappers and of clients that call drivers directly. Implements the faults whose
// names begin with NOTIFIES; put others into the device behind it (faulty_device.h). Thread-safe.
#pragma once

#include <memory>

#include "nnapi/device_test/faulty_device.h"
#include "nnapi/hal/aidl/interfaces.h"
#include "nnapi/hal/v1_3_interfaces.h"

namespace nn::testing {

// Forwards to the driver, except for faults that are on. Null for null.
hidl::sp<V1_3::IDevice> faultyDriver(hidl::sp<V1_3::IDevice> driver, DeviceFaults faults);
std::shared_ptr<aidl_hal::IDevice> faultyDriver(std::shared_ptr<aidl_hal::IDevice> driver,
                                                DeviceFaults faults);

}  // namespace nn::testing
