// forms.h -- Forms of operators of TensorFlow Lite: their versions, and those that it lacks.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "importers/tflite_generated.h"

namespace nn::tflite {

// The version that an operator needs, by its row of forms.def.
int32_t versionOf(BuiltinOperator code, const OperatorT& op, const SubGraphT& graph);

// Why TensorFlow Lite does not compute an operator; empty if no row of forms.def says so.
std::optional<std::string_view> reasonAgainst(BuiltinOperator code, const OperatorT& op,
                                              const SubGraphT& graph);

}  // namespace nn::tflite
