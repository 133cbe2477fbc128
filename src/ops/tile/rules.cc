#include "op_support/rules/dimensions.h"
#include "op_support/rules/shapes.h"
#include "op_support/rules/specs.h"
#include "ops/tile/signature.h"

namespace nn::ops {
namespace tile {
namespace {

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    const Value& input = op.input(kInput);
    if (!requireOnePerAxis(op, "tile.multiples", kMultiples, kInput) ||
        !requireEach(op, "tile.multiples", kMultiples, 1) ||
        !requireSameQuantization(op, "tile.quantization", kInput, 0)) {
        return false;
    }
    const auto multiples = op.ints(kMultiples);
    outputs[0] = shapeOfRank(input.rank());
    for (size_t i = 0; outputs[0] && multiples && i < outputs[0]->size(); ++i) {
        const Dim size = input.dim(i);
        const auto times = static_cast<uint32_t>((*multiples)[i]);
        if (size && !setSize(op, "tile.size", i, uint64_t{*size} * times, (*outputs[0])[i])) {
            return false;
        }
    }
    return true;
}

}  // namespace
}  // namespace tile

const OperationSpec specs::TILE{.type = OperationType::TILE,
                                .types = tile::kTypes,
                                .forms = tile::kForms,
                                .ruleTexts = tile::kRules,
                                .inferShapes = tile::inferShapes};

}  // namespace nn::ops
