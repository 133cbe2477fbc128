#include "importers/common/model_check.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string_view>
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

}  // namespace

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

}  // namespace nn::importing
