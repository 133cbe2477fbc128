#include "op_support/rules/specs.h"
#include "ops/elu/signature.h"

namespace nn::ops {

const OperationSpec specs::ELU{.type = OperationType::ELU,
                               .types = elu::kTypes,
                               .forms = elu::kForms,
                               .inferShapes = inferSameShape,
                               .allowsZeroSizedInputs = true};

}  // namespace nn::ops
