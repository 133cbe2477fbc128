#include "driver/resilient/parts.h"

#include <algorithm>
#include <string>

namespace nn::driver {

using hal::utils::ResilientBuffer;

Status recoveryFailed(const Status& call, const Status& recovery) {
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

GeneralResult<SharedRecoverable<IBuffer>> BufferTable::find(
        Request::MemoryDomainToken token) const {
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
    return buffer;
}

GeneralResult<SharedBuffer> BufferTable::on(const Recoverable<IBuffer>& buffer,
                                            const void* device) const {
    GeneralResult<Instance<IBuffer>> made = buffer.current();
    // A buffer of a device that has died since has lost its values already.
    if (made->device.get() != mDevice->current().object.get()) {
        made = buffer.recover(made->object.get(), /*isBlocking=*/false);
        if (!made.has_value()) return made.status();
    }
    if (made->isFinal || made->device.get() == device) return made->object;
    return error(ErrorStatus::DEAD_OBJECT)
           << "the device has come back, and this was made before that";
}

GeneralResult<KnownRequest> KnownRequest::on(const void* device, const Request& request,
                                             const BufferTable* buffers) NNAPI_TRY {
    KnownRequest known(request);
    for (size_t i = 0; i < request.pools.size(); ++i) {
        const auto inPool = [&](const GeneralError& why) {
            return error(why.code) << "pools[" << i << "]: " << why.message;
        };
        if (const auto* token = std::get_if<Request::MemoryDomainToken>(&request.pools[i])) {
            if (buffers == nullptr) continue;
            const auto buffer = buffers->find(*token);
            if (!buffer.has_value()) return inPool(buffer.error());
            const GeneralResult<void> replaced =
                    known.replace(i, *buffer, *buffers, device, /*byToken=*/true);
            if (!replaced.has_value()) return inPool(replaced.error());
        } else if (const auto* shared = std::get_if<SharedBuffer>(&request.pools[i])) {
            SharedBuffer inner = *shared;
            while (const auto* resilient = dynamic_cast<const ResilientBuffer*>(inner.get())) {
                const ResilientBuffer::Parts& parts = resilient->parts();
                if (parts.registration == nullptr) {
                    inner = resilient->getBuffer();
                    known.replace(i, inner);
                    continue;
                }
                if (&parts.registration->table() == buffers) {
                    const GeneralResult<void> replaced =
                            known.replace(i, parts.engine, *buffers, device, /*byToken=*/false);
                    if (!replaced.has_value()) return inPool(replaced.error());
                }
                break;  // one of another device's, which that one may know
            }
        }
    }
    return known;
}
NNAPI_CATCH

Status KnownRequest::replace(size_t pool, const SharedRecoverable<IBuffer>& buffer,
                             const BufferTable& table, const void* device, bool byToken) {
    auto now = table.on(*buffer, device);
    if (!now.has_value()) return now.status();
    if (byToken) {
        replace(pool, (*now)->getToken());
    } else {
        replace(pool, *now);
    }
    mUses.push_back({.buffer = buffer, .was = *std::move(now)});
    return {};
}

void KnownRequest::replace(size_t pool, Request::MemoryPool by) {
    if (!mReplaced) mReplaced = *mRequest;
    mReplaced->pools[pool] = std::move(by);
}

std::shared_ptr<const std::function<bool()>> KnownRequest::isOutdated() const {
    if (mUses.empty()) return nullptr;
    return std::make_shared<const std::function<bool()>>([uses = mUses] {
        return std::any_of(uses.begin(), uses.end(), [](const Use& use) {
            const auto buffer = use.buffer.lock();
            return buffer != nullptr && buffer->current().object != use.was;
        });
    });
}

}  // namespace nn::driver
