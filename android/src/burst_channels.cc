#include "nnapi_android/burst_channels.h"

#include "ExecutionBurstController.h"
#include "ExecutionBurstServer.h"
#include "driver/memory/burst_channel.h"

namespace nnapi_android {

using ::nn::driver::BurstChannel;

template <class Datum>
typename ChannelEnd<Datum>::Channel ChannelEnd<Datum>::create(size_t length) {
    return BurstChannel<Datum>::create(length);
}

template <class Datum>
typename ChannelEnd<Datum>::Channel ChannelEnd<Datum>::open(const Descriptor& descriptor) {
    return BurstChannel<Datum>::open(descriptor);
}

template <class Datum>
const typename ChannelEnd<Datum>::Descriptor* ChannelEnd<Datum>::descriptorOf(
        const Channel& channel) {
    return &channel->descriptor();
}

template <class Datum>
bool ChannelEnd<Datum>::sendPacket(const std::vector<Datum>& packet) {
    return !mIsInvalid && mChannel->isValid() && mChannel->hasRoomFor(packet) &&
           mChannel->send(packet);
}

template <class Datum>
std::optional<std::vector<Datum>> ChannelEnd<Datum>::getPacketBlocking() {
    if (mIsInvalid || mChannel->await(mWindow, mIsInvalid, {}) != ::nn::driver::Awaited::READY) {
        return std::nullopt;
    }
    const auto packet = mChannel->receive();
    if (packet.empty()) return std::nullopt;
    return std::vector<Datum>(packet.begin(), packet.end());
}

template <class Datum>
void ChannelEnd<Datum>::invalidate() {
    mIsInvalid = true;
    mChannel->interrupt();
}

template class ChannelEnd<::nn::V1_2::FmqRequestDatum>;
template class ChannelEnd<::nn::V1_2::FmqResultDatum>;

namespace {

constexpr std::chrono::microseconds kNoPolling{0};

template <class End>
std::unique_ptr<End> endOf(typename End::Channel channel, std::chrono::microseconds window) {
    return channel == nullptr ? nullptr : std::make_unique<End>(std::move(channel), window);
}

}  // namespace
}  // namespace nnapi_android

namespace android::nn {

using ::nnapi_android::ChannelEnd;
using ::nnapi_android::endOf;
using ::nnapi_android::kNoPolling;

std::pair<std::unique_ptr<RequestChannelSender>, const FmqRequestDescriptor*>
RequestChannelSender::create(size_t channelLength) {
    auto channel = ChannelEnd::create(channelLength);
    const auto* descriptor = channel == nullptr ? nullptr : descriptorOf(channel);
    return {endOf<RequestChannelSender>(std::move(channel), kNoPolling), descriptor};
}

bool RequestChannelSender::send(const ::nn::V1_0::Request& request,
                                ::nn::V1_2::MeasureTiming measure,
                                const std::vector<int32_t>& slots) {
    return sendPacket(serialize(request, measure, slots));
}

std::pair<std::unique_ptr<ResultChannelReceiver>, const FmqResultDescriptor*>
ResultChannelReceiver::create(size_t channelLength, std::chrono::microseconds pollingTimeWindow) {
    auto channel = ChannelEnd::create(channelLength);
    const auto* descriptor = channel == nullptr ? nullptr : descriptorOf(channel);
    return {endOf<ResultChannelReceiver>(std::move(channel), pollingTimeWindow), descriptor};
}

std::optional<std::tuple<::nn::V1_0::ErrorStatus, std::vector<::nn::V1_2::OutputShape>,
                         ::nn::V1_2::Timing>>
ResultChannelReceiver::getBlocking() {
    const auto packet = getPacketBlocking();
    return packet ? deserialize(*packet) : std::nullopt;
}

std::unique_ptr<RequestChannelReceiver> RequestChannelReceiver::create(
        const FmqRequestDescriptor& requestChannel, std::chrono::microseconds pollingTimeWindow) {
    return endOf<RequestChannelReceiver>(open(requestChannel), pollingTimeWindow);
}

std::optional<std::tuple<::nn::V1_0::Request, std::vector<int32_t>, ::nn::V1_2::MeasureTiming>>
RequestChannelReceiver::getBlocking() {
    const auto packet = getPacketBlocking();
    return packet ? deserialize(*packet) : std::nullopt;
}

std::unique_ptr<ResultChannelSender> ResultChannelSender::create(
        const FmqResultDescriptor& resultChannel) {
    return endOf<ResultChannelSender>(open(resultChannel), kNoPolling);
}

bool ResultChannelSender::send(::nn::V1_0::ErrorStatus errorStatus,
                               const std::vector<::nn::V1_2::OutputShape>& outputShapes,
                               ::nn::V1_2::Timing timing) {
    return sendPacket(serialize(errorStatus, outputShapes, timing));
}

}  // namespace android::nn
