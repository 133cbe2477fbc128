#include "op_support/rules/op_view.h"
#include "ops/hard_swish/signature.h"

namespace nn::ops {
namespace hard_swish {
namespace {

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    outputs[0] = op.input(kInput).shape();
    return true;
}

}  // namespace
}  // namespace hard_swish

namespace specs {
extern const OperationSpec HARD_SWISH{.type = OperationType::HARD_SWISH,
                                      .types = hard_swish::kTypes,
                                      .forms = hard_swish::kForms,
                                      .inferShapes = hard_swish::inferShapes,
                                      .allowsZeroSizedInputs = true};
}  // namespace specs
}  // namespace nn::ops
