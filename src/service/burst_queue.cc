#include "service/burst_queue.h"

namespace nn::service {

using hidl::GrantorDescriptor;

int descriptorOf(const QueueChannel& channel) {
    const hidl::native_handle_t* handle = channel.descriptor().handle();
    return handle == nullptr || handle->numFds != 1 ? -1 : handle->data[0];
}

void write(const QueueChannel& channel, rpc::Queue::Builder to) {
    const auto& grantors = channel.descriptor().grantors();
    auto parts = to.initParts(static_cast<unsigned>(grantors.size()));
    for (unsigned i = 0; i < parts.size(); ++i) {
        parts[i].setOffset(grantors[i].offset);
        parts[i].setExtent(grantors[i].extent);
    }
}

Result<std::shared_ptr<QueueChannel>> queueOf(rpc::Queue::Reader from, const SharedHandle& memory) {
    const auto refuse = [] {
        return Status(error(ErrorStatus::INVALID_ARGUMENT) << "the burst's queue is not a queue");
    };
    constexpr unsigned kParts = 4;
    if (memory == nullptr || from.getParts().size() != kParts) return refuse();
    std::vector<GrantorDescriptor> grantors;
    for (const auto part : from.getParts()) {
        grantors.push_back({.offset = part.getOffset(), .extent = part.getExtent()});
    }
    hidl::native_handle_t* native = hidl::native_handle_create(1, 0);
    if (native == nullptr) return refuse();
    hidl::hidl_handle handle;
    handle.setTo(native, /*shouldOwn=*/true);
    native->data[0] = duplicate(memory->get()).release();
    auto channel = QueueChannel::open(hidl::MQDescriptorSync<uint64_t>(
            hidl::hidl_vec<GrantorDescriptor>(std::move(grantors)), handle, sizeof(uint64_t)));
    if (channel == nullptr) return refuse();
    return channel;
}

std::optional<PacketReader::Packet> PacketReader::next() {
    constexpr size_t kHeader = PacketWriter::kHeader;
    if (mWords.empty() || mIsSpoilt) return {};
    if (mWords.size() < kHeader || mWords[0] < kHeader || mWords[0] > mWords.size()) {
        mIsSpoilt = true;
        return {};
    }
    const auto size = static_cast<size_t>(mWords[0]);
    const Packet packet{.number = mWords[1], .message = mWords.subspan(kHeader, size - kHeader)};
    mWords = mWords.subspan(size);
    return packet;
}

}  // namespace nn::service
