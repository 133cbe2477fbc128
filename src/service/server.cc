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
#include "types/no_throw.h"
#include "types/printable.h"

namespace nn::service {
namespace {

// What one client may have under way before nothing more is read of it, in messages.
constexpr uint64_t kMessagesUnderWay = 4;
// What the engine holds for a client that does not read.
constexpr uint64_t kMostUnsent = uint64_t{8} << 20;
// Calls beyond those that are executed: they are refused, and the answer takes a moment.
constexpr size_t kRefusedCalls = 4;
// How long a client that is cut off may take to read why.
constexpr kj::Duration kLastWords = 500 * kj::MILLISECONDS;
// How long what a client held takes to be released, as a rule.
constexpr kj::Duration kSettling = 500 * kj::MILLISECONDS;

// Gives freed memory back to the system, of which the allocator would keep what one client needed:
// soon, when drivers have let go of what it held. On the loop.
void returnMemorySoon(const std::shared_ptr<Shared>& shared) {
#ifdef __GLIBC__
    if (std::exchange(shared->isReturningMemory, true)) return;
    shared->timer->afterDelay(kSettling)
            .then([shared] {
                shared->isReturningMemory = false;
                shared->scheduler->runAside([] { (void)malloc_trim(0); });
            })
            .detach([](kj::Exception&&) {});  // it stays for the next client
#else
    (void)shared;
#endif
}

// A client's connection. Gone, it takes along all that the client held.
class Client {
   public:
    Client(kj::Own<kj::AsyncCapabilityStream> stream, const SharedSession& session)
        : mSession(session),
          mBytes(kj::mv(stream)),
          mStream(kj::heap<capnp::AsyncCapabilityMessageStream>(
                          kj::downcast<kj::AsyncCapabilityStream>(*mBytes)),
                  *mBytes),
          mNetwork(mStream, kMostDescriptors, capnp::rpc::twoparty::Side::SERVER, limited()) {
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
    // Of a client that is cut off after it had time to read why.
    kj::Promise<void> onDisconnect() {
        return mNetwork.onDisconnect().then([this]() -> kj::Promise<void> {
            if (!mHasLastWords) return kj::READY_NOW;
            return mSession->shared().timer->afterDelay(kLastWords);
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
                                  .answers = 2 * options.objectsPerClient +
                                             kRefusedCalls * options.callsPerClient,
                                  .messageBytes = kMessagesUnderWay * options.messageBytes,
                                  .unsentBytes = kMostUnsent,
                                  .patience = options.patience.count() * kj::NANOSECONDS},
                       .timer = *mSession->shared().timer,
                       .unsent = [this] { return mNetwork.getCurrentQueueSize(); },
                       .cutOff = [this](const std::string& why) { cutOff(why); }});
        mRpc.emplace(capnp::makeRpcServer(mNetwork, serviceFor(mSession)));
    }

    // What is on its way to the client waits no longer than this for it to be read.
    void cutOff(const std::string& why) {
        if (!why.empty()) {
            mHasLastWords = true;
            mSession->end();
            NNAPI_VLOG(mSession->options().log, MANAGER) << "service: cut off a client: " << why;
        }
        if (mIsCutOff) return;
        mIsCutOff = true;
        mLastWords = mSession->shared()
                             .timer->afterDelay(kLastWords)
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
    bool mHasLastWords = false;
    kj::Promise<void> mLastWords = nullptr;
};

// Makes a client of a stream, and ends when it is gone.
template <class Stream>
kj::Promise<void> serveClient(kj::Own<Stream> stream, const std::shared_ptr<Shared>& shared,
                              bool isRemote) {
    auto session = std::make_shared<Session>(shared, isRemote);
    auto client = kj::heap<Client>(kj::mv(stream), session);
    ++shared->clients;
    NNAPI_VLOG(shared->options.log, MANAGER) << "service: a client has come";
    auto gone = client->onDisconnect();
    return gone.attach(kj::mv(client)).attach(kj::defer([shared] {
        --shared->clients;
        returnMemorySoon(shared);
        NNAPI_VLOG(shared->options.log, MANAGER) << "service: a client has gone";
    }));
}

// The file of a Unix socket, which goes with its server.
class SocketFile {
   public:
    explicit SocketFile(std::string path) : mPath(std::move(path)) {
        (void)lstat(mPath.c_str(), &mFile);
    }
    // Only the file that this server has made.
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
    SocketServer(std::shared_ptr<Shared> shared, std::unique_ptr<Loop> loop, std::string address,
                 std::optional<SocketFile> file)
        : mShared(std::move(shared)),
          mLoop(std::move(loop)),
          mAddress(std::move(address)),
          mFile(std::move(file)) {}
    ~SocketServer() override { SocketServer::stop(Duration::zero()); }

    void stop(Duration patience) override {
        if (mLoop == nullptr) return;
        if (mFile) mFile->remove();
        const TimePoint until = makeDeadline(patience);
        while (mShared->calls > 0 && Clock::now() < until) {
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
        mLoop.reset();
    }

    ServerLoad load() const override {
        const Amounts held = mShared->ledger->held();
        return {.clients = mShared->clients,
                .objects = held.objects,
                .bytes = held.bytes,
                .descriptors = held.descriptors,
                .threads = held.threads,
                .calls = mShared->calls};
    }

    std::string address() const override { return mAddress; }

   private:
    std::shared_ptr<Shared> mShared;
    std::unique_ptr<Loop> mLoop;
    std::string mAddress;
    std::optional<SocketFile> mFile;
};

// What clients may hold of the descriptors of the process: the rest is for drivers, and for clients
// to come.
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
    auto shared = std::make_shared<Shared>();
    shared->devices = std::move(devices);
    shared->options = options;
    shared->options.credentials.reset();
    shared->scheduler = std::make_shared<CallScheduler>(options.threads, options.clients);
    shared->ledger = std::make_shared<ServerLedger>(Amounts{.objects = options.objectsPerClient,
                                                            .bytes = options.bytesPerClient,
                                                            .descriptors = descriptorsOf(options),
                                                            .threads = options.queuesPerClient});
    NNAPI_ASSIGN_OR_RETURN(loop, Loop::start());
    auto owner = std::make_shared<std::unique_ptr<Listener>>();
    loop->atEnd([owner](kj::AsyncIoContext&) { owner->reset(); });
    loop->post([owner, shared, tls,
                fds = std::make_shared<std::vector<UniqueFd>>(std::move(sockets))](
                       kj::AsyncIoContext& io) {
        shared->port = &io.unixEventPort;
        shared->timer = &io.provider->getTimer();
        *owner = std::make_unique<Listener>(
                io, std::move(*fds), tls, shared->options,
                Listener::Serve{[shared](kj::Own<kj::AsyncCapabilityStream> stream) {
                                    return serveClient(kj::mv(stream), shared, /*isRemote=*/false);
                                },
                                [shared](kj::Own<kj::AsyncIoStream> stream) {
                                    return serveClient(kj::mv(stream), shared, /*isRemote=*/true);
                                }});
    });
    return std::unique_ptr<Server>(std::make_unique<SocketServer>(
            std::move(shared), std::move(loop), parsed.text(), std::move(file)));
}
NNAPI_CATCH

}  // namespace nn::service
