// nnapi/driver/burst.h -- Bursts of HAL 1.2 over message queues: client and server.
//
//   auto burst = nn::V1_2::utils::Burst::create(preparedModel, driversPreparedModel, window);
//   auto hold = (*burst)->cacheMemory(pool);   // mapped once by the driver, while the hold lives
//   auto executed = (*burst)->execute(request, nn::MeasureTiming::NO, deadline, {}, {}, {});
//
//   // in the prepared model of a HIDL driver:
//   Return<void> configureExecutionBurst(const sp<V1_2::IBurstCallback>& callback, ...) override {
//       return nn::V1_2::utils::serveBurst(this, callback, requestChannel, resultChannel, results);
//   }
//
// For writers of HIDL drivers, wrappers and adapters; wrapped and adapted prepared models create
// bursts themselves. Requests and results travel as packets of datums through two message queues
// that the client creates. Memories are sent once and then referred to by slots. The peer can write
// to a queue's memory at any time, so packets are copied before they are read, and no count in them
// is trusted. Thread-safe. Source: IBurstContext and IBurstCallback of neuralnetworks/1.2.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "nnapi/driver/wrap.h"
#include "nnapi/hal/hidl/message_queue.h"

namespace nn {
namespace V1_2 NNAPI_BINDING::utils {

// Capacity of a queue, in datums.
inline constexpr size_t kExecutionBurstChannelLength = 1024;

// Packet encoding. serialize() never fails; deserialize() fails with INVALID_ARGUMENT and the
// position of the first wrong datum.
std::vector<FmqRequestDatum> serialize(const V1_0::Request& request, MeasureTiming measure,
                                       const std::vector<int32_t>& slots);
// One execution.
struct RequestPacket {
    V1_0::Request request{};       // without pools
    std::vector<int32_t> slots{};  // one for each pool, by which the client names it
    MeasureTiming measure{};       // as sent, perhaps not an enumerator
};
// INVALID_ARGUMENT with the position of the first wrong datum.
Result<RequestPacket> deserialize(const std::vector<FmqRequestDatum>& packet);

// Never fails. The packet may be longer than a queue.
std::vector<FmqResultDatum> serialize(V1_0::ErrorStatus status,
                                      const hidl_vec<OutputShape>& outputShapes,
                                      const Timing& timing);
// Its result.
struct ResultPacket {
    V1_0::ErrorStatus status{};            // as sent, perhaps not an enumerator
    hidl_vec<OutputShape> outputShapes{};  // as sent, without validation
    Timing timing{};                       // as sent, without validation
};
// INVALID_ARGUMENT with the position of the first wrong datum.
Result<ResultPacket> deserialize(const std::vector<FmqResultDatum>& packet);

// The client's end: a burst of a driver's prepared model.
//
// Requests that the burst cannot transfer (too large, or newer than HAL 1.2) go to the canonical
// prepared model, which wraps the same driver; a reusable execution that is too large fails with
// GENERAL_FAILURE. Deadlines, loop timeouts and hints do not reach the driver and are reported to
// the listener as losses of "IBurst::execute". The deadline bounds the wait for the result
// (MISSED_DEADLINE_TRANSIENT), otherwise options.ceiling does (GENERAL_FAILURE). After an abandoned
// execution the next one first waits for its result. After the driver's death every call is
// DEAD_OBJECT; after the driver has corrupted a queue, GENERAL_FAILURE.
struct Burst {
    //   pollingTimeWindow   how long to poll the result queue before blocking; 0 or less: not at
    //   all options             onLoss and ceiling are used
    // GENERAL_FAILURE for null and if the driver returns no context; the driver's error code;
    // DEAD_OBJECT if it is dead.
    static GeneralResult<SharedBurst> create(SharedPreparedModel preparedModel,
                                             hidl::sp<V1_2::IPreparedModel> driver,
                                             std::chrono::microseconds pollingTimeWindow,
                                             WrapOptions options = {});
};

// The driver's end, for a driver's own prepared model: executes requests from the queue by
// executeSynchronously, of V1_3 by executeSynchronously_1_3 without a deadline. Otherwise as
// makeBurstContext() below: the client's memories are kept by slot, malformed packets receive an
// error as their reply, and the thread ends with the last reference to the context. The context
// keeps the prepared model, which must not keep the context in turn. One execution at a time;
// results of the prepared model are checked; for a null result, and if the prepared model dies or
// does not reply, the client receives GENERAL_FAILURE.
//     pollingTimeWindow  how long to poll the request queue before blocking; 0 or less: not at all
GeneralResult<hidl::sp<V1_2::IBurstContext>> serveBurst(
        const hidl::sp<V1_2::IPreparedModel>& preparedModel,
        const hidl::sp<V1_2::IBurstCallback>& callback,
        const hidl::MQDescriptorSync<V1_2::FmqRequestDatum>& requestChannel,
        const hidl::MQDescriptorSync<V1_2::FmqResultDatum>& resultChannel,
        std::chrono::microseconds pollingTimeWindow = {});

// The same as the whole body of IPreparedModel::configureExecutionBurst: calls `results` once, with
// the context, or with the code of the error and null. Returns a transport error if `results` is
// null.
hidl::Return<void> serveBurst(const hidl::sp<V1_2::IPreparedModel>& preparedModel,
                              const hidl::sp<V1_2::IBurstCallback>& callback,
                              const hidl::MQDescriptorSync<V1_2::FmqRequestDatum>& requestChannel,
                              const hidl::MQDescriptorSync<V1_2::FmqResultDatum>& resultChannel,
                              const V1_2::IPreparedModel::configureExecutionBurst_cb& results,
                              std::chrono::microseconds pollingTimeWindow = {});

}  // namespace NNAPI_BINDING::utils
}  // namespace nn

namespace nn::hal::adapter {

// The driver's end: executes requests from the queue with a canonical burst, on a thread that ends
// when the last reference to the context is released or the client dies. Each packet receives one
// reply; an ill-formed packet, or one with memories that the client does not provide, receives
// GENERAL_FAILURE. If an execution runs longer than ten seconds after the last reference, its
// thread is detached. GENERAL_FAILURE for null and for unusable queues: without an event flag, in
// memory that can be shortened, or longer than 16 times the usual length.
GeneralResult<hidl::sp<V1_2::IBurstContext>> makeBurstContext(
        const hidl::sp<V1_2::IBurstCallback>& callback,
        const hidl::MQDescriptorSync<V1_2::FmqRequestDatum>& requestChannel,
        const hidl::MQDescriptorSync<V1_2::FmqResultDatum>& resultChannel, SharedBurst burst,
        std::chrono::microseconds pollingTimeWindow);

}  // namespace nn::hal::adapter
