#include "device_profile/drawing_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/printable.h"
#include "nnapi/type_utils.h"

namespace nn {
namespace {

// Invisible characters, and characters that change the direction of writing.
bool isControl(char32_t code) {
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069);
}

// XML, which Graphviz reads labels as, has no such characters.
bool isNoCharacter(char32_t code) { return code == 0xfffe || code == 0xffff; }

}  // namespace

std::string graphvizText(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const auto [code, size] = firstCharacter(text);
        const char c = text[0];
        if (size == 0) {
            out += '?';
        } else if (isNoCharacter(code)) {
            out += "???";  // a mark for each of its bytes
        } else if (isControl(code)) {
            out += ' ';
        } else if (c == '\\') {
            out += "&#92;&#8203;";  // no space: before it, "N" would be the name of the node
        } else if (c == '&' || c == '<' || c == '>' || c == '"') {
            out += fmt::format("&#{};", static_cast<int>(c));
        } else {
            out += text.substr(0, size);
        }
        text.remove_prefix(std::max<size_t>(size, 1));
    }
    return out;
}

std::string wrapped(const std::vector<std::string>& words, std::string_view separator) {
    constexpr size_t kWidth = 44;
    std::string out;
    size_t width = 0;
    for (const std::string& word : words) {
        const auto size = static_cast<size_t>(
                std::count_if(word.begin(), word.end(), [](char c) { return (c & 0xc0) != 0x80; }));
        if (width != 0 && width + 1 + size > kWidth) {
            out += separator;
            width = 0;
        }
        if (width != 0) out += ' ';
        out += graphvizText(word);
        width += size + 1;
    }
    return out;
}

std::string wrapped(std::string_view text, std::string_view separator) {
    std::vector<std::string> words;
    while (!text.empty()) {
        words.emplace_back(text.substr(0, text.find(' ')));
        text.remove_prefix(std::min(words.back().size() + 1, text.size()));
    }
    return wrapped(words, separator);
}

std::string dimensionsText(const Operand& operand) {
    if (operand.dimensions.empty()) return isNonExtensionTensor(operand.type) ? "of any rank" : "";
    constexpr size_t kMaxShown = 8;  // an operand may label many arrows
    std::string text;
    for (size_t i = 0; i < std::min(operand.dimensions.size(), kMaxShown); ++i) {
        const uint32_t dimension = operand.dimensions[i];
        if (!text.empty()) text += "×";
        text += dimension == 0 ? "?" : fmt::format("{}", dimension);
    }
    if (operand.dimensions.size() > kMaxShown) text += "×…";
    return text;
}

std::string typeText(const Operand& operand) {
    constexpr std::string_view kTensor = "TENSOR_";
    std::string type = toString(operand.type);
    if (type.starts_with(kTensor)) type.erase(0, kTensor.size());
    const std::string dimensions = dimensionsText(operand);
    return dimensions.empty() ? type : type + " " + dimensions;
}

std::string quantizationText(const Operand& operand) {
    if (operand.scale == 0) return "";
    return fmt::format("scale {}, zero point {}", operand.scale, operand.zeroPoint);
}

const Model::Subgraph& graphAt(const Model& model, size_t graph) {
    return graph == 0 ? model.main : model.referenced[graph - 1];
}

std::string pathOf(size_t graph) {
    return graph == 0 ? "main" : fmt::format("referenced[{}]", graph - 1);
}

std::string pathOf(size_t graph, size_t operation) {
    return fmt::format("{}.operations[{}]", pathOf(graph), operation);
}

}  // namespace nn
