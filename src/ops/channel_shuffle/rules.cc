#include "op_support/rules/shapes.h"
#include "op_support/rules/specs.h"
#include "ops/channel_shuffle/signature.h"

namespace nn::ops {
namespace channel_shuffle {
namespace {

void rules(const OpView& op) { requireRank(op, "channel_shuffle.rank", kInput, 1, 4); }

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    const Value& input = op.input(kInput);
    const auto groups = op.int32(kGroups);
    const auto axis = op.int32(kAxis);
    outputs[0] = input.shape();
    if (!op.require(!groups || *groups > 0, "channel_shuffle.groups", "{} is {}, allowed above 0",
                    op.in(kGroups), groups.value_or(0)) ||
        !requireAxis(op, "channel_shuffle.axis", kAxis, axis, input.rank()) ||
        !requireSameQuantization(op, "channel_shuffle.quantization", kInput, 0)) {
        return false;
    }
    if (!groups || !axis || !input.rank()) return true;
    const size_t at = *resolveAxis(*axis, *input.rank());
    const Dim size = input.dim(at);
    return op.require(!size || *size % static_cast<uint32_t>(*groups) == 0,
                      "channel_shuffle.divides",
                      "dimension {} of {} is {}, allowed a multiple of {} as the number of groups",
                      at, op.in(kInput), size.value_or(0), *groups);
}

}  // namespace
}  // namespace channel_shuffle

const OperationSpec specs::CHANNEL_SHUFFLE{.type = OperationType::CHANNEL_SHUFFLE,
                                           .types = channel_shuffle::kTypes,
                                           .forms = channel_shuffle::kForms,
                                           .ruleTexts = channel_shuffle::kRules,
                                           .rules = channel_shuffle::rules,
                                           .inferShapes = channel_shuffle::inferShapes};

}  // namespace nn::ops
