// Runs models with expected outputs by every execution path.
#include <algorithm>

#include "device_test/cases/cases.h"
#include "device_test/cases/vector_run.h"
#include "nnapi/type_utils.h"
#include "nnapi/validate.h"

namespace nn::testing {
namespace {

// A vector, and the path to run it by.
struct Vector {
    std::shared_ptr<const TestCase> testCase{};
    std::vector<OperationTolerance> tolerances{};
    Duration patience{};

    Expectation wanted(const Model& model) const {
        return {.model = model,
                .testCase = *testCase,
                .criteria = criteriaFor(testCase->name, model, tolerances)};
    }
};

// The model with outputs of known rank only.
Model withUnknownOutputs(const Model& model) {
    Model unknown = model;
    for (const uint32_t index : unknown.main.outputIndexes) {
        std::ranges::fill(unknown.main.operands[index].dimensions, 0);
    }
    return unknown;
}

// The model with outputs whose shapes are unknown, also their rank.
Model withUnrankedOutputs(const Model& model) {
    Model unknown = model;
    for (const uint32_t index : unknown.main.outputIndexes) {
        unknown.main.operands[index].dimensions.clear();
    }
    return unknown;
}

enum class Shapes { KNOWN, UNKNOWN, UNRANKED };

// Runs a vector by a path, with the model's outputs specified as asked for.
RunCase runs(const Vector& vector, Shapes shapes, Failure (*path)(VectorRun&)) {
    return [=](const SharedDevice& device) {
        const Model& own = vector.testCase->model;
        std::optional<Model> other;
        if (shapes == Shapes::UNKNOWN) other = withUnknownOutputs(own);
        if (shapes == Shapes::UNRANKED) other = withUnrankedOutputs(own);
        const Model& model = other ? *other : own;
        VectorRun run{.device = device,
                      .model = model,
                      .wanted = vector.wanted(model),
                      .patience = vector.patience};
        std::vector<OutputStatistics> statistics;
        run.wanted.statistics = &statistics;
        if (Failure failure = run.begin()) return *failure;
        DeviceOutcome outcome = path(run).value_or(passed());
        outcome.statistics = std::move(statistics);
        return outcome;
    };
}

// ---- vectors that must fail

bool isEndless(const Model& model) {
    return !model.main.operations.empty() &&
           model.main.operations.front().type == OperationType::WHILE;
}

// Preparation or execution must fail; for a legal but endless model, by its timeout.
Failure runFailing(const Vector& vector, const SharedDevice& device, bool isFenced) {
    const Model& model = vector.testCase->model;
    const Result<Version> needed = validate(model);
    if (!needed.ok()) {
        return mustFail("prepareModel", prepareOn(*device, model).status(), {kInvalid},
                        "prepare.arguments");
    }
    VectorRun run{.device = device,
                  .model = model,
                  .wanted = vector.wanted(model),
                  .patience = vector.patience};
    if (!isEndless(model)) {
        if (!isCompliantVersion(*needed, device->getFeatureLevel())) {
            return *checkSupports(*device, model);
        }
        const auto prepared = prepareOn(*device, model);
        if (!prepared.has_value()) {
            return mustFail("prepareModel", prepared.status(), {kInvalidOrFailed},
                            "prepare.arguments");
        }
        run.prepared = *prepared;
        const Result<Arguments> arguments = argumentsFor(model, *vector.testCase);
        if (!arguments.ok()) return failedCall("memory of the case", arguments.status());
        const auto executed = execute(*run.prepared, arguments->request());
        if (Failure failure = mustFail("execute", executed.status(), {kInvalidOrFailed},
                                       "execution.result")) {
            return failure;
        }
        return checkFailed("execute", executed);
    }
    if (Failure failure = run.begin()) return failure;
    constexpr Duration kShort = std::chrono::milliseconds(1);
    if (!isFenced) {
        const auto executed = run.prepared->execute(run.arguments->request(), MeasureTiming::NO, {},
                                                    kShort, {}, {});
        if (Failure failure = mustFail("execute", executed.status(), {kMissed},
                                       "execution.loop_timeout, deadline.endless_loop")) {
            return failure;
        }
        return checkFailed("execute", executed);
    }
    const auto launched = executeFenced(run, {}, kShort);
    if (!launched.has_value()) {
        return mustFail("executeFenced", launched.status(), {kMissed},
                        "execution.loop_timeout, deadline.endless_loop");
    }
    const auto& [fence, callback] = *launched;
    if (Failure failure = waitFor(fence, vector.patience, SyncFence::FenceState::ERROR)) {
        return failure;
    }
    if (!callback) return failed("executeFenced", "no callback", "fenced.result");
    return mustFail("the callback", callback().status(), {kMissed},
                    "fenced.failed_fence, deadline.endless_loop");
}

// ---- which paths a vector has

// The operation under test, without the ADDs that the generator of the vectors puts around it.
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
    if (const Failure failure = checkWellFormed(*testCase)) {
        add("sync", [failure](const SharedDevice&) { return failure; });
        return;
    }
    if (testCase->expectFailure) {
        add("sync", [vector](const SharedDevice& d) { return runFailing(vector, d, false); });
        if (isEndless(model)) {
            add("fenced", [vector](const SharedDevice& d) { return runFailing(vector, d, true); });
        }
        return;
    }
    add("sync", runs(vector, Shapes::KNOWN,
                     [](VectorRun& run) { return runSync(run, MeasureTiming::NO); }));
    add("timed", runs(vector, Shapes::KNOWN,
                      [](VectorRun& run) { return runSync(run, MeasureTiming::YES); }));
    add("reusable", runs(vector, Shapes::KNOWN, runReusable));
    add("burst", runs(vector, Shapes::KNOWN, runBurst));
    add("fenced", runs(vector, Shapes::KNOWN, runFenced));
    if (areOutputsSpecified(model) && hasOnlyKnownInputs(*testCase) && first != nullptr) {
        add("device_memory", runs(vector, Shapes::KNOWN, runDeviceMemory));
    }
    if (first == nullptr || !hasOnlyTensorOutputs(model)) return;
    add("dynamic", runs(vector, Shapes::UNKNOWN,
                        [](VectorRun& run) { return runSync(run, MeasureTiming::NO); }));
    add("unranked", runs(vector, Shapes::UNRANKED,
                         [](VectorRun& run) { return runSync(run, MeasureTiming::NO); }));
    add("fenced_dynamic", runs(vector, Shapes::UNKNOWN, runFenced));
    if (testCase->outputs[0].value.data.size() > 1) {
        add("insufficient", runs(vector, Shapes::UNKNOWN, runInsufficient));
    }
}

}  // namespace nn::testing
