// ExecutionBurstServer.h -- A driver's end of a burst of HAL 1.2.
//
//   Return<void> configureExecutionBurst(const sp<V1_2::IBurstCallback>& callback, ...) override {
//       const sp<V1_2::IBurstContext> burst =
//               ExecutionBurstServer::create(callback, requestChannel, resultChannel, this);
//       cb(burst == nullptr ? ErrorStatus::GENERAL_FAILURE : ErrorStatus::NONE, burst);
//       return Void();
//   }
//
// Reads requests from one queue, executes them one at a time on its own thread, and writes results
// to the other queue, until the client releases the context or dies. Each packet has one result:
// GENERAL_FAILURE for an ill-formed one, and if the client does not provide a memory.
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
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include "nnapi_android/burst_channels.h"

namespace android::nn {

// Packets. A request has slots instead of pools.
std::vector<::nn::V1_2::FmqResultDatum> serialize(
        ::nn::V1_0::ErrorStatus errorStatus,
        const std::vector<::nn::V1_2::OutputShape>& outputShapes, ::nn::V1_2::Timing timing);
std::optional<std::tuple<::nn::V1_0::Request, std::vector<int32_t>, ::nn::V1_2::MeasureTiming>>
deserialize(const std::vector<::nn::V1_2::FmqRequestDatum>& data);

class ExecutionBurstServer : public ::nn::V1_2::IBurstContext {
   public:
    // The driver's use of memories in slots, and of requests. Its methods are never called by two
    // threads at once.
    class IBurstExecutorWithCache {
       public:
        IBurstExecutorWithCache() = default;
        IBurstExecutorWithCache(const IBurstExecutorWithCache&) = delete;
        IBurstExecutorWithCache& operator=(const IBurstExecutorWithCache&) = delete;
        virtual ~IBurstExecutorWithCache() = default;

        virtual bool isCacheEntryPresent(int32_t slot) const = 0;
        virtual void addCacheEntry(const ::nn::hidl::hidl_memory& memory, int32_t slot) = 0;
        // Also of a slot without an entry.
        virtual void removeCacheEntry(int32_t slot) = 0;

        // Pools are empty: poolIndex is an index into the slots, which all have entries.
        virtual std::tuple<::nn::V1_0::ErrorStatus, ::nn::hidl::hidl_vec<::nn::V1_2::OutputShape>,
                           ::nn::V1_2::Timing>
        execute(const ::nn::V1_0::Request& request, const std::vector<int32_t>& slots,
                ::nn::V1_2::MeasureTiming measure) = 0;
    };

    // pollingTimeWindow: how long to poll the queue before blocking. Null for null arguments and
    // for queues that cannot be used.
    static ::nn::hidl::sp<ExecutionBurstServer> create(
            const ::nn::hidl::sp<::nn::V1_2::IBurstCallback>& callback,
            const FmqRequestDescriptor& requestChannel, const FmqResultDescriptor& resultChannel,
            std::shared_ptr<IBurstExecutorWithCache> executorWithCache,
            std::chrono::microseconds pollingTimeWindow = std::chrono::microseconds{0});

    // With executeSynchronously of a prepared model, which the context keeps.
    static ::nn::hidl::sp<ExecutionBurstServer> create(
            const ::nn::hidl::sp<::nn::V1_2::IBurstCallback>& callback,
            const FmqRequestDescriptor& requestChannel, const FmqResultDescriptor& resultChannel,
            ::nn::V1_2::IPreparedModel* preparedModel,
            std::chrono::microseconds pollingTimeWindow = std::chrono::microseconds{0});

    ~ExecutionBurstServer() override;

    ::nn::hidl::Return<void> freeMemory(int32_t slot) override;

   private:
    class Worker;
    explicit ExecutionBurstServer(std::shared_ptr<Worker> worker);

    const std::shared_ptr<Worker> mWorker;
};

}  // namespace android::nn
