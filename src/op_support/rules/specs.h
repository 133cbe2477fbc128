// The specs of all operations, defined in src/ops/<stem>/rules.cc.
#pragma once

#include "op_support/rules/op_view.h"

namespace nn::ops {
namespace specs {
#define NNAPI_OPERATION(name, ...) extern const OperationSpec name;
#include "nnapi/operations.def"
}  // namespace specs

// For operations whose output has the shape of their first input.
inline bool inferSameShape(const OpView& op, std::span<Shape> outputs) {
    outputs[0] = op.input(0).shape();
    return true;
}

}  // namespace nn::ops
