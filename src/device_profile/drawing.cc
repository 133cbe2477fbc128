#include "nnapi/drawing.h"

#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/printable.h"
#include "device_profile/drawing_items.h"
#include "device_profile/drawing_text.h"
#include "device_profile/repeated_blocks.h"
#include "nnapi/print.h"
#include "nnapi/type_utils.h"
#include "types/constants.h"
#include "validate/control_flow.h"
#include "validate/operation_check.h"

namespace nn {
namespace {

using LifeTime = Operand::LifeTime;
using draw::Item;
using draw::nameOf;
using draw::OperationNames;
using ops::Param;

std::string idOf(size_t graph) { return graph == 0 ? "" : fmt::format("g{}_", graph - 1); }

// Draws one graph: its nodes, and the arrows between them.
class GraphDrawing {
   public:
    // Main is graph 0, referenced[i] is i + 1. Arrows to other graphs go to `across`, since a node
    // named within a cluster becomes part of it.
    GraphDrawing(const Model& model, size_t graph, const OperationNames& names,
                 const DrawingOptions& options, std::string& out, std::string& across)
        : mModel(model),
          mGraph(graphAt(model, graph)),
          mId(idOf(graph)),
          mPath(pathOf(graph)),
          mNames(names),
          mMarks(options.marks),
          mOperandNames(graph == 0 ? std::span(options.operandNames)
                                   : std::span<const std::string>()),
          mOut(out),
          mAcross(across),
          mConstants(model),
          mConsumers(countNumberOfConsumers(mGraph)),
          mSources(mGraph.operands.size()),
          mIsOutput(mGraph.operands.size(), false),
          mListed(mGraph.operands.size(), kNone) {}

    void draw() {
        for (const uint32_t index : mGraph.outputIndexes) {
            if (index < mIsOutput.size()) mIsOutput[index] = true;
        }
        drawInputs();
        const std::vector<RepeatedBlock> blocks = repeatedBlocks(operationsForRepeats());
        findWriters(blocks);
        auto block = blocks.begin();
        for (size_t i = 0; i < mGraph.operations.size();) {
            if (block == blocks.end() || block->first != i) {
                drawOperation(i++, nullptr);
                drawArrows();
                continue;
            }
            drawBlock(*block);
            i = block++->end();
        }
        drawOutputs();
    }

   private:
    static constexpr size_t kNone = SIZE_MAX;
    static constexpr std::string_view kEndColor = "#d6e9f8";

    // The start of an arrow that represents an operand's value.
    struct Source {
        std::string node{};  // empty: nowhere yet
        std::string name{};  // of the output, if the operation has several
        bool showsType = false;
    };

    void node(std::string_view name, std::string_view label, std::string_view more) {
        mOut += fmt::format("    {}{} [label=<{}>{}];\n", mId, name, label, more);
    }

    // Draws the inputs of the graph, except those in a list.
    void drawInputs() {
        findLists();
        Ends ends{.name = "in"};
        for (size_t i = 0; i < mGraph.inputIndexes.size(); ++i) {
            const uint32_t index = mGraph.inputIndexes[i];
            const bool exists = index < mGraph.operands.size();
            if (exists && mListed[index] == i) continue;
            std::string label = fmt::format("<b>input {}</b>{}", i, nameLine(index));
            label.append(kBreak).append(exists ? graphvizText(typeText(mGraph.operands[index]))
                                               : noOperand(index));
            const std::string node = drawEnd(ends, i, index, std::move(label));
            if (exists && mSources[index].node.empty()) {
                mSources[index] = {.node = node, .showsType = true};
            }
        }
        drawRow(ends);
        if (mGraph.inputIndexes.empty() && mGraph.operations.empty()) {
            node("empty", "no operations", "");
        }
    }

    // Inputs or outputs: a node for each in the main graph, where they may be far apart; in
    // others one row, which keeps them in order and together.
    struct Ends {
        std::string_view name;  // "in"
        std::string cells{};
        size_t first = 0;  // the number of the first cell, which names the row
    };

    // Draws one input or output, and returns its name for arrows.
    std::string drawEnd(Ends& ends, size_t number, uint32_t index, std::string label) {
        if (index < mGraph.operands.size()) {
            const std::string quantization = quantizationText(mGraph.operands[index]);
            if (!quantization.empty()) label.append(kBreak).append(quantization);
        }
        if (mId.empty()) {
            node(fmt::format("{}{}", ends.name, number), label,
                 fmt::format(", shape=ellipse, fillcolor=\"{}\", tooltip=\"operand {}{}\"",
                             kEndColor, index, nameInTooltip(index)));
            return fmt::format("{}{}", ends.name, number);
        }
        if (ends.cells.empty()) ends.first = number;
        ends.cells += fmt::format("<td port=\"p{}\">{}</td>", number, label);
        return fmt::format("{}{}{}:p{}", mId, ends.name, ends.first, number);
    }

    void drawRow(const Ends& ends) {
        if (ends.cells.empty()) return;
        node(fmt::format("{}{}", ends.name, ends.first),
             fmt::format("<table border=\"0\" cellborder=\"1\" cellspacing=\"0\" cellpadding=\"4\" "
                         "bgcolor=\"{}\"><tr>{}</tr></table>",
                         kEndColor, ends.cells),
             ", shape=plain, style=\"\"");
    }

    // Inputs of the graph that only one operation reads, such as the weights of an LSTM, become a
    // list with one arrow if there are many.
    void findLists() {
        constexpr size_t kMany = 5;
        std::vector<size_t> reader(mGraph.operands.size(), 0);
        for (size_t i = 0; i < mGraph.operations.size(); ++i) {
            for (const uint32_t index : mGraph.operations[i].inputs) {
                if (index < reader.size()) reader[index] = i;
            }
        }
        std::vector<size_t> count(mGraph.operations.size(), 0);
        const auto mayBeListed = [&](uint32_t index) {
            return index < reader.size() && mConsumers[index] == 1 &&
                   isDrawn(mGraph.operands[index]);
        };
        for (const uint32_t index : mGraph.inputIndexes) {
            if (mayBeListed(index)) ++count[reader[index]];
        }
        for (size_t i = 0; i < mGraph.inputIndexes.size(); ++i) {
            const uint32_t index = mGraph.inputIndexes[i];
            if (mayBeListed(index) && count[reader[index]] >= kMany && mListed[index] == kNone) {
                mListed[index] = i;
            }
        }
    }

    // One line of a list of inputs.
    std::string listed(uint32_t index, const std::string& name) const {
        const Operand& operand = mGraph.operands[index];
        std::string row =
                fmt::format("<tr><td align=\"left\"><b>input {}</b></td>", mListed[index]);
        for (const std::string& cell :
             {graphvizText(typeText(operand)), quantizationText(operand), "→ " + name}) {
            if (!cell.empty()) row += fmt::format("<td align=\"left\">{}</td>", cell);
        }
        return row + "</tr>";
    }

    // Results of a block that repeats come from its first repetition, which is drawn.
    void findWriters(std::span<const RepeatedBlock> blocks) {
        for (size_t i = 0; i < mGraph.operations.size(); ++i) {
            while (!blocks.empty() && blocks.front().end() <= i) blocks = blocks.subspan(1);
            size_t drawn = i;
            if (!blocks.empty() && blocks.front().first <= i) {
                const RepeatedBlock& block = blocks.front();
                drawn = block.first + (i - block.first) % block.period;
            }
            for (const uint32_t output : mGraph.operations[i].outputs) {
                if (output < mSources.size() && mSources[output].node.empty()) {
                    mSources[output].node = fmt::format("{}op{}", mId, drawn);
                }
            }
        }
    }

    // A text that is equal for operations that look alike and read alike. Without the sizes of
    // tensors, which may differ between repetitions.
    std::string kindOf(size_t i, std::span<const size_t> writers) {
        const Operation& operation = mGraph.operations[i];
        std::string kind = fmt::format("{} {}", static_cast<uint32_t>(operation.type),
                                       operation.outputs.size());
        for (const Item& item : itemsOf(operation, formFor(operation).inputs))
            kind += fmt::format(";{}", item.isTensor ? item.name : item.text);
        for (const uint32_t index : operation.inputs) {
            if (index >= mGraph.operands.size()) return kind + fmt::format(" alone {}", i);
            const Operand& operand = mGraph.operands[index];
            kind += fmt::format(" {}", static_cast<uint32_t>(operand.type));
            if (!isDrawn(operand)) continue;
            kind += writers[index] == kNone ? fmt::format(" from {}", index)
                                            : fmt::format(" -{}", i - writers[index]);
        }
        if (const auto mark = mMarks.find(fmt::format("{}.operations[{}]", mPath, i));
            mark != mMarks.end()) {
            kind += fmt::format(" {} {}", static_cast<int>(mark->second.color), mark->second.why);
        }
        return kind;
    }

    std::vector<RepeatedOperation> operationsForRepeats() {
        const size_t count = mGraph.operations.size();
        std::vector<size_t> writers(mGraph.operands.size(), kNone);
        std::vector<RepeatedOperation> operations(count);
        std::unordered_map<std::string, uint32_t> kinds;
        for (size_t i = 0; i < count; ++i) {
            for (const uint32_t index : mGraph.operations[i].inputs) {
                if (index < writers.size() && writers[index] != kNone &&
                    operations[writers[index]].lastReader != RepeatedOperation::kOutput) {
                    operations[writers[index]].lastReader = i;
                }
            }
            const std::string kind = kindOf(i, writers);
            operations[i].kind =
                    kinds.try_emplace(kind, static_cast<uint32_t>(kinds.size())).first->second;
            for (const uint32_t index : mGraph.operations[i].outputs) {
                if (index >= writers.size()) continue;
                writers[index] = i;
                if (mIsOutput[index]) operations[i].lastReader = RepeatedOperation::kOutput;
            }
        }
        return operations;
    }

    void drawBlock(const RepeatedBlock& block) {
        mOut += fmt::format(
                "  subgraph cluster_{}block{} {{\n    graph [label=<<b>{} times</b>, operations {} "
                "to {}>, labeljust=l, style=\"rounded\", color=\"#888888\"];\n",
                mId, block.first, block.count, block.first, block.end() - 1);
        for (size_t i = block.first; i < block.first + block.period; ++i) drawOperation(i, &block);
        mOut += "  }\n";
        drawArrows();
    }

    // An arrow within the braces of a cluster moves its ends into the cluster.
    void drawArrows() { mOut += std::exchange(mArrows, ""); }

    void drawOutputs() {
        Ends ends{.name = "out"};
        std::vector<std::string> nodes;
        for (size_t i = 0; i < mGraph.outputIndexes.size(); ++i) {
            const uint32_t index = mGraph.outputIndexes[i];
            std::string label = fmt::format("<b>output {}</b>{}", i, nameLine(index));
            if (index >= mGraph.operands.size()) label.append(kBreak).append(noOperand(index));
            nodes.push_back(drawEnd(ends, i, index, std::move(label)));
        }
        drawRow(ends);
        for (size_t i = 0; i < nodes.size(); ++i) {
            const uint32_t index = mGraph.outputIndexes[i];
            if (index < mGraph.operands.size()) arrow(index, nodes[i], "");
        }
        drawArrows();
    }

    draw::Params formFor(const Operation& operation) {
        return draw::paramsOf(operation, mGraph, mDeclared);
    }

    // "filter 64×3×3×32 … 512×3×3×256": the sizes of tensors of the first and last repetition.
    void addLastSizes(std::vector<Item>& items, const Operation& last) {
        const std::vector<Item> others = itemsOf(last, formFor(last).inputs);
        for (size_t k = 0; k < std::min(items.size(), others.size()); ++k) {
            if (!items[k].isTensor || items[k].text == others[k].text) continue;
            const std::string_view text = others[k].text;
            items[k].text += fmt::format(" … {}", text.starts_with(items[k].name)
                                                          ? text.substr(items[k].name.size() + 1)
                                                          : text);
        }
    }

    // An operation; with a block, all its repetitions.
    void drawOperation(size_t i, const RepeatedBlock* block) {
        const Operation& operation = mGraph.operations[i];
        const std::string path = fmt::format("{}.operations[{}]", mPath, i);
        const std::string self = fmt::format("{}op{}", mId, i);
        const auto [inputs, outputs] = formFor(operation);

        std::vector<Item> items = itemsOf(operation, inputs);
        if (block != nullptr)
            addLastSizes(items, mGraph.operations[block->end() - block->period + i - block->first]);
        nameOutputs(operation, outputs, self, items);
        std::string label = fmt::format("<b>{}</b> <font color=\"#777777\">{}</font>",
                                        graphvizText(mNames.of(operation.type)), i);
        const std::vector<std::string> facts = draw::joined(items);
        if (!facts.empty()) label.append(kBreak).append(wrapped(facts, kBreak));
        std::string tooltip = graphvizText(path), more;
        if (const auto mark = mMarks.find(path); mark != mMarks.end()) {
            more = fmt::format(", fillcolor=\"{}\"", draw::colorOf(mark->second.color));
            if (!mark->second.why.empty()) {
                tooltip.append(kTooltipBreak).append(wrapped(mark->second.why, kTooltipBreak));
                label += fmt::format("{}<i>{}</i>", kBreak, wrapped(mark->second.why, kBreak));
            }
        }
        node(fmt::format("op{}", i), label, fmt::format("{}, tooltip=\"{}\"", more, tooltip));

        const bool readsSeveral =
                absl::c_count_if(operation.inputs, [&](uint32_t index) {
                    return index < mGraph.operands.size() && isDrawn(mGraph.operands[index]);
                }) > 1;
        std::string list;  // of inputs of the graph
        size_t first = kNone;
        for (size_t k = 0; k < operation.inputs.size(); ++k) {
            const uint32_t index = operation.inputs[k];
            if (index >= mGraph.operands.size()) continue;
            const Operand& operand = mGraph.operands[index];
            const std::string name = nameOf("input", inputs, k, operation.inputs.size());
            if (operand.lifetime == LifeTime::SUBGRAPH) {
                arrowToGraph(operand.location.offset, self, name);
            } else if (mListed[index] != kNone) {
                list += listed(index, name);
                first = std::min(first, mListed[index]);
            } else if (isDrawn(operand)) {
                arrow(index, self, readsSeveral ? name : "");
            }
        }
        if (!list.empty()) {
            node(fmt::format("in{}", first),
                 fmt::format("<table border=\"0\" cellspacing=\"0\" cellpadding=\"2\">{}</table>",
                             list),
                 fmt::format(", fillcolor=\"{}\"", kEndColor));
            mArrows += fmt::format("    {}in{} -> {};\n", mId, first, self);
        }
    }

    static bool isDrawn(const Operand& operand) {
        return !isConstant(operand.lifetime) && operand.lifetime != LifeTime::NO_VALUE &&
               operand.lifetime != LifeTime::SUBGRAPH;
    }

    std::vector<Item> itemsOf(const Operation& operation, std::span<const Param> params) {
        std::vector<Item> items;
        std::optional<OperandType> main;  // of the first tensor; not repeated in the box
        for (size_t k = 0; k < operation.inputs.size(); ++k) {
            const uint32_t index = operation.inputs[k];
            const Param* param = ops::paramAt(params, k, operation.inputs.size());
            const std::string name = nameOf("input", params, k, operation.inputs.size());
            if (index >= mGraph.operands.size()) {
                items.push_back({.text = fmt::format("{}: {}", name, noOperand(index))});
                continue;
            }
            const Operand& operand = mGraph.operands[index];
            if (!main && isNonExtensionTensor(operand.type)) main = operand.type;
            if (!isConstant(operand.lifetime)) {
                if (operand.lifetime == LifeTime::SUBGRAPH &&
                    operand.location.offset >= mModel.referenced.size()) {
                    items.push_back(
                            {.text = fmt::format("{} is referenced[{}], which does not exist", name,
                                                 operand.location.offset)});
                }
                continue;
            }
            Item item = constantItem(name, operand, main);
            const bool isDefault =
                    param != nullptr && !param->fallback.empty() && item.value == param->fallback;
            const bool isNoActivation = name == "activation" && item.value == "0";
            if (!isDefault && !isNoActivation) items.push_back(std::move(item));
        }
        return items;
    }

    Item constantItem(const std::string& name, const Operand& operand,
                      std::optional<OperandType> main) {
        constexpr size_t kMaxShown = 6;
        const std::string value =
                elementsText(operand.type, mConstants.bytesOf(operand), kMaxShown);
        if (isNonExtensionScalar(operand.type)) {
            const std::string_view known = draw::meaning(name, value);
            if (!known.empty()) return {.name = name, .text = std::string(known)};
            if (value == "true") return {.name = name, .value = value, .text = name};
            return {.name = name,
                    .value = value,
                    .text = fmt::format("{} {}", name, value.empty() ? "?" : value)};
        }
        if (!value.empty())
            return {.name = name, .text = fmt::format("{} [{}]", name, value), .isTensor = true};
        const bool isPlain = operand.type == main || operand.type == OperandType::TENSOR_INT32;
        return {.name = name,
                .text = fmt::format("{} {}", name,
                                    isPlain ? dimensionsText(operand) : typeText(operand)),
                .isTensor = true};
    }

    // Labels the arrows of multiple outputs; outputs that no operation reads are listed in the box.
    void nameOutputs(const Operation& operation, std::span<const Param> params,
                     const std::string& self, std::vector<Item>& items) {
        const size_t count = operation.outputs.size();
        for (size_t k = 0; k < count; ++k) {
            const uint32_t index = operation.outputs[k];
            const std::string name = nameOf("output", params, k, count);
            if (index >= mGraph.operands.size()) {
                items.push_back({.text = fmt::format("{}: {}", name, noOperand(index))});
            } else if (mSources[index].node != self) {
                items.push_back({.text = fmt::format("{} is operand {}, which has another writer",
                                                     name, index)});
            } else if (mConsumers[index] == 0 && !mIsOutput[index]) {
                items.push_back({.text = fmt::format("no operation reads {}", name)});
            } else if (count > 1) {
                mSources[index].name = name;
            }
        }
    }

    // An arrow with an operand to a node, as the input of that name.
    void arrow(uint32_t index, const std::string& to, std::string_view name) {
        const Operand& operand = mGraph.operands[index];
        Source& source = mSources[index];
        if (source.node.empty()) {
            source = {.node = fmt::format("{}operand{}", mId, index)};
            mOut += fmt::format(
                    "    {} [label=<operand {}<br/>has no value>, style=\"rounded,dashed\"];\n",
                    source.node, index);
        }
        std::string label;
        const auto addLine = [&label](std::string_view line) {
            // Labels begin at the arrow.
            label.append(label.empty() ? "" : kBreak).append("&#160;").append(line);
        };
        if (!source.name.empty()) addLine(source.name);
        if (!source.showsType) addLine(graphvizText(typeText(operand)));
        if (!name.empty()) addLine(fmt::format("→ {}", name));
        const std::string quantization = quantizationText(operand);
        mArrows += fmt::format("    {} -> {} [", source.node, to);
        if (!label.empty()) mArrows += fmt::format("label=<{}>, ", label);
        mArrows += fmt::format("tooltip=\"operand {}{}{}{}\"];\n", index, nameInTooltip(index),
                               quantization.empty() ? "" : kTooltipBreak, quantization);
    }

    void arrowToGraph(size_t graph, const std::string& from, std::string_view name) {
        if (graph >= mModel.referenced.size()) return;
        const Model::Subgraph& named = mModel.referenced[graph];
        const std::string_view anchor = !named.inputIndexes.empty() ? "in0"
                                        : named.operations.empty()  ? "empty"
                                                                    : "op0";
        mAcross += fmt::format(
                "    {} -> {}{} [label=<{}>, style=dashed, lhead=cluster_{}, "
                "tooltip=\"{}\"];\n",
                from, idOf(graph + 1), anchor, name, graph, pathOf(graph + 1));
    }

    // The name of an operand in its file; empty if it has none.
    std::string operandName(uint32_t index, size_t maxShown) const {
        if (index >= mOperandNames.size()) return "";
        return graphvizText(beginningOf(mOperandNames[index], maxShown));
    }
    std::string nameLine(uint32_t index) const {
        constexpr size_t kMaxShown = 40;
        const std::string name = operandName(index, kMaxShown);
        return name.empty() ? "" : std::string(kBreak) + name;
    }
    std::string nameInTooltip(uint32_t index) const {
        constexpr size_t kMaxShown = 200;
        const std::string name = operandName(index, kMaxShown);
        return name.empty() ? "" : fmt::format(", {}", name);
    }

    static std::string noOperand(uint32_t index) {
        return fmt::format("operand {} does not exist", index);
    }

    const Model& mModel;
    const Model::Subgraph& mGraph;
    const std::string mId;    // before the names of its nodes
    const std::string mPath;  // before the places of its operations
    const OperationNames& mNames;
    const DrawingMarks& mMarks;
    const std::span<const std::string> mOperandNames;
    std::string& mOut;
    std::string& mAcross;
    std::string mArrows{};  // that follow the current operation or block
    ConstantReader mConstants;
    std::vector<uint32_t> mConsumers;  // by operand
    std::vector<Source> mSources;      // by operand
    std::vector<bool> mIsOutput;       // by operand
    std::vector<size_t> mListed;       // by operand: its number in a list of inputs
    DeclaredOperands mDeclared;        // of one operation
};

}  // namespace

std::string drawing(const Model& model, const DrawingOptions& options) {
    std::string out = fmt::format("digraph \"{}\" {{\n", graphvizText(options.name));
    out += fmt::format(
            "    graph [compound=true, labelloc=t, fontname=\"Helvetica\", "
            "label=<<b>{}</b>",
            options.name.empty() ? " " : graphvizText(options.name));
    for (std::string_view rest = options.caption; !rest.empty();) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
        out += fmt::format("<br/><font point-size=\"11\">{}</font>", graphvizText(line));
    }
    out += ">];\n"
           "    node [shape=box, style=\"rounded,filled\", fillcolor=white, color=\"#888888\", "
           "fontname=\"Helvetica\", fontsize=11];\n"
           "    edge [color=\"#555555\", fontname=\"Helvetica\", fontsize=9, arrowsize=0.7];\n";
    const OperationNames names(model);
    std::string across;
    for (size_t g = 0; g <= model.referenced.size(); ++g) {
        GraphDrawing graph(model, g, names, options, out, across);
        if (g == 0) {
            graph.draw();
            continue;
        }
        out += fmt::format(
                "  subgraph cluster_{} {{\n"
                "    graph [label=\"{}\", style=\"rounded,filled\", "
                "fillcolor=\"#f6f6f6\", color=\"#bbbbbb\"];\n",
                g - 1, pathOf(g));
        graph.draw();
        out += "  }\n";
    }
    return out + across + "}\n";
}

}  // namespace nn
