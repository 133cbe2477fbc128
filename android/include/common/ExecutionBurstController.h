// ExecutionBurstController.h -- A client's end of a burst of HAL 1.2.
//
//   auto burst = ExecutionBurstController::create(preparedModel, std::chrono::microseconds{0});
//   const auto [code, shapes, timing, fallback] = burst->compute(request, MeasureTiming::NO, keys);
#pragma once

#include <android/hardware/neuralnetworks/1.0/types.h>
#include <android/hardware/neuralnetworks/1.1/types.h>
#include <android/hardware/neuralnetworks/1.2/IBurstCallback.h>
#include <android/hardware/neuralnetworks/1.2/IBurstContext.h>
#include <android/hardware/neuralnetworks/1.2/IPreparedModel.h>
#include <android/hardware/neuralnetworks/1.2/types.h>
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
#include "nnapi_android/burst_channels.h"

namespace android::nn {

using ::nn::V1_2::utils::kExecutionBurstChannelLength;

// Packets. A request has slots instead of pools.
std::vector<::nn::V1_2::FmqRequestDatum> serialize(const ::nn::V1_0::Request& request,
                                                   ::nn::V1_2::MeasureTiming measure,
                                                   const std::vector<int32_t>& slots);
std::optional<std::tuple<::nn::V1_0::ErrorStatus, std::vector<::nn::V1_2::OutputShape>,
                         ::nn::V1_2::Timing>>
deserialize(const std::vector<::nn::V1_2::FmqResultDatum>& data);

// The code of a ResultCode in HAL 1.2.
::nn::V1_0::ErrorStatus legacyConvertResultCodeToErrorStatus(int resultCode);

class ExecutionBurstController {
   public:
    // The memories of a client by their slots, for a driver that asks. Thread-safe.
    class ExecutionBurstCallback : public ::nn::V1_2::IBurstCallback {
       public:
        // GENERAL_FAILURE for a slot without a memory.
        ::nn::hidl::Return<void> getMemories(const ::nn::hidl::hidl_vec<int32_t>& slots,
                                             getMemories_cb callback) override;

        // The slot of each memory, which it keeps for as long as its key is not freed.
        std::vector<int32_t> getSlots(const ::nn::hidl::hidl_vec<::nn::hidl::hidl_memory>& memories,
                                      const std::vector<intptr_t>& keys);
        // Whether the key had a slot, and which.
        std::pair<bool, int32_t> freeMemory(intptr_t key);

       private:
        std::mutex mMutex{};
        std::map<intptr_t, int32_t> mSlots{};
        std::map<int32_t, ::nn::hidl::hidl_memory> mBySlot{};
    };

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
