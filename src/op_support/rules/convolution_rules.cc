#include "op_support/rules/convolution_rules.h"

#include <algorithm>
#include <cmath>

#include "op_support/rules/shapes.h"

namespace nn::ops {
namespace {

void dateScale(const OpView& op, float scale) {
    const Value& input = op.input(kConvolutionInput);
    const Value& filter = op.input(kConvolutionFilter);
    if (input.type != TENSOR_QUANT8_ASYMM || filter.type != TENSOR_QUANT8_ASYMM) return;
    if (scale <= input.scale * filter.scale) {
        op.requireVersion(V1_2, "an output scale not above input scale * filter scale");
    }
}

}  // namespace

bool requireChannelDim(const OpView& op, std::string_view rule, uint32_t channelDim) {
    const auto* quant = op.input(kConvolutionFilter).channelQuant();
    return quant == nullptr || op.require(quant->channelDim == channelDim, rule,
                                          "{} has scales along dimension {}, allowed {}",
                                          op.in(kConvolutionFilter), quant->channelDim, channelDim);
}

void dateOutputScale(const OpView& op) { dateScale(op, op.output(0).scale); }

void dateOutputOrInputScale(const OpView& op) {
    dateScale(op, std::max(op.output(0).scale, op.input(kConvolutionInput).scale));
}

bool requireChannelScales(const OpView& op, std::string_view rule, Dim channels) {
    const auto* quant = op.input(kConvolutionFilter).channelQuant();
    return quant == nullptr || !channels ||
           op.require(quant->scales.size() == *channels, rule, "{} has {}, allowed {}",
                      op.in(kConvolutionFilter), Plural{quant->scales.size(), "scales"}, *channels);
}

bool requireBias(const OpView& op, std::string_view rule, Dim channels) {
    const Value& bias = op.input(kConvolutionBias);
    if (!requireRank(op, rule, kConvolutionBias, 1, 1)) return false;
    const Dim length = bias.dim(0);
    if (length && channels &&
        !op.require(*length == *channels, rule, "{} has {}, allowed {} as output channels",
                    op.in(kConvolutionBias), Plural{*length, "elements"}, *channels)) {
        return false;
    }
    if (bias.type != TENSOR_INT32 || op.input(kConvolutionFilter).channelQuant() != nullptr) {
        return true;
    }
    const float product = op.input(kConvolutionInput).scale * op.input(kConvolutionFilter).scale;
    return op.require(
            std::fabs(double{product} - bias.scale) <= 1e-6 * std::min(product, bias.scale), rule,
            "{} has scale {}, allowed {}, the product of the scales of {} and {}",
            op.in(kConvolutionBias), bias.scale, product, op.in(kConvolutionInput),
            op.in(kConvolutionFilter));
}

}  // namespace nn::ops
