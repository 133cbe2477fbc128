#include "op_support/rules/op_view.h"
#include "ops/quantize/signature.h"

namespace nn::ops {
namespace quantize {
namespace {

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    outputs[0] = op.input(kInput).shape();
    return true;
}

}  // namespace
}  // namespace quantize

namespace specs {
extern const OperationSpec QUANTIZE{.type = OperationType::QUANTIZE,
                                    .types = quantize::kTypes,
                                    .forms = quantize::kForms,
                                    .inferShapes = quantize::inferShapes,
                                    .allowsZeroSizedInputs = true};
}  // namespace specs
}  // namespace nn::ops
