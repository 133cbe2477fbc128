// Processes that fork while other threads prepare and execute: the child continues, or its calls
// fail with a code; no call waits for threads that do not exist.
#include <atomic>
#include <set>
#include <thread>

#include "in_child.h"
#include "runtime/c_api_objects.h"
#include "sanitized.h"
#include "temporary_folder.h"
#ifdef NNAPI_HAS_SERVICE
#include "nnapi/service/client.h"
#include "service/server_process.h"
#endif

namespace nn::c_api::fork_test {
namespace {

// Large, so that most of the time is spent in executions and a fork interrupts many.
constexpr uint32_t kSize = 1 << 16;
constexpr uint32_t kLayers = 20;
// The code of the first call that fails, or OK if the sum is right. `mode` selects the way of
// executing.
int codeOf(ANeuralNetworksCompilation* compilation, uint32_t size, int mode) {
    const std::vector<float> x(size, 1), y(size, 2);
    std::vector<float> z(size, 0);
    const size_t bytes = size * sizeof(float);
    OwnedExecution execution;
    OwnedEvent event;
    OwnedBurst burst;
    const auto start = [&]() -> int {
        switch (mode) {
            case 0:
                return ANeuralNetworksExecution_compute(execution);
            case 1:
                return ANeuralNetworksExecution_startCompute(execution, event.out());
            case 2:
                return ANeuralNetworksExecution_startComputeWithDependencies(execution, nullptr, 0,
                                                                             0, event.out());
            default:
                if (const int code = ANeuralNetworksBurst_create(compilation, burst.out())) {
                    return code;
                }
                return ANeuralNetworksExecution_burstCompute(execution, burst);
        }
    };
    const std::function<int()> steps[] = {
            [&] { return ANeuralNetworksExecution_create(compilation, execution.out()); },
            [&] {
                return ANeuralNetworksExecution_setInput(execution, 0, nullptr, x.data(), bytes);
            },
            [&] {
                return ANeuralNetworksExecution_setInput(execution, 1, nullptr, y.data(), bytes);
            },
            [&] {
                return ANeuralNetworksExecution_setOutput(execution, 0, nullptr, z.data(), bytes);
            },
            start,
            [&] { return event == nullptr ? OK : ANeuralNetworksEvent_wait(event); }};
    for (const auto& step : steps) {
        if (const int code = step()) return code;
    }
    return z == std::vector<float>(size, 1 + 2 * kLayers) ? OK : OP_FAILED;
}
constexpr int kModes = 4;

// x + y + y and so on.
OwnedModel sums(uint32_t size) {
    ModelBuilder model;
    const auto x = model.floats(size), y = model.floats(size);
    const auto none = model.scalar(ANEURALNETWORKS_FUSED_NONE);
    uint32_t last = x;
    for (uint32_t i = 0; i < kLayers; ++i) {
        const auto next = model.floats(size);
        model.operation(ANEURALNETWORKS_ADD, {last, y, none}, {next});
        last = next;
    }
    return model.finish({x, y}, {last});
}

OwnedCompilation compiledAnew(uint32_t size, int& code) {
    const OwnedModel model = sums(size);
    OwnedCompilation compilation = compilationOf(model);
    code = ANeuralNetworksCompilation_finish(compilation);
    return compilation;
}

// The codes of children whose parent prepares, executes and frees in other threads meanwhile.
std::set<int> codesOfChildren(int rounds) {
    int code = OK;
    const OwnedCompilation compilation = compiledAnew(kSize, code);
    EXPECT_EQ(code, OK);
    std::atomic<bool> isOver = false;
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&, t] {
            for (int i = t; !isOver; ++i) {
                if (codeOf(compilation, kSize, i % kModes) != OK) ++wrong;
                if (t != 0) continue;
                int made = OK;
                const OwnedCompilation own = compiledAnew(16, made);
                if (made != OK || codeOf(own, 16, i % kModes) != OK) ++wrong;
            }
        });
    }
    std::set<int> codes;
    for (int round = 0; round < rounds; ++round) {
        codes.insert(inChild([&] {
            // Uses the objects from before the fork in each mode, and then new ones.
            for (int mode = 0; mode < kModes; ++mode) {
                if (const int failed = codeOf(compilation, kSize, mode)) return failed;
            }
            int made = OK;
            const OwnedCompilation own = compiledAnew(64, made);
            if (made != OK) return made;
            for (int mode = 0; mode < kModes; ++mode) {
                if (const int failed = codeOf(own, 64, mode)) return failed;
            }
            return OK;
        }));
        if (codes.contains(kHangs)) break;
    }
    isOver = true;
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, 0) << "in the parent";
    return codes;
}

void use(SharedDevice device) {
    std::vector<runtime::PlanDevice> devices = {{std::move(device), false}};
    runtime::setRuntime(std::make_unique<const runtime::Runtime>(std::move(devices),
                                                                 runtime::Runtime::Options{}));
}

class Fork : public testing::Test {
   protected:
    void SetUp() override {
        if (kIsThreadSanitized) {
            GTEST_SKIP() << "ThreadSanitizer ends processes that start threads after a fork";
        }
        if (kIsAddressSanitized) {
            GTEST_SKIP() << "a fork does not free the locks of AddressSanitizer's allocator";
        }
    }
    void TearDown() override { useDevices({}); }
};

// Only a lock that another thread held at the fork may cause a failure.
const auto kGoesOn = testing::IsSubsetOf(std::vector<int>{OK, ANEURALNETWORKS_DEAD_OBJECT});

TEST_F(Fork, TheHostGoesOn) {
    use(runtime::hostDevice(nullptr));
    const auto codes = codesOfChildren(100);
    EXPECT_THAT(codes, testing::Contains(OK));
    EXPECT_THAT(codes, kGoesOn);
}

TEST_F(Fork, TheReferenceGoesOn) {
    use(referenceDevice({.fencedThreads = 2}));
    const auto codes = codesOfChildren(100);
    EXPECT_THAT(codes, testing::Contains(OK));
    EXPECT_THAT(codes, kGoesOn);
}

TEST_F(Fork, SeveralThreadsOfOneExecutionGoOn) {
    use(referenceDevice({.fencedThreads = 2, .prepare = {.threads = 3}}));
    const auto codes = codesOfChildren(20);
    EXPECT_THAT(codes, testing::Contains(OK));
    EXPECT_THAT(codes, kGoesOn);
}

#ifdef NNAPI_HAS_SERVICE
TEST_F(Fork, ConnectionsStayWithTheParent) {
    const TemporaryFolder folder;
    const ServerProcess server(folder, ServerProcess::Transport::UNIX, "none");
    ASSERT_TRUE(server.says('+'));
    const auto device =
            service::connect(server.address(), {.connectTimeout = std::chrono::minutes(1)});
    ASSERT_TRUE(device.has_value()) << device.error().message;
    use(*device);
    EXPECT_THAT(codesOfChildren(40), testing::ElementsAre(ANEURALNETWORKS_DEAD_OBJECT));
    // A new connection works in the child as well.
    EXPECT_EQ(inChild([&] {
                  const auto own = service::connect(server.address(),
                                                    {.connectTimeout = std::chrono::minutes(1)});
                  if (!own.has_value()) return int{OP_FAILED};
                  use(*own);
                  int made = OK;
                  const OwnedCompilation compilation = compiledAnew(16, made);
                  return made != OK ? made : codeOf(compilation, 16, 0);
              }),
              OK);
}
#endif

// Work started before the fork completes only in the parent.
TEST_F(Fork, EventsOfTheParent) {
    Pipe pipe;
    use(referenceDevice({.fencedThreads = 2}));
    const OwnedModel model = addition();
    const OwnedCompilation compilation = compiled(model);
    const OwnedExecution execution = executionOf(compilation);
    Values values;
    values.set(execution);
    const OwnedEvent before = eventOf(pipe);
    OwnedEvent event = startedAfter(execution, {before});
    EXPECT_EQ(inChild([&] { return ANeuralNetworksEvent_wait(event); }),
              ANEURALNETWORKS_DEAD_OBJECT);
    EXPECT_EQ(inChild([&] {
                  event.free();
                  return 0;
              }),
              0);
    // Both processes share a fence.
    EXPECT_EQ(inChild([&] {
                  std::thread([&] { pipe.signal(); }).detach();
                  return ANeuralNetworksEvent_wait(before);
              }),
              OK);
    EXPECT_EQ(ANeuralNetworksEvent_wait(event), OK);
    EXPECT_EQ(values.z, Values::kSum);
    // Both processes see that the event has completed.
    EXPECT_EQ(inChild([&] { return ANeuralNetworksEvent_wait(event); }), OK);
}

}  // namespace
}  // namespace nn::c_api::fork_test
