#include "op_support/kernels/fixed_point.h"

#include <array>

#include "op_support/rules/quantization.h"

namespace nn::ops {
namespace {

constexpr int16_t kOneInQ0 = std::numeric_limits<int16_t>::max();  // as near as Q(0) comes
constexpr int16_t kOneInQ2 = 1 << 13;

int16_t shiftLeft16(int16_t x, int bits) { return saturate16(int64_t{x} * (1 << bits)); }

// A constant of 31 fraction bits, rounded to 15.
int16_t constant16(int32_t q31) {
    return static_cast<int16_t>(roundingDivideByPowerOfTwo(q31, 16));
}

// exp(a) for a in [-1/4, 0), all in Q(0): e^(-1/8) times the Taylor polynomial of degree 4 about
// -1/8,  1 + x + x^2/2 + x^3/6 + x^4/24.
int16_t exponentialOfQuarter(int16_t a) {
    const int16_t eToMinusEighth = constant16(1895147668);
    const int16_t third = constant16(715827883);
    const auto x = static_cast<int16_t>(a + (1 << 12));
    const int16_t x2 = multiply16(x, x);
    const int16_t x3 = multiply16(x2, x);
    const int16_t x4 = multiply16(x2, x2);
    const int16_t cubic =
            multiply16(static_cast<int16_t>(roundingDivideByPowerOfTwo(x4, 2) + x3), third);
    const auto rest = static_cast<int16_t>(x + roundingDivideByPowerOfTwo(cubic + x2, 1));
    return saturate16(eToMinusEighth + int32_t{multiply16(eToMinusEighth, rest)});
}

// exp(a) in Q(0) for a < 0 in Q(integerBits): the exponential of the remainder of a in [-1/4, 0),
// times a constant for each bit of the difference.
int16_t exponential(int16_t a, int integerBits) {
    struct Factor {
        int exponent;
        int32_t value;  // e^(-2^exponent) with 31 fraction bits
    };
    constexpr std::array<Factor, 7> kFactors = {{{-2, 1672461947},
                                                 {-1, 1302514674},
                                                 {0, 790015084},
                                                 {1, 290630308},
                                                 {2, 39332535},
                                                 {3, 720401},
                                                 {4, 242}}};
    const int fractionBits = 15 - integerBits;
    if (integerBits > 5 && a < -(32 << fractionBits)) return 0;
    const int32_t quarter = 1 << (fractionBits - 2);
    const int32_t rest = (a & (quarter - 1)) - quarter;
    const int32_t taken = rest - a;
    int16_t result = exponentialOfQuarter(shiftLeft16(static_cast<int16_t>(rest), integerBits));
    for (const Factor& factor : kFactors) {
        if (factor.exponent < integerBits && (taken >> (fractionBits + factor.exponent) & 1) != 0) {
            result = multiply16(result, constant16(factor.value));
        }
    }
    return result;
}

// 2 / (1 + a) in Q(2) for a in [0, 1] in Q(0): three steps of Newton's method for the reciprocal of
// h = (1 + a) / 2, from 48/17 - 32/17 h on.
int16_t twiceReciprocalOfOnePlus(int16_t a) {
    const auto h = static_cast<int16_t>((int32_t{a} + kOneInQ0 + 1) / 2);
    auto x = static_cast<int16_t>(constant16(1515870810) + multiply16(h, constant16(-1010580540)));
    for (int step = 0; step < 3; ++step) {
        const auto error = static_cast<int16_t>(kOneInQ2 - multiply16(h, x));
        x = saturate16(x + int32_t{shiftLeft16(multiply16(x, error), 2)});
    }
    return x;
}

// -|x|, which unlike |x| is always there.
int16_t minusMagnitude(int16_t x) { return x > 0 ? static_cast<int16_t>(-x) : x; }

}  // namespace

// With e = exp(-|x|):  1 / (1 + e) for x > 0, and 1 less that for x < 0.
int16_t sigmoid16(int16_t x, int integerBits) {
    if (x == 0) return 1 << 14;
    const int16_t positive =
            shiftLeft16(twiceReciprocalOfOnePlus(exponential(minusMagnitude(x), integerBits)), 1);
    return x > 0 ? positive : static_cast<int16_t>(kOneInQ0 - positive);
}

// With e = exp(-2|x|):  2 / (1 + e) - 1, with the sign of x. Twice x is x with the point moved.
int16_t tanh16(int16_t x, int integerBits) {
    if (x == 0) return 0;
    const int16_t reciprocal =
            twiceReciprocalOfOnePlus(exponential(minusMagnitude(x), integerBits + 1));
    const int16_t positive = shiftLeft16(static_cast<int16_t>(reciprocal - kOneInQ2), 2);
    return x > 0 ? positive : static_cast<int16_t>(-positive);
}

}  // namespace nn::ops
