#include "op_support/rules/convolution_rules.h"
#include "op_support/rules/specs.h"
#include "ops/grouped_conv_2d/signature.h"

namespace nn::ops {
namespace grouped_conv_2d {
namespace {

void rules(const OpView& op) { requireChannelDim(op, "grouped_conv_2d.channel_dim", 0); }

// The groups divide the output channels equally. Dimension 3 of the filter is the number of input
// channels of a group.
bool requireGroups(const OpView& op, Dim inputs) {
    const size_t groupsAt = kGroups[op.form()];
    std::optional<int32_t> groups;
    if (!readPositive(op, "grouped_conv_2d.groups", groupsAt, groups)) return false;
    if (!groups) return true;
    const Dim outputs = op.input(kFilter).dim(0), depth = op.input(kFilter).dim(3);
    return op.require(!outputs || *outputs % static_cast<uint32_t>(*groups) == 0,
                      "grouped_conv_2d.groups",
                      "{} is {}, allowed divisors of {}, the output channels", op.in(groupsAt),
                      *groups, outputs.value_or(0)) &&
           op.require(!inputs || !depth ||
                              uint64_t{*depth} * static_cast<uint32_t>(*groups) == *inputs,
                      "grouped_conv_2d.depth",
                      "the input has {}, allowed {} * {}, dimension 3 of {} * groups",
                      Plural{inputs.value_or(0), "channels"}, depth.value_or(0), *groups,
                      op.in(kFilter));
}

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    if (!requireImage(op, "grouped_conv_2d.input", kInput) ||
        !requireImage(op, "grouped_conv_2d.filter", kFilter)) {
        return false;
    }
    const Value& filter = op.input(kFilter);
    const auto windows = slidingWindows(op, kWindowRules, filter.dim(1), filter.dim(2));
    if (!windows) return false;
    outputs[0] = windows->outputShape(filter.dim(0));
    return requireGroups(op, windows->input.channels) &&
           requireBias(op, "grouped_conv_2d.bias", filter.dim(0)) &&
           requireChannelScales(op, "grouped_conv_2d.channel_scales", filter.dim(0)) &&
           requireActivation(op, "grouped_conv_2d.activation", kActivation[op.form()]);
}

}  // namespace
}  // namespace grouped_conv_2d

const OperationSpec specs::GROUPED_CONV_2D{.type = OperationType::GROUPED_CONV_2D,
                                           .types = grouped_conv_2d::kTypes,
                                           .forms = grouped_conv_2d::kForms,
                                           .ruleTexts = grouped_conv_2d::kRules,
                                           .rules = grouped_conv_2d::rules,
                                           .inferShapes = grouped_conv_2d::inferShapes};

}  // namespace nn::ops
