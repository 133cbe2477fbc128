#include <exception>

#include "base/float_environment.h"
#include "device_test/cases/case_outcome.h"
#include "device_test/cases/cases.h"
#include "device_test/cases/models.h"

namespace nn::testing {
namespace {

// The case of this kind and path, with another test case.
DeviceOutcome runAs(const std::string& kind, const std::string& path, const SharedDevice& device,
                    const TestCase& other, const DeviceTestOptions& options) {
    for (const DeviceCase& one : listCases(std::make_shared<const TestCase>(other), options)) {
        if (one.kind == kind && one.path == path) return runCase(device, one);
    }
    return notSupported(fmt::format("a test case that has no {}/{}", kind, path));
}

DeviceOutcome outcomeOf(const SharedDevice& device, const DeviceCase& deviceCase) {
    try {
        return deviceCase.run(device);
    } catch (const std::exception& thrown) {
        return failed("the device", fmt::format("throws {}, expected a result", thrown.what()));
    } catch (...) {
        return failed("the device", "throws, expected a result");
    }
}

}  // namespace

std::vector<DeviceCase> listCases(const DeviceTestOptions& options) {
    Cases cases;
#define NNAPI_DEVICE_CASES(function) function(cases, options);
#include "device_test/cases/kinds.def"
    return cases;
}

std::vector<DeviceCase> listCases(const std::shared_ptr<const TestCase>& testCase,
                                  const DeviceTestOptions& options) {
    Cases cases;
    if (testCase == nullptr) return cases;
#define NNAPI_VECTOR_CASES(function) function(cases, testCase, options);
#include "device_test/cases/kinds.def"
    for (DeviceCase& made : cases) {
        made.testCase = [testCase](const SharedDevice&) { return *testCase; };
        made.runOther = [options, kind = made.kind, path = made.path](const SharedDevice& device,
                                                                      const TestCase& other) {
            return runAs(kind, path, device, other, options);
        };
    }
    return cases;
}

DeviceOutcome runCase(const SharedDevice& device, const DeviceCase& deviceCase) {
    if (device == nullptr || !deviceCase.run) {
        DeviceOutcome outcome = failed("runCase", "no device, or no case");
        outcome.code = ErrorStatus::INVALID_ARGUMENT;
        return outcome;
    }
    const FloatControls before = FloatControls::ofThisThread();
    DeviceOutcome outcome = outcomeOf(device, deviceCase);
    if (FloatControls::ofThisThread() == before) return outcome;
    before.setOfThisThread();
    if (outcome.result == DeviceOutcome::Result::FAILED) return outcome;
    return failed("the device",
                  "a call has changed how its thread rounds, counts subnormal numbers or traps, "
                  "allowed is what was set before",
                  "object.float_environment");
}

}  // namespace nn::testing
