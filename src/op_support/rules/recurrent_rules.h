// Checks of the inputs of recurrent operations. Every function returns true while something is
// unknown, and reports through the operation if it returns false.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>

#include "op_support/rules/op_view.h"

namespace nn::ops {

// The activation codes of recurrent operations.
enum class RecurrentActivation : int32_t {
    NONE = 0,
    RELU = 1,
    RELU1 = 2,
    RELU6 = 3,
    TANH = 4,
    SIGMOID = 6,
};

// The value of an activation input is one of these codes.
bool requireRecurrentActivation(const OpView& op, std::string_view rule, size_t input);

// All of the inputs have a value, or none.
bool requireTogether(const OpView& op, std::string_view rule, std::initializer_list<size_t> inputs);

// An input has a value only where another one has.
bool requireWith(const OpView& op, std::string_view rule, size_t input, size_t other);

// The first known one of several dimensions that must be equal.
Dim firstKnown(std::initializer_list<Dim> dims);

// The batches of a sequence, [steps, batches, size] or [batches, steps, size]; empty while it is
// unknown which.
Dim batchesOf(const Value& sequence, std::optional<bool> isTimeMajor);

// e where log2 of a scale is e within a thousandth. Empty for other scales.
std::optional<int32_t> powerOfTwo(float scale);

}  // namespace nn::ops
