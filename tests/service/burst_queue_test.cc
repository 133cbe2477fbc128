// Bursts over queues that client and server map.
#include <thread>

#include "nnapi/service/client.h"
#include "nnapi/service/server.h"
#include "service/pooled_request.h"
#include "service/server_process.h"
#include "service/stalling_device.h"

namespace nn::service_queue_test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using enum ErrorStatus;

constexpr auto kNo = MeasureTiming::NO;
constexpr const char* kBusy = "the burst executes already, allowed one at a time";

// Counts the executions that reach the device through a burst and through its prepared model.
class Queue : public testing::TestWithParam<std::chrono::microseconds> {
   protected:
    void serve(service::ServeOptions options = {}, SharedDevice device = referenceDevice()) {
        options.burstPollingTimeWindow = GetParam();
        auto made = service::serve({std::move(device)}, address, options);
        ASSERT_TRUE(made.has_value()) << made.error().message;
        server = *std::move(made);
    }
    SharedPreparedModel prepared(const Model& model = addition()) const {
        const auto device = service::connect(
                address,
                {.connectTimeout = 60s, .heartbeat = 60s, .burstPollingTimeWindow = GetParam()});
        EXPECT_TRUE(device.has_value()) << device.error().message;
        return prepareOn(**device, model).value();
    }

    const TemporaryFolder folder{};
    const std::string address = "unix:" + (folder / "socket").string();
    std::unique_ptr<service::Server> server{};
};

TEST_P(Queue, ExecutesEachKindOfArgument) {
    serve();
    const SharedBurst burst = prepared()->configureExecutionBurst().value();
    for (int round = 0; round < 3; ++round) {
        const Pooled pooled;
        EXPECT_TRUE(burst->execute(pooled.request, kNo, {}, {}, {}, {}).has_value());
        EXPECT_THAT(pooled.result(), ElementsAre(11, 22, 33, 44));
        Sum sum;
        EXPECT_TRUE(burst->execute(sum.request(), kNo, makeDeadline(60s), 1s, {}, {}).has_value());
        EXPECT_THAT(sum.z, ElementsAre(11, 22, 33, 44));
        // One input is in the caller's memory, the other in a pool.
        Request mixed = pooled.request;
        sum.z = {0, 0, 0, 0};
        mixed.outputs = sum.request().outputs;
        const auto timed = burst->execute(mixed, MeasureTiming::YES, {}, {}, {}, {});
        ASSERT_TRUE(timed.has_value()) << timed.error().message;
        EXPECT_TRUE(timed->second.timeInDriver.has_value());
        EXPECT_THAT(sum.z, ElementsAre(11, 22, 33, 44));
        const auto execution = burst->createReusableExecution(pooled.request, kNo, {}, {}, {});
        ASSERT_TRUE(execution.has_value()) << execution.error().message;
        EXPECT_TRUE((*execution)->compute({}).has_value());
        EXPECT_THAT(pooled.result(), ElementsAre(11, 22, 33, 44));
    }
}

// Client and server keep a memory's slot for as long as the client holds the memory.
TEST_P(Queue, ReleasesMemoriesWithTheClients) {
    serve();
    const SharedPreparedModel model = prepared();
    const SharedBurst burst = model->configureExecutionBurst().value();
    const auto becomes = [&](size_t objects) {
        for (int i = 0; i < 1000 && server->load().objects != objects; ++i) {
            std::this_thread::sleep_for(10ms);
        }
        return server->load().objects;
    };
    const size_t before = becomes(2);
    for (int round = 0; round < 200; ++round) {
        const Pooled pooled;
        ASSERT_TRUE(burst->execute(pooled.request, kNo, {}, {}, {}, {}).has_value());
    }
    EXPECT_EQ(becomes(before), before);
}

TEST_P(Queue, FailsAsTheDeviceFails) {
    serve();
    const SharedPreparedModel model = prepared(addition(0));
    const SharedBurst burst = model->configureExecutionBurst().value();
    Sum sum;
    Request request = sum.request({4});
    request.outputs[0].location.length = 4;
    const auto expectSame = [&](const OptionalTimePoint& deadline) {
        const auto expected = model->execute(request, kNo, deadline, {}, {}, {}).error();
        const auto found = burst->execute(request, kNo, deadline, {}, {}, {}).error();
        EXPECT_EQ(found, expected);
        return found.code;
    };
    EXPECT_EQ(expectSame({}), OUTPUT_INSUFFICIENT_SIZE);
    EXPECT_EQ(expectSame(Clock::now()), MISSED_DEADLINE_PERSISTENT);
    request.inputs.pop_back();
    EXPECT_EQ(expectSame({}), INVALID_ARGUMENT);
    request = sum.request({4});
    request.inputs[0].location.pointer = static_cast<const void*>(nullptr);
    EXPECT_EQ(expectSame({}), INVALID_ARGUMENT);
}

// Queues do not carry device memory or requests that are too long; those use calls.
TEST_P(Queue, FallsBackToCalls) {
    serve();
    const auto device = service::connect(address, {.connectTimeout = 60s});
    const SharedPreparedModel model = prepareOn(**device, addition()).value();
    const SharedBurst burst = model->configureExecutionBurst().value();
    const auto buffer = (*device)->allocate({}, {model}, {{0, 0, 1.0f}}, {});
    Pooled pooled;
    EXPECT_TRUE((*buffer)->copyFrom(*createSharedMemory(16), {}).has_value());
    pooled.request.inputs[0].location = {.poolIndex = 1};
    pooled.request.pools.resize(2);
    pooled.request.pools[1] = *buffer;
    EXPECT_TRUE(burst->execute(pooled.request, kNo, {}, {}, {}, {}).has_value());
    EXPECT_THAT(pooled.result(), ElementsAre(10, 20, 30, 40));
    pooled.request.pools[1] = (*buffer)->getToken();
    EXPECT_TRUE(burst->execute(pooled.request, kNo, {}, {}, {}, {}).has_value());

    Sum sum;
    const std::vector<TokenValuePair> hints(
            1, {.token = 1 << 16, .value = std::vector<uint8_t>(9000)});
    EXPECT_EQ(burst->execute(sum.request(), kNo, {}, {}, hints, {}).error(),
              model->execute(sum.request(), kNo, {}, {}, hints, {}).error());
}

TEST_P(Queue, UsesCallsIfTheServerHasNoQueues) {
    serve({.queuesPerClient = 1});
    const SharedPreparedModel model = prepared();
    std::vector<SharedBurst> bursts;
    for (int i = 0; i < 3; ++i) bursts.push_back(model->configureExecutionBurst().value());
    for (const SharedBurst& burst : bursts) {
        const Pooled pooled;
        EXPECT_TRUE(burst->execute(pooled.request, kNo, {}, {}, {}, {}).has_value());
        EXPECT_THAT(pooled.result(), ElementsAre(11, 22, 33, 44));
    }
}

// A burst executes one request at a time, over a queue or by a call; a concurrent one fails.
TEST_P(Queue, SeveralThreadsShareABurst) {
    serve();
    const SharedBurst burst = prepared()->configureExecutionBurst().value();
    std::atomic<int> equal = 0, refused = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t) {
        threads.emplace_back([&] {
            for (int i = 0; i < 50; ++i) {
                Sum sum;
                const auto executed = burst->execute(sum.request(), kNo, {}, {}, {}, {});
                equal += sum.z == std::vector<float>{11, 22, 33, 44} ? 1 : 0;
                if (!executed.has_value() && executed.error().message == kBusy) ++refused;
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(equal + refused, 150);
    EXPECT_GT(equal, 0);
}

// The result of an abandoned execution arrives in the queue late and must not be read as the next
// one.
TEST_P(Queue, DiscardsLateResults) {
    serve({}, std::make_shared<const StallingDevice>(Phase::NONE, /*reportFd=*/-1));
    const auto device = service::connect(
            address, {.burstPollingTimeWindow = GetParam(), .grace = Duration::zero()});
    const SharedPreparedModel model = prepareOn(**device, endlessLoop()).value();
    const SharedBurst burst = model->configureExecutionBurst().value();
    std::vector<float> x{1}, y{0};
    const Request request{.inputs = {pointerTo(x)}, .outputs = {pointerTo(y)}};
    const auto limited = [&](const auto& executor, Duration loop) {
        return executor.execute(request, kNo, {}, loop, {}, {}).error();
    };
    const auto expected = limited(*model, 1ms);
    for (int i = 0; i < 5; ++i) {
        // The client gives up before the server does, or at about the same time.
        const auto late = burst->execute(request, kNo, makeDeadline(20ms), 10s, {}, {});
        EXPECT_EQ(late.error().code, MISSED_DEADLINE_TRANSIENT);
        auto next = limited(*burst, 1ms);
        while (next.message == kBusy) next = limited(*burst, 1ms);
        EXPECT_EQ(next, expected);
    }
}

INSTANTIATE_TEST_SUITE_P(Waiting, Queue,
                         testing::Values(std::chrono::microseconds(0),
                                         std::chrono::microseconds(-1),
                                         std::chrono::microseconds(2000)));

}  // namespace
}  // namespace nn::service_queue_test
