// A burst for devices that have nothing better: it hands executions to the prepared model.
#pragma once

#include "nnapi/driver/interfaces.h"

namespace nn::driver {

// One execution at a time, and no cache. The prepared model is not null.
SharedBurst forwardingBurst(SharedPreparedModel preparedModel);

}  // namespace nn::driver
