#include "op_support/rules/specs.h"
#include "ops/hard_swish/signature.h"

namespace nn::ops {

const OperationSpec specs::HARD_SWISH{.type = OperationType::HARD_SWISH,
                                      .types = hard_swish::kTypes,
                                      .forms = hard_swish::kForms,
                                      .inferShapes = inferSameShape,
                                      .allowsZeroSizedInputs = true};

}  // namespace nn::ops
