// Enforces a deadline on the caller's side, for peers whose interface has none.
#pragma once

#include <string_view>

#include "nnapi/driver/result.h"
#include "nnapi/types.h"

namespace nn::driver {

// MISSED_DEADLINE_PERSISTENT if the deadline has passed before the call, MISSED_DEADLINE_TRANSIENT
// if it passed during the call.
Status checkDeadlineBefore(std::string_view call, const OptionalTimePoint& deadline);
Status checkDeadlineAfter(std::string_view call, const OptionalTimePoint& deadline);

}  // namespace nn::driver
