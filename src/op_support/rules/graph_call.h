// The view of an operation on graphs for its rules: IF and WHILE, whose operands name graphs of
// their model.
#pragma once

#include <fmt/core.h>

#include "nnapi/type_utils.h"
#include "nnapi/types.h"
#include "op_support/rules/op_view.h"

namespace nn::ops {

// Queries about the graphs of the model, and a sink for reports. The validator implements it.
class GraphChecker : public Sink {
   public:
    // True as soon as further checks cannot change the result.
    virtual bool done() const = 0;

    // Why an operand cannot take the values of another one, each in a graph of the model: "is
    // INT32, allowed FLOAT32". Empty if it can.
    virtual std::string difference(const Operand& found, const Operand& allowed) = 0;

    // True if referenced[i] has an input, or output, of unknown size.
    virtual bool hasUnknownInput(size_t i) = 0;
    virtual bool hasUnknownOutput(size_t i) = 0;

    // Like OpView::require.
    template <class... Args>
    bool require(bool condition, std::string_view rule, fmt::format_string<const Args&...> format,
                 const Args&... args) {
        if (!condition) fail(rule, fmt::format(format, args...));
        return condition;
    }
};

// All operands of the operation exist; the rest of the model may be illegal.
struct GraphCall {
    const Operation& operation;
    const Model::Subgraph& subgraph;  // the graph of the operation
    const Model& model;
    GraphChecker& checker;
};

// True for an operand of a known type whose size is known only during execution.
inline bool hasUnknownSize(const Operand& operand) {
    return !isExtension(operand.type) && operandSize(operand) == uint64_t{0};
}

}  // namespace nn::ops
