#include "service/fences.h"

#include "driver/common/fences.h"
#include "service/wire.h"

namespace nn::service {
namespace {

class FenceServer final : public rpc::Descriptor::Server {
   public:
    FenceServer(kj::UnixEventPort& port, SyncFence fence) : mPort(port), mFence(std::move(fence)) {}

   protected:
    kj::Promise<void> wait(WaitContext context) override {
        return signalled(mPort, mFence).then([context](GeneralResult<void>&& ended) mutable {
            write(ended.status(), context.getResults().initFailure());
        });
    }

   private:
    kj::UnixEventPort& mPort;
    SyncFence mFence;
};

}  // namespace

kj::Promise<GeneralResult<void>> signalled(kj::UnixEventPort& port, const SyncFence& fence) {
    const auto state = [](const SyncFence& asked) {
        switch (asked.syncWait(Duration::zero())) {
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
    auto observer = kj::heap<kj::UnixEventPort::FdObserver>(
            port, fd->get(), kj::UnixEventPort::FdObserver::OBSERVE_READ);
    auto readable = observer->whenBecomesReadable();
    return readable.then([state, fence] { return state(fence); })
            .attach(kj::mv(observer))  // which goes before what it observes
            .attach(kj::mv(fd));
}

rpc::Descriptor::Client fenceToWaitFor(kj::UnixEventPort& port, const SyncFence& fence) {
    return kj::heap<FenceServer>(port, fence);
}

}  // namespace nn::service
