// nnapi/until.h -- Deprecated name of nnapi/stop_condition.h; removed in 0.3.0.
#pragma once

#include "nnapi/stop_condition.h"  // IWYU pragma: export

namespace nn {

using Until [[deprecated("StopCondition")]] = StopCondition;

}  // namespace nn
