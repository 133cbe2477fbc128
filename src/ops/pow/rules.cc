#include "opkit/rules/call.h"
#include "opkit/rules/shapes.h"
#include "ops/pow/signature.h"

namespace nn::ops {
namespace pow {
namespace {

bool inferShapes(const Call& op, std::span<Shape> outputs) {
    const auto shape = broadcast(op, "pow.shapes", kBase, kExponent);
    if (shape) outputs[0] = *shape;
    return shape.has_value();
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
