// What recurrent operations demand of their inputs. Every function is true while something is
// unknown, and reports through the operation where it is false.
#pragma once

#include <initializer_list>
#include <string_view>

#include "ops/operation.h"

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
bool requireRecurrentActivation(const Operation& op, std::string_view rule, size_t input);

// The first of several dimensions, which are to be equal, that is known.
Dim firstKnown(std::initializer_list<Dim> dims);

}  // namespace nn::ops
