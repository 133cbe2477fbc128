// All properties of properties.h that hold for objects read from bytes, by name.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "nnapi/generate/generate.h"

namespace nn::properties {

// Returns the first violation; empty if the property holds.
using Property = std::optional<std::string> (*)(testing::Source& source);

struct Row {
    const char* name;
    Property property;
};

std::span<const Row> rows();

}  // namespace nn::properties
