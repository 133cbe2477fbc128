// Outcomes of calls whose server dies or hangs in each phase. Uses real processes, because the
// failures occur at their boundary.
#include <future>

#include "driver/models.h"
#include "nnapi/memory.h"
#include "nnapi/service/client.h"
#include "service/server_process.h"

namespace nn::service_death_test {
namespace {

using namespace std::chrono_literals;

// All objects that a client has on a server.
struct Objects {
    SharedDevice device{};
    SharedPreparedModel model{};
    SharedExecution execution{};
    SharedBurst burst{};
    SharedBuffer buffer{};
    SharedMemory memory{};
    Sum sum{};
};

using Deadline = OptionalTimePoint;
using Call = std::function<ErrorStatus(Objects&, const Deadline&)>;

std::vector<SharedHandle> cacheFiles(uint32_t count) {
    std::vector<SharedHandle> files;
    for (uint32_t i = 0; i < count; ++i) {
        const auto memory = createSharedMemory(1);
        const auto& fd = std::get<Memory::Ashmem>((*memory)->handle).fd;
        files.push_back(std::make_shared<const Handle>(duplicate(fd.get())));
    }
    return files;
}

constexpr auto kNo = MeasureTiming::NO;

struct PhaseRow {
    const char* phase;
    bool hasDeadline;
    Call call;
};

const PhaseRow kPhases[] = {
        {"supported", false,
         [](Objects& o, const Deadline&) {
             return codeOf(o.device->getSupportedOperations(addition()));
         }},
        {"prepare", true,
         [](Objects& o, const Deadline& deadline) {
             return codeOf(o.device->prepareModel(addition(), ExecutionPreference::DEFAULT,
                                                  Priority::DEFAULT, deadline, {}, {}, {}, {}, {}));
         }},
        {"cache", true,
         [](Objects& o, const Deadline& deadline) {
             const auto [models, data] = o.device->getNumberOfCacheFilesNeeded();
             return codeOf(o.device->prepareModel(addition(), ExecutionPreference::DEFAULT,
                                                  Priority::DEFAULT, deadline, cacheFiles(models),
                                                  cacheFiles(data), CacheToken{1}, {}, {}));
         }},
        {"execute", true,
         [](Objects& o, const Deadline& deadline) {
             return codeOf(o.model->execute(o.sum.request(), kNo, deadline, {}, {}, {}));
         }},
        {"compute", true,
         [](Objects& o, const Deadline& deadline) {
             return codeOf(o.execution->compute(deadline));
         }},
        {"burst", true,
         [](Objects& o, const Deadline& deadline) {
             return codeOf(o.burst->execute(o.sum.request(), kNo, deadline, {}, {}, {}));
         }},
        {"allocate", false,
         [](Objects& o, const Deadline&) {
             return codeOf(o.device->allocate({}, {o.model}, {{0, 0, 1.0f}}, {}));
         }},
        {"copy", false,
         [](Objects& o, const Deadline&) { return codeOf(o.buffer->copyFrom(o.memory, {})); }},
};

using Transport = ServerProcess::Transport;
constexpr Transport kTransports[] = {Transport::UNIX, Transport::TCP};

service::ClientOptions clientOptions() {
    service::ClientOptions options{.connectTimeout = 20s, .heartbeat = 600ms};
    options.credentials = Certificates::get().of("client");
    return options;
}

// Creates the objects that the phase needs, without the call that is to block.
void fill(Objects& objects, const std::string& address, const std::string& phase) {
    auto device = service::connect(address, clientOptions());
    ASSERT_TRUE(device.has_value()) << device.error().message;
    objects.device = *device;
    objects.memory = *createSharedMemory(16);
    if (phase == "supported" || phase == "prepare") return;
    auto model = prepareOn(**device, addition());
    ASSERT_TRUE(model.has_value()) << model.error().message;
    objects.model = *model;
    // In shared memory, so that the server keeps the execution.
    Request request = objects.sum.request();
    const SharedMemory pool = *createSharedMemory(48);
    uint32_t offset = 0;
    for (auto* arguments : {&request.inputs, &request.outputs}) {
        for (auto& argument : *arguments) {
            argument.lifetime = Request::Argument::LifeTime::POOL;
            argument.location = {.poolIndex = 0, .offset = offset, .length = 16};
            offset += 16;
        }
    }
    request.pools = {pool};
    auto execution = (*model)->createReusableExecution(request, kNo, {}, {}, {});
    ASSERT_TRUE(execution.has_value()) << execution.error().message;
    objects.execution = *execution;
    auto burst = (*model)->configureExecutionBurst();
    ASSERT_TRUE(burst.has_value()) << burst.error().message;
    objects.burst = *burst;
    if (phase == "allocate") return;
    auto buffer = (*device)->allocate({}, {*model}, {{0, 0, 1.0f}}, {});
    ASSERT_TRUE(buffer.has_value()) << buffer.error().message;
    objects.buffer = *buffer;
}

enum class Fault { KILLED_BEFORE, STOPPED_BEFORE, KILLED, STOPPED, STOPPED_WITH_DEADLINE };

void expectCode(Transport transport, const PhaseRow& row, Fault fault, ErrorStatus expected,
                Duration longest) {
    SCOPED_TRACE(std::string(transport == Transport::TCP ? "TCP " : "") + row.phase);
    const TemporaryFolder folder;
    const bool isInCall = fault != Fault::KILLED_BEFORE && fault != Fault::STOPPED_BEFORE;
    ServerProcess server(folder, transport, isInCall ? row.phase : "none");
    ASSERT_TRUE(server.says('+'));
    Objects objects;
    fill(objects, server.address(), row.phase);
    if (testing::Test::HasFatalFailure()) return;

    if (!isInCall) {
        if (fault == Fault::STOPPED_BEFORE) {
            server.send(SIGSTOP);
        } else {
            server.end();
        }
        const TimePoint start = Clock::now();
        EXPECT_EQ(row.call(objects, {}), expected);
        EXPECT_LT(Clock::now() - start, longest);
        return;
    }
    const Deadline deadline =
            fault == Fault::STOPPED_WITH_DEADLINE ? Deadline(makeDeadline(1s)) : std::nullopt;
    auto code = std::async(std::launch::async, [&] { return row.call(objects, deadline); });
    ASSERT_TRUE(server.says('!'));
    const TimePoint start = Clock::now();
    server.send(fault == Fault::KILLED ? SIGKILL : SIGSTOP);
    EXPECT_EQ(code.get(), expected);
    EXPECT_LT(Clock::now() - start, longest);
    if (fault == Fault::STOPPED_WITH_DEADLINE) return;
    // Every object of a dead server reports DEAD_OBJECT at once.
    const TimePoint again = Clock::now();
    EXPECT_EQ(codeOf(objects.device->getSupportedOperations(addition())), ErrorStatus::DEAD_OBJECT);
    EXPECT_LT(Clock::now() - again, 500ms);
}

// Rules death.server and burst.dead_server. The bound is one second plus a margin for busy
// machines.
TEST(ServiceDeath, KilledServersAreDeadObjectsInEachPhase) {
    for (const Transport transport : kTransports) {
        for (const PhaseRow& row : kPhases) {
            expectCode(transport, row, Fault::KILLED_BEFORE, ErrorStatus::DEAD_OBJECT, 1s);
            expectCode(transport, row, Fault::KILLED, ErrorStatus::DEAD_OBJECT, 1s);
        }
    }
}

// Rule server.protocol.
TEST(ServiceDeath, HasNoCeilingWithoutAHeartbeat) {
    service::ClientOptions options;
    const auto ceiling = options.ceiling;
    service::setHeartbeat(options, std::chrono::seconds(3));
    EXPECT_EQ(options.heartbeat, std::chrono::seconds(3));
    EXPECT_EQ(options.ceiling, ceiling);
    service::setHeartbeat(options, std::chrono::seconds(0));
    EXPECT_EQ(options.heartbeat, std::chrono::seconds(0));
    EXPECT_EQ(options.ceiling, Duration::max());
}

TEST(ServiceDeath, StoppedServersAreDeadObjectsAfterAHeartbeat) {
    for (const Transport transport : kTransports) {
        for (const PhaseRow& row : kPhases) {
            expectCode(transport, row, Fault::STOPPED_BEFORE, ErrorStatus::DEAD_OBJECT, 2s);
            expectCode(transport, row, Fault::STOPPED, ErrorStatus::DEAD_OBJECT, 2s);
        }
    }
}

// Rule server.protocol.
TEST(ServiceDeath, StoppedServersMissDeadlines) {
    for (const Transport transport : kTransports) {
        for (const PhaseRow& row : kPhases) {
            if (!row.hasDeadline) continue;
            expectCode(transport, row, Fault::STOPPED_WITH_DEADLINE,
                       ErrorStatus::MISSED_DEADLINE_TRANSIENT, 2s);
        }
    }
}

// Rule death.server: between a fenced launch and its signal.
TEST(ServiceDeath, FencesThatAreOwedFail) {
    const std::pair<Transport, int> kRows[] = {{Transport::UNIX, SIGKILL},
                                               {Transport::UNIX, SIGSTOP},
                                               {Transport::TCP, SIGKILL},
                                               {Transport::TCP, SIGSTOP}};
    for (const auto& [transport, signal] : kRows) {
        SCOPED_TRACE(signal);
        const TemporaryFolder folder;
        const ServerProcess server(folder, transport, "launched");
        ASSERT_TRUE(server.says('+'));
        Objects objects;
        fill(objects, server.address(), "launched");
        if (testing::Test::HasFatalFailure()) return;
        const auto launched =
                objects.model->executeFenced(objects.sum.request(), {}, kNo, {}, {}, {}, {}, {});
        ASSERT_TRUE(launched.has_value()) << launched.error().message;
        const auto& [fence, info] = *launched;
        EXPECT_EQ(fence.syncWait(Duration::zero()), SyncFence::FenceState::ACTIVE);
        server.send(signal);
        EXPECT_EQ(fence.syncWait(2s), SyncFence::FenceState::ERROR);
        EXPECT_EQ(codeOf(info()), ErrorStatus::DEAD_OBJECT);
    }
}

// Rule registry.waiting: a ResilientDevice connects to the next server.
TEST(ServiceDeath, ResilientDevicesFindTheNextServer) {
    for (const Transport transport : kTransports) {
        SCOPED_TRACE(transport == Transport::TCP ? "TCP" : "UNIX");
        const TemporaryFolder folder;
        auto server = std::make_unique<ServerProcess>(folder, transport, "none");
        ASSERT_TRUE(server->says('+'));
        const std::string address = server->address();
        const auto device = hal::utils::ResilientDevice::create(
                service::reconnecting(address, clientOptions()), {.wrapResults = true});
        ASSERT_TRUE(device.has_value()) << device.error().message;
        const auto model = prepareOn(**device, addition());
        ASSERT_TRUE(model.has_value()) << model.error().message;
        for (int round = 0; round < 3; ++round) {
            Sum sum;
            const auto executed = (*model)->execute(sum.request(), kNo, {}, {}, {}, {});
            EXPECT_TRUE(executed.has_value()) << executed.error().message;
            EXPECT_THAT(sum.z, testing::ElementsAre(11, 22, 33, 44));
            server->end();
            const auto failed = (*model)->execute(sum.request(), kNo, {}, {}, {}, {});
            EXPECT_EQ(codeOf(failed), ErrorStatus::DEAD_OBJECT)
                    << (failed.has_value() ? "" : failed.error().message);
            server = std::make_unique<ServerProcess>(folder, transport, "none", address);
            ASSERT_TRUE(server->says('+'));
        }
    }
}

}  // namespace
}  // namespace nn::service_death_test
