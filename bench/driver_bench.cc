// What a wrapper over an adapter costs beyond calling the interpreter, for an addition of 4 floats:
// each row alternates with its yardstick in one run.
//
//   taskset -c 0,1 build/release/bin/nnapi_bench --benchmark_filter=Driver
//
// Counters, of the shortest times: beyondNs is the row less its yardstick; times is the row divided
// by its yardstick, where the bare call is taken from the row first, if the yardstick does not make
// it; allocations are those of one execution on the calling thread.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <type_traits>
#include <utility>

#include "driver/cache_files.h"
#include "driver/models.h"
#include "examples.h"
#include "heap.h"
#include "nnapi/convert.h"
#include "nnapi/driver/adapt.h"
#include "nnapi/driver/cache.h"
#include "nnapi/driver/wrap.h"
#include "nnapi/hal/hidl/message_queue.h"
#include "nnapi/memory.h"

namespace nn {
namespace {

using BenchClock = std::chrono::steady_clock;

// Alternates the yardstick, the bare call, which the yardstick lacks, and the work. A yardstick may
// also be a time.
template <class Yardstick, class Bare, class Work>
void besides(benchmark::State& state, Yardstick&& yardstick, Bare&& bareCall, Work&& work) {
    constexpr bool kHasBareCall = !std::is_null_pointer_v<std::decay_t<Bare>>;
    using Time = BenchClock::duration;
    const auto shortest = [](Time& best, auto& run) {
        const auto begin = BenchClock::now();
        const bool isDone = run();
        const Time took = BenchClock::now() - begin;
        best = std::min(best, took);
        return std::pair(isDone, took);
    };
    constexpr bool kIsMeasured = !std::is_same_v<std::decay_t<Yardstick>, Time>;
    Time yard = Time::max(), working = Time::max();
    if constexpr (!kIsMeasured) yard = yardstick;
    Time bare = kHasBareCall ? Time::max() : Time::zero();
    size_t allocated = 0;
    for (auto _ : state) {
        bool isMeasured = true;
        if constexpr (kIsMeasured) isMeasured = shortest(yard, yardstick).first;
        if constexpr (kHasBareCall) isMeasured = isMeasured && shortest(bare, bareCall).first;
        const size_t before = heap::allocations;
        const auto [isDone, took] = shortest(working, work);
        allocated = heap::allocations - before;
        if (!isMeasured || !isDone) return state.SkipWithError("the work failed");
        state.SetIterationTime(std::chrono::duration<double>(took).count());
    }
    working -= bare;
    state.counters["beyondNs"] = static_cast<double>((working - yard).count());
    state.counters["times"] =
            static_cast<double>(working.count()) / static_cast<double>(yard.count());
    state.counters["yardNs"] = static_cast<double>(yard.count());
    state.counters["allocations"] = static_cast<double>(allocated);
}

// For a yardstick that lacks nothing.
template <class Yardstick, class Work>
void besides(benchmark::State& state, Yardstick&& yardstick, Work&& work) {
    besides(state, yardstick, nullptr, work);
}

// A request of addition() whose arguments lie in shared memory, as those of real clients do.
Request pooled() {
    const SharedMemory pool = createSharedMemory(48).value();
    const auto at = [](uint32_t offset) {
        return Request::Argument{.location = {.offset = offset, .length = 16}};
    };
    return {.inputs = {at(0), at(16)}, .outputs = {at(32)}, .pools = {pool}};
}

SharedDevice reference() { return referenceDevice(); }

SharedDevice wrapped(WrapOptions options, const hal::adapter::Executor& executor = {}) {
    const auto driver = hal::adapter::adapt(
            reference(),
            {.executor = executor, .burstPollingTimeWindow = options.burstPollingTimeWindow});
    return wrap("adapted", *driver, std::move(options)).value();
}

// The bare call: what stands below all layers.
auto bareCall(const PreparedModel& prepared, const Request& request) {
    return [&] { return prepared.execute(request, {}).status.ok(); };
}

void DriverCanonical(benchmark::State& state) {
    const Request request = pooled();
    const PreparedModel bare = prepare(addition()).value();
    const SharedPreparedModel model = prepareOn(*reference(), addition()).value();
    besides(state, bareCall(bare, request),
            [&] { return model->execute(request, MeasureTiming::NO, {}, {}, {}, {}).has_value(); });
}
BENCHMARK(DriverCanonical)->UseManualTime();

void DriverSynchronous(benchmark::State& state) {
    const Request request = pooled();
    const PreparedModel bare = prepare(addition()).value();
    const SharedPreparedModel model = prepareOn(*wrapped({}), addition()).value();
    besides(state, bareCall(bare, request),
            [&] { return model->execute(request, MeasureTiming::NO, {}, {}, {}, {}).has_value(); });
}
BENCHMARK(DriverSynchronous)->UseManualTime();

void DriverReusable(benchmark::State& state) {
    const Request request = pooled();
    const PreparedModel bare = prepare(addition()).value();
    const SharedPreparedModel model = prepareOn(*wrapped({}), addition()).value();
    const SharedExecution execution =
            model->createReusableExecution(request, MeasureTiming::NO, {}, {}, {}).value();
    besides(state, bareCall(bare, request), [&] { return execution->compute({}).has_value(); });
}
BENCHMARK(DriverReusable)->UseManualTime();

// A thread that waits for work, and the way there and back.
class Standing {
   public:
    Standing() : mThread([this] { run(); }) {}
    ~Standing() {
        put([] {});
        {
            const std::lock_guard lock(mMutex);
            mIsEnding = true;
        }
        mChanged.notify_all();
        mThread.join();
    }
    void put(hal::adapter::Task task) {
        {
            std::unique_lock lock(mMutex);
            mChanged.wait(lock, [&] { return mTask == nullptr; });
            mTask = std::move(task);
        }
        mChanged.notify_all();
    }

   private:
    void run() {
        while (true) {
            hal::adapter::Task task;
            {
                std::unique_lock lock(mMutex);
                mChanged.wait(lock, [&] { return mTask != nullptr || mIsEnding; });
                if (mTask == nullptr) return;
                task = std::exchange(mTask, nullptr);
            }
            mChanged.notify_all();
            task();
        }
    }
    std::mutex mMutex;
    std::condition_variable mChanged;
    hal::adapter::Task mTask;
    bool mIsEnding = false;
    std::thread mThread;
};

void DriverAsynchronous(benchmark::State& state) {
    const Request request = pooled();
    const PreparedModel bare = prepare(addition()).value();
    Standing bareThread, driversThread;
    const SharedPreparedModel model =
            prepareOn(*wrapped({.executeSynchronously = false},
                               [&](hal::adapter::Task task, const OptionalTimePoint&) {
                                   driversThread.put(std::move(task));
                               }),
                      addition())
                    .value();
    std::mutex mutex;
    std::condition_variable changed;
    bool isDone = false;
    besides(
            state,
            [&] {
                bareThread.put([&] {
                    const std::lock_guard lock(mutex);
                    isDone = true;
                    changed.notify_one();
                });
                std::unique_lock lock(mutex);
                changed.wait(lock, [&] { return isDone; });
                isDone = false;
                return true;
            },
            bareCall(bare, request),
            [&] { return model->execute(request, MeasureTiming::NO, {}, {}, {}, {}).has_value(); });
}
BENCHMARK(DriverAsynchronous)->UseManualTime();

// The shortest of many round trips over two queues that both sides poll.
BenchClock::duration polledRoundTrip() {
    using Queue = hidl::MessageQueue<uint32_t, hidl::kSynchronizedReadWrite>;
    constexpr uint32_t kTrips = 20000, kEnd = 0;
    Queue there(16, true), back(16, true);
    std::thread echo([&] {
        uint32_t value = 1;
        while (value != kEnd) {
            while (!there.read(&value)) std::this_thread::yield();
            back.write(&value);
        }
    });
    auto best = BenchClock::duration::max();
    for (uint32_t trip = kTrips; trip != kEnd; --trip) {
        uint32_t value = trip;
        const auto begin = BenchClock::now();
        there.write(&value);
        while (!back.read(&value)) std::this_thread::yield();
        best = std::min(best, BenchClock::now() - begin);
    }
    there.write(&kEnd);
    echo.join();
    return best;
}

// The yardstick comes first: a third thread that polls would take its processor from the burst.
void DriverBurst(benchmark::State& state) {
    const auto yard = polledRoundTrip();
    const Request request = pooled();
    const PreparedModel bare = prepare(addition()).value();
    const SharedPreparedModel model =
            prepareOn(*wrapped({.burstPollingTimeWindow = std::chrono::seconds(1)}), addition())
                    .value();
    const SharedBurst burst = model->configureExecutionBurst().value();
    const auto hold = burst->cacheMemory(std::get<SharedMemory>(request.pools[0]));
    besides(state, yard, bareCall(bare, request),
            [&] { return burst->execute(request, MeasureTiming::NO, {}, {}, {}, {}).has_value(); });
}
BENCHMARK(DriverBurst)->UseManualTime();

// Beside converting the model to HAL 1.3 and back, and preparing it.
void DriverPrepare(benchmark::State& state) {
    const Model model = example("models/mobilenet_224_gender").model;
    const SharedDevice bare = reference();
    const SharedDevice device = wrapped({});
    besides(
            state,
            [&] {
                auto versioned = V1_3::utils::convert(model);
                const auto canonical = convert(*std::move(versioned));
                return canonical.ok() && prepareOn(*bare, *canonical).has_value();
            },
            [&] { return prepareOn(*device, model).has_value(); });
}
BENCHMARK(DriverPrepare)->UseManualTime();

// ---- caches, beside preparing MobileNet without one

// Prepares it, saved to files or loaded from them.
void besidesPreparing(benchmark::State& state,
                      bool (*work)(const IDevice&, const driver_cache_files::Cache&,
                                   const Model&)) {
    const Model model = example("models/mobilenet_224_gender").model;
    const SharedDevice device = reference();
    const driver_cache_files::Folder folder;
    const auto cache = driver_cache_files::cacheIn(folder);
    if (!cache.save(*device, model).has_value()) return state.SkipWithError("not prepared");
    besides(
            state, [&] { return prepareOn(*device, model).has_value(); },
            [&] { return work(*device, cache, model); });
}

void DriverCacheSave(benchmark::State& state) {
    besidesPreparing(state,
                     [](const IDevice& device, const driver_cache_files::Cache& cache,
                        const Model& model) { return cache.save(device, model).has_value(); });
}
BENCHMARK(DriverCacheSave)->UseManualTime();

void DriverCacheLoad(benchmark::State& state) {
    besidesPreparing(state, [](const IDevice& device, const driver_cache_files::Cache& cache,
                               const Model&) { return cache.load(device).has_value(); });
}
BENCHMARK(DriverCacheLoad)->UseManualTime();

// What a client without a cache does, each time it starts.
void DriverReadFileAndPrepare(benchmark::State& state) {
    const Model model = example("models/mobilenet_224_gender").model;
    const SharedDevice device = reference();
    const driver_cache_files::Folder folder;
    const auto file = folder.path() / "model.pb";
    if (!writeModel(file, model).ok()) return state.SkipWithError("not written");
    besides(
            state, [&] { return prepareOn(*device, model).has_value(); },
            [&] {
                const auto read = readModel(file);
                return read.ok() && prepareOn(*device, std::get<Model>(*read)).has_value();
            });
}
BENCHMARK(DriverReadFileAndPrepare)->UseManualTime();

// What of a load is reading, and what is verifying.
void DriverCacheReadFiles(benchmark::State& state) {
    const Model model = example("models/mobilenet_224_gender").model;
    const SharedDevice device = reference();
    const driver_cache_files::Folder folder;
    const auto cache = driver_cache_files::cacheIn(folder);
    if (!cache.save(*device, model).has_value()) return state.SkipWithError("not prepared");
    const std::vector<uint8_t> size = folder.read("d");
    const CacheSeal seal(CacheKey({}), "bench", "1", {.model = 1, .data = 1});
    if (!saveModel(seal, {cache.model, cache.data, cache.token}, model, {}, {}).ok()) {
        return state.SkipWithError("not saved");
    }
    besides(
            state,
            [&] {
                std::vector<uint8_t> bytes(size.size());
                return pread(cache.data[0]->get(), bytes.data(), bytes.size(), 0) ==
                       static_cast<ssize_t>(bytes.size());
            },
            [&] {
                return seal.load({cache.model, cache.data, cache.token}).ok();
            });
}
BENCHMARK(DriverCacheReadFiles)->UseManualTime();

}  // namespace
}  // namespace nn
