// Models of any size, one function for each way to cause much work with a small file: by repeated
// names, by references, by errors.
#pragma once

#include <cstdint>
#include <ostream>
#include <span>
#include <string_view>

#include "nnapi/types.h"

namespace nn::growth {

struct Shape {
    std::string_view name;
    Model (*make)(uint32_t n);  // of about n elements

    // The first check that rejects the model: "validate:graph.inputs", "prepare:limits.rank";
    // "prepared" if none does, "executed" if executing is linear in the model, too.
    std::string_view result;
    uint32_t max = UINT32_MAX;       // elements
    uint32_t maxExecuted = 100'000;  // elements if it is executed
};

inline void PrintTo(const Shape& shape, std::ostream* out) { *out << shape.name; }

std::span<const Shape> shapes();

// The size of a model: its operands and operations, and the elements of their lists.
uint64_t held(const Model& model);

}  // namespace nn::growth
