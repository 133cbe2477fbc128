// Formats counts with their nouns, and dimensions, for messages.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace nn {

// "1 input", "2 inputs". The first word that ends in s is the noun.
struct Plural {
    uint64_t number = 0;
    std::string_view nouns{};
};
std::string toString(const Plural& counted);

// The allowed values of an index: "allowed below 3, the number of pools"; for an empty list, "but
// the model has no pools".
struct Below {
    uint64_t number = 0;
    std::string_view owner{};
    std::string_view nouns{};
};
std::string toString(const Below& below);

// "[1, 2, 3]", with long lists truncated.
struct DimensionList {
    std::span<const uint32_t> dimensions{};
};
std::string toString(const DimensionList& list);

}  // namespace nn

// Formats lazily: only if a message is composed.
template <class T>
requires std::is_same_v<T, nn::Plural> || std::is_same_v<T, nn::Below> ||
        std::is_same_v<T, nn::DimensionList>
struct fmt::formatter<T> {
    constexpr auto parse(fmt::format_parse_context& context) { return context.begin(); }
    template <class Context>
    auto format(const T& value, Context& context) const {
        const std::string text = nn::toString(value);
        return std::copy(text.begin(), text.end(), context.out());
    }
};
