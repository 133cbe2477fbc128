// Sequences of calls of the C API, as applications use it.
#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include "runtime/check_rows.h"

namespace nn::c_api::calls {
namespace {

using testing::ElementsAre;

// ---- states

TEST(CApi, AReusableExecutionIsComputedInEveryWayAgainAndAgain) {
    Fixture w;
    ANeuralNetworksExecution* execution = w.fresh();
    ASSERT_EQ(ANeuralNetworksExecution_setReusable(execution, true), OK);
    w.values.set(execution);
    for (int i = 0; i < 8; ++i) {
        w.values.x[0] = static_cast<float>(i);
        w.values.z = {};
        ASSERT_EQ(executeIn(kModes[i % 4], w.compilations.back(), execution), OK);
        EXPECT_THAT(w.values.z, ElementsAre(10.0f + static_cast<float>(i), 22, 33, 44));
        // Arguments set before the first start cannot be changed.
        EXPECT_EQ(ANeuralNetworksExecution_setReusable(execution, false), BAD_STATE);
        EXPECT_EQ(ANeuralNetworksExecution_setInput(execution, 0, nullptr, &w, 16), BAD_STATE);
    }
}

TEST(CApi, AReusableExecutionThatFailedCanSucceed) {
    std::atomic<bool> isBroken = true;
    FakeOptions options = npuOptions();
    options.onExecute = [&]() -> Status {
        if (!isBroken) return {};
        return error(ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT) << "busy";
    };
    Fixture w(options);
    ANeuralNetworksExecution* execution = w.fresh();
    ASSERT_EQ(ANeuralNetworksExecution_setReusable(execution, true), OK);
    w.values.set(execution);
    EXPECT_EQ(ANeuralNetworksExecution_compute(execution),
              ANEURALNETWORKS_RESOURCE_EXHAUSTED_TRANSIENT);
    EXPECT_EQ(ANeuralNetworksExecution_getOutputOperandRank(execution, 0, &w.out.number),
              BAD_STATE);
    isBroken = false;
    EXPECT_EQ(ANeuralNetworksExecution_compute(execution), OK);
    EXPECT_EQ(ANeuralNetworksExecution_getOutputOperandRank(execution, 0, &w.out.number), OK);
    EXPECT_EQ(w.values.z, Values::kSum);
}

// Every code of a driver maps to its own code of the API.
TEST(CApi, CodesOfDriversBecomeThoseOfTheApi) {
    constexpr std::pair<ErrorStatus, int> kCodes[] = {
            {ErrorStatus::DEVICE_UNAVAILABLE, 9},
            {ErrorStatus::GENERAL_FAILURE, 5},
            {ErrorStatus::INVALID_ARGUMENT, 4},
            {ErrorStatus::MISSED_DEADLINE_TRANSIENT, 10},
            {ErrorStatus::MISSED_DEADLINE_PERSISTENT, 11},
            {ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT, 12},
            {ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT, 13},
            {ErrorStatus::DEAD_OBJECT, 14},
            {ErrorStatus(77), 5},
    };
    for (const auto& [status, code] : kCodes) {
        FakeOptions options = npuOptions();
        options.onExecute = [status = status] { return error(status) << "it fails"; };
        Fixture w(options);
        EXPECT_EQ(ANeuralNetworksExecution_compute(w.ready()), code) << toString(status);
    }
}

TEST(CApi, DriversThatThrowFail) {
    FakeOptions options = npuOptions();
    options.onExecute = []() -> Status { throw std::bad_alloc(); };
    Fixture w(options);
    EXPECT_EQ(ANeuralNetworksExecution_compute(w.ready()),
              ANEURALNETWORKS_RESOURCE_EXHAUSTED_TRANSIENT);
}

// ---- models

TEST(CApi, OperationsAreAddedInAnyOrder) {
    Fixture w;
    ModelBuilder builder;
    const auto x = builder.floats(4), sum = builder.floats(4), relu = builder.floats(4);
    const auto out = builder.floats(4), none = builder.scalar(0);
    // out = relu(x + x), added in reverse order; and an operation that the device does not support
    builder.operation(ANEURALNETWORKS_FLOOR, {relu}, {out});
    builder.operation(ANEURALNETWORKS_RELU, {sum}, {relu});
    builder.operation(ANEURALNETWORKS_ADD, {x, x, none}, {sum});
    const OwnedModel model = builder.finish({x}, {out});

    FakeOptions options = npuOptions();
    options.supports = [](const Operation& operation) {
        return operation.type != OperationType::FLOOR;
    };
    useDevices({options});
    const ANeuralNetworksDevice* device = w.device();
    ASSERT_EQ(ANeuralNetworksModel_getSupportedOperationsForDevices(model, &device, 1, w.out.flags),
              OK);
    EXPECT_FALSE(w.out.flags[0]);
    EXPECT_TRUE(w.out.flags[1]);
    EXPECT_TRUE(w.out.flags[2]);
}

TEST(CApi, LargeValuesAreCopiedOnceWhenTheModelIsFinished) {
    Fixture w;
    constexpr uint32_t kSize = 64;  // 256 bytes
    ModelBuilder builder;
    const auto in = builder.floats(kSize), constant = builder.floats(kSize);
    const auto out = builder.floats(kSize), none = builder.scalar(0);
    auto values = std::make_unique<std::array<float, kSize>>();
    values->fill(2);
    ASSERT_EQ(ANeuralNetworksModel_setOperandValue(builder, static_cast<int32_t>(constant),
                                                   values->data(), sizeof *values),
              OK);
    builder.operation(ANEURALNETWORKS_MUL, {in, constant, none}, {out});
    values->fill(3);  // until it is finished, the values may change
    const OwnedModel model = builder.finish({in}, {out});
    values.reset();

    OwnedCompilation compilation = compiled(model);
    OwnedExecution execution = executionOf(compilation);
    std::array<float, kSize> x, z;
    x.fill(5);
    ASSERT_EQ(ANeuralNetworksExecution_setInput(execution, 0, nullptr, x.data(), sizeof x), OK);
    ASSERT_EQ(ANeuralNetworksExecution_setOutput(execution, 0, nullptr, z.data(), sizeof z), OK);
    ASSERT_EQ(ANeuralNetworksExecution_compute(execution), OK);
    EXPECT_THAT(z, testing::Each(15));
}

// condition ? x + y : x * y, with one graph used by two models.
TEST(CApi, GraphsAreValuesOfOperands) {
    Fixture w;
    const auto binary = [](ANeuralNetworksOperationType operation) {
        ModelBuilder graph;
        const auto x = graph.floats(4), y = graph.floats(4), none = graph.scalar(0);
        const auto z = graph.floats(4);
        graph.operation(operation, {x, y, none}, {z});
        return graph.finish({x, y}, {z});
    };
    const auto choice = [](ANeuralNetworksModel* then, ANeuralNetworksModel* otherwise) {
        ModelBuilder model;
        const auto condition = model.boolean();
        const auto first = model.graph(then), second = model.graph(otherwise);
        const auto x = model.floats(4), y = model.floats(4), z = model.floats(4);
        model.operation(ANEURALNETWORKS_IF, {condition, first, second, x, y}, {z});
        return model.finish({condition, x, y}, {z});
    };
    const auto expect = [&](ANeuralNetworksModel* model, bool condition, float first) {
        OwnedCompilation compilation = compiled(model);
        OwnedExecution execution = executionOf(compilation);
        const uint8_t flag = condition;
        Values values;
        EXPECT_EQ(ANeuralNetworksExecution_setInput(execution, 0, nullptr, &flag, 1), OK);
        for (const int32_t i : {1, 2}) {
            const float* input = i == 1 ? values.x.data() : values.y.data();
            EXPECT_EQ(ANeuralNetworksExecution_setInput(execution, i, nullptr, input, 16), OK);
        }
        EXPECT_EQ(ANeuralNetworksExecution_setOutput(execution, 0, nullptr, values.z.data(), 16),
                  OK);
        EXPECT_EQ(ANeuralNetworksExecution_compute(execution), OK);
        EXPECT_EQ(values.z[0], first);
    };
    OwnedModel add = binary(ANEURALNETWORKS_ADD), mul = binary(ANEURALNETWORKS_MUL);
    OwnedModel model = choice(add, mul);
    add.free();
    OwnedModel same = choice(mul, mul);
    mul.free();
    expect(model, true, 11);
    expect(model, false, 10);
    expect(same, true, 10);
}

// ---- devices and compilations

TEST(CApi, DriversAreToldWhatTheApplicationWants) {
    PrepareModelConfig received;
    FakeOptions options = npuOptions();
    options.onConfig = [&](const PrepareModelConfig& config) { received = config; };
    Fixture w(options);
    ANeuralNetworksCompilation* compilation = w.forOne();
    ASSERT_EQ(ANeuralNetworksCompilation_setPreference(compilation, 2), OK);
    ASSERT_EQ(ANeuralNetworksCompilation_setPriority(compilation, 90), OK);
    ASSERT_EQ(ANeuralNetworksCompilation_setTimeout(compilation, UINT64_MAX), OK);
    ASSERT_EQ(ANeuralNetworksCompilation_addExtensionAttribute(compilation, kExtension, 7, "ab", 2),
              OK);
    ASSERT_EQ(ANeuralNetworksCompilation_finish(compilation), OK);
    EXPECT_EQ(received.preference, ExecutionPreference::SUSTAINED_SPEED);
    EXPECT_EQ(received.priority, Priority::LOW);
    EXPECT_EQ(received.deadline, TimePoint::max());
    ASSERT_EQ(received.compilationHints.size(), 1u);
    EXPECT_EQ(received.compilationHints[0].token, 0x10007);
    EXPECT_THAT(received.compilationHints[0].value, ElementsAre('a', 'b'));
    ASSERT_EQ(received.extensionNameToPrefix.size(), 1u);
    EXPECT_EQ(received.extensionNameToPrefix[0].name, kExtension);
}

// ---- memories

TEST(CApi, PaddedArgumentsInMemoryAreWhatTheyAre) {
    Fixture w;
    OwnedMemory in = memoryOf(256), out = memoryOf(128);
    ANeuralNetworksExecution* execution = w.fresh();
    ASSERT_EQ(ANeuralNetworksExecution_enableInputAndOutputPadding(execution, true), OK);
    ASSERT_EQ(ANeuralNetworksExecution_setInputFromMemory(execution, 0, nullptr, in, 0, 64), OK);
    ASSERT_EQ(ANeuralNetworksExecution_setInputFromMemory(execution, 1, nullptr, in, 128, 128), OK);
    ASSERT_EQ(ANeuralNetworksExecution_setOutputFromMemory(execution, 0, nullptr, out, 64, 64), OK);
    EXPECT_EQ(ANeuralNetworksExecution_compute(execution), OK);
}

// Throws in every copy while enabled.
class ThrowingBuffer final : public ForwardingBuffer {
   public:
    ThrowingBuffer(SharedBuffer inner, const bool& throws)
        : ForwardingBuffer(std::move(inner)), mThrows(throws) {}

    GeneralResult<void> copyTo(const SharedMemory& to) const override {
        if (mThrows) throw 0;
        return ForwardingBuffer::copyTo(to);
    }
    GeneralResult<void> copyFrom(const SharedMemory& from,
                                 const Dimensions& dimensions) const override {
        if (mThrows) throw 0;
        return ForwardingBuffer::copyFrom(from, dimensions);
    }

   private:
    const bool& mThrows;
};

// After a copy that fails midway, the memory holds no value.
TEST(CApi, MemoryHasNoValueAfterACopyThatThrows) {
    bool throws = false;
    FakeOptions options = npuOptions();
    options.onAllocated = [&](GeneralResult<SharedBuffer> made) -> GeneralResult<SharedBuffer> {
        if (!made.has_value()) return made;
        return SharedBuffer(std::make_shared<const ThrowingBuffer>(*made, throws));
    };
    Fixture w(options);
    ANeuralNetworksMemory *first = w.described(), *second = w.described(), *plain = w.memory(16);
    const auto fill = [&] {
        throws = false;
        ASSERT_EQ(ANeuralNetworksMemory_copy(plain, first), OK);
        ASSERT_EQ(ANeuralNetworksMemory_copy(first, second), OK);
        throws = true;
    };
    const auto expectValue = [&](ANeuralNetworksMemory* memory, bool isThere) {
        throws = false;
        EXPECT_EQ(ANeuralNetworksMemory_copy(memory, plain), isThere ? OK : BAD_DATA);
    };
    fill();
    EXPECT_EQ(ANeuralNetworksMemory_copy(plain, first), OP_FAILED);
    expectValue(first, false);
    fill();
    EXPECT_EQ(ANeuralNetworksMemory_copy(first, second), OP_FAILED);
    expectValue(first, true);
    expectValue(second, false);
    fill();
    EXPECT_EQ(ANeuralNetworksMemory_copy(first, plain), OP_FAILED);
    expectValue(first, true);
}

// z = the memory + y.
OwnedExecution readerOf(Fixture& w, ANeuralNetworksCompilation* compilation,
                        ANeuralNetworksMemory* memory) {
    OwnedExecution execution = executionOf(compilation);
    EXPECT_EQ(ANeuralNetworksExecution_setInputFromMemory(execution, 0, nullptr, memory, 0, 0), OK);
    EXPECT_EQ(ANeuralNetworksExecution_setInput(execution, 1, nullptr, w.values.y.data(), 16), OK);
    EXPECT_EQ(ANeuralNetworksExecution_setOutput(execution, 0, nullptr, w.values.z.data(), 16), OK);
    return execution;
}

// The memory = x + y.
OwnedExecution writerOf(Fixture& w, ANeuralNetworksCompilation* compilation,
                        ANeuralNetworksMemory* memory) {
    OwnedExecution execution = executionOf(compilation);
    w.values.setInputs(execution);
    EXPECT_EQ(ANeuralNetworksExecution_setOutputFromMemory(execution, 0, nullptr, memory, 0, 0),
              OK);
    return execution;
}

TEST(CApi, MemoryOfADeviceHasAValueOnceItIsWritten) {
    for (const bool hasMemory : {true, false}) {  // without it, host memory is used
        FakeOptions options = npuOptions();
        options.hasMemory = hasMemory;
        Fixture w(options);
        OwnedModel model = addition();
        OwnedCompilation compilation = compiled(model, /*isForOne=*/false);
        ANeuralNetworksMemory* memory = w.describedFor(compilation, compilation);

        const auto read = [&] {
            return ANeuralNetworksExecution_compute(readerOf(w, compilation, memory));
        };
        EXPECT_EQ(read(), OP_FAILED);  // it holds nothing
        EXPECT_EQ(ANeuralNetworksExecution_compute(writerOf(w, compilation, memory)), OK);
        EXPECT_EQ(read(), OK);  // x + y + y
        EXPECT_THAT(w.values.z, ElementsAre(21, 42, 63, 84));

        OwnedMemory plain = memoryOf(16);
        EXPECT_EQ(ANeuralNetworksMemory_copy(memory, plain), OK);
        // A failed copy leaves nothing in it.
        EXPECT_EQ(ANeuralNetworksMemory_copy(memoryOf(32), memory), BAD_DATA);
        EXPECT_EQ(read(), OP_FAILED);
        EXPECT_EQ(ANeuralNetworksMemory_copy(plain, memory), OK);
        EXPECT_EQ(read(), OK);
        EXPECT_THAT(w.values.z, ElementsAre(21, 42, 63, 84));
        // The memory in another role, and a part of it.
        OwnedExecution execution = executionOf(compilation);
        EXPECT_EQ(ANeuralNetworksExecution_setInputFromMemory(execution, 1, nullptr, memory, 0, 0),
                  BAD_DATA);
        EXPECT_EQ(ANeuralNetworksExecution_setInputFromMemory(execution, 0, nullptr, memory, 0, 16),
                  BAD_DATA);
    }
}

// A description fixes the dimensions of a value, even if the device has no memory for it.
TEST(CApi, MemoryTakesNoValueOfOtherDimensions) {
    for (const bool hasMemory : {true, false}) {
        FakeOptions options = npuOptions();
        options.hasMemory = hasMemory;
        Fixture w(options);
        const OwnedModel open = addition(0), closed = addition(4);
        const OwnedCompilation writer = compiled(open, false), reader = compiled(closed, false);
        ANeuralNetworksMemory* memory = w.describedFor(reader, writer);
        const auto writeSize = [&](uint32_t size) {
            const OwnedExecution execution = executionOf(writer);
            const Type type(ANEURALNETWORKS_TENSOR_FLOAT32, {size});
            for (const int32_t input : {0, 1}) {
                EXPECT_EQ(ANeuralNetworksExecution_setInput(execution, input, type,
                                                            w.values.x.data(), size * 4),
                          OK);
            }
            EXPECT_EQ(ANeuralNetworksExecution_setOutputFromMemory(execution, 0, nullptr, memory, 0,
                                                                   0),
                      OK);
            return ANeuralNetworksExecution_compute(execution);
        };
        const auto read = [&] {
            return ANeuralNetworksExecution_compute(readerOf(w, reader, memory));
        };
        EXPECT_NE(writeSize(2), OK);
        EXPECT_EQ(read(), OP_FAILED);
        EXPECT_EQ(writeSize(4), OK);
        EXPECT_EQ(read(), OK);
        EXPECT_THAT(w.values.z, ElementsAre(12, 24, 36, 48));
    }
}

TEST(CApi, AnInputOfUnknownRankNeedsOne) {
    Fixture w;
    const OwnedModel model = additionOf(Type(ANEURALNETWORKS_TENSOR_FLOAT32, {}));
    const OwnedCompilation compilation = compiled(model);
    const OwnedExecution execution = executionOf(compilation);
    const Type scalar(ANEURALNETWORKS_FLOAT32, {}), known(ANEURALNETWORKS_TENSOR_FLOAT32, {4});
    for (const Type* type : {&scalar, &known}) {
        EXPECT_EQ(ANeuralNetworksExecution_setInput(execution, 0, *type, w.values.x.data(), 16),
                  type == &known ? OK : BAD_DATA);
    }
}

// ---- fences

TEST(CApi, AnExecutionWaitsForItsEvents) {
    Fixture w;
    Pipe pipe;
    const OwnedEvent first = eventOf(pipe);
    ANeuralNetworksExecution* execution = w.ready();
    const OwnedEvent second = startedAfter(execution, {first});
    int fd = -1;
    ASSERT_EQ(ANeuralNetworksEvent_getSyncFenceFd(second, &fd), OK);
    close(fd);
    EXPECT_EQ(ANeuralNetworksExecution_getOutputOperandRank(execution, 0, &w.out.number),
              BAD_STATE);
    EXPECT_EQ(w.values.z[0], 0);

    // An execution that waits for the first one.
    Values values;
    OwnedExecution later = executionOf(w.compilations.back());
    EXPECT_EQ(ANeuralNetworksExecution_setInput(later, 0, nullptr, w.values.z.data(), 16), OK);
    EXPECT_EQ(ANeuralNetworksExecution_setInput(later, 1, nullptr, values.y.data(), 16), OK);
    EXPECT_EQ(ANeuralNetworksExecution_setOutput(later, 0, nullptr, values.z.data(), 16), OK);
    const OwnedEvent third = startedAfter(later, {first, second});
    pipe.signal();
    EXPECT_EQ(ANeuralNetworksEvent_wait(third), OK);
    EXPECT_THAT(values.z, ElementsAre(21, 42, 63, 84));
    EXPECT_EQ(ANeuralNetworksEvent_wait(second), OK);
    EXPECT_EQ(ANeuralNetworksExecution_getOutputOperandRank(execution, 0, &w.out.number), OK);
}

// An execution that writes device memory may still wait when the next one, which reads it, starts.
TEST(CApi, MemoryOfADeviceGoesFromFenceToFence) {
    for (const bool hasMemory : {true, false}) {
        SCOPED_TRACE(hasMemory);
        FakeOptions options = npuOptions();
        options.hasMemory = hasMemory;
        Fixture w(options);
        const OwnedModel model = addition();
        const OwnedCompilation compilation = compiled(model, /*isForOne=*/false);
        ANeuralNetworksMemory* memory = w.describedFor(compilation, compilation);
        const auto writer = [&] { return writerOf(w, compilation, memory); };
        const auto reader = [&] { return readerOf(w, compilation, memory); };
        {
            const Pipe pipe;
            const OwnedEvent given = eventOf(pipe);
            const OwnedExecution first = writer(), second = reader();
            const OwnedEvent written = startedAfter(first, {given});
            EXPECT_EQ(ANeuralNetworksExecution_compute(reader()), OP_FAILED);  // it does not wait
            const OwnedEvent read = startedAfter(second, {written});
            pipe.signal();
            EXPECT_EQ(ANeuralNetworksEvent_wait(read), OK);
            EXPECT_THAT(w.values.z, ElementsAre(21, 42, 63, 84));
        }
        {  // the application waits for the fence itself
            const Pipe pipe;
            const OwnedEvent given = eventOf(pipe);
            const OwnedExecution first = writer();
            w.values.x[0] = 2;
            const OwnedEvent written = startedAfter(first, {given});
            int fence = -1;
            ASSERT_EQ(ANeuralNetworksEvent_getSyncFenceFd(written, &fence), OK);
            pipe.signal();
            EXPECT_EQ(SyncFence::create(UniqueFd(fence)).syncWait({}),
                      SyncFence::FenceState::SIGNALED);
            EXPECT_EQ(ANeuralNetworksExecution_compute(reader()), OK);
            EXPECT_THAT(w.values.z, ElementsAre(22, 42, 63, 84));
        }
        {  // a failure that is detected late does not discard a value written after it
            OwnedEvent given;
            {
                const Pipe closed;
                given = eventOf(closed);
            }
            const OwnedExecution first = writer();
            ANeuralNetworksEvent* written = nullptr;
            const ANeuralNetworksEvent* const events[] = {given};
            const int started = ANeuralNetworksExecution_startComputeWithDependencies(
                    first, events, 1, 0, &written);
            int fence = -1;
            if (started == OK) {
                ASSERT_EQ(ANeuralNetworksEvent_getSyncFenceFd(written, &fence), OK);
                EXPECT_EQ(SyncFence::create(UniqueFd(fence)).syncWait({}),
                          SyncFence::FenceState::ERROR);
            }
            EXPECT_EQ(ANeuralNetworksExecution_compute(writer()), OK);
            EXPECT_TRUE(started != OK || ANeuralNetworksEvent_wait(written) != OK);
            ANeuralNetworksEvent_free(written);
            EXPECT_EQ(ANeuralNetworksExecution_compute(reader()), OK);
        }
    }
}

// The thread that starts the execution is the one that signals.
TEST(CApi, AReusableExecutionOfTheHostWaitsInAnother) {
    Fixture w;
    std::vector<runtime::PlanDevice> devices = {{runtime::hostDevice({}), true}};
    runtime::setRuntime(std::make_unique<const runtime::Runtime>(std::move(devices),
                                                                 runtime::Runtime::Options()));
    const OwnedModel model = addition();
    const OwnedCompilation compilation = compiled(model);
    const OwnedExecution execution = executionOf(compilation);
    ASSERT_EQ(ANeuralNetworksExecution_setReusable(execution, true), OK);
    w.values.set(execution);
    for (int i = 0; i < 2; ++i) {
        w.values.z = {};
        const Pipe pipe;
        const OwnedEvent given = eventOf(pipe);
        const OwnedEvent event = startedAfter(execution, {given});
        pipe.signal();
        EXPECT_EQ(ANeuralNetworksEvent_wait(event), OK);
        EXPECT_EQ(w.values.z, w.values.kSum);
    }
}

TEST(CApi, AnEventThatNeverComesFailsTheExecution) {
    Fixture w;
    OwnedEvent first, second;
    {
        Pipe pipe;
        first = eventOf(pipe);
    }  // closed, and never signaled
    const ANeuralNetworksEvent* const events[] = {first};
    const int code = ANeuralNetworksExecution_startComputeWithDependencies(w.ready(), events, 1, 0,
                                                                           second.out());
    EXPECT_EQ(code == OK ? ANeuralNetworksEvent_wait(second) : code, OP_FAILED);
    EXPECT_EQ(ANeuralNetworksEvent_wait(first), OP_FAILED);
}

// ---- in any order, and on any thread

TEST(CApi, ObjectsAreFreedInAnyOrder) {
    for (int order = 0; order < 720; ++order) {
        Fixture w;
        w.model = addition();
        w.compilation = compiled(w.model);
        w.execution = executionOf(w.compilation);
        EXPECT_EQ(ANeuralNetworksBurst_create(w.compilation, w.madeBurst.out()), OK);
        EXPECT_EQ(ANeuralNetworksMemoryDesc_create(w.madeDesc.out()), OK);
        EXPECT_EQ(ANeuralNetworksMemoryDesc_addOutputRole(w.madeDesc, w.compilation, 0, 1), OK);
        EXPECT_EQ(ANeuralNetworksMemoryDesc_finish(w.madeDesc), OK);
        EXPECT_EQ(ANeuralNetworksMemory_createFromDesc(w.madeDesc, w.made.out()), OK);
        w.values.setInputs(w.execution);
        EXPECT_EQ(
                ANeuralNetworksExecution_setOutputFromMemory(w.execution, 0, nullptr, w.made, 0, 0),
                OK);
        EXPECT_EQ(ANeuralNetworksExecution_burstCompute(w.execution, w.madeBurst), OK);
        const std::function<void()> kFree[] = {
                [&] { w.model.free(); },     [&] { w.compilation.free(); },
                [&] { w.execution.free(); }, [&] { w.madeBurst.free(); },
                [&] { w.madeDesc.free(); },  [&] { w.made.free(); },
        };
        std::vector<size_t> left = {0, 1, 2, 3, 4, 5};
        for (size_t n = 6, rest = static_cast<size_t>(order); n > 0; rest /= n, --n) {
            const size_t chosen = rest % n;
            kFree[left[chosen]]();
            left.erase(left.begin() + static_cast<std::ptrdiff_t>(chosen));
        }
    }
}

// A buffer that reports copies.
class ObservedBuffer final : public ForwardingBuffer {
   public:
    ObservedBuffer(SharedBuffer inner, std::function<void()> onCall)
        : ForwardingBuffer(std::move(inner)), mOnCopy(std::move(onCall)) {}
    GeneralResult<void> copyTo(const SharedMemory& to) const override {
        mOnCopy();
        return ForwardingBuffer::copyTo(to);
    }
    GeneralResult<void> copyFrom(const SharedMemory& from, const Dimensions& size) const override {
        mOnCopy();
        return ForwardingBuffer::copyFrom(from, size);
    }

   private:
    std::function<void()> mOnCopy;
};

// Another thread frees the handles of a call while it runs in a driver: the result does not change.
TEST(CApi, HandlesAreFreedDuringTheirCalls) {
    struct Row {
        const char* name;
        std::function<int(Fixture& w)> call;
        std::function<void(Fixture& w)> free;
    };
    const auto execute = [](Fixture& w) {
        w.execution = executionOf(w.compilation);
        w.values.set(w.execution);
    };
    const auto freeExecution = [](Fixture& w) { w.execution.free(); };
    const Row kRows[] = {
            {"compute",
             [&](Fixture& w) {
                 execute(w);
                 return ANeuralNetworksExecution_compute(w.execution.get());
             },
             freeExecution},
            {"burstCompute",
             [&](Fixture& w) {
                 execute(w);
                 EXPECT_EQ(ANeuralNetworksBurst_create(w.compilation, w.madeBurst.out()), OK);
                 return ANeuralNetworksExecution_burstCompute(w.execution.get(), w.madeBurst.get());
             },
             [](Fixture& w) {
                 w.execution.free();
                 w.madeBurst.free();
                 w.compilation.free();
                 w.model.free();
             }},
            {"startComputeWithDependencies",
             [&](Fixture& w) {
                 execute(w);
                 const int code = ANeuralNetworksExecution_startComputeWithDependencies(
                         w.execution.get(), nullptr, 0, 0, w.madeEvent.out());
                 return code == OK ? ANeuralNetworksEvent_wait(w.madeEvent) : code;
             },
             freeExecution},
            {"startCompute",
             [&](Fixture& w) {
                 execute(w);
                 const int code = ANeuralNetworksExecution_startCompute(w.execution.get(),
                                                                        w.madeEvent.out());
                 return code == OK ? ANeuralNetworksEvent_wait(w.madeEvent) : code;
             },
             freeExecution},
            {"finish of a compilation",
             [](Fixture& w) { return ANeuralNetworksCompilation_finish(w.compilation.get()); },
             [](Fixture& w) {
                 w.compilation.free();
                 w.model.free();
             }},
            {"getSupportedOperationsForDevices",
             [](Fixture& w) {
                 const ANeuralNetworksDevice* device = w.device();
                 return ANeuralNetworksModel_getSupportedOperationsForDevices(
                         w.model.get(), &device, 1, w.out.flags);
             },
             [](Fixture& w) { w.model.free(); }},
            {"createFromDesc",
             [](Fixture& w) {
                 EXPECT_EQ(ANeuralNetworksMemoryDesc_create(w.madeDesc.out()), OK);
                 EXPECT_EQ(ANeuralNetworksMemoryDesc_addOutputRole(w.madeDesc, w.compilation, 0, 1),
                           OK);
                 EXPECT_EQ(ANeuralNetworksMemoryDesc_finish(w.madeDesc), OK);
                 return ANeuralNetworksMemory_createFromDesc(w.madeDesc.get(), w.made.out());
             },
             [](Fixture& w) {
                 w.madeDesc.free();
                 w.compilation.free();
             }},
            {"Memory_copy",
             [](Fixture& w) {
                 OwnedMemory from = memoryOf(16);
                 EXPECT_EQ(ANeuralNetworksMemoryDesc_create(w.madeDesc.out()), OK);
                 EXPECT_EQ(ANeuralNetworksMemoryDesc_addInputRole(w.madeDesc, w.compilation, 0, 1),
                           OK);
                 EXPECT_EQ(ANeuralNetworksMemoryDesc_finish(w.madeDesc), OK);
                 EXPECT_EQ(ANeuralNetworksMemory_createFromDesc(w.madeDesc, w.made.out()), OK);
                 return ANeuralNetworksMemory_copy(from, w.made.get());
             },
             [](Fixture& w) { w.made.free(); }},
    };
    const std::string_view kBeforeFinish[] = {"finish of a compilation"};
    for (const Row& row : kRows) {
        SCOPED_TRACE(row.name);
        Fixture w;
        bool isFreed = false;
        std::function<void()> free;  // called once, on another thread
        const auto onCall = [&] {
            if (!free) return;
            std::thread([&] { std::exchange(free, nullptr)(); }).join();
            isFreed = true;
        };
        const bool isOfMemory = std::string_view(row.name) == "Memory_copy";
        FakeOptions options = npuOptions();
        options.onExecute = options.onPrepare = [&] {
            onCall();
            return Status();
        };
        options.supports = [&](const Operation&) {
            onCall();
            return true;
        };
        options.onAllocated = [&](GeneralResult<SharedBuffer> buffer) {
            if (!isOfMemory) onCall();
            if (!buffer.has_value()) return buffer;
            return GeneralResult<SharedBuffer>(
                    std::make_shared<const ObservedBuffer>(*std::move(buffer), onCall));
        };
        useDevices({options});
        w.model = addition();
        w.compilation = compilationOf(w.model);
        if (row.name != kBeforeFinish[0]) {
            EXPECT_EQ(ANeuralNetworksCompilation_finish(w.compilation), OK);
        }
        // Calls of the fake before this call do not count.
        const auto call = [&] {
            free = [&] { row.free(w); };
            return row.call(w);
        };
        EXPECT_EQ(call(), OK);
        EXPECT_TRUE(isFreed);
        useDevices({});
    }
}

// After their use, the handles that others were created from may be freed.
TEST(CApi, AnExecutionNeedsNoneOfTheHandles) {
    Fixture w;
    OwnedModel model = addition();
    OwnedCompilation compilation = compiled(model);
    OwnedExecution execution = executionOf(compilation);
    OwnedMemory memory = memoryOf(64);
    w.values.setInputs(execution);
    EXPECT_EQ(ANeuralNetworksExecution_setOutputFromMemory(execution, 0, nullptr, memory, 0, 16),
              OK);
    model.free();
    compilation.free();
    memory.free();
    OwnedEvent event;
    EXPECT_EQ(ANeuralNetworksExecution_startCompute(execution, event.out()), OK);
    execution.free();  // while it executes
    EXPECT_EQ(ANeuralNetworksEvent_wait(event), OK);
}

// Whether it is computed in a thread or behind a fence; a thread that waits for the event keeps it
// alive.
TEST(CApi, AnExecutionThatIsFreedInFlightEndsAndIsGone) {
    std::weak_ptr<const int> alive;
    {
        Fixture w;
        const auto witness = std::make_shared<const int>(0);
        alive = witness;
        FakeOptions options = npuOptions();
        options.onExecute = [witness] {
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
            return Status();
        };
        useDevices({options});
        Pipe pipe;
        OwnedEvent gate = eventOf(pipe), inThread;
        OwnedModel model = addition();
        OwnedCompilation compilation = compiled(model);
        OwnedExecution one = executionOf(compilation), other = executionOf(compilation);
        Values values;
        w.values.set(one);
        values.set(other);
        EXPECT_EQ(ANeuralNetworksExecution_startCompute(one, inThread.out()), OK);
        OwnedEvent behindFence = startedAfter(other, {gate});
        one.free();
        other.free();
        compilation.free();
        model.free();
        pipe.signal();
        inThread.free();  // waits
        behindFence.free();
        EXPECT_EQ(w.values.z, Values::kSum);
        EXPECT_EQ(values.z, Values::kSum);
        useDevices({});
    }
    // The last thread of them may still be ending.
    for (int i = 0; i < 1000 && !alive.expired(); ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    EXPECT_TRUE(alive.expired());
}

// ---- threads of startCompute

// Executions of one compilation that are all started before any is waited for.
struct Started {
    Values values{};
    OwnedExecution execution{};
    OwnedEvent event{};
};
std::vector<Started> startAll(ANeuralNetworksCompilation* compilation, size_t count) {
    std::vector<Started> all(count);  // must not be resized: the values are outputs
    for (Started& one : all) {
        one.execution = executionOf(compilation);
        one.values.set(one.execution);
        EXPECT_EQ(ANeuralNetworksExecution_startCompute(one.execution, one.event.out()), OK);
    }
    return all;
}

// A driver counts its concurrent executions, each on a thread of its own.
TEST(CApi, AThousandStartedExecutionsHaveABoundedNumberOfThreads) {
    std::mutex mutex;
    size_t active = 0, most = 0;
    FakeOptions options = npuOptions();
    options.onExecute = [&] {
        {
            const std::lock_guard lock(mutex);
            most = std::max(most, ++active);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        const std::lock_guard lock(mutex);
        --active;
        return Status();
    };
    Fixture w(options);
    OwnedModel model = addition();
    OwnedCompilation compilation = compiled(model);
    for (Started& one : startAll(compilation, 1000)) {
        EXPECT_EQ(ANeuralNetworksEvent_wait(one.event), OK);
        EXPECT_EQ(one.values.z, Values::kSum);
    }
    // 64, and one more for each 50 ms in which a busy machine starts none.
    EXPECT_LE(most, 128u);
    useDevices({});
}

// More executions than threads wait in the driver for the last one, as behind a fence that the
// application signals when that one is done.
TEST(CApi, StartedExecutionsThatWaitForALaterOneEnd) {
    constexpr size_t kCount = 68;
    std::atomic<size_t> begun = 0;
    FakeOptions options = npuOptions();
    options.onExecute = [&] {
        ++begun;
        while (begun < kCount) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return Status();
    };
    Fixture w(options);
    OwnedModel model = addition();
    OwnedCompilation compilation = compiled(model);
    for (Started& one : startAll(compilation, kCount)) {
        EXPECT_EQ(ANeuralNetworksEvent_wait(one.event), OK);
        EXPECT_EQ(one.values.z, Values::kSum);
    }
    useDevices({});
}

// Executions that depend on the events of started ones do not occupy threads that those need.
TEST(CApi, ExecutionsThatDependOnStartedOnesEnd) {
    Fixture w;
    OwnedModel model = addition();
    OwnedCompilation compilation = compiled(model);
    std::vector<Started> first = startAll(compilation, 200);
    std::vector<Started> second(first.size());
    for (size_t i = 0; i < first.size(); ++i) {
        second[i].execution = executionOf(compilation);
        second[i].values.set(second[i].execution);
        second[i].event = startedAfter(second[i].execution,
                                       {first[i].event, first[first.size() - 1 - i].event});
    }
    for (Started& one : second) {
        EXPECT_EQ(ANeuralNetworksEvent_wait(one.event), OK);
        EXPECT_EQ(one.values.z, Values::kSum);
    }
}

// Concurrent calls on one object return a code, whichever it is.
TEST(CApi, ThreadsMayMisuseOneObject) {
    Fixture w;
    OwnedModel model = addition();
    OwnedCompilation compilation = compiled(model);
    OwnedExecution execution = executionOf(compilation);
    ASSERT_EQ(ANeuralNetworksExecution_setReusable(execution, true), OK);
    OwnedBurst burst;
    ASSERT_EQ(ANeuralNetworksBurst_create(compilation, burst.out()), OK);
    w.values.set(execution);
    std::vector<std::thread> threads;
    std::atomic<int> done = 0, wrong = 0;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&, t] {
            for (int i = 0; i < 200; ++i) {
                uint32_t rank = 0;
                const int code = t % 2 == 0
                                         ? ANeuralNetworksExecution_compute(execution)
                                         : ANeuralNetworksExecution_burstCompute(execution, burst);
                if (code == OK) ++done;
                if (code != OK && code != BAD_STATE) ++wrong;
                (void)ANeuralNetworksExecution_getOutputOperandRank(execution, 0, &rank);
                (void)ANeuralNetworksExecution_setLoopTimeout(execution, 1);
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_GT(done, 0);
    EXPECT_EQ(wrong, 0);
}

TEST(CApi, OneBurstHasOneExecution) {
    std::atomic<bool> isThere = false, mayGo = false;
    FakeOptions options = npuOptions();
    options.onExecute = [&] {
        isThere = true;
        while (!mayGo) std::this_thread::yield();
        return Status();
    };
    Fixture w(options);
    OwnedModel model = addition();
    OwnedCompilation compilation = compiled(model);
    OwnedExecution one = executionOf(compilation), other = executionOf(compilation);
    OwnedBurst burst;
    ASSERT_EQ(ANeuralNetworksBurst_create(compilation, burst.out()), OK);
    w.values.set(one);
    Values values;
    values.set(other);
    std::thread thread([&] { EXPECT_EQ(ANeuralNetworksExecution_burstCompute(one, burst), OK); });
    while (!isThere) std::this_thread::yield();
    EXPECT_EQ(ANeuralNetworksExecution_burstCompute(other, burst), BAD_STATE);
    mayGo = true;
    thread.join();
    EXPECT_EQ(ANeuralNetworksExecution_burstCompute(other, burst), OK);
}

// A prefix belongs to its name, and is the same in all models.
TEST(CApi, PrefixesOfExtensionsAreOfTheProcess) {
    Fixture w;
    int32_t first = 0, second = 0;
    EXPECT_EQ(ANeuralNetworksModel_getExtensionOperandType(w.empty(), kExtension, 1, &first), OK);
    EXPECT_EQ(ANeuralNetworksModel_getExtensionOperationType(w.empty(), kExtension, 2, &second),
              OK);
    EXPECT_EQ(first >> 16, second >> 16);
    ModelBuilder builder;
    const auto in = builder.tensor(first, {2}), out = builder.tensor(first, {2});
    builder.operation(second, {in}, {out});
    const OwnedModel model = builder.finish({in}, {out});
    // The reference device has no extensions, and nothing falls back to it.
    OwnedCompilation compilation = compilationOf(model, /*isForOne=*/false);
    EXPECT_NE(ANeuralNetworksCompilation_finish(compilation), OK);
}

}  // namespace
}  // namespace nn::c_api::calls
