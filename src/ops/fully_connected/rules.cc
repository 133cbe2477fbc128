#include "nnapi/checked_math.h"
#include "op_support/rules/convolution_rules.h"
#include "op_support/rules/shapes.h"
#include "op_support/rules/specs.h"
#include "ops/fully_connected/signature.h"

namespace nn::ops {
namespace fully_connected {
namespace {

// Checks ranks and dimensions, as far as they are known.
bool requireShapes(const OpView& op) {
    const Value& weights = op.input(kWeights);
    if (!requireRank(op, "fully_connected.rank", kInput, 2, 4) ||
        !requireRank(op, "fully_connected.rank", kWeights, 2, 2) ||
        !requireRank(op, "fully_connected.rank", kBias, 1, 1)) {
        return false;
    }
    const auto elements = elementCount(op.input(kInput).shape());
    const Dim size = weights.dim(1);
    return (!size || op.require(*size > 0, "fully_connected.size",
                                "dimension 1 of {} is 0, allowed above 0", op.in(kWeights))) &&
           (!size || !elements ||
            op.require(*elements % *size == 0, "fully_connected.size",
                       "{} has {}, allowed multiples of {}, dimension 1 of {}", op.in(kInput),
                       Plural{*elements, "elements"}, *size, op.in(kWeights))) &&
           requireEqual(op, "fully_connected.units", "dimension 0 of the bias",
                        op.input(kBias).dim(0), "dimension 0 of the weights", weights.dim(0));
}

void rules(const OpView& op) {
    const bool areRanksKnown =
            op.input(kInput).rank() && op.input(kWeights).rank() && op.input(kBias).rank();
    if (areRanksKnown) requireShapes(op);
    dateOutputScale(op);
}

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    if (!requireShapes(op)) return false;
    const auto elements = elementCount(op.input(kInput).shape());
    const Dim size = op.input(kWeights).dim(1), units = op.input(kWeights).dim(0);
    const Dim batches = elements && size ? checkedCast<uint32_t>(*elements / *size) : Dim();
    outputs[0] = Shape({batches, units});
    return requireBias(op, "fully_connected.bias", units) &&
           requireActivation(op, "fully_connected.activation", kActivation);
}

}  // namespace
}  // namespace fully_connected

const OperationSpec specs::FULLY_CONNECTED{.type = OperationType::FULLY_CONNECTED,
                                           .types = fully_connected::kTypes,
                                           .forms = fully_connected::kForms,
                                           .ruleTexts = fully_connected::kRules,
                                           .rules = fully_connected::rules,
                                           .inferShapes = fully_connected::inferShapes,
                                           .allowsZeroSizedInputs = true};

}  // namespace nn::ops
