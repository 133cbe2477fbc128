#include "importers/tflite/file_import.h"

#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "importers/tflite/graph_import.h"
#include "nnapi/checked_model.h"
#include "nnapi/memory.h"
#include "nnapi/type_utils.h"
#include "nnapi/validate.h"
#include "types/plurals.h"
#include "types/printable.h"
#include "validate/found.h"
#include "validate/report.h"
#include "validate/shape_inference.h"

namespace nn {
namespace tflite {
namespace {

// The index in a path of the validator, "main.operations[4]".
std::optional<uint32_t> operationIn(std::string_view path) {
    constexpr std::string_view kStart = "main.operations[";
    if (!path.starts_with(kStart)) return std::nullopt;
    path.remove_prefix(kStart.size());
    uint32_t index = 0;
    const auto [end, error] = std::from_chars(path.data(), path.data() + path.size(), index);
    if (error != std::errc()) return std::nullopt;
    return index;
}

// The operators by the operations of the main graph that they have become.
std::vector<ImportedOperator*> operatorsByOperation(std::vector<ImportedOperator>& operators,
                                                    size_t operations) {
    std::vector<ImportedOperator*> byOperation(operations, nullptr);
    for (ImportedOperator& op : operators) {
        for (const ImportedOperation& made : op.operations) byOperation[made.index.operation] = &op;
    }
    return byOperation;
}

}  // namespace

FileImport::FileImport(const File& file, SharedMemory pool, const ImportOptions& options)
    : mFile(file),
      mOptions(options),
      mConstants(file.bytes(), std::move(pool), options.limits),
      mGraphs(file.graphs().size()) {}

std::variant<CalledGraph, std::string> FileImport::callGraph(int32_t number) {
    if (number <= 0 || static_cast<size_t>(number) >= mGraphs.size()) {
        return fmt::format("calls graph {}, {}", number,
                           number == 0 ? "which is the main one"
                                       : toString(Below{mGraphs.size(), "file", "graphs"}));
    }
    Graph& graph = mGraphs[number];
    if (graph.state == Graph::State::ACTIVE) {
        return fmt::format("calls graph {}, which calls it", number);
    }
    if (graph.state == Graph::State::UNSEEN) {
        if (mDepth >= mOptions.limits.nesting) {
            return fmt::format("calls a graph inside {} others", mDepth);
        }
        graph.state = Graph::State::ACTIVE;
        std::vector<nn::Model::Subgraph>& referenced = mConstants.store().model().referenced;
        graph.referenced = static_cast<uint32_t>(referenced.size());
        referenced.emplace_back();
        GraphImport import(*this, static_cast<uint32_t>(number));
        ++mDepth;
        const Status status = import.run();
        --mDepth;
        if (!status.ok() && mFailure.ok()) mFailure = status;
        graph.since = import.since();
        graph.refused = import.refused();
        graph.operators = import.takeOperators();
        mConstants.store().model().referenced[graph.referenced] = import.takeGraph();
        graph.state = Graph::State::DONE;
    }
    if (graph.refused != 0) {
        return fmt::format("calls graph {}, of which {} refused", number,
                           graph.refused == 1 ? "1 operator is"
                                              : fmt::format("{} operators are", graph.refused));
    }
    return CalledGraph{.referenced = graph.referenced, .since = graph.since};
}

Result<importing::IncompleteModel> FileImport::importMain() {
    mGraphs[0].state = Graph::State::ACTIVE;
    GraphImport import(*this, 0);
    NNAPI_RETURN_IF_ERROR(import.run());
    mGraphs[0].refused = import.refused();
    mGraphs[0].operators = import.takeOperators();
    return import.takeMain();
}

Status FileImport::checkWhole(nn::Model& model) {
    const Findings findings = validateAll(model, {.limits = mOptions.limits});
    if (findings.valid()) return absl::OkStatus();
    const std::vector<ImportedOperator*> operators =
            operatorsByOperation(mGraphs[0].operators, model.main.operations.size());
    for (const Diagnostic& error : findings.errors) {
        const auto index = operationIn(error.path);
        ImportedOperator* op = index && *index < operators.size() ? operators[*index] : nullptr;
        if (op == nullptr) {
            return makeError(
                    ErrorStatus::INVALID_ARGUMENT,
                    fmt::format("the file becomes a model that is not legal: {}", toString(error)));
        }
        op->refusals.push_back(
                {.found = fmt::format("becomes {}: {}", error.operation, error.message),
                 .since = error.since});
        ++mGraphs[0].refused;
    }
    return absl::OkStatus();
}

// Fills in what the given dimensions of inputs make known.
void FileImport::inferDimensions(nn::Model& model) const {
    const auto isOpen = [](const Operand& operand) {
        return !isConstant(operand.lifetime) &&
               hasUnspecifiedDimensions(operand.type, operand.dimensions);
    };
    if (!absl::c_any_of(model.main.operands, isOpen)) return;
    const Result<CheckedModel> checked = check(
            std::shared_ptr<const nn::Model>(std::shared_ptr<void>(), &model), mOptions.limits);
    if (!checked.ok()) return;
    const SmallConstants constants(model, model.main);
    Report report({});
    const KnownDimensions known = nn::inferDimensions(model.main, checked->found().main(), true,
                                                      constants.data(), Place{}, report);
    for (size_t i = 0; i < known.size(); ++i) {
        if (isOpen(model.main.operands[i])) model.main.operands[i].dimensions = known[i];
    }
}

Result<Import> FileImport::run() {
    NNAPI_ASSIGN_OR_RETURN(whole, importMain());
    NNAPI_RETURN_IF_ERROR(mFailure);
    if (mGraphs[0].refused == 0) {
        NNAPI_RETURN_IF_ERROR(checkWhole(whole.model));
        if (mGraphs[0].refused == 0) inferDimensions(whole.model);
    }
    return finish(std::move(whole));
}

Result<Import> FileImport::finish(importing::IncompleteModel whole) {
    Import import;
    if (mGraphs[0].refused == 0) {
        import.parts.push_back({.model = std::move(whole.model),
                                .operandNames = std::move(whole.operandNames),
                                .states = std::move(whole.states)});
    } else if (mOptions.partial) {
        NNAPI_ASSIGN_OR_RETURN(parts, importing::divide(whole, mOptions.limits));
        for (ImportedOperator& op : mGraphs[0].operators) {
            for (ImportedOperation& made : op.operations) {
                const uint32_t index = made.index.operation;
                made.part = whole.partOfOperation[index];
                made.index.operation = parts.operations[index];
            }
        }
        for (const ImportedPart& part : parts.parts) {
            NNAPI_RETURN_IF_ERROR(nn::validate(part.model, mOptions.limits).status());
        }
        import.parts = std::move(parts.parts);
    }
    for (Graph& graph : mGraphs)
        absl::c_move(graph.operators, std::back_inserter(import.operators));
    if (!import.parts.empty()) import.losses = std::move(mLosses);
    return import;
}

}  // namespace tflite

// ---------------------------------------------------------------------------------------------

bool isTflite(std::span<const uint8_t> bytes) {
    constexpr size_t kIdentifierEnd = 8;
    return bytes.size() >= kIdentifierEnd && tflite::ModelBufferHasIdentifier(bytes.data());
}

namespace {

Result<Import> importFrom(std::span<const uint8_t> bytes, SharedMemory pool,
                          const ImportOptions& options) {
    NNAPI_ASSIGN_OR_RETURN(file, tflite::File::open(bytes, options.limits));
    return tflite::FileImport(file, std::move(pool), options).run();
}

}  // namespace

Result<Import> importTflite(std::span<const uint8_t> bytes, const ImportOptions& options) {
    // Tables are read in place, by numbers of up to 8 bytes.
    constexpr uintptr_t kAlignment = 16;
    if (reinterpret_cast<uintptr_t>(bytes.data()) % kAlignment == 0) {
        return importFrom(bytes, nullptr, options);
    }
    const std::vector<uint8_t> aligned(bytes.begin(), bytes.end());
    return importFrom(aligned, nullptr, options);
}

Result<Import> importTflite(const SharedMemory& file, const ImportOptions& options) {
    NNAPI_ASSIGN_OR_RETURN(mapping, map(file));
    return importFrom({mapping.data(), mapping.size()}, file, options);
}

}  // namespace nn
