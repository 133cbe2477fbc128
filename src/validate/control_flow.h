// IF and WHILE, whose operands are graphs of the same model.
#pragma once

#include "nnapi/types.h"
#include "validate/report.h"

namespace nn {

// True for the operations that checkControlFlow checks, and checkOperation does not.
constexpr bool isControlFlow(OperationType type) {
    return type == OperationType::IF || type == OperationType::WHILE;
}

// Reports what an IF or a WHILE of a subgraph needs, or why it is refused. All operands of the
// operation exist; nothing else of the model is presumed to be legal.
void checkControlFlow(const Operation& operation, const Model::Subgraph& subgraph,
                      const Model& model, const Place& place, Report& report);

}  // namespace nn
