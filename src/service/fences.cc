#include "service/fences.h"

#include <utility>

#include "driver/fences/fences.h"
#include "service/wire.h"

namespace nn::service {
namespace {

class FenceServer final : public rpc::Descriptor::Server {
   public:
    FenceServer(kj::UnixEventPort& port, std::vector<SyncFence> fences,
                std::function<kj::Promise<Status>()> then)
        : mPort(port), mFences(std::move(fences)), mThen(std::move(then)) {}

   protected:
    kj::Promise<void> wait(WaitContext context) override {
        return ended(0).then([context](Status&& status) mutable {
            write(status, context.getResults().initFailure());
        });
    }

   private:
    // Waits for this fence and those after it. Cap'n Proto keeps the server alive during the call.
    kj::Promise<Status> ended(size_t next) {
        if (next == mFences.size()) return mThen();
        return signaled(mPort, mFences[next])
                .then([this, next](GeneralResult<void>&& fence) -> kj::Promise<Status> {
                    if (!fence.has_value()) return fence.status();
                    return ended(next + 1);
                });
    }

    kj::UnixEventPort& mPort;
    std::vector<SyncFence> mFences;
    std::function<kj::Promise<Status>()> mThen;
};

}  // namespace

kj::Promise<GeneralResult<void>> signaled(kj::UnixEventPort& port, const SyncFence& fence) {
    const auto state = [](const SyncFence& fence) {
        switch (fence.syncWait(Duration::zero())) {
            case SyncFence::FenceState::SIGNALED:
                return GeneralResult<void>();
            case SyncFence::FenceState::ACTIVE:
            case SyncFence::FenceState::ERROR:
            case SyncFence::FenceState::UNKNOWN:
                break;
        }
        return GeneralResult<void>(error() << "the fence has failed");
    };
    if (!fence.hasFd() || fence.syncWait(Duration::zero()) != SyncFence::FenceState::ACTIVE) {
        return state(fence);
    }
    auto fd = kj::heap<UniqueFd>(duplicate(fence.getFd()));
    if (!fd->ok()) return GeneralResult<void>(error() << "the server has no descriptor left");
    try {
        auto observer = kj::heap<kj::UnixEventPort::FdObserver>(
                port, fd->get(), kj::UnixEventPort::FdObserver::OBSERVE_READ);
        auto readable = observer->whenBecomesReadable();
        return readable.then([state, fence] { return state(fence); })
                .attach(kj::mv(observer))  // destroyed before the descriptor that it observes
                .attach(kj::mv(fd));
    } catch (const kj::Exception&) {
        return GeneralResult<void>(error() << "a fence is no file that can be waited for");
    }
}

rpc::Descriptor::Client fenceServer(kj::UnixEventPort& port, std::vector<SyncFence> fences,
                                    std::function<kj::Promise<Status>()> then) {
    return kj::heap<FenceServer>(port, std::move(fences), std::move(then));
}

}  // namespace nn::service
