// Functions for operators that a row of operators.def cannot describe. An operator has the inputs
// and outputs that its row requires when its function is called.
#pragma once

#include <cstdint>

namespace nn::tflite {

class Conversion;

namespace converters {

#define TFLITE_ROW(...)
#define TFLITE_WRITTEN(...)
#define TFLITE_FUNCTION(op, version, options, inputs, outputs, function, ...) \
    void function(Conversion& op);
#define TFLITE_CUSTOM(name, version, inputs, outputs, function, ...) void function(Conversion& op);
#include "importers/tflite/operators.def"

// ---- shared between converters

// The inputs one after another along an axis of the output.
void concatenateAlong(Conversion& op, uint32_t axis);
// A STRIDED_SLICE of types and forms that the operation lacks.
void gatheredSlice(Conversion& op);

}  // namespace converters
}  // namespace nn::tflite
