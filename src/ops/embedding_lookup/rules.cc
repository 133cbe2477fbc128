#include "op_support/rules/shapes.h"
#include "op_support/rules/specs.h"
#include "ops/embedding_lookup/signature.h"

namespace nn::ops {
namespace embedding_lookup {
namespace {

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    if (!requireRank(op, "embedding_lookup.rank", kLookups, 1, 1) ||
        !requireRank(op, "embedding_lookup.rank", kValues, 2, SIZE_MAX) ||
        !requireSameQuantization(op, "embedding_lookup.quantization", kValues, 0)) {
        return false;
    }
    outputs[0] = op.input(kValues).shape();
    if (outputs[0]) outputs[0]->front() = op.input(kLookups).dim(0);
    return true;
}

}  // namespace
}  // namespace embedding_lookup

const OperationSpec specs::EMBEDDING_LOOKUP{.type = OperationType::EMBEDDING_LOOKUP,
                                            .types = embedding_lookup::kTypes,
                                            .forms = embedding_lookup::kForms,
                                            .ruleTexts = embedding_lookup::kRules,
                                            .inferShapes = embedding_lookup::inferShapes};

}  // namespace nn::ops
