#include "nnapi/service/server.h"

#include <capnp/rpc-twoparty.h>
#include <kj/async-unix.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "nnapi/driver/callbacks.h"
#include "nnapi/driver/vlog.h"
#include "service/address.h"
#include "service/connection.h"
#include "service/loop.h"
#include "service/session.h"
#include "types/no_throw.h"
#include "types/printable.h"

namespace nn::service {
namespace {

// What one client may have under way before nothing more is read of it, in messages.
constexpr uint64_t kMessagesUnderWay = 4;

// A client's connection. Gone, it takes along all that the client held.
class Client {
   public:
    Client(kj::LowLevelAsyncIoProvider& io, int socket, const SharedSession& session,
           uint64_t messageBytes)
        : mStream(io.wrapUnixSocketFd(kj::AutoCloseFd(socket),
                                      kj::LowLevelAsyncIoProvider::ALREADY_CLOEXEC |
                                              kj::LowLevelAsyncIoProvider::ALREADY_NONBLOCK)),
          mNetwork(*mStream, kMostDescriptors, capnp::rpc::twoparty::Side::SERVER,
                   {.traversalLimitInWords = messageBytes / sizeof(capnp::word),
                    .nestingLimit = 16}),
          mRpc(capnp::makeRpcServer(mNetwork, serviceFor(session))) {
        mRpc.setFlowLimit(kMessagesUnderWay * messageBytes / sizeof(capnp::word));
    }
    kj::Promise<void> onDisconnect() { return mNetwork.onDisconnect(); }

   private:
    kj::Own<kj::AsyncCapabilityStream> mStream;
    capnp::TwoPartyVatNetwork mNetwork;
    capnp::RpcSystem<capnp::rpc::twoparty::VatId> mRpc;
};

// Lives on the loop.
class Listener final : private kj::TaskSet::ErrorHandler {
   public:
    Listener(kj::AsyncIoContext& io, UniqueFd socket, std::shared_ptr<Shared> shared)
        : mIo(*io.lowLevelProvider),
          mTimer(io.provider->getTimer()),
          mShared(std::move(shared)),
          mSocket(std::move(socket)),
          mObserver(io.unixEventPort, mSocket.get(), kj::UnixEventPort::FdObserver::OBSERVE_READ),
          mTasks(*this) {
        mShared->port = &io.unixEventPort;
        mTasks.add(accept());
    }

   private:
    void taskFailed(kj::Exception&& exception) override {
        NNAPI_VLOG(mShared->options.log, MANAGER)
                << "service: " << messageOf(failureOf(exception, "a client"));
    }

    kj::Promise<void> accept() {
        while (true) {
            const int fd = accept4(mSocket.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
            if (fd >= 0) {
                admit(UniqueFd(fd));
            } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
                return mObserver.whenBecomesReadable().then([this] { return accept(); });
            } else if (errno != EINTR && errno != ECONNABORTED) {
                // No descriptors, say; there may be some later.
                return mTimer.afterDelay(100 * kj::MILLISECONDS).then([this] { return accept(); });
            }
        }
    }

    void admit(UniqueFd socket) {
        const ServeOptions& options = mShared->options;
        const SharedLog& log = options.log;
        if (!isOfThisUser(socket.get())) {
            NNAPI_VLOG(log, MANAGER) << "service: refused a client of another user";
            return;
        }
        if (mShared->clients >= options.clients) {
            NNAPI_VLOG(log, MANAGER)
                    << "service: refused a client, there are " << options.clients << " already";
            return;
        }
        auto session = std::make_shared<Session>(mShared);
        auto client = kj::heap<Client>(mIo, socket.release(), session, options.messageBytes);
        ++mShared->clients;
        NNAPI_VLOG(log, MANAGER) << "service: a client has come";
        auto gone = client->onDisconnect();
        mTasks.add(gone.attach(kj::mv(client)).attach(kj::defer([shared = mShared] {
            --shared->clients;
            NNAPI_VLOG(shared->options.log, MANAGER) << "service: a client has gone";
        })));
    }

    kj::LowLevelAsyncIoProvider& mIo;
    kj::Timer& mTimer;
    std::shared_ptr<Shared> mShared;
    UniqueFd mSocket;
    kj::UnixEventPort::FdObserver mObserver;
    kj::TaskSet mTasks;
};

class UnixServer final : public Server {
   public:
    UnixServer(std::shared_ptr<Shared> shared, std::unique_ptr<Loop> loop, Address address,
               const struct stat& file)
        : mShared(std::move(shared)),
          mLoop(std::move(loop)),
          mAddress(std::move(address)),
          mFile(file) {}
    ~UnixServer() override { UnixServer::stop(Duration::zero()); }

    void stop(Duration patience) override {
        if (mLoop == nullptr) return;
        // Only the file that this server has made.
        struct stat now {};
        if (lstat(mAddress.path.c_str(), &now) == 0 && now.st_dev == mFile.st_dev &&
            now.st_ino == mFile.st_ino) {
            (void)unlink(mAddress.path.c_str());
        }
        const TimePoint until = makeDeadline(patience);
        while (mShared->calls > 0 && Clock::now() < until) {
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
        mLoop.reset();
    }

    ServerLoad load() const override {
        return {.clients = mShared->clients, .objects = mShared->objects, .bytes = mShared->bytes};
    }

   private:
    std::shared_ptr<Shared> mShared;
    std::unique_ptr<Loop> mLoop;
    Address mAddress;
    struct stat mFile;
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
               << printable(address) << " names a device, allowed unix:PATH";
    }
    NNAPI_ASSIGN_OR_RETURN(socket, listenAt(parsed));
    struct stat file {};
    (void)lstat(parsed.path.c_str(), &file);
    auto shared = std::make_shared<Shared>();
    shared->devices = std::move(devices);
    shared->options = options;
    shared->threads = std::make_shared<driver::ThreadPool>(options.threads);
    NNAPI_ASSIGN_OR_RETURN(loop, Loop::start());
    auto owner = std::make_shared<std::unique_ptr<Listener>>();
    loop->atEnd([owner](kj::AsyncIoContext&) { owner->reset(); });
    loop->post([owner, shared,
                fd = std::make_shared<UniqueFd>(std::move(socket))](kj::AsyncIoContext& io) {
        *owner = std::make_unique<Listener>(io, std::move(*fd), shared);
    });
    return std::unique_ptr<Server>(std::make_unique<UnixServer>(std::move(shared), std::move(loop),
                                                                std::move(parsed), file));
}
NNAPI_CATCH

}  // namespace nn::service
