#include "base/no_throw.h"
#include "validate/checks.h"
#include "validate/shape_inference.h"
#include "validate/subgraph.h"
#include "validate/validation_facts.h"

namespace nn {
namespace {

constexpr std::string_view kWork = "the validation";

// Checks the totals over all graphs of a model.
bool checkSize(const Model& model, Report& report) {
    uint64_t operands = 0;
    uint64_t operations = 0;
    const auto add = [&](const Model::Subgraph& graph, const Place& place) {
        operands += graph.operands.size();
        operations += graph.operations.size();
        return report.within(&Limits::operands, operands, place) &&
               report.within(&Limits::operations, operations, place);
    };
    if (!report.within(&Limits::constantBytes, model.operandValues.size(),
                       Place{nullptr, "operandValues"}) ||
        !report.within(&Limits::subgraphs, model.referenced.size(), Place{nullptr, "referenced"}) ||
        !add(model.main, Place{nullptr, "main"})) {
        return false;
    }
    for (size_t i = 0; i < model.referenced.size(); ++i) {
        if (!add(model.referenced[i], placeOfReferenced(i))) return false;
    }
    return true;
}

// Finds subgraphs that refer to themselves, and the nesting depth of the others. The nesting depth
// may equal the number of subgraphs, so the search uses an explicit stack instead of recursion.
class CycleCheck {
   public:
    CycleCheck(const Model& model, Report& report)
        : mModel(model),
          mReport(report),
          mStates(model.referenced.size(), State::NEW),
          mDepths(model.referenced.size(), 0) {}

    void check() {
        for (uint32_t i = 0; i < mStates.size() && !mReport.done(); ++i) checkFrom(i);
        if (mReport.ok()) mReport.within(&Limits::nesting, depthOf(mModel.main), kMain);
    }

    void checkFrom(uint32_t start) {
        if (mStates[start] == State::NEW) search(start);
    }

   private:
    static constexpr Place kMain{nullptr, "main"};

    enum class State : uint8_t { NEW, ON_PATH, DONE };
    struct Step {
        uint32_t subgraph;
        size_t nextOperand = 0;
    };

    void enter(uint32_t subgraph) {
        mStates[subgraph] = State::ON_PATH;
        mPath.push_back({.subgraph = subgraph});
    }

    void search(uint32_t start) {
        enter(start);
        while (!mPath.empty() && !mReport.done()) {
            Step& step = mPath.back();
            const auto& operands = mModel.referenced[step.subgraph].operands;
            mReport.spend(placeOfReferenced(step.subgraph), 1);
            if (step.nextOperand == operands.size()) {
                mStates[step.subgraph] = State::DONE;
                mDepths[step.subgraph] = depthOf(mModel.referenced[step.subgraph]);
                mPath.pop_back();
                continue;
            }
            const size_t at = step.nextOperand++;
            const uint32_t target = operands[at].location.offset;
            if (operands[at].lifetime != Operand::LifeTime::SUBGRAPH || target >= mStates.size()) {
                continue;
            }
            if (mStates[target] == State::NEW) {
                enter(target);
            } else if (mStates[target] == State::ON_PATH) {
                const Place subgraph = placeOfReferenced(step.subgraph);
                mReport.fail(Place{&subgraph, "operands", static_cast<int64_t>(at)}, "model.cycle",
                             fmt::format("refers to referenced[{}], which leads back here, "
                                         "allowed no cycles",
                                         target));
            }
        }
    }

    // The depth of a subgraph once those it refers to are known; 1 if it refers to none.
    uint64_t depthOf(const Model::Subgraph& subgraph) const {
        if (mDepths.empty()) return 1;
        uint64_t deepest = 0;
        for (const Operand& operand : subgraph.operands) {
            const uint32_t target = operand.location.offset;
            if (operand.lifetime != Operand::LifeTime::SUBGRAPH || target >= mDepths.size())
                continue;
            deepest = std::max(deepest, mDepths[target]);
        }
        return deepest + 1;
    }

    const Model& mModel;
    Report& mReport;
    std::vector<State> mStates;
    std::vector<uint64_t> mDepths;
    std::vector<Step> mPath;
};

GraphFacts roomFor(const Model::Subgraph& graph) {
    GraphFacts found;
    found.operands.resize(graph.operands.size());
    found.operations.resize(graph.operations.size());
    return found;
}

// `prefixes` and `found` are null if not wanted.
void checkModel(const Model& model, DeclaredPrefixes* prefixes, ValidationFacts* found,
                Report& report) {
    if (!checkSize(model, report)) return;
    if (found != nullptr) {
        found->graphs.reserve(1 + model.referenced.size());
        found->graphs.push_back(roomFor(model.main));
        for (const Model::Subgraph& graph : model.referenced)
            found->graphs.push_back(roomFor(graph));
    }
    check(model.extensionNameToPrefix, Place{nullptr, "extensionNameToPrefix"}, report);
    if (!report.done()) check(model.pools, Place{nullptr, "pools"}, report);
    if (report.done()) return;
    if (!model.referenced.empty()) {
        report.requireVersion(Place{nullptr, "referenced"}, kVersionFeatureLevel4,
                              "a referenced subgraph");
    }

    ModelFacts facts(model);
    SubgraphChecker checker(model, prefixes, facts, report);
    const auto ofGraph = [&](size_t g) { return found == nullptr ? nullptr : &found->graphs[g]; };
    checker.check(model.main, Place{nullptr, "main"}, ofGraph(0));
    for (size_t i = 0; i < model.referenced.size() && !report.done(); ++i) {
        checker.check(model.referenced[i], placeOfReferenced(i), ofGraph(i + 1));
    }
    if (!report.done()) CycleCheck(model, report).check();
}

void warnOfShapes(const Model& model, const Model::Subgraph& subgraph, const GraphFacts& found,
                  bool isMain, const Place& place, Report& report) {
    const SmallConstants constants(model, subgraph);
    inferDimensions(subgraph, found, isMain, constants.data(), place, report);
}

}  // namespace

void checkCycles(const Model& model, std::span<const uint32_t> starts, Report& report) {
    CycleCheck check(model, report);
    for (size_t i = 0; i < starts.size() && !report.done(); ++i) check.checkFrom(starts[i]);
}

// A model is not part of another object, so paths start at its fields.
void check(const Model& model, const Place&, Report& report) {
    checkModel(model, nullptr, nullptr, report);
}

Findings validateAll(const Model& model, const ValidateOptions& options) {
    ValidationFacts found;
    return findAll(model, options, found);
}

Findings findAll(const Model& model, const ValidateOptions& options, ValidationFacts& found) {
    WorkBudget watched(options.until, options.limits, kWork);
    Report report({.target = options.target,
                   .collectAll = true,
                   .maxDiagnostics = options.maxDiagnostics,
                   .limits = options.limits,
                   .watched = &watched});
    DeclaredPrefixes prefixes(model, options.requireDeclaredPrefixes);
    checkModel(model, &prefixes, &found, report);
    if (report.isLegal()) {
        warnOfShapes(model, model.main, found.main(), /*isMain=*/true, Place{nullptr, "main"},
                     report);
        for (size_t i = 0; i < model.referenced.size() && !report.done(); ++i) {
            warnOfShapes(model, model.referenced[i], found.graphs[i + 1], /*isMain=*/false,
                         placeOfReferenced(i), report);
        }
    }
    return std::move(report).takeFindings();
}

Result<Version> validate(const Model& model, const Limits& limits,
                         const StopCondition& until) NNAPI_TRY {
    WorkBudget watched(until, limits, kWork);
    Report report({.limits = limits, .watched = &watched});
    checkModel(model, nullptr, nullptr, report);
    return report.result();
}
NNAPI_CATCH

Status validateFor(const Model& model, Version target, const Limits& limits,
                   const StopCondition& until) NNAPI_TRY {
    WorkBudget watched(until, limits, kWork);
    Report report({.target = target, .limits = limits, .watched = &watched});
    checkModel(model, nullptr, nullptr, report);
    return report.result().status();
}
NNAPI_CATCH

Result<ValidatedModel> ModelValidator::run(std::shared_ptr<const Model> model,
                                           std::optional<Version> target, const Limits& limits,
                                           WorkBudget& watched) {
    auto found = std::make_shared<ValidationFacts>();
    Report report(
            {.target = target, .limits = limits, .watched = &watched, .steps = &found->steps});
    checkModel(*model, nullptr, found.get(), report);
    NNAPI_ASSIGN_OR_RETURN(needed, report.result());
    return ValidatedModel(std::move(model), std::move(found), needed);
}

Result<ValidatedModel> ModelValidator::borrow(const Model& model, const Limits& limits) {
    return validateModel(std::shared_ptr<const Model>(std::shared_ptr<const Model>(), &model),
                         limits);
}

ValidatedModel ModelValidator::replace(const ValidatedModel& checked, Model model) {
    return ValidatedModel(std::make_shared<const Model>(std::move(model)), checked.mFound,
                          checked.mVersion);
}

Result<ValidatedModel> validateModel(Model model, const Limits& limits,
                                     const StopCondition& until) NNAPI_TRY {
    return validateModel(std::make_shared<const Model>(std::move(model)), limits, until);
}
NNAPI_CATCH

Result<ValidatedModel> validateModel(std::shared_ptr<const Model> model, const Limits& limits,
                                     const StopCondition& until) NNAPI_TRY {
    if (model == nullptr) return makeError(ErrorStatus::INVALID_ARGUMENT, "model is null");
    WorkBudget watched(until, limits, kWork);
    return ModelValidator::run(std::move(model), std::nullopt, limits, watched);
}
NNAPI_CATCH

Result<ValidatedModel> checkFor(Model model, Version target, const Limits& limits,
                                const StopCondition& until) NNAPI_TRY {
    WorkBudget watched(until, limits, kWork);
    return ModelValidator::run(std::make_shared<const Model>(std::move(model)), target, limits,
                               watched);
}
NNAPI_CATCH

Status validateFor(const ValidatedModel& model, Version target) NNAPI_TRY {
    if (isCompliantVersion(model.version(), target)) return {};
    for (const Step& step : model.found().steps) {
        if (isCompliantVersion(step.version, target)) continue;
        return makeError(ErrorStatus::INVALID_ARGUMENT,
                         Diagnostic{.rule = "since",
                                    .path = step.path,
                                    .operation = std::string(step.operation),
                                    .message = versionTooOld(step.what, step.version, target),
                                    .since = step.version});
    }
    return {};
}
NNAPI_CATCH

}  // namespace nn
