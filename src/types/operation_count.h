// The number of operations in operations.def; all their codes are below it.
#pragma once

#include <cstdint>

namespace nn {

inline constexpr int32_t kOperationCount = 0
#define NNAPI_OPERATION(...) +1
#include "nnapi/operations.def"
        ;

}  // namespace nn
