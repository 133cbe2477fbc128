#include "op_support/rules/specs.h"
#include "ops/rank/signature.h"

namespace nn::ops {
namespace rank {
namespace {

bool inferShapes(const OpView&, std::span<Shape> outputs) {
    outputs[0].emplace();  // a scalar
    return true;
}

}  // namespace
}  // namespace rank

const OperationSpec specs::RANK{.type = OperationType::RANK,
                                .types = rank::kTypes,
                                .forms = rank::kForms,
                                .inferShapes = rank::inferShapes};

}  // namespace nn::ops
