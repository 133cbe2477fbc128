#include "service/connection.h"

#include <kj/io.h>
#include <sys/socket.h>

#include <algorithm>
#include <optional>

#include "base/printable.h"
#include "service/tcp.h"
#include "service/tls.h"

namespace nn::service {
namespace {

constexpr int kBeats = 4;  // per heartbeat interval

using Made = hal::utils::TransferValue<Result<Connection::State*>>;

Status unavailable(const Address& address, const kj::Exception& exception) {
    const std::string why = messageOf(failureOf(exception, "connect"));
    return error(ErrorStatus::DEVICE_UNAVAILABLE) << address.text() << ": " << whyRefused(why);
}

}  // namespace

RemoteObject::Parts::~Parts() {
    try {
        connection->post([id = id](Connection::State& state) { state.release(id); });
    } catch (...) {  // out of memory: the server's object stays until the connection ends
    }
}

// A connection being opened, on its loop.
struct Connection::Opening {
    kj::Maybe<kj::Promise<void>> steps{};
    std::unique_ptr<State> state{};
    std::shared_ptr<const Made> made = std::make_shared<const Made>();

    void done(std::unique_ptr<State> opened) {
        state = std::move(opened);
        made->put(state.get());
    }
    // Connects and shakes hands over TCP.
    void openTcp(kj::AsyncIoContext& io, const Address& address, const Tls& tls,
                 const ClientOptions& options) {
        steps = connectToTcp(io, address)
                        .then([this, &io, tls, options](kj::Own<kj::AsyncIoStream>&& stream) {
                            int socket = -1;
                            KJ_IF_MAYBE (fd, stream->getFd()) {
                                socket = *fd;
                            }
                            return tls.asClient(kj::mv(stream))
                                    .then([this, &io, socket,
                                           options](kj::Own<kj::AsyncIoStream>&& safe) {
                                        auto watched = kj::heap<WatchedStream>(
                                                kj::mv(safe), io.provider->getTimer());
                                        done(std::make_unique<State>(io, kj::mv(watched), socket,
                                                                     options));
                                    });
                        })
                        .eagerlyEvaluate([this, address](kj::Exception&& exception) {
                            made->put(Status(unavailable(address, exception)));
                        });
    }
};

GeneralResult<std::shared_ptr<const Connection>> Connection::open(const Address& address,
                                                                  const ClientOptions& options) {
    const TimePoint until = makeDeadline(options.connectTimeout);
    std::optional<Tls> tls;
    auto socket = std::make_shared<UniqueFd>();
    if (address.isTcp()) {
        NNAPI_ASSIGN_OR_RETURN(made,
                               Tls::create(address, options.credentials, options.insecurePlainTcp));
        tls = std::move(made);
    } else {
        NNAPI_ASSIGN_OR_RETURN(connected, connectTo(address, until));
        *socket = std::move(connected);
    }
    NNAPI_ASSIGN_OR_RETURN(loop, EventLoop::start());
    auto opening = std::make_shared<std::unique_ptr<Opening>>(std::make_unique<Opening>());
    const auto made = (*opening)->made;
    loop->setLastTask([opening](kj::AsyncIoContext&) { opening->reset(); });
    loop->post([opening, options, address, tls, socket](kj::AsyncIoContext& io) {
        Opening& own = **opening;
        try {
            if (tls) return own.openTcp(io, address, *tls, options);
            own.done(std::make_unique<State>(io, std::move(*socket), options));
        } catch (const kj::Exception& exception) {
            own.made->put(Status(unavailable(address, exception)));
        }
    });
    auto state = made->take(until);
    if (!state) return error(ErrorStatus::DEVICE_UNAVAILABLE) << address.text() << ": no reply";
    if (!state->ok()) return state->status();
    auto connection = std::make_shared<Connection>(std::move(loop), options, address.isTcp());
    connection->mState = **state;
    return std::shared_ptr<const Connection>(std::move(connection));
}

void Connection::post(std::function<void(State&)> task) const {
    mLoop->post([task = std::move(task), state = mState](kj::AsyncIoContext&) { task(*state); });
}

Result<SyncFence> Connection::fenceOf(
        const RemoteObject& fenced,
        std::function<kj::Promise<Status>(State&, Status)> before) const {
    NNAPI_ASSIGN_OR_RETURN(made, driver::OwnFence::create());
    const SyncFence fence = made.fence();
    // The fence fails when its last reference is destroyed, regardless of the promise. It keeps the
    // connection open, since the client may have dropped everything else.
    auto own = std::make_shared<const driver::OwnFence>(std::move(made));
    post([fenced, own, before = std::move(before)](State& state) {
        const auto wait = [&]() -> kj::Promise<void> {
            return state.capability<rpc::Fenced>(fenced.id())
                    .waitRequest()
                    .send()
                    .then([fenced, own, before, &state](auto&& reply) -> kj::Promise<void> {
                        return before(state, statusOf(reply.getFailure()))
                                .then([fenced, own](Status&& status) {
                                    if (status.ok()) own->signal();
                                });
                    });
        };
        state.add(state.failAtEnd(kj::evalNow(wait)), /*isWaiting=*/true);
    });
    return fence;
}

std::shared_ptr<const void> Connection::onEnd(std::function<void(const Status&)> listener) const {
    const uint64_t id = ++mLastListener;
    post([id, listener = std::move(listener)](State& state) { state.listen(id, listener); });
    return onRelease([id](State& state) { state.unlisten(id); });
}

std::shared_ptr<const void> Connection::waiting() const {
    post([](State& state) { state.beginWaiting(); });
    return onRelease([](State& state) { state.endWaiting(); });
}

std::shared_ptr<const void> Connection::onRelease(std::function<void(State&)> last) const {
    return {this, [self = shared_from_this(), last = std::move(last)](const void*) {
                try {
                    self->post(last);
                } catch (...) {  // out of memory: the fence stays until the connection ends
                }
            }};
}

// ---------------------------------------------------------------------------------------------

Connection::State::State(kj::AsyncIoContext& io, UniqueFd socket, const ClientOptions& options)
    : mTimer(io.provider->getTimer()),
      mPort(io.unixEventPort),
      mOptions(options),
      mSocket(socket.get()),
      mLocal(io.lowLevelProvider->wrapUnixSocketFd(
              kj::AutoCloseFd(socket.release()),
              kj::LowLevelAsyncIoProvider::ALREADY_CLOEXEC |
                      kj::LowLevelAsyncIoProvider::ALREADY_NONBLOCK)),
      mStream(kj::heap<GuardedStream>(kj::heap<capnp::AsyncCapabilityMessageStream>(*mLocal),
                                      *mLocal)),
      // A server sends no descriptors, but with 0 the client could not send any either.
      mNetwork(kj::heap<capnp::TwoPartyVatNetwork>(*mStream, 1u,
                                                   capnp::rpc::twoparty::Side::CLIENT)),
      mService(nullptr),
      mTasks(*this) {
    begin();
}

Connection::State::State(kj::AsyncIoContext& io, kj::Own<WatchedStream> stream, int socket,
                         const ClientOptions& options)
    : mTimer(io.provider->getTimer()),
      mPort(io.unixEventPort),
      mOptions(options),
      mSocket(socket),
      mRemote(kj::mv(stream)),
      mStream(kj::heap<GuardedStream>(kj::heap<capnp::AsyncIoMessageStream>(*mRemote), *mRemote)),
      mNetwork(kj::heap<capnp::TwoPartyVatNetwork>(*mStream, capnp::rpc::twoparty::Side::CLIENT)),
      mService(nullptr),
      mTasks(*this) {
    begin();
}

void Connection::State::begin() {
    auto& rpc = mRpc.emplace(capnp::makeRpcClient(*mNetwork));
    capnp::MallocMessageBuilder message;
    auto server = message.getRoot<capnp::rpc::twoparty::VatId>();
    server.setSide(capnp::rpc::twoparty::Side::SERVER);
    mService = rpc.bootstrap(server).castAs<rpc::Service>();
    // Pending calls are notified first, since their own failure explains more.
    mTasks.add(mNetwork->onDisconnect().then([this] {
        return kj::evalLast([this] {
            std::string why = mRemote.get() == nullptr ? "" : mRemote->whyFailed();
            if (!why.empty()) why.insert(0, ": ");
            end(error(ErrorStatus::DEAD_OBJECT) << "the server is gone" << why);
        });
    }));
}

Connection::State::~State() noexcept(false) {
    end(error(ErrorStatus::DEAD_OBJECT) << "the connection is closed");
}

// Cap'n Proto also reports DISCONNECTED when it cannot read a message and closes the connection
// itself.
bool Connection::State::isProtocolError(const kj::Exception& exception) const {
    const std::string_view why(exception.getDescription().cStr());
    return !mStream->isPeerGone() && !why.starts_with("remote exception: ");
}

Status Connection::State::whyFailed(const kj::Exception& exception, std::string_view what) {
    Status failure = failureOf(exception, what);
    if (errorStatus(failure) != ErrorStatus::DEAD_OBJECT) return failure;
    if (mEndStatus.ok() && isProtocolError(exception)) {
        mIsBroken = true;
        end(error(ErrorStatus::DEAD_OBJECT)
            << "the server has broken the protocol: "
            << printable(std::string_view(exception.getDescription().cStr())));
    }
    if (mEndStatus.ok()) return failure;
    // Fails the pending calls; later calls find that the connection has ended.
    const auto code = mIsBroken ? ErrorStatus::GENERAL_FAILURE : ErrorStatus::DEAD_OBJECT;
    return error(code) << what << ": " << messageOf(mEndStatus);
}

void Connection::State::end(Status why) {
    if (!mEndStatus.ok()) return;
    mEndStatus = std::move(why);
    mCanceler.cancel(KJ_EXCEPTION(DISCONNECTED, "the connection has ended"));
    mCapabilities.clear();
    mMemories.clear();
    for (const auto& [id, listener] : mListeners) listener(mEndStatus);
    mListeners.clear();
    // The stream is kept until the end of the loop: Cap'n Proto may still use it.
    (void)shutdown(mSocket, SHUT_RDWR);
}

void Connection::State::add(kj::Promise<void> promise, bool isWaiting) {
    if (!isWaiting || mOptions.heartbeat <= Duration::zero()) {
        mTasks.add(kj::mv(promise));
        return;
    }
    beginWaiting();
    mTasks.add(promise.attach(kj::defer([this] { endWaiting(); })));
}

void Connection::State::listen(uint64_t id, std::function<void(const Status&)> listener) {
    if (!mEndStatus.ok()) return listener(mEndStatus);
    mListeners.emplace(id, std::move(listener));
}

void Connection::State::beginWaiting() {
    ++mWaiting;
    if (mIsBeating || !mEndStatus.ok()) return;
    mIsBeating = true;
    mMissedBeats = 0;
    mTasks.add(beat());
}

kj::Promise<void> Connection::State::beat() {
    const auto beat = std::max<Duration>(mOptions.heartbeat / kBeats, std::chrono::milliseconds(1));
    return mTimer.afterDelay(beat.count() * kj::NANOSECONDS).then([this]() -> kj::Promise<void> {
        mIsBeating = mEndStatus.ok() && mWaiting > 0;
        if (!mIsBeating) return kj::READY_NOW;
        if (isAlive()) mMissedBeats = 0;
        if (mIsPingPending && ++mMissedBeats >= kBeats - 1) {
            end(error(ErrorStatus::DEAD_OBJECT)
                << "the server gives no sign of life for "
                << std::chrono::duration_cast<std::chrono::milliseconds>(mOptions.heartbeat).count()
                << " ms");
            return kj::READY_NOW;
        }
        if (!mIsPingPending) {
            mIsPingPending = true;
            mTasks.add(mCanceler.wrap(mService.pingRequest().send().ignoreResult()).then([this] {
                mIsPingPending = false;
                mMissedBeats = 0;
            }));
        }
        return this->beat();
    });
}

// The reply to a ping may be queued behind a long message.
bool Connection::State::isAlive() {
    const uint64_t moved = bytesTransferred(mSocket);
    return std::exchange(mLastBytesTransferred, moved) != moved;
}

rpc::Memory::Client Connection::State::share(const SharedMemory& memory) {
    const auto known = mMemories.find(memory.get());
    if (known != mMemories.end() && !known->second.owner.expired()) return known->second.memory;
    releaseMemories();  // before a new one counts against the server's limits
    rpc::Memory::Client shared =
            mLocal.get() == nullptr ? shareContents(*memory) : shareDescriptors(*memory);
    mMemories.insert_or_assign(memory.get(), Sent{memory, shared});
    if (!mIsSweeping) {
        mIsSweeping = true;
        mTasks.add(sweep());
    }
    return shared;
}

rpc::Memory::Client Connection::State::shareDescriptors(const Memory& memory) {
    auto request = mService.shareRequest();
    auto info = request.initMemory();
    write(memory, info);
    const std::vector<int> fds = descriptorsOf(memory);
    auto descriptors = info.initDescriptors(static_cast<unsigned>(fds.size()));
    for (unsigned i = 0; i < fds.size(); ++i) {
        descriptors.set(i, kj::heap<DescriptorServer>(fds[i]));
    }
    return request.send().getMemory();
}

rpc::Memory::Client Connection::State::shareContents(const Memory& memory) {
    auto request = mService.makeContentsRequest();
    write(memory, request.initMemory());
    return request.send().getContents();
}

rpc::Descriptor::Client Connection::State::descriptorOf(const SyncFence& fence) {
    return kj::heap<DescriptorServer>(fence.getFd());
}

rpc::Descriptor::Client Connection::State::serveFences(std::vector<SyncFence> fences,
                                                       std::function<kj::Promise<Status>()> then) {
    return fenceServer(mPort, std::move(fences), std::move(then));
}

// Releases the server's copies of memories that no longer exist here.
void Connection::State::releaseMemories() {
    std::erase_if(mMemories, [](const auto& sent) { return sent.second.owner.expired(); });
}

kj::Promise<void> Connection::State::sweep() {
    return mTimer.afterDelay(200 * kj::MILLISECONDS).then([this]() -> kj::Promise<void> {
        releaseMemories();
        mIsSweeping = !mMemories.empty();
        if (!mIsSweeping) return kj::READY_NOW;
        return sweep();
    });
}

}  // namespace nn::service
