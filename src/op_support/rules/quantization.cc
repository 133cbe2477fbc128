#include "nnapi/kernel/quantization.h"

#include "nnapi/checked_math.h"
#include "nnapi/type_utils.h"

namespace nn::kernel {
namespace {

template <class E>
constexpr StoredRange kRangeOf{std::numeric_limits<E>::min(), std::numeric_limits<E>::max()};

bool isScale(float scale) { return scale > 0 && scale <= std::numeric_limits<float>::max(); }

}  // namespace

std::optional<StoredRange> storedRange(OperandType type) {
    switch (type) {
        case OperandType::TENSOR_QUANT8_ASYMM:
            return kRangeOf<uint8_t>;
        case OperandType::TENSOR_QUANT8_ASYMM_SIGNED:
        case OperandType::TENSOR_QUANT8_SYMM:
        case OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL:
            return kRangeOf<int8_t>;
        case OperandType::TENSOR_QUANT16_ASYMM:
            return kRangeOf<uint16_t>;
        case OperandType::TENSOR_QUANT16_SYMM:
            return kRangeOf<int16_t>;
        default:
            return std::nullopt;
    }
}

bool isQuantization(OperandType type, float scale, int32_t zeroPoint) {
    const OperandTypeInfo* info = operandTypeInfo(type);
    return storedRange(type) && info != nullptr && isScale(scale) &&
           zeroPoint >= info->zeroPointMin && zeroPoint <= info->zeroPointMax;
}

std::optional<int32_t> quantize(float real, OperandType type, float scale, int32_t zeroPoint) {
    if (!isQuantization(type, scale, zeroPoint)) return std::nullopt;
    return storedRange(type)->clamp(nearestStored(real, scale, zeroPoint));
}

std::optional<float> dequantize(int32_t stored, OperandType type, float scale, int32_t zeroPoint) {
    if (!isQuantization(type, scale, zeroPoint)) return std::nullopt;
    if (storedRange(type)->clamp(stored) != stored) return std::nullopt;
    return static_cast<float>(stored - zeroPoint) * scale;
}

std::optional<RealRange> realRange(OperandType type, float scale, int32_t zeroPoint) {
    if (!isQuantization(type, scale, zeroPoint)) return std::nullopt;
    const StoredRange range = *storedRange(type);
    return RealRange{static_cast<float>(range.least - zeroPoint) * scale,
                     static_cast<float>(range.most - zeroPoint) * scale};
}

std::optional<StoredRange> activationRange(FusedActivationFunc activation, OperandType type,
                                           float scale, int32_t zeroPoint) {
    if (!isQuantization(type, scale, zeroPoint)) return std::nullopt;
    const StoredRange all = *storedRange(type);
    const RealRange real = activationRange(activation);
    return StoredRange{all.clamp(nearestStored(real.least, scale, zeroPoint)),
                       all.clamp(nearestStored(real.most, scale, zeroPoint))};
}

std::optional<FixedMultiplier> FixedMultiplier::create(double multiplier) {
    if (!(multiplier >= 0) || !(multiplier < 0x1p31)) return std::nullopt;
    FixedMultiplier fixed;
    const double fraction = std::frexp(multiplier, &fixed.exponent);  // in [0.5, 1), or 0
    int64_t significand = std::llround(fraction * 0x1p31);
    if (significand == int64_t{1} << 31) {
        significand /= 2;
        ++fixed.exponent;
    }
    if (fixed.exponent < -31) return FixedMultiplier();
    fixed.significand = static_cast<int32_t>(significand);
    return fixed;
}

std::optional<FixedMultiplier> productMultiplier(float inputScale, float filterScale,
                                                 float outputScale) {
    if (!isScale(inputScale) || !isScale(filterScale) || !isScale(outputScale)) return std::nullopt;
    return FixedMultiplier::create(double{inputScale} * filterScale / outputScale);
}

int32_t multiply(int32_t x, FixedMultiplier m, Rounding rounding) {
    const int64_t product = int64_t{x} * m.significand;
    const int64_t shift = 31 - int64_t{m.exponent};
    if (shift > 63) return 0;  // less than a half
    if (shift <= 0) {
        const auto scaled =
                checkedMul<int64_t>(product, int64_t{1} << std::min<int64_t>(-shift, 62));
        const int64_t saturated = product < 0 ? std::numeric_limits<int64_t>::min()
                                              : std::numeric_limits<int64_t>::max();
        return saturatingCast<int32_t>(scaled.value_or(saturated));
    }
    // floor + rest / 2^shift
    const int64_t floor = product >> shift;
    const auto rest = static_cast<uint64_t>(product) - (static_cast<uint64_t>(floor) << shift);
    const uint64_t half = uint64_t{1} << (shift - 1);
    bool isUp = rest > half;
    if (rest == half) {
        isUp = rounding == Rounding::HALF_UP ||
               (rounding == Rounding::HALF_AWAY_FROM_ZERO && product > 0) ||
               (rounding == Rounding::HALF_TO_EVEN && floor % 2 != 0);
    }
    return saturatingCast<int32_t>(floor + (isUp ? 1 : 0));
}

std::optional<Channels> Channels::create(std::span<const uint32_t> dimensions,
                                         uint32_t channelDim) {
    if (channelDim >= dimensions.size() || !checkedProduct<size_t>(dimensions)) return std::nullopt;
    const auto inner = checkedProduct<size_t>(dimensions.subspan(channelDim + size_t{1}));
    if (!inner || *inner == 0 || dimensions[channelDim] == 0) return std::nullopt;
    return Channels(*inner, dimensions[channelDim]);
}

}  // namespace nn::kernel
