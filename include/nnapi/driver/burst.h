// nnapi/driver/burst.h -- bursts over queues in shared memory, both ends.
//
//   auto burst = nn::V1_2::utils::Burst::create(preparedModel, driversPreparedModel, window);
//   auto hold = (*burst)->cacheMemory(pool);   // the driver maps it once, until the hold is gone
//   auto executed = (*burst)->execute(request, nn::MeasureTiming::NO, deadline, {}, {}, {});
//
// For those who write wrappers and adapters; a wrapped or adapted prepared model makes bursts by
// itself. Requests and results travel as packets of datums through two message queues that the
// client makes; memories travel once, and are named by slots. The memory of a queue belongs to the
// peer as well: packets are copied out before they are looked at, and no count in them is trusted.
// Thread-safe. Source: neuralnetworks/1.2, IBurstContext and IBurstCallback.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
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
    V1_0::ErrorStatus status{};  // any code that the driver sends
    hidl_vec<OutputShape> outputShapes{};
    Timing timing{};
};
Result<ResultPacket> deserialize(const std::vector<FmqResultDatum>& packet);

// The client's end: a burst of a driver's prepared model.
//
// Requests that the burst cannot carry, because they are too large or newer than HAL 1.2, go to the
// canonical prepared model, which wraps the same; a reusable execution that is too large fails with
// GENERAL_FAILURE. Neither deadline nor loop timeout nor hints reach the driver: listeners are told
// under the name "IBurst::execute", and the deadline bounds the wait for the answer
// (MISSED_DEADLINE_TRANSIENT). Without one options.ceiling does (GENERAL_FAILURE). The execution
// after one that was given up waits for that answer first. Once the driver has died everything is
// DEAD_OBJECT; once it has spoilt the queues, GENERAL_FAILURE.
struct Burst {
    //   pollingTimeWindow   how long to look at the queue of results before sleeping; 0 or less is
    //                       not at all
    //   options             of them onLoss and ceiling
    // GENERAL_FAILURE for null, and where the driver answers no context; the code that the driver
    // answers; DEAD_OBJECT where it is dead.
    static GeneralResult<SharedBurst> create(SharedPreparedModel preparedModel,
                                             hidl::sp<V1_2::IPreparedModel> driver,
                                             std::chrono::microseconds pollingTimeWindow,
                                             WrapOptions options = {});
};

}  // namespace nn::V1_2::utils

namespace nn::hal::adapter {

// The driver's end: executes what comes through the queues by a canonical burst, on a thread that
// ends when the last reference to the context goes, or the client dies. Each packet is answered
// once: an ill-formed one by GENERAL_FAILURE, like one whose memories the client does not give.
// Where an execution takes longer than ten seconds after the last reference, the thread is left to
// end by itself. GENERAL_FAILURE for null, and for queues that cannot be taken: without an event
// flag, of memory that can be shortened, or of more than 16 times the usual length.
GeneralResult<hidl::sp<V1_2::IBurstContext>> makeBurstContext(
        const hidl::sp<V1_2::IBurstCallback>& callback,
        const hidl::MQDescriptorSync<V1_2::FmqRequestDatum>& requestChannel,
        const hidl::MQDescriptorSync<V1_2::FmqResultDatum>& resultChannel, SharedBurst burst,
        std::chrono::microseconds pollingTimeWindow);

}  // namespace nn::hal::adapter
