#include "op_support/rules/dimensions.h"
#include "op_support/rules/shapes.h"
#include "op_support/rules/specs.h"
#include "ops/fill/signature.h"

namespace nn::ops {
namespace fill {
namespace {

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    if (!requireRank(op, "fill.dims", kDims, 1, 1) || !requireEach(op, "fill.dims", kDims, 0))
        return false;
    const auto dims = op.ints(kDims);
    if (!dims) return true;
    outputs[0] = shapeOfRank(dims->size());
    for (size_t i = 0; i < dims->size(); ++i) {
        (*outputs[0])[i] = static_cast<uint32_t>((*dims)[i]);
    }
    return true;
}

}  // namespace
}  // namespace fill

const OperationSpec specs::FILL{.type = OperationType::FILL,
                                .types = fill::kTypes,
                                .forms = fill::kForms,
                                .ruleTexts = fill::kRules,
                                .inferShapes = fill::inferShapes};

}  // namespace nn::ops
