// Functions that list the cases of each kind.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "nnapi/device_test/device_test.h"

namespace nn::testing {

using Cases = std::vector<DeviceCase>;
using RunCase = std::function<DeviceOutcome(const SharedDevice&)>;

// The name starts with kind and path.
inline DeviceCase deviceCase(std::string name, RunCase run) {
    DeviceCase made{.name = std::move(name), .run = std::move(run)};
    made.kind = made.name.substr(0, made.name.find('/'));
    made.path = made.name.substr(made.name.rfind('/') + 1);
    return made;
}

#define NNAPI_DEVICE_CASES(function) void function(Cases& cases, const DeviceTestOptions& options);
#define NNAPI_VECTOR_CASES(function)                                             \
    void function(Cases& cases, const std::shared_ptr<const TestCase>& testCase, \
                  const DeviceTestOptions& options);
#include "device_test/cases/kinds.def"

}  // namespace nn::testing
