#include "op_support/rules/convolution_rules.h"
#include "op_support/rules/specs.h"
#include "ops/depthwise_conv_2d/signature.h"

namespace nn::ops {
namespace depthwise_conv_2d {
namespace {

void rules(const OpView& op) {
    requireChannelDim(op, "depthwise_conv_2d.channel_dim", 3);
    dateOutputOrInputScale(op);
}

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    const Value& filter = op.input(kFilter);
    if (!requireImage(op, "depthwise_conv_2d.input", kInput) ||
        !requireImage(op, "depthwise_conv_2d.filter", kFilter) ||
        !op.require(filter.dim(0).value_or(1) == 1, "depthwise_conv_2d.filter",
                    "dimension 0 of {} is {}, allowed 1", op.in(kFilter), filter[0])) {
        return false;
    }
    const auto windows = slidingWindows(op, kWindowRules, filter.dim(1), filter.dim(2));
    std::optional<int32_t> multiplier;
    if (!windows || !readPositive(op, "depthwise_conv_2d.multiplier", kDepthMultiplier[op.form()],
                                  multiplier)) {
        return false;
    }
    const Dim channels = filter.dim(3), inputs = windows->input.channels;
    outputs[0] = windows->outputShape(channels);
    return (!channels || !inputs || !multiplier ||
            op.require(uint64_t{*inputs} * static_cast<uint32_t>(*multiplier) == *channels,
                       "depthwise_conv_2d.depth",
                       "dimension 3 of {} is {}, allowed {} * {}, input channels * multiplier",
                       op.in(kFilter), *channels, *inputs, *multiplier)) &&
           requireBias(op, "depthwise_conv_2d.bias", channels) &&
           requireChannelScales(op, "depthwise_conv_2d.channel_scales", channels) &&
           requireActivation(op, "depthwise_conv_2d.activation", kActivation[op.form()]);
}

}  // namespace
}  // namespace depthwise_conv_2d

const OperationSpec specs::DEPTHWISE_CONV_2D{.type = OperationType::DEPTHWISE_CONV_2D,
                                             .types = depthwise_conv_2d::kTypes,
                                             .forms = depthwise_conv_2d::kForms,
                                             .ruleTexts = depthwise_conv_2d::kRules,
                                             .rules = depthwise_conv_2d::rules,
                                             .inferShapes = depthwise_conv_2d::inferShapes,
                                             .allowsZeroSizedInputs = true};

}  // namespace nn::ops
