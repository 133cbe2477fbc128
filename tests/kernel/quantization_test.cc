// Quantized arithmetic for kernels: rows computed by hand, and comparisons with exact arithmetic.
#include "nnapi/kernel/quantization.h"

#include <absl/numeric/int128.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace nn::kernel_quantization_test {
namespace {

using namespace kernel;
using testing::ElementsAre;
using enum OperandType;
using enum Rounding;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kMax = std::numeric_limits<float>::max();
constexpr int32_t kMin32 = std::numeric_limits<int32_t>::min();
constexpr int32_t kMax32 = std::numeric_limits<int32_t>::max();

TEST(KernelQuantization, KnowsWhatTypesStore) {
    const struct {
        OperandType type;
        std::optional<StoredRange> range;
    } kRows[] = {
            {TENSOR_QUANT8_ASYMM, {{0, 255}}},    {TENSOR_QUANT8_ASYMM_SIGNED, {{-128, 127}}},
            {TENSOR_QUANT8_SYMM, {{-128, 127}}},  {TENSOR_QUANT8_SYMM_PER_CHANNEL, {{-128, 127}}},
            {TENSOR_QUANT16_ASYMM, {{0, 65535}}}, {TENSOR_QUANT16_SYMM, {{-32768, 32767}}},
            {TENSOR_FLOAT32, std::nullopt},       {TENSOR_INT32, std::nullopt},
            {TENSOR_BOOL8, std::nullopt},         {OperandType{12345}, std::nullopt},
    };
    for (const auto& row : kRows) {
        EXPECT_EQ(storedRange(row.type), row.range) << static_cast<int>(row.type);
    }
}

TEST(KernelQuantization, ClampsIntegersOfAnyType) {
    constexpr StoredRange kSigned{.least = -128, .most = 127}, kUnsigned{.least = 0, .most = 255};
    EXPECT_EQ(kSigned.clamp(uint32_t{5}), 5);
    EXPECT_EQ(kSigned.clamp(uint8_t{200}), 127);
    EXPECT_EQ(kSigned.clamp(std::numeric_limits<uint64_t>::max()), 127);
    EXPECT_EQ(kSigned.clamp(std::numeric_limits<int64_t>::min()), -128);
    EXPECT_EQ(kUnsigned.clamp(int8_t{100}), 100);
    EXPECT_EQ(kUnsigned.clamp(int8_t{-100}), 0);
    EXPECT_EQ((StoredRange{.least = 5, .most = 3}.clamp(4)), 3);
}

TEST(KernelQuantization, AcceptsOnlyWhatATypeHas) {
    const struct {
        OperandType type;
        float scale;
        int32_t zeroPoint;
        bool isLegal;
    } kRows[] = {
            {TENSOR_QUANT8_ASYMM, 0.5f, 0, true},
            {TENSOR_QUANT8_ASYMM, 0.5f, 255, true},
            {TENSOR_QUANT8_ASYMM, 0.5f, -1, false},
            {TENSOR_QUANT8_ASYMM, 0.5f, 256, false},
            {TENSOR_QUANT8_ASYMM, 0, 0, false},
            {TENSOR_QUANT8_ASYMM, -1, 0, false},
            {TENSOR_QUANT8_ASYMM, kNan, 0, false},
            {TENSOR_QUANT8_ASYMM, kInfinity, 0, false},
            {TENSOR_QUANT8_ASYMM, kMax, 0, true},
            {TENSOR_QUANT8_ASYMM, 1e-45f, 0, true},
            {TENSOR_QUANT8_ASYMM_SIGNED, 1, -128, true},
            {TENSOR_QUANT8_ASYMM_SIGNED, 1, 128, false},
            {TENSOR_QUANT8_SYMM_PER_CHANNEL, 1, 0, true},
            {TENSOR_QUANT8_SYMM_PER_CHANNEL, 1, 1, false},
            {TENSOR_QUANT16_ASYMM, 1, 65535, true},
            {TENSOR_QUANT16_SYMM, 1, 1, false},
            {TENSOR_FLOAT32, 1, 0, false},
    };
    for (const auto& row : kRows) {
        EXPECT_EQ(isQuantization(row.type, row.scale, row.zeroPoint), row.isLegal)
                << static_cast<int>(row.type) << " " << row.scale << " " << row.zeroPoint;
        EXPECT_EQ(quantize(0, row.type, row.scale, row.zeroPoint).has_value(), row.isLegal);
        EXPECT_EQ(dequantize(0, row.type, row.scale, row.zeroPoint).has_value(), row.isLegal);
        EXPECT_EQ(realRange(row.type, row.scale, row.zeroPoint).has_value(), row.isLegal);
        EXPECT_EQ(activationRange(FusedActivationFunc::NONE, row.type, row.scale, row.zeroPoint)
                          .has_value(),
                  row.isLegal);
    }
}

TEST(KernelQuantization, QuantizesToTheNearest) {
    const struct {
        float real;
        OperandType type;
        float scale;
        int32_t zeroPoint;
        int32_t stored;
    } kRows[] = {
            {1.0f, TENSOR_QUANT8_ASYMM, 0.5f, 10, 12},
            {0.25f, TENSOR_QUANT8_ASYMM, 0.5f, 10, 11},  // halves away from zero
            {-0.25f, TENSOR_QUANT8_ASYMM, 0.5f, 10, 9},
            {0.24f, TENSOR_QUANT8_ASYMM, 0.5f, 10, 10},
            {1000, TENSOR_QUANT8_ASYMM, 0.5f, 10, 255},
            {-1000, TENSOR_QUANT8_ASYMM, 0.5f, 10, 0},
            {kInfinity, TENSOR_QUANT8_ASYMM_SIGNED, 1, 0, 127},
            {-kInfinity, TENSOR_QUANT8_ASYMM_SIGNED, 1, 0, -128},
            {kNan, TENSOR_QUANT8_ASYMM_SIGNED, 1, 0, 127},
            {1, TENSOR_QUANT8_SYMM, 1e-45f, 0, 127},  // the quotient is infinite
            {-128.4f, TENSOR_QUANT8_SYMM_PER_CHANNEL, 1, 0, -128},
            {40000, TENSOR_QUANT16_ASYMM, 1, 65535, 65535},
            {-65535, TENSOR_QUANT16_ASYMM, 1, 65535, 0},
            {-32769, TENSOR_QUANT16_SYMM, 1, 0, -32768},
    };
    for (const auto& row : kRows) {
        EXPECT_EQ(quantize(row.real, row.type, row.scale, row.zeroPoint), row.stored) << row.real;
    }
}

TEST(KernelQuantization, DequantizesEveryStoredValue) {
    for (const OperandType type : {TENSOR_QUANT8_ASYMM, TENSOR_QUANT8_ASYMM_SIGNED}) {
        const StoredRange range = *storedRange(type);
        for (const int32_t zeroPoint : {range.least, range.least + 100, range.most}) {
            for (int32_t stored = range.least; stored <= range.most; ++stored) {
                const auto real = dequantize(stored, type, 0.25f, zeroPoint);
                EXPECT_EQ(real, static_cast<float>(stored - zeroPoint) / 4);
                EXPECT_EQ(quantize(*real, type, 0.25f, zeroPoint), stored);
            }
            EXPECT_EQ(dequantize(range.least - 1, type, 0.25f, zeroPoint), std::nullopt);
            EXPECT_EQ(dequantize(range.most + 1, type, 0.25f, zeroPoint), std::nullopt);
        }
    }
    EXPECT_EQ(dequantize(kMin32, TENSOR_QUANT8_ASYMM, 1, 0), std::nullopt);
    EXPECT_EQ(realRange(TENSOR_QUANT8_ASYMM, 0.5f, 128), (RealRange{-64, 63.5f}));
    EXPECT_EQ(realRange(TENSOR_QUANT8_SYMM_PER_CHANNEL, 2, 0), (RealRange{-256, 254}));
}

TEST(KernelQuantization, BoundsActivations) {
    using enum FusedActivationFunc;
    EXPECT_EQ(activationRange(NONE), (RealRange{-kMax, kMax}));
    EXPECT_EQ(activationRange(RELU), (RealRange{0, kMax}));
    EXPECT_EQ(activationRange(RELU1), (RealRange{-1, 1}));
    EXPECT_EQ(activationRange(RELU6), (RealRange{0, 6}));
    EXPECT_EQ(activationRange(FusedActivationFunc{77}), (RealRange{-kMax, kMax}));
    EXPECT_EQ(activationRange(RELU6).clamp(6.5f), 6);
    EXPECT_EQ(activationRange(RELU).clamp(-kInfinity), 0);
    EXPECT_TRUE(std::isnan(activationRange(RELU).clamp(kNan)));

    const struct {
        FusedActivationFunc activation;
        OperandType type;
        float scale;
        int32_t zeroPoint;
        StoredRange range;
    } kRows[] = {
            {NONE, TENSOR_QUANT8_ASYMM, 0.5f, 10, {0, 255}},
            {RELU, TENSOR_QUANT8_ASYMM, 0.5f, 10, {10, 255}},
            {RELU1, TENSOR_QUANT8_ASYMM, 0.5f, 10, {8, 12}},
            {RELU6, TENSOR_QUANT8_ASYMM, 0.5f, 10, {10, 22}},
            {RELU6, TENSOR_QUANT8_ASYMM, 0.5f, 250, {250, 255}},
            {RELU6, TENSOR_QUANT8_ASYMM_SIGNED, 0.1f, -128, {-128, -68}},
            {RELU1, TENSOR_QUANT8_ASYMM_SIGNED, 0.001f, 0, {-128, 127}},
            {RELU1, TENSOR_QUANT8_ASYMM, 4, 10, {10, 10}},  // a quarter of a step
            {RELU1, TENSOR_QUANT8_ASYMM, 2, 10, {9, 11}},   // half a step: away from zero
            {RELU, TENSOR_QUANT16_SYMM, 1, 0, {0, 32767}},
            {FusedActivationFunc{-5}, TENSOR_QUANT16_ASYMM, 1, 3, {0, 65535}},
    };
    for (const auto& row : kRows) {
        EXPECT_EQ(activationRange(row.activation, row.type, row.scale, row.zeroPoint), row.range)
                << row.scale << " " << row.zeroPoint;
    }
}

TEST(KernelQuantization, HasMultipliersOfAnySize) {
    const struct {
        double real;
        std::optional<FixedMultiplier> fixed;
    } kRows[] = {
            {0, FixedMultiplier{}},
            {-0.0, FixedMultiplier{}},
            {0.5, FixedMultiplier{1 << 30, 0}},
            {1, FixedMultiplier{1 << 30, 1}},
            {1.5, FixedMultiplier{3 << 29, 1}},
            {0.75, FixedMultiplier{3 << 29, 0}},
            {0x1p-32, FixedMultiplier{1 << 30, -31}},
            {0x1p-33, FixedMultiplier{}},
            {std::numeric_limits<double>::denorm_min(), FixedMultiplier{}},
            {1 - 0x1p-40, FixedMultiplier{1 << 30, 1}},  // the significand rounds up to 1
            {0x1p30, FixedMultiplier{1 << 30, 31}},
            {0x1p31, std::nullopt},
            {-1, std::nullopt},
            {-1e-300, std::nullopt},
            {std::numeric_limits<double>::infinity(), std::nullopt},
            {std::numeric_limits<double>::quiet_NaN(), std::nullopt},
    };
    for (const auto& row : kRows)
        EXPECT_EQ(FixedMultiplier::create(row.real), row.fixed) << row.real;

    EXPECT_EQ(productMultiplier(0.5f, 0.5f, 0.5f), (FixedMultiplier{1 << 30, 0}));
    for (const float bad : {0.0f, -1.0f, kNan, kInfinity}) {
        EXPECT_EQ(productMultiplier(bad, 1, 1), std::nullopt);
        EXPECT_EQ(productMultiplier(1, bad, 1), std::nullopt);
        EXPECT_EQ(productMultiplier(1, 1, bad), std::nullopt);
    }
    EXPECT_EQ(productMultiplier(kMax, kMax, 1e-30f), std::nullopt) << "too large";
    EXPECT_EQ(productMultiplier(1e-30f, 1e-30f, kMax), FixedMultiplier()) << "too small";
}

// x * significand * 2^(exponent - 31) in 128 bits, rounded as each rule states.
int32_t exactly(int32_t x, FixedMultiplier m, Rounding rounding) {
    const absl::int128 product = absl::int128{x} * m.significand;
    const int shift = std::clamp(m.exponent, -90, 90) - 31;
    absl::int128 result = 0;
    if (shift >= 0) {
        result = product * (absl::int128{1} << std::min(shift, 60));
    } else {
        const absl::int128 unit = absl::int128{1} << -shift;
        const absl::int128 magnitude = product < 0 ? -product : product;
        const absl::int128 whole = magnitude / unit, twice = 2 * (magnitude % unit);
        bool away = twice > unit;  // from zero
        if (twice == unit) {
            away = rounding == HALF_AWAY_FROM_ZERO || (rounding == HALF_UP && product > 0) ||
                   (rounding == HALF_TO_EVEN && whole % 2 == 1);
        }
        result = (whole + (away ? 1 : 0)) * (product < 0 ? -1 : 1);
    }
    return static_cast<int32_t>(std::clamp<absl::int128>(result, kMin32, kMax32));
}

TEST(KernelQuantization, MultipliesAsItsRuleSays) {
    const FixedMultiplier half{1 << 30, 0};
    const struct {
        int32_t x;
        int32_t away, up, even;
    } kHalves[] = {{5, 3, 3, 2},     {-5, -3, -2, -2}, {3, 2, 2, 2},
                   {-3, -2, -1, -2}, {1, 1, 1, 0},     {-1, -1, 0, 0},
                   {4, 2, 2, 2},     {-4, -2, -2, -2}, {0, 0, 0, 0}};
    for (const auto& row : kHalves) {
        EXPECT_EQ(multiply(row.x, half, HALF_AWAY_FROM_ZERO), row.away) << row.x;
        EXPECT_EQ(multiply(row.x, half, HALF_UP), row.up) << row.x;
        EXPECT_EQ(multiply(row.x, half, HALF_TO_EVEN), row.even) << row.x;
    }
    const int32_t kValues[] = {kMin32, kMin32 + 1, -(1 << 30), -12345, -3,      -1,         0,
                               1,      2,          3,          12345,  1 << 30, kMax32 - 1, kMax32};
    const int32_t kSignificands[] = {kMin32, -1, 0, 1, 1 << 30, (1 << 30) + 1, 3 << 29, kMax32};
    const int32_t kExponents[] = {kMin32, -64, -33, -32, -31, -30, -7,    -1,
                                  0,      1,   5,   31,  32,  64,  kMax32};
    for (const int32_t x : kValues) {
        for (const int32_t significand : kSignificands) {
            for (const int32_t exponent : kExponents) {
                for (const Rounding rounding : {HALF_AWAY_FROM_ZERO, HALF_UP, HALF_TO_EVEN}) {
                    const FixedMultiplier m{significand, exponent};
                    EXPECT_EQ(multiply(x, m, rounding), exactly(x, m, rounding))
                            << x << " " << significand << " " << exponent << " "
                            << static_cast<int>(rounding);
                }
            }
        }
    }
}

TEST(KernelQuantization, RoundsTwice) {
    EXPECT_EQ(doublingHighMultiply(kMin32, kMin32), kMax32);
    EXPECT_EQ(doublingHighMultiply(1 << 30, 3), 2) << "1.5, upward";
    EXPECT_EQ(doublingHighMultiply(-(1 << 30), 3), -1) << "-1.5, upward";
    EXPECT_EQ(roundingDivideByPowerOfTwo(-3, 1), -2) << "-1.5, away from zero";
    EXPECT_EQ(roundingDivideByPowerOfTwo(kMin32, 31), -1);
    EXPECT_EQ(roundingDivideByPowerOfTwo(kMin32, 32), -1) << "-0.5";
    EXPECT_EQ(roundingDivideByPowerOfTwo(kMin32, kMax32), 0);
    EXPECT_EQ(roundingDivideByPowerOfTwo(7, kMin32), 7);
    EXPECT_EQ(roundingDivideByPowerOfTwo(7, 0), 7);
    // 3 * 0.75 * 2^-1 = 1.125: the first rounding gives 2, and half of it is 1; 5 * 0.3 = 1.5.
    EXPECT_EQ(multiplyRoundingTwice(3, {3 << 29, -1}), 1);
    EXPECT_EQ(multiplyRoundingTwice(kMax32, {1 << 30, 2}), 1 << 30) << "the shift saturates";
    // 0.75 * 2/4 rounds to 2 / 4 = 0.5, then to 1; the exact 0.375 is nearer to 0.
    EXPECT_EQ(multiplyRoundingTwice(2, {3 << 29, -2}), 1);
    EXPECT_EQ(multiply(2, {3 << 29, -2}, HALF_AWAY_FROM_ZERO), 0);
    for (const int32_t x : {kMin32, -7, 0, 7, kMax32}) {
        for (const int32_t exponent : {kMin32, -64, -33, 33, 64, kMax32}) {
            const int32_t y = multiplyRoundingTwice(x, {1 << 30, exponent});
            EXPECT_EQ(y, exponent < 0 || x == 0 ? 0
                         : x < 0                ? -(1 << 30)
                                                : 1 << 30)
                    << x << " " << exponent;
        }
    }
}

TEST(KernelQuantization, FindsChannels) {
    const std::vector<uint32_t> shape = {2, 3, 2};
    const auto channelsOf = [&](uint32_t dimension) {
        const auto channels = Channels::create(shape, dimension);
        std::vector<size_t> all;
        for (size_t i = 0; i < 12; ++i) all.push_back(channels->of(i));
        return all;
    };
    EXPECT_THAT(channelsOf(0), ElementsAre(0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1));
    EXPECT_THAT(channelsOf(1), ElementsAre(0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 2, 2));
    EXPECT_THAT(channelsOf(2), ElementsAre(0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1));
    EXPECT_EQ(Channels::create(shape, 1)->count(), 3u);
    EXPECT_EQ(Channels::create(shape, 1)->inner(), 2u);

    EXPECT_FALSE(Channels::create(shape, 3));
    EXPECT_FALSE(Channels::create(shape, UINT32_MAX));
    EXPECT_FALSE(Channels::create({}, 0));
    EXPECT_FALSE(Channels::create(std::vector<uint32_t>{0, 3}, 0));
    EXPECT_FALSE(Channels::create(std::vector<uint32_t>{3, 0}, 0));
    EXPECT_FALSE(Channels::create(std::vector<uint32_t>(3, UINT32_MAX), 0));
}

}  // namespace
}  // namespace nn::kernel_quantization_test
