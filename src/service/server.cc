#include "nnapi/service/server.h"

#include <capnp/rpc-twoparty.h>
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
#include "service/listener.h"
#include "service/loop.h"
#include "service/session.h"
#include "service/tcp.h"
#include "service/tls.h"
#include "types/no_throw.h"
#include "types/printable.h"

namespace nn::service {
namespace {

// What one client may have under way before nothing more is read of it, in messages.
constexpr uint64_t kMessagesUnderWay = 4;

// A client's connection. Gone, it takes along all that the client held.
class Client {
   public:
    Client(kj::Own<kj::AsyncCapabilityStream> stream, const SharedSession& session,
           uint64_t messageBytes)
        : mSession(session),
          mLocal(kj::mv(stream)),
          mNetwork(*mLocal, kMostDescriptors, capnp::rpc::twoparty::Side::SERVER,
                   limitedTo(messageBytes)),
          mRpc(capnp::makeRpcServer(mNetwork, serviceFor(session))) {
        limitFlow(messageBytes);
    }
    Client(kj::Own<kj::AsyncIoStream> stream, const SharedSession& session, uint64_t messageBytes)
        : mSession(session),
          mRemote(kj::mv(stream)),
          mNetwork(*mRemote, capnp::rpc::twoparty::Side::SERVER, limitedTo(messageBytes)),
          mRpc(capnp::makeRpcServer(mNetwork, serviceFor(session))) {
        limitFlow(messageBytes);
    }
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;
    ~Client() { mSession->end(); }
    kj::Promise<void> onDisconnect() { return mNetwork.onDisconnect(); }

   private:
    static capnp::ReaderOptions limitedTo(uint64_t bytes) {
        return {.traversalLimitInWords = bytes / sizeof(capnp::word), .nestingLimit = 16};
    }
    void limitFlow(uint64_t messageBytes) {
        mRpc.setFlowLimit(kMessagesUnderWay * messageBytes / sizeof(capnp::word));
    }

    SharedSession mSession;
    // One of them.
    kj::Own<kj::AsyncCapabilityStream> mLocal{};
    kj::Own<kj::AsyncIoStream> mRemote{};
    capnp::TwoPartyVatNetwork mNetwork;
    capnp::RpcSystem<capnp::rpc::twoparty::VatId> mRpc;
};

// Makes a client of a stream, and ends when it is gone.
template <class Stream>
kj::Promise<void> serveClient(kj::Own<Stream> stream, const std::shared_ptr<Shared>& shared,
                              bool isRemote) {
    auto session = std::make_shared<Session>(shared, isRemote);
    auto client = kj::heap<Client>(kj::mv(stream), session, shared->options.messageBytes);
    ++shared->clients;
    NNAPI_VLOG(shared->options.log, MANAGER) << "service: a client has come";
    auto gone = client->onDisconnect();
    return gone.attach(kj::mv(client)).attach(kj::defer([shared] {
        --shared->clients;
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
        return {.clients = mShared->clients, .objects = mShared->objects, .bytes = mShared->bytes};
    }

    std::string address() const override { return mAddress; }

   private:
    std::shared_ptr<Shared> mShared;
    std::unique_ptr<Loop> mLoop;
    std::string mAddress;
    std::optional<SocketFile> mFile;
};

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
    shared->threads = std::make_shared<driver::ThreadPool>(options.threads);
    NNAPI_ASSIGN_OR_RETURN(loop, Loop::start());
    auto owner = std::make_shared<std::unique_ptr<Listener>>();
    loop->atEnd([owner](kj::AsyncIoContext&) { owner->reset(); });
    loop->post([owner, shared, tls,
                fds = std::make_shared<std::vector<UniqueFd>>(std::move(sockets))](
                       kj::AsyncIoContext& io) {
        shared->port = &io.unixEventPort;
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
