#include "opkit/rules/call.h"
#include "opkit/rules/dimensions.h"
#include "opkit/rules/shapes.h"
#include "ops/reverse/signature.h"

namespace nn::ops {
namespace reverse {
namespace {

void rules(const Call& op) {
    requireRank(op, "reverse.rank", kInput, 1, 8);
    requireOutputRank(op, "reverse.rank", kInput);
    requireRank(op, "reverse.axis", kAxis, 1, 1);
    requireSameQuantization(op, "reverse.quantization", kInput, 0);
}

bool inferShapes(const Call& op, std::span<Shape> outputs) {
    outputs[0] = op.input(kInput).shape();
    return requireDimensions(op, "reverse.axis", kAxis, {1}) &&
           requireAxes(op, "reverse.axis", kAxis, op.input(kInput).rank());
}

}  // namespace
}  // namespace reverse

namespace specs {
extern const OperationSpec REVERSE{.type = OperationType::REVERSE,
                                   .types = reverse::kTypes,
                                   .forms = reverse::kForms,
                                   .says = reverse::kRules,
                                   .rules = reverse::rules,
                                   .inferShapes = reverse::inferShapes};
}  // namespace specs
}  // namespace nn::ops
