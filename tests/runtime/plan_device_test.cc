// A plan satisfies the contract of a device, whatever its devices do.
#include <fmt/format.h>

#include "device_test/cases/execution_paths.h"
#include "nnapi/device_test/device_test.h"
#include "runtime/plan_models.h"
#include "vectors.h"

namespace nn::runtime::plan_device_test {
namespace {

using nn::testing::DeviceCase;
using nn::testing::DeviceFault;
using nn::testing::DeviceFaultInfo;
using nn::testing::DeviceOutcome;

struct Tally {
    int passed = 0, failed = 0, lacking = 0;

    void run(const SharedDevice& device, const std::vector<DeviceCase>& cases) {
        for (const DeviceCase& each : cases) {
            const DeviceOutcome outcome = runCase(device, each);
            switch (outcome.result) {
                case DeviceOutcome::Result::PASSED:
                    ++passed;
                    break;
                case DeviceOutcome::Result::NOT_SUPPORTED:
                    ++lacking;
                    break;
                case DeviceOutcome::Result::FAILED:
                    ++failed;
                    ADD_FAILURE() << each.name << ": " << toString(outcome);
            }
        }
    }
    void print(const std::string& what) const {
        fmt::print("{}: {} passed, {} failed, {} not supported\n", what, passed, failed, lacking);
    }
};

// The device test cases, and every path of some vectors. All plans are compound ones.
TEST(PlanDevice, KeepsTheRulesOfDevices) {
    const SharedDevice reference = referenceDevice();
    for (const bool hasFallback : {false, true}) {
        const auto device = std::make_shared<const PartitionedDevice>(
                randomDevices(7, reference, reference),
                hasFallback ? PlanOptions() : withoutFallback(), !hasFallback);
        Tally tally;
        tally.run(device, nn::testing::listCases({.drawnModels = 0, .executions = 200}));
        int number = 0;
        forEachVector([&](const TestCase& testCase) {
            if (++number % 97 != 0) return;
            tally.run(device, nn::testing::listCases(std::make_shared<const TestCase>(testCase),
                                                     {.mutants = 6}));
        });
        tally.print(hasFallback ? "device cases, with fallback" : "device cases, compound plans");
        EXPECT_GT(tally.passed, 500);
        EXPECT_GT(device->divided, 0);
    }
}

bool endsOrHangs(DeviceFault fault) {
    const std::string_view name = toString(fault);
    return name.starts_with("ABORTS") || name.starts_with("SEGFAULTS") ||
           name.starts_with("EXITS") || name.starts_with("HANGS") || name == "CANNOT_OPEN" ||
           name == "FENCE_NEVER_SIGNALLED";
}

// Faults that a client cannot detect: wrong values, or none.
bool isSilent(DeviceFault fault) {
    const std::string_view name = toString(fault);
    return name.starts_with("WRONG_VALUES") || name == "WRITES_INPUTS" ||
           name == "WRITES_BEHIND_OUTPUTS" || name == "KEEPS_FIRST_INPUTS" ||
           name == "MIXES_UP_THREADS" || name == "DOES_NOT_WAIT_FOR_FENCES" ||
           name == "LOADS_ANYTHING" || name == "FENCED_WITH_UNKNOWN_SHAPES";
}

// For each fault of one device, with the CPU as fallback, the results are right or the execution
// fails; nothing crashes.
TEST(PlanDevice, SurvivesEveryFault) {
    int right = 0, refused = 0;
    for (const DeviceFaultInfo& info : nn::testing::deviceFaults()) {
        if (endsOrHangs(info.fault)) continue;
        const auto faulty = nn::testing::faultyDevice(referenceDevice(), {info.fault});
        ASSERT_TRUE(faulty.has_value()) << info.name;
        const auto plan = makePlan(sumTimes(), addAndMul(*faulty), {});
        if (!plan.has_value()) {
            ++refused;
            EXPECT_NE(plan.error().message, "") << info.name;
            continue;
        }
        for (const nn::testing::ExecutionPath path : nn::testing::kExecutionPaths) {
            Floats values;
            const auto executed = executeBy(path, *(*plan)->preparedModel(), values.request(),
                                            {.measure = MeasureTiming::YES});
            if (!executed.has_value()) {
                ++refused;
                // A fence may fail after its launch.
                EXPECT_EQ(path, nn::testing::ExecutionPath::FENCED)
                        << info.name << executed.error().message;
                continue;
            }
            ++right;
            if (isSilent(info.fault)) continue;
            EXPECT_EQ(values.z, Floats::expected()) << info.name;
        }
    }
    fmt::print("faults: {} executions right, {} refused\n", right, refused);
    EXPECT_GT(right, 150);
}

}  // namespace
}  // namespace nn::runtime::plan_device_test
