// Bursts of a driver's own prepared model: serveBurst. It is makeBurstContext, which burst_test.cc
// tests, with a wrapper, whose results results_matrix_test.cc lists.
#include <future>

#include "driver/burst_peers.h"

namespace nn::serve_burst_test {
namespace {

using namespace driver_burst_test;
using HalStatus = V1_0::ErrorStatus;
using V1_2::utils::deserialize;
using V1_2::utils::serialize;
using V1_2::utils::serveBurst;

// A driver's prepared model whose executions are scripted.
class OwnModel final : public Driver {
   public:
    using Execute = std::function<Return<void>(const V1_0::Request&, V1_2::MeasureTiming,
                                               const executeSynchronously_cb&)>;
    explicit OwnModel(Execute execute)
        : Driver([this](const auto&... burst) { return serveBurst(this, burst...); }),
          mExecute(std::move(execute)) {}

    Return<void> executeSynchronously(const V1_0::Request& request, V1_2::MeasureTiming measure,
                                      executeSynchronously_cb results) override {
        handOver();
        ++executions;
        auto returned = mExecute(request, measure, results);
        handOver();
        return returned;
    }
    std::atomic<int> executions = 0;

   private:
    Execute mExecute;
};

Return<void> succeed(const V1_0::Request&, V1_2::MeasureTiming,
                     const V1_2::IPreparedModel::executeSynchronously_cb& results) {
    results(HalStatus::NONE, {}, kNoTiming);
    return Void();
}

ScriptedClient clientOf(const sp<OwnModel>& model) {
    return ScriptedClient([model](const auto&... client) {
        return serveBurst(sp<V1_2::IPreparedModel>(model), client...);
    });
}

// Rules burst.queues and burst.packets: the whole request, and the whole result.
TEST(ServeBurst, ExecutesByTheDriversOwnMethod) {
    V1_0::Request got;
    V1_2::MeasureTiming measured{};
    const auto model =
            sp<OwnModel>::make([&](const auto& request, auto measure, const auto& results) {
                got = request;
                measured = measure;
                results(HalStatus::NONE, {{{2, 3}, true}}, {.timeOnDevice = 5, .timeInDriver = 7});
                return Void();
            });
    ScriptedClient client = clientOf(model);
    client.addMemory(64);
    const V1_0::Request request = {
            .inputs = {{.location = {0, 8, 16}, .dimensions = {4}}, {.hasNoValue = true}},
            .outputs = {{.location = {0, 32, 24}}}};
    const auto reply = client.ask(serialize(request, V1_2::MeasureTiming::YES, {0}));
    const auto result = deserialize(reply.value()).value();
    EXPECT_EQ(result.status, HalStatus::NONE);
    EXPECT_EQ(result.outputShapes, (hidl_vec<V1_2::OutputShape>{{{2, 3}, true}}));
    EXPECT_EQ(result.timing, (V1_2::Timing{5, 7}));
    EXPECT_EQ(measured, V1_2::MeasureTiming::YES);
    EXPECT_EQ(got.inputs, request.inputs);
    EXPECT_EQ(got.outputs, request.outputs);
    ASSERT_EQ(got.pools.size(), 1u);
    EXPECT_EQ(got.pools[0].size(), 64u);
    EXPECT_EQ(model->executions, 1);
}

// Rule burst.dead_client: the context is released while the driver executes.
TEST(ServeBurst, EndsDuringAnExecution) {
    std::promise<void> started, release;
    auto model = sp<OwnModel>::make([&](const auto&, auto, const auto& results) {
        started.set_value();
        release.get_future().wait();
        results(HalStatus::NONE, {}, kNoTiming);
        return Void();
    });
    ScriptedClient client = clientOf(model);
    const RequestPacket packet = requestFor({});
    handOver();
    ASSERT_TRUE(client.requests.writeBlocking(packet.data(), packet.size(), 1'000'000'000));
    started.get_future().wait();
    auto ended = std::async(std::launch::async, [&] { client.context = nullptr; });
    EXPECT_GT(model->getStrongCount(), 1) << "the execution needs it";
    release.set_value();
    ended.get();
    EXPECT_TRUE(eventually([&] { return model->getStrongCount() == 1; }));
    EXPECT_EQ(model->executions, 1);
}

// Rules adapter.burst and burst.hostile_queues.
TEST(ServeBurst, RejectsInvalidBursts) {
    const auto model = sp<OwnModel>::make(succeed);
    const auto callback = sp<ScriptedCallback>::make();
    const RequestQueue requests(1024, true), unflagged(1024, false);
    const ResultQueue results(1024, true);
    using Returned = std::pair<HalStatus, sp<V1_2::IBurstContext>>;
    const auto configure = [&](const sp<V1_2::IPreparedModel>& own,
                               const sp<V1_2::IBurstCallback>& client, const RequestQueue& queue) {
        std::vector<Returned> returned;
        EXPECT_TRUE(serveBurst(own, client, *queue.getDesc(), *results.getDesc(),
                               [&](HalStatus status, const sp<V1_2::IBurstContext>& context) {
                                   returned.emplace_back(status, context);
                               })
                            .isOk());
        EXPECT_EQ(returned.size(), 1u);
        return returned.at(0);
    };
    const Returned refused{HalStatus::GENERAL_FAILURE, nullptr};
    EXPECT_EQ(configure(nullptr, callback, requests), refused);
    EXPECT_EQ(configure(model, nullptr, requests), refused);
    EXPECT_EQ(configure(model, callback, unflagged), refused);
    const Returned served = configure(model, callback, requests);
    EXPECT_EQ(served.first, HalStatus::NONE);
    EXPECT_NE(served.second, nullptr);
    EXPECT_FALSE(
            serveBurst(model, callback, *requests.getDesc(), *results.getDesc(), nullptr).isOk());
    EXPECT_EQ(
            serveBurst(nullptr, callback, *requests.getDesc(), *results.getDesc()).error().message,
            "the prepared model is null");
    EXPECT_EQ(model->executions, 0);
}

}  // namespace
}  // namespace nn::serve_burst_test
