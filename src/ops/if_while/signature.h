// IF and WHILE: control flow, whose operands are graphs of the same model.
#pragma once

#include "opkit/rules/signature.h"

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
static_assert(wellFormed(kIfForms) && wellFormed(kWhileForms));

}  // namespace nn::ops::if_while
