#include "importers/onnx/doubles.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "nnapi/half.h"

namespace nn::onnx {

bool isReal(ElementType type) {
    return type == ElementType::FLOAT || type == ElementType::FLOAT16 ||
           type == ElementType::DOUBLE;
}

std::optional<std::vector<double>> doublesOf(const Constant& constant) {
    if (constant.type == ElementType::DOUBLE) {
        std::vector<double> values(constant.count());
        if (!values.empty()) {
            std::memcpy(values.data(), constant.bytes.data(), constant.bytes.size());
        }
        return values;
    }
    if (const auto reals = constant.floats())
        return std::vector<double>(reals->begin(), reals->end());
    if (const auto integers = constant.integers()) {
        return std::vector<double>(integers->begin(), integers->end());
    }
    return std::nullopt;
}

Constant ofDoubles(ElementType type, Dimensions dimensions, const std::vector<double>& values) {
    if (type == ElementType::FLOAT) {
        const std::vector<float> floats(values.begin(), values.end());
        return makeFloats(std::move(dimensions), floats);
    }
    std::vector<uint8_t> bytes;
    for (const double value : values) {
        const uint16_t half = floatToHalf(static_cast<float>(value));
        const auto* from = type == ElementType::DOUBLE ? reinterpret_cast<const uint8_t*>(&value)
                                                       : reinterpret_cast<const uint8_t*>(&half);
        bytes.insert(bytes.end(), from, from + elementSize(type));
    }
    return makeConstant(type, std::move(dimensions), std::move(bytes));
}

int64_t toInteger(double value) {
    if (std::isnan(value)) return 0;
    constexpr double kMost = 9.2e18;
    return static_cast<int64_t>(std::clamp(value, -kMost, kMost));
}

}  // namespace nn::onnx
