// Prepares a model on a device, executes it and checks the result.
#pragma once

#include <vector>

#include "comparison/expectations.h"
#include "device_test/cases/arguments.h"
#include "device_test/cases/case_outcome.h"
#include "device_test/cases/models.h"
#include "device_test/cases/reference_work.h"
#include "nnapi/driver/interfaces.h"

namespace nn::testing {

// NOT_SUPPORTED if the model needs a newer version or unsupported operations; FAILED if the
// device's result is illegal.
Failure checkSupports(const IDevice& device, const Model& model);

// Rule device.supported_operations: queries again whether the device supports a model; work of the
// device in the meantime must not change the result.
Failure checkSupportsStill(const IDevice& device, const Model& model, bool isSupported);

// Prepares with default arguments.
GeneralResult<SharedPreparedModel> prepareOn(const IDevice& device, const Model& model);

// Calls checkSupports(), then prepares. Sets `prepared` on success.
Failure prepareOn(const IDevice& device, const Model& model, SharedPreparedModel* prepared);

// True if the case has as many values as the model has inputs and outputs, and these exist.
bool isWellFormed(const TestCase& testCase);
Failure checkWellFormed(const TestCase& testCase);

// The types of the model's outputs, in order.
std::vector<OperandType> outputTypes(const Model& model);

// Arguments with the case's inputs and space for its outputs.
Result<Arguments> argumentsFor(const Model& model, const TestCase& testCase);

ExecutionResult<Executed> execute(const IPreparedModel& prepared, const Request& request,
                                  MeasureTiming measure = MeasureTiming::NO);

// Rule reusable.computations: creates a reusable execution, without timing. Sets `execution` on
// success.
Failure createExecution(const IPreparedModel& prepared, const Request& request,
                        SharedExecution* execution);

Failure createBurst(const IPreparedModel& prepared, SharedBurst* burst);

Failure checkTiming(const std::string& place, MeasureTiming measure, const Timing& timing);

// The expected result of an execution.
struct Expectation {
    const Model& model;
    const TestCase& testCase;  // its `model` is ignored
    Criteria criteria{};
    // The criteria of single operations, if the model is a chain whose later operations may amplify
    // the errors of earlier ones; null otherwise.
    const Criteria* ofEach = nullptr;
    // Where work of the reference is reported; may be null.
    const OwnWorkHook* onOwnWork = nullptr;
    // Receives the compared outputs, and their values before rounding if they are known; both may
    // be null.
    std::vector<OutputStatistics>* statistics = nullptr;
    const std::vector<std::vector<double>>* unrounded = nullptr;
};

// Rules execution.shapes, execution.insufficient_shapes, execution.failure_shapes, execution.timing
// and execution.unmeasured: checks shapes, timing, unchanged inputs, and values.
Failure checkExecuted(const std::string& place, const ExecutionResult<Executed>& executed,
                      MeasureTiming measure, const Expectation& wanted, const Arguments& arguments);

// Checks the values only, given the shapes that the execution returned.
Failure checkValues(const std::vector<OutputShape>& shapes, const Expectation& wanted,
                    const Arguments& arguments);

// Rule execution.failure_shapes: checks the results of a failed execution other than its code.
Failure checkFailed(const std::string& place, const ExecutionResult<Executed>& executed);

// A job as a test case, owned by this object.
class JobCase {
   public:
    explicit JobCase(Job job);
    const Model& model() const { return mCase.model; }
    const TestCase& testCase() const { return mCase; }
    Expectation wanted() const;
    Result<Arguments> arguments() const;

   private:
    TestCase mCase{};
};

// Executes once and checks the result.
Failure checkComputes(const std::string& place, const IPreparedModel& prepared, const JobCase& job);

// A job, by default a sum, that is prepared, and its arguments.
struct PreparedJob {
    JobCase job{sumJob()};
    SharedPreparedModel prepared{};
    std::optional<Arguments> arguments{};

    Failure begin(const IDevice& device);
    // The same with a reusable execution.
    Failure begin(const IDevice& device, SharedExecution* execution);
};

// True if model and request determine the size of every output.
bool areOutputsSpecified(const Model& model);

// Waits for a fence, at most as long as the options allow.
Failure waitFor(const SyncFence& fence, Duration patience, SyncFence::FenceState wanted);
// Waits until the fence is signaled. If it is not, and the callback returns DEAD_OBJECT, reports
// that.
Failure waitFor(const ExecutedFenced& launched, Duration patience);

}  // namespace nn::testing
