// Arguments behind pointers are sent to the server in pools that are kept between calls.
#include <algorithm>
#include <atomic>
#include <future>
#include <mutex>
#include <thread>

#include "driver/models.h"
#include "fakes/hooked_device.h"
#include "nnapi/service/client.h"
#include "nnapi/service/server.h"
#include "service/server_process.h"

namespace nn::kept_pools_test {
namespace {

using namespace std::chrono_literals;

// Records the pools of each execution, and blocks the first one on request.
struct Watched {
    std::mutex mutex{};
    std::vector<SharedMemory> pools{};
    std::atomic<bool> holdsUpNext = false;
    std::promise<void> release{};
    std::promise<void> ended{};
};

SharedDevice watchedDevice(const std::shared_ptr<Watched>& watched) {
    const auto execute = [=](const fakes::ExecutionCall& call, const IPreparedModel& inner) {
        {
            const std::lock_guard lock(watched->mutex);
            for (const auto& pool : call.request.pools)
                watched->pools.push_back(std::get<SharedMemory>(pool));
        }
        const bool isHeldUp = watched->holdsUpNext.exchange(false);
        if (isHeldUp) watched->release.get_future().wait();
        auto executed = (isHeldUp ? call.until({}) : call).on(inner);
        if (isHeldUp) watched->ended.set_value();
        return executed;
    };
    return fakes::hooked(referenceDevice(), {.execute = execute});
}

class KeptPools : public testing::Test {
   protected:
    KeptPools() { serve(watchedDevice(watched), {}); }

    void serve(const SharedDevice& served, const service::ServeOptions& options) {
        server = nullptr;
        server = service::serve({served}, address, options).value();
        const auto device = service::connect(address, {.connectTimeout = 60s, .grace = 0s});
        model = prepareOn(**device, addition(0)).value();
    }
    // x + 10 for this many numbers.
    ExecutionResult<Executed> execute(float x, uint32_t size, std::vector<float>& z,
                                      const OptionalTimePoint& deadline = {}) const {
        std::vector<float> all(size, x), ten(size, 10);
        z.assign(size, 0);
        const Request request{.inputs = {pointerTo(all, {size}), pointerTo(ten, {size})},
                              .outputs = {pointerTo(z)}};
        return model->execute(request, MeasureTiming::NO, deadline, {}, {}, {});
    }
    void expectSum(float x, uint32_t size) const {
        std::vector<float> z;
        const auto executed = execute(x, size, z);
        ASSERT_TRUE(executed.has_value()) << executed.error().message;
        EXPECT_EQ(z, std::vector<float>(size, x + 10));
    }
    // The pools of the executions since the last call.
    std::vector<SharedMemory> takeSeen() const {
        const std::lock_guard lock(watched->mutex);
        return std::exchange(watched->pools, {});
    }
    static size_t filesOf(const std::vector<SharedMemory>& pools) {
        std::vector<SharedMemory> different;
        for (const SharedMemory& pool : pools) {
            if (std::find(different.begin(), different.end(), pool) == different.end())
                different.push_back(pool);
        }
        return different.size();
    }

    const TemporaryFolder folder{};
    const std::string address = "unix:" + (folder / "socket").string();
    const std::shared_ptr<Watched> watched = std::make_shared<Watched>();
    std::unique_ptr<service::Server> server{};
    SharedPreparedModel model{};
};

TEST_F(KeptPools, AreUsedAgain) {
    for (int i = 0; i < 30; ++i) expectSum(static_cast<float>(i), 1 + static_cast<uint32_t>(i));
    const auto seen = takeSeen();
    EXPECT_EQ(seen.size(), 60U);
    EXPECT_LE(filesOf(seen), 4U);
}

TEST_F(KeptPools, GrowWithTheArguments) {
    for (const uint32_t size : {4U, 4000U, 4U, 200'000U, 4000U, 300'000U, 4U}) expectSum(1, size);
    // Those of more than 1 MiB are not kept.
    (void)takeSeen();
    for (int i = 0; i < 3; ++i) expectSum(2, 300'000);
    EXPECT_EQ(filesOf(takeSeen()), 6U);
    for (int i = 0; i < 3; ++i) expectSum(2, 250'000);
    EXPECT_LE(filesOf(takeSeen()), 4U);
}

// A call takes 3.6 MB.
TEST_F(KeptPools, ThoseThatAreGoneDoNotCountAgainstTheLimit) {
    serve(referenceDevice(), {.bytesPerClient = 4'000'000});
    for (int i = 0; i < 10; ++i) expectSum(static_cast<float>(i), 300'000);
}

TEST_F(KeptPools, OfOneCallEach) {
    std::vector<std::thread> threads(6);
    for (size_t t = 0; t < threads.size(); ++t) {
        threads[t] = std::thread([this, t] {
            for (int i = 0; i < 50; ++i) expectSum(static_cast<float>(t), 16);
        });
    }
    for (std::thread& thread : threads) thread.join();
}

// The driver may write to them later.
TEST_F(KeptPools, NotAfterACallThatWasGivenUp) {
    expectSum(1, 4);
    (void)takeSeen();
    watched->holdsUpNext = true;
    std::vector<float> z;
    const auto late = execute(2, 4, z, makeDeadline(30ms));
    ASSERT_FALSE(late.has_value());
    EXPECT_EQ(late.error().code, ErrorStatus::MISSED_DEADLINE_TRANSIENT);
    EXPECT_EQ(z, std::vector<float>(4, 0));
    const std::vector<SharedMemory> given = takeSeen();
    ASSERT_EQ(given.size(), 2U);
    for (int i = 0; i < 5; ++i) expectSum(3, 4);
    watched->release.set_value();
    watched->ended.get_future().wait();
    for (int i = 0; i < 5; ++i) expectSum(4, 4);
    for (const SharedMemory& pool : takeSeen())
        EXPECT_EQ(std::find(given.begin(), given.end(), pool), given.end());
}

}  // namespace
}  // namespace nn::kept_pools_test
