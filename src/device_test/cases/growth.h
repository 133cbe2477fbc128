// Repeats an action, and fails if the process grows or slows down with it.
#pragma once

#include <functional>

#include "device_test/cases/execution_paths.h"
#include "device_test/cases/prepared_case.h"
#include "nnapi/device_test/device_test.h"

namespace nn::testing {

// Descriptors of this process that are open.
uint64_t openDescriptors();

// Repeats an action, at most so often, less often on a slow device. Fails if descriptors, threads,
// mappings or memory of the process grow with it, measured twice, or its time. `action` names it,
// in the plural.
Failure repeat(const char* action, size_t most, const std::function<Failure()>& once);

// Executes once by a path and checks the result; prepares and executes once.
Failure executeOnce(ExecutionPath path, const IDevice& device, const PreparedJob& made);
Failure prepareOnce(const IDevice& device, const JobCase& job);

// The cases of descriptor 0, and of calls that fail.
Failure closingZero(const std::string& folder, const SharedDevice& device);
void addGrowthOfFailures(std::vector<DeviceCase>& cases, const DeviceTestOptions& options);

}  // namespace nn::testing
