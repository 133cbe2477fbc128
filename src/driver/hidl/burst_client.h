// The client's end of a burst of HIDL, as a canonical burst.
#pragma once

#include <chrono>

#include "driver/wrap/output_shapes.h"
#include "nnapi/driver/interfaces.h"
#include "nnapi/driver/wrap.h"

namespace nn::driver::hidl_calls {

// What queues do not carry goes to the prepared model. The outputs are null where the model is not
// known.
GeneralResult<SharedBurst> wrapBurst(SharedPreparedModel preparedModel,
                                     const nn::hidl::sp<V1_2::IPreparedModel>& driver,
                                     std::chrono::microseconds pollingTimeWindow,
                                     WrapOptions options, SharedOutputSignatures outputs);

}  // namespace nn::driver::hidl_calls
