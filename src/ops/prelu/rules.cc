#include "op_support/rules/op_view.h"
#include "op_support/rules/shapes.h"
#include "ops/prelu/signature.h"

namespace nn::ops {
namespace prelu {
namespace {

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    return broadcast(op, "prelu.shapes", kInput, kAlpha, outputs[0]);
}

}  // namespace
}  // namespace prelu

namespace specs {
extern const OperationSpec PRELU{.type = OperationType::PRELU,
                                 .types = prelu::kTypes,
                                 .forms = prelu::kForms,
                                 .ruleTexts = prelu::kRules,
                                 .inferShapes = prelu::inferShapes};
}  // namespace specs
}  // namespace nn::ops
