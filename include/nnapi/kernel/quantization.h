// nnapi/kernel/quantization.h -- Quantized arithmetic for kernels of drivers: stored and real
// values, fixed-point multipliers, activation bounds, per-channel scales.
//
//   using namespace nn::kernel;
//   const auto multiplier = productMultiplier(input.scale, filter.scale, output.scale);
//   const auto range = activationRange(activation, output.type, output.scale, output.zeroPoint);
//   if (!multiplier || !range) return error;
//   int32_t sum = bias;
//   for (...) sum += (x[i] - input.zeroPoint) * (w[i] - filter.zeroPoint);
//   const int32_t scaled = multiply(sum, *multiplier, Rounding::HALF_AWAY_FROM_ZERO);
//   y = range->clamp(int64_t{scaled} + output.zeroPoint);
//
// Definitions: the descriptions of the quantized types (such as
// ANEURALNETWORKS_TENSOR_QUANT8_ASYMM) and of the operations in NeuralNetworks.h; docs/numerics.md
// describes the rounding of the reference. Real values have no unit; a scale is the real value of
// one step. Functions that return an optional return none for illegal arguments. Every function
// accepts any values. Pure and thread-safe.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "nnapi/types.h"

namespace nn::kernel {

// ---- stored and real values: real = (stored - zeroPoint) * scale

// A range of stored values, with both ends.
struct StoredRange {
    int32_t least = 0;  // smallest value
    int32_t most = 0;   // largest value
    // x within the range, for any integer type; `most` for larger ones if the ends are exchanged.
    template <std::integral I>
    constexpr int32_t clamp(I x) const {
        if (std::cmp_greater(x, most)) return most;
        return std::cmp_less(x, least) ? least : static_cast<int32_t>(x);
    }
    bool operator==(const StoredRange&) const = default;
};

// A range of real values, with both ends. NaN stays NaN.
struct RealRange {
    float least = 0;  // smallest value
    float most = 0;   // largest value
    // x within the range; `most` for any number if the ends are exchanged.
    constexpr float clamp(float x) const { return std::min(std::max(x, least), most); }
    bool operator==(const RealRange&) const = default;
};

// The stored values of a quantized tensor type; none for other types.
std::optional<StoredRange> storedRange(OperandType type);

// True for a quantized tensor type with a scale that is finite and above 0, and a zero point that
// the type has: any stored value for asymmetric types, 0 for symmetric ones.
bool isQuantization(OperandType type, float scale, int32_t zeroPoint);

// zeroPoint + round(real / scale), halves away from zero, before it is limited to the range of a
// type. Quotients beyond 2^22, which no stored value reaches, count as 2^22; so does NaN.
inline int64_t nearestStored(float real, float scale, int32_t zeroPoint) {
    constexpr float kFar = 0x1p22f;
    float units = real / scale;
    units = units < kFar ? units : kFar;  // NaN as well
    units = units > -kFar ? units : -kFar;
    const auto whole = static_cast<int32_t>(units);
    const float rest = units - static_cast<float>(whole);  // exact
    return int64_t{whole} + (rest >= 0.5f) - (rest <= -0.5f) + zeroPoint;
}

// The same, saturated to the range of a stored type of at most 16 bits.
template <class E>
E quantized(float real, float scale, int32_t zeroPoint) {
    static_assert(sizeof(E) <= 2);
    return static_cast<E>(std::clamp<int64_t>(nearestStored(real, scale, zeroPoint),
                                              std::numeric_limits<E>::min(),
                                              std::numeric_limits<E>::max()));
}

// The same for a type that is known when the driver runs. None unless isQuantization().
std::optional<int32_t> quantize(float real, OperandType type, float scale, int32_t zeroPoint);

// The real value of a stored one. None unless isQuantization() and the type has the stored value.
std::optional<float> dequantize(int32_t stored, OperandType type, float scale, int32_t zeroPoint);

// The real values that a type can represent with this quantization. For per-channel scales, one
// range for each scale, with zero point 0. None unless isQuantization().
std::optional<RealRange> realRange(OperandType type, float scale, int32_t zeroPoint);

// ---- bounds of fused activations

// The bounds of a fused activation for float results. NONE, and codes that are no activation, limit
// to finite numbers.
constexpr RealRange activationRange(FusedActivationFunc activation) {
    constexpr float kMax = std::numeric_limits<float>::max();
    switch (activation) {
        case FusedActivationFunc::RELU:
            return {0.0f, kMax};
        case FusedActivationFunc::RELU1:
            return {-1.0f, 1.0f};
        case FusedActivationFunc::RELU6:
            return {0.0f, 6.0f};
        case FusedActivationFunc::NONE:
            break;
    }
    return {-kMax, kMax};
}

// The bounds for stored results of type E: the quantized bounds, within the range of E.
template <class E>
StoredRange activationRange(FusedActivationFunc activation, float scale, int32_t zeroPoint) {
    const RealRange real = activationRange(activation);
    const auto stored = [&](float bound) { return int32_t{quantized<E>(bound, scale, zeroPoint)}; };
    return {stored(real.least), stored(real.most)};
}

// The same for a type that is known when the driver runs. None unless isQuantization().
std::optional<StoredRange> activationRange(FusedActivationFunc activation, OperandType type,
                                           float scale, int32_t zeroPoint);

// ---- fixed-point multipliers

// A real multiplier as significand * 2^(exponent - 31), with the significand in [2^30, 2^31), or
// the significand 0.
struct FixedMultiplier {
    int32_t significand = 0;
    int32_t exponent = 0;
    bool operator==(const FixedMultiplier&) const = default;

    // The nearest one: 0 for multipliers below 2^-32. None for those that are negative, NaN, or
    // 2^31 and above.
    static std::optional<FixedMultiplier> create(double multiplier);
};

// From products of input and filter values to stored output values:
// inputScale * filterScale / outputScale, in double. None unless all are finite and above 0, and
// for quotients of 2^31 and above.
std::optional<FixedMultiplier> productMultiplier(float inputScale, float filterScale,
                                                 float outputScale);

// The rounding of results halfway between two integers.
enum class Rounding {
    HALF_AWAY_FROM_ZERO,  // 2.5 -> 3, -2.5 -> -3
    HALF_UP,              // 2.5 -> 3, -2.5 -> -2
    HALF_TO_EVEN,         // 2.5 -> 2, -2.5 -> -2
};

// x times a multiplier, rounded once, saturated to 32 bits.
int32_t multiply(int32_t x, FixedMultiplier m, Rounding rounding);

// round(a * b / 2^31), halves upward; the only product that does not fit saturates. A step of the
// fixed-point arithmetic that rounds twice.
constexpr int32_t doublingHighMultiply(int32_t a, int32_t b) {
    if (a == std::numeric_limits<int32_t>::min() && b == a)
        return std::numeric_limits<int32_t>::max();
    return static_cast<int32_t>((int64_t{a} * b + (int64_t{1} << 30)) >> 31);
}

// round(x / 2^exponent), halves away from zero; x for exponents below 0.
constexpr int32_t roundingDivideByPowerOfTwo(int32_t x, int32_t exponent) {
    if (exponent <= 0) return x;
    exponent = std::min(exponent, 33);  // larger ones result in 0 as well
    const int64_t half = int64_t{1} << (exponent - 1);
    const int64_t magnitude = ((x < 0 ? -int64_t{x} : int64_t{x}) + half) >> exponent;
    return static_cast<int32_t>(x < 0 ? -magnitude : magnitude);
}

// x times a multiplier, rounded twice: by doublingHighMultiply, then by roundingDivideByPowerOfTwo.
// Saturates where the left shift leaves 32 bits. The reference computes convolutions and quantized
// LSTMs by it; its results are up to one unit from those that are rounded once.
constexpr int32_t multiplyRoundingTwice(int32_t x, FixedMultiplier m) {
    const int32_t left = std::clamp(m.exponent, 0, 32);  // further ones saturate as well
    const int64_t shifted = std::clamp<int64_t>(int64_t{x} * (int64_t{1} << left),
                                                std::numeric_limits<int32_t>::min(),
                                                std::numeric_limits<int32_t>::max());
    return roundingDivideByPowerOfTwo(
            doublingHighMultiply(static_cast<int32_t>(shifted), m.significand),
            -std::clamp(m.exponent, -33, 0));
}

// ---- per-channel scales

// The channel of each element of a tensor whose scales belong to the indexes of one dimension:
//
//   const auto channels = Channels::create(filter.dimensions, quant.channelDim);
//   real[i] = stored[i] * quant.scales[channels->of(i)];
class Channels {
   public:
    // None for a dimension that the tensor does not have, a dimension of 0, and more elements than
    // size_t can count.
    static std::optional<Channels> create(std::span<const uint32_t> dimensions,
                                          uint32_t channelDim);

    // Indexes of elements count in row-major order.
    size_t of(size_t element) const { return element / mInner % mCount; }

    // The number of channels: the size of the dimension.
    size_t count() const { return mCount; }
    // The number of consecutive elements of one channel.
    size_t inner() const { return mInner; }

   private:
    Channels(size_t inner, size_t count) : mInner(inner), mCount(count) {}
    size_t mInner;
    size_t mCount;
};

}  // namespace nn::kernel
