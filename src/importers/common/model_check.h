// The importers' last step: what validation and preparation of a model would reject refuses the
// operators from which it comes.
#pragma once

#include <cstdint>
#include <functional>

#include "nnapi/import/imported_model.h"
#include "nnapi/limits.h"
#include "nnapi/result.h"
#include "nnapi/types.h"

namespace nn::importing {

// Refuses the operator from which an operation of the main graph comes; false if none does.
using RefuseOperation = std::function<bool(uint32_t operation, ImportRefusal why)>;

// Calls `refuse` for each operation that is not legal or can never be prepared; for one inside a
// called graph, for the operations that call graphs. INVALID_ARGUMENT if the model is not legal for
// another reason.
Status checkModel(const Model& model, const Limits& limits, const RefuseOperation& refuse);

}  // namespace nn::importing
