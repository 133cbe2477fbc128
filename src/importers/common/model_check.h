// The importers' last step: what validation and preparation of a model would reject refuses the
// operators from which it comes.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "nnapi/import/imported_model.h"
#include "nnapi/limits.h"
#include "nnapi/result.h"
#include "nnapi/types.h"

namespace nn::importing {

// Refuses an operator, by its place in the list of operators.
using RefuseOperator = std::function<void(uint32_t op, ImportRefusal why)>;

// Calls `refuse` for each operator that has an operation which is not legal or can never be
// prepared; for an operation inside a called graph, for the operators that call graphs.
// INVALID_ARGUMENT if a model is not legal for another reason.
Status checkParts(std::span<const ImportedPart> parts, std::span<const ImportedOperator> operators,
                  const Limits& limits, const RefuseOperator& refuse);

}  // namespace nn::importing
