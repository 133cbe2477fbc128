// A plan's own copy of a model, with large constants in shared memory.
#pragma once

#include <memory>

#include "nnapi/result.h"
#include "nnapi/types.h"

namespace nn::runtime {

// Constants up to this size are copied by steps, as the C API copies values up to this size.
inline constexpr uint32_t kMaxCopiedBytes = 128;

// An equal model whose larger constants are stored in immutable shared memory, shared by all steps.
// Each is copied once, here, unless it was in a pool or behind a pointer already. The locations of
// the model must be legal.
Result<std::shared_ptr<const Model>> ownModel(const Model& model);

}  // namespace nn::runtime
