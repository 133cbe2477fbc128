#include "runtime/objects/event.h"

namespace nn::runtime {

ApiEvent::ApiEvent(SyncFence fence)
    : mFence(std::move(fence)), mIsForeign(true), mSettle([](SyncFence::FenceState state) {
          return static_cast<int>(state == SyncFence::FenceState::SIGNALED
                                          ? ANEURALNETWORKS_NO_ERROR
                                          : ANEURALNETWORKS_OP_FAILED);
      }) {}

void ApiEvent::end(int code) {
    const std::lock_guard lock(mMutex);
    if (!mCode) mCode = code;
    mEnded.get()->notify_all();
}

int ApiEvent::settle(SyncFence::FenceState state) {
    const int code = mSettle(state);
    end(code);
    return code;
}

int ApiEvent::wait() {
    {
        const std::lock_guard lock(mMutex);
        if (mCode) return *mCode;
        if (isOfParent()) return ANEURALNETWORKS_DEAD_OBJECT;
        if (!mSettle) {
            std::unique_lock inner(mMutex.inner(), std::adopt_lock);
            mEnded.get()->wait(inner, [this] { return mCode.has_value(); });
            inner.release();
            return *mCode;
        }
    }
    return settle(mFence.syncWait(std::nullopt));
}

std::optional<int> ApiEvent::poll() {
    {
        const std::lock_guard lock(mMutex);
        if (mCode) return mCode;
        if (isOfParent()) return ANEURALNETWORKS_DEAD_OBJECT;
        if (!mSettle) return std::nullopt;
    }
    const SyncFence::FenceState state = mFence.syncWait(Duration::zero());
    if (state == SyncFence::FenceState::ACTIVE) return std::nullopt;
    return settle(state);
}

}  // namespace nn::runtime
