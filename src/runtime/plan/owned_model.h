// The plan's own copy of a model.
#pragma once

#include <memory>

#include "nnapi/result.h"
#include "nnapi/types.h"

namespace nn::runtime {

// The most bytes of a constant that steps copy, as the C API copies values up to this size.
inline constexpr uint32_t kMostCopiedBytes = 128;

// An equal model, whose constants of more bytes lie in shared memory that nobody can change: steps
// share them. Each is copied once, here, unless it lay in a pool or behind a pointer before, where
// it stays. The locations of the model are legal.
Result<std::shared_ptr<const Model>> ownModel(const Model& model);

// The same; the model itself where it has no such constants.
Result<std::shared_ptr<const Model>> ownModel(const std::shared_ptr<const Model>& model);

}  // namespace nn::runtime
