// IF and WHILE: control flow, whose operands are graphs of the same model. What the graphs must
// have is checked in validate/control_flow.cc, and the interpreter executes them itself.
#pragma once

#include "opkit/rules/signature.h"

namespace nn::ops::if_while {

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

}  // namespace nn::ops::if_while
