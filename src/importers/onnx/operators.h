// The rows of operators that are imported.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "nnapi/types.h"

namespace nn::onnx {

class Lowering;

// Whether an operator between DequantizeLinear and QuantizeLinear becomes an operation on the
// quantized values.
enum class QuantizedForm : uint8_t {
    NONE,
    ANY,      // with any scales, and an activation
    FILTER,   // the same, and constants of other types
    EACH,     // with any scales
    SAME,     // where the input and the output have one scale and one zero point
    SIGMOID,  // where the output has scale 1/256, and the lowest value as zero point
    TANH,     // where it has 1/128, and the middle as zero point
};

// Of inputs or outputs.
inline constexpr uint8_t kAnyNumber = 255;

// One row of operators.def.
struct OperatorRow {
    std::string_view domain;  // empty: ONNX's own
    std::string_view type;
    uint8_t minInputs;
    uint8_t maxInputs;
    uint8_t maxOutputs;
    std::string_view attributes;  // names, separated by spaces
    QuantizedForm quantized;
    void (*lower)(Lowering& at, OperationType operation);
    OperationType operation;      // where the function serves several operators
    std::string_view becomes;     // for docs/importers.md
    std::string_view conditions;  // sentences
};

// Sorted by domain and type.
std::span<const OperatorRow> operatorRows();
const OperatorRow* operatorRow(std::string_view domain, std::string_view type);

// The operator sets whose meaning the rows have.
inline constexpr int64_t kOldestOperatorSet = 1;
inline constexpr int64_t kNewestOperatorSet = 24;

}  // namespace nn::onnx
