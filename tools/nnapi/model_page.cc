#include "tools/nnapi/model_page.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "base/printable.h"
#include "device_profile/drawing_items.h"
#include "device_profile/drawing_text.h"
#include "nnapi/type_utils.h"
#include "types/constants.h"
#include "validate/operation_check.h"

namespace nn::cli {
namespace {

using LifeTime = Operand::LifeTime;

constexpr size_t kMaxShown = 8;  // elements of a constant, scales of channels, readers

// "main.operands[3].scale" with a link to the operand.
Html linkTo(const std::string& path) {
    const size_t part = path.find(".oper");
    const size_t end = part == std::string::npos ? part : path.find(']', part);
    if (end == std::string::npos) return html("{}", path);
    return html("<a href=\"#{}\">{}</a>", path.substr(0, end + 1), path);
}

// "Import: 2 losses", which expands.
Html lossesInHtml(const LossList& list) {
    const Html title = html("<b>{}</b>: ", list.title);
    if (!list.refusal.empty()) return title + html("not converted: {}", list.refusal);
    if (list.losses.empty()) return title + html("nothing lost");
    std::vector<Html> items;
    for (const Loss& loss : list.losses) {
        items.push_back(html("{}{}", linkTo(loss.path),
                             toString(loss).substr(onOneLine(loss.path).size())));
    }
    return expandable(title + html("{}", Plural{items.size(), "losses"}), listOf(items));
}

// The rows of one graph.
class GraphRows {
   public:
    GraphRows(const Model& model, size_t graph, const DrawingOptions& drawn)
        : mGraph(graphAt(model, graph)),
          mPath(pathOf(graph)),
          mDrawn(drawn),
          mHasNames(graph == 0),
          mOperationNames(model),
          mConstants(model),
          mUsers(mGraph.operands.size()) {
        for (size_t i = 0; i < mGraph.operations.size(); ++i) {
            addUser(mGraph.operations[i].outputs, i, "written by");
            addUser(mGraph.operations[i].inputs, i, "read by");
        }
    }

    Html rows() {
        Html text =
                html("<h2>{}: {}</h2>\n", mPath, Plural{mGraph.operations.size(), "operations"});
        for (size_t i = 0; i < mGraph.operations.size(); ++i) text += operationRow(i);
        text += html("<h2>{}: {}</h2>\n", mPath, Plural{mGraph.operands.size(), "operands"});
        for (uint32_t i = 0; i < mGraph.operands.size(); ++i) text += operandRow(i);
        return text;
    }

   private:
    static Html tableHead(std::string_view first) {
        return html(
                "<div class=\"wide\"><table>\n<tr><th class=\"name\">{}</th><th>operand</th><th "
                "class=\"name\">name</th><th class=\"name\">type</th><th "
                "class=\"name\">dimensions</th><th class=\"name\">quantization</th><th "
                "class=\"name\">value</th></tr>\n",
                first);
    }

    void addUser(std::span<const uint32_t> operands, size_t operation, std::string_view how) {
        for (const uint32_t index : operands) {
            if (index >= mUsers.size()) continue;
            Html& users = mUsers[index];
            users += html("{}{} <a href=\"#{}.operations[{}]\">operation {}</a>",
                          users.empty() ? "" : ", ", how, mPath, operation, operation);
        }
    }

    Html operationRow(size_t i) {
        const Operation& operation = mGraph.operations[i];
        const std::string path = fmt::format("{}.operations[{}]", mPath, i);
        const auto mark = mDrawn.marks.find(path);
        const bool isMarked = mark != mDrawn.marks.end();
        const bool isBad = isMarked && mark->second.color == DrawingMark::Color::RED;
        Html text = html("<details data-bad=\"{}\" id=\"{}\"><summary>{} <b>{}</b></summary>\n",
                         isBad ? "yes" : "no", path, i, mOperationNames.of(operation.type));
        if (isMarked && !mark->second.why.empty())
            text += html("<p class=\"{}\">{}</p>\n", isBad ? "bad" : "good", mark->second.why);
        const auto [inputs, outputs] = draw::paramsOf(operation, mGraph, mDeclared);
        text += tableHead("parameter");
        const auto add = [&](std::string_view kind, std::span<const ops::Param> params,
                             const std::vector<uint32_t>& operands) {
            for (size_t k = 0; k < operands.size(); ++k)
                text += cells(draw::nameOf(kind, params, k, operands.size()), operands[k]);
        };
        add("input", inputs, operation.inputs);
        add("output", outputs, operation.outputs);
        return text += html("</table></div></details>\n");
    }

    Html operandRow(uint32_t i) {
        const Operand& operand = mGraph.operands[i];
        const std::string title = nameOf(i).empty() ? typeText(operand) : nameOf(i);
        return html(
                "<details data-bad=\"no\" id=\"{}.operands[{}]\"><summary>{} "
                "{}</summary>\n{}{}</table></div><p>{}</p></details>\n",
                mPath, i, i, title, tableHead("lifetime"), cells(toString(operand.lifetime), i),
                mUsers[i]);
    }

    // The row of an operand in a table.
    Html cells(const std::string& first, uint32_t index) {
        if (index >= mGraph.operands.size()) {
            return html(
                    "<tr><td class=\"name\">{}</td><td>{}</td><td class=\"name\" "
                    "colspan=\"5\">does not exist</td></tr>\n",
                    first, index);
        }
        const Operand& operand = mGraph.operands[index];
        return html(
                "<tr><td class=\"name\">{}</td><td><a href=\"#{}.operands[{}]\">{}</a></td><td "
                "class=\"name\">{}</td><td class=\"name\">{}</td><td class=\"name\">{}</td><td "
                "class=\"name\">{}</td><td class=\"name\">{}</td></tr>\n",
                first, mPath, index, index, nameOf(index), toString(operand.type),
                dimensionsText(operand), quantizationOf(operand), valueOf(operand));
    }

    std::string nameOf(uint32_t index) const {
        return mHasNames && index < mDrawn.operandNames.size() ? mDrawn.operandNames[index] : "";
    }

    static std::string quantizationOf(const Operand& operand) {
        const auto* channels =
                std::get_if<Operand::SymmPerChannelQuantParams>(&operand.extraParams);
        if (channels == nullptr) return quantizationText(operand);
        const size_t shown = std::min(channels->scales.size(), kMaxShown);
        return fmt::format("scales {}{}, one for each index of dimension {}",
                           fmt::join(std::span(channels->scales).first(shown), ", "),
                           shown < channels->scales.size() ? ", …" : "", channels->channelDim);
    }

    // "1, 2, 3, …" of a constant; empty if only an execution computes it.
    std::string valueOf(const Operand& operand) {
        if (operand.lifetime == LifeTime::SUBGRAPH)
            return fmt::format("referenced[{}]", operand.location.offset);
        if (!isConstant(operand.lifetime)) return "";
        const auto most = static_cast<uint32_t>(kMaxShown * elementSize(operand.type));
        Operand excerpt = operand;
        excerpt.location.length = std::min(operand.location.length, most);
        const std::string text = elementsText(operand.type, mConstants.bytesOf(excerpt), kMaxShown);
        if (text.empty()) return toString(Plural{operand.location.length, "bytes"});
        return excerpt.location.length < operand.location.length ? text + ", …" : text;
    }

    const Model::Subgraph& mGraph;
    const std::string mPath;
    const DrawingOptions& mDrawn;
    const bool mHasNames;
    const draw::OperationNames mOperationNames;
    ConstantReader mConstants;
    DeclaredOperands mDeclared;
    std::vector<Html> mUsers;  // by operand
};

}  // namespace

Html modelPage(const Model& model, const DrawingOptions& drawn, const Html& drawing,
               const std::vector<LossList>& losses) {
    Html page = pageHead(drawn.name);
    page += html("<h1>{}</h1>\n", drawn.name);
    for (const LossList& list : losses)
        page += html("<div class=\"losses\">{}</div>\n", lossesInHtml(list));
    // Graphviz escapes the texts of its input.
    page += html("<div id=\"columns\">\n<div id=\"drawing\">\n{}</div>\n<div id=\"parts\">\n{}",
                 drawing, filterBox("operation, name, type, value"));
    for (size_t g = 0; g <= model.referenced.size(); ++g) page += GraphRows(model, g, drawn).rows();
    return page += html("</div>\n</div>\n") + pageEnd();
}

}  // namespace nn::cli
