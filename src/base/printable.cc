#include "base/printable.h"

#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>

namespace nn {
namespace {

struct Range {
    char32_t first, last;
};

// Control characters (Cc), format characters (Cf), and the line ends among the separators.
constexpr Range kUnprintable[] = {
        {0x00, 0x1F},       {0x7F, 0x9F},       {0xAD, 0xAD},       {0x600, 0x605},
        {0x61C, 0x61C},     {0x6DD, 0x6DD},     {0x70F, 0x70F},     {0x890, 0x891},
        {0x8E2, 0x8E2},     {0x180E, 0x180E},   {0x200B, 0x200F},   {0x2028, 0x202E},
        {0x2060, 0x206F},   {0xFEFF, 0xFEFF},   {0xFFF9, 0xFFFB},   {0x110BD, 0x110BD},
        {0x110CD, 0x110CD}, {0x13430, 0x1343F}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A},
        {0xE0000, 0xE007F},
};

bool isUnprintable(char32_t code) {
    const auto* range = absl::c_lower_bound(kUnprintable, code,
                                            [](const Range& r, char32_t c) { return r.last < c; });
    return range != std::end(kUnprintable) && code >= range->first;
}

std::string escapeOf(char32_t code) {
    switch (code) {
        case '\b':
            return "\\b";
        case '\f':
            return "\\f";
        case '\n':
            return "\\n";
        case '\r':
            return "\\r";
        case '\t':
            return "\\t";
        default:
            break;
    }
    if (code < 0x10000) return fmt::format("\\u{:04x}", static_cast<uint32_t>(code));
    const uint32_t rest = static_cast<uint32_t>(code) - 0x10000;
    return fmt::format("\\u{:04x}\\u{:04x}", 0xD800 + (rest >> 10U), 0xDC00 + (rest & 0x3FFU));
}

bool isPlain(char c) {
    constexpr std::string_view kPunctuation = "_-./+@=~%#,";
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           kPunctuation.find(c) != std::string_view::npos;
}

// Escapes characters that cannot be printed, and those in `others`.
std::string escape(std::string_view text, std::string_view others) {
    std::string out;
    while (!text.empty()) {
        const auto [code, size] = firstCharacter(text);
        if (size == 0) {
            out += fmt::format("\\x{:02x}", static_cast<uint8_t>(text[0]));
        } else if (isUnprintable(code)) {
            out += escapeOf(code);
        } else {
            if (size == 1 && others.find(text[0]) != std::string_view::npos) out += '\\';
            out += text.substr(0, size);
        }
        text.remove_prefix(std::max<size_t>(size, 1));
    }
    return out;
}

bool isPlain(std::string_view name) {
    while (!name.empty()) {
        const auto [code, size] = firstCharacter(name);
        const bool plain = size == 1 ? isPlain(name[0]) : size != 0 && !isUnprintable(code);
        if (!plain) return false;
        name.remove_prefix(size);
    }
    return true;
}

std::string cut(std::string (*show)(std::string_view), std::string_view text, size_t most) {
    const std::string_view beginning = beginningOf(text, most);
    return show(beginning) + (beginning.size() < text.size() ? "..." : "");
}

}  // namespace

Utf8Character firstCharacter(std::string_view text) {
    const auto byteAt = [&](size_t i) {
        return i < text.size() ? static_cast<uint8_t>(text[i]) : uint8_t{0};
    };
    const uint8_t first = byteAt(0);
    if (first < 0x80) return {first, 1};
    const size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4) return {};
    char32_t code = first & (0xFFU >> (size + 1));
    for (size_t i = 1; i < size; ++i) {
        if ((byteAt(i) & 0xC0U) != 0x80) return {};
        code = code << 6U | (byteAt(i) & 0x3FU);
    }
    constexpr char32_t kMin[] = {0, 0, 0x80, 0x800, 0x10000};
    const bool isSurrogate = code >= 0xD800 && code <= 0xDFFF;
    if (code < kMin[size] || code > 0x10FFFF || isSurrogate) return {};
    return {code, size};
}

std::string escaped(std::string_view text) { return escape(text, "\"\\"); }

std::string onOneLine(std::string_view text) { return escape(text, ""); }

std::string inQuotes(std::string_view text) { return '"' + escaped(text) + '"'; }

std::string printable(std::string_view name) {
    return name.empty() || !isPlain(name) ? inQuotes(name) : std::string(name);
}

std::string onOneLine(std::string_view text, size_t most) { return cut(onOneLine, text, most); }

std::string inQuotes(std::string_view text, size_t most) { return cut(inQuotes, text, most); }

std::string printable(std::string_view name, size_t most) { return cut(printable, name, most); }

std::string_view beginningOf(std::string_view text, size_t most) {
    if (text.size() <= most) return text;
    // The last character begins at most three bytes before the cut.
    for (size_t inside = 1; inside <= std::min<size_t>(most, 3); ++inside) {
        const size_t begin = most - inside;
        if (firstCharacter(text.substr(begin, 4)).size > inside) return text.substr(0, begin);
    }
    return text.substr(0, most);
}

size_t endOfUtf8(std::string_view text) {
    size_t at = 0;
    while (at < text.size()) {
        uint64_t eight = 0;
        if (text.size() - at >= sizeof(eight)) {
            std::memcpy(&eight, text.data() + at, sizeof(eight));
            if ((eight & 0x8080808080808080U) == 0) {
                at += sizeof(eight);
                continue;
            }
        }
        const size_t size = firstCharacter(text.substr(at, 4)).size;
        if (size == 0) return at;
        at += size;
    }
    return at;
}

}  // namespace nn
