#include "op_support/rules/call.h"
#include "ops/rank/signature.h"

namespace nn::ops {
namespace rank {
namespace {

bool inferShapes(const Call&, std::span<Shape> outputs) {
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
