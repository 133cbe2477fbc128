// A name from a file: exact in JSON, made safe for a terminal in text. The type keeps the two
// apart.
#pragma once

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "types/printable.h"

namespace nn::cli {

// The name of a model or a test case; any bytes.
struct Name {
    std::string raw{};

    bool operator==(const Name&) const = default;
};

template <class Json>
void to_json(Json& json, const Name& name) {
    json = name.raw;
}

}  // namespace nn::cli

// As printable() says.
template <>
struct fmt::formatter<nn::cli::Name> : fmt::formatter<std::string> {
    template <class Context>
    auto format(const nn::cli::Name& name, Context& context) const {
        return fmt::formatter<std::string>::format(nn::printable(name.raw), context);
    }
};
