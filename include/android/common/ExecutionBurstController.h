// ExecutionBurstController.h -- A client's end of a burst of HAL 1.2.
//
//   auto burst = ExecutionBurstController::create(preparedModel, std::chrono::microseconds{0});
//   const auto [code, shapes, timing, fallback] = burst->compute(request, MeasureTiming::NO, keys);
#pragma once

#include <fmq/MessageQueue.h>
#include <hidl/MQDescriptor.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "nnapi/driver/burst.h"
#include "nnapi/hal/v1_2_interfaces.h"

namespace android::nn {

using ::nn::V1_2::utils::kExecutionBurstChannelLength;

// Packets. A request has slots in place of pools.
std::vector<::nn::V1_2::FmqRequestDatum> serialize(const ::nn::V1_0::Request& request,
                                                   ::nn::V1_2::MeasureTiming measure,
                                                   const std::vector<int32_t>& slots);
std::optional<std::tuple<::nn::V1_0::ErrorStatus, std::vector<::nn::V1_2::OutputShape>,
                         ::nn::V1_2::Timing>>
deserialize(const std::vector<::nn::V1_2::FmqResultDatum>& data);

class ExecutionBurstController {
   public:
    // Null where the driver has no burst. pollingTimeWindow: how long to poll the queue for a
    // result before blocking.
    static std::unique_ptr<ExecutionBurstController> create(
            const ::nn::hidl::sp<::nn::V1_2::IPreparedModel>& preparedModel,
            std::chrono::microseconds pollingTimeWindow);

    // Executes once: a ResultCode, the shapes of the outputs, the time, and whether another way to
    // execute may succeed, which is never so here: a request that is too large for the queue has
    // already taken it. `memoryIds` has a key for each pool; the memory of a key is sent once.
    std::tuple<int, std::vector<::nn::V1_2::OutputShape>, ::nn::V1_2::Timing, bool> compute(
            const ::nn::V1_0::Request& request, ::nn::V1_2::MeasureTiming measure,
            const std::vector<intptr_t>& memoryIds);

    // The client no longer uses the memory of a key.
    void freeMemory(intptr_t key);

   private:
    struct Entry {
        ::nn::SharedMemory memory{};
        ::nn::IBurst::OptionalCacheHold hold{};
    };

    explicit ExecutionBurstController(::nn::SharedBurst burst) : mBurst(std::move(burst)) {}

    const ::nn::SharedBurst mBurst;
    std::mutex mMutex{};
    std::map<intptr_t, Entry> mMemories{};
};

}  // namespace android::nn
