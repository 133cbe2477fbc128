// Calls to a server of devices, with arbitrary arguments and objects; afterwards it still serves
// other clients.
#include <capnp/rpc-twoparty.h>
#include <kj/async-io.h>
#include <kj/io.h>
#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>

#include "fuzz/any_message.h"
#include "fuzz/records.h"
#include "nnapi/driver/reference.h"
#include "nnapi/memory.h"
#include "nnapi/service/server.h"
#include "service/burst_queue.h"
#include "service/connection.h"

namespace nn::fuzz {
namespace service_server {

using capnp::DynamicCapability;
using capnp::DynamicStruct;

// One device at a Unix socket, which transfers descriptors, and at a TCP port, which transfers
// contents. Lives until the end of the program.
struct Served {
    std::string folder{};
    std::string path{};
    uint16_t port = 0;
    std::unique_ptr<service::Server> unixServer{};
    std::unique_ptr<service::Server> tcpServer{};

    Served() {
        char name[] = "/tmp/nnapi-fuzz-XXXXXX";
        folder = mkdtemp(name);
        path = folder + "/socket";
        unixServer = served("unix:" + path);
        tcpServer = served("127.0.0.1:0");
        const std::string address = tcpServer->address();
        port = static_cast<uint16_t>(std::stoul(address.substr(address.rfind(':') + 1)));
    }
    ~Served() {
        unixServer = nullptr;
        tcpServer = nullptr;
        std::filesystem::remove_all(folder);
    }

    // A new connection.
    int connected(bool isTcp) const {
        const int fd = socket(isTcp ? AF_INET : AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_un local{};
        local.sun_family = AF_UNIX;
        path.copy(local.sun_path, sizeof local.sun_path - 1);
        sockaddr_in remote{};
        remote.sin_family = AF_INET;
        remote.sin_port = htons(port);
        remote.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        const auto* address = isTcp ? reinterpret_cast<const sockaddr*>(&remote)
                                    : reinterpret_cast<const sockaddr*>(&local);
        expect(connect(fd, address, isTcp ? sizeof remote : sizeof local) == 0,
               "the server does not take clients");
        if (isTcp) sendAtOnce(fd);
        return fd;
    }

    // Whether the server frees all its objects soon after its clients disconnect.
    bool isSettled(bool isTcp) const {
        const service::Server& server = isTcp ? *tcpServer : *unixServer;
        for (int i = 0; i < 100'000; ++i) {
            if (server.load() == service::ServerLoad()) return true;
            usleep(100);
        }
        return false;
    }

   private:
    static std::unique_ptr<service::Server> served(const std::string& address) {
        auto made = service::serve({referenceDevice({.fencedThreads = 2, .prepare = littleWork()})},
                                   address,
                                   {.objectsPerClient = 64,
                                    .bytesPerClient = 1 << 22,
                                    .queuesPerClient = 2,
                                    .messageBytes = 1 << 20,
                                    .limits = {.constantBytes = 1 << 20},
                                    .insecurePlainTcp = true});
        expect(made.has_value(), "the server does not start");
        return *std::move(made);
    }
};

// A client that uses only the RPC engine, not the client library.
class Client {
   public:
    Client(kj::AsyncIoContext& io, const Served& served, bool isTcp)
        : mIo(io),
          mStream(wrapped(io, kj::AutoCloseFd(served.connected(isTcp)), isTcp)),
          mNetwork(network(*mStream, isTcp)),
          mRpc(capnp::makeRpcClient(*mNetwork)) {
        capnp::MallocMessageBuilder message;
        auto server = message.getRoot<capnp::rpc::twoparty::VatId>();
        server.setSide(capnp::rpc::twoparty::Side::SERVER);
        service = mRpc.bootstrap(server).castAs<service::rpc::Service>();
    }

    // Whether the promise ends, with a value or an exception.
    bool ends(kj::Promise<void> promise) {
        try {
            auto late = mIo.provider->getTimer().afterDelay(10 * kj::SECONDS).then([] {
                return false;
            });
            return promise.then([] { return true; }, [](kj::Exception&&) { return true; })
                    .exclusiveJoin(kj::mv(late))
                    .wait(mIo.waitScope);
        } catch (const kj::Exception&) {
            return true;
        }
    }
    service::rpc::Service::Client service = nullptr;

   private:
    static kj::Own<kj::AsyncIoStream> wrapped(kj::AsyncIoContext& io, kj::AutoCloseFd fd,
                                              bool isTcp) {
        if (isTcp) return io.lowLevelProvider->wrapSocketFd(kj::mv(fd), 0);
        return io.lowLevelProvider->wrapUnixSocketFd(kj::mv(fd), 0);
    }
    static kj::Own<capnp::TwoPartyVatNetwork> network(kj::AsyncIoStream& stream, bool isTcp) {
        constexpr auto kSide = capnp::rpc::twoparty::Side::CLIENT;
        if (isTcp) return kj::heap<capnp::TwoPartyVatNetwork>(stream, kSide);
        return kj::heap<capnp::TwoPartyVatNetwork>(kj::downcast<kj::AsyncCapabilityStream>(stream),
                                                   8u, kSide);
    }

    kj::AsyncIoContext& mIo;
    kj::Own<kj::AsyncIoStream> mStream;
    kj::Own<capnp::TwoPartyVatNetwork> mNetwork;
    capnp::RpcSystem<capnp::rpc::twoparty::VatId> mRpc;
};

// Makes calls on any of the known objects.
class Calls {
   public:
    Calls(testing::Source& source, Client& client) : mSource(source), mClient(client) {
        // The argument of the conversion is moved from.
        mKnown.push_back(DynamicCapability::Client(service::rpc::Service::Client(client.service)));
    }

    void make() {
        DynamicCapability::Client& target = mKnown[mSource.below(mKnown.size())];
        const auto methods = target.getSchema().getMethods();
        if (methods.size() == 0) return;
        const auto method = methods[static_cast<unsigned>(mSource.below(methods.size()))];
        try {
            auto request = target.newRequest(method);
            const AnyObject object = [this](testing::Source&, capnp::InterfaceSchema schema) {
                return objectOf(schema);
            };
            const Usual usual = [this](testing::Source&, DynamicStruct::Builder message,
                                       capnp::StructSchema::Field field) {
                return putUsual(message, field);
            };
            AnyMessage{mSource, object, usual}.fill(request);
            auto pending = request.send();
            learn(pending, method.getResultType());
            if (mSource.coin()) return mUnderWay.push_back(pending.ignoreResult());
            expect(mClient.ends(pending.ignoreResult()), "a call does not end");
        } catch (const kj::Exception&) {  // the engine itself rejects the message
        }
    }

    // Writes arbitrary data into the queue that the server reads, raw or as a packet.
    void spoilQueue() {
        if (mQueue == nullptr) return;
        std::vector<uint64_t> words(1 + mSource.below(24));
        for (uint64_t& word : words) word = mSource.coin() ? mSource.below(4) : mSource.number();
        if (mSource.coin()) words[0] = words.size();
        (void)mQueue->send(words);
        if (mSource.oneIn(8)) mQueue->interrupt();
    }

   private:
    // Records the objects of a pending result: they can be called before it arrives.
    template <class Pending>
    void learn(Pending& pending, capnp::StructSchema results) {
        for (const auto field : results.getFields()) {
            if (!field.getType().isInterface() || mKnown.size() > 40) continue;
            mKnown.push_back(pending.get(field).template releaseAs<DynamicCapability>());
        }
    }

    kj::Maybe<DynamicCapability::Client> objectOf(capnp::InterfaceSchema schema) {
        if (schema == capnp::Schema::from<service::rpc::Descriptor>()) {
            return DynamicCapability::Client(service::rpc::Descriptor::Client(
                    kj::heap<service::DescriptorServer>(descriptor())));
        }
        if (mSource.oneIn(8)) return nullptr;
        const bool isAny = mSource.oneIn(16);
        for (size_t i = 0; i < mKnown.size(); ++i) {
            DynamicCapability::Client& each = mKnown[(i + mSource.below(4)) % mKnown.size()];
            if (isAny || each.getSchema() == schema) {
                return capnp::Capability::Client(each).castAs<DynamicCapability>(schema);
            }
        }
        return nullptr;
    }

    int descriptor() {
        if (mQueue == nullptr) mQueue = service::QueueChannel::create(64);
        if (mQueue != nullptr && mSource.coin()) return service::descriptorOf(*mQueue);
        if (mFd.get() < 0) {
            mFd = UniqueFd(memfd_create("fuzz", MFD_CLOEXEC));
            (void)!ftruncate(mFd.get(), 4096);
        }
        return mSource.oneIn(8) ? -1 : mFd.get();
    }

    bool putUsual(DynamicStruct::Builder message, capnp::StructSchema::Field field) {
        if (mSource.oneIn(8)) return false;
        const auto name = field.getProto().getName();
        if (name == "message" && field.getType().isData()) {
            const std::string file = anyModelFile(mSource);
            message.set(field, capnp::Data::Reader(reinterpret_cast<const kj::byte*>(file.data()),
                                                   file.size()));
            return true;
        }
        if (message.getSchema() == capnp::Schema::from<service::rpc::Piece>() && name == "digest") {
            return putDigest(message.as<service::rpc::Piece>());
        }
        if (message.getSchema() == capnp::Schema::from<service::rpc::Queue>()) {
            if (mQueue == nullptr) return false;
            service::write(*mQueue, message.as<service::rpc::Queue>());
            return true;
        }
        return false;
    }

    testing::Source& mSource;
    Client& mClient;
    std::vector<DynamicCapability::Client> mKnown{};
    std::vector<kj::Promise<void>> mUnderWay{};
    std::shared_ptr<service::QueueChannel> mQueue{};
    UniqueFd mFd{};
};

void sendRaw(int fd, std::span<const uint8_t> bytes) {
    const UniqueFd raw(fd);
    (void)send(raw.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
}

}  // namespace service_server

NNAPI_FUZZ_TARGET(service_server, RECORDS) {
    using namespace service_server;
    static const Served served;
    Records source(bytes);
    const bool isTcp = source.next().coin();
    if (source.oneIn(16)) sendRaw(served.connected(isTcp), source.next().bytes());
    auto io = ownLoop();
    {
        Client client(io, served, isTcp);
        Calls calls(source, client);
        for (int i = 0; i < 24 && !source.areRead(); ++i) {
            source.next().oneIn(6) ? calls.spoilQueue() : calls.make();
        }
        expect(client.ends(client.service.pingRequest().send().ignoreResult()),
               "the server does not reply to its client");
    }
    expect(served.isSettled(isTcp), "the server keeps what its client held");
    Client next(io, served, isTcp);
    bool hasReplied = false;
    expect(next.ends(next.service.pingRequest().send().then([&](auto&&) { hasReplied = true; })) &&
                   hasReplied,
           "the server does not serve the next client");
}

}  // namespace nn::fuzz
