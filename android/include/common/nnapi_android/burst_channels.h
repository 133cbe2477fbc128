// nnapi_android/burst_channels.h -- the ends of the queues of a burst, as parts.
//
//   auto [sender, requests] = RequestChannelSender::create(kExecutionBurstChannelLength);
//   auto [receiver, results] = ResultChannelReceiver::create(kExecutionBurstChannelLength, window);
//   preparedModel->configureExecutionBurst(callback, *requests, *results, cb);
//   if (sender->send(request, measure, slots)) result = receiver->getBlocking();
//
// Each end belongs to one thread, but for invalidate(), which ends waits.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "nnapi/hal/v1_2_interfaces.h"

namespace nn::driver {
template <class Datum>
class BurstChannel;
}

namespace nnapi_android {

// An end of a queue.
template <class Datum>
class ChannelEnd {
   public:
    using Descriptor = ::nn::hidl::MQDescriptorSync<Datum>;
    using Channel = std::shared_ptr<::nn::driver::BurstChannel<Datum>>;

    // Null without memory, and for a descriptor of no such queue.
    static Channel create(size_t length);
    static Channel open(const Descriptor& descriptor);
    static const Descriptor* descriptorOf(const Channel& channel);

    ChannelEnd(Channel channel, std::chrono::microseconds window)
        : mChannel(std::move(channel)), mWindow(window) {}

    // False, without sending, for a packet that does not fit, and once it is invalid.
    bool sendPacket(const std::vector<Datum>& packet);
    // Waits for a packet. Nothing once it is invalid.
    std::optional<std::vector<Datum>> getPacketBlocking();
    void invalidate();

   private:
    const Channel mChannel;
    const std::chrono::microseconds mWindow;
    std::atomic<bool> mIsInvalid{false};
};
extern template class ChannelEnd<::nn::V1_2::FmqRequestDatum>;
extern template class ChannelEnd<::nn::V1_2::FmqResultDatum>;

}  // namespace nnapi_android

namespace android::nn {

using FmqRequestDescriptor = ::nn::hidl::MQDescriptorSync<::nn::V1_2::FmqRequestDatum>;
using FmqResultDescriptor = ::nn::hidl::MQDescriptorSync<::nn::V1_2::FmqResultDatum>;

// ---- the client's

class RequestChannelSender : public ::nnapi_android::ChannelEnd<::nn::V1_2::FmqRequestDatum> {
   public:
    using ChannelEnd::ChannelEnd;
    // Both are null where there is no memory. The descriptor lives as long as the sender.
    static std::pair<std::unique_ptr<RequestChannelSender>, const FmqRequestDescriptor*> create(
            size_t channelLength);
    bool send(const ::nn::V1_0::Request& request, ::nn::V1_2::MeasureTiming measure,
              const std::vector<int32_t>& slots);
};

class ResultChannelReceiver : public ::nnapi_android::ChannelEnd<::nn::V1_2::FmqResultDatum> {
   public:
    using ChannelEnd::ChannelEnd;
    static std::pair<std::unique_ptr<ResultChannelReceiver>, const FmqResultDescriptor*> create(
            size_t channelLength, std::chrono::microseconds pollingTimeWindow);
    std::optional<std::tuple<::nn::V1_0::ErrorStatus, std::vector<::nn::V1_2::OutputShape>,
                             ::nn::V1_2::Timing>>
    getBlocking();
};

// ---- the driver's

class RequestChannelReceiver : public ::nnapi_android::ChannelEnd<::nn::V1_2::FmqRequestDatum> {
   public:
    using ChannelEnd::ChannelEnd;
    static std::unique_ptr<RequestChannelReceiver> create(
            const FmqRequestDescriptor& requestChannel,
            std::chrono::microseconds pollingTimeWindow);
    std::optional<std::tuple<::nn::V1_0::Request, std::vector<int32_t>, ::nn::V1_2::MeasureTiming>>
    getBlocking();
};

class ResultChannelSender : public ::nnapi_android::ChannelEnd<::nn::V1_2::FmqResultDatum> {
   public:
    using ChannelEnd::ChannelEnd;
    static std::unique_ptr<ResultChannelSender> create(const FmqResultDescriptor& resultChannel);
    bool send(::nn::V1_0::ErrorStatus errorStatus,
              const std::vector<::nn::V1_2::OutputShape>& outputShapes, ::nn::V1_2::Timing timing);
};

}  // namespace android::nn
