#include "driver/resilient/parts.h"

namespace nn::hal::utils {

using driver::Instance;

GeneralResult<std::shared_ptr<const ResilientBuffer>> ResilientBuffer::create(
        Factory makeBuffer, ResilientOptions options) NNAPI_TRY {
    auto engine = driver::recoverableFrom<IBuffer>(std::move(makeBuffer), options.recoveryTimeout);
    if (!engine.has_value()) return engine.status();
    return std::make_shared<const ResilientBuffer>(std::make_shared<const Parts>(
            Parts{.engine = *std::move(engine), .registration = nullptr}));
}
NNAPI_CATCH

SharedBuffer ResilientBuffer::getBuffer() const { return mParts->engine->current().object; }

GeneralResult<SharedBuffer> ResilientBuffer::recover(const IBuffer* failingBuffer) const {
    return driver::objectOf(mParts->engine->recover(failingBuffer, /*isBlocking=*/false));
}

Request::MemoryDomainToken ResilientBuffer::getToken() const {
    if (mParts->registration != nullptr) return mParts->registration->token();
    return getBuffer()->getToken();
}

GeneralResult<void> ResilientBuffer::copyTo(const SharedMemory& dst) const {
    return mParts->engine->protect(
            [&](const Instance<IBuffer>& on) { return on.object->copyTo(dst); });
}

GeneralResult<void> ResilientBuffer::copyFrom(const SharedMemory& src,
                                              const Dimensions& dimensions) const {
    return mParts->engine->protect(
            [&](const Instance<IBuffer>& on) { return on.object->copyFrom(src, dimensions); });
}

}  // namespace nn::hal::utils
