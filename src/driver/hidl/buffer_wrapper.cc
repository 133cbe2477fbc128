#include "driver/wrap/buffer_wrapper.h"

#include "driver/hidl/transport.h"
#include "nnapi/convert.h"

namespace nn {
namespace driver {

using HidlBuffer = nn::hidl::sp<V1_3::IBuffer>;

template <>
struct BufferRow<HidlBuffer> {
    static Status copyTo(const HidlBuffer& driver, const SharedMemory& dst) {
        NNAPI_ASSIGN_OR_RETURN(memory, V1_3::utils::convert(dst));
        return hidl_calls::statusOf(driver->copyTo(memory), "copyTo");
    }
    static Status copyFrom(const HidlBuffer& driver, const SharedMemory& src,
                           const Dimensions& dimensions) {
        NNAPI_ASSIGN_OR_RETURN(memory, V1_3::utils::convert(src));
        return hidl_calls::statusOf(driver->copyFrom(memory, dimensions), "copyFrom");
    }
};

}  // namespace driver

GeneralResult<SharedBuffer> V1_3::utils::Buffer::create(hidl::sp<V1_3::IBuffer> buffer,
                                                        nn::Request::MemoryDomainToken token,
                                                        WrapOptions) {
    return driver::BufferWrapper<driver::HidlBuffer>::create(std::move(buffer), token);
}

}  // namespace nn
