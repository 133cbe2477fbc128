// Arbitrary results and objects for a client of devices: each of its calls ends.
#include <capnp/rpc-twoparty.h>
#include <kj/async-io.h>
#include <kj/io.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>
#include <mutex>
#include <thread>

#include "fuzz/any_message.h"
#include "fuzz/records.h"
#include "nnapi/memory.h"
#include "nnapi/service/client.h"
#include "service/burst_queue.h"
#include "service/connection.h"

namespace nn::fuzz {
namespace service_client {

using capnp::DynamicCapability;
using capnp::DynamicStruct;

// The source of all results on one connection: the first record selects how to connect, each
// further one is a result.
struct Script {
    explicit Script(std::vector<uint8_t> records) : bytes(std::move(records)), source(bytes) {
        source.next();
    }
    std::vector<uint8_t> bytes;
    Records source;
    std::vector<std::shared_ptr<service::QueueChannel>> queues{};
};

// Any object of the service; its results do not depend on the requests.
class AnyServer final : public DynamicCapability::Server {
   public:
    AnyServer(capnp::InterfaceSchema schema, Script& script)
        : DynamicCapability::Server(schema), mScript(script) {}

    kj::Promise<void> call(capnp::InterfaceSchema::Method method,
                           capnp::CallContext<DynamicStruct, DynamicStruct> context) override {
        const auto name = method.getProto().getName();
        mScript.source.next();
        if (name == "openQueues") return openQueues(context);
        if (name == "read" && !mScript.source.oneIn(4)) {
            read(context);
        } else {
            reply(context);
        }
        return kj::READY_NOW;
    }

   private:
    void reply(capnp::CallContext<DynamicStruct, DynamicStruct>& context) {
        testing::Source& source = mScript.source;
        if (source.oneIn(32)) KJ_FAIL_REQUIRE("the server's own failure");
        sendPackets();
        const AnyObject object =
                [&script = mScript](
                        testing::Source& choices,
                        capnp::InterfaceSchema schema) -> kj::Maybe<DynamicCapability::Client> {
            if (choices.oneIn(12)) return nullptr;
            return DynamicCapability::Client(kj::heap<AnyServer>(schema, script));
        };
        const Usual usual = putUsual;
        AnyMessage{source, object, usual}.fill(context.getResults());
    }

    // Success and nonempty names: otherwise hardly any call follows the first one.
    static bool putUsual(testing::Source& source, DynamicStruct::Builder message,
                         capnp::StructSchema::Field field) {
        if (source.oneIn(8)) return false;
        const auto name = field.getProto().getName();
        if (name == "failure" || name == "capabilities" || name == "extensions") return true;
        const auto put = [&](auto value) {
            message.set(field, value);
            return true;
        };
        if (name == "name" || name == "versionString") return put(capnp::Text::Reader("fuzz"));
        if (name == "featureLevel") return put(uint64_t{8});
        if (name == "modelCacheFiles" || name == "dataCacheFiles") return put(uint64_t{1});
        if (name == "type") return put(int64_t{1});
        return false;
    }

    // Arbitrary bytes, but as many as requested and with their digests.
    void read(capnp::CallContext<DynamicStruct, DynamicStruct>& context) {
        const auto ranges =
                context.getParams().as<service::rpc::Contents::ReadParams>().getRanges();
        auto pieces = context.getResults().as<service::rpc::Contents::ReadResults>().initPieces(
                ranges.size());
        for (unsigned i = 0; i < ranges.size(); ++i) {
            pieces[i].setOffset(ranges[i].getOffset());
            const auto length = std::min<uint64_t>(ranges[i].getLength(), 1 << 16);
            auto bytes = pieces[i].initBytes(static_cast<unsigned>(length));
            for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(mScript.source.below(256));
            (void)putDigest(pieces[i]);
        }
    }

    // Opens the client's queues, to send results through them.
    kj::Promise<void> openQueues(capnp::CallContext<DynamicStruct, DynamicStruct> context) {
        auto params = context.getParams().as<service::rpc::Burst::OpenQueuesParams>();
        auto descriptors =
                kj::heapArrayBuilder<kj::Promise<kj::Maybe<int>>>(params.getDescriptors().size());
        for (auto each : params.getDescriptors()) descriptors.add(each.getFd());
        return kj::joinPromises(descriptors.finish())
                .then([this, context](kj::Array<kj::Maybe<int>>&& fds) mutable {
                    const auto from =
                            context.getParams().as<service::rpc::Burst::OpenQueuesParams>();
                    if (fds.size() == 2) {
                        KJ_IF_MAYBE (fd, fds[1]) {
                            auto queue = service::queueOf(
                                    from.getResults(),
                                    std::make_shared<const Handle>(duplicate(*fd)));
                            if (queue.ok()) mScript.queues.push_back(*queue);
                        }
                    }
                    reply(context);
                });
    }

    // Sends packets that may be results into all result queues.
    void sendPackets() {
        testing::Source& source = mScript.source;
        for (const auto& queue : mScript.queues) {
            std::vector<uint64_t> words;
            for (uint64_t packets = source.below(3); packets > 0; --packets) {
                const size_t first = words.size();
                words.resize(first + 2 + source.below(16));
                for (size_t i = first + 2; i < words.size(); ++i) {
                    words[i] = source.coin() ? 0 : source.number();
                }
                words[first] = source.oneIn(8) ? source.number() : words.size() - first;
                words[first + 1] = source.below(4);
            }
            if (!words.empty()) (void)queue->send(words);
        }
    }

    Script& mScript;
};

// The choices of the first record.
bool isTcp(Records& records) { return records.coin(); }
bool isRaw(Records& records) {
    (void)isTcp(records);  // skip the preceding choice
    return records.oneIn(16);
}

// Serves one client after the other, each with its own script: at a Unix socket, which transfers
// descriptors, or at a TCP port, which transfers contents.
class ArbitraryServer {
   public:
    explicit ArbitraryServer(bool isTcp) : mIsTcp(isTcp) {
        mListener = UniqueFd(socket(isTcp ? AF_INET : AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
        if (isTcp) {
            sockaddr_in address{};
            address.sin_family = AF_INET;
            address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
            listenAt(address);
            socklen_t size = sizeof address;
            expect(getsockname(mListener.get(), reinterpret_cast<sockaddr*>(&address), &size) == 0,
                   "no port");
            mAddress = "127.0.0.1:" + std::to_string(ntohs(address.sin_port));
        } else {
            char name[] = "/tmp/nnapi-fuzz-XXXXXX";
            mFolder = mkdtemp(name);
            const std::string path = mFolder + "/socket";
            sockaddr_un address{};
            address.sun_family = AF_UNIX;
            path.copy(address.sun_path, sizeof address.sun_path - 1);
            listenAt(address);
            mAddress = "unix:" + path;
        }
        mThread = std::thread([this] { work(); });
    }
    ~ArbitraryServer() {
        (void)shutdown(mListener.get(), SHUT_RDWR);
        mThread.join();
        if (!mFolder.empty()) std::filesystem::remove_all(mFolder);
    }
    const std::string& address() const { return mAddress; }
    void setScript(std::span<const uint8_t> bytes) {
        const std::lock_guard lock(mMutex);
        mBytes.assign(bytes.begin(), bytes.end());
    }

   private:
    template <class Address>
    void listenAt(const Address& address) const {
        expect(bind(mListener.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) ==
                               0 &&
                       listen(mListener.get(), 8) == 0,
               "no socket");
    }
    void work() {
        auto io = ownLoop();
        while (true) {
            const int client = accept4(mListener.get(), nullptr, nullptr, SOCK_CLOEXEC);
            if (client < 0) return;
            if (mIsTcp) sendAtOnce(client);
            std::vector<uint8_t> bytes;
            {
                const std::lock_guard lock(mMutex);
                bytes = mBytes;
            }
            Records records(bytes);
            if (isRaw(records.next())) {
                const auto raw = records.next().bytes();
                (void)send(client, raw.data(), raw.size(), MSG_NOSIGNAL);
                close(client);
                continue;
            }
            serve(io, client, std::move(bytes));
        }
    }
    void serve(kj::AsyncIoContext& io, int socket, std::vector<uint8_t> bytes) const {
        constexpr auto kSide = capnp::rpc::twoparty::Side::SERVER;
        Script script(std::move(bytes));
        const auto talk = [&](capnp::TwoPartyVatNetwork& network) {
            auto rpc = capnp::makeRpcServer(
                    network, DynamicCapability::Client(kj::heap<AnyServer>(
                                     capnp::Schema::from<service::rpc::Service>(), script)));
            network.onDisconnect().wait(io.waitScope);
        };
        try {
            if (mIsTcp) {
                auto stream = io.lowLevelProvider->wrapSocketFd(kj::AutoCloseFd(socket), 0);
                capnp::TwoPartyVatNetwork network(*stream, kSide);
                talk(network);
            } else {
                auto stream = io.lowLevelProvider->wrapUnixSocketFd(kj::AutoCloseFd(socket), 0);
                capnp::TwoPartyVatNetwork network(*stream, 8u, kSide);
                talk(network);
            }
        } catch (const kj::Exception&) {  // from a client that closes the connection
        }
    }

    bool mIsTcp;
    std::string mFolder{};
    std::string mAddress{};
    UniqueFd mListener{};
    std::mutex mMutex{};
    std::vector<uint8_t> mBytes{};
    std::thread mThread{};
};

SharedMemory memoryOf(size_t size) { return createSharedMemory(size).value(); }

// Executes in each way and calls every other method. Results may be arbitrary, but a reported
// success must come with its object.
void useModel(const IDevice& device, const SharedPreparedModel& model) {
    expect(model != nullptr, "a prepared model is null");
    std::vector<uint8_t> values(48);
    Request request;
    for (uint32_t i = 0; i < 3; ++i) {
        (i == 2 ? request.outputs : request.inputs)
                .push_back(
                        {.lifetime = Request::Argument::LifeTime::POINTER,
                         .location = {.pointer = static_cast<void*>(values.data() + size_t{16} * i),
                                      .length = 16}});
    }
    const auto expectShapes = [](const ExecutionResult<Executed>& executed) {
        if (!executed.has_value()) return;
        const auto& shapes = executed->first;
        expect(shapes.empty() || shapes.size() == 1, "shapes of outputs that there are not");
    };
    constexpr auto kYes = MeasureTiming::YES;
    expectShapes(model->execute(request, kYes, {}, {}, {}, {}));
    const auto fenced = model->executeFenced(request, {}, kYes, {}, {}, {}, {}, {});
    if (fenced.has_value()) {
        (void)fenced->first.syncWait(std::chrono::milliseconds(20));
        if (fenced->second) (void)fenced->second();
    }
    const auto burst = model->configureExecutionBurst();
    if (burst.has_value()) {
        for (int i = 0; i < 3; ++i) {
            expectShapes((*burst)->execute(request, kYes, {}, {}, {}, {}));
        }
        Request pooled = request;
        for (auto* arguments : {&pooled.inputs, &pooled.outputs}) {
            for (auto& argument : *arguments) {
                argument.lifetime = Request::Argument::LifeTime::POOL;
                argument.location = {.length = 16};
            }
        }
        pooled.pools = {memoryOf(16)};
        const auto hold = (*burst)->cacheMemory(std::get<SharedMemory>(pooled.pools[0]));
        const auto execution = (*burst)->createReusableExecution(pooled, kYes, {}, {}, {});
        if (execution.has_value()) expectShapes((*execution)->compute({}));
    }
    const auto buffer = device.allocate({}, {model}, {{0, 0, 1.0f}}, {});
    if (!buffer.has_value()) return;
    expect(*buffer != nullptr, "a buffer is null");
    (void)(*buffer)->copyTo(memoryOf(16));
    (void)(*buffer)->copyFrom(memoryOf(16), {4});
}

}  // namespace service_client

NNAPI_FUZZ_TARGET(service_client, RECORDS) {
    using namespace service_client;
    static ArbitraryServer local(false), remote(true);
    ArbitraryServer& server = isTcp(Records(bytes).next()) ? remote : local;
    server.setScript(bytes);
    constexpr auto kShort = std::chrono::milliseconds(100);
    const auto devices =
            service::connectAll(server.address(), {.connectTimeout = std::chrono::seconds(10),
                                                   .heartbeat = kShort,
                                                   .ceiling = kShort,
                                                   .grace = std::chrono::milliseconds(1),
                                                   .insecurePlainTcp = true});
    if (!devices.has_value()) return;
    static const Model model = [] {
        testing::Source none({});
        return testing::validModel(none);
    }();
    for (const SharedDevice& device : *devices) {
        expect(device != nullptr && !device->getName().empty(), "a device without a name");
        const auto supported = device->getSupportedOperations(model);
        expect(!supported.has_value() || supported->size() == model.main.operations.size(),
               "support of operations that there are not");
        const auto prepared = device->prepareModel(model, ExecutionPreference::DEFAULT,
                                                   Priority::DEFAULT, {}, {}, {}, {}, {}, {});
        if (prepared.has_value()) useModel(*device, *prepared);
        if (&device == &devices->at(1 < devices->size() ? 1 : 0)) break;
    }
}

}  // namespace nn::fuzz
