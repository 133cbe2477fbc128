// Assigns each operation to the best device.
#pragma once

#include <span>
#include <vector>

#include "nnapi/validated_model.h"
#include "runtime/plan/plan.h"
#include "runtime/plan/value_sizes.h"

namespace nn::runtime {

// The index of the device of each operation of the main graph; the number of devices for an IF or a
// WHILE that the plan executes itself. INVALID_ARGUMENT if no device supports an operation,
// or the code of a device whose query failed.
Result<std::vector<size_t>> assignDevices(const ValidatedModel& model,
                                          std::span<const PlanDevice> devices,
                                          ExecutionPreference preference, const Sizes& sizes);

}  // namespace nn::runtime
