// What targets make of their bytes.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/target.h"
#include "nnapi/interpreter.h"
#include "nnapi/io.h"
#include "nnapi/tensor.h"
#include "nnapi/testing/generate.h"

namespace nn::fuzz {

inline std::string_view textOf(std::span<const uint8_t> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

inline std::string textOf(const Status& status) { return std::string(status.message()); }

// Ends the program where a property does not hold.
inline void expectNone(const std::optional<std::string>& violation) {
    expect(!violation, violation.value_or(""));
}

// A binary model file has one field, whose length says where it ends: behind it lie bytes to choose
// by, and a file without any is a seed as it is.
struct ModelInput {
    std::span<const uint8_t> file{};
    std::span<const uint8_t> choices{};
};
ModelInput split(std::span<const uint8_t> bytes);

// The model of the file; nothing where it is malformed.
std::optional<AnyModel> modelOf(const ModelInput& input);

// The same as canonical model, from whatever version.
std::optional<Model> canonicalOf(const ModelInput& input);

// Equal up to which file their memory lies in, which is what files promise. A model with a NaN
// equals nothing, so that nothing can be said of it.
bool areSame(const AnyModel& a, const AnyModel& b);

// Ceilings for executing anything. An operation is not interrupted: what it may compute follows
// from what it may hold.
PrepareOptions littleWork();
ExecuteOptions littleTime();

// Values for the inputs of a model: of the declared dimensions, small ones where these are unknown,
// and any bits.
std::vector<Tensor> anyBits(testing::Source& source, const Model& model);

}  // namespace nn::fuzz
