// Assigns each operation to the best device.
#pragma once

#include <span>
#include <vector>

#include "nnapi/checked_model.h"
#include "runtime/plan/plan.h"
#include "runtime/plan/value_sizes.h"

namespace nn::runtime {

// For each operation of the main graph the index of its device; the number of devices where the
// plan executes an IF or a WHILE itself. INVALID_ARGUMENT where no device supports an operation.
Result<std::vector<size_t>> assignDevices(const CheckedModel& model,
                                          std::span<const PlanDevice> devices,
                                          ExecutionPreference preference, const Sizes& sizes);

}  // namespace nn::runtime
