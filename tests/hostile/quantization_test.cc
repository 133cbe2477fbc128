// Quantization: invalid scales, zero points out of range, channels that do not exist.
#include <cmath>
#include <limits>

#include "hostile/hostile_models.h"

namespace nn::hostile::quantization_test {
namespace {

using PerChannel = Operand::SymmPerChannelQuantParams;

constexpr float kDenormal = std::numeric_limits<float>::denorm_min();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

// The first input with a scale, or the first without.
Operand* quantized(Subject& s) {
    for (size_t i = 0; i < s.operation().inputs.size(); ++i) {
        if (s.input(i)->scale != 0) return s.input(i);
    }
    return nullptr;
}
Operand* plain(Subject& s) {
    Operand* operand = s.tensor();
    return operand == nullptr || operand->scale != 0 ? nullptr : operand;
}

// Turns an input into a constant with a scale for each index of its first dimension.
bool makePerChannel(Subject& s, void (*change)(Operand&, PerChannel&)) {
    Operand* operand = s.tensor();
    if (operand == nullptr || operand->dimensions.empty()) return false;
    operand->type = OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL;
    operand->scale = 0;
    operand->zeroPoint = 0;
    PerChannel params{.scales = std::vector<float>(operand->dimensions[0], 0.5f), .channelDim = 0};
    change(*operand, params);
    operand->extraParams = std::move(params);
    return true;
}

#define NNAPI_QUANTIZED(what) \
    [](Subject& s) { return s.change(quantized(s), [](Operand& o) { what; }); }
#define NNAPI_PLAIN(what) [](Subject& s) { return s.change(plain(s), [](Operand& o) { what; }); }
#define NNAPI_OUTPUT(what)                                                  \
    [](Subject& s) {                                                        \
        Operand* operand = s.output(0)->scale == 0 ? nullptr : s.output(0); \
        return s.change(operand, [](Operand& o) { what; });                 \
    }
#define NNAPI_PER_CHANNEL(what)                                                              \
    [](Subject& s) {                                                                         \
        return makePerChannel(s, [](Operand& o, PerChannel& p) { (void)o, (void)p, what; }); \
    }

constexpr Case kCases[] = {
        {"Scale0", NNAPI_QUANTIZED(o.scale = 0)},
        {"ScaleMinus0", NNAPI_QUANTIZED(o.scale = -0.0f)},
        {"ScaleNegative", NNAPI_QUANTIZED(o.scale = -0.5f)},
        {"ScaleNaN", NNAPI_QUANTIZED(o.scale = NAN)},
        {"ScaleInfinite", NNAPI_QUANTIZED(o.scale = kInfinity)},
        {"ScaleDenormal", NNAPI_QUANTIZED(o.scale = kDenormal)},
        {"ScaleLargest", NNAPI_QUANTIZED(o.scale = std::numeric_limits<float>::max())},
        {"ZeroPointBelow", NNAPI_QUANTIZED(o.zeroPoint = -129)},
        {"ZeroPointAbove", NNAPI_QUANTIZED(o.zeroPoint = 65536)},
        {"ZeroPointLeast", NNAPI_QUANTIZED(o.zeroPoint = INT32_MIN)},
        {"ZeroPointLargest", NNAPI_QUANTIZED(o.zeroPoint = INT32_MAX)},
        {"ScaleOfOutput0", NNAPI_OUTPUT(o.scale = 0)},
        {"ScaleOfOutputNaN", NNAPI_OUTPUT(o.scale = NAN)},
        {"ScaleOfOutputDenormal", NNAPI_OUTPUT(o.scale = kDenormal)},
        {"ZeroPointOfOutputLargest", NNAPI_OUTPUT(o.zeroPoint = INT32_MAX)},

        {"ScaleOnTheWrongType", NNAPI_PLAIN(o.scale = -1)},
        {"ScaleNaNOnTheWrongType", NNAPI_PLAIN(o.scale = NAN)},
        {"ZeroPointOnTheWrongType", NNAPI_PLAIN(o.zeroPoint = 1)},
        {"ChannelsOnTheWrongType", NNAPI_PLAIN((o.extraParams = PerChannel{{0.5f}, 0}))},
        {"ExtensionParamsOnTheWrongType",
         NNAPI_PLAIN((o.extraParams = Operand::ExtensionParams(8)))},

        {"ChannelsWithoutParams", NNAPI_PER_CHANNEL((o.extraParams = {}, p.scales.clear()))},
        {"OneChannelTooFew", NNAPI_PER_CHANNEL(p.scales.pop_back())},
        {"OneChannelTooMany", NNAPI_PER_CHANNEL(p.scales.push_back(1))},
        {"TooManyChannels", NNAPI_PER_CHANNEL(p.scales.resize(10000, 1))},
        {"ChannelDimIsTheRank",
         NNAPI_PER_CHANNEL(p.channelDim = static_cast<uint32_t>(o.dimensions.size()))},
        {"ChannelDimIsTheLargest", NNAPI_PER_CHANNEL(p.channelDim = UINT32_MAX)},
        {"ScaleOfAChannel0", NNAPI_PER_CHANNEL(p.scales.back() = 0)},
        {"ScaleOfAChannelNaN", NNAPI_PER_CHANNEL(p.scales.back() = NAN)},
        {"ScaleOfAChannelInfinite", NNAPI_PER_CHANNEL(p.scales.back() = kInfinity)},
        {"ScaleBesideThatOfChannels", NNAPI_PER_CHANNEL(o.scale = 1)},
};

TEST(Hostile, Quantization) { runSection("quantization", kCases); }

#undef NNAPI_QUANTIZED
#undef NNAPI_PLAIN
#undef NNAPI_OUTPUT
#undef NNAPI_PER_CHANNEL

}  // namespace
}  // namespace nn::hostile::quantization_test
