#include "driver/hidl/transport.h"
#include "nnapi/convert.h"
#include "types/no_throw.h"

namespace nn {
namespace {

class BufferWrapper final : public IBuffer {
   public:
    BufferWrapper(hidl::sp<V1_3::IBuffer> driver, Request::MemoryDomainToken token)
        : mDriver(std::move(driver)), mToken(token) {}

    Request::MemoryDomainToken getToken() const override { return mToken; }

    GeneralResult<void> copyTo(const SharedMemory& dst) const override NNAPI_TRY {
        NNAPI_ASSIGN_OR_RETURN(memory, V1_3::utils::convert(dst));
        return driver::hidl::statusOf(mDriver->copyTo(memory), "copyTo");
    }
    NNAPI_CATCH

    GeneralResult<void> copyFrom(const SharedMemory& src,
                                 const Dimensions& dimensions) const override NNAPI_TRY {
        NNAPI_ASSIGN_OR_RETURN(memory, V1_3::utils::convert(src));
        return driver::hidl::statusOf(mDriver->copyFrom(memory, dimensions), "copyFrom");
    }
    NNAPI_CATCH

   private:
    hidl::sp<V1_3::IBuffer> mDriver;
    Request::MemoryDomainToken mToken;
};

}  // namespace

GeneralResult<SharedBuffer> V1_3::utils::Buffer::create(hidl::sp<V1_3::IBuffer> buffer,
                                                        nn::Request::MemoryDomainToken token,
                                                        WrapOptions) NNAPI_TRY {
    if (buffer == nullptr) return error() << "the buffer is null";
    if (token == nn::Request::MemoryDomainToken{}) {
        return error() << "the buffer's token is 0, which names no buffer";
    }
    return SharedBuffer(std::make_shared<const BufferWrapper>(std::move(buffer), token));
}
NNAPI_CATCH

}  // namespace nn
