#include "nnapi/graph_dump.h"

#include <fmt/format.h>

#include "base/printable.h"
#include "nnapi/print.h"
#include "nnapi/type_utils.h"
#include "types/constants.h"

namespace nn {
namespace {

using LifeTime = Operand::LifeTime;

// Text inside a quoted Graphviz string.
std::string inLabel(std::string_view text) {
    std::string out;
    for (const char c : onOneLine(text)) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out;
}

std::string_view style(LifeTime lifetime) {
    switch (lifetime) {
        case LifeTime::SUBGRAPH_INPUT:
            return ", style=filled, fillcolor=lightblue";
        case LifeTime::SUBGRAPH_OUTPUT:
            return ", style=filled, fillcolor=palegreen";
        case LifeTime::TEMPORARY_VARIABLE:
            return "";
        case LifeTime::NO_VALUE:
            return ", style=dotted";
        default:
            return ", color=gray";
    }
}

// " = 1" for a scalar's value; empty for anything else.
std::string scalarValue(ConstantReader& constants, const Operand& operand) {
    if (!isNonExtensionScalar(operand.type)) return "";
    const std::string value = elementsText(operand.type, constants.bytesOf(operand), 1);
    return value.empty() ? "" : " = " + value;
}

std::string operandLabel(ConstantReader& constants, const Operand& operand, size_t index) {
    std::string label = fmt::format("{}: {}", index, toString(operand.type));
    if (isNonExtensionTensor(operand.type) || !operand.dimensions.empty()) {
        label += "\\n" + print(operand.dimensions);
    }
    if (operand.scale != 0)
        label += fmt::format("\\nscale {}, zero {}", operand.scale, operand.zeroPoint);
    if (operand.lifetime == LifeTime::SUBGRAPH)
        label += fmt::format("\\nreferenced[{}]", operand.location.offset);
    return label + inLabel(scalarValue(constants, operand));
}

void dumpGraph(const Model& model, const Model::Subgraph& graph, std::string_view prefix,
               std::string& out) {
    ConstantReader constants(model);
    for (size_t i = 0; i < graph.operands.size(); ++i) {
        const Operand& operand = graph.operands[i];
        out += fmt::format("    {}d{} [label=\"{}\"{}];\n", prefix, i,
                           operandLabel(constants, operand, i), style(operand.lifetime));
    }
    for (size_t i = 0; i < graph.operations.size(); ++i) {
        const Operation& operation = graph.operations[i];
        out += fmt::format("    {}n{} [shape=box, style=bold, label=\"{}: {}\"];\n", prefix, i, i,
                           inLabel(toString(operation.type)));
        for (size_t k = 0; k < operation.inputs.size(); ++k) {
            out += fmt::format("    {0}d{1} -> {0}n{2} [taillabel=\"{3}\"];\n", prefix,
                               operation.inputs[k], i, k);
        }
        for (size_t k = 0; k < operation.outputs.size(); ++k) {
            out += fmt::format("    {0}n{1} -> {0}d{2} [headlabel=\"{3}\"];\n", prefix, i,
                               operation.outputs[k], k);
        }
    }
}

}  // namespace

std::string graphDump(const Model& model, std::string_view name) {
    std::string out = fmt::format("digraph \"{}\" {{\n", inLabel(name));
    dumpGraph(model, model.main, "", out);
    for (size_t i = 0; i < model.referenced.size(); ++i) {
        out += fmt::format("  subgraph cluster_{0} {{\n    label=\"referenced[{0}]\";\n", i);
        dumpGraph(model, model.referenced[i], fmt::format("g{}_", i), out);
        out += "  }\n";
    }
    return out + "}\n";
}

}  // namespace nn
