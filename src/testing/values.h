// Draws values of operands.
#pragma once

#include <cstdint>
#include <vector>

#include "nnapi/testing/generate.h"
#include "nnapi/types.h"
#include "opkit/recipes/recipe.h"
#include "testing/shapes.h"

namespace nn::testing {

// The scale of 16-bit coordinates, which operations on boxes demand.
inline constexpr float kBoxScale = 0.125f;

// The bytes of small random numbers for an operand of known size. A large one takes only some of
// the source and repeats it, so that something is left for what follows.
std::vector<uint8_t> anyValue(Source& source, const Operand& operand);

// The same, as a recipe says; `outputs` is the number of outputs of the operation.
std::vector<uint8_t> valueOf(Source& source, const ops::Values& values, const Operand& operand,
                             size_t outputs, Shapes& shapes);

// Appends a number as an element of the type.
void append(std::vector<uint8_t>& bytes, OperandType type, float value);

// A quantisation that most asymmetric operands of one operation share.
struct Quantization {
    float scale = 1.0f;
    int32_t zeroPoint = 0;
};

Quantization anyQuantization(Source& source);

}  // namespace nn::testing
