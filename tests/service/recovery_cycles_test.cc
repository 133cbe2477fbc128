// Cycles of killed servers and recovering clients must not leak resources. Each server is a
// process, so the default number of cycles is small; NNAPI_DEATH_CYCLES sets it.
#include <malloc.h>

#include <chrono>
#include <cstdio>
#include <fstream>

#include "environment.h"
#include "held_by_process.h"
#include "nnapi/service/client.h"
#include "service/pooled_request.h"
#include "service/server_process.h"

namespace nn::service_cycles_test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

constexpr auto kNo = MeasureTiming::NO;

uint64_t residentBytes() {
    malloc_trim(0);
    std::ifstream file("/proc/self/statm");
    uint64_t all = 0, resident = 0;
    file >> all >> resident;
    return resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

// The life of one server, used in each way.
void cycle(const std::string& path) {
    ServerProcess server(path, "none");
    ASSERT_TRUE(server.says('+'));
    const auto device = service::connect("unix:" + path, {.connectTimeout = 20s});
    ASSERT_TRUE(device.has_value()) << device.error().message;
    const auto model = prepareOn(**device, addition());
    ASSERT_TRUE(model.has_value()) << model.error().message;
    const auto burst = (*model)->configureExecutionBurst();
    ASSERT_TRUE(burst.has_value()) << burst.error().message;
    Sum sum;
    const Pooled pooled;
    EXPECT_TRUE((*model)->execute(sum.request(), kNo, {}, {}, {}, {}).has_value());
    EXPECT_TRUE((*burst)->execute(pooled.request, kNo, {}, {}, {}, {}).has_value());
    EXPECT_THAT(pooled.result(), ElementsAre(11, 22, 33, 44));
    const auto fenced = (*model)->executeFenced(pooled.request, {}, kNo, {}, {}, {}, {}, {});
    EXPECT_TRUE(fenced.has_value());
    server.end();
    EXPECT_EQ((*model)->execute(sum.request(), kNo, {}, {}, {}, {}).error().code,
              ErrorStatus::DEAD_OBJECT);
    EXPECT_EQ((*burst)->execute(pooled.request, kNo, {}, {}, {}, {}).error().code,
              ErrorStatus::DEAD_OBJECT);
}

// Rule server.reconnection.
TEST(ServiceCycles, DeathsLeaveNothingBehind) {
    const auto cycles = static_cast<int>(fromEnvironment("NNAPI_DEATH_CYCLES", 150));
    const TemporaryFolder folder;
    const std::string path = folder / "socket";
    constexpr int kUntilSteady = 20;
    for (int i = 0; i < kUntilSteady && !HasFailure(); ++i) cycle(path);
    const size_t threads = held::stayingThreads(), descriptors = held::descriptors();
    const uint64_t memory = residentBytes();
    for (int i = 0; i < cycles && !HasFailure(); ++i) cycle(path);
    const size_t threadsAfter = held::settled(held::threads, threads);
    const size_t descriptorsAfter = held::settled(held::descriptors, descriptors);
    const uint64_t memoryAfter = residentBytes();
    const uint64_t grown = memoryAfter - std::min(memory, memoryAfter);
    std::printf("%d cycles: descriptors %zu to %zu, threads %zu to %zu, memory %llu KiB more\n",
                cycles, descriptors, descriptorsAfter, threads, threadsAfter,
                static_cast<unsigned long long>(grown >> 10));
    EXPECT_LE(descriptorsAfter, descriptors);
    EXPECT_LE(threadsAfter, threads);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(__clang__)
    // A leak of one cycle is above 100 KiB; the bound allows for fragmentation of the heap.
    EXPECT_LT(grown, uint64_t{4} << 20);
#endif
}

}  // namespace
}  // namespace nn::service_cycles_test
