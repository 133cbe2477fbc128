#include <exception>

#include "testing/device/case_outcome.h"
#include "testing/device/cases.h"
#include "testing/device/models.h"

namespace nn::testing {

std::vector<DeviceCase> listCases(const DeviceTestOptions& options) {
    Cases cases;
#define NNAPI_DEVICE_CASES(function) function(cases, options);
#include "testing/device/kinds.def"
    return cases;
}

std::vector<DeviceCase> listCases(const std::shared_ptr<const TestCase>& testCase,
                                  const DeviceTestOptions& options) {
    Cases cases;
    if (testCase == nullptr) return cases;
#define NNAPI_VECTOR_CASES(function) function(cases, testCase, options);
#include "testing/device/kinds.def"
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
