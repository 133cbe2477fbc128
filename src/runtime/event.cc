#include "runtime/event.h"

namespace nn::runtime {

void ApiEvent::end(int code) {
    const std::lock_guard lock(mMutex);
    if (!mCode) mCode = code;
    mEnded.notify_all();
}

int ApiEvent::settle(SyncFence::FenceState state) {
    const int code = mSettle(state);
    end(code);
    return code;
}

int ApiEvent::wait() {
    {
        std::unique_lock lock(mMutex);
        if (!mSettle) mEnded.wait(lock, [this] { return mCode.has_value(); });
        if (mCode) return *mCode;
    }
    return settle(mFence.syncWait(std::nullopt));
}

std::optional<int> ApiEvent::poll() {
    {
        const std::lock_guard lock(mMutex);
        if (mCode || !mSettle) return mCode;
    }
    const SyncFence::FenceState state = mFence.syncWait(Duration::zero());
    if (state == SyncFence::FenceState::ACTIVE) return std::nullopt;
    return settle(state);
}

}  // namespace nn::runtime
