#include <exception>

#include "testing/device/case_outcome.h"
#include "testing/device/cases.h"
#include "testing/device/models.h"

namespace nn::testing {

std::vector<DeviceCase> listCases(const DeviceTestOptions& options) {
    Cases cases;
    addBasics(cases);
    addRefused(cases);
    addExecution(cases, options);
    addDeadlines(cases, options);
    addCaching(cases, options);
    addCacheChanges(cases, options);
    addMemories(cases);
    addAllocations(cases);
    addExtensions(cases);
    addConcurrency(cases, options);
    addGrowth(cases, options);
    for (size_t i = 0; i < options.randomModels; ++i) {
        cases.push_back(randomCase(options.seed + i, options));
    }
    return cases;
}

std::vector<DeviceCase> listCases(const std::shared_ptr<const TestCase>& testCase,
                                  const DeviceTestOptions& options) {
    Cases cases;
    if (testCase == nullptr) return cases;
    addVectors(cases, testCase, options);
    addCoupling(cases, testCase, options);
    addMutants(cases, testCase, options);
    return cases;
}

DeviceOutcome runCase(const SharedDevice& device, const DeviceCase& deviceCase) {
    if (device == nullptr || !deviceCase.run) {
        DeviceOutcome outcome = failed("runCase", "no device, or no case");
        outcome.code = ErrorStatus::INVALID_ARGUMENT;
        return outcome;
    }
    try {
        return deviceCase.run(device);
    } catch (const std::exception& thrown) {
        return failed("the device", fmt::format("throws {}, allowed are answers", thrown.what()));
    } catch (...) {
        return failed("the device", "throws, allowed are answers");
    }
}

}  // namespace nn::testing
