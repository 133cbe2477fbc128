// nnapi/device_test/device_test.h -- Conformance test cases for devices.
//
//   nn::SharedDevice device = ...;
//   for (const nn::testing::DeviceCase& test : nn::testing::listCases({.seed = 7})) {
//       const nn::testing::DeviceOutcome outcome = nn::testing::runCase(device, test);
//       if (outcome.result == nn::testing::DeviceOutcome::Result::FAILED) {
//           puts((test.name + ": " + nn::testing::toString(outcome)).c_str());
//       }
//   }
//
// A case is a name and a function. It starts no processes and prints nothing. A device that hangs
// or crashes also stops the process, so a runner executes cases in separate processes, as `nnapi
// test-device` does. Numbers and names of rules are those of
// docs/device_rules.md; docs/test_device.md describes
// each kind of case. Equal options produce equal cases, in the same order and with the same names.
// Thread-safe; a case keeps no state between runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nnapi/comparison.h"
#include "nnapi/device_test/device_rules.h"
#include "nnapi/driver/interfaces.h"
#include "nnapi/io.h"
#include "nnapi/types.h"

namespace nn::testing {

// Errors of quantized results that distinguish modes of rounding: the result before rounding is
// known, and is clearly between a whole and a half step, so that it has one nearest step.
struct RoundingStatistics {
    uint64_t values = 0;     // whose rounding is known
    int64_t errorSum = 0;    // actual - expected, in steps
    int64_t outwardSum = 0;  // the same, but positive where the result is farther from zero

    // errorSum and outwardSum by values, in steps; 0 without values. 0 for an unbiased rounding;
    // truncating gives a half.
    double meanError() const;
    double meanOutwardError() const;
    bool operator==(const RoundingStatistics&) const = default;
};

// Statistics of the results of an operation with outputs of a type, compared with the expected
// ones.
struct OutputStatistics {
    OperationType operation{};      // the only one of the model
    OperandType type{};             // of the outputs
    uint64_t outputs = 0;           // that were compared
    uint64_t exactOutputs = 0;      // of these, those without any difference
    ValueStatistics values{};       // of all elements
    RoundingStatistics rounding{};  // of quantized ones
    bool operator==(const OutputStatistics&) const = default;
};

// Result of a case.
struct DeviceOutcome {
    // The result of the case. A device that hangs or dies produces no outcome.
    enum class Result {
        PASSED,
        FAILED,
        NOT_SUPPORTED,  // an optional feature is missing, and reported as the rules require
    };

    // The first element beyond the tolerance.
    struct Difference {
        uint32_t output = 0;                      // index among the outputs of the main graph
        OperandType type = OperandType::FLOAT32;  // of the output
        uint64_t element = 0;                     // in row-major order
        double expected = 0;                      // as elementValue() reads it
        double actual = 0;                        // likewise
        bool operator==(const Difference&) const = default;
    };

    Result result = Result::PASSED;  // place, message, rules and code belong to it
    std::string place{};             // of a failure: "execute", "prepareModel", "output 0"
    std::string message{};  // the finding and the allowed values; for NOT_SUPPORTED the missing
                            // feature
    std::string rules{};    // broken rules: "17, 18"; may be empty
    // The device's error code, if a call failed that should have succeeded.
    std::optional<ErrorStatus> code{};
    std::optional<Difference> firstDifference{};  // where values are wrong
    std::string operation{};  // that computes the output which differs first; empty if not known
    // Of the outputs that were compared, if the model has one operation.
    std::vector<OutputStatistics> statistics{};
    // Behavior that the HAL permits and that clients of the device may not expect.
    std::vector<std::string> remarks{};
    bool operator==(const DeviceOutcome&) const = default;
};

// "passed", "failed", "notSupported"
std::string_view toString(DeviceOutcome::Result result);

// "execute: both times are there, allowed none where nothing is measured [execution.unmeasured]"
std::string toString(const DeviceOutcome& outcome);

// A test case.
struct DeviceCase {
    std::string name{};       // "vectors/add/sync", "cache/flipped_bit/model0"
    std::string kind{};       // the first part of the name
    std::string operation{};  // first operation of the model's main graph; may be empty
    std::string type{};       // type of the model's first output; may be empty
    std::string path{};       // the last part of the name
    std::function<DeviceOutcome(const SharedDevice& device)> run{};  // not empty; see runCase()
    // For a case that runs one test case: the test case, which may depend on the device, and a run
    // of another one in its place. Both are empty for other cases.
    std::function<Result<TestCase>(const SharedDevice& device)> testCase{};
    std::function<DeviceOutcome(const SharedDevice& device, const TestCase& other)> runOther{};
};

// Options of listCases().
struct DeviceTestOptions {
    uint64_t seed = 1;          // for random models and the choice of mutants
    size_t randomModels = 500;  // number of models compared with the reference
    size_t mutants = 24;        // for each test case, at most
    size_t drawnModels = 50;    // of an operation, in each case of kind "numbers"
    size_t executions = 1000;   // in each case of kind "growth"
    // If several match a model and a type, the largest applies.
    std::vector<OperationTolerance> tolerances{};
    std::string temporaryFolder = "/tmp";          // for cache files
    Duration patience = std::chrono::seconds(10);  // longest wait for a fence
    // Called before and after each computation of the reference, on the same thread, so that a
    // runner does not count its time as the device's. May be empty.
    std::function<void(bool begins)> onOwnWork{};
};

// Cases that need no test vectors: basics, protocol, refused, execution, deadlines, time, cache,
// memory, extensions, concurrency, growth, random, numbers.
std::vector<DeviceCase> listCases(const DeviceTestOptions& options = {});

// Cases of one test vector: every execution path, the counterpart with signed or unsigned values,
// and mutants of its model and request that must be rejected.
std::vector<DeviceCase> listCases(const std::shared_ptr<const TestCase>& testCase,
                                  const DeviceTestOptions& options = {});

// The seed of the i-th random model of a run with DeviceTestOptions::seed. Each seed has its own
// window of models, from `seed` * kRandomWindow on. A larger seed is itself the first of them, so
// that the seed of one model can be given as the seed of a run.
inline constexpr uint64_t kRandomWindow = 1'000'000;
uint64_t randomSeed(uint64_t seed, uint64_t i);

// The comparison of a random model with the reference, by seed: "random/17".
DeviceCase randomCase(uint64_t seed, const DeviceTestOptions& options = {});

// A few models with results computed by hand, for use without test vectors.
std::vector<std::shared_ptr<const TestCase>> builtInTestCases();

// Runs a case. An exception of the device is a failure. INVALID_ARGUMENT in the outcome for null.
DeviceOutcome runCase(const SharedDevice& device, const DeviceCase& deviceCase);

}  // namespace nn::testing
