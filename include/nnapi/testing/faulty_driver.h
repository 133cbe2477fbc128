// nnapi/testing/faulty_driver.h -- a driver whose callbacks have faults.
//
//   const nn::testing::DeviceFaults faults{nn::testing::DeviceFault::NOTIFIES_NEVER};
//   const auto driver = nn::hal::adapter::adapt(nn::referenceDevice()).value();
//   const auto device = nn::V1_3::utils::Device::create(
//           "faulty", nn::testing::faultyDriver(driver, faults), {.ceiling =
//           std::chrono::seconds(1)});
//   ... no preparation without a deadline ends before a second is over ...
//
// For tests of wrappers and of clients that speak to drivers directly. It has the faults that begin
// with NOTIFIES; others are put into the device behind it, see faulty_device.h. Thread-safe.
#pragma once

#include <memory>

#include "nnapi/hal/aidl/interfaces.h"
#include "nnapi/hal/v1_3_interfaces.h"
#include "nnapi/testing/faulty_device.h"

namespace nn::testing {

// Does what the driver does, but for the faults that are turned on. Null for null.
hidl::sp<V1_3::IDevice> faultyDriver(hidl::sp<V1_3::IDevice> driver, DeviceFaults faults);
std::shared_ptr<aidl_hal::IDevice> faultyDriver(std::shared_ptr<aidl_hal::IDevice> driver,
                                                DeviceFaults faults);

}  // namespace nn::testing
