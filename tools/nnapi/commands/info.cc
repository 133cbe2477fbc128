#include "tools/nnapi/commands/info.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/printable.h"
#include "base/status_message.h"
#include "nnapi/print.h"
#include "tools/nnapi/command.h"
#include "tools/nnapi/input_files.h"
#include "tools/nnapi/output_parts.h"

namespace nn::cli {
namespace {

std::map<std::string, size_t> operationsByType(const Model& model) {
    std::map<std::string, size_t> counts;
    const auto count = [&](const Model::Subgraph& graph) {
        for (const Operation& operation : graph.operations) ++counts[toString(operation.type)];
    };
    count(model.main);
    for (const Model::Subgraph& graph : model.referenced) count(graph);
    return counts;
}

size_t operandCount(const Model& model) {
    size_t count = model.main.operands.size();
    for (const Model::Subgraph& graph : model.referenced) count += graph.operands.size();
    return count;
}

// "TENSOR_FLOAT32 [1, 224, 224, 3]"
std::string describe(const Model& model, uint32_t operand) {
    if (operand >= model.main.operands.size())
        return fmt::format("operand {}, which does not exist", operand);
    const Operand& o = model.main.operands[operand];
    std::string text = toString(o.type);
    if (!o.dimensions.empty()) text += fmt::format(" {}", print(o.dimensions));
    if (o.scale != 0) text += fmt::format(" scale {} zeroPoint {}", o.scale, o.zeroPoint);
    return text;
}

Json describeAll(const Model& model, const std::vector<uint32_t>& indexes) {
    Json list = Json::array();
    for (const uint32_t index : indexes) list.push_back(describe(model, index));
    return list;
}

// What operators of one kind become.
struct OperatorKind {
    size_t count = 0;
    std::set<std::string> becomes{};
    Version since{};
    std::vector<std::string> refusals{};
};

std::map<std::string, OperatorKind> operatorsByType(const Import& import) {
    std::map<std::string, OperatorKind> kinds;
    for (const ImportedOperator& op : import.operators) {
        OperatorKind& kind = kinds[op.type];
        ++kind.count;
        kind.since = combineVersions(kind.since, op.since);
        for (const ImportRefusal& refusal : op.refusals) {
            kind.refusals.push_back(fmt::format("{}: {}", toString(op), toString(refusal)));
        }
        std::vector<std::string> names;
        for (const ImportedOperation& made : op.operations) {
            const std::string name = toString(made.type);
            if (std::ranges::find(names, name) == names.end()) names.push_back(name);
        }
        if (op.refusals.empty()) {
            kind.becomes.insert(names.empty() ? "no operation of its own"
                                              : fmt::format("{}", fmt::join(names, ", ")));
        }
    }
    return kinds;
}

// The table of the operators of a file of another format, with what is refused and why. Returns
// the same for JSON.
Json describeImport(const Output& output, const UntrustedText& name, const Import& import) {
    Json operators = Json::array();
    output.text("{}: {}\n", name, counted(import.operators.size(), "operator", "operators"));
    output.text("  {:>6} {:<28} {:<9} {}\n", "count", "operator", "version", "imports as");
    for (const auto& [type, kind] : operatorsByType(import)) {
        const bool isImported = !kind.becomes.empty();
        std::string becomes = fmt::format("{}", fmt::join(kind.becomes, "; "));
        if (!kind.refusals.empty()) becomes += isImported ? "; in part refused" : "refused";
        output.text("  {:>6} {:<28} {:<9} {}\n", kind.count, type,
                    isImported ? toString(kind.since) : "-", becomes);
        for (const std::string& refusal : kind.refusals) output.text("         {}\n", refusal);
        operators.push_back({{"operator", type},
                             {"count", kind.count},
                             {"importsAs", kind.becomes},
                             {"featureLevel", isImported ? Json(featureLevel(kind.since)) : Json()},
                             {"refusals", kind.refusals}});
    }
    Json losses = Json::array();
    for (const Loss& loss : import.losses) {
        output.text("  loss: {}\n", toString(loss));
        losses.push_back(toString(loss));
    }
    return {{"operators", operators}, {"losses", losses}};
}

// A name of a file of another format, where there is one.
std::string named(const std::vector<std::string>& names, size_t index) {
    if (index >= names.size() || names[index].empty()) return {};
    return " " + inQuotes(names[index]);
}

// Adds to `object` what JSON shows.
Exit describeModel(const Output& output, const Input& input, const Model& model,
                   const Limits& limits, Json& object) {
    const UntrustedText& name = input.name;
    const Findings findings = validateAll(model, {.limits = limits});
    const auto operations = operationsByType(model);
    size_t poolBytes = 0;
    for (const SharedMemory& pool : model.pools) poolBytes += size(pool);

    Json causes = Json::array();
    for (const Cause& cause : findings.causes) causes.push_back(toString(cause));
    object.update({{"operations", operations},
                   {"operands", operandCount(model)},
                   {"version", toString(findings.version)},
                   {"featureLevel", featureLevel(findings.version)},
                   {"causes", causes},
                   {"valid", findings.valid()},
                   {"graphs", 1 + model.referenced.size()},
                   {"constantBytes", model.operandValues.size() + poolBytes},
                   {"inputs", describeAll(model, model.main.inputIndexes)},
                   {"outputs", describeAll(model, model.main.outputIndexes)}});

    output.text("{}\n", name);
    output.text("  {} in {}, {}, {} bytes of constants ({} in {})\n",
                counted(operandCount(model), "operand", "operands"),
                counted(1 + model.referenced.size(), "graph", "graphs"),
                counted(operations.size(), "kind of operation", "kinds of operations"),
                model.operandValues.size() + poolBytes, poolBytes,
                counted(model.pools.size(), "pool", "pools"));
    for (const auto& [type, count] : operations) output.text("  {:6} {}\n", count, type);
    const std::vector<std::string>& names = input.names.operandNames;
    for (const uint32_t index : model.main.inputIndexes)
        output.text("  input   {}{}\n", describe(model, index), named(names, index));
    for (const uint32_t index : model.main.outputIndexes)
        output.text("  output  {}{}\n", describe(model, index), named(names, index));
    if (!findings.valid()) {
        output.text("  invalid: {}\n", toString(findings.errors.front()));
        return kInvalidOrDiffers;
    }
    output.text("  needs {}\n", withLevel(findings.version));
    constexpr size_t kMaxShown = 5;
    for (size_t i = 0; i < std::min(findings.causes.size(), kMaxShown); ++i) {
        output.text("    {}\n", toString(findings.causes[i]));
    }
    if (findings.causes.size() > kMaxShown) {
        output.text("    and {} more\n", findings.causes.size() - kMaxShown);
    }
    return kGood;
}

}  // namespace

Exit describeModels(const Options& options, const DescribeMore& more) {
    const Output output(options.json);
    Json imported;  // shown with its only model, or by itself
    UntrustedText importedName;
    const auto showImport = [&] {
        if (output.isJson() && !imported.is_null()) {
            Json object = {{"name", importedName}};
            object.update(imported);
            output.object(object);
        }
        imported = Json();
    };
    const auto describe = [&](Input& input) {
        if (input.import == nullptr || input.name.raw != importedName.raw) showImport();
        const Result<Model> model = canonical(std::move(input.model));
        if (!model.ok()) {
            return Output::complain(fmt::format("{}: {}", input.name, messageOf(model.status())),
                                    kInvalidOrDiffers);
        }
        Json object = {{"name", input.name}};
        if (!imported.is_null()) object.update(std::exchange(imported, Json()));
        Exit exit = describeModel(output, input, *model, options.limits, object);
        if (exit == kGood && more) exit = more(output, input, *model, object);
        if (output.isJson()) output.object(object);
        return exit;
    };
    const Exit exit =
            forEachInput(options, describe, [&](const UntrustedText& name, const Import& import) {
                showImport();
                imported = describeImport(output, name, import);
                importedName = name;
            });
    showImport();
    return exit;
}

Exit info(const Options& options) { return describeModels(options, nullptr); }

}  // namespace nn::cli
