#include "driver/hidl/adapter.h"

namespace nn::hal::adapter {
namespace {

// Copies between the buffer and a client's memory.
template <class Copy>
V1_3::ErrorStatus withMemory(const Context& context, std::string_view call,
                             const hidl_memory& memory, Copy copy) {
    const Status ended = contain([&]() -> Status {
        const Result<SharedMemory> canonical = convert(memory);
        if (canonical.ok()) return copy(*canonical);
        return blameClient(canonical.status());
    });
    CallLosses losses(context, call);
    const auto status = statusFor<HalVersion::V1_3>(errorStatus(ended), losses);
    losses.report();
    return status;
}

}  // namespace

Return<V1_3::ErrorStatus> BufferAdapter::copyTo(const hidl_memory& dst) {
    return withMemory(*mContext, "copyTo", dst,
                      [&](const SharedMemory& memory) { return mBuffer->copyTo(memory); });
}

Return<V1_3::ErrorStatus> BufferAdapter::copyFrom(const hidl_memory& src,
                                                  const hidl_vec<uint32_t>& dimensions) {
    return withMemory(*mContext, "copyFrom", src, [&](const SharedMemory& memory) {
        return mBuffer->copyFrom(memory, Dimensions(dimensions.begin(), dimensions.end()));
    });
}

}  // namespace nn::hal::adapter
