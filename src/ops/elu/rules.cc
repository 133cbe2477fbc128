#include "op_support/rules/op_view.h"
#include "ops/elu/signature.h"

namespace nn::ops {
namespace elu {
namespace {

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    outputs[0] = op.input(kInput).shape();
    return true;
}

}  // namespace
}  // namespace elu

namespace specs {
extern const OperationSpec ELU{.type = OperationType::ELU,
                               .types = elu::kTypes,
                               .forms = elu::kForms,
                               .inferShapes = elu::inferShapes,
                               .allowsZeroSizedInputs = true};
}  // namespace specs
}  // namespace nn::ops
