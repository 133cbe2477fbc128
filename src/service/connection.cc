#include "service/connection.h"

#include <kj/io.h>
#include <sys/socket.h>

#include <algorithm>

namespace nn::service {
namespace {

constexpr int kBeats = 4;  // in the time of a heartbeat

}  // namespace

Held::Parts::~Parts() {
    try {
        connection->post([id = id](Connection::State& state) { state.release(id); });
    } catch (...) {  // without memory it stays until the connection ends
    }
}

GeneralResult<std::shared_ptr<const Connection>> Connection::open(const Address& address,
                                                                  const ClientOptions& options) {
    const TimePoint until = makeDeadline(options.connectTimeout);
    NNAPI_ASSIGN_OR_RETURN(socket, connectTo(address, until));
    NNAPI_ASSIGN_OR_RETURN(loop, Loop::start());
    auto made = std::make_shared<hal::utils::TransferValue<Result<State*>>>();
    auto owner = std::make_shared<std::unique_ptr<State>>();
    loop->atEnd([owner](kj::AsyncIoContext&) { owner->reset(); });
    loop->post([owner, made, options,
                fd = std::make_shared<UniqueFd>(std::move(socket))](kj::AsyncIoContext& io) {
        try {
            *owner = std::make_unique<State>(io, std::move(*fd), options);
            made->put(owner->get());
        } catch (const kj::Exception& exception) {
            made->put(failureOf(exception, "connect"));
        }
    });
    auto state = made->take(until);
    if (!state) return error(ErrorStatus::DEVICE_UNAVAILABLE) << "connect: no answer";
    if (!state->ok()) return state->status();
    auto connection = std::make_shared<Connection>(std::move(loop), options);
    connection->mState = **state;
    return std::shared_ptr<const Connection>(std::move(connection));
}

void Connection::post(std::function<void(State&)> task) const {
    mLoop->post([task = std::move(task), state = mState](kj::AsyncIoContext&) { task(*state); });
}

Result<SyncFence> Connection::fenceOf(const Held& fenced, std::function<void()> before) const {
    NNAPI_ASSIGN_OR_RETURN(made, driver::OwnFence::create());
    const SyncFence fence = made.fence();
    // The fence fails with the last reference to it, whatever becomes of the promise. It keeps the
    // connection: the client may have dropped everything else.
    auto own = std::make_shared<const driver::OwnFence>(std::move(made));
    post([fenced, own, before = std::move(before)](State& state) {
        const auto wait = [&]() -> kj::Promise<void> {
            return state.held<rpc::Fenced>(fenced.id())
                    .waitRequest()
                    .send()
                    .then([fenced, own, before](auto&& answer) {
                        if (!statusOf(answer.getFailure()).ok()) return;
                        if (before) before();
                        own->signal();
                    });
        };
        state.add(state.untilEnd(kj::evalNow(wait)), /*isWaiting=*/true);
    });
    return fence;
}

// ---------------------------------------------------------------------------------------------

Connection::State::State(kj::AsyncIoContext& io, UniqueFd socket, const ClientOptions& options)
    : mTimer(io.provider->getTimer()),
      mOptions(options),
      mSocket(socket.get()),
      mStream(io.lowLevelProvider->wrapUnixSocketFd(
              kj::AutoCloseFd(socket.release()),
              kj::LowLevelAsyncIoProvider::ALREADY_CLOEXEC |
                      kj::LowLevelAsyncIoProvider::ALREADY_NONBLOCK)),
      // A server has no descriptors to send; with 0 there would be none of ours either.
      mNetwork(kj::heap<capnp::TwoPartyVatNetwork>(*mStream, 1u,
                                                   capnp::rpc::twoparty::Side::CLIENT)),
      mService(nullptr),
      mTasks(*this) {
    auto& rpc = mRpc.emplace(capnp::makeRpcClient(*mNetwork));
    capnp::MallocMessageBuilder message;
    auto server = message.getRoot<capnp::rpc::twoparty::VatId>();
    server.setSide(capnp::rpc::twoparty::Side::SERVER);
    mService = rpc.bootstrap(server).castAs<rpc::Service>();
    mTasks.add(mNetwork->onDisconnect().then(
            [this] { end(error(ErrorStatus::DEAD_OBJECT) << "the server is gone"); }));
}

Connection::State::~State() noexcept(false) {
    end(error(ErrorStatus::DEAD_OBJECT) << "the connection is closed");
}

Status Connection::State::whyFailed(const kj::Exception& exception, std::string_view what) const {
    const Status failure = failureOf(exception, what);
    if (mGone.ok() || errorStatus(failure) != ErrorStatus::DEAD_OBJECT) return failure;
    return error(ErrorStatus::DEAD_OBJECT) << what << ": " << messageOf(mGone);
}

void Connection::State::end(Status why) {
    if (!mGone.ok()) return;
    mGone = std::move(why);
    mCanceler.cancel(KJ_EXCEPTION(DISCONNECTED, "the connection has ended"));
    mHeld.clear();
    mMemories.clear();
    // The stream stays until the end of the loop: the engine may be using it.
    (void)shutdown(mSocket, SHUT_RDWR);
}

void Connection::State::add(kj::Promise<void> promise, bool isWaiting) {
    if (!isWaiting || mOptions.heartbeat <= Duration::zero()) {
        mTasks.add(kj::mv(promise));
        return;
    }
    ++mWaiting;
    mTasks.add(promise.attach(kj::defer([this] { --mWaiting; })));
    if (mIsBeating) return;
    mIsBeating = true;
    mSilent = 0;
    mTasks.add(beat());
}

kj::Promise<void> Connection::State::beat() {
    const auto beat = std::max<Duration>(mOptions.heartbeat / kBeats, std::chrono::milliseconds(1));
    return mTimer.afterDelay(beat.count() * kj::NANOSECONDS).then([this]() -> kj::Promise<void> {
        mIsBeating = mGone.ok() && mWaiting > 0;
        if (!mIsBeating) return kj::READY_NOW;
        if (mIsAsked && ++mSilent >= kBeats - 1) {
            end(error(ErrorStatus::DEAD_OBJECT)
                << "the server gives no sign of life for "
                << std::chrono::duration_cast<std::chrono::milliseconds>(mOptions.heartbeat).count()
                << " ms");
            return kj::READY_NOW;
        }
        if (!mIsAsked) {
            mIsAsked = true;
            mTasks.add(mCanceler.wrap(mService.pingRequest().send().ignoreResult()).then([this] {
                mIsAsked = false;
                mSilent = 0;
            }));
        }
        return this->beat();
    });
}

rpc::Memory::Client Connection::State::share(const SharedMemory& memory) {
    const auto known = mMemories.find(memory.get());
    if (known != mMemories.end() && !known->second.owner.expired()) return known->second.memory;
    auto request = mService.shareRequest();
    auto info = request.initMemory();
    write(*memory, info);
    const std::vector<int> fds = descriptorsOf(*memory);
    auto descriptors = info.initDescriptors(static_cast<unsigned>(fds.size()));
    for (unsigned i = 0; i < fds.size(); ++i) {
        descriptors.set(i, kj::heap<DescriptorServer>(fds[i]));
    }
    rpc::Memory::Client shared = request.send().getMemory();
    mMemories.insert_or_assign(memory.get(), Sent{memory, shared});
    if (!mIsSweeping) {
        mIsSweeping = true;
        mTasks.add(sweep());
    }
    return shared;
}

// The server's memory goes soon after ours.
kj::Promise<void> Connection::State::sweep() {
    return mTimer.afterDelay(200 * kj::MILLISECONDS).then([this]() -> kj::Promise<void> {
        std::erase_if(mMemories, [](const auto& sent) { return sent.second.owner.expired(); });
        mIsSweeping = !mMemories.empty();
        if (!mIsSweeping) return kj::READY_NOW;
        return sweep();
    });
}

}  // namespace nn::service
