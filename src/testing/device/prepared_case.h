// Prepares a model on a device, executes it and checks the result.
#pragma once

#include <vector>

#include "nnapi/driver/interfaces.h"
#include "testing/device/arguments.h"
#include "testing/device/case_outcome.h"
#include "testing/device/expectations.h"
#include "testing/device/models.h"

namespace nn::testing {

// NOT_SUPPORTED where the model needs a newer version than the device has, or operations that the
// device says it does not support; FAILED where it answers what no device may.
Failure checkSupports(const IDevice& device, const Model& model);

// Prepares with default arguments.
GeneralResult<SharedPreparedModel> prepareOn(const IDevice& device, const Model& model);

// The two together. Sets `prepared` where all is well.
Failure prepareOn(const IDevice& device, const Model& model, SharedPreparedModel* prepared);

// As many values as the model has inputs and outputs, which exist.
bool isWellFormed(const TestCase& testCase);

// Of the outputs of the model, in their order.
std::vector<OperandType> outputTypes(const Model& model);

// Arguments with the inputs of a case and room for its outputs.
Result<Arguments> argumentsFor(const Model& model, const TestCase& testCase);

ExecutionResult<Executed> execute(const IPreparedModel& prepared, const Request& request,
                                  MeasureTiming measure = MeasureTiming::NO);

// Rule 26: an execution that computes many times, without the time that it takes. Sets `execution`
// where all is well.
Failure createExecution(const IPreparedModel& prepared, const Request& request,
                        SharedExecution* execution);

// Rules 17 and 18.
Failure checkTiming(const std::string& place, MeasureTiming measure, const Timing& timing);

// What an execution must answer and compute.
struct Expectation {
    const Model& model;
    const TestCase& testCase;  // whose own model is not looked at
    Criteria criteria{};
};

// Rules 14 to 18, inputs that were not written, and the values.
Failure checkExecuted(const std::string& place, const ExecutionResult<Executed>& executed,
                      MeasureTiming measure, const Expectation& wanted, const Arguments& arguments);

// The values alone, with the shapes that the execution has answered.
Failure checkValues(const std::vector<OutputShape>& shapes, const Expectation& wanted,
                    const Arguments& arguments);

// Rule 16: what a failed execution answers beside its code.
Failure checkFailed(const std::string& place, const ExecutionResult<Executed>& executed);

// A job as a test case that lives as long as this does.
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

// Executes once and judges.
Failure checkComputes(const std::string& place, const IPreparedModel& prepared, const JobCase& job);

// True where model and request say the size of every output.
bool areOutputsSpecified(const Model& model);

// Waits for a fence at most as long as the options say.
Failure waitFor(const SyncFence& fence, Duration patience, SyncFence::FenceState wanted);
// Until it is signalled. Where the device has died meanwhile, its callback knows.
Failure waitFor(const ExecutedFenced& launched, Duration patience);

}  // namespace nn::testing
