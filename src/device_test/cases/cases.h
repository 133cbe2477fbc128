// Functions that list the cases of each kind.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "device_test/cases/case_outcome.h"
#include "nnapi/device_test/device_test.h"

namespace nn::testing {

using Cases = std::vector<DeviceCase>;
// Empty: the case passes.
using RunCase = std::function<Failure(const SharedDevice&)>;

// The name starts with kind and path.
inline DeviceCase deviceCase(std::string name, RunCase run) {
    DeviceCase made{.name = std::move(name),
                    .run = [run = std::move(run)](const SharedDevice& device) {
                        return run(device).value_or(passed());
                    }};
    made.kind = made.name.substr(0, made.name.find('/'));
    made.path = made.name.substr(made.name.rfind('/') + 1);
    return made;
}

// Adds a case "FOLDER/NAME" for each row of a table.
template <class Rows, class Run>
void addRows(Cases& cases, std::string_view folder, const Rows& rows, Run run) {
    for (const auto& row : rows) {
        cases.push_back(deviceCase(fmt::format("{}/{}", folder, row.name),
                                   [=](const SharedDevice& device) { return run(device, row); }));
    }
}

#define NNAPI_DEVICE_CASES(function) void function(Cases& cases, const DeviceTestOptions& options);
#define NNAPI_VECTOR_CASES(function)                                             \
    void function(Cases& cases, const std::shared_ptr<const TestCase>& testCase, \
                  const DeviceTestOptions& options);
#include "device_test/cases/kinds.def"

}  // namespace nn::testing
