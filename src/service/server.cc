#include "nnapi/service/server.h"

#include <capnp/rpc-twoparty.h>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <thread>
#include <utility>

#include "base/no_throw.h"
#include "base/printable.h"
#include "nnapi/driver/callbacks.h"
#include "nnapi/driver/vlog.h"
#include "service/address.h"
#include "service/connection.h"
#include "service/event_loop.h"
#include "service/guarded_stream.h"
#include "service/listener.h"
#include "service/session.h"
#include "service/tcp.h"
#include "service/tls.h"

namespace nn::service {
namespace {

// Messages' worth of bytes that a client may have in flight before the server stops reading from
// it.
constexpr uint64_t kMaxMessagesInFlight = 4;
// Limit of the outgoing bytes queued for a client that does not read.
constexpr uint64_t kMaxUnsentBytes = uint64_t{8} << 20;
// Multiple of the limit of concurrent calls that may arrive: those beyond the limit are rejected,
// which is not immediate.
constexpr size_t kRefusedCalls = 4;
// How long a client that is cut off has to read why.
constexpr kj::Duration kCloseDelay = 500 * kj::MILLISECONDS;
// The usual time for releasing a client's objects.
constexpr kj::Duration kReleaseDelay = 500 * kj::MILLISECONDS;

// Returns freed memory to the system; the allocator would keep the memory that one client needed.
// Delayed, so that drivers have released their objects. On the loop.
void returnMemorySoon(const std::shared_ptr<ServerState>& state) {
#ifdef __GLIBC__
    if (std::exchange(state->isReturningMemory, true)) return;
    state->timer->afterDelay(kReleaseDelay)
            .then([state] {
                state->isReturningMemory = false;
                state->scheduler->runUnqueued([] { (void)malloc_trim(0); });
            })
            .detach([](kj::Exception&&) {});  // the memory stays for the next client
#else
    (void)state;
#endif
}

// A client's connection; its session ends with it.
class Client {
   public:
    Client(kj::Own<kj::AsyncCapabilityStream> stream, const SharedSession& session)
        : mSession(session),
          mBytes(kj::mv(stream)),
          mStream(kj::heap<capnp::AsyncCapabilityMessageStream>(
                          kj::downcast<kj::AsyncCapabilityStream>(*mBytes)),
                  *mBytes),
          mNetwork(mStream, kMaxDescriptors, capnp::rpc::twoparty::Side::SERVER, limited()) {
        begin();
    }
    Client(kj::Own<kj::AsyncIoStream> stream, const SharedSession& session)
        : mSession(session),
          mBytes(kj::mv(stream)),
          mStream(kj::heap<capnp::AsyncIoMessageStream>(*mBytes), *mBytes),
          mNetwork(mStream, capnp::rpc::twoparty::Side::SERVER, limited()) {
        begin();
    }
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;
    ~Client() { mSession->end(); }
    // For a client that is cut off, only after it had time to read why.
    kj::Promise<void> onDisconnect() {
        return mNetwork.onDisconnect().then([this]() -> kj::Promise<void> {
            if (!mHasFinalMessage) return kj::READY_NOW;
            return mSession->serverState().timer->afterDelay(kCloseDelay);
        });
    }

   private:
    capnp::ReaderOptions limited() const {
        return {.traversalLimitInWords = mSession->options().messageBytes / sizeof(capnp::word),
                .nestingLimit = 16};
    }

    void begin() {
        const ServeOptions& options = mSession->options();
        mStream.guard({.ledger = mSession->ledger(),
                       .bounds = {.calls = kRefusedCalls * options.callsPerClient,
                                  .waits = options.objectsPerClient,
                                  .replies = 2 * options.objectsPerClient +
                                             kRefusedCalls * options.callsPerClient,
                                  .messageBytes = kMaxMessagesInFlight * options.messageBytes,
                                  .unsentBytes = kMaxUnsentBytes,
                                  .patience = options.patience.count() * kj::NANOSECONDS},
                       .timer = *mSession->serverState().timer,
                       .unsent = [this] { return mNetwork.getCurrentQueueSize(); },
                       .cutOff = [this](const std::string& why) { cutOff(why); }});
        mRpc.emplace(capnp::makeRpcServer(mNetwork, serviceFor(mSession)));
    }

    // Outgoing messages wait this long at most for the client to read them.
    void cutOff(const std::string& why) {
        if (!why.empty()) {
            mHasFinalMessage = true;
            mSession->end();
            NNAPI_VLOG(mSession->options().log, MANAGER) << "service: cut off a client: " << why;
        }
        if (mIsCutOff) return;
        mIsCutOff = true;
        mClosing = mSession->serverState()
                           .timer->afterDelay(kCloseDelay)
                           .then([this] { closed(); })
                           .eagerlyEvaluate([](kj::Exception&&) {});
    }
    void closed() {
        KJ_IF_MAYBE (fd, mBytes->getFd()) {
            (void)::shutdown(*fd, SHUT_RDWR);
        } else {
            mBytes->abortRead();
        }
    }

    SharedSession mSession;
    kj::Own<kj::AsyncIoStream> mBytes;
    GuardedStream mStream;
    capnp::TwoPartyVatNetwork mNetwork;
    kj::Maybe<capnp::RpcSystem<capnp::rpc::twoparty::VatId>> mRpc{};
    bool mIsCutOff = false;
    bool mHasFinalMessage = false;
    kj::Promise<void> mClosing = nullptr;
};

// Serves the client of a stream until it disconnects.
template <class Stream>
kj::Promise<void> serveClient(kj::Own<Stream> stream, const std::shared_ptr<ServerState>& state,
                              bool isRemote) {
    auto session = std::make_shared<Session>(state, isRemote);
    auto client = kj::heap<Client>(kj::mv(stream), session);
    ++state->clients;
    NNAPI_VLOG(state->options.log, MANAGER) << "service: a client has come";
    auto gone = client->onDisconnect();
    return gone.attach(kj::mv(client)).attach(kj::defer([state] {
        --state->clients;
        returnMemorySoon(state);
        NNAPI_VLOG(state->options.log, MANAGER) << "service: a client has gone";
    }));
}

// The file of a Unix socket, removed with its server.
class SocketFile {
   public:
    explicit SocketFile(std::string path) : mPath(std::move(path)) {
        (void)lstat(mPath.c_str(), &mFile);
    }
    // Removes only the file that this server created.
    void remove() const {
        struct stat now {};
        if (lstat(mPath.c_str(), &now) == 0 && now.st_dev == mFile.st_dev &&
            now.st_ino == mFile.st_ino) {
            (void)unlink(mPath.c_str());
        }
    }

   private:
    std::string mPath;
    struct stat mFile {};
};

class SocketServer final : public Server {
   public:
    SocketServer(std::shared_ptr<ServerState> state, std::unique_ptr<EventLoop> loop,
                 std::string address, std::optional<SocketFile> file)
        : mServerState(std::move(state)),
          mLoop(std::move(loop)),
          mAddress(std::move(address)),
          mFile(std::move(file)) {}
    ~SocketServer() override { SocketServer::stop(Duration::zero()); }

    void stop(Duration patience) override {
        if (mLoop == nullptr) return;
        if (mFile) mFile->remove();
        const TimePoint until = makeDeadline(patience);
        while (mServerState->calls > 0 && Clock::now() < until) {
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
        mLoop.reset();
    }

    ServerLoad load() const override {
        const Amounts held = mServerState->ledger->held();
        return {.clients = mServerState->clients,
                .objects = held.objects,
                .bytes = held.bytes,
                .descriptors = held.descriptors,
                .threads = held.threads,
                .calls = mServerState->calls};
    }

    std::string address() const override { return mAddress; }

   private:
    std::shared_ptr<ServerState> mServerState;
    std::unique_ptr<EventLoop> mLoop;
    std::string mAddress;
    std::optional<SocketFile> mFile;
};

// The share of the process's descriptors that clients may hold; the rest is for drivers and new
// clients.
size_t descriptorsOf(const ServeOptions& options) {
    if (options.descriptors) return *options.descriptors;
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 512;
    return static_cast<size_t>(limit.rlim_cur / 4 * 3);
}

Status checkDevices(const std::vector<SharedDevice>& devices) {
    if (devices.empty()) return error(ErrorStatus::INVALID_ARGUMENT) << "there are no devices";
    std::vector<std::string> names;
    for (const SharedDevice& device : devices) {
        if (device == nullptr) {
            return error(ErrorStatus::INVALID_ARGUMENT)
                   << "devices[" << names.size() << "] is null";
        }
        names.push_back(device->getName());
    }
    std::sort(names.begin(), names.end());
    const auto twice = std::adjacent_find(names.begin(), names.end());
    if (twice == names.end()) return {};
    return error(ErrorStatus::INVALID_ARGUMENT)
           << "two devices have the name " << printable(*twice);
}

}  // namespace

GeneralResult<std::unique_ptr<Server>> serve(std::vector<SharedDevice> devices,
                                             std::string_view address,
                                             const ServeOptions& options) NNAPI_TRY {
    NNAPI_RETURN_IF_ERROR(checkDevices(devices));
    NNAPI_ASSIGN_OR_RETURN(parsed, parseAddress(address));
    if (!parsed.device.empty()) {
        return error(ErrorStatus::INVALID_ARGUMENT)
               << printable(address) << " names a device, allowed unix:PATH and HOST:PORT";
    }
    std::vector<UniqueFd> sockets;
    std::optional<Tls> tls;
    std::optional<SocketFile> file;
    if (parsed.isTcp()) {
        NNAPI_ASSIGN_OR_RETURN(made,
                               Tls::create(parsed, options.credentials, options.insecurePlainTcp));
        tls = std::move(made);
        NNAPI_ASSIGN_OR_RETURN(listening, listenAtTcp(parsed));
        sockets = std::move(listening);
    } else {
        NNAPI_ASSIGN_OR_RETURN(socket, listenAt(parsed));
        sockets.push_back(std::move(socket));
        file.emplace(parsed.path);
    }
    auto state = std::make_shared<ServerState>();
    state->devices = std::move(devices);
    state->options = options;
    state->options.credentials.reset();
    state->scheduler = std::make_shared<CallScheduler>(options.threads, options.clients);
    state->ledger = std::make_shared<ServerLedger>(Amounts{.objects = options.objectsPerClient,
                                                           .bytes = options.bytesPerClient,
                                                           .descriptors = descriptorsOf(options),
                                                           .threads = options.queuesPerClient});
    NNAPI_ASSIGN_OR_RETURN(loop, EventLoop::start());
    auto owner = std::make_shared<std::unique_ptr<Listener>>();
    loop->setLastTask([owner](kj::AsyncIoContext&) { owner->reset(); });
    loop->post([owner, state, tls,
                fds = std::make_shared<std::vector<UniqueFd>>(std::move(sockets))](
                       kj::AsyncIoContext& io) {
        state->port = &io.unixEventPort;
        state->timer = &io.provider->getTimer();
        *owner = std::make_unique<Listener>(
                io, std::move(*fds), tls, state->options,
                Listener::Serve{[state](kj::Own<kj::AsyncCapabilityStream> stream) {
                                    return serveClient(kj::mv(stream), state, /*isRemote=*/false);
                                },
                                [state](kj::Own<kj::AsyncIoStream> stream) {
                                    return serveClient(kj::mv(stream), state, /*isRemote=*/true);
                                }});
    });
    return std::unique_ptr<Server>(std::make_unique<SocketServer>(std::move(state), std::move(loop),
                                                                  parsed.text(), std::move(file)));
}
NNAPI_CATCH

}  // namespace nn::service
