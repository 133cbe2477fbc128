// nnapi/half.h -- Conversion between float and IEEE 754 binary16.
//
//   uint16_t bits = nn::floatToHalf(0.5f);
//   float value = nn::halfToFloat(bits);
//
// Rounds to nearest, ties to even. Preserves infinities, NaN and subnormals. Pure and thread-safe.
#pragma once

#include <bit>
#include <cstdint>

namespace nn {

// Exact for every value.
constexpr float halfToFloat(uint16_t bits) {
    const uint32_t sign = (bits & 0x8000u) << 16;
    const uint32_t exponent = (bits >> 10) & 0x1Fu;
    const uint32_t mantissa = bits & 0x3FFu;
    if (exponent == 0x1F) return std::bit_cast<float>(sign | 0x7F800000u | (mantissa << 13));
    if (exponent != 0)
        return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (mantissa << 13));
    const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
    return sign != 0 ? -magnitude : magnitude;
}

// Values beyond the largest binary16 become infinity; every NaN becomes one quiet NaN of its sign.
constexpr uint16_t floatToHalf(float value) {
    const auto bits = std::bit_cast<uint32_t>(value);
    const auto sign = static_cast<uint16_t>((bits >> 16) & 0x8000u);
    const uint32_t magnitude = bits & 0x7FFFFFFFu;
    if (magnitude > 0x7F800000u) return sign | 0x7E00u;   // NaN
    if (magnitude >= 0x477FF000u) return sign | 0x7C00u;  // rounds to 2^16 or above
    if (magnitude < 0x33000001u) return sign;             // at most half the least subnormal
    // The significand with its leading bit, shifted so that its unit is the unit of the result.
    const uint32_t exponent = magnitude >> 23;
    const uint32_t shift = exponent < 113 ? 126 - exponent : 13;
    const uint32_t significand = (magnitude & 0x7FFFFFu) | 0x800000u;
    uint32_t result = significand >> shift;
    const uint32_t rest = significand & ((1u << shift) - 1);
    const uint32_t half = 1u << (shift - 1);
    if (rest > half || (rest == half && (result & 1u) != 0)) ++result;
    // For normal numbers the leading bit adds one to the exponent field.
    if (exponent >= 113) result += (exponent - 113) << 10;
    return sign | static_cast<uint16_t>(result);
}

}  // namespace nn
