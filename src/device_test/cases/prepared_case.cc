#include "device_test/cases/prepared_case.h"

#include <algorithm>

#include "device_test/cases/case_statistics.h"
#include "device_test/cases/chain_errors.h"
#include "driver/wrap/output_shapes.h"
#include "nnapi/type_utils.h"
#include "nnapi/validate.h"

namespace nn::testing {
std::vector<OperandType> outputTypes(const Model& model) {
    std::vector<OperandType> types;
    for (const uint32_t index : model.main.outputIndexes) {
        types.push_back(model.main.operands[index].type);
    }
    return types;
}

bool isWellFormed(const TestCase& testCase) {
    const Model::Subgraph& main = testCase.model.main;
    const auto exists = [&](uint32_t index) { return index < main.operands.size(); };
    return testCase.inputs.size() == main.inputIndexes.size() &&
           testCase.outputs.size() == main.outputIndexes.size() &&
           std::ranges::all_of(main.inputIndexes, exists) &&
           std::ranges::all_of(main.outputIndexes, exists);
}

Failure checkWellFormed(const TestCase& testCase) {
    if (isWellFormed(testCase)) return std::nullopt;
    return failed("the test case", "has not as many values as its model inputs and outputs");
}

Failure checkSupports(const IDevice& device, const Model& model) {
    const Result<Version> needed = validate(model);
    if (!needed.ok()) return failedCall("the model of the case", needed.status());
    if (!isCompliantVersion(*needed, device.getFeatureLevel())) {
        return notSupported(fmt::format("needs {}, the device has {}", nn::toString(*needed),
                                        nn::toString(device.getFeatureLevel())));
    }
    const auto supported = device.getSupportedOperations(model);
    if (!supported.has_value())
        return failedCall("getSupportedOperations", supported.status(),
                          "device.supported_operations");
    const size_t count = model.main.operations.size();
    if (supported->size() != count) {
        return failed(
                "getSupportedOperations",
                fmt::format("{} results, allowed {}, one for each operation of the main graph",
                            supported->size(), count),
                "device.supported_operations");
    }
    for (size_t i = 0; i < count; ++i) {
        if ((*supported)[i]) continue;
        DeviceOutcome outcome = notSupported(nn::toString(model.main.operations[i].type));
        outcome.place = fmt::format("main.operations[{}]", i);
        return outcome;
    }
    return std::nullopt;
}

Failure checkSupportsStill(const IDevice& device, const Model& model, bool isSupported) {
    Failure failure = checkSupports(device, model);
    if (failure && failure->result == DeviceOutcome::Result::FAILED) return failure;
    if (isSupported != failure.has_value()) return std::nullopt;
    return failed("getSupportedOperations",
                  fmt::format("{} at first, and {} later; two results for one model differ",
                              isSupported ? "true" : "false", isSupported ? "false" : "true"),
                  "device.supported_operations");
}

GeneralResult<SharedPreparedModel> prepareOn(const IDevice& device, const Model& model) {
    return device.prepareModel(model, ExecutionPreference::DEFAULT, Priority::DEFAULT, {}, {}, {},
                               {}, {}, {});
}

Failure prepareOn(const IDevice& device, const Model& model, SharedPreparedModel* prepared) {
    if (Failure failure = checkSupports(device, model)) return failure;
    auto made = prepareOn(device, model);
    if (!made.has_value()) return failedCall("prepareModel", made.status(), "prepare.arguments");
    if (*made == nullptr) return failed("prepareModel", "null and no error", "hidl.notified_model");
    *prepared = *std::move(made);
    return std::nullopt;
}

Result<Arguments> argumentsFor(const Model& model, const TestCase& testCase) {
    std::vector<Arguments::Output> places;
    for (size_t i = 0; i < testCase.outputs.size(); ++i) {
        const Tensor& value = testCase.outputs[i].value;
        // Ignored outputs need space, too.
        const Operand& operand = model.main.operands[model.main.outputIndexes[i]];
        const uint64_t size =
                std::max<uint64_t>({value.data.size(), operandSize(operand).value_or(0),
                                    operandSize(operand.type, value.dimensions).value_or(0)});
        places.push_back({.length = static_cast<uint32_t>(size), .dimensions = value.dimensions});
    }
    return Arguments::create(testCase.inputs, std::move(places));
}

ExecutionResult<Executed> execute(const IPreparedModel& prepared, const Request& request,
                                  MeasureTiming measure) {
    return prepared.execute(request, measure, {}, {}, {}, {});
}

Failure createExecution(const IPreparedModel& prepared, const Request& request,
                        SharedExecution* execution) {
    auto made = prepared.createReusableExecution(request, MeasureTiming::NO, {}, {}, {});
    if (!made.has_value())
        return failedCall("createReusableExecution", made.status(), "reusable.computations");
    if (*made == nullptr)
        return failed("createReusableExecution", "null and no error", "reusable.computations");
    *execution = *std::move(made);
    return std::nullopt;
}

Failure createBurst(const IPreparedModel& prepared, SharedBurst* burst) {
    auto made = prepared.configureExecutionBurst();
    if (!made.has_value())
        return failedCall("configureExecutionBurst", made.status(), "burst.one_at_a_time");
    if (*made == nullptr)
        return failed("configureExecutionBurst", "null and no error", "burst.one_at_a_time");
    *burst = *std::move(made);
    return std::nullopt;
}

Failure checkTiming(const std::string& place, MeasureTiming measure, const Timing& timing) {
    const auto& [device, driver] = timing;
    if (measure == MeasureTiming::NO && (device || driver)) {
        return failed(place, "returns a time, allowed none where nothing is measured",
                      "execution.unmeasured");
    }
    if ((device && *device < Duration::zero()) || (driver && *driver < Duration::zero())) {
        return failed(place, "returns a negative time", "execution.timing");
    }
    if (device && driver && *device > *driver) {
        return failed(
                place,
                fmt::format("took {} ns on the device, allowed at most the {} ns in the driver",
                            device->count(), driver->count()),
                "execution.timing");
    }
    return std::nullopt;
}

// A model of several operations says little of any of them.
static void addStatistics(const Expectation& wanted, std::span<const Tensor> outputs) {
    const Model::Subgraph& main = wanted.model.main;
    const bool isDrawn = wanted.testCase.expectedMultinomialDistributionTolerance > 0;
    if (main.operations.size() != 1 || isDrawn) return;
    const std::vector<Tensor> expected = expectedOutputs(wanted.testCase);
    for (size_t i = 0; i < std::min(expected.size(), outputs.size()); ++i) {
        if (expected[i].hasNoValue || expected[i].dimensions != outputs[i].dimensions) continue;
        const Operand& operand = main.operands[main.outputIndexes[i]];
        OutputStatistics one{
                .operation = main.operations.front().type, .type = operand.type, .outputs = 1};
        one.values.add(operand.type, expected[i], outputs[i]);
        one.exactOutputs = one.values.counts[0] == one.values.values() ? 1 : 0;
        if (wanted.unrounded != nullptr && i < wanted.unrounded->size()) {
            one.rounding = roundingOf(operand, (*wanted.unrounded)[i], expected[i], outputs[i]);
        }
        addTo(*wanted.statistics, one);
    }
}

// The operation that computes an output of the main graph.
static std::string operationWriting(const Model::Subgraph& main, size_t output) {
    for (const Operation& operation : main.operations) {
        if (std::ranges::count(operation.outputs, main.outputIndexes[output]) != 0) {
            return nn::toString(operation.type);
        }
    }
    return "";
}

// The elements of an output from the first difference on that have the bytes of clearOutputs(). A
// few such bytes may be a result.
static std::optional<std::string> unwrittenPart(const Comparison& comparison, const Model& model,
                                                std::span<const Tensor> outputs) {
    constexpr size_t kMinBytes = 4;
    for (size_t i = 0; i < comparison.outputs.size(); ++i) {
        const auto& first = comparison.outputs[i].first;
        if (!first) continue;
        const uint32_t width = elementSize(outputTypes(model)[i]);
        const std::span<const uint8_t> bytes(outputs[i].data);
        const auto begin = bytes.begin() + static_cast<ptrdiff_t>(first->element * width);
        const auto end = std::find_if(begin, bytes.end(),
                                      [](uint8_t byte) { return byte != Arguments::kUntouched; });
        const auto count = static_cast<size_t>(end - begin) / width;
        if (count * width < kMinBytes) return std::nullopt;
        return fmt::format(
                "output {}, elements {} to {} of {}: not written, expected {} in the first", i,
                first->element, first->element + count - 1, bytes.size() / width, first->expected);
    }
    return std::nullopt;
}

Failure checkValues(const std::vector<OutputShape>& shapes, const Expectation& wanted,
                    const Arguments& arguments) {
    const std::vector<Tensor> outputs = arguments.outputs(shapes, outputTypes(wanted.model));
    const Comparison comparison =
            compareWithCase(wanted.model, wanted.testCase, outputs, wanted.criteria);
    if (wanted.statistics != nullptr) addStatistics(wanted, outputs);
    if (comparison.pass) return std::nullopt;
    if (wanted.ofEach != nullptr &&
        areWithinErrors(wanted.testCase, outputs, *wanted.ofEach, wanted.criteria,
                        wanted.onOwnWork != nullptr ? *wanted.onOwnWork : OwnWorkHook())) {
        return std::nullopt;
    }
    DeviceOutcome outcome = failed("results", comparison.message);
    if (const auto unwritten = unwrittenPart(comparison, wanted.model, outputs)) {
        outcome.message = *unwritten;
    }
    for (uint32_t i = 0; i < comparison.outputs.size(); ++i) {
        const auto& first = comparison.outputs[i].first;
        if (!first) continue;
        outcome.firstDifference = {.output = i,
                                   .type = outputTypes(wanted.model)[i],
                                   .element = first->element,
                                   .expected = first->expected,
                                   .actual = first->actual};
        outcome.operation = operationWriting(wanted.model.main, i);
        break;
    }
    return outcome;
}

Failure checkFailed(const std::string& place, const ExecutionResult<Executed>& executed) {
    const ExecutionError error = executed.error();
    const bool isInsufficient = error.code == ErrorStatus::OUTPUT_INSUFFICIENT_SIZE;
    if (!isInsufficient && !error.outputShapes.empty()) {
        return failed(place,
                      fmt::format("fails with {} and {} shapes of outputs, allowed none",
                                  nn::toString(error.code), error.outputShapes.size()),
                      "execution.failure_shapes");
    }
    return std::nullopt;
}

Failure checkExecuted(const std::string& place, const ExecutionResult<Executed>& executed,
                      MeasureTiming measure, const Expectation& wanted,
                      const Arguments& arguments) {
    if (!executed.has_value()) {
        if (Failure failure = checkFailed(place, executed)) return failure;
        return failedCall(place, executed.status(), "execution.result");
    }
    const auto& [shapes, timing] = *executed;
    const auto signatures = driver::outputSignatures(wanted.model);
    const Status shapesAllowed = driver::checkOutputShapes(
            ErrorStatus::NONE, shapes, {arguments.request().outputs, &signatures});
    if (!shapesAllowed.ok())
        return failed(place, std::string(shapesAllowed.message()), "execution.shapes");
    if (Failure failure = checkTiming(place, measure, timing)) return failure;
    if (Failure failure = arguments.checkUntouched()) return failure;
    return checkValues(shapes, wanted, arguments);
}

JobCase::JobCase(Job job) {
    mCase.model = std::move(job.model);
    mCase.inputs = std::move(job.inputs);
    for (Tensor& output : job.outputs) mCase.outputs.push_back({.value = std::move(output)});
}

Expectation JobCase::wanted() const {
    return {.model = mCase.model, .testCase = mCase, .criteria = criteriaFor(mCase.model)};
}

Result<Arguments> JobCase::arguments() const { return argumentsFor(mCase.model, mCase); }

Failure checkComputes(const std::string& place, const IPreparedModel& prepared,
                      const JobCase& job) {
    const Result<Arguments> arguments = job.arguments();
    if (!arguments.ok()) return failedCall("memory of the case", arguments.status());
    return checkExecuted(place, execute(prepared, arguments->request()), MeasureTiming::NO,
                         job.wanted(), *arguments);
}

Failure PreparedJob::begin(const IDevice& device) {
    if (Failure failure = prepareOn(device, job.model(), &prepared)) return failure;
    Result<Arguments> made = job.arguments();
    if (!made.ok()) return failedCall("memory of the case", made.status());
    arguments = *std::move(made);
    return std::nullopt;
}

Failure PreparedJob::begin(const IDevice& device, SharedExecution* execution) {
    if (Failure failure = begin(device)) return failure;
    return createExecution(*prepared, arguments->request(), execution);
}

bool areOutputsSpecified(const Model& model) {
    return std::ranges::none_of(model.main.outputIndexes, [&](uint32_t index) {
        const Operand& operand = model.main.operands[index];
        return hasUnspecifiedDimensions(operand.type, operand.dimensions);
    });
}

Failure waitFor(const SyncFence& fence, Duration patience, SyncFence::FenceState wanted) {
    const auto state = fence.syncWait(patience);
    if (state == wanted) return std::nullopt;
    const auto text = [](SyncFence::FenceState state) {
        switch (state) {
            case SyncFence::FenceState::ACTIVE:
                return "not signaled";
            case SyncFence::FenceState::SIGNALED:
                return "signaled";
            case SyncFence::FenceState::ERROR:
                return "in error";
            case SyncFence::FenceState::UNKNOWN:
                break;
        }
        return "not a fence";
    };
    return failed(
            "fence",
            fmt::format("is {} after {} ms, expected {}", text(state),
                        std::chrono::duration_cast<std::chrono::milliseconds>(patience).count(),
                        text(wanted)),
            "fenced.result");
}

Failure waitFor(const ExecutedFenced& launched, Duration patience) {
    const auto& [fence, callback] = launched;
    Failure failure = waitFor(fence, patience, SyncFence::FenceState::SIGNALED);
    if (!failure || !callback) return failure;
    const auto info = callback();
    if (info.has_value() || info.error().code != ErrorStatus::DEAD_OBJECT) return failure;
    return failedCall("the callback", info.status(), "fenced.result");
}

}  // namespace nn::testing
