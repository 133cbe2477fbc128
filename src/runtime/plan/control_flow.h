// The operand positions of IF and WHILE.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "nnapi/types.h"
#include "ops/if_while/signature.h"

namespace nn::runtime {

constexpr bool isControlFlow(OperationType type) {
    return type == OperationType::IF || type == OperationType::WHILE;
}

// The numbers of the two graphs of a legal IF or WHILE (then and else, condition and body): main is
// 0, referenced[i] is i + 1.
inline std::array<size_t, 2> graphsOf(const Model::Subgraph& graph, const Operation& operation) {
    const size_t first = operation.type == OperationType::IF
                                 ? size_t{ops::if_while::branch::kThen}
                                 : size_t{ops::if_while::loop::kCondition};
    const auto number = [&](size_t input) {
        return size_t{graph.operands[operation.inputs[input]].location.offset} + 1;
    };
    return {number(first), number(first + 1)};
}

// The operands that are passed to these graphs.
inline std::span<const uint32_t> valuesOf(const Operation& operation) {
    return std::span(operation.inputs)
            .subspan(operation.type == OperationType::IF ? size_t{ops::if_while::branch::kFirst}
                                                         : size_t{ops::if_while::loop::kFirst});
}

inline const Model::Subgraph& graphAt(const Model& model, size_t number) {
    return number == 0 ? model.main : model.referenced[number - 1];
}

}  // namespace nn::runtime
