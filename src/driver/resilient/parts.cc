#include "driver/resilient/parts.h"

#include <string>

namespace nn::driver {

using hal::utils::ResilientBuffer;

Status diedForGood(const Status& call, const Status& recovery) {
    return error(ErrorStatus::DEAD_OBJECT)
           << std::string(call.message()) << "; the recovery has failed with "
           << errorStatus(recovery) << ": " << std::string(recovery.message());
}

Request::MemoryDomainToken BufferTable::add(const SharedRecoverable<IBuffer>& buffer) const {
    const std::lock_guard lock(mMutex);
    for (;;) {
        const Request::MemoryDomainToken token{++mLast};
        if (token != Request::MemoryDomainToken{} && mBuffers.try_emplace(token, buffer).second) {
            return token;
        }
    }
}

void BufferTable::remove(Request::MemoryDomainToken token) const {
    const std::lock_guard lock(mMutex);
    mBuffers.erase(token);
}

GeneralResult<SharedBuffer> BufferTable::find(Request::MemoryDomainToken token,
                                              const void* device) const {
    SharedRecoverable<IBuffer> buffer;
    {
        const std::lock_guard lock(mMutex);
        const auto found = mBuffers.find(token);
        if (found != mBuffers.end()) buffer = found->second.lock();
    }
    if (buffer == nullptr) {
        return error(ErrorStatus::INVALID_ARGUMENT)
               << "no buffer of the device has token " << static_cast<uint32_t>(token);
    }
    return on(*buffer, device);
}

GeneralResult<SharedBuffer> BufferTable::on(const Recoverable<IBuffer>& buffer,
                                            const void* device) const {
    GeneralResult<Made<IBuffer>> made = buffer.current();
    // One of a device that has died since has no values any more, and nothing to lose.
    if (made->device.get() != mDevice->current().object.get()) {
        made = buffer.recover(made->object.get(), /*isBlocking=*/false);
        if (!made.has_value()) return made.status();
    }
    if (made->isFinal || made->device.get() == device) return made->object;
    return error(ErrorStatus::DEAD_OBJECT)
           << "the device has come back, and this was made before that";
}

GeneralResult<std::optional<Request>> requestOn(const Request& request, const BufferTable* buffers,
                                                const void* device) NNAPI_TRY {
    std::optional<Request> known;
    const auto replace = [&](size_t i, Request::MemoryPool pool) {
        if (!known) known = request;
        known->pools[i] = std::move(pool);
    };
    for (size_t i = 0; i < request.pools.size(); ++i) {
        if (const auto* token = std::get_if<Request::MemoryDomainToken>(&request.pools[i])) {
            if (buffers == nullptr) continue;
            auto buffer = buffers->find(*token, device);
            if (!buffer.has_value()) {
                return error(buffer.error().code)
                       << "pools[" << i << "]: " << buffer.error().message;
            }
            replace(i, (*buffer)->getToken());
        } else if (const auto* shared = std::get_if<SharedBuffer>(&request.pools[i])) {
            SharedBuffer inner = *shared;
            while (const auto* resilient = dynamic_cast<const ResilientBuffer*>(inner.get())) {
                const ResilientBuffer::Parts& parts = resilient->parts();
                if (parts.registration == nullptr) {
                    inner = resilient->getBuffer();
                    continue;
                }
                if (&parts.registration->table() == buffers) {
                    auto buffer = buffers->on(*parts.engine, device);
                    if (!buffer.has_value()) {
                        return error(buffer.error().code)
                               << "pools[" << i << "]: " << buffer.error().message;
                    }
                    inner = *std::move(buffer);
                }
                break;
            }
            if (inner != *shared) replace(i, std::move(inner));
        }
    }
    return known;
}
NNAPI_CATCH

}  // namespace nn::driver
