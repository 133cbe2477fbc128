#include "nnapi/graph_dump.h"

#include <fmt/format.h>

#include <cstring>

#include "nnapi/checked.h"
#include "nnapi/half.h"
#include "nnapi/print.h"
#include "nnapi/type_utils.h"
#include "types/printable.h"

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

template <class E>
E read(const uint8_t* data) {
    E value{};
    std::memcpy(&value, data, sizeof(E));
    return value;
}

// The value of a scalar that the model copies; empty for anything else.
std::string scalarValue(const Model& model, const Operand& operand) {
    const uint32_t size = elementSize(operand.type);
    const DataLocation& location = operand.location;
    if (operand.lifetime != LifeTime::CONSTANT_COPY || !isNonExtensionScalar(operand.type) ||
        size == 0 || location.length != size ||
        !fits(location.offset, location.length, model.operandValues.size())) {
        return "";
    }
    const uint8_t* data = model.operandValues.data() + location.offset;
    switch (operand.type) {
        case OperandType::FLOAT32:
            return fmt::format(" = {}", read<float>(data));
        case OperandType::FLOAT16:
            return fmt::format(" = {}", halfToFloat(read<uint16_t>(data)));
        case OperandType::INT32:
            return fmt::format(" = {}", read<int32_t>(data));
        case OperandType::UINT32:
            return fmt::format(" = {}", read<uint32_t>(data));
        case OperandType::BOOL:
            return *data != 0 ? " = true" : " = false";
        default:
            return "";
    }
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

std::string operandLabel(const Model& model, const Operand& operand, size_t index) {
    std::string label = fmt::format("{}: {}", index, toString(operand.type));
    if (isNonExtensionTensor(operand.type) || !operand.dimensions.empty()) {
        label += "\\n" + print(operand.dimensions);
    }
    if (operand.scale != 0)
        label += fmt::format("\\nscale {}, zero {}", operand.scale, operand.zeroPoint);
    if (operand.lifetime == LifeTime::SUBGRAPH)
        label += fmt::format("\\nreferenced[{}]", operand.location.offset);
    return label + inLabel(scalarValue(model, operand));
}

void dumpGraph(const Model& model, const Model::Subgraph& graph, std::string_view prefix,
               std::string& out) {
    for (size_t i = 0; i < graph.operands.size(); ++i) {
        const Operand& operand = graph.operands[i];
        out += fmt::format("    {}d{} [label=\"{}\"{}];\n", prefix, i,
                           operandLabel(model, operand, i), style(operand.lifetime));
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
