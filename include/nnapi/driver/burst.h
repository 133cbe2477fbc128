// nnapi/driver/burst.h -- bursts over queues in shared memory, both ends.
//
//   auto burst = nn::V1_2::utils::Burst::create(preparedModel, driversPreparedModel, window);
//
// For those who write wrappers and adapters; a wrapped or adapted prepared model makes bursts by
// itself. Requests and results travel as packets of datums through two message queues that the
// client makes; memories travel once, and are named by slots. The memory of a queue belongs to the
// peer as well: packets are copied out before they are looked at, and no count in them is trusted.
#pragma once

#include <chrono>
#include <cstddef>
#include <utility>
#include <vector>

#include "nnapi/driver/wrap.h"
#include "nnapi/hal/hidl/message_queue.h"

namespace nn::V1_2::utils {

// Datums that a queue of a burst holds.
inline constexpr size_t kExecutionBurstChannelLength = 1024;

// The packets. serialize() never fails; deserialize() answers INVALID_ARGUMENT with the place of
// the first datum that is wrong.
std::vector<FmqRequestDatum> serialize(const V1_0::Request& request, MeasureTiming measure,
                                       const std::vector<int32_t>& slots);
struct RequestPacket {
    V1_0::Request request{};  // without pools
    std::vector<int32_t> slots{};
    MeasureTiming measure{};
};
Result<RequestPacket> deserialize(const std::vector<FmqRequestDatum>& packet);

std::vector<FmqResultDatum> serialize(V1_0::ErrorStatus status,
                                      const hidl_vec<OutputShape>& outputShapes,
                                      const Timing& timing);
struct ResultPacket {
    V1_0::ErrorStatus status{};
    hidl_vec<OutputShape> outputShapes{};
    Timing timing{};
};
Result<ResultPacket> deserialize(const std::vector<FmqResultDatum>& packet);

// The client's end: a burst of a driver's prepared model. Requests that the burst cannot carry go
// to the canonical prepared model, which wraps the same.
struct Burst {
    static GeneralResult<SharedBurst> create(SharedPreparedModel preparedModel,
                                             hidl::sp<V1_2::IPreparedModel> driver,
                                             std::chrono::microseconds pollingTimeWindow,
                                             WrapOptions options = {});
};

}  // namespace nn::V1_2::utils

namespace nn::hal::adapter {

// The driver's end: executes what comes through the queues by a canonical burst, on a thread that
// ends with the context. GENERAL_FAILURE for null or queues that cannot be taken.
GeneralResult<hidl::sp<V1_2::IBurstContext>> makeBurstContext(
        const hidl::sp<V1_2::IBurstCallback>& callback,
        const hidl::MQDescriptorSync<V1_2::FmqRequestDatum>& requestChannel,
        const hidl::MQDescriptorSync<V1_2::FmqResultDatum>& resultChannel, SharedBurst burst,
        std::chrono::microseconds pollingTimeWindow);

}  // namespace nn::hal::adapter
