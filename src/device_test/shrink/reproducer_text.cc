#include "device_test/shrink/reproducer_text.h"

#include <absl/strings/str_replace.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "base/printable.h"
#include "nnapi/comparison.h"
#include "nnapi/generate/code.h"

namespace nn::testing {
namespace {

bool isHalf(OperandType type) {
    return type == OperandType::FLOAT16 || type == OperandType::TENSOR_FLOAT16;
}
bool isFloat(OperandType type) {
    return type == OperandType::FLOAT32 || type == OperandType::TENSOR_FLOAT32;
}

}  // namespace

std::string_view elementTypeName(OperandType type) {
    if (isFloat(type)) return "float";
    if (isHalf(type)) return "uint16_t";
    switch (type) {
        case OperandType::INT32:
        case OperandType::TENSOR_INT32:
            return "int32_t";
        case OperandType::UINT32:
            return "uint32_t";
        case OperandType::TENSOR_QUANT16_SYMM:
            return "int16_t";
        case OperandType::TENSOR_QUANT16_ASYMM:
            return "uint16_t";
        case OperandType::TENSOR_QUANT8_ASYMM_SIGNED:
        case OperandType::TENSOR_QUANT8_SYMM:
        case OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL:
            return "int8_t";
        default:
            return "uint8_t";
    }
}

std::string elementList(OperandType type, const Tensor& tensor, std::string_view infinity,
                        std::string_view nan) {
    std::vector<std::string> texts;
    for (size_t i = 0; i < elementCount(type, tensor); ++i) {
        if (isHalf(type)) {
            uint16_t bits;
            std::memcpy(&bits, tensor.data.data() + i * sizeof(bits), sizeof(bits));
            texts.push_back(fmt::format("0x{:04x}", bits));
            continue;
        }
        const double value = elementValue(type, tensor, i);
        if (!isFloat(type)) {
            // -2147483648 is no literal of C.
            texts.push_back(value == INT32_MIN ? "-2147483647 - 1" : fmt::format("{:.0f}", value));
        } else if (std::isnan(value)) {
            texts.emplace_back(nan);
        } else if (std::isinf(value)) {
            texts.push_back(fmt::format("{}{}", value < 0 ? "-" : "", infinity));
        } else {
            texts.push_back(code_internal::number(static_cast<float>(value)));
        }
    }
    return fmt::format("{}", fmt::join(texts, ", "));
}

std::string numberList(const std::vector<uint32_t>& numbers) {
    return fmt::format("{}", fmt::join(numbers, ", "));
}

std::string pkgConfigPath() {
    return "export PKG_CONFIG_PATH=\"$(dirname \"$(realpath \"$(command -v "
           "nnapi)\")\")/../" NNAPI_LIBDIR "/pkgconfig:$PKG_CONFIG_PATH\"";
}

std::string commentText(std::string_view text) {
    return absl::StrReplaceAll(onOneLine(text), {{"*/", "* /"}, {"\\", "/"}});
}

}  // namespace nn::testing
