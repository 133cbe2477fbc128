#include "importers/common/model_check.h"

#include <fmt/format.h>

#include <charconv>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "nnapi/validate.h"

namespace nn::importing {
namespace {

// The index in a path of the validator, "main.operations[4]".
std::optional<uint32_t> indexIn(std::string_view path, std::string_view start) {
    if (!path.starts_with(start)) return std::nullopt;
    path.remove_prefix(start.size());
    uint32_t index = 0;
    const auto [end, error] = std::from_chars(path.data(), path.data() + path.size(), index);
    if (error != std::errc()) return std::nullopt;
    return index;
}

// The operations of the main graph that have a place of the validator in them; for one in a graph
// that they call, perhaps through others, all that call graphs.
std::vector<uint32_t> operationsAt(std::string_view path, const Model& model) {
    if (const auto index = indexIn(path, "main.operations[")) return {*index};
    std::vector<uint32_t> calls;
    if (!path.starts_with("referenced[")) return calls;
    for (uint32_t i = 0; i < model.main.operations.size(); ++i) {
        const OperationType type = model.main.operations[i].type;
        if (type == OperationType::IF || type == OperationType::WHILE) calls.push_back(i);
    }
    return calls;
}

// Refuses the operator from which an operation of the main graph comes; false if none does.
using RefuseOperation = std::function<bool(uint32_t operation, ImportRefusal why)>;

Status checkModel(const Model& model, const Limits& limits, const RefuseOperation& refuse) {
    const Findings findings = validateAll(model, {.maxDiagnostics = SIZE_MAX, .limits = limits});
    bool isCallRefused = false;
    const auto refuseAt = [&](const Diagnostic& found) {
        const bool isCalled = !found.path.starts_with("main.");
        if (isCalled && isCallRefused) return true;  // one reason is enough
        bool isRefused = false;
        for (const uint32_t operation : operationsAt(found.path, model)) {
            const char* relation = isCalled ? "calls a graph with" : "becomes";
            isRefused |= refuse(operation, {.found = fmt::format("{} {}: {}", relation,
                                                                 found.operation, found.message),
                                            .since = found.since});
        }
        isCallRefused |= isCalled && isRefused;
        return isRefused;
    };
    for (const Diagnostic& error : findings.errors) {
        if (refuseAt(error)) continue;
        return makeError(
                ErrorStatus::INVALID_ARGUMENT,
                fmt::format("the file becomes a model that is not legal: {}", toString(error)));
    }
    // Warnings of operations say that none of the kind can be prepared.
    for (const Diagnostic& warning : findings.warnings) {
        if (!warning.operation.empty()) refuseAt(warning);
    }
    return {};
}

}  // namespace

Status checkParts(std::span<const ImportedPart> parts, std::span<const ImportedOperator> operators,
                  const Limits& limits, const RefuseOperator& refuse) {
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> places;  // by part and operation
    for (uint32_t i = 0; i < operators.size(); ++i) {
        for (const ImportedOperation& made : operators[i].operations) {
            if (!made.index.graph) places[{made.part, made.index.operation}] = i;
        }
    }
    for (uint32_t part = 0; part < parts.size(); ++part) {
        const auto refuseOperation = [&](uint32_t operation, ImportRefusal why) {
            const auto place = places.find({part, operation});
            if (place == places.end()) return false;
            refuse(place->second, std::move(why));
            return true;
        };
        NNAPI_RETURN_IF_ERROR(checkModel(parts[part].model, limits, refuseOperation));
    }
    return {};
}

}  // namespace nn::importing
