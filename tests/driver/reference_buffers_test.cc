// The memory of the reference device: allocation, roles, states and copies. Numbers are those of
// the rules on memory domains.
#include <sys/mman.h>

#include "driver/models.h"
#include "nnapi/memory.h"

namespace nn::reference_buffers_test {
namespace {

using testing::ElementsAre;
using enum ErrorStatus;

SharedMemory memoryOf(std::vector<float> values) {
    SharedMemory memory = createSharedMemory(values.size() * sizeof(float)).value();
    const auto* bytes = reinterpret_cast<const uint8_t*>(values.data());
    EXPECT_TRUE(writeMemory(memory, 0, {bytes, values.size() * sizeof(float)}).ok());
    return memory;
}
std::vector<float> valuesOf(const SharedMemory& memory) {
    std::vector<float> values(size(memory) / sizeof(float));
    auto* bytes = reinterpret_cast<uint8_t*>(values.data());
    EXPECT_TRUE(readMemory(memory, 0, {bytes, values.size() * sizeof(float)}).ok());
    return values;
}
std::vector<float> valuesOf(const SharedBuffer& buffer, size_t count = 4) {
    const SharedMemory memory = createSharedMemory(count * sizeof(float)).value();
    const auto copied = buffer->copyTo(memory);
    EXPECT_TRUE(copied.has_value()) << copied.error().message;
    return valuesOf(memory);
}
// A device and the addition of 4 floats on it.
struct Subject {
    SharedDevice device = referenceDevice();
    SharedPreparedModel model = prepareOn(*device, addition()).value();

    GeneralResult<SharedBuffer> allocate(const std::vector<BufferRole>& inputs,
                                         const std::vector<BufferRole>& outputs,
                                         Dimensions dimensions = {}) const {
        return device->allocate({std::move(dimensions)}, {model}, inputs, outputs);
    }
    SharedBuffer input(uint32_t index = 0) const {
        return allocate({{0, index, 1.0f}}, {}).value();
    }
    SharedBuffer output() const { return allocate({}, {{0, 0, 1.0f}}).value(); }
};

// x + y with each argument in a pool of its own; a null pool means a pointer to values.
struct Addition {
    std::shared_ptr<Sum> sum = std::make_shared<Sum>();  // copies point to the same values
    Request request = sum->request();

    Addition& at(Request::Argument& argument, Request::MemoryPool pool) {
        argument = {.location = {.poolIndex = static_cast<uint32_t>(request.pools.size())}};
        request.pools.push_back(std::move(pool));
        return *this;
    }
    Addition& x(Request::MemoryPool pool) { return at(request.inputs[0], std::move(pool)); }
    Addition& y(Request::MemoryPool pool) { return at(request.inputs[1], std::move(pool)); }
    Addition& z(Request::MemoryPool pool) { return at(request.outputs[0], std::move(pool)); }
    ErrorStatus on(const SharedPreparedModel& model) const {
        return codeOf(executeOn(*model, request));
    }
};

// Rules memory.refused_allocations and memory.unknown_size, where any device has more cases:
// src/device_test/cases/allocations.cc.
TEST(ReferenceBuffers, AllocationsThatAreRefused) {
    const Subject subject;
    const SharedDevice other = referenceDevice();
    Model quantized = addition();
    for (Operand& operand : quantized.main.operands) {
        if (operand.type != TENSOR_FLOAT32) continue;
        operand.type = OperandType::TENSOR_QUANT8_ASYMM;
        operand.scale = 0.5f;
    }
    Model scalars;
    Graph main(scalars);
    const auto flag = main.input(OperandType::FLOAT32, {});
    main.add(OperationType::FILL,
             {main.constant(OperandType::TENSOR_INT32, {1}, std::vector<int32_t>{2}), flag},
             {main.output(TENSOR_FLOAT32, {2})});
    scalars.main = main.graph;
    const std::vector<SharedPreparedModel> scalar = {prepareOn(*subject.device, scalars).value()};
    const std::vector<SharedPreparedModel> mixed = {
            subject.model, prepareOn(*subject.device, quantized).value(),
            prepareOn(*subject.device, addition(5)).value(),
            prepareOn(*subject.device, addition(0)).value()};

    using Models = std::vector<SharedPreparedModel>;
    using Roles = std::vector<BufferRole>;
    const struct {
        const char* name;
        Dimensions dimensions;
        Models models;
        Roles inputs, outputs;
        ErrorStatus code;
    } kRows[] = {
            {"ModelOfAnotherDevice",
             {},
             {prepareOn(*other, addition()).value()},
             {{0, 0, 1}},
             {},
             INVALID_ARGUMENT},
            {"OtherType", {}, mixed, {{0, 0, 1}, {1, 0, 1}}, {}, INVALID_ARGUMENT},
            {"OtherExtents", {}, mixed, {{0, 0, 1}, {2, 0, 1}}, {}, INVALID_ARGUMENT},
            {"ScalarWithDimensions", {1}, scalar, {{0, 0, 1}}, {}, INVALID_ARGUMENT},
            {"UnknownSize", {}, mixed, {{3, 0, 1}}, {}, GENERAL_FAILURE},
            {"OpenInTheModel", {4}, mixed, {{3, 0, 1}}, {}, NONE},
            {"OpenInOneModel", {}, mixed, {{0, 0, 1}, {3, 1, 1}}, {{3, 0, 1}}, NONE},
            {"Scalar", {}, scalar, {{0, 0, 1}}, {}, NONE},
    };
    for (const auto& row : kRows) {
        const auto buffer =
                subject.device->allocate({row.dimensions}, row.models, row.inputs, row.outputs);
        EXPECT_EQ(codeOf(buffer), row.code)
                << row.name << ": " << (buffer.has_value() ? "" : buffer.error().message);
    }
}

TEST(ReferenceBuffers, TogetherHaveALimit) {
    ReferenceDeviceOptions options;
    options.prepare.limits.peakBytes = 30000;
    Subject subject{.device = referenceDevice(options), .model = nullptr};
    subject.model = prepareOn(*subject.device, addition(3000)).value();
    SharedBuffer first = subject.input();
    const SharedBuffer second = subject.input();
    EXPECT_EQ(codeOf(subject.allocate({{0, 0, 1}}, {})), RESOURCE_EXHAUSTED_TRANSIENT);
    first = nullptr;
    EXPECT_EQ(codeOf(subject.allocate({{0, 0, 1}}, {})), NONE);
}

// Rule memory.tokens: the token that was freed last is reused first.
TEST(ReferenceBuffers, TokensAreUsedAgain) {
    const Subject subject;
    const auto token = [](const SharedBuffer& buffer) {
        return static_cast<uint32_t>(buffer->getToken());
    };
    std::vector<SharedBuffer> buffers;
    for (uint32_t i = 1; i <= 4; ++i) {
        buffers.push_back(subject.input());
        EXPECT_EQ(token(buffers.back()), i);
    }
    buffers[1] = nullptr;
    buffers[3] = nullptr;
    buffers[0] = nullptr;
    EXPECT_EQ(token(buffers[0] = subject.input()), 1u);
    EXPECT_EQ(token(buffers[1] = subject.input()), 4u);
    EXPECT_EQ(token(buffers[3] = subject.input()), 2u);
    EXPECT_EQ(token(subject.input()), 5u);
}

// Rule memory.copy_from, memory.copy_to and memory.unmapped.
TEST(ReferenceBuffers, Copies) {
    const Subject subject;
    const SharedBuffer buffer = subject.input();
    const SharedMemory right = memoryOf({1, 2, 3, 4});
    const SharedMemory readOnly =
            createSharedMemory(16, PROT_READ, std::get<Memory::Ashmem>(right->handle).fd.get(), 0)
                    .value();
    const SharedMemory opaque =
            std::make_shared<const Memory>(Memory{Memory::Unknown{.size = 16, .name = "alien"}});

    EXPECT_EQ(codeOf(buffer->copyTo(memoryOf({1, 2, 3}))), INVALID_ARGUMENT) << "size comes first";
    EXPECT_EQ(codeOf(buffer->copyTo(right)), GENERAL_FAILURE) << "nothing was written yet";
    const struct {
        const char* name;
        SharedMemory memory;
        Dimensions dimensions;
        ErrorStatus code;
    } kRows[] = {{"Null", nullptr, {}, INVALID_ARGUMENT},
                 {"Unmappable", opaque, {}, GENERAL_FAILURE},
                 {"SameDimensions", right, {4}, NONE},
                 {"NoDimensions", right, {}, NONE}};
    for (const auto& row : kRows) {
        EXPECT_EQ(codeOf(buffer->copyFrom(row.memory, row.dimensions)), row.code) << row.name;
    }
    EXPECT_THAT(valuesOf(buffer), ElementsAre(1, 2, 3, 4));
    EXPECT_EQ(codeOf(buffer->copyTo(opaque)), GENERAL_FAILURE);
    EXPECT_EQ(codeOf(buffer->copyFrom(readOnly, {})), NONE);
}

// Rule memory.value.
TEST(ReferenceBuffers, HaveAValueAfterASuccessAlone) {
    const Subject subject;
    const SharedBuffer buffer = subject.output();
    const SharedMemory alien =
            std::make_shared<const Memory>(Memory{Memory::Unknown{.size = 16, .name = "alien"}});
    const auto hasValue = [&] { return codeOf(buffer->copyTo(memoryOf({0, 0, 0, 0}))) == NONE; };
    EXPECT_FALSE(hasValue());
    EXPECT_EQ(Addition().z(buffer).on(subject.model), NONE);
    EXPECT_TRUE(hasValue());
    EXPECT_THAT(valuesOf(buffer), ElementsAre(11, 22, 33, 44));
    EXPECT_EQ(codeOf(buffer->copyFrom(alien, {})), GENERAL_FAILURE);
    EXPECT_FALSE(hasValue());
    EXPECT_EQ(codeOf(buffer->copyFrom(memoryOf({5, 6, 7, 8}), {})), NONE);
    EXPECT_TRUE(hasValue());
    EXPECT_EQ(Addition().x(subject.input()).z(buffer).on(subject.model), GENERAL_FAILURE);
    EXPECT_FALSE(hasValue()) << "a failed execution had it as an output";
}

// Rules memory.in_request and memory.argument_location.
TEST(ReferenceBuffers, RequestsThatAreRefused) {
    const Subject subject;
    const SharedPreparedModel twin = prepareOn(*subject.device, addition()).value();
    const SharedDevice other = referenceDevice();
    const SharedBuffer foreign =
            other->allocate({}, {prepareOn(*other, addition()).value()}, {{0, 0, 1}}, {}).value();
    const auto filled = [&](SharedBuffer buffer) {
        EXPECT_EQ(codeOf(buffer->copyFrom(memoryOf({1, 2, 3, 4}), {})), NONE);
        return buffer;
    };
    const SharedBuffer first = filled(subject.input(0)), second = filled(subject.input(1));
    const SharedBuffer out = subject.output();
    const SharedBuffer twoInputs = filled(subject.allocate({{0, 0, 1}, {0, 1, 1}}, {}).value());
    using Token = Request::MemoryDomainToken;
    Addition withDimensions;
    withDimensions.x(first).request.inputs[0].dimensions = {4};
    const struct {
        const char* name;
        Addition addition;
        ErrorStatus code;
        SharedPreparedModel model{};
    } kRows[] = {
            {"HugeToken", Addition().x(Token(UINT32_MAX)), INVALID_ARGUMENT},
            {"BufferOfAnotherDevice", Addition().x(foreign), INVALID_ARGUMENT},
            {"OtherIndex", Addition().x(second), INVALID_ARGUMENT},
            {"OutputAsInput", Addition().x(out), INVALID_ARGUMENT},
            {"InputAsOutput", Addition().z(first), INVALID_ARGUMENT},
            {"OtherPreparedModel", Addition().x(first), INVALID_ARGUMENT, twin},
            {"WithoutValue", Addition().x(subject.input()), GENERAL_FAILURE},
            {"TheseDimensions", withDimensions, NONE},
            {"ByToken", Addition().x(first->getToken()), NONE},
            {"ByBuffer", Addition().x(first).y(second).z(out), NONE},
            {"TwoInputs", Addition().x(twoInputs).y(twoInputs), NONE},
    };
    for (const auto& row : kRows) {
        const auto& model = row.model == nullptr ? subject.model : row.model;
        EXPECT_EQ(row.addition.on(model), row.code) << row.name;
        // A reusable execution checks all of this at its creation, except the values.
        const bool isMade = row.code == NONE || row.code == GENERAL_FAILURE;
        EXPECT_EQ(codeOf(reusableOn(*model, row.addition.request)), isMade ? NONE : row.code)
                << row.name;
    }
    EXPECT_THAT(valuesOf(out), ElementsAre(2, 4, 6, 8));
}

// Two outputs, RELU and RELU1 of one input, whose size the model leaves unspecified.
TEST(ReferenceBuffers, ServeOneOutputEach) {  // rule memory.in_request
    Model model;
    Graph main(model);
    const auto x = main.input(TENSOR_FLOAT32, {4});
    main.add(OperationType::RELU, {x}, {main.output(TENSOR_FLOAT32, {4})});
    main.add(OperationType::RELU1, {x}, {main.output(TENSOR_FLOAT32, {4})});
    model.main = main.graph;
    const SharedDevice device = referenceDevice();
    const SharedPreparedModel prepared = prepareOn(*device, model).value();
    const SharedBuffer buffer =
            device->allocate({}, {prepared}, {}, {{0, 0, 1}, {0, 1, 1}}).value();
    std::vector<float> in = {1, 2, 3, 4};
    const Request request{.inputs = {pointerTo(in)}, .outputs = {{}, {}}, .pools = {buffer}};
    EXPECT_EQ(codeOf(executeOn(*prepared, request)), INVALID_ARGUMENT);
}

// One output is too small, another is in a buffer that is large enough.
TEST(ReferenceBuffers, DoNotAffectOtherOutputs) {
    Model model;
    Graph main(model);
    const auto x = main.input(TENSOR_FLOAT32, {0});
    main.add(OperationType::RELU, {x}, {main.output(TENSOR_FLOAT32, {0})});
    main.add(OperationType::RELU1, {x}, {main.output(TENSOR_FLOAT32, {0})});
    model.main = main.graph;
    const SharedDevice device = referenceDevice();
    const SharedPreparedModel prepared = prepareOn(*device, model).value();
    const SharedBuffer buffer = device->allocate({{4}}, {prepared}, {}, {{0, 0, 1}}).value();
    std::vector<float> in = {1, 2, 3, 4}, small(2);
    Request request{
            .inputs = {pointerTo(in)}, .outputs = {{}, pointerTo(small)}, .pools = {buffer}};
    request.inputs[0].dimensions = {4};
    const auto executed = executeOn(*prepared, request);
    ASSERT_FALSE(executed.has_value());
    EXPECT_EQ(executed.error().code, OUTPUT_INSUFFICIENT_SIZE) << executed.error().message;
    EXPECT_THAT(executed.error().outputShapes,
                ElementsAre(OutputShape{{4}, true}, OutputShape{{4}, false}));
}

// Rules memory.small_buffer and memory.input_dimensions.
TEST(ReferenceBuffers, TakeResultsOfTheirDimensions) {
    const SharedDevice device = referenceDevice();
    const SharedPreparedModel open = prepareOn(*device, addition(0)).value();
    const SharedBuffer out = device->allocate({{4}}, {open}, {{0, 0, 1}}, {{0, 0, 1}}).value();
    const auto with = [&](std::vector<float> x) {
        Addition addition;
        addition.sum->x = x;
        addition.sum->y = x;
        const auto extent = static_cast<uint32_t>(x.size());
        addition.request = addition.sum->request({extent});
        addition.z(out);
        const auto executed = executeOn(*open, addition.request);
        EXPECT_TRUE(executed.has_value() || executed.error().outputShapes.empty());
        return codeOf(executed);
    };
    EXPECT_EQ(with({1, 2, 3, 4}), NONE);
    EXPECT_THAT(valuesOf(out), ElementsAre(2, 4, 6, 8));
    Addition next;
    next.request = next.sum->request({4});
    next.x(out);
    EXPECT_EQ(next.on(open), NONE) << "the shape is that of the last output";
    EXPECT_THAT(next.sum->z, ElementsAre(12, 24, 36, 48));
    next.request.inputs[1].dimensions = {3};
    next.request.inputs[1].location.length = 12;
    EXPECT_NE(next.on(open), NONE);
    for (const auto& x : {std::vector<float>{1, 2, 3, 4, 5}, std::vector<float>{1, 2, 3}}) {
        EXPECT_EQ(with(x), GENERAL_FAILURE) << x.size();
        EXPECT_EQ(codeOf(out->copyTo(memoryOf({0, 0, 0, 0}))), GENERAL_FAILURE) << x.size();
    }
}

// Rule memory.released_model.
TEST(ReferenceBuffers, KeepNoPreparedModels) {
    Subject subject;
    const std::weak_ptr<const IPreparedModel> model = subject.model;
    const SharedBuffer buffer = subject.input();
    EXPECT_EQ(codeOf(buffer->copyFrom(memoryOf({1, 2, 3, 4}), {})), NONE);
    subject.model = nullptr;
    EXPECT_TRUE(model.expired());
    for (int i = 0; i < 100; ++i) {
        const SharedPreparedModel next = prepareOn(*subject.device, addition()).value();
        EXPECT_EQ(Addition().x(buffer).on(next), INVALID_ARGUMENT)
                << "not even one at the same address";
    }
    EXPECT_THAT(valuesOf(buffer), ElementsAre(1, 2, 3, 4));
}

}  // namespace
}  // namespace nn::reference_buffers_test
