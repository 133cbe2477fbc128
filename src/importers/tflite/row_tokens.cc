#include "importers/tflite/row_tokens.h"

#include <charconv>
#include <iterator>
#include <optional>
#include <utility>

namespace nn::tflite {
namespace {

using Kind = Token::Kind;

// Cuts the next word off.
std::string_view nextWord(std::string_view& text) {
    const size_t start = text.find_first_not_of(' ');
    if (start == std::string_view::npos) return text = {};
    text.remove_prefix(start);
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(word.size());
    return word;
}

bool cutSuffix(std::string_view& text, std::string_view suffix) {
    if (!text.ends_with(suffix)) return false;
    text.remove_suffix(suffix.size());
    return true;
}

constexpr std::pair<std::string_view, Kind> kCalls[] = {
        {"int", Kind::INT_TENSOR},  {"ints", Kind::INT_LIST}, {"scalar", Kind::SCALAR},
        {"weights", Kind::WEIGHTS}, {"bias", Kind::BIAS},     {"state", Kind::STATE},
};

std::optional<Token> tokenOf(std::string_view word) {
    Token token;
    if (word == "none") return Token{.kind = Kind::NO_VALUE};
    if (word == "_") return Token{.kind = Kind::IMPLIED};
    if (word == "scratch") return Token{.kind = Kind::SCRATCH};
    if (word.starts_with('=')) return Token{.kind = Kind::LITERAL, .text = word.substr(1)};
    if (word.starts_with('+')) return Token{.kind = Kind::AXIS_OPTION, .text = word.substr(1)};
    if (word.starts_with("int:")) return Token{.kind = Kind::INT_OPTION, .text = word.substr(4)};
    token.mayMiss = cutSuffix(word, "?");
    if (cutSuffix(word, "...")) token.kind = Kind::ALL_INPUTS;
    if (const auto index = numberIn(word)) {
        token.index = *index;
        return token;
    }
    if (const size_t open = word.find('['); cutSuffix(word, "]")) {
        const auto index = numberIn(word.substr(0, open)),
                   element = numberIn(word.substr(open + 1));
        if (!index || !element) return std::nullopt;
        return Token{.kind = Kind::ELEMENT, .index = *index, .element = *element};
    }
    if (const size_t open = word.find('('); cutSuffix(word, ")")) {
        const auto index = numberIn(word.substr(open + 1));
        for (const auto& [name, kind] : kCalls) {
            if (!index || word.substr(0, open) != name) continue;
            token.kind = kind;
            token.index = *index;
            return token;
        }
        return std::nullopt;
    }
    return Token{.kind = Kind::OPTION, .text = word};
}

}  // namespace

std::optional<uint32_t> numberIn(std::string_view text) {
    uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return number;
}

std::vector<Token> tokensOf(std::string_view text) {
    std::vector<Token> tokens;
    bool isInGroup = false;
    for (std::string_view word = nextWord(text); !word.empty(); word = nextWord(text)) {
        if (word.starts_with('[')) {
            isInGroup = true;
            word.remove_prefix(1);
        }
        // The end of a group, unless the bracket is that of an element.
        const bool endsGroup =
                isInGroup && word.ends_with(']') && word.find('[') == std::string_view::npos;
        if (endsGroup) word.remove_suffix(1);
        std::optional<Token> token = tokenOf(word);
        if (!token) return {};
        token->isInGroup = isInGroup;
        tokens.push_back(*token);
        if (endsGroup) isInGroup = false;
    }
    return tokens;
}

std::vector<Condition> conditionsOf(std::string_view text) {
    std::vector<Condition> conditions;
    for (std::string_view word = nextWord(text); !word.empty(); word = nextWord(text)) {
        const size_t equals = word.find('=');
        if (equals == std::string_view::npos) continue;
        const auto value = numberIn(word.substr(equals + 1));
        conditions.push_back({.field = word.substr(0, equals),
                              .value = static_cast<int32_t>(value.value_or(0))});
    }
    return conditions;
}

}  // namespace nn::tflite
