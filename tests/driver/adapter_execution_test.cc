// Executions through a canonical device that is adapted to a driver. results_matrix_test.cc covers
// invalid results of the device. The numbers are rules on adapters.
#include <unistd.h>

#include <stdexcept>
#include <thread>

#include "driver/adapter_fakes.h"
#include "driver/burst_peers.h"
#include "heap.h"

namespace nn::driver_adapter_execution_test {
namespace {

using namespace driver_adapter_fakes;
using namespace std::chrono_literals;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using enum ErrorStatus;

constexpr auto kNone = static_cast<int32_t>(NONE);
constexpr auto kInvalidArgument = static_cast<int32_t>(INVALID_ARGUMENT);
constexpr V1_2::Timing kNoTiming{UINT64_MAX, UINT64_MAX};

using Execute = std::function<ExecutionResult<Executed>(const ExecuteCall&)>;

SharedScript script(Execute execute = {}) {
    auto made = std::make_shared<Script>();
    if (execute) made->execute = std::move(execute);
    return made;
}

const std::vector<OutputShape> kShapes = {{.dimensions = {4}, .isSufficient = true}};
const std::vector<OutputShape> kTooSmall = {{.dimensions = {4}, .isSufficient = false}};

Execute failing(ErrorStatus code, const std::vector<OutputShape>& outputShapes = {}) {
    return [=](const ExecuteCall&) -> ExecutionResult<Executed> {
        return ExecutionError("no", code, outputShapes);
    };
}

Execute returning(const Executed& executed) {
    return [=](const ExecuteCall&) -> ExecutionResult<Executed> { return executed; };
}

// Times are rounded up to microseconds.
const Timing kTimes{.timeOnDevice = 3us, .timeInDriver = 4001ns};
constexpr V1_2::Timing kHalTimes{3, 5};

std::vector<OutputShape> canonical(const hidl_vec<V1_2::OutputShape>& outputShapes) {
    return nn::convert(outputShapes).value();
}

ExecuteArguments asking(const PooledSum& sum) {
    return {.request = sum.request(), .measure = V1_2::MeasureTiming::YES};
}

// Rules hidl.callbacks, hidl.successful_launch, hidl.absent_timing, adapter.notification,
// adapter.asynchronous_execution and adapter.v1_0_losses.
TEST(AdapterExecution, IsToldToTheCallback) {
    const PooledSum sum;
    for (const ExecuteMethod& method : executeMethods()) {
        SCOPED_TRACE(method.name);
        Late late;
        bool isLate = false;
        const auto device = adapted(script(returning({kShapes, kTimes})),
                                    [&](hal::adapter::Task task, const auto&) {
                                        isLate ? late.tasks.push_back(std::move(task)) : task();
                                    });
        const auto preparedModel = preparedOn(*device);
        isLate = true;
        const auto client = sp<ExecutionClient>::make();
        EXPECT_EQ(method.call(*preparedModel, asking(sum), client), kNone);
        EXPECT_THAT(client->log.now(), IsEmpty());
        late.runAll();
        const std::vector<Notification> notifications = client->log.now();
        ASSERT_THAT(notifications, ElementsAre(Notifies(method.notify, kNone)));
        if (method.version == HalVersion::V1_0) continue;
        EXPECT_EQ(canonical(notifications[0].outputShapes), kShapes);
        EXPECT_EQ(notifications[0].timing, kHalTimes);
    }
}

struct SyncMethod {
    const char* name;
    HalVersion version;
    std::function<Return<void>(V1_3::IPreparedModel&, const ExecuteArguments&, Notification&)> call;
};

auto into(Notification& result) {
    return [&](auto status, const hidl_vec<V1_2::OutputShape>& outputShapes,
               const V1_2::Timing& timing) {
        result.by += "returned ";
        result.status = static_cast<int32_t>(status);
        result.outputShapes = outputShapes;
        result.timing = timing;
    };
}

const SyncMethod kSyncMethods[] = {
        {"executeSynchronously", HalVersion::V1_2,
         [](auto& preparedModel, const auto& in, auto& result) {
             return preparedModel.executeSynchronously(
                     unvalidatedConvertTo<HalVersion::V1_2>(in.request).value(), in.measure,
                     into(result));
         }},
        {"executeSynchronously_1_3", HalVersion::V1_3,
         [](auto& preparedModel, const auto& in, auto& result) {
             return preparedModel.executeSynchronously_1_3(
                     unvalidatedConvertTo<HalVersion::V1_3>(in.request).value(), in.measure,
                     in.deadline, in.loopTimeout, into(result));
         }},
};

// Rules wrapper.lost_deadlines and adapter.defaults.
TEST(AdapterExecution, PassesArgumentsOfEachVersion) {
    const PooledSum sum;
    ExecuteArguments in{.request = sum.request(), .measure = V1_2::MeasureTiming::YES};
    in.deadline.nanosecondsSinceEpoch(UINT64_MAX);
    in.loopTimeout.nanoseconds(7);
    std::vector<ExecuteCall> calls;
    const auto fake = script([&](const ExecuteCall& call) -> ExecutionResult<Executed> {
        calls.push_back(call);
        return Executed{};
    });
    std::vector<OptionalTimePoint> deadlines;
    const auto preparedModel = preparedOn(
            *adapted(fake, [&](const hal::adapter::Task& task, const OptionalTimePoint& deadline) {
                deadlines.push_back(deadline);
                task();
            }));
    deadlines.clear();
    for (const ExecuteMethod& method : executeMethods()) {
        method.call(*preparedModel, in, sp<ExecutionClient>::make());
    }
    Notification result;
    for (const SyncMethod& method : kSyncMethods) {
        EXPECT_TRUE(method.call(*preparedModel, in, result).isOk());
    }
    ASSERT_THAT(calls, SizeIs(5));
    for (size_t i = 0; i < calls.size(); ++i) {
        SCOPED_TRACE(i);
        const bool isNewest = i == 2 || i == 4;
        EXPECT_EQ(calls[i].request, sum.request());
        EXPECT_EQ(calls[i].measure, i == 0 ? MeasureTiming::NO : MeasureTiming::YES);
        EXPECT_EQ(calls[i].deadline.has_value(), isNewest);
        EXPECT_EQ(calls[i].loopTimeout, isNewest ? OptionalDuration(7ns) : std::nullopt);
    }
    EXPECT_THAT(deadlines, ElementsAre(std::nullopt, std::nullopt, calls[2].deadline));
}

// A request that only HAL 1.3 can represent.
Request ofAToken() {
    Request request = PooledSum().request();
    request.outputs[0].location = {.poolIndex = 1};
    request.pools.push_back(MemoryDomainToken{3});
    return request;
}

struct RequestRow {
    const char* name;
    ExecuteArguments in;
    bool isConverted;  // the request fails only in combination with the model
    HalVersion since = HalVersion::V1_0;
};

std::vector<RequestRow> refusedRequests() {
    const PooledSum sum;
    Request noOutputs = sum.request();
    noOutputs.outputs.clear();
    Request otherRank = sum.request();
    otherRank.inputs[0].dimensions = {2, 2};
    Request otherPool = sum.request();
    otherPool.inputs[0].location.poolIndex = 1;
    return {
            {"NoOutputs", {.request = noOutputs}, true},
            {"OtherRank", {.request = otherRank}, true},
            {"TooShort", {.request = sum.request(8)}, true},
            {"OtherPool", {.request = otherPool}, false},
            {"Measure",
             {.request = sum.request(), .measure = V1_2::MeasureTiming(9)},
             false,
             HalVersion::V1_2},
    };
}

// Rules hidl.one_notification, hidl.refused_launch, adapter.failed_preparation and
// adapter.asynchronous_execution.
TEST(AdapterExecution, RefusesTheLaunch) {
    for (const RequestRow& row : refusedRequests()) {
        for (const ExecuteMethod& method : executeMethods()) {
            if (method.version < row.since) continue;
            SCOPED_TRACE(std::string(row.name) + " " + method.name);
            int executions = 0;
            const auto preparedModel = preparedOn(
                    *adapted(script([&](const ExecuteCall&) -> ExecutionResult<Executed> {
                        ++executions;
                        return Executed{};
                    })));
            const auto client = sp<ExecutionClient>::make();
            EXPECT_EQ(method.call(*preparedModel, row.in, client), kInvalidArgument);
            const std::vector<Notification> notifications = client->log.now();
            ASSERT_THAT(notifications, ElementsAre(Notifies(method.notify, kInvalidArgument)));
            EXPECT_THAT(canonical(notifications[0].outputShapes), IsEmpty());
            if (method.version > HalVersion::V1_0) {
                EXPECT_EQ(notifications[0].timing, kNoTiming);
            }
            EXPECT_EQ(method.call(*preparedModel, row.in, nullptr), kInvalidArgument);
            EXPECT_EQ(executions, 0);
        }
    }
}

// Rules hidl.refused_launch and adapter.synchronous_execution: a request that does not convert does
// not reach the device.
TEST(AdapterExecution, FailsSynchronousExecutionsWithInvalidRequests) {
    for (const RequestRow& row : refusedRequests()) {
        if (row.isConverted) continue;
        for (const SyncMethod& method : kSyncMethods) {
            SCOPED_TRACE(std::string(row.name) + " " + method.name);
            const auto preparedModel = preparedOn(
                    *adapted(script([&](const ExecuteCall&) -> ExecutionResult<Executed> {
                        ADD_FAILURE() << "the device was called";
                        return Executed{};
                    })));
            Notification result;
            ASSERT_TRUE(method.call(*preparedModel, row.in, result).isOk());
            EXPECT_EQ(result.status, kInvalidArgument);
            EXPECT_THAT(canonical(result.outputShapes), IsEmpty());
            EXPECT_EQ(result.timing, kNoTiming);
        }
    }
}

// Rules adapter.v1_0_losses and deadline.exhausted_resources.
TEST(AdapterExecution, ReportsCollapsedCodeToListener) {
    Heard heard;
    const auto device =
            adapted(script(failing(MISSED_DEADLINE_TRANSIENT)), runInline, heard.listener());
    const auto preparedModel = preparedOn(*device);
    const PooledSum sum;
    for (const ExecuteMethod& method : executeMethods()) {
        method.call(*preparedModel, asking(sum), sp<ExecutionClient>::make());
    }
    for (const SyncMethod& method : kSyncMethods) {
        Notification result;
        ASSERT_TRUE(method.call(*preparedModel, asking(sum), result).isOk());
    }
    const auto collapse = [](const std::string& call) {
        return HasSubstr(call +
                         " status: MISSED_DEADLINE_TRANSIENT becomes GENERAL_FAILURE, HAL 1.");
    };
    EXPECT_THAT(heard.lines, ElementsAre(collapse("execute"), collapse("execute_1_2"),
                                         collapse("executeSynchronously")));
}

// Rules adapter.failed_preparation and adapter.asynchronous_execution.
TEST(AdapterExecution, RejectsNullCallbacks) {
    const auto device = adapted(script());
    for (const bool fromCache : {false, true}) {
        const auto preparedModel = preparedOn(*device, fromCache);
        for (const ExecuteMethod& method : executeMethods()) {
            EXPECT_EQ(method.call(*preparedModel, {.request = PooledSum().request()}, nullptr),
                      kInvalidArgument)
                    << method.name;
        }
    }
}

// Rule adapter.asynchronous_execution: the adapter cannot check outputs whose size the execution
// determines, or tokens.
TEST(AdapterExecution, LaunchesRequestsThatOnlyDeviceCanCheck) {
    Model open = addition(0);
    Request request = PooledSum().request();
    for (Request::Argument& input : request.inputs) input.dimensions = {4};
    int executions = 0;
    const auto device = adapted(script([&](const ExecuteCall&) -> ExecutionResult<Executed> {
        ++executions;
        return error(INVALID_ARGUMENT) << "not this one";
    }));
    const auto client = sp<ExecutionClient>::make();
    EXPECT_EQ(executeMethods()[1].call(*preparedOn(*device, false, open), {.request = request},
                                       client),
              kNone);
    EXPECT_EQ(executeMethods()[2].call(*preparedOn(*device), {.request = ofAToken()}, client),
              kNone);
    EXPECT_EQ(executions, 2);
    EXPECT_THAT(client->log.now(), ElementsAre(Notifies("notify_1_2", kInvalidArgument),
                                               Notifies("notify_1_3", kInvalidArgument)));
}

// Rule adapter.asynchronous_execution: the adapter does not have the model of a cached compilation.
TEST(AdapterExecution, RunsOnCallersThreadIfModelIsUnknown) {
    const struct {
        const char* name;
        Execute execute;
        ErrorStatus expected;
        ErrorStatus returned;
    } kRows[] = {
            {"Success", returning({}), NONE, NONE},
            {"Invalid", failing(INVALID_ARGUMENT), INVALID_ARGUMENT, INVALID_ARGUMENT},
            {"Failure", failing(GENERAL_FAILURE), GENERAL_FAILURE, NONE},
            {"TooSmall", failing(OUTPUT_INSUFFICIENT_SIZE, kTooSmall), OUTPUT_INSUFFICIENT_SIZE,
             NONE},
    };
    for (const auto& row : kRows) {
        for (const ExecuteMethod& method : executeMethods()) {
            SCOPED_TRACE(std::string(row.name) + " " + method.name);
            std::thread::id ranOn;
            const auto fake = script([&](const ExecuteCall& call) {
                ranOn = std::this_thread::get_id();
                return row.execute(call);
            });
            const auto device =
                    hal::adapter::adapt(std::make_shared<const FakeDevice>(fake)).value();
            const auto preparedModel = preparedOn(*device, /*fromCache=*/true);
            const auto client = sp<ExecutionClient>::make();
            EXPECT_EQ(method.call(*preparedModel, {.request = PooledSum().request()}, client),
                      static_cast<int32_t>(row.returned));
            EXPECT_EQ(ranOn, std::this_thread::get_id());
            EXPECT_THAT(client->log.now(),
                        ElementsAre(Notifies(method.notify, static_cast<int32_t>(row.expected))));
        }
    }
}

// Rule adapter.v1_0_losses.
TEST(AdapterExecution, ReportsLossesToListener) {
    Heard heard;
    const auto preparedModel =
            preparedOn(*adapted(script(returning({kShapes, kTimes})), runInline, heard.listener()));
    for (const ExecuteMethod& method : executeMethods()) {
        method.call(*preparedModel, asking(PooledSum()), sp<ExecutionClient>::make());
    }
    EXPECT_THAT(heard.lines, ElementsAre(HasSubstr("HAL 1.0 has no output shapes"),
                                         HasSubstr("execute_1_2 timeInDriver: "),
                                         HasSubstr("execute_1_3 timeInDriver: ")));
}

// ---- fenced

// A pipe whose reading end is a fence.
hidl_handle fenceHandle() {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    close(ends[1]);
    hidl::native_handle_t* native = hidl::native_handle_create(1, 0);
    native->data[0] = ends[0];
    hidl_handle handle;
    handle.setTo(native, /*shouldOwn=*/true);
    return handle;
}

struct Fenced {
    int calls = 0;
    int32_t status = -1;
    hidl_handle fence{};
    sp<V1_3::IFencedExecutionCallback> info{};
};

Fenced executeFenced(V1_3::IPreparedModel& preparedModel, const Request& request,
                     const hidl_vec<hidl_handle>& waitFor,
                     V1_2::MeasureTiming measure = V1_2::MeasureTiming::YES) {
    Fenced fenced;
    V1_3::OptionalTimePoint deadline;
    deadline.nanosecondsSinceEpoch(UINT64_MAX);
    V1_3::OptionalTimeoutDuration loop;
    loop.nanoseconds(7);
    V1_3::OptionalTimeoutDuration after;
    after.nanoseconds(8'000'000'000);
    const auto returned = preparedModel.executeFenced(
            V1_3::utils::unvalidatedConvert(request).value(), waitFor, measure, deadline, loop,
            after,
            [&](V1_3::ErrorStatus status, const hidl_handle& fence,
                const sp<V1_3::IFencedExecutionCallback>& info) {
                fenced = {fenced.calls + 1, static_cast<int32_t>(status), fence, info};
            });
    EXPECT_TRUE(returned.isOk());
    EXPECT_EQ(fenced.calls, 1);
    return fenced;
}

// Rule adapter.fenced.
TEST(AdapterExecution, WaitsForFences) {
    for (const bool isSignaled : {true, false}) {
        const auto fake = script();
        std::vector<ExecuteCall> calls;
        fake->fenced = [&](const ExecuteCall& call) -> GeneralResult<ExecutedFenced> {
            calls.push_back(call);
            SyncFence fence = SyncFence::createAsSignaled();
            if (!isSignaled) fence = SyncFence::create(duplicate(0));
            return ExecutedFenced{fence, [] { return std::pair(Timing{}, Timing{}); }};
        };
        const auto preparedModel = preparedOn(*adapted(fake));
        const Fenced fenced = executeFenced(*preparedModel, PooledSum().request(),
                                            {fenceHandle(), fenceHandle()});
        EXPECT_EQ(fenced.status, kNone);
        EXPECT_EQ(fenced.fence.getNativeHandle() == nullptr, isSignaled);
        EXPECT_NE(fenced.info, nullptr);
        ASSERT_THAT(calls, SizeIs(1));
        EXPECT_EQ(calls[0].fences, 2u);
        EXPECT_EQ(calls[0].measure, MeasureTiming::YES);
        EXPECT_TRUE(calls[0].deadline.has_value());
        EXPECT_EQ(calls[0].loopTimeout, OptionalDuration(7ns));
        EXPECT_EQ(calls[0].afterFences, OptionalDuration(8s));
    }
}

// Rules hidl.failed_fenced and adapter.fenced.
TEST(AdapterExecution, FailsWithFences) {
    Request otherPool = PooledSum().request();
    otherPool.inputs[0].location.poolIndex = 1;
    const struct {
        const char* name;
        Request request = PooledSum().request();
        hidl_vec<hidl_handle> waitFor{};
        V1_2::MeasureTiming measure{};
    } kRows[] = {
            {.name = "NullFence", .waitFor = {hidl_handle()}},
            {.name = "FenceOfTwo", .waitFor = {fenceHandle(), openHandle(2)}},
            {.name = "FenceOfNone", .waitFor = {openHandle(0)}},
            {.name = "Request", .request = otherPool},
            {.name = "Measure", .measure = V1_2::MeasureTiming(9)},
    };
    for (const auto& row : kRows) {
        SCOPED_TRACE(row.name);
        const auto fake = script();
        fake->fenced = [](const ExecuteCall&) -> GeneralResult<ExecutedFenced> {
            return ExecutedFenced{SyncFence(), [] { return std::pair(Timing{}, Timing{}); }};
        };
        const Fenced fenced =
                executeFenced(*preparedOn(*adapted(fake)), row.request, row.waitFor, row.measure);
        EXPECT_EQ(fenced.status, kInvalidArgument);
        EXPECT_EQ(fenced.fence.getNativeHandle(), nullptr);
        EXPECT_EQ(fenced.info, nullptr);
    }
}

// Rules hidl.absent_timing, hidl.v1_3_callbacks and adapter.execution_info.
TEST(AdapterExecution, ReportsResultOfFencedExecution) {
    using Returned = GeneralResult<FencedTimings>;
    const Timing kRight{.timeOnDevice = 2us, .timeInDriver = 3us};
    const Timing kWrong{.timeOnDevice = 3us, .timeInDriver = 2us};
    const struct {
        const char* name;
        std::function<Returned()> info;
        ErrorStatus code;
        V1_2::Timing launched = kNoTiming;
        V1_2::Timing fenced = kNoTiming;
    } kRows[] = {
            {"Timed", [&]() -> Returned { return std::pair(kRight, Timing{}); }, NONE,
             V1_2::Timing{2, 3}},
            {"LaunchedDoesNotConvert", [&]() -> Returned { return std::pair(kWrong, kRight); },
             GENERAL_FAILURE},
            {"FencedDoesNotConvert", [&]() -> Returned { return std::pair(kRight, kWrong); },
             GENERAL_FAILURE},
            {"Late", [&]() -> Returned { return error(MISSED_DEADLINE_TRANSIENT) << "late"; },
             MISSED_DEADLINE_TRANSIENT},
            {"UnknownCode", [&]() -> Returned { return error(ErrorStatus(77)) << "?"; },
             GENERAL_FAILURE},
            {"Dead", [&]() -> Returned { return error(ErrorStatus::DEAD_OBJECT) << "gone"; },
             GENERAL_FAILURE},
            {"Throws", [&]() -> Returned { throw std::runtime_error("no"); }, GENERAL_FAILURE},
    };
    Heard heard;
    for (const auto& row : kRows) {
        SCOPED_TRACE(row.name);
        const auto fake = script();
        fake->fenced = [&](const ExecuteCall&) -> GeneralResult<ExecutedFenced> {
            return ExecutedFenced{SyncFence(), row.info};
        };
        const auto device = adapted(fake, runInline, heard.listener());
        const Fenced fenced = executeFenced(*preparedOn(*device), PooledSum().request(), {});
        ASSERT_NE(fenced.info, nullptr);
        int calls = 0;
        ASSERT_TRUE(fenced.info
                            ->getExecutionInfo([&](V1_3::ErrorStatus status,
                                                   const V1_2::Timing& launched,
                                                   const V1_2::Timing& afterFences) {
                                ++calls;
                                EXPECT_EQ(static_cast<int32_t>(status),
                                          static_cast<int32_t>(row.code));
                                EXPECT_EQ(launched, row.launched);
                                EXPECT_EQ(afterFences, row.fenced);
                            })
                            .isOk());
        EXPECT_EQ(calls, 1);
        EXPECT_FALSE(fenced.info->getExecutionInfo(nullptr).isOk());
    }
    EXPECT_THAT(
            heard.lines,
            Contains(HasSubstr("getExecutionInfo status: DEAD_OBJECT becomes GENERAL_FAILURE")));
}

// ---- bursts

// Rule adapter.burst.
TEST(AdapterExecution, FailsToMakeABurst) {
    using Returned = GeneralResult<SharedBurst>;
    const sp<V1_2::IBurstCallback> kCallback = sp<driver_burst_test::ScriptedCallback>::make();
    const struct {
        const char* name;
        std::function<Returned()> burst;
        sp<V1_2::IBurstCallback> callback;
        ErrorStatus code;
    } kRows[] = {
            {"NullCallback",
             []() -> Returned {
                 ADD_FAILURE() << "the device was called";
                 return SharedBurst();
             },
             nullptr, GENERAL_FAILURE},
            {"Refused", []() -> Returned { return error(INVALID_ARGUMENT) << "no"; }, kCallback,
             INVALID_ARGUMENT},
            {"Full", []() -> Returned { return error(RESOURCE_EXHAUSTED_TRANSIENT) << "no"; },
             kCallback, GENERAL_FAILURE},
            {"Throws", []() -> Returned { throw std::runtime_error("no"); }, kCallback,
             GENERAL_FAILURE},
            {"NoQueues",
             []() -> Returned {
                 static const SharedPreparedModel kReference =
                         prepareOn(*referenceDevice(), addition()).value();
                 return kReference->configureExecutionBurst();
             },
             kCallback, GENERAL_FAILURE},
    };
    for (const auto& row : kRows) {
        SCOPED_TRACE(row.name);
        const auto fake = script();
        fake->burst = row.burst;
        int calls = 0;
        ASSERT_TRUE(preparedOn(*adapted(fake))
                            ->configureExecutionBurst(row.callback, {}, {},
                                                      [&](V1_0::ErrorStatus status,
                                                          const sp<V1_2::IBurstContext>& context) {
                                                          ++calls;
                                                          EXPECT_EQ(static_cast<int32_t>(status),
                                                                    static_cast<int32_t>(row.code));
                                                          EXPECT_EQ(context, nullptr);
                                                      })
                            .isOk());
        EXPECT_EQ(calls, 1);
    }
}

// ---- cost

// A synchronous execution allocates only for its conversions, and a repeated request is not
// converted again.
TEST(AdapterExecution, AllocatesOnlyForConversions) {
    if (hal::kIsStrict) GTEST_SKIP() << "a copy of a handle is another handle";
    const auto fake = script(returning({kShapes, {}}));
    const auto preparedModel = preparedOn(*adapted(fake));
    const Request canonicalRequest = PooledSum().request();
    const V1_3::Request request = V1_3::utils::convert(canonicalRequest).value();
    const FakePreparedModel device(fake);
    const auto allocationsOf = [](const std::function<void()>& function) {
        function();  // to allocate the objects that are created once
        const size_t before = heap::allocations;
        function();
        return heap::allocations - before;
    };
    const size_t ofDevice = allocationsOf(
            [&] { EXPECT_TRUE(device.execute(canonicalRequest, {}, {}, {}, {}, {}).has_value()); });
    const size_t ofConversions =
            allocationsOf([&] { EXPECT_TRUE(V1_3::utils::convert(kShapes).ok()); });
    const size_t ofAll = allocationsOf([&] {
        const auto returned = preparedModel->executeSynchronously_1_3(
                request, {}, {}, {}, [](auto status, const auto&, const auto&) {
                    EXPECT_EQ(static_cast<int32_t>(status), kNone);
                });
        EXPECT_TRUE(returned.isOk());
    });
    EXPECT_GT(ofConversions, 0u);
    EXPECT_EQ(ofAll, ofDevice + ofConversions);
}

// The value that the device reads from the first 4 bytes of the first pool.
int32_t firstValueOf(const Request& request) {
    int32_t value = 0;
    EXPECT_TRUE(readMemory(std::get<SharedMemory>(request.pools[0]),
                           request.inputs[0].location.offset,
                           {reinterpret_cast<uint8_t*>(&value), sizeof(value)})
                        .ok());
    return value;
}

SharedMemory memoryOf(int32_t value) {
    SharedMemory memory = createSharedMemory(64).value();
    for (uint64_t offset = 0; offset < 64; offset += 4) {
        const int32_t each = value + static_cast<int32_t>(offset);
        EXPECT_TRUE(
                writeMemory(memory, offset, {reinterpret_cast<const uint8_t*>(&each), sizeof(each)})
                        .ok());
    }
    return memory;
}

// The cached conversion of a request is never used for another request.
TEST(AdapterExecution, NeverReusesConversionOfAnotherRequest) {
    std::vector<Request> seen;
    std::vector<int32_t> values;
    const auto fake = script([&](const ExecuteCall& call) -> ExecutionResult<Executed> {
        seen.push_back(call.request);
        values.push_back(firstValueOf(call.request));
        return Executed{};
    });
    const auto preparedModel = preparedOn(*adapted(fake));
    Request request = PooledSum().request();
    const auto at = [&](const SharedMemory& memory, uint32_t offset) {
        request.pools = {memory};
        request.inputs[0].location.offset = offset;
        return V1_3::utils::convert(request).value();
    };
    const SharedMemory memory = memoryOf(1000), other = memoryOf(2000);
    const auto execute = [&](const V1_3::Request& hal) {
        int32_t code = -1;
        EXPECT_TRUE(preparedModel
                            ->executeSynchronously_1_3(hal, {}, {}, {},
                                                       [&](auto status, const auto&, const auto&) {
                                                           code = static_cast<int32_t>(status);
                                                       })
                            .isOk());
        return code;
    };
    const V1_3::Request first = at(memory, 0);
    EXPECT_EQ(execute(first), kNone);
    const int32_t changed = 7;
    ASSERT_TRUE(writeMemory(memory, 0, {reinterpret_cast<const uint8_t*>(&changed), 4}).ok());
    EXPECT_EQ(execute(first), kNone) << "other bytes in the same memory";
    V1_3::Request moved = first;  // the same handle
    moved.inputs[0].location.offset = 4;
    EXPECT_EQ(execute(moved), kNone) << "another offset";
    EXPECT_EQ(execute(at(other, 4)), kNone) << "another memory of the same size";
    V1_3::Request shaped = first;
    shaped.inputs[0].dimensions = {2, 2};
    EXPECT_EQ(execute(shaped), kNone) << "other dimensions";
    EXPECT_THAT(values, ElementsAre(1000, 7, 1004, 2004, 7));
    ASSERT_THAT(seen, SizeIs(5));
    const auto isPoolOfFirst = [&](const Request& request) {
        return std::get<SharedMemory>(request.pools[0]) == std::get<SharedMemory>(seen[0].pools[0]);
    };
    // A copy of a generated handle is a different handle.
    EXPECT_TRUE(isPoolOfFirst(seen[1]) || hal::kIsStrict) << "converted once";
    EXPECT_THAT(seen[4].inputs[0].dimensions, ElementsAre(2, 2));

    // The pool claims another size with the same handle.
    V1_3::Request shorter = first;
    const hidl::hidl_memory& pool = first.pools[0].hidlMemory();
    hidl_handle handle;
    handle = pool.handle();
    shorter.pools[0].hidlMemory(hidl::hidl_memory(pool.name(), handle, 63));
    EXPECT_EQ(execute(shorter), kNone);
    EXPECT_EQ(size(std::get<SharedMemory>(seen.back().pools[0])), 63u);

    // The content of a handle that is only borrowed may change.
    hidl::native_handle_t referred;
    referred.numFds = 1;
    for (const SharedMemory& each : {memory, other}) {
        const auto hal = at(each, 8);
        referred.data = {hal.pools[0].hidlMemory().handle()->data[0]};
        V1_3::Request refers = hal;
        refers.pools[0].hidlMemory(hidl::hidl_memory("ashmem", hidl_handle(&referred), 48));
        EXPECT_EQ(execute(refers), kNone);
    }
    EXPECT_EQ(values[6], 1008);
    EXPECT_EQ(values[7], 2008);

    // A rejected request stays rejected.
    V1_3::Request wrong = first;
    wrong.pools[0].hidlMemory(hidl::hidl_memory("ashmem", hidl_handle(), 48));
    EXPECT_EQ(execute(wrong), kInvalidArgument);
    EXPECT_EQ(execute(wrong), kInvalidArgument);
    EXPECT_EQ(execute(first), kNone);
    EXPECT_EQ(values.back(), 7);
}

// ---- the interpreter behind an adapter

}  // namespace
}  // namespace nn::driver_adapter_execution_test
