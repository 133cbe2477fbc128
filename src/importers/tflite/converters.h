// Functions for operators that a row of operators.def cannot describe.
#pragma once

namespace nn::tflite {

class Conversion;

namespace converters {

#define TFLITE_ROW(...)
#define TFLITE_WRITTEN(...)
#define TFLITE_FUNCTION(op, version, options, function, ...) void function(Conversion& op);
#include "importers/tflite/operators.def"

}  // namespace converters
}  // namespace nn::tflite
