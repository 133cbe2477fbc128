// Prepared models of a HAL version as canonical ones, in each way of executing.
// results_matrix_test.cc covers their results. The numbers are those of the rules.
#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "driver/fake_driver.h"
#include "driver/models.h"
#include "driver/wrap/output_shapes.h"
#include "heap.h"
#include "in_threads.h"
#include "nnapi/convert.h"
#include "nnapi/driver/adapt.h"
#include "nnapi/memory.h"

namespace nn::wrapper_execution_test {
namespace {

using fake::sp;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using enum ErrorStatus;
using enum HalVersion;

// A way of executing on a driver.
struct Way {
    HalVersion version;
    bool isSynchronous;
    const char* call;
};

const Way kWays[] = {
        {V1_0, false, "execute"},     {V1_2, true, "executeSynchronously"},
        {V1_2, false, "execute_1_2"}, {V1_3, true, "executeSynchronously_1_3"},
        {V1_3, false, "execute_1_3"},
};

std::ostream& operator<<(std::ostream& out, const Way& way) { return out << way.call; }

GeneralResult<SharedPreparedModel> create(const sp<fake::PreparedModel>& driver, const Way& way,
                                          const WrapOptions& options = {}) {
    switch (way.version) {
        case V1_0:
            return V1_0::utils::PreparedModel::create(sp<V1_0::IPreparedModel>(driver), options);
        case V1_2:
            return V1_2::utils::PreparedModel::create(sp<V1_2::IPreparedModel>(driver),
                                                      way.isSynchronous, options);
        default:
            return V1_3::utils::PreparedModel::create(sp<V1_3::IPreparedModel>(driver),
                                                      way.isSynchronous, options);
    }
}

ExecutionResult<Executed> execute(const IPreparedModel& preparedModel, const Request& request,
                                  MeasureTiming measure = MeasureTiming::NO,
                                  const OptionalTimePoint& deadline = {},
                                  const OptionalDuration& loopTimeout = {}) {
    return preparedModel.execute(request, measure, deadline, loopTimeout, {}, {});
}

class WrapperExecution : public testing::TestWithParam<Way> {
   protected:
    const Way& way() const { return GetParam(); }
    SharedPreparedModel wrapped(const WrapOptions& options = {}) {
        return create(driver, way(), options).value();
    }
    // Sets the code of the callback, or of the synchronous call.
    void setCode(int32_t code) {
        if (way().isSynchronous) {
            driver->replies[way().call] = {.code = code};
        } else {
            driver->code = code;
        }
    }

    sp<fake::PreparedModel> driver = sp<fake::PreparedModel>::make(GetParam().version);
};

std::string nameOf(const testing::TestParamInfo<Way>& info) { return info.param.call; }

// The ways of executing that wait for a callback.
class WrapperExecutionCallbacks : public WrapperExecution {};

INSTANTIATE_TEST_SUITE_P(Ways, WrapperExecution, testing::ValuesIn(kWays), nameOf);
INSTANTIATE_TEST_SUITE_P(Ways, WrapperExecutionCallbacks,
                         testing::Values(kWays[0], kWays[2], kWays[4]), nameOf);

// ---- creation

// Rules hidl.death_recipient and wrapper.prepared_model.
TEST_P(WrapperExecution, CreationLinksToDeath) {
    EXPECT_THAT(create(nullptr, way()), Refuses(GENERAL_FAILURE, "the prepared model is null"));
    wrapped();
    EXPECT_THAT(driver->calls(), ElementsAre("linkToDeath", "unlinkToDeath"));
}

// Rules prepared_model.resource and wrapper.resource.
TEST_P(WrapperExecution, ResourceIsTheDriversObject) {
    const std::any resource = wrapped()->getUnderlyingResource();
    const auto* v1_0 = std::any_cast<sp<V1_0::IPreparedModel>>(&resource);
    const auto* v1_2 = std::any_cast<sp<V1_2::IPreparedModel>>(&resource);
    const auto* v1_3 = std::any_cast<sp<V1_3::IPreparedModel>>(&resource);
    EXPECT_EQ(v1_0 != nullptr, way().version == V1_0);
    EXPECT_EQ(v1_2 != nullptr, way().version == V1_2);
    EXPECT_EQ(v1_3 != nullptr, way().version == V1_3);
    EXPECT_TRUE(v1_3 == nullptr || *v1_3 == driver);
}

// Rules prepared_model.release and wrapper.lifetime: the object lives as long as the wrapper or one
// of its executions.
TEST_P(WrapperExecution, KeepsTheDriversObject) {
    const int before = fake::living;
    hidl::wp<fake::PreparedModel> watch = driver;
    SharedPreparedModel wrapper = wrapped();
    Sum sum;
    SharedExecution execution = reusableOn(*wrapper, sum.request()).value();
    driver = nullptr;
    wrapper = nullptr;
    EXPECT_TRUE(execution->compute({}).has_value());
    EXPECT_FALSE(watch.promote() == nullptr);
    execution = nullptr;
    EXPECT_TRUE(watch.promote() == nullptr);
    EXPECT_EQ(fake::living, before - 2);  // with its callback for fences
}

// ---- results

// Rule wrapper.pointers: alignment 64, padding 1, one pool for inputs and one for outputs.
TEST(WrapperExecutionRequests, HaveTheirPlaces) {
    const auto driver = sp<fake::PreparedModel>::make(V1_3);
    Sum sum;
    ASSERT_TRUE(execute(*create(driver, kWays[3]).value(), sum.request()).has_value());
    const auto& request = driver->request;
    EXPECT_EQ(request.pools.size(), 2u);
    EXPECT_EQ(request.inputs[0].location, (V1_0::DataLocation{0, 0, 16}));
    EXPECT_EQ(request.inputs[1].location, (V1_0::DataLocation{0, 64, 16}));
    EXPECT_EQ(request.outputs[0].location, (V1_0::DataLocation{1, 0, 16}));
}

// The driver decides about an empty request.
TEST_P(WrapperExecution, TakesAnEmptyRequest) { EXPECT_TRUE(execute(*wrapped(), {}).has_value()); }

// Rules wrapper.prepare and wrapper.lost_deadlines: a request that does not convert is rejected
// before the call.
TEST_P(WrapperExecution, RefusesWhatDoesNotConvert) {
    const auto preparedModel = wrapped();
    Sum sum;
    Request buffer = sum.request();
    buffer.pools.emplace_back(Request::MemoryDomainToken(1));
    Request none = sum.request();
    none.inputs[0].location.pointer = static_cast<const void*>(nullptr);
    driver->forgetCalls();
    EXPECT_EQ(codeOf(execute(*preparedModel, none)), INVALID_ARGUMENT);
    EXPECT_EQ(codeOf(execute(*preparedModel, sum.request(), MeasureTiming(7))), INVALID_ARGUMENT);
    if (way().version < V1_3) {
        EXPECT_EQ(codeOf(execute(*preparedModel, buffer)), INVALID_ARGUMENT);
    } else {
        EXPECT_EQ(
                codeOf(execute(*preparedModel, sum.request(), MeasureTiming::NO, {}, Duration(-1))),
                INVALID_ARGUMENT);
    }
    EXPECT_THAT(driver->calls(), IsEmpty());
}

// A buffer is passed as its token.
TEST(WrapperExecutionRequests, NameBuffersByTheirTokens) {
    const auto driver = sp<fake::PreparedModel>::make(V1_3);
    const SharedBuffer buffer =
            V1_3::utils::Buffer::create(sp<fake::Buffer>::make(), Request::MemoryDomainToken(9))
                    .value();
    Sum sum;
    Request request = sum.request();
    request.pools = {buffer};
    request.outputs[0] = {.location = {}};
    ASSERT_TRUE(execute(*create(driver, kWays[3]).value(), request).has_value());
    EXPECT_EQ(driver->request.pools[0].token(), 9u);
    EXPECT_EQ(codeOf(execute(*create(driver, kWays[1]).value(), request)), INVALID_ARGUMENT);
}

// ---- shapes

// Rules execution.shapes and execution.insufficient_shapes: outputs without a value, scalars,
// extension types and unknown models.
TEST(OutputShapes, FollowModelAndRequest) {
    using driver::checkOutputShapes;
    using driver::ExpectedOutputs;
    using driver::OutputSignature;
    const std::vector<OutputSignature> tensor = {
            {.type = OperandType::TENSOR_FLOAT32, .dimensions = {}}};
    const std::vector<OutputSignature> scalar = {{.type = OperandType::FLOAT32, .dimensions = {}}};
    const std::vector<OutputSignature> extension = {
            {.type = OperandType(0x10001), .dimensions = {}}};
    using Arguments = std::vector<Request::Argument>;
    const Arguments plain = {{}};
    const Arguments ranked = {{.dimensions = {0, 3}}};
    const Arguments full = {{.dimensions = {2, 3}}};
    const Arguments eightBytes = {{.location = {.length = 8}}};
    const Arguments omitted = {{.lifetime = Request::Argument::LifeTime::NO_VALUE}};
    const struct {
        const char* name;
        const Arguments* arguments;
        const std::vector<OutputSignature>* model;
        bool isSpecified;
        std::vector<OutputShape> shapes;
        bool isRight;
    } kRows[] = {
            {"UnknownModel", &plain, nullptr, true, {{{}, true}}, true},
            {"UnknownModelRanked", &ranked, nullptr, true, {{{5, 3}, true}}, true},
            {"UnknownModelOtherRank", &ranked, nullptr, true, {{{5}, true}}, false},
            {"TensorOfUnknownRank", &plain, &tensor, false, {{{7}, true}}, true},
            {"TensorWithoutRank", &plain, &tensor, false, {{{}, true}}, false},
            {"TensorRanked", &ranked, &tensor, false, {{{5, 3}, true}}, true},
            {"TensorRankedOtherwise", &ranked, &tensor, false, {{{5, 4}, true}}, false},
            {"TensorOfRequest", &full, &tensor, true, {{{2, 3}, true}}, true},
            {"TensorUnlikeRequest", &full, &tensor, true, {{{2, 4}, true}}, false},
            {"Scalar", &plain, &scalar, true, {{{}, true}}, true},
            {"ScalarWithDimensions", &plain, &scalar, true, {{{1}, true}}, false},
            {"FillsTheArgument", &eightBytes, &tensor, false, {{{2, 1}, true}}, true},
            {"Empty", &eightBytes, &tensor, false, {{{0, 9}, true}}, true},
            {"LargerThanTheArgument", &eightBytes, &tensor, false, {{{3}, true}}, false},
            {"MuchLarger", &eightBytes, &tensor, false, {{{65536, 65536}, true}}, false},
            {"LargerThanUnknownElements", &eightBytes, &extension, true, {{{9}, true}}, true},
            {"LargerOfAnUnknownModel", &eightBytes, nullptr, true, {{{9}, true}}, true},
            {"Extension", &plain, &extension, true, {{{1}, true}}, true},
            {"Omitted", &omitted, &tensor, true, {{{}, false}}, true},
    };
    for (const auto& row : kRows) {
        SCOPED_TRACE(row.name);
        const ExpectedOutputs expected{*row.arguments, row.model};
        EXPECT_EQ(areFullySpecified(expected), row.isSpecified);
        EXPECT_EQ(checkOutputShapes(NONE, {}, expected).ok(), row.isSpecified);
        EXPECT_EQ(checkOutputShapes(NONE, row.shapes, expected).ok(), row.isRight);
    }
}

// ---- deadlines and lost arguments

// Rules wrapper.silent_driver, wrapper.local_deadline and wrapper.lost_deadlines: for versions
// without deadlines, the wrapper enforces them; later results are dropped.
TEST_P(WrapperExecution, HonorsDeadlines) {
    const auto preparedModel = wrapped();
    Sum sum;
    sum.z = {-1, -1, -1, -1};
    const bool hasDeadlines = way().version == V1_3;
    const auto until = [&](TimePoint deadline) {
        return codeOf(execute(*preparedModel, sum.request(), MeasureTiming::NO, deadline));
    };
    driver->forgetCalls();
    EXPECT_EQ(until(Clock::now()), hasDeadlines ? NONE : MISSED_DEADLINE_PERSISTENT);
    EXPECT_EQ(driver->calls().size(), hasDeadlines ? 1u : 0u);
    sum.z = {-1, -1, -1, -1};
    driver->compute = [](const Request& request) {
        fake::add(request);
        std::this_thread::sleep_for(3 * kSoon);
    };
    EXPECT_EQ(until(soon()), hasDeadlines ? NONE : MISSED_DEADLINE_TRANSIENT);
    EXPECT_EQ(sum.z[0], hasDeadlines ? 11 : -1);
    EXPECT_EQ(until(Clock::now() + std::chrono::seconds(30)), NONE);
    EXPECT_EQ(until(TimePoint::max()), NONE);
    EXPECT_EQ(sum.z[0], 11);
}

// Rules wrapper.silent_driver and callback.late_notification.
TEST_P(WrapperExecutionCallbacks, WaitsNoLongerThanTheCeiling) {
    sp<V1_0::IExecutionCallback> kept;
    driver->onExecute = [&](const auto& callback) { kept = callback; };
    const auto preparedModel = wrapped({.ceiling = milliseconds(20)});
    EXPECT_THAT(execute(*preparedModel, {}),
                Refuses(GENERAL_FAILURE, std::string(way().call) +
                                                 ": no result for 20 ms, the most to wait without "
                                                 "a deadline"));
    (void)kept->notify(V1_0::ErrorStatus::NONE);
    EXPECT_EQ(codeOf(execute(*wrapped(), {}, MeasureTiming::NO, soon())),
              MISSED_DEADLINE_TRANSIENT);
    EXPECT_THAT(execute(*preparedModel, {}, MeasureTiming::NO, TimePoint::max()),
                Refuses(GENERAL_FAILURE, std::string(way().call) +
                                                 ": no result for 20 ms, the most to wait without "
                                                 "a deadline"));
}

// Rules wrapper.lost_arguments and wrapper.lost_deadlines.
TEST_P(WrapperExecution, CarriesArgumentsOrTellsThem) {
    std::string call;
    std::vector<std::string> losses;
    const auto preparedModel = wrapped({.onLoss = [&](std::string_view name, const Losses& lost) {
        call = name;
        losses.clear();
        for (const Loss& loss : lost) losses.push_back(loss.path);
    }});
    Sum sum;
    const auto deadline = Clock::now() + std::chrono::minutes(1);
    ASSERT_TRUE(preparedModel
                        ->execute(sum.request(), MeasureTiming::YES, deadline, milliseconds(3),
                                  {{.token = 1}}, {{.name = "com.example.a", .prefix = 1}})
                        .has_value());
    EXPECT_EQ(call, way().call);
    EXPECT_EQ(driver->measure,
              way().version > V1_0 ? V1_2::MeasureTiming::YES : V1_2::MeasureTiming::NO);
    if (way().version == V1_0) {
        EXPECT_THAT(losses, ElementsAre("measure", "loopTimeoutDuration", "hints",
                                        "extensionNameToPrefix", "deadline"));
    } else if (way().version == V1_2) {
        EXPECT_THAT(losses, ElementsAre("loopTimeoutDuration", "hints", "extensionNameToPrefix",
                                        "deadline"));
    } else {
        EXPECT_THAT(losses, ElementsAre("hints", "extensionNameToPrefix"));
        EXPECT_EQ(driver->loopTimeout.nanoseconds(), 3'000'000u);
        EXPECT_EQ(driver->deadline.getDiscriminator(),
                  V1_3::OptionalTimePoint::hidl_discriminator::nanosecondsSinceEpoch);
    }
    call.clear();
    ASSERT_TRUE(execute(*preparedModel, sum.request()).has_value());
    EXPECT_EQ(driver->measure, V1_2::MeasureTiming::NO);
    EXPECT_EQ(call, "");
}

// ---- reusable executions

// Rules reusable.computations and wrapper.reusable: the request is converted once; each computation
// copies new inputs in, and outputs back after a success.
TEST_P(WrapperExecution, ComputesAgain) {
    Sum sum;
    const auto execution = reusableOn(*wrapped(), sum.request());
    ASSERT_TRUE(execution.has_value());
    driver->forgetCalls();
    for (float round = 0; round < 3; ++round) {
        sum.x[0] = round;
        ASSERT_TRUE((*execution)->compute({}).has_value());
        EXPECT_EQ(sum.z[0], 10 + round);
    }
    EXPECT_THAT(driver->calls(), ElementsAre(way().call, way().call, way().call));
    setCode(2);
    sum.x[0] = 5;
    EXPECT_EQ(codeOf((*execution)->compute({})), GENERAL_FAILURE);
    EXPECT_EQ(sum.z[0], 12);
    EXPECT_EQ(codeOf((*execution)->compute(Clock::now() - milliseconds(1))),
              way().version == V1_3 ? GENERAL_FAILURE : MISSED_DEADLINE_PERSISTENT);
}

// Rule wrapper.reusable: computations of one execution take turns, and none waits beyond its
// deadline.
TEST_P(WrapperExecution, ComputesInTurn) {
    Sum sum;
    std::atomic<int> running = 0, most = 0;
    driver->compute = [&](const Request& request) {
        most = std::max<int>(most, ++running);
        fake::add(request);
        std::this_thread::sleep_for(milliseconds(1));
        --running;
    };
    const SharedExecution execution = reusableOn(*wrapped(), sum.request()).value();
    inThreads(8, [&](int) {
        for (int round = 0; round < 5; ++round) {
            EXPECT_TRUE(execution->compute({}).has_value());
        }
    });
    EXPECT_EQ(most, 1);
    EXPECT_THAT(sum.z, ElementsAre(11, 22, 33, 44));

    std::atomic<bool> isLaunched = false;
    driver->compute = [&](const Request&) {
        isLaunched = true;
        std::this_thread::sleep_for(3 * kSoon);
    };
    std::thread first([&] { EXPECT_TRUE(execution->compute({}).has_value()); });
    while (!isLaunched) std::this_thread::yield();
    EXPECT_THAT(execution->compute(soon()),
                Refuses(MISSED_DEADLINE_TRANSIENT,
                        "the execution before this one: no result before the deadline"));
    first.join();
}

// Rules reusable.computations and wrapper.prepare.
TEST_P(WrapperExecution, ReusableChecksOnce) {
    Sum sum;
    Request null = sum.request();
    null.outputs[0].location.pointer = static_cast<void*>(nullptr);
    const auto preparedModel = wrapped();
    EXPECT_EQ(codeOf(reusableOn(*preparedModel, null)), INVALID_ARGUMENT);
    EXPECT_EQ(codeOf(reusableOn(*preparedModel, sum.request(), MeasureTiming(9))),
              INVALID_ARGUMENT);
}

// The cached conversion of a request is never used for another request.
TEST(WrapperExecutionRequests, ReachTheDriverAnew) {
    const auto driver = sp<fake::PreparedModel>::make(V1_3);
    driver->compute = [](const auto&) {};
    const SharedPreparedModel preparedModel = create(driver, kWays[3]).value();
    const SharedMemory memory = createSharedMemory(48).value();
    const SharedMemory other = createSharedMemory(48).value();
    const auto at = [](const SharedMemory& pool, uint32_t offset) {
        Request request = sumIn(pool);
        request.inputs[0].location.offset = offset;
        return request;
    };
    const auto sent = [&](const Request& request) {
        EXPECT_TRUE(execute(*preparedModel, request).has_value());
        EXPECT_EQ(nn::convert(driver->request).value(), request);
        return driver->request.pools[0].hidlMemory().handle();
    };
    const auto* first = sent(at(memory, 0));
    // The driver keeps a copy; a copy of a generated handle is a different handle.
    EXPECT_TRUE(sent(at(memory, 0)) == first || hal::kIsStrict) << "converted once";
    sent(at(memory, 4));
    sent(at(other, 4));
    Request shaped = at(other, 4);
    shaped.inputs[1].dimensions = {2, 2};
    sent(shaped);
    const SharedMemory part =
            createSharedMemory(48, PROT_READ | PROT_WRITE,
                               std::get<Memory::Ashmem>(other->handle).fd.get(), 0)
                    .value();
    sent(at(part, 4));
    EXPECT_EQ(driver->request.pools[0].hidlMemory().name(), "mmap_fd");

    Request token = at(memory, 0);
    token.pools = {Request::MemoryDomainToken(7)};
    for (auto& input : token.inputs) input.location = {};
    token.outputs[0].location = {};
    EXPECT_TRUE(execute(*preparedModel, token).has_value());
    EXPECT_EQ(driver->request.pools[0].token(), 7u);
    sent(at(memory, 0));
}

// Allocations on the whole path to the interpreter and back, through a wrapper and an adapter, for
// the second and later computations of a reusable execution of fully specified shapes.
TEST(WrapperExecutionRequests, ReachTheInterpreterWithoutAllocating) {
    if (hal::kIsStrict) GTEST_SKIP() << "a copy of a handle is another handle";
    const auto driver = hal::adapter::adapt(referenceDevice()).value();
    const SharedDevice device = wrap("adapted", driver).value();
    const SharedPreparedModel preparedModel = prepareOn(*device, addition()).value();
    Sum sum;
    const SharedExecution execution = reusableOn(*preparedModel, sum.request()).value();
    ASSERT_TRUE(execution->compute({}).has_value());
    EXPECT_THAT(sum.z, ElementsAre(11, 22, 33, 44));
    sum.x[0] = 5;
    const size_t before = heap::allocations;
    const bool isComputed = execution->compute({}).has_value();
    EXPECT_EQ(heap::allocations, before);
    EXPECT_TRUE(isComputed);
    EXPECT_THAT(sum.z, ElementsAre(15, 22, 33, 44));
}

// The second and later computations of fully specified shapes allocate nothing, and each takes well
// under a microsecond without the driver.
TEST(WrapperExecutionRequests, ComputeWithoutAllocating) {
    const auto driver = sp<fake::PreparedModel>::make(V1_3);
    driver->isQuiet = true;
    Sum sum;
    const SharedExecution execution =
            reusableOn(*create(driver, kWays[3]).value(), sum.request()).value();
    const OptionalTimePoint deadline = Clock::now() + std::chrono::minutes(1);
    ASSERT_TRUE(execution->compute({}).has_value());
    const size_t before = heap::allocations;
    for (int i = 0; i < 100; ++i) {
        ASSERT_TRUE(execution->compute({}).has_value());
        ASSERT_TRUE(execution->compute(deadline).has_value());
    }
    EXPECT_EQ(heap::allocations, before);
}

// ---- fenced executions

GeneralResult<ExecutedFenced> executeFenced(const IPreparedModel& preparedModel,
                                            const Request& request,
                                            const std::vector<SyncFence>& waitFor = {},
                                            const OptionalTimePoint& deadline = {},
                                            MeasureTiming measure = MeasureTiming::NO) {
    return preparedModel.executeFenced(request, waitFor, measure, deadline, {}, {}, {}, {});
}

class WrapperFenced : public testing::Test {
   protected:
    Sum sum;
    Fence fence;  // outlives the threads of the driver
    sp<fake::PreparedModel> driver = sp<fake::PreparedModel>::make(V1_3);
    SharedPreparedModel preparedModel = create(driver, kWays[3], {.ceiling = kSoon}).value();

    // Both sums in pools, so that nothing is copied.
    Request pooled() { return PooledSum().request(); }
};

// Rules fenced.result, fenced.deadlines, hidl.v1_3, wrapper.fenced and wrapper.empty_fence.
TEST_F(WrapperFenced, CarriesFences) {
    EXPECT_THAT(executeFenced(*preparedModel, pooled(), {fence.get(), SyncFence()}),
                Refuses(INVALID_ARGUMENT, "executeFenced: waitFor[1] has no descriptor"));
    EXPECT_THAT(driver->calls(), ElementsAre("linkToDeath"));
    const auto executed = preparedModel->executeFenced(
            pooled(), {fence.get(), fence.get()}, MeasureTiming::YES,
            Clock::now() + std::chrono::minutes(1), milliseconds(1), milliseconds(2), {}, {});
    ASSERT_TRUE(executed.has_value());
    EXPECT_FALSE(executed->first.hasFd());
    EXPECT_EQ(driver->fences, 2u);
    EXPECT_EQ(driver->measure, V1_2::MeasureTiming::YES);
    EXPECT_EQ(driver->loopTimeout.nanoseconds(), 1'000'000u);
    EXPECT_EQ(driver->duration.nanoseconds(), 2'000'000u);
}

// Rule wrapper.fenced: a handle that is not a fence.
TEST_F(WrapperFenced, RefusesHandlesThatDoNotConvert) {
    if (hal::kIsStrict) GTEST_SKIP() << "what cannot be cloned ends the program";
    fake::hidl_handle two;
    two.setTo(hidl::native_handle_create(2, 0), true);
    driver->fence = two;
    EXPECT_EQ(codeOf(executeFenced(*preparedModel, pooled())), INVALID_ARGUMENT);
    fake::hidl_handle closed;
    closed.setTo(hidl::native_handle_create(1, 0), true);
    driver->fence = closed;
    EXPECT_EQ(codeOf(executeFenced(*preparedModel, pooled())), INVALID_ARGUMENT);
}

// Rule fenced.result: without pointers, the launch does not wait.
TEST_F(WrapperFenced, ReturnsTheDriversFence) {
    driver->fence = V1_3::utils::unvalidatedConvert(fence.get()).value();
    const auto executed = executeFenced(*preparedModel, pooled());
    ASSERT_TRUE(executed.has_value());
    EXPECT_EQ(executed->first.syncWait(milliseconds(0)), SyncFence::FenceState::ACTIVE);
    fence.signal();
    EXPECT_EQ(executed->first.syncWait(milliseconds(0)), SyncFence::FenceState::SIGNALED);
}

// Rule wrapper.fenced_pointers: outputs behind pointers are written when the call returns.
TEST_F(WrapperFenced, WaitsForOutputsBehindPointers) {
    driver->fence = V1_3::utils::unvalidatedConvert(fence.get()).value();
    driver->compute = [&](const Request& request) {
        driver->threads.emplace_back([this, request] {
            std::this_thread::sleep_for(milliseconds(10));
            fake::add(request);
            fence.signal();
        });
    };
    EXPECT_TRUE(executeFenced(*preparedModel, sum.request()).has_value());
    EXPECT_THAT(sum.z, ElementsAre(11, 22, 33, 44));
}

TEST_F(WrapperFenced, WaitsForOutputsBehindPointersInTime) {  // Rule wrapper.fenced_pointers.
    driver->fence = V1_3::utils::unvalidatedConvert(fence.get()).value();
    sum.z = {-1, -1, -1, -1};
    EXPECT_THAT(executeFenced(*preparedModel, sum.request()),
                Refuses(GENERAL_FAILURE,
                        "executeFenced: no result for 100 ms, the most to wait "
                        "without a deadline"));
    EXPECT_THAT(executeFenced(*preparedModel, sum.request(), {}, soon()),
                Refuses(MISSED_DEADLINE_TRANSIENT, "executeFenced: no result before the deadline"));
    EXPECT_EQ(sum.z[0], -1);
}

// Rules fenced.early_callback, wrapper.execution_info, adapter.execution_info and transport.errors:
// each query calls the driver, which also reports that the fence is not signaled.
TEST_F(WrapperFenced, InfoAsksTheDriver) {
    const auto callback = sp<fake::FencedCallback>::make();
    driver->fencedCallback = callback;
    callback->launched = {3, 5};
    callback->fenced = {1, 2};
    const auto measured =
            executeFenced(*preparedModel, pooled(), {}, {}, MeasureTiming::YES)->second;
    const auto silent = executeFenced(*preparedModel, pooled())->second;
    callback->replies["getExecutionInfo"] = {.code = 2};
    EXPECT_EQ(codeOf(measured()), GENERAL_FAILURE);
    callback->replies.clear();
    EXPECT_EQ(measured()->first, (Timing{microseconds(3), microseconds(5)}));
    EXPECT_EQ(measured()->second, (Timing{microseconds(1), microseconds(2)}));
    EXPECT_EQ(callback->calls().size(), 3u);
    EXPECT_THAT(*silent(), Pair(Timing(), Timing()));  // Rule execution.unmeasured.
    callback->fenced = {2, 1};
    EXPECT_EQ(codeOf(measured()), GENERAL_FAILURE);
}

// Rule wrapper.reusable: copied inputs are not overwritten while a fenced execution may read them.
TEST_F(WrapperFenced, NextComputeWaitsForTheFence) {
    Request request = pooled();
    request.inputs = sum.request().inputs;
    const SharedExecution execution = reusableOn(*preparedModel, request).value();
    driver->fence = V1_3::utils::unvalidatedConvert(fence.get()).value();
    ASSERT_TRUE(execution->computeFenced({}, {}, {}).has_value());
    EXPECT_EQ(codeOf(execution->compute(soon())), MISSED_DEADLINE_TRANSIENT);
    EXPECT_EQ(codeOf(execution->computeFenced({}, {}, {})), GENERAL_FAILURE);
    fence.signal();
    EXPECT_TRUE(execution->compute({}).has_value());
}

// ---- bursts

// Rules burst.one_at_a_time, burst.fenced and wrapper.burst.
TEST(WrapperBurst, OfOldVersionsForwards) {
    EXPECT_EQ(codeOf(V1_0::utils::Burst::create(nullptr)), INVALID_ARGUMENT);
    const auto driver = sp<fake::PreparedModel>::make(V1_0);
    const auto preparedModel = create(driver, kWays[0]).value();
    const SharedBurst burst = preparedModel->configureExecutionBurst().value();
    Sum sum;
    driver->forgetCalls();
    EXPECT_EQ(burst->cacheMemory(createSharedMemory(8).value()), nullptr);
    EXPECT_TRUE(executeOn(*burst, sum.request()).has_value());
    EXPECT_THAT(sum.z, ElementsAre(11, 22, 33, 44));
    const SharedExecution execution = reusableOn(*burst, sum.request()).value();
    EXPECT_TRUE(execution->compute({}).has_value());
    EXPECT_EQ(codeOf(execution->computeFenced({}, {}, {})), GENERAL_FAILURE);
    EXPECT_THAT(driver->calls(), ElementsAre("execute", "execute"));

    ErrorStatus second{};
    driver->compute = [&](const Request&) { second = codeOf(executeOn(*burst, {})); };
    EXPECT_TRUE(executeOn(*burst, {}).has_value());
    EXPECT_EQ(second, GENERAL_FAILURE);
}

}  // namespace
}  // namespace nn::wrapper_execution_test
