// Options of operators by name, as rows of operators.def refer to them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "importers/tflite_generated.h"

namespace nn::tflite {

// Enumerators are numbers.
using OptionValue = std::variant<int32_t, float, bool, std::vector<int32_t>>;

// A field of the options of an operator; its default if the operator has no options. Empty if the
// options are of another kind or have no such field.
std::optional<OptionValue> option(const Operator& op, BuiltinOptions kind, std::string_view field);

// The same of an operator that is written; empty if its options have no such field.
std::optional<OptionValue> option(const BuiltinOptionsUnion& options, std::string_view field);

// Sets a field; the options become those of `kind` first. False if they have no such field.
bool setOption(BuiltinOptionsUnion& options, BuiltinOptions kind, std::string_view field,
               const OptionValue& value);

}  // namespace nn::tflite
