// Computes operators on whole numbers that are all known: the arithmetic of shapes.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "importers/onnx/budget.h"
#include "importers/tflite/conversion.h"
#include "nnapi/types.h"

namespace nn::tflite {

struct FoldedIntegers {
    Dimensions dimensions{};
    std::vector<int32_t> values{};
};

// The output of an operator that has one, of INT32 or INT64, and reads such constants alone. Empty
// for other operators, for values of more than 32 bits, for inputs that do not fit, and once the
// budget is used up.
std::optional<FoldedIntegers> foldIntegers(Conversion& op, BuiltinOperator code,
                                           onnx::Budget& budget);

}  // namespace nn::tflite
