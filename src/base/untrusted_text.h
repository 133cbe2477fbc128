// Text from a file, a device or a peer. JSON contains it unchanged; format functions always
// escape it.
//
//   fmt::format("has the mode {}", mode)              has the mode "\u001b[31m"
//   fmt::format("has the mode {}", mode.beginning())  the same, at most 64 bytes of it
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/printable.h"

namespace nn {

// The first bytes of such text, for messages that repeat text of a file. Valid as long as the
// text.
struct UntrustedBeginning {
    std::string_view raw{};
    size_t maxBytes = 64;
};

// The name of a model, the value of an attribute ...; any bytes.
struct UntrustedText {
    std::string raw{};

    bool operator==(const UntrustedText&) const = default;
    bool operator==(std::string_view text) const { return raw == text; }
    UntrustedBeginning beginning() const { return {raw}; }
};

// The same as a view of the bytes of a file. Names are looked up and compared as std::string_view.
struct UntrustedView {
    std::string_view raw{};

    constexpr UntrustedView() = default;
    constexpr UntrustedView(std::string_view text) : raw(text) {}  // NOLINT: as std::string_view
    constexpr UntrustedView(const char* text) : raw(text) {}       // NOLINT
    UntrustedView(const std::string& text) : raw(text) {}          // NOLINT
    constexpr operator std::string_view() const { return raw; }    // NOLINT

    bool operator==(const UntrustedView&) const = default;
    bool operator==(std::string_view text) const { return raw == text; }
    bool operator==(const char* text) const { return raw == text; }
    constexpr bool empty() const { return raw.empty(); }
    constexpr size_t size() const { return raw.size(); }
    UntrustedBeginning beginning() const { return {raw}; }
};

template <class Json>
void to_json(Json& json, const UntrustedText& text) {
    json = text.raw;
}

}  // namespace nn

// Formats as printable() does.
template <class T>
requires std::is_same_v<T, nn::UntrustedText> || std::is_same_v<T, nn::UntrustedView>
struct fmt::formatter<T> : fmt::formatter<std::string> {
    template <class Context>
    auto format(const T& text, Context& context) const {
        return fmt::formatter<std::string>::format(nn::printable(text.raw), context);
    }
};

template <>
struct fmt::formatter<nn::UntrustedBeginning> : fmt::formatter<std::string> {
    template <class Context>
    auto format(const nn::UntrustedBeginning& text, Context& context) const {
        return fmt::formatter<std::string>::format(nn::printable(text.raw, text.maxBytes), context);
    }
};
