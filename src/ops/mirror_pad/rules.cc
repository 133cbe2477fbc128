#include "op_support/rules/dimensions.h"
#include "op_support/rules/shapes.h"
#include "op_support/rules/specs.h"
#include "ops/mirror_pad/signature.h"

namespace nn::ops {
namespace mirror_pad {
namespace {

void rules(const OpView& op) {
    if (isQuant8Asymm(op.input(kInput).type))
        requireSameQuantization(op, "mirror_pad.quantization", kInput, 0);
    requireOutputRank(op, "mirror_pad.rank", kInput);
    requirePaddings(op, "mirror_pad.paddings", kInput, kPaddings);
}

// A reflection is at most as long as the tensor; REFLECT excludes the edge.
bool requireShortPaddings(const OpView& op, Mode mode) {
    const Value& input = op.input(kInput);
    const auto pads = op.ints(kPaddings);
    if (!pads || !input.rank()) return true;
    const int64_t edge = mode == Mode::REFLECT ? 1 : 0;
    for (size_t i = 0; i < pads->size(); ++i) {
        const Dim dim = input.dim(i / 2);
        if (!op.require(!dim || (*pads)[i] <= int64_t{*dim} - edge, "mirror_pad.paddings",
                        "element {} of {} is {}, allowed 0 to {} with mode {}", i, op.in(kPaddings),
                        (*pads)[i], int64_t{dim.value_or(0)} - edge,
                        mode == Mode::REFLECT ? "0 (REFLECT)" : "1 (SYMMETRIC)")) {
            return false;
        }
    }
    return true;
}

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    const auto mode = op.int32(kMode);
    auto shape = paddedShape(op, "mirror_pad.paddings", kInput, kPaddings);
    if (!shape) return false;
    outputs[0] = std::move(*shape);
    return requireRank(op, "mirror_pad.rank", kInput, 1, SIZE_MAX) &&
           op.require(!mode || *mode == 0 || *mode == 1, "mirror_pad.mode",
                      "{} is {}, allowed 0 (REFLECT) or 1 (SYMMETRIC)", op.in(kMode),
                      mode.value_or(0)) &&
           (!mode || requireShortPaddings(op, static_cast<Mode>(*mode)));
}

}  // namespace
}  // namespace mirror_pad

const OperationSpec specs::MIRROR_PAD{.type = OperationType::MIRROR_PAD,
                                      .types = mirror_pad::kTypes,
                                      .forms = mirror_pad::kForms,
                                      .ruleTexts = mirror_pad::kRules,
                                      .rules = mirror_pad::rules,
                                      .inferShapes = mirror_pad::inferShapes};

}  // namespace nn::ops
