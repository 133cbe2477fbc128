// Properties of generated models, of validating them, and of preparing and executing them, as
// functions that return the first violation.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>

#include "nnapi/generate/generate.h"
#include "nnapi/interpreter.h"
#include "nnapi/memory.h"
#include "nnapi/print.h"
#include "nnapi/type_utils.h"
#include "nnapi/validate.h"
#include "strict_device.h"
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

// A model generated for a version is valid in it, and invalid in versions below those that its
// operations and operand types require.
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

// A model that is legal in a version is legal in every later one, and exactly from the needed one
// on.
inline Violation validityIsMonotoneInAllLevels(testing::Source& source) {
    const Model model = testing::validModel(source, {.featureLevel = kVersionFeatureLevel8});
    const Version needed = validate(model).value();
    const ValidatedModel checked = validateModel(model).value();
    for (int level = 1; level <= 8; ++level) {
        const Version version{.level = static_cast<Version::Level>(level)};
        if (validateFor(model, version) != validateFor(checked, version)) {
            return fmt::format("feature level {} has two reasons: {}", level, print(model));
        }
        if (validateFor(model, version).ok() != isCompliantVersion(needed, version)) {
            return fmt::format("feature level {}: {}", level, print(model));
        }
    }
    return std::nullopt;
}

// An executable model can be prepared and has no warnings, and if its execution succeeds the
// outputs have the inferred dimensions.
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
    Report report;
    const KnownDimensions known =
            inferDimensions(model.main, prepared->checked().found().main(),
                            /*isMain=*/true, constants.data(), Place{}, report);
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

// The validator and prepare return for a model after one of its operands or operations is removed.
inline Violation modelsWithAPartRemovedAreHandled(testing::Source& source) {
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

// Changes something so that the model may be invalid, or valid but impossible to prepare.
inline void mutate(Model& model, testing::Source& source) {
    const size_t g = source.below(1 + model.referenced.size());
    Model::Subgraph& graph = g == 0 ? model.main : model.referenced[g - 1];
    Operand& operand = graph.operands[source.below(graph.operands.size())];
    switch (source.below(6)) {
        case 0:  // a parameter
            if (model.operandValues.size() != 0) {
                std::vector<uint8_t> bytes(model.operandValues.data(),
                                           model.operandValues.data() + model.operandValues.size());
                bytes[source.below(bytes.size())] ^= static_cast<uint8_t>(1 + source.below(255));
                model.operandValues = Model::OperandValues(std::move(bytes));
            }
            break;
        case 1:  // a parameter in a pool
            if (!model.pools.empty()) {
                const SharedMemory& pool = model.pools[source.below(model.pools.size())];
                const uint8_t byte = source.byte();
                (void)writeMemory(pool, source.below(size(pool)), std::span(&byte, 1));
            }
            break;
        case 2:  // a shape
            if (!operand.dimensions.empty() && !isConstant(operand.lifetime)) {
                operand.dimensions[source.below(operand.dimensions.size())] =
                        static_cast<uint32_t>(source.below(4));
            }
            break;
        case 3:
            if (!isConstant(operand.lifetime)) operand.dimensions = {};
            break;
        case 4:
            operand.scale *= 2;
            break;
        case 5:  // no value
            if (isConstant(operand.lifetime)) {
                operand.lifetime = Operand::LifeTime::NO_VALUE;
                operand.location = {};
            }
            break;
    }
}

// A strict device rejects exactly the models that prepare rejects, with the same reason.
inline Violation strictDevicesRefuseAsPrepareDoes(testing::Source& source) {
    Model model = source.coin() ? anyExecutable(source, kVersionFeatureLevel8)
                                : testing::validModel(source);
    for (int i = 0; i < 4; ++i) {
        if (const auto wrong = strictContradiction(model)) return *wrong + "\n" + print(model);
        mutate(model, source);
    }
    return std::nullopt;
}

}  // namespace nn::properties
