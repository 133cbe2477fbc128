#include "tools/nnapi/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "nnapi/type_utils.h"
#include "op_support/rules/operand_texts.h"

// Made by the build: includes the signatures of all operations, and lists their folders:
// FOLDER(conv_2d)FOLDER(...)
#include "operation_signatures.h"

namespace nn {

// The texts of a folder, or those that all share where it has none.
#define FOLDER(stem)                                                         \
    namespace ops::stem {                                                    \
    static constexpr std::span<const OperandText> kAllTexts = kOperandTexts; \
    }
NNAPI_OPERATION_FOLDERS
#undef FOLDER

namespace cli {
namespace {

struct Folder {
    std::string_view stem;
    std::span<const ops::OperandText> texts;
};
constexpr Folder kFolders[] = {
#define FOLDER(stem) {#stem, ops::stem::kAllTexts},
        NNAPI_OPERATION_FOLDERS
#undef FOLDER
};

// The two cells of bidirectional operations; each has the parameters of a single cell.
constexpr std::pair<std::string_view, std::string_view> kCells[] = {
        {"fw", "forward"}, {"bw", "backward"}, {"forward", "forward"}, {"backward", "backward"}};

std::string_view find(std::span<const ops::OperandText> texts, std::string_view name) {
    const auto text = std::ranges::find(texts, name, &ops::OperandText::name);
    return text == texts.end() ? "" : text->meaning;
}

}  // namespace

std::string meaningOf(OperationType type, std::string_view operand) {
    const OperationTypeInfo* info = operationTypeInfo(type);
    if (info == nullptr) return "";
    const auto folder = std::ranges::find(kFolders, info->stem, &Folder::stem);
    if (folder == std::end(kFolders)) return "";
    const auto meaning = [&](std::string_view name) {
        const std::string_view own = find(folder->texts, name);
        return own.empty() ? find(ops::kOperandTexts, name) : own;
    };
    const std::string own = fmt::format("{}.{}", info->name, operand);
    for (const std::string_view name : {std::string_view(own), operand}) {
        if (const std::string_view found = meaning(name); !found.empty()) return std::string(found);
    }
    for (const auto& [prefix, cell] : kCells) {
        if (!operand.starts_with(prefix)) continue;
        std::string rest(operand.substr(prefix.size()));
        if (rest.empty()) continue;
        rest[0] = static_cast<char>(rest[0] | 0x20);  // a letter, as all names begin with
        if (const std::string_view found = meaning(rest); !found.empty())
            return fmt::format("{}: {}", cell, found);
    }
    return "";
}

}  // namespace cli
}  // namespace nn
