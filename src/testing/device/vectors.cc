// Models with expected outputs, by every path of an execution.
#include <fmt/ranges.h>

#include <algorithm>

#include "driver/common/shapes.h"
#include "nnapi/memory.h"
#include "nnapi/testing/generate.h"
#include "nnapi/type_utils.h"
#include "nnapi/validate.h"
#include "testing/device/cases.h"
#include "testing/device/subject.h"

namespace nn::testing {
namespace {

using enum ErrorStatus;

// A vector as one of its paths runs it.
struct Vector {
    std::shared_ptr<const TestCase> testCase{};
    std::vector<OperationTolerance> tolerances{};
    Duration patience{};

    Wanted wanted(const Model& model) const {
        return {.model = model,
                .testCase = *testCase,
                .criteria = criteriaFor(testCase->name, model, tolerances)};
    }
};

// What all paths need: the model prepared, the arguments laid out.
struct Run {
    SharedDevice device{};
    const Model& model;
    Wanted wanted;
    Duration patience{};
    SharedPreparedModel prepared{};
    std::optional<Arguments> arguments{};

    Failure begin() {
        if (Failure failure = prepareOn(*device, model, &prepared)) return failure;
        Result<Arguments> made = argumentsFor(model, wanted.testCase);
        if (!made.ok()) return failedCall("memory of the case", made.status());
        arguments = *std::move(made);
        return std::nullopt;
    }

    // Where the shapes of outputs are known only afterwards, a device may lack what it takes.
    bool isLackOfShapes(const Status& status) const {
        return !status.ok() && errorStatus(status) == GENERAL_FAILURE &&
               !areOutputsSpecified(model);
    }

    Failure judge(const std::string& place, const ExecutionResult<Executed>& executed,
                  MeasureTiming measure = MeasureTiming::NO) const {
        if (isLackOfShapes(executed.status())) return lackOfShapes(executed.status());
        return checkExecuted(place, executed, measure, wanted, *arguments);
    }

    static DeviceOutcome lackOfShapes(const Status& status) {
        return notSupported(
                fmt::format("outputs whose size is not known beforehand ({})", textOf(status)));
    }
};

DeviceOutcome outcomeOf(const Failure& failure) { return failure.value_or(passed()); }

DeviceOutcome runSync(Run& run, MeasureTiming measure) {
    return outcomeOf(run.judge("execute", execute(*run.prepared, run.arguments->request(), measure),
                               measure));
}

// Rule 26: the same execution twice.
DeviceOutcome runReusable(Run& run) {
    const auto execution = run.prepared->createReusableExecution(run.arguments->request(),
                                                                 MeasureTiming::NO, {}, {}, {});
    if (!execution.has_value()) {
        return failedCall("createReusableExecution", execution.status(), "26");
    }
    if (*execution == nullptr) return failed("createReusableExecution", "null and no error");
    for (const char* place : {"the first compute", "the second compute"}) {
        run.arguments->clearOutputs();
        if (Failure failure = run.judge(place, (*execution)->compute({}))) return *failure;
    }
    return passed();
}

// Rule 27: twice on one burst, with its memory in the cache.
DeviceOutcome runBurst(Run& run) {
    const auto burst = run.prepared->configureExecutionBurst();
    if (!burst.has_value()) return failedCall("configureExecutionBurst", burst.status(), "27");
    if (*burst == nullptr) return failed("configureExecutionBurst", "null and no error");
    const auto inputs = (*burst)->cacheMemory(run.arguments->inputMemory());
    const auto outputs = (*burst)->cacheMemory(run.arguments->outputMemory());
    for (const char* place :
         {"the first execute of the burst", "the second execute of the burst"}) {
        run.arguments->clearOutputs();
        const auto executed =
                (*burst)->execute(run.arguments->request(), MeasureTiming::NO, {}, {}, {}, {});
        if (Failure failure = run.judge(place, executed)) return *failure;
    }
    return passed();
}

GeneralResult<ExecutedFenced> executeFenced(const Run& run, const std::vector<SyncFence>& waitFor,
                                            OptionalDuration loopTimeout = {}) {
    return run.prepared->executeFenced(run.arguments->request(), waitFor, MeasureTiming::YES, {},
                                       loopTimeout, {}, {}, {});
}

bool lacksFences(const IDevice& device, const Status& status) {
    return device.getFeatureLevel().level < Version::Level::FEATURE_LEVEL_4 &&
           errorStatus(status) == GENERAL_FAILURE;
}

// Rules 20, 21 and, where there is a fence to wait for, 198.
DeviceOutcome runFenced(Run& run) {
    std::vector<SyncFence> before;
    for (const char* place : {"executeFenced", "executeFenced behind the first"}) {
        run.arguments->clearOutputs();
        const auto launched = executeFenced(run, before);
        if (!launched.has_value() && lacksFences(*run.device, launched.status())) {
            return notSupported("fenced executions");
        }
        if (!areOutputsSpecified(run.model)) {
            return outcomeOf(mustFail(place, launched.status(), {kInvalid}, "21"));
        }
        if (!launched.has_value()) return failedCall(place, launched.status(), "20");
        const auto& [fence, callback] = *launched;
        if (fence.hasFd()) {
            if (Failure failure = waitFor(fence, run.patience, SyncFence::FenceState::SIGNALED)) {
                return *failure;
            }
        }
        if (!callback) return failed(place, "no callback for the timing", "20");
        const auto info = callback();
        if (!info.has_value()) return failedCall("the callback", info.status(), "20");
        for (const Timing& timing : {info->first, info->second}) {
            if (Failure failure = checkTiming("the callback", MeasureTiming::YES, timing)) {
                return *failure;
            }
        }
        if (Failure failure = run.arguments->checkUntouched()) return *failure;
        if (Failure failure = checkValues({}, run.wanted, *run.arguments)) return *failure;
        if (!fence.hasFd()) break;
        before = {fence};
    }
    return passed();
}

// Rule 15: the buffer of the first output is one byte too small.
DeviceOutcome runInsufficient(Run& run) {
    --run.arguments->request().outputs[0].location.length;
    const auto executed = execute(*run.prepared, run.arguments->request());
    if (run.isLackOfShapes(executed.status())) return Run::lackOfShapes(executed.status());
    if (Failure failure =
                mustFail("execute", executed.status(), {{OUTPUT_INSUFFICIENT_SIZE}}, "15")) {
        return *failure;
    }
    const std::vector<OutputShape> shapes = executed.error().outputShapes;
    const auto signatures = driver::outputSignatures(run.model);
    const Status allowed = driver::checkOutputShapes(
            OUTPUT_INSUFFICIENT_SIZE, shapes, {run.arguments->request().outputs, &signatures});
    if (!allowed.ok()) return failed("execute", std::string(allowed.message()), "15");
    if (shapes[0].isSufficient) {
        return failed("output 0", "is answered as sufficient, one byte is missing", "15");
    }
    for (size_t i = 0; i < shapes.size(); ++i) {
        const Dimensions& wanted = run.wanted.testCase.outputs[i].value.dimensions;
        if (run.wanted.testCase.outputs[i].ignored) continue;
        if (!combineDimensions(shapes[i].dimensions, wanted)) {
            return failed(
                    fmt::format("output {}", i),
                    fmt::format("has dimensions [{}], expected [{}]",
                                fmt::join(shapes[i].dimensions, ", "), fmt::join(wanted, ", ")),
                    "15");
        }
    }
    return passed();
}

// A buffer of the device for one input or output.
Failure allocate(const Run& run, bool isInput, uint32_t index, SharedBuffer* buffer) {
    const std::vector<BufferRole> role = {{.modelIndex = 0, .ioIndex = index, .probability = 1}};
    const std::vector<BufferRole> none;
    auto made =
            run.device->allocate({}, {run.prepared}, isInput ? role : none, isInput ? none : role);
    if (!made.has_value()) {
        if (made.error().code == GENERAL_FAILURE) {
            return notSupported(fmt::format("memory of the device ({})", made.error().message));
        }
        return failedCall("allocate", made.status(), "12");
    }
    if (*made == nullptr) return failed("allocate", "null and no error", "12");
    if ((*made)->getToken() == Request::MemoryDomainToken{0}) {
        return failed("allocate", "token 0", "12");
    }
    *buffer = *std::move(made);
    return std::nullopt;
}

// The same values, with all inputs and outputs in memory of the device.
DeviceOutcome runDeviceMemory(Run& run) {
    Request request;
    std::vector<SharedBuffer> buffers;
    const auto add = [&](bool isInput, uint32_t index,
                         std::vector<Request::Argument>& arguments) -> Failure {
        SharedBuffer buffer;
        if (Failure failure = allocate(run, isInput, index, &buffer)) return failure;
        arguments.push_back(
                {.location = {.poolIndex = static_cast<uint32_t>(request.pools.size())}});
        request.pools.emplace_back(buffer->getToken());
        buffers.push_back(std::move(buffer));
        return std::nullopt;
    };
    const std::vector<Tensor>& inputs = run.wanted.testCase.inputs;
    for (uint32_t i = 0; i < inputs.size(); ++i) {
        if (inputs[i].hasNoValue) {
            request.inputs.push_back({.lifetime = Request::Argument::LifeTime::NO_VALUE});
            continue;
        }
        if (Failure failure = add(true, i, request.inputs)) return *failure;
        const SharedMemory values = memoryOf(inputs[i].data);
        const auto copied = buffers.back()->copyFrom(values, {});
        if (!copied.has_value()) {
            return failedCall(fmt::format("copyFrom for input {}", i), copied.status(), "213");
        }
    }
    const auto outputs = static_cast<uint32_t>(run.wanted.testCase.outputs.size());
    const size_t firstOutput = buffers.size();
    for (uint32_t i = 0; i < outputs; ++i) {
        if (Failure failure = add(false, i, request.outputs)) return *failure;
    }
    const auto executed = execute(*run.prepared, request);
    if (!executed.has_value()) return failedCall("execute", executed.status(), "216");
    std::vector<Tensor> results;
    for (uint32_t i = 0; i < outputs; ++i) {
        const Operand& operand = run.model.main.operands[run.model.main.outputIndexes[i]];
        Tensor result{.dimensions = operand.dimensions};
        result.data.resize(operandSize(operand).value_or(0));
        const SharedMemory values = memoryOf(result.data);
        const auto copied = buffers[firstOutput + i]->copyTo(values);
        if (!copied.has_value()) {
            return failedCall(fmt::format("copyTo for output {}", i), copied.status(), "214");
        }
        const Status read = readMemory(values, 0, result.data);
        if (!read.ok()) return failedCall("memory of the case", read);
        results.push_back(std::move(result));
    }
    const Comparison comparison =
            compareWithCase(run.model, run.wanted.testCase, results, run.wanted.criteria);
    return comparison.pass ? passed() : failed("results", comparison.message);
}

// The model with outputs of which only the rank is known.
Model withUnknownOutputs(const Model& model) {
    Model unknown = model;
    for (const uint32_t index : unknown.main.outputIndexes) {
        std::ranges::fill(unknown.main.operands[index].dimensions, 0);
    }
    return unknown;
}

enum class Shapes { KNOWN, UNKNOWN };

// Runs a path of a vector, whose model has its outputs as asked for.
RunCase runs(const Vector& vector, Shapes shapes, DeviceOutcome (*path)(Run&)) {
    return [=](const SharedDevice& device) {
        const Model& own = vector.testCase->model;
        std::optional<Model> other;
        if (shapes == Shapes::UNKNOWN) other = withUnknownOutputs(own);
        const Model& model = other ? *other : own;
        Run run{.device = device,
                .model = model,
                .wanted = vector.wanted(model),
                .patience = vector.patience};
        if (Failure failure = run.begin()) return *failure;
        return path(run);
    };
}

// ---- vectors that must fail

bool isEndless(const Model& model) {
    return !model.main.operations.empty() &&
           model.main.operations.front().type == OperationType::WHILE;
}

// Preparing or executing fails; where the model is legal and endless, by its time.
DeviceOutcome runFailing(const Vector& vector, const SharedDevice& device, bool isFenced) {
    const Model& model = vector.testCase->model;
    const Result<Version> needed = validate(model);
    if (!needed.ok()) {
        return outcomeOf(
                mustFail("prepareModel", prepareOn(*device, model).status(), {kInvalid}, "8"));
    }
    Run run{.device = device,
            .model = model,
            .wanted = vector.wanted(model),
            .patience = vector.patience};
    if (!isEndless(model)) {
        if (!isCompliantVersion(*needed, device->getFeatureLevel())) {
            return *checkSupports(*device, model);
        }
        const auto prepared = prepareOn(*device, model);
        if (!prepared.has_value()) {
            return outcomeOf(mustFail("prepareModel", prepared.status(), {kInvalidOrFailed}, "8"));
        }
        run.prepared = *prepared;
        const Result<Arguments> arguments = argumentsFor(model, *vector.testCase);
        if (!arguments.ok()) return failedCall("memory of the case", arguments.status());
        const auto executed = execute(*run.prepared, arguments->request());
        if (Failure failure = mustFail("execute", executed.status(), {kInvalidOrFailed}, "13")) {
            return *failure;
        }
        return outcomeOf(checkFailed("execute", executed));
    }
    if (Failure failure = run.begin()) return *failure;
    constexpr Duration kShort = std::chrono::milliseconds(1);
    if (!isFenced) {
        const auto executed = run.prepared->execute(run.arguments->request(), MeasureTiming::NO, {},
                                                    kShort, {}, {});
        if (Failure failure = mustFail("execute", executed.status(), {kMissed}, "25, 206")) {
            return *failure;
        }
        return outcomeOf(checkFailed("execute", executed));
    }
    const auto launched = executeFenced(run, {}, kShort);
    if (!launched.has_value()) {
        return outcomeOf(mustFail("executeFenced", launched.status(), {kMissed}, "25, 206"));
    }
    const auto& [fence, callback] = *launched;
    if (Failure failure = waitFor(fence, vector.patience, SyncFence::FenceState::ERROR)) {
        return *failure;
    }
    if (!callback) return failed("executeFenced", "no callback", "20");
    return outcomeOf(mustFail("the callback", callback().status(), {kMissed}, "23, 206"));
}

// ---- which paths a vector has

// The one that the vector is about: the generator of the vectors surrounds it with ADD.
std::string operationOf(const Model& model) {
    for (const Operation& operation : model.main.operations) {
        if (operation.type != OperationType::ADD) return nn::toString(operation.type);
    }
    return model.main.operations.empty() ? "" : nn::toString(OperationType::ADD);
}

const Operand* outputOperand(const Model& model, size_t i) {
    if (i >= model.main.outputIndexes.size()) return nullptr;
    const uint32_t index = model.main.outputIndexes[i];
    return index < model.main.operands.size() ? &model.main.operands[index] : nullptr;
}

// As many values as the model has inputs and outputs, which exist.
bool isWellFormed(const TestCase& testCase) {
    const Model::Subgraph& main = testCase.model.main;
    const auto exists = [&](uint32_t index) { return index < main.operands.size(); };
    return testCase.inputs.size() == main.inputIndexes.size() &&
           testCase.outputs.size() == main.outputIndexes.size() &&
           std::ranges::all_of(main.inputIndexes, exists) &&
           std::ranges::all_of(main.outputIndexes, exists);
}

bool hasOnlyTensorOutputs(const Model& model) {
    return std::ranges::all_of(model.main.outputIndexes, [&](uint32_t index) {
        const Operand& operand = model.main.operands[index];
        return isNonExtensionTensor(operand.type) && !operand.dimensions.empty();
    });
}

bool hasOnlyKnownInputs(const TestCase& testCase) {
    const Model::Subgraph& main = testCase.model.main;
    return std::ranges::none_of(main.inputIndexes, [&](uint32_t index) {
        const Operand& operand = main.operands[index];
        return hasUnspecifiedDimensions(operand.type, operand.dimensions);
    });
}

}  // namespace

void addVectors(Cases& cases, const std::shared_ptr<const TestCase>& testCase,
                const DeviceTestOptions& options) {
    const Model& model = testCase->model;
    const Vector vector{
            .testCase = testCase, .tolerances = options.tolerances, .patience = options.patience};
    const Operand* first = outputOperand(model, 0);
    const auto add = [&](const char* path, RunCase run) {
        DeviceCase made =
                deviceCase(fmt::format("vectors/{}/{}", testCase->name, path), std::move(run));
        made.operation = operationOf(model);
        made.type = first == nullptr ? "" : nn::toString(first->type);
        cases.push_back(std::move(made));
    };
    if (!isWellFormed(*testCase)) {
        add("sync", [](const SharedDevice&) {
            return failed("the test case",
                          "has not as many values as its model inputs and outputs");
        });
        return;
    }
    if (testCase->expectFailure) {
        add("sync", [vector](const SharedDevice& d) { return runFailing(vector, d, false); });
        if (isEndless(model)) {
            add("fenced", [vector](const SharedDevice& d) { return runFailing(vector, d, true); });
        }
        return;
    }
    add("sync",
        runs(vector, Shapes::KNOWN, [](Run& run) { return runSync(run, MeasureTiming::NO); }));
    add("timed",
        runs(vector, Shapes::KNOWN, [](Run& run) { return runSync(run, MeasureTiming::YES); }));
    add("reusable", runs(vector, Shapes::KNOWN, runReusable));
    add("burst", runs(vector, Shapes::KNOWN, runBurst));
    add("fenced", runs(vector, Shapes::KNOWN, runFenced));
    if (areOutputsSpecified(model) && hasOnlyKnownInputs(*testCase) && first != nullptr &&
        testCase->expectedMultinomialDistributionTolerance == 0) {
        add("device_memory", runs(vector, Shapes::KNOWN, runDeviceMemory));
    }
    if (first == nullptr || !hasOnlyTensorOutputs(model)) return;
    add("dynamic",
        runs(vector, Shapes::UNKNOWN, [](Run& run) { return runSync(run, MeasureTiming::NO); }));
    add("fenced_dynamic", runs(vector, Shapes::UNKNOWN, runFenced));
    if (testCase->outputs[0].value.data.size() > 1) {
        add("insufficient", runs(vector, Shapes::UNKNOWN, runInsufficient));
    }
}

}  // namespace nn::testing
