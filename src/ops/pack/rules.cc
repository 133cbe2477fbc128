#include "op_support/rules/dimensions.h"
#include "op_support/rules/shapes.h"
#include "op_support/rules/specs.h"
#include "ops/pack/signature.h"

namespace nn::ops {
namespace pack {
namespace {

bool requireRankAsBefore(const OpView& op, size_t input, size_t rank, size_t common) {
    return op.require(rank == common, "pack.shapes",
                      "{} has rank {}, allowed {} as the inputs before", op.in(input), rank,
                      common);
}

// The common shape of all inputs, as far as it is known. Empty after a report, if they differ.
std::optional<Shape> commonShape(const OpView& op) {
    Shape common;
    for (size_t i = kFirst; i < op.inputCount(); ++i) {
        const Shape shape = op.input(i).shape();
        if (!shape) continue;
        if (!common) common = shapeOfRank(shape->size());
        if (!requireRankAsBefore(op, i, shape->size(), common->size())) return std::nullopt;
        for (size_t j = 0; j < shape->size(); ++j) {
            const Dim dim = (*shape)[j];
            Dim& known = (*common)[j];
            if (!known) known = dim;
            if (!op.require(!dim || *dim == *known, "pack.shapes",
                            "dimension {} of {} is {}, allowed {} as in the inputs before", j,
                            op.in(i), dim.value_or(0), known.value_or(0))) {
                return std::nullopt;
            }
        }
    }
    return common;
}

void rules(const OpView& op) {
    std::optional<size_t> common;
    for (size_t i = kFirst; i < op.inputCount(); ++i) {
        const Value& input = op.input(i);
        if (isQuant8Asymm(input.type)) requireSameQuantization(op, "pack.quantization", i, 0);
        const auto rank = input.rank();
        if (!rank) continue;
        if (!common) common = rank;
        if (!requireRankAsBefore(op, i, *rank, *common)) return;
        // Rank 1 would require inputs without dimensions, which also denote an unknown rank.
        // Android does not compare ranks then, and preparation rejects the output.
        if (op.output(0).rank() != 1 && !requireOutputRank(op, "pack.shapes", i, 1)) return;
    }
}

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    const auto axis = op.int32(kAxis);
    auto common = commonShape(op);
    if (!common) return false;
    if (!*common) return true;
    Dims& dims = **common;
    if (!op.require(!axis || (*axis >= 0 && static_cast<size_t>(*axis) <= dims.size()), "pack.axis",
                    "{} is {}, allowed 0 to {}", op.in(kAxis), axis.value_or(0), dims.size())) {
        return false;
    }
    if (!axis) {
        outputs[0] = shapeOfRank(dims.size() + 1);
        return true;
    }
    dims.insert(dims.begin() + *axis, Dim(static_cast<uint32_t>(op.inputCount() - kFirst)));
    outputs[0] = std::move(*common);
    return true;
}

}  // namespace
}  // namespace pack

const OperationSpec specs::PACK{.type = OperationType::PACK,
                                .types = pack::kTypes,
                                .forms = pack::kForms,
                                .ruleTexts = pack::kRules,
                                .rules = pack::rules,
                                .inferShapes = pack::inferShapes};

}  // namespace nn::ops
