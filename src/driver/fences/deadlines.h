// Deadlines that a peer knows nothing of.
#pragma once

#include <string_view>

#include "nnapi/driver/result.h"
#include "nnapi/types.h"

namespace nn::driver {

// MISSED_DEADLINE_PERSISTENT where the deadline is past before the call, and
// MISSED_DEADLINE_TRANSIENT where it passed meanwhile.
Status checkDeadlineBefore(std::string_view call, const OptionalTimePoint& deadline);
Status checkDeadlineAfter(std::string_view call, const OptionalTimePoint& deadline);

}  // namespace nn::driver
