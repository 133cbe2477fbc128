// Values of operands.
#pragma once

#include <cstdint>
#include <vector>

#include "nnapi/testing/generate.h"
#include "nnapi/types.h"
#include "opkit/recipes/recipe.h"
#include "testing/shapes.h"

namespace nn::testing {

// That of 16-bit coordinates, which their type demands.
inline constexpr float kBoxScale = 0.125f;

// Bytes for a value of an operand whose size is known: small numbers.
std::vector<uint8_t> anyValue(Source& source, const Operand& operand);

// The same where a recipe says what they are; `outputs` is the number that the operation has.
std::vector<uint8_t> valueOf(Source& source, const ops::Values& values, const Operand& operand,
                             size_t outputs, Shapes& shapes);

// Appends a number as an element of the type.
void append(std::vector<uint8_t>& bytes, OperandType type, float value);

// Quantisation that asymmetric operands of one operation share more often than not.
struct Quantization {
    float scale = 1.0f;
    int32_t zeroPoint = 0;
};

Quantization anyQuantization(Source& source);

}  // namespace nn::testing
