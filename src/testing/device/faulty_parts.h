// The parts of the faulty device.
#pragma once

#include <string>
#include <vector>

#include "nnapi/testing/faulty_device.h"

namespace nn::testing {

// As long as the fault is on; then why the call fails.
Status hangWhile(const DeviceFaults& faults, DeviceFault fault);

// DEAD_OBJECT where the device is dead.
Status checkAlive(const DeviceFaults& faults);

// Ends the process at once, without a core file and the reports of sanitizers.
[[noreturn]] void endBy(int signalNumber);

SharedPreparedModel faultyPreparedModel(SharedPreparedModel good, const DeviceFaults& faults);

// What the faulty allocate gives out in place of a buffer.
SharedBuffer fakeBuffer(uint32_t token);

}  // namespace nn::testing
