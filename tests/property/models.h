// What must hold for generated models, for validating them and for preparing and executing them, as
// functions that give the first violation.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>

#include "nnapi/interpreter.h"
#include "nnapi/print.h"
#include "nnapi/testing/generate.h"
#include "nnapi/type_utils.h"
#include "nnapi/validate.h"
#include "validate/shape_inference.h"

namespace nn::properties {

using Violation = std::optional<std::string>;

inline std::string text(const Status& status) { return std::string(status.message()); }

inline Version anyFeatureLevel(testing::Source& source) {
    return {.level = static_cast<Version::Level>(1 + source.below(8))};
}

// An executable model for any version.
inline Model anyExecutable(testing::Source& source, Version version) {
    return testing::validModel(
            source,
            {.executable = true, .featureLevel = version, .unknownDimensions = source.coin()});
}

inline std::vector<const Model::Subgraph*> graphsOf(const Model& model) {
    std::vector<const Model::Subgraph*> graphs{&model.main};
    for (const Model::Subgraph& graph : model.referenced) graphs.push_back(&graph);
    return graphs;
}

// A model made for a version is legal in it, and in none below what its operations and the types of
// its operands need.
inline Violation modelsAreValidInTheirVersion(testing::Source& source) {
    const Version version = anyFeatureLevel(source);
    const Model model = source.coin() ? anyExecutable(source, version)
                                      : testing::validModel(source, {.featureLevel = version});
    const Status status = validateFor(model, version);
    if (!status.ok()) return text(status) + " in " + print(model);
    Version least = kVersionFeatureLevel1;
    for (const Model::Subgraph* graph : graphsOf(model)) {
        for (const Operation& operation : graph->operations) {
            least = combineVersions(least, validate(operation.type).value());
        }
        for (const Operand& operand : graph->operands) {
            least = combineVersions(least, validate(operand.type).value());
        }
    }
    for (int level = 1; level < featureLevel(least); ++level) {
        if (validateFor(model, {.level = static_cast<Version::Level>(level)}).ok()) {
            return fmt::format("legal in feature level {}: {}", level, print(model));
        }
    }
    return std::nullopt;
}

// What is legal in a version is legal in every later one, and exactly from the needed one on.
inline Violation validityIsMonotoneInAllLevels(testing::Source& source) {
    const Model model = testing::validModel(source, {.featureLevel = kVersionFeatureLevel8});
    const Version needed = validate(model).value();
    for (int level = 1; level <= 8; ++level) {
        const Version version{.level = static_cast<Version::Level>(level)};
        if (validateFor(model, version).ok() != isCompliantVersion(needed, version)) {
            return fmt::format("feature level {}: {}", level, print(model));
        }
    }
    return std::nullopt;
}

// An executable model can be prepared, nothing warns of it, and where its execution succeeds the
// outputs have the dimensions that were inferred.
inline Violation executableModelsExecuteAsInferred(testing::Source& source) {
    const Model model = anyExecutable(source, kVersionFeatureLevel8);
    const Findings findings = validateAll(model);
    if (!findings.warnings.empty()) {
        return toString(findings.warnings.front()) + " of " + print(model);
    }
    const Result<PreparedModel> prepared = prepare(model);
    if (!prepared.ok()) return text(prepared.status()) + " preparing " + print(model);
    const Result<std::vector<Tensor>> outputs = prepared->run(testing::anyInputs(source, model));
    if (!outputs.ok()) return std::nullopt;

    const SmallConstants constants(model, model.main);
    Report report({});
    const KnownDimensions known =
            inferShapes(model.main, /*isMain=*/true, constants.data(), Place{}, report);
    for (size_t i = 0; i < outputs->size(); ++i) {
        const std::vector<uint32_t>& inferred = known[model.main.outputIndexes[i]];
        const std::vector<uint32_t>& found = (*outputs)[i].dimensions;
        if (combineDimensions(inferred, found) != found) {
            return fmt::format("output {} has dimensions {}, inferred {}: {}", i, print(found),
                               print(inferred), print(model));
        }
    }
    return std::nullopt;
}

// A model without one of its operands or operations is answered, by the validator and by prepare.
inline Violation modelsWithAPartRemovedAreAnswered(testing::Source& source) {
    Model model = source.coin() ? anyExecutable(source, kVersionFeatureLevel8)
                                : testing::validModel(source);
    const size_t g = source.below(1 + model.referenced.size());
    Model::Subgraph& graph = g == 0 ? model.main : model.referenced[g - 1];
    if (source.coin()) {
        graph.operands.erase(graph.operands.begin() +
                             static_cast<ptrdiff_t>(source.below(graph.operands.size())));
    } else {
        graph.operations.erase(graph.operations.begin() +
                               static_cast<ptrdiff_t>(source.below(graph.operations.size())));
    }
    const bool isLegal = validate(model).ok();
    if (isLegal != validateAll(model).valid()) return "validate and validateAll disagree";
    if (!isLegal && prepare(model).ok()) return "prepared though illegal: " + print(model);
    return std::nullopt;
}

}  // namespace nn::properties
