#include "driver/wrap/buffer_wrapper.h"

#include "driver/aidl/aidl_buffer.h"
#include "driver/aidl/transport.h"
#include "nnapi/convert.h"

namespace nn::driver {

using AidlBuffer = std::shared_ptr<aidl_hal::IBuffer>;

template <>
struct BufferRow<AidlBuffer> {
    static Status copyTo(const AidlBuffer& driver, const SharedMemory& dst) {
        NNAPI_ASSIGN_OR_RETURN(memory, AIDL4::utils::convert(dst));
        return aidl::failureOf(driver->copyTo(memory), "copyTo");
    }
    static Status copyFrom(const AidlBuffer& driver, const SharedMemory& src,
                           const Dimensions& dimensions) {
        NNAPI_ASSIGN_OR_RETURN(memory, AIDL4::utils::convert(src));
        NNAPI_ASSIGN_OR_RETURN(desc, AIDL4::utils::convert(BufferDesc{.dimensions = dimensions}));
        return aidl::failureOf(driver->copyFrom(memory, desc.dimensions), "copyFrom");
    }
};

GeneralResult<SharedBuffer> aidl::wrapBuffer(std::shared_ptr<aidl_hal::IBuffer> buffer,
                                             int32_t token) {
    if (token < 0) return error() << kNegativeToken << -int64_t{token} << ", allowed 1 or more";
    return BufferWrapper<AidlBuffer>::create(std::move(buffer),
                                             static_cast<Request::MemoryDomainToken>(token));
}

}  // namespace nn::driver
