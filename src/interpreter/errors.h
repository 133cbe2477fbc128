// Errors of preparation and execution, with their place in the model.
#pragma once

#include <string>
#include <string_view>

#include "interpreter/plan.h"
#include "nnapi/result.h"

namespace nn {

// "main.operations[4]", "referenced[0].operands[2]"
std::string pathOf(size_t graph, std::string_view field, size_t index);

// "main.operations[4] SOFTMAX: message [rule]", "referenced[0].operands[2]: message [rule]"
Status operationError(const Plan& plan, size_t graph, size_t operation, ErrorStatus code,
                      std::string_view rule, std::string message);
Status operandError(const Plan& plan, size_t graph, size_t operand, ErrorStatus code,
                    std::string_view rule, std::string message);

}  // namespace nn
