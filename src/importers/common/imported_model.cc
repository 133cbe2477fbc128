#include "nnapi/import/imported_model.h"

#include <fmt/format.h>

#include "base/plurals.h"
#include "base/printable.h"

namespace nn {
namespace {

std::vector<std::string> namesOf(const std::vector<std::string>& names,
                                 const std::vector<uint32_t>& operands) {
    std::vector<std::string> chosen;
    chosen.reserve(operands.size());
    for (const uint32_t operand : operands) {
        chosen.push_back(operand < names.size() ? names[operand] : std::string());
    }
    return chosen;
}

}  // namespace

std::string toString(const ImportRefusal& refusal) {
    std::string text;
    if (!refusal.tensor.empty()) text = fmt::format("tensor {} ", inQuotes(refusal.tensor));
    text += onOneLine(refusal.found);
    if (!refusal.allowed.empty()) text += ", allowed " + onOneLine(refusal.allowed);
    if (refusal.since) text += fmt::format(", from {} on", toString(*refusal.since));
    return text;
}

std::string toString(const ImportedOperator& op) {
    std::string text;
    if (!op.graph.empty()) text = fmt::format("graph {}, ", inQuotes(op.graph));
    text += fmt::format("operator {} {} (version {}", op.index, printable(op.type), op.version);
    if (!op.name.empty()) text += fmt::format(", {}", inQuotes(op.name));
    return text + ")";
}

std::vector<std::string> ImportedPart::inputNames() const {
    return namesOf(operandNames, model.main.inputIndexes);
}

std::vector<std::string> ImportedPart::outputNames() const {
    return namesOf(operandNames, model.main.outputIndexes);
}

Status preparationErrors(const Import& imported) {
    std::string reasons;
    size_t refused = 0;
    for (const ImportedOperator& op : imported.operators) {
        refused += !op.refusals.empty();
        for (const ImportRefusal& refusal : op.refusals) {
            reasons += fmt::format("\n  {}: {}", toString(op), toString(refusal));
        }
    }
    if (refused == 0) return absl::OkStatus();
    return makeError(ErrorStatus::INVALID_ARGUMENT,
                     fmt::format("{} of {} cannot be imported:{}", refused,
                                 Plural{imported.operators.size(), "operators"}, reasons));
}

Result<Model> wholeModelOf(Import imported) {
    NNAPI_RETURN_IF_ERROR(preparationErrors(imported));
    if (imported.parts.size() != 1) {
        return makeError(ErrorStatus::GENERAL_FAILURE, "the import has no model of the whole file");
    }
    return std::move(imported.parts.front().model);
}

}  // namespace nn
