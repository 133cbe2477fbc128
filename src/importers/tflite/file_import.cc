#include "importers/tflite/file_import.h"

#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <algorithm>

#include "base/float_environment.h"
#include "base/plurals.h"
#include "base/printable.h"
#include "importers/common/inference.h"
#include "importers/common/model_check.h"
#include "importers/tflite/graph_import.h"
#include "nnapi/checked_math.h"
#include "nnapi/import/tflite.h"
#include "nnapi/memory.h"
#include "nnapi/validate.h"
#include "types/file_copy.h"

namespace nn {
namespace tflite {
FileImport::FileImport(const File& file, SharedMemory pool, const ImportOptions& options,
                       LateRefusals& refused)
    : mFile(file),
      mOptions(options),
      mRefused(refused),
      mConstants(file.bytes(), std::move(pool), options.limits),
      mGraphs(file.graphs().size()),
      mBudget(options.limits, file.bytes().size()) {}

std::variant<CalledGraph, std::string> FileImport::callGraph(int32_t number) {
    std::string refusal = callRefusal(number, mGraphs.size());
    if (!refusal.empty()) return refusal;
    Graph& graph = mGraphs[number];
    if (graph.state == Graph::State::ACTIVE) return recursionRefusal(number);
    if (graph.state == Graph::State::UNSEEN) {
        if (mDepth >= mOptions.limits.nesting) return nestingRefusal(mDepth);
        graph.state = Graph::State::ACTIVE;
        std::vector<nn::Model::Subgraph>& referenced = mConstants.store().model().referenced;
        graph.referenced = static_cast<uint32_t>(referenced.size());
        referenced.emplace_back();
        auto flat = flatGraphOf(mFile, static_cast<uint32_t>(number), mBudget);
        if (!flat.ok() && mFailure.ok()) mFailure = flat.status();
        GraphImport import(*this, static_cast<uint32_t>(number),
                           flat.ok() ? *std::move(flat) : FlatGraph());
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
    NNAPI_ASSIGN_OR_RETURN(flat, flatGraphOf(mFile, 0, mBudget));
    GraphImport import(*this, 0, std::move(flat));
    NNAPI_RETURN_IF_ERROR(import.run());
    mGraphs[0].refused = import.refused();
    mGraphs[0].operators = import.takeOperators();
    return import.takeMain();
}

Result<Import> FileImport::run() {
    NNAPI_ASSIGN_OR_RETURN(whole, importMain());
    NNAPI_RETURN_IF_ERROR(mFailure);
    if (mGraphs[0].refused == 0 && whole.model.main.outputIndexes.empty()) {
        return makeError(ErrorStatus::INVALID_ARGUMENT, "the graph has no outputs");
    }
    return finish(std::move(whole));
}

Result<Import> FileImport::finish(importing::IncompleteModel whole) {
    Import import;
    if (mGraphs[0].refused == 0) {
        import.parts.push_back({.model = std::move(whole.model),
                                .operandNames = std::move(whole.operandNames),
                                .states = std::move(whole.states)});
    } else {
        auto divided = importing::divide(whole, mOptions.limits);
        if (!divided.ok() && mOptions.partial) return divided.status();
        importing::Parts parts = divided.ok() ? *std::move(divided) : importing::Parts();
        for (ImportedOperator& op : mGraphs[0].operators) {
            if (parts.operations.empty()) op.operations.clear();
            for (ImportedOperation& made : op.operations) {
                const uint32_t index = made.index.operation;
                made.part = parts.partOfOperation[index];
                made.index.operation = parts.operations[index];
            }
        }
        import.parts = std::move(parts.parts);
    }
    NNAPI_RETURN_IF_ERROR(importing::checkParts(
            import.parts, mGraphs[0].operators, mOptions.limits,
            [&](uint32_t op, ImportRefusal why) { mRefused[op].push_back(std::move(why)); }));
    if (mGraphs[0].refused == 0 && mRefused.empty()) {
        importing::inferDimensions(import.parts[0].model, mOptions.limits);
    }
    for (Graph& graph : mGraphs)
        absl::c_move(graph.operators, std::back_inserter(import.operators));
    if (!import.parts.empty()) import.losses = std::move(mLosses);
    return import;
}

}  // namespace tflite

bool isTflite(std::span<const uint8_t> bytes) {
    constexpr size_t kIdentifierEnd = 8;
    return bytes.size() >= kIdentifierEnd && tflite::ModelBufferHasIdentifier(bytes.data());
}

namespace {

Result<Import> importFrom(std::span<const uint8_t> bytes, SharedMemory pool,
                          const ImportOptions& options) {
    const DefaultFloatEnvironment environment;
    NNAPI_ASSIGN_OR_RETURN(file, tflite::File::open(bytes, options.limits));
    // What a part of the model shows is refused from the beginning in the next round. Most need
    // one round, or two.
    constexpr int kMaxRounds = 3;
    tflite::LateRefusals refused;
    for (int round = 0; round <= kMaxRounds; ++round) {
        const size_t before = refused.size();
        NNAPI_ASSIGN_OR_RETURN(import, tflite::FileImport(file, pool, options, refused).run());
        const bool isLast = refused.size() == before || (round == kMaxRounds && !options.partial);
        if (!isLast) continue;
        const bool isRefused = absl::c_any_of(
                import.operators, [](const ImportedOperator& op) { return !op.refusals.empty(); });
        if (!options.partial && isRefused) import.parts.clear();
        return import;
    }
    return makeError(ErrorStatus::INVALID_ARGUMENT,
                     "the file has operators that cannot be executed, however it is divided");
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
    // Verified, then read in place: no process may change it in between.
    NNAPI_ASSIGN_OR_RETURN(sealed, sealedMemory(file));
    NNAPI_ASSIGN_OR_RETURN(mapping, map(sealed));
    return importFrom({mapping.data(), mapping.size()}, sealed, options);
}

}  // namespace nn
