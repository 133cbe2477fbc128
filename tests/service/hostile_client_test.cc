// Malicious clients that exceed their limits, each while the server serves a victim. After they
// disconnect, the server holds the same resources as before the attack.
#include <capnp/rpc-twoparty.h>
#include <kj/async-io.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <thread>

#include "driver/models.h"
#include "driver/threads/cancellation.h"
#include "nnapi/driver/forwarding.h"
#include "nnapi/io.h"
#include "nnapi/memory.h"
#include "nnapi/service.capnp.h"
#include "nnapi/service/client.h"
#include "nnapi/service/server.h"
#include "service/connection.h"
#include "service/message_bounds.h"
#include "service/pooled_request.h"
#include "temporary_folder.h"

namespace nn::hostile_client_test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using enum ErrorStatus;

constexpr auto kNo = MeasureTiming::NO;
constexpr service::ClientOptions kPatient{.connectTimeout = 60s, .heartbeat = 60s};

// A device whose wait() returns when it is opened or when its caller cancels.
class SlowDevice final : public ForwardingDevice {
   public:
    SlowDevice() : ForwardingDevice(referenceDevice({.fencedThreads = 2})) {}
    GeneralResult<void> wait() const override {
        ++entered;
        const StopFunction stop = driver::currentStop();
        while (!isOpen && !(stop && stop())) std::this_thread::sleep_for(1ms);
        ++left;
        return {};
    }
    mutable std::atomic<int> entered{0};
    mutable std::atomic<int> left{0};
    std::atomic<bool> isOpen{false};
};

// An event loop in this thread; ignores SIGPIPE, since it may write to a server that has ended.
kj::AsyncIoContext ownLoop() {
    sigset_t broken;
    sigemptyset(&broken);
    sigaddset(&broken, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &broken, nullptr);
    return kj::setupAsyncIo();
}

// A client that sends protocol messages directly, without the client library.
class RawClient {
   public:
    explicit RawClient(const std::string& path)
        : mParts(kj::heap<Parts>(mIo.lowLevelProvider->wrapUnixSocketFd(
                  connected(path), kj::LowLevelAsyncIoProvider::TAKE_OWNERSHIP))) {
        capnp::MallocMessageBuilder message;
        auto server = message.getRoot<capnp::rpc::twoparty::VatId>();
        server.setSide(capnp::rpc::twoparty::Side::SERVER);
        service = mParts->rpc.bootstrap(server).castAs<service::rpc::Service>();
    }
    RawClient(const RawClient&) = delete;
    RawClient& operator=(const RawClient&) = delete;
    ~RawClient() {
        service = nullptr;
        mParts = nullptr;
        mIo.waitScope.poll();  // run the remaining events
    }
    kj::WaitScope& scope() { return mIo.waitScope; }
    service::rpc::Device::Client device() {
        return service.devicesRequest().send().wait(scope()).getDevices()[0].getDevice();
    }
    // The error of a call or of its connection; empty for success.
    std::string endOf(kj::Promise<void> promise) {
        try {
            promise.wait(scope());
            return "";
        } catch (const kj::Exception& exception) {
            return exception.getDescription().cStr();
        }
    }
    service::rpc::Service::Client service = nullptr;

   private:
    static int connected(const std::string& path) {
        const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        path.copy(address.sun_path, sizeof address.sun_path - 1);
        EXPECT_EQ(connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
        return fd;
    }
    struct Parts {
        explicit Parts(kj::Own<kj::AsyncCapabilityStream> bytes)
            : stream(kj::mv(bytes)),
              network(*stream, 200u, capnp::rpc::twoparty::Side::CLIENT),
              rpc(capnp::makeRpcClient(network)) {}
        kj::Own<kj::AsyncCapabilityStream> stream;
        capnp::TwoPartyVatNetwork network;
        capnp::RpcSystem<capnp::rpc::twoparty::VatId> rpc;
    };
    kj::AsyncIoContext mIo = ownLoop();
    kj::Own<Parts> mParts;
};

// A server and a victim client that it must keep serving.
class HostileClients : public testing::Test {
   protected:
    void serve(const service::ServeOptions& options = {}, SharedDevice device = nullptr) {
        if (device == nullptr) device = referenceDevice({.fencedThreads = 2});
        auto made = service::serve({std::move(device)}, address, options);
        ASSERT_TRUE(made.has_value()) << made.error().message;
        server = *std::move(made);
        victim = connect();
        victimModel = prepareOn(*victim, addition()).value();
        settled = server->load();
        settled.descriptors = 0;
    }
    SharedDevice connect() const {
        auto device = service::connect(address, kPatient);
        EXPECT_TRUE(device.has_value()) << device.error().message;
        return device.has_value() ? *device : nullptr;
    }
    // An execution of the victim should take less than a second; the bound of five allows for a
    // busy machine. nnapi_hostile_soak measures the time.
    void expectVictimIsServed() const {
        const Pooled pooled;
        const TimePoint start = Clock::now();
        const auto executed = victimModel->execute(pooled.request, kNo, {}, {}, {}, {});
        EXPECT_TRUE(executed.has_value()) << executed.error().message;
        EXPECT_LT(Clock::now() - start, 5s);
    }
    // Waits until the server holds no resources of the attackers.
    void expectSettled() const {
        service::ServerLoad load;
        for (int i = 0; i < 1000; ++i) {
            load = server->load();
            if (load == settled) break;
            std::this_thread::sleep_for(10ms);
        }
        EXPECT_EQ(load.clients, settled.clients);
        EXPECT_EQ(load.objects, settled.objects);
        EXPECT_EQ(load.bytes, settled.bytes);
        EXPECT_EQ(load.descriptors, settled.descriptors);
        EXPECT_EQ(load.threads, settled.threads);
        EXPECT_EQ(load.calls, settled.calls);
        expectVictimIsServed();
    }
    // Disconnects all clients of this process but the first.
    void cutAttackers() const {
        bool isVictim = true;
        for (int fd = 3; fd < 1024; ++fd) {
            sockaddr_un peer{};
            socklen_t size = sizeof peer;
            if (getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &size) != 0) continue;
            if (peer.sun_family != AF_UNIX || path != peer.sun_path) continue;
            if (!std::exchange(isVictim, false)) (void)shutdown(fd, SHUT_RDWR);
        }
    }

    const TemporaryFolder folder{};
    const std::string path = folder / "socket";
    const std::string address = "unix:" + path;
    std::unique_ptr<service::Server> server{};
    SharedDevice victim{};
    SharedPreparedModel victimModel{};
    service::ServerLoad settled{};
};

// ---- lists

TEST(MessageBounds, AreBesideEachList) {
    EXPECT_THAT(service::MessageBounds::get().unbounded(), testing::IsEmpty());
}

// A list of structs without bytes can claim any number of elements in a message of 40 bytes.
TEST_F(HostileClients, EmptyListsEndTheConnection) {
    serve();
    for (const unsigned pools : {70000u, 8000000u, 500000000u}) {
        RawClient attacker(path);
        auto request = attacker.device().supportedOperationsRequest();
        // The same list as the server's schema declares it: List(Empty).
        auto list = request.initModel();
        auto any = capnp::toAny(list);
        any.getPointerSection()[1].initAsListOfAnyStruct(0, 0, pools);
        const TimePoint start = Clock::now();
        EXPECT_THAT(attacker.endOf(request.send().ignoreResult()),
                    testing::AnyOf(HasSubstr("claim more than it has bytes for"),
                                   HasSubstr("the list 'pools' has")));
        EXPECT_LT(Clock::now() - start, 5s);
        expectVictimIsServed();
    }
    expectSettled();
}

// The client library rejects a list that is too long, and the connection stays usable.
TEST_F(HostileClients, RejectTooLongListsLocally) {
    serve();
    Pooled pooled;
    pooled.request.pools.resize(70000, pooled.pool);
    const auto executed = victimModel->execute(pooled.request, kNo, {}, {}, {}, {});
    EXPECT_EQ(executed.error().code, RESOURCE_EXHAUSTED_TRANSIENT);
    EXPECT_THAT(executed.error().message,
                HasSubstr("the list 'pools' has 70000 elements, allowed at most 65536"));
    expectVictimIsServed();
}

// ---- arguments that the client library never sends

TEST_F(HostileClients, ArgumentsAreChecked) {
    serve({.limits = {.constantBytes = 1 << 16}});
    RawClient attacker(path);
    auto device = attacker.device();
    using Model = service::rpc::Model::Builder;
    using Pool = service::rpc::Request::Pool::Builder;
    const std::string message = *serializeModel(addition(), Format::BINARY);
    const auto fill = [](Model model, const std::string& bytes) {
        model.setMessage({reinterpret_cast<const kj::byte*>(bytes.data()), bytes.size()});
    };
    // Objects of the client where the server expects its own.
    struct OwnMemory final : service::rpc::Memory::Server {};
    struct OwnBuffer final : service::rpc::Buffer::Server {};
    struct OwnModel final : service::rpc::PreparedModel::Server {};
    const auto shared = [&](uint64_t size) {
        auto request = attacker.service.shareRequest();
        request.initMemory().setSize(size);
        request.getMemory().initDescriptors(1).set(
                0,
                kj::heap<service::DescriptorServer>(
                        std::get<Memory::Ashmem>((*createSharedMemory(1 << 17))->handle).fd.get()));
        return request.send().wait(attacker.scope()).getMemory();
    };

    struct ModelRow {
        std::function<void(Model)> change;
        const char* refusal;
    };
    const std::string versioned = *serializeModel(V1_0::Model(), Format::BINARY);
    const ModelRow models[] = {
            {[&](Model model) { fill(model, message); }, ""},
            {[&](Model model) { fill(model, "\xff\xff\xff"); },
             "byte 0: malformed or truncated field"},
            {[&](Model model) { fill(model, versioned); },
             "the message is not a canonical model without pools"},
            {[&](Model model) {
                 fill(model, message);
                 model.setValues(shared(1 << 17));
             },
             "the constants have 131072 bytes, allowed 65536"},
            {[&](Model model) {
                 fill(model, message);
                 model.setValues(service::rpc::Memory::Client(kj::heap<OwnMemory>()));
             },
             "a memory is of another connection, or of another kind"},
    };
    for (const ModelRow& row : models) {
        auto request = device.supportedOperationsRequest();
        row.change(request.initModel());
        EXPECT_THAT(std::string(request.send().wait(attacker.scope()).getFailure().getMessage()),
                    HasSubstr(row.refusal));
    }

    auto cached = device.prepareModelFromCacheRequest();
    const kj::byte token[3] = {};
    cached.initCache().setToken(kj::arrayPtr(token, 3));
    EXPECT_EQ(std::string(cached.send().wait(attacker.scope()).getFailure().getMessage()),
              "the cache token has 3 bytes, allowed 32");

    auto prepare = device.prepareModelRequest();
    fill(prepare.initModel(), message);
    auto model = prepare.send().wait(attacker.scope()).getPreparedModel();
    struct PoolRow {
        std::function<void(Pool)> change;
        const char* refusal;
    };
    const PoolRow pools[] = {
            {[](Pool pool) { pool.setNone(); }, "pools[0]: memory is null [memory.null]"},
            {[](Pool pool) { pool.setSlot(1); }, "a slot names a memory in queues only"},
            {[](Pool pool) { pool.setToken(7); }, "token 7 names no buffer"},
            {[](Pool pool) { pool.setBuffer(service::rpc::Buffer::Client(kj::heap<OwnBuffer>())); },
             "a buffer is of another connection, or of another kind"},
    };
    for (const PoolRow& row : pools) {
        auto request = model.executeRequest();
        row.change(request.initExecute().initRequest().initPools(1)[0]);
        EXPECT_THAT(std::string(request.send()
                                        .wait(attacker.scope())
                                        .getExecuted()
                                        .getFailure()
                                        .getMessage()),
                    HasSubstr(row.refusal));
    }

    // Queues of the right size, without their memories.
    auto open = model.openQueuesRequest();
    for (service::rpc::Queue::Builder queue : {open.initRequests(), open.initResults()}) {
        for (auto part : queue.initParts(4)) part.setExtent(64);
    }
    EXPECT_EQ(std::string(open.send().wait(attacker.scope()).getFailure().getMessage()),
              "the burst's queue is not a queue");

    auto allocate = device.allocateRequest();
    allocate.initPreparedModels(1).set(0,
                                       service::rpc::PreparedModel::Client(kj::heap<OwnModel>()));
    EXPECT_EQ(std::string(allocate.send().wait(attacker.scope()).getFailure().getMessage()),
              "a prepared model is of another connection, or of another kind");
}

// ---- resources that a client holds on the server

TEST_F(HostileClients, CallsThatWaitAreCounted) {
    serve({.callsPerClient = 8});
    RawClient attacker(path);
    auto device = attacker.device();
    auto never = kj::newPromiseAndFulfiller<service::rpc::Memory::Client>();
    const service::rpc::Memory::Client promised(kj::mv(never.promise));
    std::vector<kj::Promise<void>> calls;
    std::string why;
    for (int i = 0; i < 1000 && why.empty(); ++i) {
        auto request = device.supportedOperationsRequest();
        request.initModel().setValues(
                service::rpc::Memory::Client(const_cast<service::rpc::Memory::Client&>(promised)));
        calls.push_back(request.send().ignoreResult());
        if (i > 32) why = attacker.endOf(attacker.service.pingRequest().send().ignoreResult());
    }
    EXPECT_THAT(why, HasSubstr("calls under way: 33, allowed at most 32"));
    expectSettled();
}

TEST_F(HostileClients, RefusedMemoriesAreCounted) {
    serve({.objectsPerClient = 16});
    RawClient attacker(path);
    std::vector<service::rpc::Contents::Client> kept;
    std::string why;
    for (int i = 0; i < 100 && why.empty(); ++i) {
        auto request = attacker.service.makeContentsRequest();
        request.initMemory().setKind(service::rpc::MemoryInfo::Kind::UNKNOWN);
        auto sent = request.send();
        kept.push_back(sent.getContents());
        why = attacker.endOf(sent.ignoreResult());
    }
    EXPECT_EQ(kept.size(), 17u);
    EXPECT_THAT(why, HasSubstr("this client holds 16 objects and asks for 1 more, allowed 16"));
    expectVictimIsServed();
}

TEST_F(HostileClients, DevicesAreTheSameObjects) {
    serve({.objectsPerClient = 16});
    RawClient attacker(path);
    std::vector<service::rpc::Device::Client> kept;
    for (int i = 0; i < 1000; ++i) kept.push_back(attacker.device());
    EXPECT_EQ(server->load().objects, settled.objects);
    expectVictimIsServed();
}

// A descriptor that occurs several times in a list counts once for each copy that the server keeps.
TEST_F(HostileClients, DescriptorsAreShared) {
    serve({.descriptors = 120});
    {
        RawClient attacker(path);
        service::rpc::Descriptor::Client descriptor =
                kj::heap<service::DescriptorServer>(UniqueFd(memfd_create("x", MFD_CLOEXEC)).get());
        std::vector<service::rpc::Memory::Client> kept;
        for (int i = 0; i < 20; ++i) {
            auto request = attacker.service.shareRequest();
            auto memory = request.initMemory();
            memory.setKind(service::rpc::MemoryInfo::Kind::UNKNOWN);
            auto list = memory.initDescriptors(20);
            for (unsigned k = 0; k < 20; ++k) list.set(k, descriptor);
            auto sent = request.send();
            kept.push_back(sent.getMemory());
            (void)attacker.endOf(sent.ignoreResult());
        }
        EXPECT_LE(server->load().descriptors, 60u);  // half of the remaining quota
        expectVictimIsServed();
    }
    expectSettled();
}

TEST_F(HostileClients, WeightsAndBuffersAreBytes) {
    serve({.bytesPerClient = 3 << 20});
    const SharedDevice attacker = connect();
    constexpr uint32_t kElements = 1 << 18;  // 1 MiB
    {
        Model model;
        Graph main(model);
        const auto x = main.input(TENSOR_FLOAT32, {kElements});
        const auto y = main.temporary(TENSOR_FLOAT32, {kElements});
        main.graph.operands[y].lifetime = Operand::LifeTime::CONSTANT_REFERENCE;
        main.graph.operands[y].location = {.length = kElements * 4};
        main.add(OperationType::ADD, {x, y, main.scalar(0)},
                 {main.output(TENSOR_FLOAT32, {kElements})});
        model.main = main.graph;
        model.pools = {*createSharedMemory(kElements * 4)};
        const auto first = prepareOn(*attacker, model);
        ASSERT_TRUE(first.has_value()) << first.error().message;
        // The memory and its copy, twice.
        EXPECT_THAT(prepareOn(*attacker, model).error().message,
                    HasSubstr("more, allowed 3145728"));
    }
    for (int i = 0; i < 1000 && server->load().bytes > settled.bytes; ++i) {
        std::this_thread::sleep_for(10ms);
    }
    const SharedPreparedModel model = prepareOn(*attacker, addition(kElements)).value();
    std::vector<SharedBuffer> buffers;
    GeneralResult<SharedBuffer> made = error() << "";
    do {
        made = attacker->allocate({}, {model}, {{0, 0, 1.0f}}, {});
        if (made.has_value()) buffers.push_back(*made);
    } while (made.has_value() && buffers.size() < 10);
    EXPECT_EQ(made.error().code, RESOURCE_EXHAUSTED_TRANSIENT);
    EXPECT_EQ(buffers.size(), 2u);  // and the message of the model
}

// A client that sends requests and never reads the results.
TEST_F(HostileClients, DisconnectClientsThatDoNotRead) {
    serve({.patience = 300ms});
    {
        RawClient attacker(path);
        auto request = attacker.service.makeContentsRequest();
        request.initMemory().setSize(1 << 20);
        auto contents = request.send().wait(attacker.scope()).getContents();
        std::vector<kj::Promise<void>> replies;
        for (int i = 0; i < 400; ++i) {
            auto read = contents.readRequest();
            read.initRanges(1)[0].setLength(1 << 20);
            replies.push_back(read.send().ignoreResult());
        }
        attacker.scope().poll();  // writes, and reads a little
        for (int i = 0; i < 200 && server->load().clients > 1; ++i) {
            expectVictimIsServed();
            std::this_thread::sleep_for(10ms);
        }
        EXPECT_EQ(server->load().clients, 1u);
    }
    expectSettled();
}

// ---- work for a client that has disconnected

TEST_F(HostileClients, FencesFailWithTheirClient) {
    serve();
    const Fence never;
    {
        const SharedDevice attacker = connect();
        const SharedPreparedModel model = prepareOn(*attacker, addition()).value();
        const Pooled pooled;
        for (int i = 0; i < 20; ++i) {
            const auto launched =
                    model->executeFenced(pooled.request, {never.get()}, kNo, {}, {}, {}, {}, {});
            ASSERT_TRUE(launched.has_value()) << launched.error().message;
        }
        EXPECT_GE(server->load().descriptors, 20u);
        cutAttackers();
    }
    expectSettled();
}

TEST_F(HostileClients, FencesHaveACeiling) {
    serve({.callCeiling = 200ms});
    const Fence never;
    const Pooled pooled;
    const auto launched =
            victimModel->executeFenced(pooled.request, {never.get()}, kNo, {}, {}, {}, {}, {});
    ASSERT_TRUE(launched.has_value()) << launched.error().message;
    EXPECT_EQ(launched->first.syncWait(20s), SyncFence::FenceState::ERROR);
    expectVictimIsServed();
}

TEST_F(HostileClients, CallsEndWithTheirClient) {
    const auto device = std::make_shared<SlowDevice>();
    serve({.threads = 2}, device);
    std::vector<std::thread> threads;
    {
        const SharedDevice attacker = connect();
        for (int i = 0; i < 20; ++i) {
            threads.emplace_back([attacker] { (void)attacker->wait(); });
        }
        while (device->entered < 2) std::this_thread::sleep_for(1ms);
        // The first call of a client does not wait for the calls of other clients.
        expectVictimIsServed();
        cutAttackers();
    }
    for (std::thread& thread : threads) thread.join();
    expectSettled();
    EXPECT_EQ(device->entered, 2);  // the waiting calls never reached the device
    EXPECT_EQ(device->left, 2);
}

TEST_F(HostileClients, CallsHaveACeiling) {
    const auto device = std::make_shared<SlowDevice>();
    serve({.callCeiling = 100ms}, device);
    EXPECT_TRUE(victim->wait().has_value());
    EXPECT_EQ(device->left, 1);
}

// Executions of the reference device, which polls for cancellation.
TEST_F(HostileClients, ExecutionsEndWithTheirClient) {
    serve();
    static constexpr auto kLong = std::chrono::hours(1);
    std::vector<std::thread> threads;
    {
        const SharedDevice attacker = connect();
        const SharedPreparedModel model = prepareOn(*attacker, endlessLoop()).value();
        for (const bool isBurst : {false, true}) {
            threads.emplace_back([model, isBurst] {
                std::vector<float> in{1}, out{0};
                const Request request{
                        .inputs = {pointerTo(in)}, .outputs = {pointerTo(out)}, .pools = {}};
                if (!isBurst) {
                    (void)model->execute(request, kNo, {}, kLong, {}, {});
                } else if (auto burst = model->configureExecutionBurst(); burst.has_value()) {
                    (void)(*burst)->execute(request, kNo, {}, kLong, {}, {});
                }
            });
        }
        while (server->load().calls < 2) std::this_thread::sleep_for(1ms);
        expectVictimIsServed();
        cutAttackers();
        for (std::thread& thread : threads) thread.join();
    }
    expectSettled();
}

// With one thread for launches, a launch waits until the previous one has ended.
TEST_F(HostileClients, LaunchesEndWithTheirClient) {
    serve({}, referenceDevice({.fencedThreads = 1}));
    std::vector<float> in{1}, out{0};
    {
        const SharedDevice attacker = connect();
        const SharedPreparedModel model = prepareOn(*attacker, endlessLoop()).value();
        const Request request{.inputs = {pointerTo(in)}, .outputs = {pointerTo(out)}, .pools = {}};
        const auto launched =
                model->executeFenced(request, {}, kNo, {}, std::chrono::hours(1), {}, {}, {});
        ASSERT_TRUE(launched.has_value()) << launched.error().message;
        cutAttackers();
    }
    expectSettled();
    const Pooled pooled;
    const auto next = victimModel->executeFenced(pooled.request, {}, kNo, {}, {}, {}, {}, {});
    ASSERT_TRUE(next.has_value()) << next.error().message;
    EXPECT_EQ(next->first.syncWait(5s), SyncFence::FenceState::SIGNALED);
}

// The arguments of a driver call own their bytes: the event loop and its messages may be destroyed
// first.
TEST_F(HostileClients, StopWhileCallsWait) {
    const auto device = std::make_shared<SlowDevice>();
    serve({.threads = 1}, device);
    std::thread waiting([this] { (void)victim->wait(); });
    while (device->entered == 0) std::this_thread::sleep_for(1ms);
    std::thread preparing([this] { (void)prepareOn(*victim, addition(1000)); });
    while (server->load().bytes == settled.bytes) std::this_thread::sleep_for(1ms);
    server->stop(10ms);
    device->isOpen = true;
    waiting.join();
    preparing.join();
    server = nullptr;
}

// The token of a buffer is not reused while an execution names the buffer.
TEST_F(HostileClients, TokensKeepTheirBuffers) {
    serve();
    Pooled pooled;
    pooled.request.inputs[0].location = {.poolIndex = 1};
    SharedBuffer buffer = *victim->allocate({}, {victimModel}, {{0, 0, 1.0f}}, {});
    EXPECT_TRUE(buffer->copyFrom(*createSharedMemory(16), {}).has_value());
    pooled.request.pools.push_back(buffer->getToken());
    const auto execution =
            victimModel->createReusableExecution(pooled.request, kNo, {}, {}, {}).value();
    buffer = nullptr;
    std::this_thread::sleep_for(100ms);  // until the release has arrived
    const SharedBuffer next = *victim->allocate({}, {victimModel}, {{0, 0, 1.0f}}, {});
    EXPECT_NE(next->getToken(), std::get<Request::MemoryDomainToken>(pooled.request.pools[1]));
    EXPECT_TRUE(execution->compute({}).has_value());
    EXPECT_THAT(pooled.result(), testing::ElementsAre(10, 20, 30, 40));
}

}  // namespace
}  // namespace nn::hostile_client_test
