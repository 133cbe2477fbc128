// Serves a HIDL burst with a canonical burst.
#pragma once

#include <chrono>

#include "nnapi/driver/burst.h"

namespace nn::hal::adapter {

// As makeBurstContext(), for a burst whose results are already checked.
GeneralResult<hidl::sp<V1_2::IBurstContext>> serveBurst(
        const hidl::sp<V1_2::IBurstCallback>& callback,
        const hidl::MQDescriptorSync<V1_2::FmqRequestDatum>& requestChannel,
        const hidl::MQDescriptorSync<V1_2::FmqResultDatum>& resultChannel, SharedBurst burst,
        std::chrono::microseconds pollingTimeWindow);

}  // namespace nn::hal::adapter
