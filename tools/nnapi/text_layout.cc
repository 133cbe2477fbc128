#include "tools/nnapi/text_layout.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/printable.h"

namespace nn::cli {

std::vector<std::string> wrap(std::string_view text, size_t width) {
    std::vector<std::string> lines(1);
    while (!text.empty()) {
        const size_t end = std::min(text.find(' '), text.size());
        const std::string_view word = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (!lines.back().empty() && lines.back().size() + 1 + word.size() > width) {
            lines.emplace_back(word);
        } else {
            lines.back() += fmt::format("{}{}", lines.back().empty() ? "" : " ", word);
        }
    }
    return lines;
}

std::string table(std::vector<std::vector<std::string>> rows, size_t indent, size_t width) {
    if (rows.empty()) return "";
    for (std::vector<std::string>& row : rows) {
        for (std::string& cell : row) cell = onOneLine(cell);
    }
    std::vector<size_t> widths(rows[0].size());
    for (size_t r = 1; r < rows.size(); ++r) {
        for (size_t c = 0; c < widths.size(); ++c)
            widths[c] = std::max(widths[c], rows[r][c].size());
    }
    for (size_t c = 0; c < widths.size(); ++c) {
        if (widths[c] == 0) continue;
        widths[c] = std::max(widths[c], rows[0][c].size());
    }
    size_t start = indent;  // of the last column
    for (size_t c = 0; c + 1 < widths.size(); ++c) start += widths[c] == 0 ? 0 : widths[c] + 2;
    std::string text;
    for (const std::vector<std::string>& row : rows) {
        std::string line(indent, ' ');
        for (size_t c = 0; c + 1 < widths.size(); ++c) {
            if (widths[c] != 0) line += fmt::format("{:<{}}  ", row[c], widths[c]);
        }
        if (widths.back() != 0) {
            const auto cell = wrap(row.back(), width > start ? width - start : 1);
            line += cell[0];
            for (size_t i = 1; i < cell.size(); ++i)
                line += fmt::format("\n{}{}", std::string(start, ' '), cell[i]);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        if (!line.empty()) text += line + "\n";
    }
    return text;
}

}  // namespace nn::cli
