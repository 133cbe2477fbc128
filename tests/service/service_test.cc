// Devices behind a Unix socket, server and client in one process.
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <thread>

#include "driver/execution_drivers.h"
#include "driver/models.h"
#include "fakes/hooked_device.h"
#include "nnapi/memory.h"
#include "nnapi/service/client.h"
#include "nnapi/service/server.h"
#include "no_descriptors.h"
#include "service/pooled_request.h"
#include "service/server_process.h"
#include "vectors.h"

namespace nn::service_test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using enum ErrorStatus;

constexpr auto kNo = MeasureTiming::NO;

// Long timeouts, for busy machines.
constexpr service::ClientOptions kPatient{.connectTimeout = 60s, .heartbeat = 60s};

// Servers of the reference device, and their clients.
class Service : public testing::Test {
   protected:
    void serve(const service::ServeOptions& options = {},
               std::vector<SharedDevice> devices = {referenceDevice({.fencedThreads = 2})}) {
        auto made = service::serve(std::move(devices), address, options);
        ASSERT_TRUE(made.has_value()) << made.error().message;
        server = *std::move(made);
    }
    SharedDevice connect() {
        auto device = service::connect(address, kPatient);
        EXPECT_TRUE(device.has_value()) << device.error().message;
        return device.has_value() ? *device : nullptr;
    }
    // Waits until the server's load is this; releases take a while to arrive.
    bool becomes(const service::ServerLoad& load) const {
        for (int i = 0; i < 1000 && server->load() != load; ++i) {
            std::this_thread::sleep_for(10ms);
        }
        EXPECT_EQ(server->load().clients, load.clients);
        EXPECT_EQ(server->load().objects, load.objects);
        EXPECT_EQ(server->load().bytes, load.bytes);
        return server->load() == load;
    }

    const TemporaryFolder folder{};
    const std::string path = folder / "socket";
    const std::string address = "unix:" + path;
    std::unique_ptr<service::Server> server{};
};

TEST_F(Service, ForwardsDeviceProperties) {
    const SharedDevice real = fakes::hooked(
            referenceDevice(),
            {.type = DeviceType::GPU,
             .extensions = {{{.name = "com.example.one",
                              .operandTypes = {{.type = 7, .isTensor = true, .byteSize = 4},
                                               {.type = 8, .byteSize = 2}}},
                             {.name = "com.example.two"}}}});
    serve({}, {real});
    const SharedDevice device = connect();
    EXPECT_EQ(device->getName(), real->getName());
    EXPECT_EQ(device->getVersionString(), real->getVersionString());
    EXPECT_EQ(device->getFeatureLevel(), real->getFeatureLevel());
    EXPECT_EQ(device->getType(), real->getType());
    EXPECT_EQ(device->getSupportedExtensions(), real->getSupportedExtensions());
    EXPECT_EQ(device->getCapabilities(), real->getCapabilities());
    EXPECT_EQ(device->getNumberOfCacheFilesNeeded(), real->getNumberOfCacheFilesNeeded());
    EXPECT_TRUE(device->wait().has_value());
    EXPECT_THAT(*device->getSupportedOperations(addition()), ElementsAre(true));
}

// The server receives inputs behind pointers once the fences are signaled.
TEST_F(Service, InputsAreThoseOfTheFences) {
    serve();
    const SharedPreparedModel model = prepareOn(*connect(), addition()).value();
    Sum sum;
    const auto execution = model->createReusableExecution(sum.request(), kNo, {}, {}, {}).value();
    for (const float x : {5.f, 7.f}) {
        const Fence fence;
        const auto launched = launchedBefore(
                [&] {
                    overwrite(sum.x, x);
                    fence.signal();
                },
                [&] {
                    if (x > 5) return execution->computeFenced({fence.get()}, {}, {});
                    return model->executeFenced(sum.request(), {fence.get()}, kNo, {}, {}, {}, {},
                                                {});
                });
        ASSERT_TRUE(launched.has_value()) << launched.error().message;
        EXPECT_EQ(launched->first.syncWait(20s), SyncFence::FenceState::SIGNALED);
        EXPECT_TRUE(launched->second().has_value());
        EXPECT_THAT(sum.z, ElementsAre(x + 10, x + 20, x + 30, x + 40));
    }
    const Fence never;
    const auto late =
            model->executeFenced(sum.request(), {never.get()}, kNo, soon(), {}, {}, {}, {});
    EXPECT_EQ(late.error().code, MISSED_DEADLINE_TRANSIENT);
    const SyncFence failed = Fence().get();
    EXPECT_EQ(execution->computeFenced({failed}, {}, {}).error().code, GENERAL_FAILURE);
}

// The arguments of received calls.
struct Received {
    std::vector<TokenValuePair> hints{};
    std::vector<ExtensionNameAndPrefix> prefixes{};
    MeasureTiming measure{};
    OptionalDuration loop{};
    ExecutionPreference preference{};
    Priority priority{};
    BufferDesc desc{};
    std::vector<BufferRole> inputs{}, outputs{};
};

struct CachingBurst final : ForwardingBurst {
    using ForwardingBurst::ForwardingBurst;
    OptionalCacheHold cacheMemory(const SharedMemory&) const override {
        return std::make_shared<const CacheHold>([] {});
    }
};

SharedDevice receivingDevice(Received& received) {
    return fakes::hooked(
            referenceDevice(),
            {.prepare =
                     [&](const fakes::Preparation& preparation, const IDevice& inner) {
                         received = {.hints = preparation.hints,
                                     .prefixes = preparation.prefixes,
                                     .preference = preparation.preference,
                                     .priority = preparation.priority};
                         return prepareOn(inner, preparation.model);
                     },
             .allocate = [&](const fakes::Allocation& allocation,
                             const IDevice&) -> GeneralResult<SharedBuffer> {
                 received = {.desc = allocation.desc,
                             .inputs = allocation.inputs,
                             .outputs = allocation.outputs};
                 return error() << "no buffers";
             },
             .execute = [&](const fakes::ExecutionCall& call,
                            const IPreparedModel&) -> ExecutionResult<Executed> {
                 received = {.hints = call.hints,
                             .prefixes = call.extensionNameToPrefix,
                             .measure = call.measure,
                             .loop = call.loopTimeoutDuration};
                 return Executed{};
             },
             .burst = [](SharedBurst made) -> GeneralResult<SharedBurst> {
                 return SharedBurst(std::make_shared<const CachingBurst>(std::move(made)));
             }});
}

TEST_F(Service, CountsWhatABurstCaches) {
    Received received;
    serve({}, {receivingDevice(received)});
    const SharedPreparedModel model = prepareOn(*connect(), addition()).value();
    const SharedBurst burst = model->configureExecutionBurst().value();
    service::ServerLoad load = server->load();
    const Pooled pooled;
    ++load.objects;  // the memory
    load.bytes += 48;
    ++load.descriptors;
    {
        const auto hold = burst->cacheMemory(pooled.pool);
        EXPECT_NE(hold, nullptr);
        const auto again = burst->cacheMemory(pooled.pool);
        load.objects += 2;
        EXPECT_TRUE(becomes(load));
        load.objects -= 2;
    }
    EXPECT_TRUE(becomes(load));
}

TEST_F(Service, ForwardsAllArguments) {
    Received received;
    serve({}, {receivingDevice(received)});
    const SharedDevice device = connect();
    const std::vector<TokenValuePair> hints = {{.token = (3 << 16) + 1, .value = {1, 2}},
                                               {.token = -1}};
    const std::vector<ExtensionNameAndPrefix> prefixes = {{.name = "com.example", .prefix = 3}};
    const auto model = device->prepareModel(addition(), ExecutionPreference::SUSTAINED_SPEED,
                                            Priority::HIGH, {}, {}, {}, {}, hints, prefixes);
    ASSERT_TRUE(model.has_value()) << model.error().message;
    EXPECT_EQ(received.hints, hints);
    EXPECT_EQ(received.prefixes, prefixes);
    EXPECT_EQ(received.preference, ExecutionPreference::SUSTAINED_SPEED);
    EXPECT_EQ(received.priority, Priority::HIGH);

    Sum sum;
    ASSERT_TRUE((*model)->execute(sum.request(), MeasureTiming::YES, {}, 7ns, hints, prefixes)
                        .has_value());
    EXPECT_EQ(received.hints, hints);
    EXPECT_EQ(received.prefixes, prefixes);
    EXPECT_EQ(received.measure, MeasureTiming::YES);
    EXPECT_EQ(received.loop, OptionalDuration(7ns));

    const BufferDesc desc{.dimensions = {1, 0, 4}};
    const std::vector<BufferRole> inputs = {{0, 0, 0.5f}, {0, 1, 0.25f}}, outputs = {{0, 0, 1.0f}};
    EXPECT_EQ(device->allocate(desc, {*model}, inputs, outputs).error().message, "no buffers");
    EXPECT_EQ(received.desc.dimensions, desc.dimensions);
    EXPECT_EQ(received.inputs, inputs);
    EXPECT_EQ(received.outputs, outputs);
}

// Includes memory that the host cannot map.
TEST_F(Service, CarriesMemoryOfEachKind) {
    const auto script = std::make_shared<driver_adapter_fakes::Script>();
    std::vector<Request::MemoryPool> received;
    script->execute = [&](const auto& call) {
        received = call.request.pools;
        return ExecutionResult<Executed>(Executed{});
    };
    serve({}, {std::make_shared<driver_adapter_fakes::FakeDevice>(script)});
    const SharedPreparedModel model = prepareOn(*connect(), addition()).value();
    using Buffer = Memory::HardwareBuffer;
    constexpr Buffer::Description kPicture{.width = 640,
                                           .height = 480,
                                           .layers = 1,
                                           .format = 1,
                                           .usage = int64_t{3} << 40,
                                           .stride = 704};
    const auto make = [](auto kind) {
        return std::make_shared<const Memory>(Memory{std::move(kind)});
    };
    const SharedMemory kMemories[] = {
            make(Buffer{.handle = {.ints = {1, -2}}, .size = 48, .isBlob = true}),
            make(Buffer{.handle = {.ints = {3}}, .isBlob = false, .description = kPicture}),
            make(Memory::Unknown{.handle = {.ints = {4}}, .size = 48, .name = "other"}),
    };
    Pooled pooled;
    for (const SharedMemory& memory : kMemories) pooled.request.pools.push_back(memory);
    const auto executed = model->execute(pooled.request, kNo, {}, {}, {}, {});
    ASSERT_TRUE(executed.has_value()) << executed.error().message;
    ASSERT_EQ(received.size(), 1 + std::size(kMemories));
    for (size_t i = 0; i < std::size(kMemories); ++i) {
        SCOPED_TRACE(i);
        EXPECT_EQ(*std::get<SharedMemory>(received[i + 1]), *kMemories[i]);
    }
}

TEST_F(Service, FailsAsTheDeviceFails) {
    serve();
    const SharedDevice device = connect();
    const SharedDevice real = referenceDevice();
    Model illegal = addition();
    illegal.main.operations[0].inputs.pop_back();
    const auto refused = prepareOn(*device, illegal);
    EXPECT_EQ(refused.error(), prepareOn(*real, illegal).error());
    EXPECT_EQ(refused.error().code, INVALID_ARGUMENT);

    // An output buffer that is too small, with the required shapes.
    Sum sum;
    const Model open = addition(0);
    Request request = sum.request({4});
    request.outputs[0].location.length = 4;
    const auto asked = [&](const IDevice& of) {
        return (*prepareOn(of, open))->execute(request, kNo, {}, {}, {}, {}).error();
    };
    EXPECT_EQ(asked(*device), asked(*real));
    EXPECT_EQ(asked(*device).code, OUTPUT_INSUFFICIENT_SIZE);
    EXPECT_THAT(asked(*device).outputShapes, ElementsAre(OutputShape{{4}, false}));

    const auto late = device->prepareModel(addition(), ExecutionPreference::DEFAULT,
                                           Priority::DEFAULT, Clock::now(), {}, {}, {}, {}, {});
    EXPECT_EQ(late.error().code, MISSED_DEADLINE_PERSISTENT);
}

// In each execution mode, the client rejects results that a server must not return.
TEST_F(Service, ChecksResults) {
    using namespace execution_modes;
    const Shapes kRight = {{{4}, true}};
    const struct {
        const char* name;
        Behavior behavior;
        const char* message;
        bool isOfFenced = false;
    } rows[] = {
            {"Right", {NONE, kRight, {.timeOnDevice = 3us, .timeInDriver = 4us}}, "", true},
            {"OtherExtent",
             {NONE, {{{5}, true}}},
             "the driver reports outputShapes[0] with dimensions [5], allowed [4], where 0 is not "
             "known beforehand"},
            {"TooSmallWithoutShapes",
             {OUTPUT_INSUFFICIENT_SIZE},
             "the driver reports 0 output shapes, allowed 1, one for each output"},
            {"TooLongOnDevice",
             {NONE, kRight, {.timeOnDevice = 4us, .timeInDriver = 3us}},
             "the server reports times that cannot be: timeOnDevice is 4000 ns, allowed at most "
             "timeInDriver, which is 3000 ns [timing.order]",
             true},
            {"NegativeIsNone", {NONE, kRight, {.timeInDriver = -3us}}, "", true},
    };
    for (const auto& row : rows) {
        server = nullptr;
        serve({},
              {std::make_shared<const driver_adapter_fakes::FakeDevice>(scriptOf(row.behavior))});
        const SharedPreparedModel model = prepareOn(*connect(), addition()).value();
        for (const Kind kind : {Kind::EXECUTE, Kind::REUSABLE, Kind::FENCED, Kind::REUSABLE_FENCED,
                                Kind::BURST, Kind::BURST_REUSABLE}) {
            const bool isFenced = kind == Kind::FENCED || kind == Kind::REUSABLE_FENCED;
            if (isFenced && !row.isOfFenced) continue;
            SCOPED_TRACE(std::string(row.name) + " " + std::to_string(static_cast<int>(kind)));
            const ExecutionCase execution{.measure = MeasureTiming::YES};
            const Seen seen = execute(*model, kind, execution.request(), execution);
            EXPECT_EQ(seen.message, row.message);
            EXPECT_EQ(seen.code, *row.message == 0 ? NONE : GENERAL_FAILURE);
        }
        // Timing was not requested.
        const Seen untimed = execute(*model, Kind::EXECUTE, ExecutionCase().request(), {});
        EXPECT_TRUE(untimed.code != NONE || untimed.timing == Timing{}) << row.name;
    }
}

// A pool is sent once, however often it is used. Its server objects are freed with their last
// references, and all of a client's objects when it disconnects.
TEST_F(Service, HoldsWhatClientsHold) {
    serve();
    EXPECT_TRUE(becomes({}));
    SharedDevice device = connect();
    EXPECT_TRUE(becomes({.clients = 1}));
    SharedPreparedModel model = prepareOn(*device, addition()).value();
    const service::ServerLoad prepared = server->load();
    EXPECT_EQ(prepared.objects, 1u);
    {
        const Pooled pooled;
        for (int i = 0; i < 10; ++i) {
            EXPECT_TRUE(model->execute(pooled.request, kNo, {}, {}, {}, {}).has_value());
        }
        EXPECT_EQ(server->load().objects, 2u);
        EXPECT_EQ(server->load().bytes, prepared.bytes + 48);
        EXPECT_EQ(server->load().threads, 1u) << "of the model's queues";
        const auto burst = model->configureExecutionBurst();
        const auto buffer = device->allocate({}, {model}, {{0, 0, 1.0f}}, {});
        const auto execution = model->createReusableExecution(pooled.request, kNo, {}, {}, {});
        EXPECT_EQ(server->load().objects, 5u);
    }
    service::ServerLoad left = prepared;
    left.threads = 1;
    left.descriptors += 4;
    EXPECT_TRUE(becomes(left));
    model = nullptr;
    device = nullptr;
    EXPECT_TRUE(becomes({}));
}

TEST_F(Service, BuffersAreThoseOfTheirClient) {
    serve();
    const SharedDevice device = connect();
    const SharedPreparedModel model = prepareOn(*device, addition()).value();
    const auto allocated = device->allocate({}, {model}, {{0, 0, 1.0f}}, {});
    ASSERT_TRUE(allocated.has_value()) << allocated.error().message;
    Pooled pooled;
    const SharedMemory values = *createSharedMemory(16);
    const float bytes[] = {5, 6, 7, 8};
    EXPECT_TRUE(writeMemory(values, 0, {reinterpret_cast<const uint8_t*>(bytes), 16}).ok());
    EXPECT_TRUE((*allocated)->copyFrom(values, {}).has_value());
    pooled.request.inputs[0].location = {.poolIndex = 1};

    pooled.request.pools.resize(2);
    pooled.request.pools[1] = *allocated;
    EXPECT_TRUE(model->execute(pooled.request, kNo, {}, {}, {}, {}).has_value());
    EXPECT_THAT(pooled.result(), ElementsAre(15, 26, 37, 48));
    pooled.request.pools[1] = (*allocated)->getToken();
    EXPECT_TRUE(model->execute(pooled.request, kNo, {}, {}, {}, {}).has_value());

    // Rule server.isolation: another client has the token and the objects of the first.
    const SharedDevice other = connect();
    const SharedPreparedModel others = prepareOn(*other, addition()).value();
    EXPECT_EQ(others->execute(pooled.request, kNo, {}, {}, {}, {}).error().message,
              fmt::format("token {} names no buffer",
                          static_cast<uint32_t>((*allocated)->getToken())));
    pooled.request.pools[1] = *allocated;
    EXPECT_EQ(others->execute(pooled.request, kNo, {}, {}, {}, {}).error().message,
              "pools[1] is a buffer of another device");
    EXPECT_EQ(other->allocate({}, {model}, {{0, 0, 1.0f}}, {}).error().code, INVALID_ARGUMENT);
    EXPECT_EQ(device->allocate({}, {nullptr}, {{0, 0, 1.0f}}, {}).error().code, INVALID_ARGUMENT);
}

// A device with another name.
SharedDevice named(std::string name) { return referenceDevice({.name = std::move(name)}); }

TEST_F(Service, HasSeveralDevices) {
    serve({}, {named("one"), named("two")});
    EXPECT_THAT(service::connect(address, kPatient),
                Refuses(INVALID_ARGUMENT, address + " has 2 devices, say which with #NAME; it has "
                                                    "one, two"));
    EXPECT_EQ((*service::connect(address + "#two", kPatient))->getName(), "two");
    EXPECT_THAT(service::connect(address + "#three", kPatient),
                Refuses(INVALID_ARGUMENT, address + " has no device three"));
    EXPECT_EQ(service::connectAll(address, kPatient)->size(), 2u);
}

TEST_F(Service, RefusesAddresses) {
    const auto codeOf = [](const std::string& text) {
        return service::connect(text, {.connectTimeout = 1s}).error().code;
    };
    EXPECT_EQ(codeOf("npu"), INVALID_ARGUMENT);
    EXPECT_EQ(codeOf("unix:"), INVALID_ARGUMENT);
    EXPECT_EQ(codeOf("unix:" + std::string(108, 'x')), INVALID_ARGUMENT);
    EXPECT_EQ(codeOf("unix:" + std::string("a\0b", 3)), INVALID_ARGUMENT);
    EXPECT_EQ(codeOf(address), DEVICE_UNAVAILABLE);
    const auto refusal = [&](std::vector<SharedDevice> devices, const std::string& at) {
        return service::serve(std::move(devices), at).error().code;
    };
    EXPECT_EQ(refusal({}, address), INVALID_ARGUMENT);
    EXPECT_EQ(refusal({nullptr}, address), INVALID_ARGUMENT);
    EXPECT_EQ(refusal({named("one"), named("one")}, address), INVALID_ARGUMENT);
    EXPECT_EQ(refusal({named("one")}, address + "#one"), INVALID_ARGUMENT);
    EXPECT_EQ(refusal({named("one")}, "unix:/dev/null/socket"), DEVICE_UNAVAILABLE);
    serve();
    EXPECT_EQ(refusal({named("one")}, address), DEVICE_UNAVAILABLE);
}

// A registry opens addresses, with one device or all of a server, and with options that may fail.
TEST_F(Service, RegistriesOpenWhatServersHave) {
    serve({}, {named("one"), named("two")});
    RegistryOptions options;
    service::openAddresses(options, kPatient);
    EXPECT_TRUE(options.addresses.areThese(address));
    EXPECT_EQ((*options.addresses.open(address + "#one"))->getName(), "one");
    EXPECT_EQ(options.addresses.openAll(address)->size(), 2u);
    service::openAddresses(options, []() -> GeneralResult<service::ClientOptions> {
        return error(INVALID_ARGUMENT) << "no credentials";
    });
    EXPECT_THAT(options.addresses.open(address), Refuses(INVALID_ARGUMENT, "no credentials"));
    EXPECT_THAT(options.addresses.openAll(address), Refuses(INVALID_ARGUMENT, "no credentials"));
}

// Waits for a server that does not exist yet if it may block, but not after errors that waiting
// cannot resolve.
TEST_F(Service, ReconnectsToServersThatCome) {
    const auto factory = service::reconnecting(address, kPatient, 60ms);
    EXPECT_EQ(factory(/*blocking=*/false).error().code, DEVICE_UNAVAILABLE);
    EXPECT_EQ(factory(/*blocking=*/true).error().code, DEVICE_UNAVAILABLE);
    serve();
    EXPECT_TRUE(factory(/*blocking=*/true).has_value());
    EXPECT_EQ(service::reconnecting(address + "#none", kPatient, 60s)(true).error().code,
              INVALID_ARGUMENT);
}

// Clients that connect meanwhile are served once descriptors are available again.
TEST_F(Service, WaitsForDescriptors) {
    serve();
    const SharedDevice before = connect();
    const UniqueFd raw(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_un at{};
    at.sun_family = AF_UNIX;
    path.copy(at.sun_path, path.size());
    {
        const NoDescriptors none;
        ASSERT_EQ(::connect(raw.get(), reinterpret_cast<const sockaddr*>(&at), sizeof at), 0);
        EXPECT_FALSE(service::connect(address, kPatient).has_value());
        EXPECT_FALSE(service::serve({named("one")}, address + "2").has_value());
        EXPECT_FALSE(service::serve({named("one")}, "127.0.0.1:0", {.insecurePlainTcp = true})
                             .has_value());
        EXPECT_TRUE(before->wait().has_value());
        EXPECT_FALSE(createSharedMemory(16).ok());
    }
    EXPECT_TRUE(connect()->wait().has_value());
    EXPECT_TRUE(before->wait().has_value());
}

TEST_F(Service, RestrictsSocketsToTheirOwner) {
    serve();
    struct stat file {};
    ASSERT_EQ(lstat(path.c_str(), &file), 0);
    EXPECT_EQ(file.st_mode & 0777, 0600u);
    server->stop();
    EXPECT_NE(lstat(path.c_str(), &file), 0);
    // The socket file that a killed server has left is replaced.
    sockaddr_un at{};
    at.sun_family = AF_UNIX;
    path.copy(at.sun_path, path.size());
    const UniqueFd left(socket(AF_UNIX, SOCK_STREAM, 0));
    ASSERT_EQ(bind(left.get(), reinterpret_cast<const sockaddr*>(&at), sizeof at), 0);
    serve();
    EXPECT_NE(connect(), nullptr);
}

TEST_F(Service, LimitsClients) {
    serve({.clients = 1});
    const SharedDevice device = connect();
    const auto refused = service::connect(address, kPatient);
    EXPECT_EQ(refused.error().code, DEVICE_UNAVAILABLE);
    EXPECT_TRUE(device->wait().has_value());
}

TEST_F(Service, LimitsWhatAClientHolds) {
    serve({.objectsPerClient = 2, .bytesPerClient = 100000});
    const SharedDevice device = connect();
    const SharedPreparedModel model = prepareOn(*device, addition()).value();
    const service::ServerLoad one = server->load();
    {
        const SharedPreparedModel second = prepareOn(*device, addition()).value();
        EXPECT_THAT(prepareOn(*device, addition()),
                    Refuses(RESOURCE_EXHAUSTED_TRANSIENT,
                            "this client holds 2 objects and asks for 1 more, allowed 2"));
    }
    EXPECT_TRUE(becomes(one));
    Pooled pooled;
    pooled.request.pools = {*createSharedMemory(1000000)};
    const auto refused = model->execute(pooled.request, kNo, {}, {}, {}, {});
    EXPECT_EQ(refused.error().code, RESOURCE_EXHAUSTED_TRANSIENT);
    EXPECT_THAT(refused.error().message, HasSubstr("asks for 1000000 more, allowed 100000"));
}

TEST_F(Service, CutsOffMessagesThatAreTooLong) {
    serve({.messageBytes = 65536});
    const SharedDevice device = connect();
    Model large = addition();
    large.operandValues = Model::OperandValues(std::vector<uint8_t>(200000));
    EXPECT_FALSE(prepareOn(*device, large).has_value());
    EXPECT_NE(connect(), nullptr);
}

// Clients that send garbage or nothing do not harm other clients.
TEST_F(Service, SurvivesClientsThatSendGarbage) {
    serve();
    const SharedDevice device = connect();
    sockaddr_un at{};
    at.sun_family = AF_UNIX;
    path.copy(at.sun_path, path.size());
    for (int seed = 0; seed < 50; ++seed) {
        const UniqueFd raw(socket(AF_UNIX, SOCK_STREAM, 0));
        ASSERT_EQ(::connect(raw.get(), reinterpret_cast<const sockaddr*>(&at), sizeof at), 0);
        std::string bytes(static_cast<size_t>(seed) * 7 + 1, '\0');
        for (size_t i = 0; i < bytes.size(); ++i) {
            bytes[i] =
                    static_cast<char>((i * 2654435761u + static_cast<size_t>(seed) * 40503u) >> 7);
        }
        (void)send(raw.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    }
    EXPECT_TRUE(device->wait().has_value());
    EXPECT_TRUE(becomes({.clients = 1}));
}

TEST_F(Service, StopsWithClients) {
    serve();
    const SharedDevice device = connect();
    server->stop();
    EXPECT_EQ(device->wait().error().code, DEAD_OBJECT);
    server = nullptr;
}

}  // namespace
}  // namespace nn::service_test
