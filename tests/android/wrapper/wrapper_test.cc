// The classes of NeuralNetworksWrapper.h, on libneuralnetworks.so.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "NeuralNetworksWrapper.h"

namespace android::nn::wrapper {
namespace {

using Floats = std::array<float, 4>;

// z = x + {1, 2, 3, 4}
Model addition() {
    const OperandType tensor(Type::TENSOR_FLOAT32, {4}), scalar(Type::INT32, {});
    const Floats constant = {1, 2, 3, 4};
    Model model;
    const uint32_t x = model.addOperand(&tensor);
    const uint32_t y = model.addConstantOperand(&tensor, constant);
    const uint32_t none = model.addConstantOperand(&scalar, int32_t{ANEURALNETWORKS_FUSED_NONE});
    const uint32_t z = model.addOperand(&tensor);
    model.addOperation(ANEURALNETWORKS_ADD, {x, y, none}, {z});
    model.identifyInputsAndOutputs({x}, {z});
    model.relaxComputationFloat32toFloat16(true);
    EXPECT_TRUE(model.isValid() && model.isRelaxed() && !model.isFinished());
    EXPECT_EQ(model.finish(), Result::NO_ERROR);
    EXPECT_TRUE(model.isFinished());
    return model;
}

TEST(Wrapper, ExecutesInEachMode) {
    const Model model = addition();
    Compilation compilation(&model);
    EXPECT_EQ(compilation.setPreference(ExecutePreference::PREFER_LOW_POWER), Result::NO_ERROR);
    EXPECT_EQ(compilation.setPriority(ExecutePriority::HIGH), Result::NO_ERROR);
    EXPECT_EQ(compilation.setCaching("/", {1, 2, 3}), Result::BAD_DATA);
    ASSERT_EQ(compilation.finish(), Result::NO_ERROR);
    uint32_t alignment = 0, padding = 0;
    EXPECT_EQ(compilation.getPreferredMemoryAlignmentForInput(0, &alignment), Result::NO_ERROR);
    EXPECT_EQ(compilation.getPreferredMemoryPaddingForOutput(0, &padding), Result::NO_ERROR);
    EXPECT_TRUE(alignment > 0 && padding > 0);
    using Mode = Execution::ComputeMode;
    for (const Mode mode : {Mode::SYNC, Mode::ASYNC, Mode::BURST, Mode::FENCED}) {
        const Floats input = {10, 20, 30, 40};
        Floats output = {};
        Execution execution(&compilation);
        EXPECT_EQ(execution.setLoopTimeout(1'000'000), Result::NO_ERROR);
        EXPECT_EQ(execution.setInput(0, &input), Result::NO_ERROR);
        EXPECT_EQ(execution.setOutput(0, &output), Result::NO_ERROR);
        Execution::setComputeMode(mode);
        EXPECT_EQ(execution.compute(), Result::NO_ERROR);
        EXPECT_EQ(output, (Floats{11, 22, 33, 44}));
        std::vector<uint32_t> dimensions;
        EXPECT_EQ(execution.getOutputOperandDimensions(0, &dimensions), Result::NO_ERROR);
        EXPECT_EQ(dimensions, std::vector<uint32_t>{4});
    }
    Execution::setComputeMode(Mode::SYNC);
}

TEST(Wrapper, ExecutesOnMemoryOfAFileAfterAnEvent) {
    const int fd = memfd_create("wrapper_test", MFD_CLOEXEC);
    const Floats input = {1, 1, 1, 1};
    ASSERT_EQ(ftruncate(fd, 32), 0);
    ASSERT_EQ(pwrite(fd, &input, sizeof(input), 0), ssize_t{sizeof(input)});
    Memory memory(32, PROT_READ | PROT_WRITE, fd, 0);
    close(fd);
    ASSERT_TRUE(memory.isValid());
    const Model model = addition();
    ANeuralNetworksDevice* reference = nullptr;
    uint32_t count = 0;
    ASSERT_EQ(ANeuralNetworks_getDeviceCount(&count), ANEURALNETWORKS_NO_ERROR);
    ASSERT_EQ(ANeuralNetworks_getDevice(count - 1, &reference), ANEURALNETWORKS_NO_ERROR);
    auto [created, compilation] = Compilation::createForDevice(&model, reference);
    ASSERT_EQ(created, Result::NO_ERROR);
    ASSERT_EQ(compilation.finish(), Result::NO_ERROR);
    Execution first(&compilation), second(&compilation);
    Floats output = {};
    EXPECT_EQ(first.setInputFromMemory(0, &memory, 0, 16), Result::NO_ERROR);
    EXPECT_EQ(first.setOutputFromMemory(0, &memory, 16, 16), Result::NO_ERROR);
    EXPECT_EQ(second.setInputFromMemory(0, &memory, 16, 16), Result::NO_ERROR);
    EXPECT_EQ(second.setOutput(0, &output), Result::NO_ERROR);
    Event ofFirst, ofSecond;
    EXPECT_EQ(first.startCompute(&ofFirst), Result::NO_ERROR);
    EXPECT_EQ(second.startComputeWithDependencies({&ofFirst}, 0, &ofSecond), Result::NO_ERROR);
    EXPECT_EQ(ofSecond.wait(), Result::NO_ERROR);
    EXPECT_EQ(output, (Floats{3, 5, 7, 9}));
}

// Every device that this project ships allocates memory for a model that is compiled only for it.
TEST(Wrapper, ExecutesOnMemoryOfEachDevice) {
    const Model model = addition();
    uint32_t count = 0;
    ASSERT_EQ(ANeuralNetworks_getDeviceCount(&count), ANEURALNETWORKS_NO_ERROR);
    ASSERT_GE(count, 2u);
    for (uint32_t i = 0; i < count; ++i) {
        ANeuralNetworksDevice* device = nullptr;
        const char* name = nullptr;
        ASSERT_EQ(ANeuralNetworks_getDevice(i, &device), ANEURALNETWORKS_NO_ERROR);
        ASSERT_EQ(ANeuralNetworksDevice_getName(device, &name), ANEURALNETWORKS_NO_ERROR);
        SCOPED_TRACE(name);
        auto [created, compilation] = Compilation::createForDevice(&model, device);
        ASSERT_EQ(compilation.finish(), Result::NO_ERROR);
        ANeuralNetworksMemoryDesc* desc = nullptr;
        ASSERT_EQ(ANeuralNetworksMemoryDesc_create(&desc), ANEURALNETWORKS_NO_ERROR);
        EXPECT_EQ(ANeuralNetworksMemoryDesc_addOutputRole(desc, compilation.getHandle(), 0, 1.0f),
                  ANEURALNETWORKS_NO_ERROR);
        EXPECT_EQ(ANeuralNetworksMemoryDesc_finish(desc), ANEURALNETWORKS_NO_ERROR);
        ANeuralNetworksMemory* allocated = nullptr;
        EXPECT_EQ(ANeuralNetworksMemory_createFromDesc(desc, &allocated), ANEURALNETWORKS_NO_ERROR);
        ANeuralNetworksMemoryDesc_free(desc);
        const Memory memory(allocated);
        ASSERT_TRUE(memory.isValid());
        const Floats input = {10, 20, 30, 40};
        Execution execution(&compilation);
        EXPECT_EQ(execution.setInput(0, &input), Result::NO_ERROR);
        EXPECT_EQ(execution.setOutputFromMemory(0, &memory, 0, 0), Result::NO_ERROR);
        EXPECT_EQ(execution.compute(), Result::NO_ERROR);
        const int fd = memfd_create("wrapper_test", MFD_CLOEXEC);
        ASSERT_EQ(ftruncate(fd, 16), 0);
        const Memory copy(16, PROT_READ | PROT_WRITE, fd, 0);
        EXPECT_EQ(ANeuralNetworksMemory_copy(memory.get(), copy.get()), ANEURALNETWORKS_NO_ERROR);
        Floats output = {};
        EXPECT_EQ(pread(fd, &output, sizeof(output), 0), ssize_t{sizeof(output)});
        EXPECT_EQ(output, (Floats{11, 22, 33, 44}));
        close(fd);
    }
}

TEST(Wrapper, BecomesInvalidByTheFirstCallThatFails) {
    Model model;
    const OperandType tensor(Type::TENSOR_FLOAT32, {4});
    EXPECT_EQ(model.addOperand(&tensor), 0u);
    model.setOperandValue(7, &tensor, 16);
    EXPECT_FALSE(model.isValid());
    EXPECT_EQ(model.addOperand(&tensor), 1u);
    EXPECT_EQ(model.finish(), Result::BAD_STATE);
    const Compilation compilation(&model);
    EXPECT_EQ(compilation.getHandle(), nullptr);
    EXPECT_EQ(Execution(&compilation).compute(), Result::UNEXPECTED_NULL);
}

TEST(Wrapper, OwnsOneObjectAfterMoves) {
    Model model = addition();
    ANeuralNetworksModel* const handle = model.getHandle();
    Model moved = std::move(model);
    EXPECT_EQ(moved.getHandle(), handle);
    EXPECT_EQ(model.getHandle(), nullptr);  // NOLINT(bugprone-use-after-move)
    EXPECT_FALSE(model.isValid());
    EXPECT_EQ(model.finish(), Result::BAD_STATE);
    model = std::move(moved);
    EXPECT_EQ(model.getHandle(), handle);
    Event event;
    EXPECT_EQ(event.wait(), Result::UNEXPECTED_NULL);
    EXPECT_FALSE(Memory(16, PROT_READ, /*fd=*/-1, 0).isValid());
}

TEST(Wrapper, CopiesTypesWithTheirArrays) {
    OperandType type(Type::TENSOR_QUANT8_SYMM_PER_CHANNEL, {2, 3},
                     SymmPerChannelQuantParams({0.5f, 0.25f}, /*channelDim=*/0));
    OperandType copy = type;
    type.updateDimensions({7});
    EXPECT_EQ(copy.operandType.dimensionCount, 2u);
    EXPECT_EQ(copy.operandType.dimensions, copy.dimensions.data());
    EXPECT_EQ(copy.channelQuant->params.scales, copy.channelQuant->scales.data());
    EXPECT_EQ(copy.channelQuant->params.scaleCount, 2u);
    copy = type;
    EXPECT_EQ(copy.operandType.dimensionCount, 1u);
    EXPECT_EQ(copy.operandType.dimensions[0], 7u);
    EXPECT_EQ(copy.operandType.dimensions, copy.dimensions.data());
}

}  // namespace
}  // namespace android::nn::wrapper
