// Text from a file, a device or a peer, from the place that reads it to the output: it is exact in
// JSON, and no format function shows it unescaped.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "types/printable.h"

namespace nn {

// The name of a model, the value of an attribute ...; any bytes.
struct UntrustedText {
    std::string raw{};

    bool operator==(const UntrustedText&) const = default;
    bool operator==(std::string_view text) const { return raw == text; }
};

template <class Json>
void to_json(Json& json, const UntrustedText& text) {
    json = text.raw;
}

}  // namespace nn

// As printable() says.
template <>
struct fmt::formatter<nn::UntrustedText> : fmt::formatter<std::string> {
    template <class Context>
    auto format(const nn::UntrustedText& text, Context& context) const {
        return fmt::formatter<std::string>::format(nn::printable(text.raw), context);
    }
};
