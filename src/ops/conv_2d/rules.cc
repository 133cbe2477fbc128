#include "op_support/rules/convolution_rules.h"
#include "op_support/rules/specs.h"
#include "ops/conv_2d/signature.h"

namespace nn::ops {
namespace conv_2d {
namespace {

bool requireRanks(const OpView& op) {
    return requireRank(op, "conv_2d.rank", kInput, 4, 4) &&
           requireRank(op, "conv_2d.rank", kFilter, 4, 4);
}

void rules(const OpView& op) {
    requireRanks(op);
    requireChannelDim(op, "conv_2d.channel_dim", 0);
    dateOutputOrInputScale(op);
}

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    if (!requireRanks(op) || !requireImage(op, "conv_2d.size", kInput) ||
        !requireImage(op, "conv_2d.size", kFilter)) {
        return false;
    }
    const Value& filter = op.input(kFilter);
    const auto windows = slidingWindows(op, kWindowRules, filter.dim(1), filter.dim(2));
    if (!windows) return false;
    outputs[0] = windows->outputShape(filter.dim(0));
    return requireEqual(op, "conv_2d.depth", "dimension 3 of the filter", filter.dim(3),
                        "the channels of the input", windows->input.channels) &&
           requireBias(op, "conv_2d.bias", filter.dim(0)) &&
           requireChannelScales(op, "conv_2d.channel_scales", filter.dim(0)) &&
           requireActivation(op, "conv_2d.activation", kActivation[op.form()]);
}

}  // namespace
}  // namespace conv_2d

const OperationSpec specs::CONV_2D{.type = OperationType::CONV_2D,
                                   .types = conv_2d::kTypes,
                                   .forms = conv_2d::kForms,
                                   .ruleTexts = conv_2d::kRules,
                                   .rules = conv_2d::rules,
                                   .inferShapes = conv_2d::inferShapes,
                                   .allowsZeroSizedInputs = true};

}  // namespace nn::ops
