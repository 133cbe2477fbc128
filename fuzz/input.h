// The objects that targets create from their bytes.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/target.h"
#include "nnapi/generate/generate.h"
#include "nnapi/interpreter.h"
#include "nnapi/io.h"
#include "nnapi/tensor.h"

namespace nn::fuzz {

inline std::string_view textOf(std::span<const uint8_t> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

inline std::string textOf(const Status& status) { return std::string(status.message()); }

// Aborts the program if a property is violated.
inline void expectNone(const std::optional<std::string>& violation) {
    expect(!violation, violation.value_or(""));
}

// A binary model file has one field, whose length determines its end. The bytes after it are
// choices; a file without them is already a seed.
struct ModelInput {
    std::span<const uint8_t> file{};
    std::span<const uint8_t> choices{};
};
ModelInput split(std::span<const uint8_t> bytes);

// The model of the file; empty where it is malformed.
std::optional<AnyModel> modelOf(const ModelInput& input);

// The same as a canonical model, converted from any version.
std::optional<Model> canonicalOf(const ModelInput& input);

// Whether the models are equal except for the file that holds their memory, as model files
// guarantee. A model with a NaN does not equal itself, so it counts as equal.
bool areSame(const AnyModel& a, const AnyModel& b);

// Limits for executing any model. An operation is not interrupted: its work is bounded by its
// memory.
PrepareOptions littleWork();
ExecuteOptions littleTime();

// Values for the inputs of a model: the declared dimensions, small ones where these are unknown,
// and arbitrary bits.
std::vector<Tensor> anyBits(testing::Source& source, const Model& model);

}  // namespace nn::fuzz
