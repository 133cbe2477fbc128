// The quantized arithmetic of nnapi/kernel/quantization.h, as operations use it.
#pragma once

#include <cstdint>

#include "nnapi/kernel/quantization.h"

namespace nn::ops {

using kernel::doublingHighMultiply;
using kernel::FixedMultiplier;
using kernel::quantized;
using kernel::RealRange;
using kernel::roundingDivideByPowerOfTwo;
using kernel::StoredRange;

// Zero for multipliers that FixedMultiplier::create rejects.
inline FixedMultiplier fixedMultiplier(double multiplier) {
    return FixedMultiplier::create(multiplier).value_or(FixedMultiplier());
}

// The sum modulo 2^32.
inline int32_t addWrapping(int32_t a, int32_t b) {
    return static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
}

// x times a multiplier, as the fixed-point reference rounds.
inline int32_t multiply(int32_t x, FixedMultiplier m) {
    return kernel::multiplyRoundingTwice(x, m);
}

// Ranges of a fused activation by its code; codes other than 1 to 3 only limit to finite numbers.
inline RealRange activationRange(int32_t code) {
    return kernel::activationRange(static_cast<FusedActivationFunc>(code));
}
template <class E>
StoredRange activationRange(int32_t code, float scale, int32_t zeroPoint) {
    return kernel::activationRange<E>(static_cast<FusedActivationFunc>(code), scale, zeroPoint);
}

}  // namespace nn::ops
