#include "overlay/drawing_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "nnapi/type_utils.h"

namespace nn {
namespace {

// How many bytes the first character of a text has; 0 where it is not UTF-8.
size_t characterSize(std::string_view text) {
    const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
    const size_t size = byte(0) < 0x80 ? 1 : byte(0) < 0xe0 ? 2 : byte(0) < 0xf0 ? 3 : 4;
    if (size == 1) return 1;
    if (byte(0) < 0xc2 || byte(0) > 0xf4 || size > text.size()) return 0;
    for (size_t i = 1; i < size; ++i) {
        if ((byte(i) & 0xc0) != 0x80) return 0;
    }
    const bool isOverlong = (byte(0) == 0xe0 && byte(1) < 0xa0) ||  //
                            (byte(0) == 0xf0 && byte(1) < 0x90);
    const bool isNoCharacter = (byte(0) == 0xed && byte(1) > 0x9f) ||  // half of a pair
                               (byte(0) == 0xf4 && byte(1) > 0x8f) ||  // beyond the last
                               (byte(0) == 0xef && byte(1) == 0xbf && byte(2) > 0xbd);
    return isOverlong || isNoCharacter ? 0 : size;
}

// Invisible characters, and characters that change the direction of writing.
bool isControl(std::string_view character) {
    const auto byte = [&](size_t i) { return static_cast<uint8_t>(character[i]); };
    switch (character.size()) {
        case 1:
            return byte(0) < 0x20 || byte(0) == 0x7f;
        case 2:
            return byte(0) == 0xc2 && byte(1) < 0xa0;
        case 3:
            return byte(0) == 0xe2 && ((byte(1) == 0x80 && byte(2) >= 0xa8 && byte(2) <= 0xae) ||
                                       (byte(1) == 0x81 && byte(2) >= 0xa6 && byte(2) <= 0xa9));
        default:
            return false;
    }
}

}  // namespace

std::string graphvizText(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::string_view character = text.substr(0, characterSize(text));
        const char c = text[0];
        if (character.empty()) {
            out += '?';
        } else if (isControl(character)) {
            out += ' ';
        } else if (c == '\\') {
            out += "&#92;&#8203;";  // no space: before it, "N" would be the name of the node
        } else if (c == '&' || c == '<' || c == '>' || c == '"') {
            out += fmt::format("&#{};", static_cast<int>(c));
        } else {
            out += character;
        }
        text.remove_prefix(std::max<size_t>(character.size(), 1));
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
    constexpr size_t kMostShown = 8;  // an operand may label many arrows
    std::string text;
    for (size_t i = 0; i < std::min(operand.dimensions.size(), kMostShown); ++i) {
        const uint32_t dimension = operand.dimensions[i];
        if (!text.empty()) text += "×";
        text += dimension == 0 ? "?" : fmt::format("{}", dimension);
    }
    if (operand.dimensions.size() > kMostShown) text += "×…";
    return text;
}

std::string typeText(const Operand& operand) {
    constexpr std::string_view kTensor = "TENSOR_";
    std::string type = toString(operand.type);
    if (type.starts_with(kTensor)) type.erase(0, kTensor.size());
    const std::string dimensions = dimensionsText(operand);
    return dimensions.empty() ? type : type + " " + dimensions;
}

std::string quantisationText(const Operand& operand) {
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
