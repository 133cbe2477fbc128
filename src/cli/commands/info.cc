#include <map>
#include <nlohmann/json.hpp>

#include "cli/answers.h"
#include "cli/command.h"
#include "cli/input_files.h"
#include "nnapi/print.h"
#include "types/status_message.h"

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

Exit describeModel(const Output& output, const Name& name, const Model& model,
                   const Limits& limits) {
    const Findings findings = validateAll(model, {.limits = limits});
    const auto operations = operationsByType(model);
    size_t poolBytes = 0;
    for (const SharedMemory& pool : model.pools) poolBytes += size(pool);

    Json causes = Json::array();
    for (const Cause& cause : findings.causes) causes.push_back(toString(cause));
    output.isJson() ? output.object({{"name", name},
                                     {"operations", operations},
                                     {"operands", operandCount(model)},
                                     {"featureLevel", featureLevel(findings.version)},
                                     {"causes", causes},
                                     {"valid", findings.valid()},
                                     {"graphs", 1 + model.referenced.size()},
                                     {"constantBytes", model.operandValues.size() + poolBytes},
                                     {"inputs", describeAll(model, model.main.inputIndexes)},
                                     {"outputs", describeAll(model, model.main.outputIndexes)}})
                    : void();

    output.text("{}\n", name);
    output.text("  {} in {}, {}, {} bytes of constants ({} in {})\n",
                counted(operandCount(model), "operand", "operands"),
                counted(1 + model.referenced.size(), "graph", "graphs"),
                counted(operations.size(), "kind of operation", "kinds of operations"),
                model.operandValues.size() + poolBytes, poolBytes,
                counted(model.pools.size(), "pool", "pools"));
    for (const auto& [type, count] : operations) output.text("  {:6} {}\n", count, type);
    for (const uint32_t index : model.main.inputIndexes)
        output.text("  input   {}\n", describe(model, index));
    for (const uint32_t index : model.main.outputIndexes)
        output.text("  output  {}\n", describe(model, index));
    if (!findings.valid()) {
        output.text("  invalid: {}\n", toString(findings.errors.front()));
        return kInvalidOrDiffers;
    }
    output.text("  needs {}\n", toString(findings.version));
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

Exit info(const Options& options) {
    const Output output(options.json);
    return forEachInput(options, [&](Input& input) {
        const Result<Model> model = canonical(std::move(input.model));
        if (!model.ok()) {
            Output::complain(fmt::format("{}: {}", input.name, messageOf(model.status())));
            return kInvalidOrDiffers;
        }
        return describeModel(output, input.name, *model, options.limits);
    });
}

}  // namespace nn::cli
