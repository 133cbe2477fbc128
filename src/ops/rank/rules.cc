#include "op_support/rules/op_view.h"
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

namespace specs {
extern const OperationSpec RANK{.type = OperationType::RANK,
                                .types = rank::kTypes,
                                .forms = rank::kForms,
                                .inferShapes = rank::inferShapes};
}  // namespace specs
}  // namespace nn::ops
