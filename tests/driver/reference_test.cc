// The interpreter as a device: the guarantees of nn::IDevice and related interfaces that
// DeviceTest.TheReferencePasses leaves open, such as exact codes.
#include "nnapi/driver/reference.h"

#include <unistd.h>

#include <atomic>
#include <thread>

#include "driver/models.h"
#include "nnapi/memory.h"

namespace nn::driver_reference_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using enum ErrorStatus;

const SharedDevice kDevice = referenceDevice();

SharedPreparedModel prepared(const Model& model) { return prepareOn(*kDevice, model).value(); }

// Rule object.slicing: objects cannot be sliced.
template <class I>
constexpr bool isHeldByPointer =
        !std::is_copy_constructible_v<I> && !std::is_move_constructible_v<I> &&
        !std::is_copy_assignable_v<I> && std::has_virtual_destructor_v<I>;
static_assert(isHeldByPointer<IDevice> && isHeldByPointer<IPreparedModel> &&
              isHeldByPointer<IExecution> && isHeldByPointer<IBurst> && isHeldByPointer<IBuffer>);

// ---- devices

// Rules device.getters, device.version_string and device.cache_files.
TEST(Reference, GettersStay) {
    const SharedDevice device = referenceDevice({.name = "mine", .versionString = "7"});
    EXPECT_EQ(device->getName(), "mine");
    EXPECT_EQ(&device->getName(), &device->getName());
    EXPECT_EQ(device->getVersionString(), "7");
    EXPECT_EQ(device->getFeatureLevel(), kNewestRuntimeVersion);
    EXPECT_EQ(device->getType(), DeviceType::CPU);
    EXPECT_THAT(device->getSupportedExtensions(), IsEmpty());
    EXPECT_EQ(device->getCapabilities(), Capabilities{});
    EXPECT_EQ(&device->getCapabilities(), &device->getCapabilities());
    EXPECT_THAT(device->getNumberOfCacheFilesNeeded(), Pair(1u, 1u));
}

TEST(Reference, WaitsForNothing) {  // rule device.wait
    EXPECT_TRUE(kDevice->wait().has_value());
}

TEST(Reference, SaysWhatItSupports) {  // rule device.supported_operations
    Model mixed = addition();
    mixed.main.operations.push_back(
            {.type = OperationType::OEM_OPERATION, .inputs = {0}, .outputs = {4}});
    mixed.main.operands.push_back({.type = OperandType::TENSOR_FLOAT32, .dimensions = {4}});
    Model broken = addition();
    broken.main.operands[0].scale = 1;

    EXPECT_THAT(kDevice->getSupportedOperations(addition()).value(), ElementsAre(true));
    EXPECT_THAT(kDevice->getSupportedOperations(mixed).value(), ElementsAre(true, false));
    EXPECT_EQ(kDevice->getSupportedOperations(broken).error().code, INVALID_ARGUMENT);
    EXPECT_THAT(referenceDevice({.featureLevel = kVersionFeatureLevel1})
                        ->getSupportedOperations(addition())
                        .value(),
                ElementsAre(true));
}

TEST(Reference, RefusesToPrepare) {  // rules prepare.arguments, cache.load and device.hints
    Model broken = addition(), newer = addition();
    broken.main.operands[0].scale = 1;
    for (Operand& operand : newer.main.operands) {
        if (operand.type == TENSOR_FLOAT32) operand.type = TENSOR_FLOAT16;
    }
    const struct {
        const char* name;
        Model model = addition();
        ExecutionPreference preference = ExecutionPreference::DEFAULT;
        Priority priority = Priority::DEFAULT;
        OptionalTimePoint deadline{};
        std::vector<TokenValuePair> hints{};
        ErrorStatus code = INVALID_ARGUMENT;
    } kRows[] = {
            {.name = "Model", .model = broken},
            {.name = "Preference", .preference = ExecutionPreference{9}},
            {.name = "Priority", .priority = Priority{9}},
            {.name = "HintTwice", .hints = {{1, {}}, {1, {}}}},
            {.name = "Deadline", .deadline = TimePoint{}, .code = MISSED_DEADLINE_PERSISTENT},
    };
    for (const auto& row : kRows) {
        EXPECT_EQ(codeOf(kDevice->prepareModel(row.model, row.preference, row.priority,
                                               row.deadline, {}, {}, {}, row.hints, {})),
                  row.code)
                << row.name;
    }
    EXPECT_EQ(codeOf(kDevice->prepareModelFromCache({}, {}, {}, {})), INVALID_ARGUMENT);
    EXPECT_EQ(codeOf(prepareOn(*referenceDevice({.featureLevel = kVersionFeatureLevel1}), newer)),
              INVALID_ARGUMENT);
    const std::vector<SharedHandle> odd = {nullptr, std::make_shared<const Handle>(9999)};
    EXPECT_EQ(codeOf(kDevice->prepareModel(addition(), ExecutionPreference::DEFAULT,
                                           Priority::DEFAULT, {}, odd, odd, {}, {}, {})),
              NONE)
            << "cache errors never fail a preparation";
}

// Rules cache.handles and cache.unused_token: a device without a cache ignores files and token.
TEST(Reference, IgnoresCacheArguments) {
    CacheToken token{};
    token.fill(0xff);
    for (const std::vector<SharedHandle>& files :
         {std::vector<SharedHandle>{},
          std::vector<SharedHandle>(kMaxNumberOfCacheFiles,
                                    std::make_shared<const Handle>(duplicate(0)))}) {
        EXPECT_TRUE(kDevice->prepareModel(addition(), ExecutionPreference::DEFAULT,
                                          Priority::DEFAULT, {}, files, files, token, {}, {})
                            .has_value());
    }
}

// ---- prepared models

// Rule execution.loop_timeout.
TEST(Reference, EndsALoopWithItsTime) {
    const SharedPreparedModel model = prepared(endlessLoop());
    std::vector<float> from{0}, to{0};
    const Request request = {.inputs = {pointerTo(from)}, .outputs = {pointerTo(to)}};
    const auto execute = [&](const OptionalDuration& loopTimeout) {
        const TimePoint begin = Clock::now();
        EXPECT_EQ(codeOf(model->execute(request, MeasureTiming::NO, {}, loopTimeout, {}, {})),
                  MISSED_DEADLINE_TRANSIENT);
        return Clock::now() - begin;
    };
    EXPECT_LT(execute(std::chrono::milliseconds(1)), std::chrono::seconds(1));
    EXPECT_GE(execute({}), kLoopTimeoutDefault) << "without a value";
}

// A device that is being destroyed stops its current execution and starts no other.
TEST(Reference, StopsWhenRequested) {
    std::atomic<bool> isStopped = false;
    for (const size_t threads : {size_t{0}, size_t{1}}) {
        ReferenceDeviceOptions options{.fencedThreads = threads};
        options.prepare.until.isCancelled = [&] { return isStopped.load(); };
        const SharedDevice device = referenceDevice(options);
        isStopped = false;
        const SharedPreparedModel model = prepareOn(*device, endlessLoop()).value();
        std::vector<float> x{1}, z{0};
        const Request request{.inputs = {pointerTo(x)}, .outputs = {pointerTo(z)}};
        std::thread stopper([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            isStopped = true;
        });
        const OptionalDuration loops = std::chrono::seconds(15);
        EXPECT_EQ(codeOf(model->execute(request, MeasureTiming::NO, {}, loops, {}, {})),
                  GENERAL_FAILURE);
        stopper.join();
        const auto fenced =
                model->executeFenced(request, {}, MeasureTiming::NO, {}, loops, {}, {}, {});
        if (threads == 0) {
            EXPECT_EQ(fenced.error().code, GENERAL_FAILURE);
        } else {
            EXPECT_EQ(fenced->first.syncWait(std::chrono::seconds(20)),  // rule fenced.failed_fence
                      SyncFence::FenceState::ERROR);
            EXPECT_EQ(fenced->second().error().code, GENERAL_FAILURE);
        }
        EXPECT_EQ(prepareOn(*device, addition()).error().code, GENERAL_FAILURE);
    }
}

TEST(Reference, RefusesToExecute) {  // rules fenced.deadlines and device.hints
    const SharedPreparedModel model = prepared(addition());
    const struct {
        const char* name;
        MeasureTiming measure = MeasureTiming::NO;
        OptionalTimePoint deadline{};
        OptionalDuration loopTimeout{};
        std::vector<TokenValuePair> hints{};
        std::vector<ExtensionNameAndPrefix> prefixes{};
        ErrorStatus code = INVALID_ARGUMENT;
    } kRows[] = {
            {.name = "Measure", .measure = MeasureTiming{2}},
            {.name = "Deadline", .deadline = TimePoint{}, .code = MISSED_DEADLINE_PERSISTENT},
            {.name = "LoopTimeout", .loopTimeout = Duration(-1)},
            {.name = "HintTwice", .hints = {{1, {}}, {1, {}}}},
            {.name = "Prefix", .prefixes = {{.name = "no dot", .prefix = 1}}},
    };
    Sum sum;
    for (const auto& row : kRows) {
        const auto result = model->execute(sum.request(), row.measure, row.deadline,
                                           row.loopTimeout, row.hints, row.prefixes);
        ASSERT_FALSE(result.has_value()) << row.name;
        EXPECT_EQ(result.error().code, row.code) << row.name << ": " << result.error().message;
        EXPECT_THAT(sum.z, ElementsAre(0, 0, 0, 0)) << row.name;
    }
}

// Rules fenced.open_outputs, fenced.failed_fence and fenced.deadlines.
TEST(Reference, RefusesFences) {
    Sum sum;
    const SharedPreparedModel model = prepared(addition());
    const auto fenced = [&](const SharedPreparedModel& of, const Request& request,
                            const std::vector<SyncFence>& fences, OptionalTimePoint deadline,
                            OptionalDuration afterFences) {
        return of->executeFenced(request, fences, MeasureTiming::NO, deadline, {}, afterFences, {},
                                 {});
    };
    const Fence never;
    const SyncFence closed(std::make_shared<const Handle>(9999));
    EXPECT_EQ(codeOf(fenced(prepared(addition(0)), sum.request({4}), {}, {}, {})), INVALID_ARGUMENT)
            << "an output of unknown size";
    EXPECT_EQ(codeOf(fenced(model, sum.request(), {never.get()}, soon(), {})),
              MISSED_DEADLINE_TRANSIENT);
    EXPECT_EQ(codeOf(fenced(model, sum.request(), {}, {}, Duration(0))), MISSED_DEADLINE_TRANSIENT);
    EXPECT_EQ(fenced(model, sum.request(), {closed}, {}, {}).error().code, GENERAL_FAILURE);
    const auto executed = fenced(model, sum.request(), {}, {}, Duration::max());
    ASSERT_TRUE(executed.has_value()) << executed.error().message;
    EXPECT_FALSE(executed->first.hasFd()) << "it is done";
    EXPECT_THAT(sum.z, ElementsAre(11, 22, 33, 44));
}

// ---- reusable executions and bursts

TEST(Reference, BurstsOneAtATime) {  // rules burst.one_at_a_time and burst.fenced
    // The second execution finds the first one in progress.
    std::vector<float> from{0}, to{0}, to2{0};
    const SharedBurst burst = prepared(endlessLoop())->configureExecutionBurst().value();
    const auto request = [&](std::vector<float>& out) {
        return Request{.inputs = {pointerTo(from)}, .outputs = {pointerTo(out)}};
    };
    const SharedExecution execution =
            burst->createReusableExecution(request(to2), MeasureTiming::NO, Duration(1), {}, {})
                    .value();
    const TimePoint end = Clock::now() + std::chrono::seconds(20);  // for busy machines
    std::thread first([&] {
        // Fails if the other execution arrived first.
        ErrorStatus code = GENERAL_FAILURE;
        while (code == GENERAL_FAILURE && Clock::now() < end) {
            code = burst->execute(request(to), MeasureTiming::NO, {},
                                  std::chrono::milliseconds(300), {}, {})
                           .error()
                           .code;
        }
        EXPECT_EQ(code, MISSED_DEADLINE_TRANSIENT);
    });
    bool wasRefused = false;
    while (!wasRefused && Clock::now() < end) {
        const auto second = execution->compute({});
        wasRefused = second.error().code == GENERAL_FAILURE;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    first.join();
    EXPECT_TRUE(wasRefused) << "two executions of one burst at a time";
    EXPECT_EQ(execution->compute({}).error().code, MISSED_DEADLINE_TRANSIENT) << "free again";
    EXPECT_THAT(execution->computeFenced({}, {}, {}),
                Refuses(GENERAL_FAILURE, "an execution of a burst has no fences"));
    EXPECT_EQ(burst->cacheMemory(createSharedMemory(8).value()), nullptr);
}

TEST(Reference, KeepsNoReferences) {  // rules prepared_model.resource and prepared_model.release
    SharedPreparedModel model = prepared(addition());
    const std::weak_ptr<const IPreparedModel> watched = model;
    SharedBurst burst = model->configureExecutionBurst().value();
    EXPECT_TRUE(model->getUnderlyingResource().has_value());
    model.reset();
    EXPECT_FALSE(watched.expired()) << "the burst executes it";
    burst.reset();
    EXPECT_TRUE(watched.expired());
}

}  // namespace
}  // namespace nn::driver_reference_test
