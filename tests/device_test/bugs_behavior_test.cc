// Each bug other than arithmetic, as a client sees it that checks nothing else: the driver without
// the bug, and with it.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <malloc.h>
#include <unistd.h>

#include <cfenv>
#include <fstream>
#include <latch>
#include <set>
#include <thread>

#include "device_test/bugs/bugs.h"
#include "device_test/cases/cache_files.h"
#include "device_test/cases/models.h"
#include "held_by_process.h"
#include "nnapi/memory.h"

namespace nn::bugs_behavior_test {
namespace {

using bugs::Bug;
using nn::SubgraphBuilder;
using nn::testing::CacheFiles;
using nn::testing::floatTensor;
using std::chrono::milliseconds;

std::string codeOf(const auto& result) {
    return result.has_value() ? "NONE" : toString(result.error().code);
}

GeneralResult<SharedPreparedModel> prepare(const SharedDevice& device, const Model& model) {
    return device->prepareModel(model, ExecutionPreference::DEFAULT, Priority::DEFAULT, {}, {}, {},
                                {}, {}, {});
}

// ---- sums of three floats: x, y and z at these offsets of a pool that is filled with 7s

constexpr uint32_t kX = 0, kY = 16, kZ = 32, kSize = 12;

struct Sum {
    SharedMemory pool = createSharedMemory(64).value();
    Request request{.inputs = {at(kX), at(kY)}, .outputs = {at(kZ)}, .pools = {pool}};

    explicit Sum(float unit = 1) {
        (void)writeMemory(pool, 0, std::vector<uint8_t>(64, 7));
        put(kX, {unit, 2 * unit, 3 * unit});
        put(kY, {10 * unit, 20 * unit, 30 * unit});
    }
    static Request::Argument at(uint32_t offset) {
        return {.location = {.offset = offset, .length = kSize}};
    }
    void put(uint32_t offset, const std::vector<float>& values) const {
        (void)writeMemory(pool, offset, nn::testing::tensorOf({3}, values).data);
    }
    std::vector<float> get(uint32_t offset) const {
        std::vector<float> values(3);
        (void)readMemory(pool, offset, {reinterpret_cast<uint8_t*>(values.data()), kSize});
        return values;
    }
    bool isRight(float unit = 1) const {
        return get(kZ) == std::vector<float>{11 * unit, 22 * unit, 33 * unit};
    }
    ExecutionResult<Executed> on(const auto& executing,
                                 const OptionalTimePoint& deadline = {}) const {
        return executing.execute(request, MeasureTiming::NO, deadline, {}, {}, {});
    }
};

// "NONE, sum right, x as before, behind the sum as before"
std::string sum(const SharedDevice& device) {
    const auto prepared = prepare(device, nn::testing::addition(3));
    if (!prepared.has_value()) return "prepareModel: " + codeOf(prepared);
    const Sum job;
    const auto executed = job.on(**prepared);
    if (!executed.has_value()) return codeOf(executed);
    uint8_t behind = 0;
    (void)readMemory(job.pool, kZ + kSize, {&behind, 1});
    std::string text = job.isRight() ? "sum right" : "sum wrong";
    if (job.get(kX) != std::vector<float>{1, 2, 3}) text += ", x written";
    if (behind != 7) text += ", written behind the sum";
    return text;
}

// Of a model that leaves the size of inputs and output to the request.
std::string openSum(const SharedDevice& device, std::vector<uint32_t> dimensions,
                    uint32_t length = kSize) {
    const auto prepared = prepare(device, nn::testing::addition(0));
    if (!prepared.has_value()) return "prepareModel: " + codeOf(prepared);
    std::string text;
    for (const uint32_t size : dimensions) {
        Sum job;
        for (Request::Argument& input : job.request.inputs) {
            input.dimensions = {size};
            input.location.length = size * sizeof(float);
        }
        job.request.outputs[0].location.length = length;
        const auto executed = job.on(**prepared);
        text += codeOf(executed);
        const auto shapes = executed.has_value() ? executed->first : executed.error().outputShapes;
        for (const OutputShape& shape : shapes) text += " " + std::to_string(shape.dimensions[0]);
        text += ";";
    }
    return text;
}
std::string sumOfOpenSize(const SharedDevice& device) { return openSum(device, {3}); }
std::string sumsOfTwoSizes(const SharedDevice& device) { return openSum(device, {3, 2}); }
std::string sumIntoTooLittle(const SharedDevice& device) { return openSum(device, {3}, 4); }

// ---- support

Model unary(std::vector<OperationType> types, uint32_t size = 3) {
    Model model;
    SubgraphBuilder main(model);
    uint32_t x = main.input(floatTensor({1, size}));
    for (size_t i = 0; i < types.size(); ++i) {
        const uint32_t y = i + 1 < types.size() ? main.temporary(floatTensor({1, size}))
                                                : main.output(floatTensor({1, size}));
        std::vector<uint32_t> inputs{x};
        if (types[i] == OperationType::SOFTMAX) {
            inputs.push_back(main.constant<float>({.type = OperandType::FLOAT32}, {1}));
        }
        if (types[i] == OperationType::MUL) inputs = {x, x, main.scalar(0)};
        main.add(types[i], std::move(inputs), {y});
        x = y;
    }
    model.main = std::move(main.graph);
    return model;
}

std::string supportOf(const SharedDevice& device, const Model& model) {
    const auto supported = device->getSupportedOperations(model);
    if (!supported.has_value()) return codeOf(supported);
    std::string text;
    for (const bool each : *supported) text += each ? "yes " : "no ";
    return text;
}
std::string supportThenPreparation(const SharedDevice& device, OperationType type) {
    const Model model = unary({type});
    const std::string supported = supportOf(device, model);
    return supported + codeOf(prepare(device, model));
}
std::string ofSoftmax(const SharedDevice& device) {
    return supportThenPreparation(device, OperationType::SOFTMAX);
}
std::string ofTanh(const SharedDevice& device) {
    return supportThenPreparation(device, OperationType::TANH);
}
std::string ofReluAndTanh(const SharedDevice& device) {
    return supportOf(device, unary({OperationType::RELU, OperationType::TANH}));
}
std::string ofTwoRelus(const SharedDevice& device) {
    return supportOf(device, unary({OperationType::RELU, OperationType::RELU}));
}
std::string ofALoop(const SharedDevice& device) {
    return supportOf(device, nn::testing::endlessLoop());
}
std::string ofAnIllegalModel(const SharedDevice& device) {
    Model model = unary({OperationType::RELU});
    model.main.operations[0].inputs = {4711};
    return supportOf(device, model);
}
std::string ofMulTwice(const SharedDevice& device) {
    const Model model = unary({OperationType::MUL});
    const std::string first = supportOf(device, model);
    return first + supportOf(device, model);
}

// ---- shapes

std::string meanWithOpenShape(const SharedDevice& device) {
    Model model;
    SubgraphBuilder main(model);
    const auto x = main.input(floatTensor({1, 3}));
    const auto axes =
            main.constant<int32_t>({.type = OperandType::TENSOR_INT32, .dimensions = {1}}, {1});
    main.add(OperationType::MEAN, {x, axes, main.scalar(1)}, {main.output(floatTensor({0, 0}))});
    model.main = std::move(main.graph);
    const auto prepared = prepare(device, model);
    if (!prepared.has_value()) return codeOf(prepared);
    Sum job;
    job.request.inputs.pop_back();
    job.request.outputs[0].location.length = sizeof(float);
    const auto executed = job.on(**prepared);
    if (!executed.has_value()) return codeOf(executed);
    return "rank " + std::to_string(executed->first.at(0).dimensions.size());
}

// ---- memory

std::string constantAfterAChange(const SharedDevice& device) {
    Model model;
    SubgraphBuilder main(model);
    const auto x = main.input(floatTensor({3}));
    const auto y = main.temporary(floatTensor({3}));
    Operand& constant = main.graph.operands[y];
    constant.lifetime = Operand::LifeTime::CONSTANT_REFERENCE;
    constant.location = {.poolIndex = 0, .offset = kY, .length = kSize};
    main.add(OperationType::ADD, {x, y, main.scalar(0)}, {main.output(floatTensor({3}))});
    model.main = std::move(main.graph);
    const Sum constants;
    model.pools = {constants.pool};
    const auto prepared = prepare(device, model);
    if (!prepared.has_value()) return codeOf(prepared);
    constants.put(kY, {0, 0, 0});
    Sum job;
    job.request.inputs.pop_back();
    const auto executed = job.on(**prepared);
    return codeOf(executed) + (job.isRight() ? " right" : " wrong");
}

GeneralResult<SharedBuffer> allocate(const SharedDevice& device,
                                     const SharedPreparedModel& prepared) {
    return device->allocate({}, {prepared}, {{.modelIndex = 0, .ioIndex = 0, .probability = 1}},
                            {});
}
std::string tokens(const SharedDevice& device) {
    const auto prepared = prepare(device, nn::testing::addition(3));
    const auto a = allocate(device, *prepared), b = allocate(device, *prepared);
    return (*a)->getToken() == (*b)->getToken() ? "the same" : "two";
}
std::string copyWithoutValue(const SharedDevice& device) {
    const auto prepared = prepare(device, nn::testing::addition(3));
    return codeOf((*allocate(device, *prepared))->copyTo(createSharedMemory(kSize).value()));
}
std::string copyToLess(const SharedDevice& device) {
    const auto prepared = prepare(device, nn::testing::addition(3));
    const auto buffer = allocate(device, *prepared);
    (void)(*buffer)->copyFrom(createSharedMemory(kSize).value(), {});
    return codeOf((*buffer)->copyTo(createSharedMemory(kSize - 4).value()));
}

// ---- caches

struct Cache {
    CacheFiles models = CacheFiles::create("/tmp", 1).value();
    CacheFiles data = CacheFiles::create("/tmp", 1).value();

    GeneralResult<SharedPreparedModel> save(const SharedDevice& device, uint8_t token,
                                            const Model& model = nn::testing::addition(3)) const {
        return device->prepareModel(model, ExecutionPreference::DEFAULT, Priority::DEFAULT, {},
                                    models.handles(), data.handles(), CacheToken{token}, {}, {});
    }
    GeneralResult<SharedPreparedModel> load(const SharedDevice& device, uint8_t token) const {
        return device->prepareModelFromCache({}, models.handles(), data.handles(),
                                             CacheToken{token});
    }
};
std::string loadByAnotherToken(const SharedDevice& device) {
    const Cache cache;
    const std::string saved = codeOf(cache.save(device, 1));
    return saved + " " + codeOf(cache.load(device, 2));
}
std::string loadChanged(const SharedDevice& device) {
    const Cache cache;
    (void)cache.save(device, 1);
    auto bytes = cache.models.read(0).value();
    bytes.back() ^= 1;
    (void)cache.models.write(0, bytes);
    return codeOf(cache.load(device, 1));
}
std::string loadWhatWasLonger(const SharedDevice& device) {
    const Cache cache;
    (void)cache.models.write(0, std::vector<uint8_t>(1 << 16, 7));
    (void)cache.save(device, 1);
    return codeOf(cache.load(device, 1));
}
std::string loadAfterSeek(const SharedDevice& device) {
    const Cache cache;
    const auto models = cache.models.handles();
    (void)lseek(models[0]->get(), 100, SEEK_SET);
    (void)device->prepareModel(nn::testing::addition(3), ExecutionPreference::DEFAULT,
                               Priority::DEFAULT, {}, models, cache.data.handles(), CacheToken{1},
                               {}, {});
    return codeOf(cache.load(device, 1));
}
std::string loadTheSecond(const SharedDevice& device) {
    const Cache cache;
    (void)cache.save(device, 1);
    (void)cache.save(device, 2, nn::testing::chain(2, 3));
    return codeOf(cache.load(device, 2));
}
std::string saveReadOnly(const SharedDevice& device) {
    const Cache cache;
    return codeOf(
            device->prepareModel(nn::testing::addition(3), ExecutionPreference::DEFAULT,
                                 Priority::DEFAULT, {}, cache.models.handles(O_RDONLY).value(),
                                 cache.data.handles(O_RDONLY).value(), CacheToken{1}, {}, {}));
}
std::string cacheCounts(const SharedDevice& device) {
    std::string text;
    for (int i = 0; i < 3; ++i) {
        text += std::to_string(device->getNumberOfCacheFilesNeeded().first) + " ";
    }
    return text;
}

// ---- threads

// Two threads, each with its own object of a pair, and its own numbers.
template <class Executing>
std::string inTwoThreads(const Executing& first, const Executing& second) {
    std::atomic<int> wrong = 0;
    const auto work = [&](const Executing& executing, float unit) {
        const Sum job(unit);
        for (int i = 0; i < 100; ++i) {
            job.put(kZ, {0, 0, 0});
            wrong += job.on(*executing).has_value() && !job.isRight(unit) ? 1 : 0;
        }
    };
    std::thread one(work, first, 1.f), two(work, second, 100.f);
    one.join();
    two.join();
    return wrong != 0 ? "wrong" : "right";
}
std::string oneModelInTwoThreads(const SharedDevice& device) {
    const auto prepared = prepare(device, nn::testing::addition(3));
    return inTwoThreads(*prepared, *prepared);
}
std::string twoModelsInTwoThreads(const SharedDevice& device) {
    const auto a = prepare(device, nn::testing::addition(3));
    const auto b = prepare(device, nn::testing::addition(3));
    return inTwoThreads(*a, *b);
}
std::string twoBurstsInTwoThreads(const SharedDevice& device) {
    const auto prepared = prepare(device, nn::testing::addition(3));
    const auto a = (*prepared)->configureExecutionBurst();
    const auto b = (*prepared)->configureExecutionBurst();
    return inTwoThreads(*a, *b);
}
std::string afterRelease(const SharedDevice& device) {
    auto prepared = *prepare(device, nn::testing::addition(3));
    const Sum job;
    const auto execution =
            prepared->createReusableExecution(job.request, MeasureTiming::NO, {}, {}, {});
    const auto burst = prepared->configureExecutionBurst();
    prepared.reset();
    const std::string computed = codeOf((*execution)->compute({}));
    return computed + " " + codeOf(job.on(**burst));
}

// A loop that ends by a time limit.
struct Loop {
    SharedPreparedModel prepared{};
    SharedMemory pool = createSharedMemory(64).value();
    Request request{.inputs = {{.location = {.offset = 0, .length = 4}}},
                    .outputs = {{.location = {.offset = 32, .length = 4}}},
                    .pools = {pool}};

    explicit Loop(const SharedDevice& device)
        : prepared(*prepare(device, nn::testing::endlessLoop())) {}
    ExecutionResult<Executed> run(Duration timeout, OptionalTimePoint deadline = {}) const {
        return prepared->execute(request, MeasureTiming::NO, deadline, timeout, {}, {});
    }
};
std::string eightAtOnce(const SharedDevice& device) {
    const Loop loop(device);
    std::vector<std::thread> threads;
    std::atomic<int> busy = 0;
    std::latch start(8);
    for (int i = 0; i < 8; ++i) {
        threads.emplace_back([&] {
            start.arrive_and_wait();
            const auto code = loop.run(milliseconds(300)).error().code;
            busy += code == ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT ? 1 : 0;
        });
    }
    for (std::thread& thread : threads) thread.join();
    return busy != 0 ? "busy" : "all run";
}

// ---- time

constexpr Duration kLong = milliseconds(600);

std::string whenEnds(const Loop& loop, Duration timeout, Duration deadline) {
    const TimePoint begin = Clock::now();
    const auto executed = loop.run(timeout, begin + deadline);
    return codeOf(executed) + (Clock::now() - begin < kLong / 2 ? " early" : " late");
}
std::string loopWithDeadline(const SharedDevice& device) {
    return whenEnds(Loop(device), kLong, milliseconds(20));
}
std::string loopWithTimeout(const SharedDevice& device) {
    return whenEnds(Loop(device), milliseconds(20), kLong);
}
std::string pastDeadline(const SharedDevice& device) {
    const auto prepared = prepare(device, nn::testing::addition(3));
    return codeOf(Sum().on(**prepared, Clock::now() - milliseconds(1)));
}
std::string farDeadline(const SharedDevice& device) {
    const auto prepared = prepare(device, nn::testing::addition(3));
    return codeOf(Sum().on(**prepared, Clock::now() + std::chrono::hours(1)));
}
// Fences that are signaled later than a time limit that begins with them.
std::string timeoutAfterLateFence(const SharedDevice& device) {
    const auto prepared = prepare(device, nn::testing::addition(3));
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return "no pipe";
    const UniqueFd writer(ends[1]);
    const SyncFence fence = SyncFence::create(UniqueFd(ends[0]));
    std::thread signaller([&] {
        std::this_thread::sleep_for(milliseconds(300));
        (void)!write(writer.get(), "", 1);
    });
    const auto launched = (*prepared)->executeFenced(Sum().request, {fence}, MeasureTiming::NO, {},
                                                     {}, milliseconds(100), {}, {});
    signaller.join();
    return codeOf(launched);
}
// A chain of sums, which takes some milliseconds, and less than a second under sanitizers.
std::string timing(const SharedDevice& device, MeasureTiming measure) {
    constexpr uint32_t kElements = 50'000;
    const auto prepared = prepare(device, nn::testing::chain(20, kElements));
    const SharedMemory pool = createSharedMemory(2 * kElements * sizeof(float)).value();
    const uint32_t length = kElements * sizeof(float);
    const Request request{.inputs = {{.location = {.offset = 0, .length = length}}},
                          .outputs = {{.location = {.offset = length, .length = length}}},
                          .pools = {pool}};
    const TimePoint begin = Clock::now();
    const auto executed = (*prepared)->execute(request, measure, {}, {}, {}, {});
    const Duration wall = Clock::now() - begin;
    if (!executed.has_value()) return codeOf(executed);
    const auto& [onDevice, inDriver] = executed->second;
    if (!onDevice && !inDriver) return "none";
    if (onDevice && inDriver && *onDevice > *inDriver) return "longer on the device";
    const Duration said = inDriver ? *inDriver : *onDevice;
    return said > wall ? "longer than the call" : said < wall / 50 ? "far too short" : "plausible";
}
std::string measured(const SharedDevice& device) { return timing(device, MeasureTiming::YES); }
std::string unmeasured(const SharedDevice& device) { return timing(device, MeasureTiming::NO); }

// ---- resources

size_t mappings() {
    std::ifstream maps("/proc/self/maps");
    size_t count = 0;
    for (std::string line; std::getline(maps, line);) ++count;
    return count;
}
// Without what earlier tests have freed and the next allocation would get.
size_t residentBytes() {
    (void)malloc_trim(0);
    std::ifstream statm("/proc/self/statm");
    size_t all = 0, resident = 0;
    statm >> all >> resident;
    return resident * static_cast<size_t>(sysconf(_SC_PAGESIZE));
}
// How much more there is after so many executions.
template <class Measure>
size_t growthBy(const SharedDevice& device, int executions, const Measure& measure) {
    const auto prepared = prepare(device, nn::testing::addition(3));
    const Sum job;
    (void)job.on(**prepared);
    const size_t before = measure();
    for (int i = 0; i < executions; ++i) (void)job.on(**prepared);
    const size_t after = measure();
    return after < before ? 0 : after - before;
}
std::string growth(size_t grown, size_t most) { return grown < most ? "stays" : "grows"; }
std::string descriptorsOfExecutions(const SharedDevice& device) {
    return growth(growthBy(device, 10, held::descriptors), 10);
}
std::string descriptorsOfPreparations(const SharedDevice& device) {
    const size_t before = held::descriptors();
    for (int i = 0; i < 10; ++i) (void)prepare(device, nn::testing::addition(3));
    return growth(held::descriptors() - before, 10);
}
std::string descriptorZero(const SharedDevice& device) {
    const UniqueFd kept(fcntl(0, F_DUPFD_CLOEXEC, 3));
    const auto prepared = prepare(device, nn::testing::addition(3));
    const Sum job;
    close(0);
    (void)job.on(**prepared);
    const bool isOpen = fcntl(0, F_GETFD) >= 0;
    if (kept.ok()) (void)dup2(kept.get(), 0);
    return isOpen ? "open" : "closed";
}
std::string mappingsOfExecutions(const SharedDevice& device) {
    return growth(growthBy(device, 50, mappings), 40);
}
std::string memoryOfExecutions(const SharedDevice& device) {
    return growth(growthBy(device, 400, residentBytes), 400 * (48 << 10));
}
std::string threadsOfExecutions(const SharedDevice& device) {
    return growth(growthBy(device, 10, held::threads), 10);
}
std::string lastPrepared(const SharedDevice& device) {
    auto prepared = *prepare(device, nn::testing::addition(3));
    const std::weak_ptr<const IPreparedModel> weak = prepared;
    prepared.reset();
    return weak.expired() ? "released" : "held";
}
std::string roundingAfterAnExecution(const SharedDevice& device) {
    const Sum job;
    (void)job.on(**prepare(device, nn::testing::addition(3)));
    const bool isAsBefore = std::fegetround() == FE_TONEAREST;
    std::fesetround(FE_TONEAREST);
    return isAsBefore ? "as before" : "another";
}
std::string threeHundredth(const SharedDevice& device) {
    const auto prepared = prepare(device, nn::testing::addition(3));
    const Sum job;
    Duration least = std::chrono::hours(1);
    for (int i = 0; i < 300; ++i) {
        const TimePoint begin = Clock::now();
        (void)job.on(**prepared);
        if (i >= 250) least = std::min(least, Clock::now() - begin);
    }
    return least < milliseconds(1) ? "fast" : "slow";
}
std::string afterARefusal(const SharedDevice& device) {
    (void)prepare(device, Model());
    return codeOf(prepare(device, nn::testing::addition(3)));
}

struct Row {
    Bug bug;
    std::string (*observe)(const SharedDevice&);
    const char* without;
    const char* with;
};

const Row kRows[] = {
        {Bug::supports_count, ofTwoRelus, "yes yes ", "yes "},
        {Bug::supports_referenced, ofALoop, "yes ", "yes yes yes "},
        {Bug::supports_then_refuses, ofSoftmax, "yes NONE", "yes INVALID_ARGUMENT"},
        {Bug::supports_invalid, ofAnIllegalModel, "INVALID_ARGUMENT", "yes "},
        {Bug::supports_by_order, ofReluAndTanh, "yes yes ", "no yes "},
        {Bug::supports_differs, ofMulTwice, "yes yes ", "yes no "},
        {Bug::prepares_unsupported, ofTanh, "yes NONE", "no NONE"},

        {Bug::reduce_keep_dims, meanWithOpenShape, "rank 2", "rank 0"},
        {Bug::dynamic_shape_stale, sumsOfTwoSizes, "NONE 3;NONE 2;", "NONE 3;NONE 3;"},
        {Bug::insufficient_shape_zero, sumIntoTooLittle, "OUTPUT_INSUFFICIENT_SIZE 3;",
         "OUTPUT_INSUFFICIENT_SIZE 0;"},

        {Bug::writes_past_output, sum, "sum right", "sum right, written behind the sum"},
        {Bug::writes_input, sum, "sum right", "sum right, x written"},
        {Bug::reads_past_input, sum, "sum right", "GENERAL_FAILURE"},
        {Bug::ignores_offset, sum, "sum right", "sum wrong"},
        {Bug::ignores_output_offset, sum, "sum right", "sum wrong, x written"},
        {Bug::ignores_dimensions_of_request, sumOfOpenSize, "NONE 3;", "INVALID_ARGUMENT;"},
        {Bug::keeps_constant_pointer, constantAfterAChange, "NONE right", "NONE wrong"},
        {Bug::buffer_token_reused, tokens, "two", "the same"},
        {Bug::buffer_uninitialized_read, copyWithoutValue, "GENERAL_FAILURE", "NONE"},
        {Bug::buffer_copy_size, copyToLess, "INVALID_ARGUMENT", "NONE"},

        {Bug::cache_ignores_token, loadByAnotherToken, "NONE GENERAL_FAILURE", "NONE NONE"},
        {Bug::cache_ignores_corruption, loadChanged, "GENERAL_FAILURE", "NONE"},
        {Bug::cache_not_truncated, loadWhatWasLonger, "NONE", "GENERAL_FAILURE"},
        {Bug::cache_count_differs, cacheCounts, "1 1 1 ", "1 2 1 "},
        {Bug::cache_failure_fails, saveReadOnly, "NONE", "GENERAL_FAILURE"},
        {Bug::cache_offset, loadAfterSeek, "NONE", "GENERAL_FAILURE"},
        {Bug::cache_first_model, loadTheSecond, "NONE", "GENERAL_FAILURE"},

        {Bug::race_shared_scratch, oneModelInTwoThreads, "right", "wrong"},
        {Bug::race_two_models, twoModelsInTwoThreads, "right", "wrong"},
        {Bug::burst_interleaved, twoBurstsInTwoThreads, "right", "wrong"},
        {Bug::release_ends_executions, afterRelease, "NONE NONE",
         "GENERAL_FAILURE GENERAL_FAILURE"},
        {Bug::busy_when_concurrent, eightAtOnce, "all run", "busy"},

        {Bug::time_too_long, measured, "plausible", "longer than the call"},
        {Bug::time_too_short, measured, "plausible", "far too short"},
        {Bug::time_driver_below_device, measured, "plausible", "longer on the device"},
        {Bug::time_constant, measured, "plausible", "longer than the call"},
        {Bug::time_since_boot, measured, "plausible", "longer than the call"},
        {Bug::time_unmeasured, unmeasured, "none", "far too short"},
        {Bug::deadline_ignored, loopWithDeadline, "MISSED_DEADLINE_TRANSIENT early",
         "MISSED_DEADLINE_TRANSIENT late"},
        {Bug::deadline_past_accepted, pastDeadline, "MISSED_DEADLINE_PERSISTENT", "NONE"},
        {Bug::misses_ample_deadlines, farDeadline, "NONE", "MISSED_DEADLINE_TRANSIENT"},
        {Bug::loop_timeout_ignored, loopWithTimeout, "MISSED_DEADLINE_TRANSIENT early",
         "MISSED_DEADLINE_TRANSIENT late"},
        {Bug::timeout_after_fence_ignored, timeoutAfterLateFence, "NONE",
         "MISSED_DEADLINE_TRANSIENT"},

        {Bug::leaks_descriptor_execution, descriptorsOfExecutions, "stays", "grows"},
        {Bug::leaks_descriptor_preparation, descriptorsOfPreparations, "stays", "grows"},
        {Bug::leaks_descriptor_zero, descriptorZero, "closed", "open"},
        {Bug::leaks_mapping, mappingsOfExecutions, "stays", "grows"},
        {Bug::leaks_memory, memoryOfExecutions, "stays", "grows"},
        {Bug::thread_per_execution, threadsOfExecutions, "stays", "grows"},
        {Bug::holds_prepared_models, lastPrepared, "released", "held"},
        {Bug::changes_rounding, roundingAfterAnExecution, "as before", "another"},
        {Bug::slower_each_time, threeHundredth, "fast", "slow"},
        {Bug::stops_after_refusal, afterARefusal, "NONE", "GENERAL_FAILURE"},
};

TEST(BugsBehavior, IsSeen) {
    for (const Row& row : kRows) {
        SCOPED_TRACE(bugs::rowOf(row.bug).name);
        EXPECT_EQ(row.observe(bugs::canonicalDriver(Bug::none)), row.without);
        EXPECT_EQ(row.observe(bugs::canonicalDriver(row.bug)), row.with);
    }
}

// ---- what ends the process, or never ends

Model sliceOfNothing() {
    Model model;
    SubgraphBuilder main(model);
    const Operand numbers{.type = OperandType::TENSOR_INT32, .dimensions = {1}};
    const auto x = main.input(floatTensor({3}));
    const auto zero = main.constant<int32_t>(numbers, {0});
    const auto one = main.constant<int32_t>(numbers, {1});
    main.add(OperationType::STRIDED_SLICE,
             {x, zero, zero, one, main.scalar(0), main.scalar(0), main.scalar(0)},
             {main.output(floatTensor({0}))});
    model.main = std::move(main.graph);
    return model;
}
void executeSliceOfNothing(const SharedDevice& device) {
    const auto prepared = prepare(device, sliceOfNothing());
    if (!prepared.has_value()) return;
    Sum job;
    job.request.inputs.pop_back();
    (void)job.on(**prepared);
}
void prepareWithOmittedBias(const SharedDevice& device) {
    Model model;
    SubgraphBuilder main(model);
    const auto x = main.input(floatTensor({1, 1}));
    const auto features = main.constant<float>(floatTensor({1, 1}), {1});
    const auto times = main.constant<float>(floatTensor({1, 2}), {1, 1});
    const auto bias = main.temporary(floatTensor({1}));
    main.graph.operands[bias].lifetime = Operand::LifeTime::NO_VALUE;
    const auto state = main.input(floatTensor({1, 2}));
    main.add(OperationType::SVDF, {x, features, times, bias, state, main.scalar(1), main.scalar(0)},
             {main.output(floatTensor({1, 2})), main.output(floatTensor({1, 1}))});
    model.main = std::move(main.graph);
    (void)prepare(device, model);
}
void loadEmptyCache(const SharedDevice& device) { (void)Cache().load(device, 1); }
void prepareInTwoThreads(const SharedDevice& device) {
    const auto work = [&] {
        for (int i = 0; i < 20; ++i) (void)prepare(device, nn::testing::addition(3));
    };
    std::thread one(work), two(work);
    one.join();
    two.join();
}
void executeInThreeBursts(const SharedDevice& device) {
    const auto prepared = prepare(device, nn::testing::addition(3));
    for (int i = 0; i < 3; ++i) (void)Sum().on(**(*prepared)->configureExecutionBurst());
}
void executeThousandTimes(const SharedDevice& device) {
    const auto prepared = prepare(device, nn::testing::addition(3));
    for (int i = 0; i < 1000; ++i) (void)Sum().on(**prepared);
}

struct EndRow {
    Bug bug;
    void (*act)(const SharedDevice&);
    int signal;  // SIGALRM: it does not return
};
const EndRow kEnds[] = {
        {Bug::empty_tensor_crash, executeSliceOfNothing, SIGSEGV},
        {Bug::omitted_operand_crash, prepareWithOmittedBias, SIGSEGV},
        {Bug::cache_truncated_crash, loadEmptyCache, SIGSEGV},
        {Bug::crashes_after_1000, executeThousandTimes, SIGSEGV},
        {Bug::deadlock_concurrent_prepare, prepareInTwoThreads, SIGALRM},
        {Bug::hangs_third_burst, executeInThreeBursts, SIGALRM},
};

TEST(BugsBehaviorDeathTest, EndsTheProcessOrHangs) {
    for (const EndRow& row : kEnds) {
        SCOPED_TRACE(bugs::rowOf(row.bug).name);
        row.act(bugs::canonicalDriver(Bug::none));
        const auto act = [&] {
            (void)signal(SIGALRM, SIG_DFL);
            alarm(2);
            row.act(bugs::canonicalDriver(row.bug));
        };
        EXPECT_EXIT(act(), ::testing::KilledBySignal(row.signal), "");
    }
}

// Every bug of these families has a row.
TEST(BugsBehavior, HasRows) {
    const std::set<std::string_view> kFamilies = {"DYNAMIC", "SUPPORT", "MEMORY",   "CACHE",
                                                  "THREADS", "TIME",    "RESOURCES"};
    std::set<Bug> tested;
    for (const Row& row : kRows) EXPECT_TRUE(tested.insert(row.bug).second);
    for (const EndRow& row : kEnds) EXPECT_TRUE(tested.insert(row.bug).second);
    for (const bugs::BugRow& row : bugs::catalog()) {
        if (!kFamilies.contains(row.family)) continue;
        EXPECT_TRUE(tested.contains(row.bug)) << row.name;
    }
}

}  // namespace
}  // namespace nn::bugs_behavior_test
