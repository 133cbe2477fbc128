// nnapi/testing/device_test.h -- does a device keep the rules of the interface?
//
//   nn::SharedDevice device = ...;
//   for (const nn::testing::DeviceCase& test : nn::testing::listCases({.seed = 7})) {
//       const nn::testing::DeviceOutcome outcome = nn::testing::runCase(device, test);
//       if (outcome.result == nn::testing::DeviceOutcome::Result::FAILED) {
//           puts((test.name + ": " + nn::testing::toString(outcome)).c_str());
//       }
//   }
//
// A case is a name and a function: it knows nothing of processes, and prints nothing. A device that
// hangs or crashes takes the process along, so that a runner puts cases into processes of their
// own, as `nnapi test-device` does. Numbers and names of rules are those of
// docs/device_rules.md; docs/test_device.md says what each kind of case is about. The same options
// give the same cases, in the same order and under the same names. Thread-safe; a case keeps
// nothing between two runs.
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

#include "nnapi/driver/interfaces.h"
#include "nnapi/io.h"
#include "nnapi/testing/compare.h"
#include "nnapi/types.h"

namespace nn::testing {

struct DeviceOutcome {
    enum class Result {
        PASSED,
        FAILED,
        NOT_SUPPORTED,  // the device may lack this, and says so in the way that the rules ask for
    };

    // The first element that is beyond the tolerance.
    struct Difference {
        uint32_t output = 0;
        OperandType type = OperandType::FLOAT32;
        uint64_t element = 0;
        double expected = 0;
        double actual = 0;
        bool operator==(const Difference&) const = default;
    };

    Result result = Result::PASSED;
    std::string place{};    // of a failure: "execute", "prepareModel", "output 0"
    std::string message{};  // what was found, and what is allowed; of NOT_SUPPORTED what is lacking
    std::string rules{};    // that are broken: "17, 18"; may be empty
    // What the device answered, where a call failed that should not have.
    std::optional<ErrorStatus> code{};
    std::optional<Difference> firstDifference{};
    bool operator==(const DeviceOutcome&) const = default;
};

// "passed", "failed", "notSupported"
std::string_view toString(DeviceOutcome::Result result);

// "execute: both times are there, allowed none where nothing is measured [rule 18]"
std::string toString(const DeviceOutcome& outcome);

// A rule of devices. Numbers and names never change their meaning; docs/device_rules.md has the
// statements.
struct DeviceRule {
    int number = 0;
    std::string_view name{};  // "execution.unmeasured"
};

// All of them, in the order of the page.
std::span<const DeviceRule> deviceRules();

// The names of the rules in DeviceOutcome::rules: {"execution.timing", "execution.unmeasured"} for
// "17, 18". Numbers of no rule have none.
std::vector<std::string_view> deviceRuleNames(std::string_view rules);

struct DeviceCase {
    std::string name{};       // "vectors/add/sync", "cache/flipped_bit/model0"
    std::string kind{};       // the first part of the name
    std::string operation{};  // of models: the first of the main graph; may be empty
    std::string type{};       // of models: that of their first output; may be empty
    std::string path{};       // the last part of the name
    std::function<DeviceOutcome(const SharedDevice& device)> run{};
};

// What the results of models with an operation may be off by; any operation where it is empty.
struct OperationTolerance {
    std::optional<OperationType> operation{};
    OperandType type = OperandType::TENSOR_FLOAT32;
    Tolerance tolerance{};
    bool operator==(const OperationTolerance&) const = default;
};

struct DeviceTestOptions {
    uint64_t seed = 1;         // of random models and of the choice of mutants
    size_t randomModels = 20;  // compared with the reference
    size_t mutants = 24;       // of each test case, at most
    size_t executions = 1000;  // of each case of growth
    // Where several fit a model and a type, the one that allows most counts.
    std::vector<OperationTolerance> tolerances{};
    std::string temporaryFolder = "/tmp";          // for files of caches
    Duration patience = std::chrono::seconds(10);  // for fences
};

// The cases of the device itself: basics, refused, execution, deadlines, cache, memory, extensions,
// concurrency, growth, random.
std::vector<DeviceCase> listCases(const DeviceTestOptions& options = {});

// The cases of one model with expected outputs: every path by which it can be executed, its
// counterpart with signed or unsigned values, and the mutants of its model and its request that
// must be refused.
std::vector<DeviceCase> listCases(const std::shared_ptr<const TestCase>& testCase,
                                  const DeviceTestOptions& options = {});

// A random model that is compared with the reference, by its seed: "random/17".
DeviceCase randomCase(uint64_t seed, const DeviceTestOptions& options = {});

// A few models with results computed by hand, for those who have no test cases at hand.
std::vector<std::shared_ptr<const TestCase>> builtInTestCases();

// Runs a case. What the device throws is a failure. INVALID_ARGUMENT in the outcome for null.
DeviceOutcome runCase(const SharedDevice& device, const DeviceCase& deviceCase);

}  // namespace nn::testing
