// The overhead of a wrapper over an adapter compared with calling the interpreter, for an addition
// of 4 floats: each row alternates with its baseline in one run.
//
//   taskset -c 0,1 build/release/bin/nnapi_bench --benchmark_filter=Driver
#include <condition_variable>
#include <mutex>
#include <thread>

#include "baseline.h"
#include "driver/cache_files.h"
#include "driver/models.h"
#include "examples.h"
#include "nnapi/convert.h"
#include "nnapi/driver/adapt.h"
#include "nnapi/driver/cache.h"
#include "nnapi/driver/wrap.h"
#include "nnapi/hal/hidl/message_queue.h"

namespace nn {
namespace {

SharedDevice reference() { return referenceDevice(); }

SharedDevice wrapped(WrapOptions options, const hal::adapter::Executor& executor = {}) {
    const auto driver = hal::adapter::adapt(
            reference(),
            {.executor = executor, .burstPollingTimeWindow = options.burstPollingTimeWindow});
    return wrap("adapted", *driver, std::move(options)).value();
}

SharedDevice wrappedAidl(HalVersion version) {
    const auto driver = hal::adapter::adaptAidl(reference(), version);
    return wrap("adapted", *driver).value();
}

void executeOn(benchmark::State& state, const SharedDevice& device) {
    const Request request = pooled();
    const PreparedModel bare = prepare(addition()).value();
    const SharedPreparedModel model = prepareOn(*device, addition()).value();
    besides(state, bareCall(bare, request),
            [&] { return model->execute(request, MeasureTiming::NO, {}, {}, {}, {}).has_value(); });
}
void computeOn(benchmark::State& state, const SharedDevice& device) {
    const Request request = pooled();
    const PreparedModel bare = prepare(addition()).value();
    const SharedPreparedModel model = prepareOn(*device, addition()).value();
    const SharedExecution execution =
            model->createReusableExecution(request, MeasureTiming::NO, {}, {}, {}).value();
    besides(state, bareCall(bare, request), [&] { return execution->compute({}).has_value(); });
}

void DriverCanonical(benchmark::State& state) { executeOn(state, reference()); }
BENCHMARK(DriverCanonical)->UseManualTime();

void DriverSynchronous(benchmark::State& state) { executeOn(state, wrapped({})); }
BENCHMARK(DriverSynchronous)->UseManualTime();

void DriverReusable(benchmark::State& state) { computeOn(state, wrapped({})); }
BENCHMARK(DriverReusable)->UseManualTime();

// Each execution duplicates the descriptors of its pools, like binder.
void DriverAidl3Synchronous(benchmark::State& state) {
    executeOn(state, wrappedAidl(HalVersion::AIDL3));
}
BENCHMARK(DriverAidl3Synchronous)->UseManualTime();

void DriverAidl4Synchronous(benchmark::State& state) {
    executeOn(state, wrappedAidl(HalVersion::AIDL4));
}
BENCHMARK(DriverAidl4Synchronous)->UseManualTime();

// Through an IExecution of the driver.
void DriverAidl4Reusable(benchmark::State& state) {
    computeOn(state, wrappedAidl(HalVersion::AIDL4));
}
BENCHMARK(DriverAidl4Reusable)->UseManualTime();

// With a memory that the driver caches.
void DriverAidl4Burst(benchmark::State& state) {
    const Request request = pooled();
    const PreparedModel bare = prepare(addition()).value();
    const SharedPreparedModel model =
            prepareOn(*wrappedAidl(HalVersion::AIDL4), addition()).value();
    const SharedBurst burst = model->configureExecutionBurst().value();
    const auto hold = burst->cacheMemory(std::get<SharedMemory>(request.pools[0]));
    besides(state, bareCall(bare, request),
            [&] { return burst->execute(request, MeasureTiming::NO, {}, {}, {}, {}).has_value(); });
}
BENCHMARK(DriverAidl4Burst)->UseManualTime();

// A thread that waits for work; measures the round trip to it.
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

// The baseline runs first: a third polling thread would take the burst's processor.
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

// Compared with converting the model to the version and back, and preparing it.
template <HalVersion V>
void prepareBesides(benchmark::State& state, const SharedDevice& device) {
    const Model model = example("models/mobilenet_224_gender").model;
    const SharedDevice bare = reference();
    besides(
            state,
            [&] {
                auto versioned = convertTo<V>(model);
                const auto canonical = convert(*std::move(versioned));
                return canonical.ok() && prepareOn(*bare, *canonical).has_value();
            },
            [&] { return prepareOn(*device, model).has_value(); });
}

void DriverPrepare(benchmark::State& state) {
    prepareBesides<HalVersion::V1_3>(state, wrapped({}));
}
BENCHMARK(DriverPrepare)->UseManualTime();

void DriverAidl4Prepare(benchmark::State& state) {
    prepareBesides<HalVersion::AIDL4>(state, wrappedAidl(HalVersion::AIDL4));
}
BENCHMARK(DriverAidl4Prepare)->UseManualTime();

// ---- caches, compared with preparing MobileNet without one

// Prepares it and saves it to files, or loads it from them.
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

// The work of a client without a cache at each start.
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

// The parts of a load that read and that verify.
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
