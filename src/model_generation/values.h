// Draws values of operands.
#pragma once

#include <cstdint>
#include <vector>

#include "model_generation/recipes.h"
#include "model_generation/shapes.h"
#include "nnapi/generate/generate.h"
#include "nnapi/types.h"

namespace nn::testing {

// The scale that box operations demand of 16-bit coordinates.
inline constexpr float kBoxScale = 0.125f;

// Bytes of small random numbers for an operand of known size. Large operands repeat a part, to
// leave some of the source for later draws.
std::vector<uint8_t> anyValue(Source& source, const Operand& operand);

// How far apart the values of a tensor are.
enum class Spread : uint8_t {
    EXACT,  // few bits, so that sums of products are exact in any order
    WIDE,   // any bits, up to where exponentials overflow
    BIAS,   // as large as sums of products
};
// The same for a tensor in models that are drawn with ModelOptions::varied.
std::vector<uint8_t> variedValue(Source& source, const Operand& operand, Spread spread);

// Bytes as a recipe specifies; `outputs` is the operation's number of outputs.
std::vector<uint8_t> valueOf(Source& source, const Values& values, const Operand& operand,
                             size_t outputs, Shapes& shapes);

// Appends a number, encoded as an element of the type.
void append(std::vector<uint8_t>& bytes, OperandType type, float value);

// A quantization shared by most asymmetric operands of one operation.
struct Quantization {
    float scale = 1.0f;
    int32_t zeroPoint = 0;
};

Quantization anyQuantization(Source& source);
// A scale that is usually no power of two, and a zero point that may be at an end of the type.
Quantization variedQuantization(Source& source, OperandType type);

}  // namespace nn::testing
