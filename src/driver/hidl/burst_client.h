// The client's end of a HIDL burst, as a canonical burst.
#pragma once

#include <chrono>

#include "driver/wrap/output_shapes.h"
#include "nnapi/driver/interfaces.h"
#include "nnapi/driver/wrap.h"

namespace nn::driver::hidl_calls {

// Requests that do not fit into the queues go to the prepared model. The outputs are null if the
// model is unknown.
GeneralResult<SharedBurst> wrapBurst(SharedPreparedModel preparedModel,
                                     const nn::hidl::sp<V1_2::IPreparedModel>& driver,
                                     std::chrono::microseconds pollingTimeWindow,
                                     WrapOptions options, SharedOutputSignatures outputs);

}  // namespace nn::driver::hidl_calls
