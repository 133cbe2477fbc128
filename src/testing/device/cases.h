// Lists the cases of each kind.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "nnapi/testing/device_test.h"

namespace nn::testing {

using Cases = std::vector<DeviceCase>;
using RunCase = std::function<DeviceOutcome(const SharedDevice&)>;

// Kind and path are parts of the name.
inline DeviceCase deviceCase(std::string name, RunCase run) {
    DeviceCase made{.name = std::move(name), .run = std::move(run)};
    made.kind = made.name.substr(0, made.name.find('/'));
    made.path = made.name.substr(made.name.rfind('/') + 1);
    return made;
}

void addBasics(Cases& cases);
void addRefused(Cases& cases);
void addExecution(Cases& cases, const DeviceTestOptions& options);
void addDeadlines(Cases& cases, const DeviceTestOptions& options);
void addCaching(Cases& cases, const DeviceTestOptions& options);
void addCacheChanges(Cases& cases, const DeviceTestOptions& options);
void addMemories(Cases& cases);
void addAllocations(Cases& cases);
void addExtensions(Cases& cases);
void addConcurrency(Cases& cases, const DeviceTestOptions& options);
void addGrowth(Cases& cases, const DeviceTestOptions& options);

void addVectors(Cases& cases, const std::shared_ptr<const TestCase>& testCase,
                const DeviceTestOptions& options);
void addCoupling(Cases& cases, const std::shared_ptr<const TestCase>& testCase,
                 const DeviceTestOptions& options);
void addMutants(Cases& cases, const std::shared_ptr<const TestCase>& testCase,
                const DeviceTestOptions& options);

}  // namespace nn::testing
