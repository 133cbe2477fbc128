// Models, requests and other arguments that a device must refuse with INVALID_ARGUMENT.
#include <random>

#include "device_test/cases/cases.h"
#include "device_test/cases/prepared_case.h"
#include "model_generation/mutations.h"
#include "nnapi/memory.h"
#include "nnapi/validate.h"

namespace nn::testing {
namespace {

using enum ErrorStatus;

// ---- mutants of a test case

// A sample of all mutations and places; the same for the same seed and name.
std::vector<mutants::Mutant> someMutants(const Model& model, const std::string& name,
                                         const DeviceTestOptions& options) {
    std::vector<mutants::Mutant> places;
    mutants::forEachPlace(model, [&](const mutants::Mutant& m) { places.push_back(m); });
    std::seed_seq seed(name.begin(), name.end());
    std::mt19937_64 random(seed);
    random.discard(options.seed % 1024);
    for (size_t i = places.size(); i > 1; --i) std::swap(places[i - 1], places[random() % i]);
    return places;
}

std::string textOf(const mutants::Mutant& mutant) {
    const bool isOperand = mutant.mutation->of == mutants::Mutation::Of::OPERANDS;
    const std::string graph =
            mutant.graph == 0 ? "main" : fmt::format("referenced[{}]", mutant.graph - 1);
    return fmt::format("{} in {}.{}[{}], variant {}", mutant.mutation->name, graph,
                       isOperand ? "operands" : "operations", mutant.place, mutant.variant);
}

Failure mustRefuse(const IDevice& device, const Model& model, const std::string& what) {
    if (Failure failure = mustFail(fmt::format("getSupportedOperations ({})", what),
                                   device.getSupportedOperations(model).status(), {kInvalid},
                                   "device.supported_operations")) {
        return failure;
    }
    return mustFail(fmt::format("prepareModel ({})", what), prepareOn(device, model).status(),
                    {kInvalid}, "prepare.arguments");
}

Failure runModelMutants(const TestCase& testCase, const DeviceTestOptions& options,
                        const SharedDevice& device) {
    if (!validate(testCase.model).ok()) return notSupported("the model itself is not legal");
    size_t count = 0;
    for (const mutants::Mutant& place : someMutants(testCase.model, testCase.name, options)) {
        const std::optional<Model> mutant = place.of(testCase.model);
        // A mutant that happens to be legal proves nothing.
        if (!mutant || validate(*mutant).ok()) continue;
        if (Failure failure = mustRefuse(*device, *mutant, textOf(place))) return failure;
        if (++count == options.mutants) break;
    }
    return std::nullopt;
}

Failure runRequestMutants(const TestCase& testCase, const SharedDevice& device) {
    SharedPreparedModel prepared;
    if (Failure failure = prepareOn(*device, testCase.model, &prepared)) return failure;
    const Result<Arguments> arguments = argumentsFor(testCase.model, testCase);
    if (!arguments.ok()) return failedCall("memory of the case", arguments.status());
    Failure first;
    mutants::forEachMutant(
            arguments->request(), [&](const Request& mutant, const char* name, const char*) {
                if (first || validateRequestForModel(mutant, testCase.model).ok()) return;
                const std::string what = fmt::format("request with: {}", name);
                const auto executed = execute(*prepared, mutant);
                first = mustFail(fmt::format("execute ({})", what), executed.status(), {kInvalid},
                                 "execution.result");
                if (!first) first = checkFailed(fmt::format("execute ({})", what), executed);
                if (first) return;
                const auto reusable =
                        prepared->createReusableExecution(mutant, MeasureTiming::NO, {}, {}, {});
                // A reusable execution may validate its request as late as compute().
                const Status status = reusable.has_value() && *reusable != nullptr
                                              ? (*reusable)->compute({}).status()
                                              : reusable.status();
                first = mustFail(fmt::format("reusable execution ({})", what), status, {kInvalid},
                                 "reusable.computations");
            });
    return first;
}

// ---- arguments of the device's methods

struct PrepareRow {
    const char* name;
    ExecutionPreference preference = ExecutionPreference::DEFAULT;
    Priority priority = Priority::DEFAULT;
    Version::Level since = Version::Level::FEATURE_LEVEL_1;  // older versions do not have it
};

constexpr PrepareRow kPrepareRows[] = {
        {.name = "preference_negative",
         .preference = ExecutionPreference{-1},
         .since = Version::Level::FEATURE_LEVEL_2},
        {.name = "preference_too_large",
         .preference = ExecutionPreference{3},
         .since = Version::Level::FEATURE_LEVEL_2},
        {.name = "priority_negative",
         .priority = Priority{-1},
         .since = Version::Level::FEATURE_LEVEL_4},
        {.name = "priority_too_large",
         .priority = Priority{3},
         .since = Version::Level::FEATURE_LEVEL_4},
};

Failure runPrepareRow(const SharedDevice& device, const PrepareRow& row) {
    if (device->getFeatureLevel().level < row.since) {
        return notSupported("an argument that this version does not carry");
    }
    const auto prepared =
            device->prepareModel(addition(4), row.preference, row.priority, {}, {}, {}, {}, {}, {});
    return mustFail("prepareModel", prepared.status(), {kInvalid},
                    "prepare.arguments, deadline.preparation");
}

Failure runMeasure(const SharedDevice& device) {
    PreparedJob sum;
    if (Failure failure = sum.begin(*device)) return failure;
    if (device->getFeatureLevel().level < Version::Level::FEATURE_LEVEL_3) {
        return notSupported("an argument that this version does not carry");
    }
    const auto executed = execute(*sum.prepared, sum.arguments->request(), MeasureTiming{2});
    return mustFail("execute", executed.status(), {kInvalid}, "execution.result");
}

struct ModelRow {
    const char* name;
    void (*breaks)(Model&);
};

constexpr ModelRow kModelRows[] = {
        {"empty", [](Model& model) { model = {}; }},
        {"no_operations", [](Model& model) { model.main.operations.clear(); }},
        {"no_outputs", [](Model& model) { model.main.outputIndexes.clear(); }},
        {"output_out_of_range", [](Model& model) { model.main.outputIndexes = {UINT32_MAX}; }},
        {"constant_outside",
         [](Model& model) { model.main.operands[2].location.offset = UINT32_MAX; }},
        {"constant_of_no_pool",
         [](Model& model) {
             model.main.operands[2].lifetime = Operand::LifeTime::CONSTANT_REFERENCE;
             model.main.operands[2].location.poolIndex = 7;
         }},
        {"null_pool", [](Model& model) { model.pools.emplace_back(nullptr); }},
        {"dimensions_overflow",
         [](Model& model) { model.main.operands[0].dimensions.assign(4, UINT32_MAX); }},
};

}  // namespace

void addMutants(Cases& cases, const std::shared_ptr<const TestCase>& testCase,
                const DeviceTestOptions& options) {
    const std::string name = "refused/" + testCase->name;
    cases.push_back(deviceCase(name + "/model", [=](const SharedDevice& device) {
        return runModelMutants(*testCase, options, device);
    }));
    if (testCase->expectFailure) return;
    cases.push_back(deviceCase(name + "/request", [=](const SharedDevice& device) {
        return runRequestMutants(*testCase, device);
    }));
}

void addRefused(Cases& cases, const DeviceTestOptions&) {
    addRows(cases, "refused/prepare", kPrepareRows, runPrepareRow);
    addRows(cases, "refused/model", kModelRows,
            [](const SharedDevice& device, const ModelRow& row) {
                Model model = addition(4);
                row.breaks(model);
                return mustRefuse(*device, model, row.name);
            });
    cases.push_back(deviceCase("refused/execute/measure", runMeasure));
}

}  // namespace nn::testing
