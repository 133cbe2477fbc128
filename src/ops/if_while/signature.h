// IF and WHILE: control flow, whose operands are graphs of the same model.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::if_while {

namespace branch {
enum Input : size_t { kCondition, kThen, kElse, kFirst };
}
namespace loop {
enum Input : size_t { kCondition, kBody, kFirst };
}

inline constexpr Param kIfInputs[] = {{"condition", TENSOR_BOOL8},
                                      {"then", SUBGRAPH},
                                      {"else", SUBGRAPH},
                                      repeated("input", kAny, 0)};
inline constexpr Param kWhileInputs[] = {
        {"condition", SUBGRAPH}, {"body", SUBGRAPH}, repeated("input", kAny, 1)};
inline constexpr Param kOutputs[] = {repeated("output", kAny, 1)};
inline constexpr Form kIfForms[] = {{"", kIfInputs, kOutputs}};
inline constexpr Form kWhileForms[] = {{"", kWhileInputs, kOutputs}};
static_assert(wellFormed(kIfForms));
static_assert(wellFormed(kWhileForms));

inline constexpr OperandText kOperandTexts[] = {
        {"IF.condition", "which branch"},
        {"WHILE.condition", "graph that says whether to go round again"},
        {"then", "graph to execute if true"},
        {"else", "graph to execute if false"},
        {"body", "graph that makes the next state of this one"},
        {"IF.input", "inputs of the branch"},
        {"WHILE.input", "state before the loop, and constants"},
        {"IF.output", "outputs of the branch"},
        {"WHILE.output", "state after the loop"},
};

inline constexpr RuleText kRules[] = {
        {"if_while.condition",
         "Input 0 of IF, and the output of a condition subgraph, is TENSOR_BOOL8[1]."},
        {"if_while.inputs", "There are 3 inputs or more."},
        {"if_while.operands",
         "Operands that hand a value on have the same type, scale, zero point and extra "
         "parameters, and dimensions that agree as far as both are known."},
        {"if_while.outputs", "There is 1 output or more."},
        {"if_while.subgraph",
         "A subgraph has as many inputs as it is passed values, both branches of an IF as many "
         "outputs as the operation, a condition one output, and a body at least as many outputs as "
         "the operation and at most as many as it has inputs."},
        {"if_while.types", "The inputs that refer to subgraphs have type SUBGRAPH."},
};

}  // namespace nn::ops::if_while
