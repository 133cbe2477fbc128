#include "op_support/rules/call.h"
#include "op_support/rules/shapes.h"
#include "ops/pow/signature.h"

namespace nn::ops {
namespace pow {
namespace {

bool inferShapes(const Call& op, std::span<Shape> outputs) {
    return broadcast(op, "pow.shapes", kBase, kExponent, outputs[0]);
}

}  // namespace
}  // namespace pow

namespace specs {
extern const OperationSpec POW{.type = OperationType::POW,
                               .types = pow::kTypes,
                               .forms = pow::kForms,
                               .says = pow::kRules,
                               .inferShapes = pow::inferShapes};
}  // namespace specs
}  // namespace nn::ops
