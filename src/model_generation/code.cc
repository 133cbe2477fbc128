#include "nnapi/generate/code.h"

#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <limits>

#include "nnapi/memory.h"

namespace nn::testing::code_internal {

std::string number(float value) {
    constexpr std::string_view kLimits = "std::numeric_limits<float>::";
    if (std::isnan(value)) return fmt::format("{}quiet_NaN()", kLimits);
    if (std::isinf(value)) return fmt::format("{}{}infinity()", value < 0 ? "-" : "", kLimits);
    const std::string text = fmt::format("{}", value);
    return fmt::format("{}{}f", text, text.find_first_of(".e") == std::string::npos ? ".0" : "");
}

std::string number(int64_t value) {
    // The smallest number has no literal.
    if (value == std::numeric_limits<int64_t>::min()) {
        return fmt::format("{} - 1", value + 1);
    }
    return std::to_string(value);
}

std::string number(uint64_t value) {
    const bool isSigned = value <= uint64_t{std::numeric_limits<int64_t>::max()};
    return fmt::format("{}{}", value, isSigned ? "" : "u");
}

std::string quoted(std::string_view value) {
    std::string out = "\"";
    for (const char c : value) {
        if (c == '"' || c == '\\') {
            out += fmt::format("\\{}", c);
        } else if (c >= 0x20 && c < 0x7F) {
            out += c;
        } else {
            out += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
        }
    }
    return out + '"';
}

std::string enumerator(std::string_view type, std::string_view name, int64_t value) {
    const bool isNamed =
            !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0 &&
            absl::c_all_of(name, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
    return isNamed ? fmt::format("{}::{}", type, name)
                   : fmt::format("static_cast<{}>({})", type, value);
}

std::string taggedUnion(std::string_view type, int tag, std::string value) {
    return fmt::format("{}::make<static_cast<{}::Tag>({})>({})", type, type, tag, value);
}

std::string heldUnion(std::string_view type, std::string_view member, std::string value) {
    return fmt::format("[] {{ {} held; held.{}({}); return held; }}()", type, member, value);
}

std::string memory(const SharedMemory& memory) {
    if (memory.get() == nullptr) return "nn::SharedMemory()";
    constexpr size_t kMaxBytes = 1 << 16;
    if (const Result<Mapping> mapping = map(memory); mapping.ok()) {
        if (mapping->size() > kMaxBytes) {
            return fmt::format("nn::createSharedMemory({}).value()", mapping->size());
        }
        const std::vector<uint8_t> bytes(mapping->data(), mapping->data() + mapping->size());
        return fmt::format("nn::testing::memoryOf({})", elements(bytes));
    }
    return fmt::format("std::make_shared<const nn::Memory>(nn::Memory{{{}}})",
                       initializer(memory->handle));
}

std::string memory(const hidl::hidl_memory& memory) {
    return fmt::format("nn::hidl::hidl_memory({}, {{}}, {})",
                       code_internal::quoted(std::string(memory.name())), number(memory.size()));
}

}  // namespace nn::testing::code_internal
