// Computes operators whose inputs are all known: the arithmetic of shapes.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "importers/onnx/budget.h"
#include "importers/onnx/constant.h"
#include "importers/onnx/file.h"

namespace nn::onnx {

// An operator and its inputs; null for omitted ones.
struct FoldedOperator {
    const NodeMessage& message;
    int64_t version;  // of the operator set
    std::span<const Constant* const> inputs;
    size_t outputs;
    Budget& budget;
};

// The values of all outputs; empty for operators and types that are not computed here, for inputs
// that do not fit, for results of more than a million elements, and once the budget is used up.
std::optional<std::vector<Constant>> fold(const FoldedOperator& op);

// The dimensions of a tensor, as Shape gives them.
Constant shapeConstant(const NodeMessage& message, const Dimensions& dimensions);

}  // namespace nn::onnx
