// The kernels of the driver that the bugs are in: small, one operation after the other, as a driver
// without a library would have them.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

#include "device_test/bugs/bugs.h"
#include "nnapi/extension_operations.h"
#include "nnapi/half.h"

namespace nn::bugs {

// The arguments of a kernel. All dimensions are known, and no omitted operand has data.
struct Call {
    std::span<const ExtensionOperand> in;
    std::span<const ExtensionOperand> out;
    std::span<const float> scales;  // of the operand that is quantized per channel, if one is
    Bug bug = Bug::none;

    bool has(Bug one) const { return bug == one; }
    bool isGiven(size_t i) const { return i < in.size() && !in[i].hasNoValue; }
    // A scalar: INT32 or BOOL, FLOAT32 or FLOAT16.
    int32_t integer(size_t i, int32_t otherwise = 0) const {
        if (!isGiven(i) || in[i].data.empty()) return otherwise;
        if (in[i].type == OperandType::BOOL) return in[i].data[0];
        return in[i].as<int32_t>()[0];
    }
    float real(size_t i, float otherwise = 0) const {
        if (!isGiven(i) || in[i].data.empty()) return otherwise;
        if (in[i].type == OperandType::FLOAT16) return halfToFloat(in[i].as<uint16_t>()[0]);
        return in[i].as<float>()[0];
    }
};

// Types of the first input that a kernel takes.
enum class Takes { QUANT8, FLOATS, QUANT8_AND_FLOATS, ANY };

struct Kernel {
    OperationType operation{};
    Takes takes{};
    void (*compute)(const Call&) = nullptr;
};

std::span<const Kernel> convolutions();
std::span<const Kernel> elementwise();
std::span<const Kernel> normalizations();
std::span<const Kernel> movements();

// ---- elements

inline bool isFloat(const ExtensionOperand& tensor) {
    return tensor.type == OperandType::TENSOR_FLOAT32 || tensor.type == OperandType::TENSOR_FLOAT16;
}
inline bool isSigned8(const ExtensionOperand& tensor) {
    return tensor.type != OperandType::TENSOR_QUANT8_ASYMM;
}
inline size_t countOf(const ExtensionOperand& tensor) {
    size_t count = 1;
    for (const uint32_t each : tensor.dimensions) count *= each;
    return count;
}

// The integer that stands there, of 8 or 32 bits.
inline int32_t stored(const ExtensionOperand& tensor, size_t i) {
    if (tensor.type == OperandType::TENSOR_INT32) return tensor.as<int32_t>()[i];
    if (isSigned8(tensor)) return static_cast<int8_t>(tensor.data[i]);
    return tensor.data[i];
}
// A float, or the real value of an integer of 8 bits.
inline float valueOf(const ExtensionOperand& tensor, size_t i) {
    if (tensor.type == OperandType::TENSOR_FLOAT32) return tensor.as<float>()[i];
    if (tensor.type == OperandType::TENSOR_FLOAT16) return halfToFloat(tensor.as<uint16_t>()[i]);
    return static_cast<float>(stored(tensor, i) - tensor.zeroPoint) * tensor.scale;
}
inline void put(const ExtensionOperand& tensor, size_t i, float value) {
    if (tensor.type == OperandType::TENSOR_FLOAT32) {
        tensor.mutableAs<float>()[i] = value;
    } else {
        tensor.mutableAs<uint16_t>()[i] = floatToHalf(value);
    }
}
inline int32_t lowest(const ExtensionOperand& tensor) { return isSigned8(tensor) ? -128 : 0; }
inline int32_t highest(const ExtensionOperand& tensor) { return isSigned8(tensor) ? 127 : 255; }
inline void putStored(const ExtensionOperand& tensor, size_t i, int64_t value) {
    const int64_t saturated = std::clamp<int64_t>(value, lowest(tensor), highest(tensor));
    tensor.mutableData[i] = static_cast<uint8_t>(saturated);
}
// Quantizes a value: to nearest.
inline void putValue(const ExtensionOperand& tensor, size_t i, double value) {
    if (isFloat(tensor)) return put(tensor, i, static_cast<float>(value));
    const double steps = std::round(value / tensor.scale) + tensor.zeroPoint;
    putStored(tensor, i,
              std::isnan(steps) ? 0 : static_cast<int64_t>(std::clamp(steps, -1e6, 1e6)));
}

// ---- activations

struct Bounds {
    double low = std::numeric_limits<float>::lowest();
    double high = std::numeric_limits<float>::max();
};
inline Bounds boundsOf(int32_t activation, const Call& call) {
    switch (activation) {
        case 1:
            return {0, std::numeric_limits<float>::max()};
        case 2:
            if (call.has(Bug::relu1_as_relu6)) return {0, 6};
            return {-1, 1};
        case 3:
            return {0, 6};
        default:
            return {};
    }
}
// The same in steps of a quantized output.
struct Steps {
    int64_t low = 0, high = 0;
};
inline Steps stepsOf(int32_t activation, const ExtensionOperand& out, const Call& call) {
    Steps steps{lowest(out), highest(out)};
    if (call.has(Bug::relu6_int8_unsigned)) steps = {0, 255};
    const auto step = [&](double value) {
        return static_cast<int64_t>(std::round(value / out.scale)) + out.zeroPoint;
    };
    Bounds bounds = boundsOf(activation, call);
    if (call.has(Bug::relu6_bound) && activation == 3) bounds.high = 6.5;
    if (bounds.low > Bounds().low) steps.low = std::max(steps.low, step(bounds.low));
    if (bounds.high < Bounds().high) steps.high = std::min(steps.high, step(bounds.high));
    return steps;
}
inline int64_t within(const Steps& steps, int64_t value) {
    return std::min(std::max(value, steps.low), steps.high);
}
inline float within(const Bounds& bounds, float value) {
    return static_cast<float>(std::min<double>(std::max<double>(value, bounds.low), bounds.high));
}

// ---- requantization: sum * scale by a multiplier of 31 bits and a shift to the right

enum class Rounding { NEAREST, DOWN, HIGH_HALF_ALONE };

class Multiplier {
   public:
    explicit Multiplier(double scale, int bits = 31) {
        int exponent = 0;
        const double mantissa = std::frexp(scale, &exponent);
        const double kept = std::floor(mantissa * std::exp2(bits) + 0.5);
        mMultiplier = static_cast<int64_t>(kept * std::exp2(31 - bits));
        mShift = 31 - exponent;
    }
    int64_t operator()(int64_t sum, Rounding rounding = Rounding::NEAREST) const {
        constexpr int64_t kMax = std::numeric_limits<int32_t>::max();
        const int64_t product = std::clamp(sum, -kMax, kMax) * mMultiplier;
        if (mShift > 62) return 0;
        if (mShift < 1) return product < 0 ? -kMax : product == 0 ? 0 : kMax;
        const bool isHighHalf = rounding == Rounding::HIGH_HALF_ALONE && mShift > 31;
        if (rounding == Rounding::DOWN) return product >> mShift;
        if (isHighHalf) return (product + (1 << 30)) >> 31 >> (mShift - 31);
        // Halves away from zero.
        const int64_t half = int64_t{1} << (mShift - 1);
        return (product + half - (product < 0 ? 1 : 0)) >> mShift;
    }

   private:
    int64_t mMultiplier = 0;
    int mShift = 0;
};

}  // namespace nn::bugs
