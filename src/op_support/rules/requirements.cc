#include "op_support/rules/requirements.h"

namespace nn::ops {

bool requireDim(const OpView& op, std::string_view rule, size_t input, size_t dimension,
                Dim allowed) {
    const Dim found = op.input(input).dim(dimension);
    if (!found || !allowed || *found == *allowed) return true;
    return op.require(false, rule, "dimension {} of {} is {}, allowed {}", dimension, op.in(input),
                      *found, *allowed);
}

bool requireSameDim(const OpView& op, std::string_view rule, size_t input, size_t dimension,
                    size_t otherInput, size_t otherDimension) {
    const Dim found = op.input(input).dim(dimension);
    const Dim other = op.input(otherInput).dim(otherDimension);
    if (!found || !other || *found == *other) return true;
    return op.require(false, rule, "dimension {} of {} is {}, allowed {} as dimension {} of {}",
                      dimension, op.in(input), *found, *other, otherDimension, op.in(otherInput));
}

bool requireDimAtLeast(const OpView& op, std::string_view rule, size_t input, size_t dimension,
                       uint32_t least) {
    const Dim found = op.input(input).dim(dimension);
    return op.require(!found || *found >= least, rule,
                      "dimension {} of {} is {}, allowed {} or more", dimension, op.in(input),
                      found.value_or(0), least);
}

bool requireAtLeast(const OpView& op, std::string_view rule, size_t input, int32_t least) {
    const auto value = op.int32(input);
    return op.require(!value || *value >= least, rule, "{} is {}, allowed {} or more", op.in(input),
                      value.value_or(0), least);
}

bool requirePositive(const OpView& op, std::string_view rule, size_t input) {
    const auto value = op.real(input);
    return op.require(!value || *value > 0, rule, "{} is {}, allowed above 0", op.in(input),
                      value.value_or(0));
}

bool requireNotNegative(const OpView& op, std::string_view rule, size_t input) {
    const auto value = op.real(input);
    return op.require(!value || *value >= 0, rule, "{} is {}, allowed 0 or more", op.in(input),
                      value.value_or(0));
}

bool requireEighths(const OpView& op, std::string_view rule, OpView::Name operand) {
    const Value& value = operand.isOutput ? op.output(operand.index) : op.input(operand.index);
    if (value.type != TENSOR_QUANT16_ASYMM) return true;
    return op.require(value.scale == 0.125f && value.zeroPoint == 0, rule,
                      "{} has scale {} and zeroPoint {}, allowed 0.125 and 0", operand, value.scale,
                      value.zeroPoint);
}

}  // namespace nn::ops
