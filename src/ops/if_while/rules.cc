#include "opkit/rules/call.h"
#include "ops/if_while/signature.h"

namespace nn::ops::specs {

extern const OperationSpec IF{.type = OperationType::IF,
                              .types = {},
                              .forms = if_while::kIfForms,
                              .says = if_while::kRules};
extern const OperationSpec WHILE{.type = OperationType::WHILE,
                                 .types = {},
                                 .forms = if_while::kWhileForms,
                                 .says = if_while::kRules};

}  // namespace nn::ops::specs
