// Requests: buffers of every kind, outputs that do not fit, errors.
#include <sys/mman.h>

#include <array>
#include <bit>
#include <cstring>

#include "interpreter/builder.h"
#include "nnapi/memory.h"
#include "nnapi/validate.h"

namespace nn::execute_test {
namespace {

constexpr auto ADD = OperationType::ADD;
constexpr auto RELU = OperationType::RELU;
constexpr auto kInvalid = ErrorStatus::INVALID_ARGUMENT;
constexpr auto kTooSmall = ErrorStatus::OUTPUT_INSUFFICIENT_SIZE;

// sum = x + y, positive = RELU(sum); the sum is an output that is also read.
Model sumModel(std::vector<uint32_t> dimensions) {
    MainGraph main;
    const auto x = main.input(TENSOR_FLOAT32, dimensions);
    const auto y = main.input(TENSOR_FLOAT32, dimensions);
    const auto sum = main.output(TENSOR_FLOAT32, dimensions);
    main.add(ADD, {x, y, main.scalar(0)}, {sum});
    main.add(RELU, {sum}, {main.output(TENSOR_FLOAT32, dimensions)});
    return main.build();
}

PreparedModel prepared(const Model& model) {
    Result<PreparedModel> result = prepare(model);
    EXPECT_THAT(result, Succeeds());
    return *std::move(result);
}

struct Buffers {
    std::vector<float> x = {1, -5};
    std::vector<float> y = {2, 3};
    std::vector<float> sum = {0, 0};
    std::vector<float> positive = {0, 0};

    Request request() {
        return {.inputs = {pointerTo(x), pointerTo(y)},
                .outputs = {pointerTo(sum), pointerTo(positive)}};
    }
};

TEST(Execute, Pointers) {
    Buffers buffers;
    const ExecutionOutcome result = prepared(sumModel({2})).execute(buffers.request());
    ASSERT_THAT(result, Succeeds());
    EXPECT_EQ(buffers.sum, (std::vector<float>{3, -2}));
    EXPECT_EQ(buffers.positive, (std::vector<float>{3, 0}));
    EXPECT_EQ(result.outputShapes, (std::vector<OutputShape>{{{2}, true}, {{2}, true}}));
    EXPECT_EQ(result.timing, Timing{});
}

TEST(Execute, ACheckedModelIsShared) {
    const ValidatedModel checked = validateModel(sumModel({2})).value();
    const PreparedModel prepared = prepare(checked).value();
    EXPECT_EQ(&prepared.model(), &checked.model());
    EXPECT_EQ(&prepared.checked().found(), &checked.found());
    Buffers buffers;
    ASSERT_THAT(prepared.execute(buffers.request()), Succeeds());
    EXPECT_EQ(buffers.positive, (std::vector<float>{3, 0}));
}

// One pool contains all arguments, at these offsets in bytes.
void expectExecutesInPool(uint32_t x, uint32_t y, uint32_t sum, uint32_t positive) {
    const SharedMemory memory = *createSharedMemory(64);
    const Mapping mapping = *map(memory);
    const float values[2][2] = {{1, -5}, {2, 3}};
    std::memcpy(mapping.mutableData() + x, values[0], 8);
    std::memcpy(mapping.mutableData() + y, values[1], 8);
    const auto at = [](uint32_t offset) {
        return Request::Argument{.location = {.offset = offset, .length = 8}};
    };
    const ExecutionOutcome result = prepared(sumModel({2}))
                                            .execute({.inputs = {at(x), at(y)},
                                                      .outputs = {at(sum), at(positive)},
                                                      .pools = {memory}});
    ASSERT_THAT(result, Succeeds());
    const auto pairAt = [&](uint32_t offset) {
        std::array<float, 2> pair{};
        std::memcpy(pair.data(), mapping.data() + offset, sizeof(pair));
        return pair;
    };
    EXPECT_THAT(pairAt(sum), testing::ElementsAre(3, -2));
    EXPECT_THAT(pairAt(positive), testing::ElementsAre(3, 0));
}

TEST(Execute, Pool) { expectExecutesInPool(0, 8, 16, 24); }
TEST(Execute, PoolAtOddOffsets) { expectExecutesInPool(1, 10, 19, 29); }
TEST(Execute, OutputsOverInputs) { expectExecutesInPool(0, 8, 0, 8); }

TEST(Execute, UnknownDimensionsAreReported) {
    for (const std::vector<uint32_t>& dimensions : {std::vector<uint32_t>{0}, {}}) {
        Buffers buffers;
        Request request = buffers.request();
        for (Request::Argument& input : request.inputs) input.dimensions = {2};
        const ExecutionOutcome result = prepared(sumModel(dimensions)).execute(request);
        ASSERT_THAT(result, Succeeds());
        EXPECT_EQ(buffers.positive, (std::vector<float>{3, 0}));
        EXPECT_EQ(result.outputShapes, (std::vector<OutputShape>{{{2}, true}, {{2}, true}}));
    }
}

TEST(Execute, LargerBufferThanNeeded) {
    Buffers buffers;
    buffers.sum.resize(5, 7);
    Request request = buffers.request();
    for (Request::Argument& input : request.inputs) input.dimensions = {2};
    const ExecutionOutcome result = prepared(sumModel({0})).execute(request);
    ASSERT_THAT(result, Succeeds());
    EXPECT_EQ(buffers.sum, (std::vector<float>{3, -2, 7, 7, 7}));
}

TEST(Execute, BuffersThatAreTooSmall) {
    Buffers buffers;
    buffers.sum = {7};
    Request request = buffers.request();
    for (Request::Argument& input : request.inputs) input.dimensions = {2};
    const ExecutionOutcome result = prepared(sumModel({0})).execute(request);
    EXPECT_THAT(
            result,
            Fails(kTooSmall,
                  "outputs[0]: has 4 bytes, needed 8 for dimensions [2] [request.output_size]"));
    EXPECT_EQ(result.outputShapes, (std::vector<OutputShape>{{{2}, false}, {{2}, true}}));
    EXPECT_EQ(buffers.sum, std::vector<float>{7});
}

TEST(Execute, RequestedDimensionsMustBeTheComputedOnes) {
    Buffers buffers;
    buffers.sum.resize(4);
    Request request = buffers.request();
    for (Request::Argument& input : request.inputs) input.dimensions = {2};
    request.outputs[0].dimensions = {4};
    EXPECT_THAT(prepared(sumModel({0})).execute(request),
                Fails(ErrorStatus::GENERAL_FAILURE,
                      "main.operations[0] ADD: output 0 'output' (operand 2) has dimensions [4], "
                      "but the operation gives [2] [operation.output_shape]"));
}

TEST(Execute, MeasuresWhenAsked) {
    Buffers buffers;
    const ExecutionOutcome result =
            prepared(sumModel({2})).execute(buffers.request(), {.measure = MeasureTiming::YES});
    ASSERT_THAT(result, Succeeds());
    ASSERT_TRUE(result.timing.timeOnDevice && result.timing.timeInDriver);
    EXPECT_LE(*result.timing.timeOnDevice, *result.timing.timeInDriver);
}

TEST(Execute, NothingIsMeasuredOrReportedOfAFailure) {
    Buffers buffers;
    const ExecutionOutcome result =
            prepared(sumModel({2}))
                    .execute(buffers.request(),
                             {.measure = MeasureTiming::YES, .deadline = TimePoint()});
    EXPECT_EQ(errorStatus(result.status), ErrorStatus::MISSED_DEADLINE_TRANSIENT);
    EXPECT_TRUE(result.outputShapes.empty());
    EXPECT_EQ(result.timing, Timing{});
}

// Arguments that differ in one thing from the planned ones: validation determines the result.
TEST(Execute, RequestsThatAreAlmostAsPlanned) {
    struct Row {
        const char* name;
        void (*breakIt)(Request::Argument& argument);
    };
    using LifeTime = Request::Argument::LifeTime;
    const Row kRows[] = {
            {"PoolIndex", [](Request::Argument& a) { a.location.poolIndex = 1; }},
            {"Offset", [](Request::Argument& a) { a.location.offset = 4; }},
            {"Empty", [](Request::Argument& a) { a.location.length = 0; }},
            {"Longer", [](Request::Argument& a) { a.location.length = 12; }},
            {"Null",
             [](Request::Argument& a) { a.location.pointer = static_cast<void*>(nullptr); }},
            {"OtherRank",
             [](Request::Argument& a) {
                 a.dimensions = {2, 1};
             }},
            {"UnknownSize", [](Request::Argument& a) { a.dimensions = {0}; }},
            {"OmittedWithAddress", [](Request::Argument& a) { a.lifetime = LifeTime::NO_VALUE; }},
            {"InPool", [](Request::Argument& a) { a.lifetime = LifeTime::POOL; }},
            {"UnknownLifetime",
             [](Request::Argument& a) { a.lifetime = static_cast<LifeTime>(3); }},
    };
    const PreparedModel model = prepared(sumModel({2}));
    for (const Row& row : kRows) {
        for (const bool isOutput : {false, true}) {
            Buffers buffers;
            Request request = buffers.request();
            row.breakIt(isOutput ? request.outputs[1] : request.inputs[1]);
            const Status legal = validateRequestForModel(request, model.model()).status();
            const Status status = model.execute(request).status;
            EXPECT_EQ(status, legal) << row.name;
        }
    }
    Buffers buffers;
    Request request = buffers.request();
    request.outputs[0].location.pointer = static_cast<const void*>(buffers.sum.data());
    EXPECT_THAT(model.execute(request), Fails(kInvalid,
                                              "outputs[0]: location.pointer is a const void*, "
                                              "allowed void* for an output [request.location]"));
}

// With dimensions or without, at any address.
TEST(Execute, RequestsAsPlanned) {
    const PreparedModel model = prepared(sumModel({2}));
    alignas(4) uint8_t odd[9] = {};
    for (const bool hasDimensions : {false, true}) {
        for (const bool isAligned : {false, true}) {
            Buffers buffers;
            Request request = buffers.request();
            for (Request::Argument& input : request.inputs)
                if (hasDimensions) input.dimensions = {2};
            for (Request::Argument& output : request.outputs)
                if (hasDimensions) output.dimensions = {2};
            if (!isAligned) {
                std::memcpy(odd + 1, buffers.y.data(), 8);
                request.inputs[1].location.pointer = static_cast<const void*>(odd + 1);
            }
            const ExecutionOutcome result = model.execute(request);
            ASSERT_THAT(result, Succeeds());
            EXPECT_EQ(buffers.sum, (std::vector<float>{3, -2}));
            EXPECT_EQ(buffers.positive, (std::vector<float>{3, 0}));
            EXPECT_EQ(result.outputShapes, (std::vector<OutputShape>{{{2}, true}, {{2}, true}}));
        }
    }
}

TEST(Execute, BrokenRequests) {
    struct Row {
        const char* name;
        void (*breakIt)(Request& request);
        const char* message;
    };
    static float extra[2];
    const Row kRows[] = {
            {"TooFewInputs", [](Request& r) { r.inputs.pop_back(); },
             "1 input given, allowed 2 as in the model [request.arguments]"},
            {"TooManyOutputs", [](Request& r) { r.outputs.push_back(pointerTo(extra, 8)); },
             "3 outputs given, allowed 2 as in the model [request.arguments]"},
            {"OtherDimensions", [](Request& r) { r.inputs[1].dimensions = {3}; },
             "inputs[1]: dimensions are [3], allowed [2] as in the model [request.dimensions]"},
            {"TooShort", [](Request& r) { r.inputs[0].location.length = 4; },
             "inputs[0]: location.length is 4, allowed 8 for TENSOR_FLOAT32[2] [request.length]"},
            {"InputOmitted",
             [](Request& r) { r.inputs[1] = {.lifetime = Request::Argument::LifeTime::NO_VALUE}; },
             "inputs[1]: has no value, but main.operations[0] ADD needs one [interpreter.omitted]"},
            {"OutputOmitted",
             [](Request& r) { r.outputs[1] = {.lifetime = Request::Argument::LifeTime::NO_VALUE}; },
             "outputs[1]: has no value, allowed only for inputs [request.output_omitted]"},
            {"PoolOfADriver", [](Request& r) { r.pools = {MemoryDomainToken{7}}; },
             "pools[0]: is not shared memory, the only kind that an execution can use "
             "[request.pool_kind]"},
            {"PoolThatCannotBeMapped",
             [](Request& r) {
                 r.pools = {std::make_shared<const Memory>(
                         Memory{Memory::HardwareBuffer{.size = 64}})};
             },
             "pools[0]: memory is of a kind that cannot be mapped on this host [request.pool_map]"},
            {"OutputInReadOnlyMemory",
             [](Request& r) {
                 const SharedMemory memory = *createSharedMemory(4096);
                 const int fd = std::get<Memory::Ashmem>(memory->handle).fd.get();
                 r.pools = {*createSharedMemory(4096, PROT_READ, fd, 0)};
                 r.outputs[0] = {.location = {.length = 8}};
             },
             "outputs[0]: is in memory that is read-only [request.read_only]"},
    };
    const PreparedModel model = prepared(sumModel({2}));
    for (const Row& row : kRows) {
        Buffers buffers;
        Request request = buffers.request();
        row.breakIt(request);
        const ExecutionOutcome result = model.execute(request);
        EXPECT_THAT(result, Fails(kInvalid, row.message)) << row.name;
        EXPECT_TRUE(result.outputShapes.empty()) << row.name;
    }
}

// The memory is sealed after it has been mapped; its outputs are then rejected like those in memory
// that was sealed first.
TEST(Execute, MemoryThatIsSealedBetweenExecutions) {
    const SharedMemory memory = createSharedMemory(64).value();
    const auto at = [](uint32_t offset) {
        return Request::Argument{.location = {.offset = offset, .length = 8}};
    };
    const Request request = {
            .inputs = {at(0), at(16)}, .outputs = {at(32), at(48)}, .pools = {memory}};
    const PreparedModel model = prepared(sumModel({2}));
    const std::array<float, 2> x = {1, -5}, y = {2, 3};
    const auto bytesOf = [](const std::array<float, 2>& values) {
        return std::span(reinterpret_cast<const uint8_t*>(values.data()), sizeof(values));
    };
    for (int i = 0; i < 20; ++i) {
        ASSERT_TRUE(writeMemory(memory, 0, bytesOf(x)).ok());
        ASSERT_TRUE(writeMemory(memory, 16, bytesOf(i % 2 == 0 ? x : y)).ok());
        ASSERT_THAT(model.execute(request), Succeeds());
        std::array<uint8_t, 8> sum;
        ASSERT_TRUE(readMemory(memory, 32, sum).ok());
        EXPECT_EQ(std::bit_cast<float>(std::to_array({sum[0], sum[1], sum[2], sum[3]})),
                  i % 2 == 0 ? 2 : 3)
                << i;
    }
    ASSERT_TRUE(sealMemory(memory).ok());
    EXPECT_THAT(model.execute(request),
                Fails(kInvalid, "outputs[0]: is in memory that is read-only [request.read_only]"));
}

}  // namespace
}  // namespace nn::execute_test
