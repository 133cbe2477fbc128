// Executions of a prepared model over queues, which it opens after a few executions by calls.
#include <algorithm>
#include <atomic>
#include <future>
#include <thread>

#include "fakes/hooked_device.h"
#include "nnapi/service/client.h"
#include "nnapi/service/server.h"
#include "service/pooled_request.h"
#include "service/server_process.h"

namespace nn::model_queues_test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using enum ErrorStatus;

constexpr auto kNo = MeasureTiming::NO;
constexpr int kUntilQueues = 12;

// Blocks executions while closed, until it is opened or their client disconnects.
struct Gate {
    std::atomic<bool> isClosed = false;
    std::atomic<int> held = 0;
    std::atomic<std::thread::id> last{};
};

SharedDevice gatedDevice(const std::shared_ptr<Gate>& gate) {
    const auto execute = [=](const fakes::ExecutionCall& call, const IPreparedModel& inner) {
        gate->last = std::this_thread::get_id();
        ++gate->held;
        while (gate->isClosed) std::this_thread::sleep_for(1ms);
        --gate->held;
        return call.on(inner);
    };
    return fakes::hooked(referenceDevice(), {.execute = execute});
}

class ModelQueues : public testing::Test {
   protected:
    void serve(service::ServeOptions options = {}) {
        server = service::serve({gatedDevice(gate)}, address, options).value();
        device = service::connect(address, {.connectTimeout = 60s, .heartbeat = 60s, .grace = 0s})
                         .value();
    }
    SharedPreparedModel prepared(const Model& model = addition()) const {
        return prepareOn(*device, model).value();
    }
    static void expectSum(const IPreparedModel& model, const Pooled& pooled) {
        const auto executed = model.execute(pooled.request, kNo, {}, {}, {}, {});
        ASSERT_TRUE(executed.has_value()) << executed.error().message;
        EXPECT_THAT(pooled.result(), ElementsAre(11, 22, 33, 44));
    }
    // Executes until the model has queues, which have a thread of their own.
    void warmUp(const IPreparedModel& model, const Pooled& pooled) const {
        for (int i = 0; i < kUntilQueues; ++i) expectSum(model, pooled);
    }
    template <class Condition>
    static bool becomes(Condition condition) {
        for (int i = 0; i < 2000 && !condition(); ++i) std::this_thread::sleep_for(10ms);
        return condition();
    }

    const TemporaryFolder folder{};
    const std::string address = "unix:" + (folder / "socket").string();
    const std::shared_ptr<Gate> gate = std::make_shared<Gate>();
    std::unique_ptr<service::Server> server{};
    SharedDevice device{};
};

// With queues, the same thread computes each execution.
TEST_F(ModelQueues, ExecuteEachKindOfArgument) {
    serve();
    const SharedPreparedModel model = prepared();
    const Pooled pooled;
    warmUp(*model, pooled);
    const std::thread::id thread = gate->last;
    const auto execution = model->createReusableExecution(pooled.request, kNo, {}, {}, {}).value();
    for (int round = 0; round < 5; ++round) {
        expectSum(*model, pooled);
        EXPECT_EQ(gate->last.load(), thread) << round;
        Sum sum;
        const auto timed =
                model->execute(sum.request(), MeasureTiming::YES, makeDeadline(60s), 1s, {}, {});
        ASSERT_TRUE(timed.has_value()) << timed.error().message;
        EXPECT_THAT(sum.z, ElementsAre(11, 22, 33, 44));
        EXPECT_TRUE(timed->second.timeInDriver.has_value());
        // The first execution goes by a call, because its pools are new.
        EXPECT_TRUE(round == 0 || gate->last.load() == thread) << round;
        pooled.setInputs({1, 2, 3, 4, 5, 5, 5, 5});
        ASSERT_TRUE(execution->compute({}).has_value());
        EXPECT_THAT(pooled.result(), ElementsAre(6, 7, 8, 9));
        pooled.setInputs({1, 2, 3, 4, 10, 20, 30, 40});
        // Memory that is used once goes by a call.
        expectSum(*model, Pooled());
        EXPECT_NE(gate->last.load(), thread) << round;
    }
}

TEST_F(ModelQueues, FailAsCallsFail) {
    serve();
    const SharedPreparedModel model = prepared(addition(0)), other = prepared(addition(0));
    Sum sum;
    for (int i = 0; i < kUntilQueues; ++i)
        ASSERT_TRUE(model->execute(sum.request({4}), kNo, {}, {}, {}, {}).has_value());
    Request small = sum.request({4});
    small.outputs[0].location.length = 4;
    Request missing = sum.request({4});
    missing.inputs.pop_back();
    Request null = sum.request({4});
    null.inputs[0].location.pointer = static_cast<const void*>(nullptr);
    const struct {
        const Request& request;
        ErrorStatus code;
    } kRows[] = {{small, OUTPUT_INSUFFICIENT_SIZE},
                 {missing, INVALID_ARGUMENT},
                 {null, INVALID_ARGUMENT}};
    for (const auto& row : kRows) {
        const auto found = model->execute(row.request, kNo, {}, {}, {}, {});
        const auto expected = other->execute(row.request, kNo, {}, {}, {}, {});
        ASSERT_FALSE(found.has_value());
        EXPECT_EQ(found.error(), expected.error());
        EXPECT_EQ(found.error().code, row.code);
    }
}

TEST_F(ModelQueues, ConcurrentExecutionsGoByCalls) {
    serve();
    const SharedPreparedModel model = prepared();
    const Pooled pooled;
    warmUp(*model, pooled);
    gate->isClosed = true;
    std::vector<std::future<void>> executions;
    for (int i = 0; i < 3; ++i) {
        executions.push_back(std::async(std::launch::async, [&, i] {
            const Pooled own;
            expectSum(*model, i == 0 ? pooled : own);
        }));
    }
    EXPECT_TRUE(becomes([&] { return gate->held == 3; }));
    gate->isClosed = false;
    for (auto& execution : executions) execution.get();
}

TEST_F(ModelQueues, AreUsableAfterAbandonedExecutions) {
    serve();
    const SharedPreparedModel model = prepared();
    const Pooled pooled;
    warmUp(*model, pooled);
    const std::thread::id thread = gate->last;
    gate->isClosed = true;
    const auto late = model->execute(pooled.request, kNo, makeDeadline(30ms), {}, {}, {});
    EXPECT_THAT(late, Refuses(MISSED_DEADLINE_TRANSIENT, "execute: no result before the deadline"));
    gate->isClosed = false;
    for (int i = 0; i < 3; ++i) expectSum(*model, pooled);
    // The result of the abandoned execution is not taken for another's, and later the queues are
    // used again.
    EXPECT_TRUE(becomes([&] {
        expectSum(*model, pooled);
        return gate->last.load() == thread;
    }));
}

TEST_F(ModelQueues, EndAtDeadlinesAndWithTheConnection) {
    serve();
    const SharedPreparedModel loop = prepared(endlessLoop());
    std::vector<float> x{1}, y{0};
    const Request request{.inputs = {pointerTo(x)}, .outputs = {pointerTo(y)}};
    for (int i = 0; i < kUntilQueues; ++i) {
        EXPECT_EQ(loop->execute(request, kNo, {}, 1ms, {}, {}).error().code,
                  MISSED_DEADLINE_TRANSIENT);
    }
    EXPECT_EQ(loop->execute(request, kNo, makeDeadline(20ms), 10min, {}, {}).error().code,
              MISSED_DEADLINE_TRANSIENT);
    EXPECT_EQ(server->load().threads, 1U);
    EXPECT_TRUE(becomes([&] { return server->load().calls == 0; })) << "its deadline";
    // Without a deadline, only the end of the client ends it.
    auto endless = std::async(std::launch::async, [&] {
        return loop->execute(request, kNo, {}, 10min, {}, {}).error().code;
    });
    EXPECT_TRUE(becomes([&] { return server->load().calls == 1; }));
    server = nullptr;
    EXPECT_EQ(endless.get(), DEAD_OBJECT);
}

TEST_F(ModelQueues, EndWithTheirModel) {
    serve();
    const Pooled pooled;
    for (int i = 0; i < 3; ++i) {
        const SharedPreparedModel model = prepared();
        warmUp(*model, pooled);
        EXPECT_TRUE(becomes([&] { return server->load().threads == 1; }));
    }
    EXPECT_TRUE(becomes([&] { return server->load().threads == 0; }));
}

TEST_F(ModelQueues, EndWithTheirServer) {
    serve();
    const SharedPreparedModel model = prepared();
    const Pooled pooled;
    warmUp(*model, pooled);
    gate->isClosed = true;
    auto execution = std::async(std::launch::async, [&] {
        return model->execute(pooled.request, kNo, {}, {}, {}, {});
    });
    EXPECT_TRUE(becomes([&] { return gate->held == 1; }));
    server = nullptr;
    EXPECT_THAT(execution.get(), Refuses(DEAD_OBJECT, "execute: the server is gone"));
    EXPECT_EQ(model->execute(pooled.request, kNo, {}, {}, {}, {}).error().code, DEAD_OBJECT);
    gate->isClosed = false;
    EXPECT_TRUE(becomes([&] { return gate->held == 0; }));
}

// Bursts can open queues independently of the limit for models.
TEST_F(ModelQueues, AreLimitedInNumber) {
    for (const size_t queues : {0u, 1u, 5u}) {
        serve({.queuesPerClient = queues});
        const Pooled pooled;
        std::vector<SharedPreparedModel> models;
        for (int i = 0; i < 6; ++i) {
            models.push_back(prepared());
            warmUp(*models.back(), pooled);
        }
        const auto ofModels = std::min<size_t>(queues, 4);
        EXPECT_EQ(server->load().threads, ofModels);
        for (const SharedPreparedModel& model : models) expectSum(*model, pooled);
        const SharedBurst burst = models[0]->configureExecutionBurst().value();
        EXPECT_TRUE(burst->execute(pooled.request, kNo, {}, {}, {}, {}).has_value());
        EXPECT_EQ(server->load().threads, queues == 5 ? 5 : ofModels);
        models.clear();
        device = nullptr;
        server = nullptr;
    }
}

}  // namespace
}  // namespace nn::model_queues_test
