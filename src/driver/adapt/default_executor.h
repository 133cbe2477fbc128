// The executor of an adapter whose user supplies none.
#pragma once

#include <cstddef>

#include "nnapi/driver/adapt.h"

namespace nn::hal::adapter {

Executor defaultExecutor(size_t numberOfThreads);

}  // namespace nn::hal::adapter
