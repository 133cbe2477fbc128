#include "op_support/rules/specs.h"
#include "ops/quantize/signature.h"

namespace nn::ops {

const OperationSpec specs::QUANTIZE{.type = OperationType::QUANTIZE,
                                    .types = quantize::kTypes,
                                    .forms = quantize::kForms,
                                    .inferShapes = inferSameShape,
                                    .allowsZeroSizedInputs = true};

}  // namespace nn::ops
