#include <nlohmann/json.hpp>
#include <utility>

#include "nnapi/type_utils.h"
#include "nnapi/validate.h"
#include "op_support/rules/op_view.h"
#include "tools/nnapi/command.h"
#include "tools/nnapi/command_table.h"
#include "tools/nnapi/parameters.h"
#include "tools/nnapi/rules_index.h"
#include "tools/nnapi/text_layout.h"
#include "validate/control_flow.h"

namespace nn::cli {
namespace {

using ops::Form;
using ops::OperationSpec;
using ops::Param;
using ops::Types;
using ops::TypeSpec;

std::string typeName(const TypeSpec& spec, const Types* row) {
    switch (spec.kind) {
        case TypeSpec::Kind::FIXED:
            return toString(spec.fixed);
        case TypeSpec::Kind::COLUMN:
            return row == nullptr ? "any" : toString(row->columns[spec.column]);
        case TypeSpec::Kind::ANY:
            return "any";
    }
    return "";
}

// "input: TENSOR_FLOAT32", "[axis: INT32 since HAL 1.2, else -1]", "weights?: ...", "input...: ..."
std::string describe(const Param& param, const Types* row) {
    const std::string type = typeName(param.type, row);
    switch (param.presence) {
        case Param::Presence::REQUIRED:
            return fmt::format("{}: {}", param.name, type);
        case Param::Presence::OMITTED:
            return fmt::format("{}?: {}", param.name, type);
        case Param::Presence::REPEATED:
            return fmt::format("{}...: {}", param.name, type);
        case Param::Presence::OPTIONAL:
        case Param::Presence::WITH_PREVIOUS:
            break;
    }
    std::string text = fmt::format("[{}: {}", param.name, type);
    if (param.since != kVersionFeatureLevel1) text += " since " + toString(param.since);
    if (!param.fallback.empty()) text += fmt::format(", else {}", param.fallback);
    return text + "]";
}

std::string describe(std::span<const Param> params, const Types* row) {
    std::string text;
    for (const Param& param : params) text += (text.empty() ? "" : ", ") + describe(param, row);
    return "(" + text + ")";
}

// One line for each form and row of types.
std::vector<std::string> signatures(const OperationSpec& spec, Version since) {
    std::vector<std::string> lines;
    for (const Form& form : spec.forms) {
        const auto add = [&](const Types* row) {
            const Version needed = row == nullptr ? since : combineVersions(since, row->since);
            lines.push_back(fmt::format("{} -> {} since {}", describe(form.inputs, row),
                                        describe(form.outputs, row),
                                        toString(combineVersions(needed, form.since))));
        };
        if (spec.types.empty()) add(nullptr);
        for (const Types& row : spec.types) add(&row);
    }
    return lines;
}

constexpr std::string_view kColumns[] = {"T", "S", "U", "W", "X", "Y", "Z"};

// How many of the letters T, S, U ... an operation uses.
size_t columnsOf(const OperationSpec& spec) {
    size_t columns = 0;
    for (const Form& form : spec.forms) {
        for (const std::span<const Param> params : {form.inputs, form.outputs}) {
            for (const Param& param : params) {
                if (param.type.kind == TypeSpec::Kind::COLUMN)
                    columns = std::max<size_t>(columns, param.type.column + size_t{1});
            }
        }
    }
    return columns;
}

// The table of a page: parameters once, then the rows of types.
std::string markdown(const OperationSpec& spec, const OperationTypeInfo& info) {
    std::string text = fmt::format("`{}`, code {}, since {}.\n", info.name,
                                   static_cast<int32_t>(info.type), toString(info.since));
    for (const Form& form : spec.forms) {
        if (!form.name.empty()) text += fmt::format("\nForm \"{}\":\n", form.name);
        text += "\n| operand | type |\n| --- | --- |\n";
        const auto add = [&](std::string_view kind, std::span<const Param> params) {
            for (const Param& param : params) {
                std::string type = param.type.kind == TypeSpec::Kind::COLUMN
                                           ? std::string(kColumns[param.type.column])
                                           : typeName(param.type, nullptr);
                if (param.presence == Param::Presence::OMITTED) type += ", may have no value";
                if (param.presence == Param::Presence::REPEATED)
                    type += fmt::format(", {} or more", param.least);
                if (param.presence == Param::Presence::OPTIONAL ||
                    param.presence == Param::Presence::WITH_PREVIOUS) {
                    type += fmt::format(", optional since {}", toString(param.since));
                    if (!param.fallback.empty()) type += fmt::format(", else {}", param.fallback);
                }
                text += fmt::format("| {} {} | {} |\n", kind, param.name, type);
            }
        };
        add("in", form.inputs);
        add("out", form.outputs);
    }
    const size_t columns = columnsOf(spec);
    if (columns == 0) return text;
    text += "\n| since |";
    for (size_t i = 0; i < columns; ++i) text += fmt::format(" {} |", kColumns[i]);
    text += "\n|";
    for (size_t i = 0; i <= columns; ++i) text += " --- |";
    for (const Types& row : spec.types) {
        text += fmt::format("\n| {} |", toString(combineVersions(info.since, row.since)));
        for (size_t i = 0; i < columns; ++i) text += fmt::format(" {} |", toString(row.columns[i]));
    }
    return text + "\n";
}

// The rules of one operation, including those that all operations share.
std::vector<Rule> rulesOf(const OperationTypeInfo& info) {
    constexpr std::string_view kGeneric = "<stem>.";
    std::vector<Rule> rules;
    if (info.stem.empty()) return rules;
    const std::string own = std::string(info.stem) + ".";
    for (Rule& rule : allRules()) {
        if (rule.id.starts_with(own)) {
            rules.push_back(std::move(rule));
        } else if (rule.id.starts_with(kGeneric) && !isControlFlow(info.type)) {
            rules.push_back({own + rule.id.substr(kGeneric.size()), std::move(rule.text)});
        }
    }
    return rules;
}

constexpr size_t kWidth = 100;

// A row for each parameter of a list.
void addParameters(const OperationTypeInfo& info, std::string_view kind,
                   std::span<const Param> params, std::vector<std::vector<std::string>>& rows) {
    bool isAfterRepeated = false;
    for (size_t i = 0; i < params.size(); ++i) {
        const Param& param = params[i];
        std::string place =
                isAfterRepeated ? fmt::format("{} last", kind) : fmt::format("{} {}", kind, i);
        std::string type = param.type.kind == TypeSpec::Kind::COLUMN
                                   ? std::string(kColumns[param.type.column])
                                   : typeName(param.type, nullptr);
        std::string fallback(param.fallback);
        std::string meaning = meaningOf(info.type, param.name);
        if (param.presence == Param::Presence::REPEATED) {
            isAfterRepeated = true;
            place += " ...";
            meaning = fmt::format("{} or more: {}", param.least, meaning);
        }
        if (param.presence == Param::Presence::OMITTED) fallback = "no value";
        if (param.presence == Param::Presence::WITH_PREVIOUS)
            meaning += "; not without the one before";
        rows.push_back({std::move(place), std::string(param.name), std::move(type),
                        param.since == kVersionFeatureLevel1 ? "" : toString(param.since),
                        std::move(fallback), std::move(meaning)});
    }
}

// The rows of types that the letters stand for.
std::string typeRows(const OperationSpec& spec, const OperationTypeInfo& info) {
    const size_t columns = columnsOf(spec);
    if (columns == 0) return "";
    std::vector<std::vector<std::string>> rows = {{"since"}};
    rows[0].insert(rows[0].end(), kColumns, kColumns + columns);
    for (const Types& types : spec.types) {
        rows.push_back({toString(combineVersions(info.since, types.since))});
        for (size_t i = 0; i < columns; ++i) rows.back().push_back(toString(types.columns[i]));
    }
    return "\ntypes:\n" + table(std::move(rows), 2, kWidth);
}

void showForPeople(const Output& output, const OperationSpec* spec, const OperationTypeInfo& info,
                   const std::vector<Rule>& rules) {
    output.text("{}, code {}, since {}\n", info.name, static_cast<int32_t>(info.type),
                toString(info.since));
    if (spec != nullptr) {
        for (const Form& form : spec->forms) {
            const Version since = combineVersions(info.since, form.since);
            std::vector<std::vector<std::string>> rows = {
                    {"", "operand", "type", "since", "default", "meaning"}};
            addParameters(info, "in", form.inputs, rows);
            addParameters(info, "out", form.outputs, rows);
            output.text("\n{}{}",
                        Lines{form.name.empty() ? ""
                              : since == info.since
                                      ? fmt::format("{}:\n", form.name)
                                      : fmt::format("{}, since {}:\n", form.name, toString(since))},
                        Lines{table(std::move(rows), 2, kWidth)});
        }
        output.text("{}", Lines{typeRows(*spec, info)});
    }
    std::vector<std::vector<std::string>> rows = {{"", ""}};
    for (const Rule& rule : rules) rows.push_back({rule.id, rule.text});
    if (!rules.empty()) output.text("\nrules:\n{}", Lines{table(std::move(rows), 2, kWidth)});
}

Exit show(const Output& output, const OperationTypeInfo& info, bool asMarkdown) {
    const OperationSpec* spec = ops::specOf(info.type);
    const std::vector<Rule> rules = rulesOf(info);
    if (output.isJson()) {
        Json ruleList = Json::array();
        for (const Rule& rule : rules) ruleList.push_back({{"rule", rule.id}, {"text", rule.text}});
        output.object({{"name", info.name},
                       {"code", static_cast<int32_t>(info.type)},
                       {"since", featureLevel(info.since)},
                       {"signatures", spec == nullptr ? std::vector<std::string>()
                                                      : signatures(*spec, info.since)},
                       {"rules", ruleList}});
    } else if (!asMarkdown) {
        showForPeople(output, spec, info, rules);
    } else if (spec != nullptr) {
        output.text("{}", Lines{markdown(*spec, info)});
    }
    return kGood;
}

void list(const Output& output) {
    std::vector<std::vector<std::string>> rows = {{"operation", "code", "since"}};
    for (const OperationTypeInfo& info : operationTypes()) {
        rows.push_back({std::string(info.name), fmt::to_string(static_cast<int32_t>(info.type)),
                        toString(info.since)});
    }
    output.text("{}", Lines{table(std::move(rows), 0, kWidth)});
}

}  // namespace

Exit ops(const Options& options) {
    const Output output(options.json);
    if (options.names.empty()) {
        if (!options.json && !options.markdown) {
            list(output);
            return kGood;
        }
        for (const OperationTypeInfo& info : operationTypes()) show(output, info, options.markdown);
        return kGood;
    }
    Exit worst = kGood;
    bool isFirst = true;
    for (const std::string& name : options.names) {
        const auto type = operationOf(name);
        if (!type) {
            worst = kUsageOrUnreadable;
            continue;
        }
        if (!std::exchange(isFirst, false) && !options.markdown) output.text("\n");
        show(output, *operationTypeInfo(*type), options.markdown);
    }
    return worst;
}

}  // namespace nn::cli
