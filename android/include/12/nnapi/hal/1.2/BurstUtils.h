// nnapi/hal/1.2/BurstUtils.h -- packets of bursts over message queues, by Android's names.
#pragma once

#include <chrono>

#include <android/hardware/neuralnetworks/1.2/types.h>

#include "nnapi/driver/burst.h"

namespace android::hardware::neuralnetworks::V1_2::utils {

using ::nn::V1_2::utils::deserialize;
using ::nn::V1_2::utils::kExecutionBurstChannelLength;
using ::nn::V1_2::utils::serialize;

// How long clients and servers poll their queues before they block: the property
// debug.nn.burst-controller-polling-window or debug.nn.burst-server-polling-window, in
// microseconds.
std::chrono::microseconds getBurstControllerPollingTimeWindow();
std::chrono::microseconds getBurstServerPollingTimeWindow();

}  // namespace android::hardware::neuralnetworks::V1_2::utils
