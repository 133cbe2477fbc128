#include "nnapi/print.h"

#include <fmt/format.h>

#include "base/printable.h"

namespace nn::print_internal {

std::string number(float value) { return fmt::format("{}", value); }
std::string number(int64_t value) { return std::to_string(value); }
std::string number(uint64_t value) { return std::to_string(value); }

std::string quoted(std::string_view value) { return inQuotes(value); }

}  // namespace nn::print_internal
