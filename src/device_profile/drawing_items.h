// The contents of the box of an operation in a drawing.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "nnapi/drawing.h"
#include "nnapi/types.h"
#include "op_support/rules/signature.h"
#include "validate/operation_check.h"

namespace nn::draw {

// An operand of an operation that is drawn into its box.
struct Item {
    std::string name{};
    std::string value{};  // of a scalar; empty while unknown
    std::string text{};   // "filter 32×3×3×16"
    bool isTensor = false;
};

// "filter 32×3×3×16, bias 32, SAME, stride 2×1": strideWidth and strideHeight, or the like, become
// one item; the height comes first, as in dimensions.
std::vector<std::string> joined(const std::vector<Item>& items);

// "RELU6" for an activation of 3; empty for NONE, other values and other parameters.
std::string_view meaning(std::string_view name, std::string_view value);

std::string colorOf(DrawingMark::Color color);

// The names of operations; an operation of an extension has the extension's name and its number.
class OperationNames {
   public:
    explicit OperationNames(const Model& model);
    std::string of(OperationType type) const;

   private:
    std::unordered_map<uint16_t, std::string> mExtensions;
};

// The parameters of an operation by its form; none if no form fits.
struct Params {
    std::span<const ops::Param> inputs{};
    std::span<const ops::Param> outputs{};
};
Params paramsOf(const Operation& operation, const Model::Subgraph& graph,
                DeclaredOperands& declared);

// The name of an operand in the signature, with a number if a parameter represents several;
// "input 0" without a signature.
std::string nameOf(std::string_view kind, std::span<const ops::Param> params, size_t i,
                   size_t count);

}  // namespace nn::draw
