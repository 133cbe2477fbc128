// How many operations operations.def has: their codes are those below.
#pragma once

#include <cstdint>

namespace nn {

inline constexpr int32_t kOperationCount = 0
#define NNAPI_OPERATION(...) +1
#include "nnapi/operations.def"
        ;

}  // namespace nn
