// What the rules of an operation on graphs see of it: IF and WHILE stand in a model whose graphs
// their operands name.
#pragma once

#include <fmt/core.h>

#include "nnapi/type_utils.h"
#include "nnapi/types.h"
#include "opkit/rules/call.h"

namespace nn::ops {

// What is known of the graphs of the model, and where to report. The validator has one.
class GraphChecker : public Sink {
   public:
    // True as soon as nothing more can change the answer.
    virtual bool done() const = 0;

    // Why the values of one operand may not be those of the other, each of a graph of the model:
    // "is INT32, allowed FLOAT32". Empty where they may.
    virtual std::string difference(const Operand& found, const Operand& allowed) = 0;

    // Whether referenced[i] has an input, or output, of unknown size.
    virtual bool hasUnknownInput(size_t i) = 0;
    virtual bool hasUnknownOutput(size_t i) = 0;

    // As Call::require.
    template <class... Args>
    bool require(bool condition, std::string_view rule, fmt::format_string<const Args&...> format,
                 const Args&... args) {
        if (!condition) fail(rule, fmt::format(format, args...));
        return condition;
    }
};

// All operands of the operation exist; nothing else of the model is presumed to be legal.
struct GraphCall {
    const Operation& operation;
    const Model::Subgraph& subgraph;  // that the operation stands in
    const Model& model;
    GraphChecker& checker;
};

// True for an operand of a known type whose size only an execution tells.
inline bool hasUnknownSize(const Operand& operand) {
    return !isExtension(operand.type) && operandSize(operand) == uint64_t{0};
}

}  // namespace nn::ops
