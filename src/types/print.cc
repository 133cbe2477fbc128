#include "nnapi/print.h"

#include <fmt/format.h>

namespace nn::print_internal {

std::string number(float value) { return fmt::format("{}", value); }
std::string number(int64_t value) { return std::to_string(value); }
std::string number(uint64_t value) { return std::to_string(value); }

std::string quoted(std::string_view value) {
    std::string out = "\"";
    for (const char c : value) {
        if (c == '"' || c == '\\') out += '\\';
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
            out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        } else {
            out += c;
        }
    }
    return out + '"';
}

}  // namespace nn::print_internal
