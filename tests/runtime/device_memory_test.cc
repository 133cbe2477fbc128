// Memory of the devices that this project ships: each allocates it for every model that it
// prepares.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>
#include <vector>

#include "nnapi/driver/reference.h"
#include "nnapi/memory.h"
#include "runtime/devices/host_device.h"
#include "vectors.h"
#ifdef NNAPI_HAS_XNNPACK
#include "nnapi/driver/xnnpack.h"
#endif

namespace nn::device_memory_test {
namespace {

using LifeTime = Request::Argument::LifeTime;

std::vector<SharedDevice> ownDevices() {
    return {referenceDevice(), runtime::hostDevice({}),
#ifdef NNAPI_HAS_XNNPACK
            xnnpackDevice()
#endif
    };
}

// All inputs and outputs of a model in buffers of its device, but those without bytes.
class InBuffers {
   public:
    InBuffers(const IDevice& device, SharedPreparedModel model, const TestCase& testCase)
        : mDevice(device), mModel(std::move(model)), mCase(testCase) {
        for (uint32_t i = 0; i < testCase.inputs.size(); ++i) {
            mRequest.inputs.push_back(add(testCase.inputs[i], i, /*isOutput=*/false));
        }
        for (uint32_t i = 0; i < testCase.outputs.size(); ++i) {
            mRequest.outputs.push_back(add(testCase.outputs[i].value, i, /*isOutput=*/true));
        }
    }

    size_t buffers() const { return mBuffers; }

    // The bytes of all outputs.
    std::vector<std::vector<uint8_t>> execute() {
        const auto executed = mModel->execute(mRequest, MeasureTiming::NO, {}, {}, {}, {});
        EXPECT_TRUE(executed.has_value())
                << mDevice.getName() << " " << mCase.name << ": " << executed.error().message;
        std::vector<std::vector<uint8_t>> results;
        for (size_t i = 0; i < mRequest.outputs.size() && executed.has_value(); ++i) {
            std::vector<uint8_t>& bytes = results.emplace_back(mCase.outputs[i].value.data.size());
            if (mOutputs[i] == nullptr) continue;
            const SharedMemory copy = createSharedMemory(bytes.size()).value();
            EXPECT_TRUE(mOutputs[i]->copyTo(copy).has_value());
            EXPECT_TRUE(readMemory(copy, 0, bytes).ok());
        }
        return results;
    }

   private:
    Request::Argument add(const Tensor& tensor, uint32_t index, bool isOutput) {
        if (isOutput) mOutputs.push_back(nullptr);
        if (tensor.hasNoValue) return {.lifetime = LifeTime::NO_VALUE};
        if (tensor.data.empty()) {
            mEmpty.emplace_back(1);
            return {.lifetime = LifeTime::POINTER,
                    .location = {.pointer = static_cast<void*>(mEmpty.back().data()), .length = 1},
                    .dimensions = tensor.dimensions};
        }
        const std::vector<BufferRole> roles = {{.ioIndex = index, .probability = 1}};
        const std::vector<BufferRole> none;
        auto buffer = mDevice.allocate({.dimensions = tensor.dimensions}, {mModel},
                                       isOutput ? none : roles, isOutput ? roles : none);
        if (!buffer.has_value()) {
            ADD_FAILURE() << mDevice.getName() << " " << mCase.name << ": "
                          << buffer.error().message;
            return {.lifetime = LifeTime::NO_VALUE};
        }
        ++mBuffers;
        if (isOutput) {
            mOutputs.back() = *buffer;
        } else {
            const SharedMemory value = createSharedMemory(tensor.data.size()).value();
            EXPECT_TRUE(writeMemory(value, 0, tensor.data).ok());
            EXPECT_TRUE((*buffer)->copyFrom(value, {}).has_value());
        }
        mRequest.pools.emplace_back(*buffer);
        return {.lifetime = LifeTime::POOL,
                .location = {.poolIndex = static_cast<uint32_t>(mRequest.pools.size() - 1)}};
    }

    const IDevice& mDevice;
    const SharedPreparedModel mModel;
    const TestCase& mCase;
    Request mRequest{};
    std::vector<SharedBuffer> mOutputs{};
    std::vector<std::vector<uint8_t>> mEmpty{};
    size_t mBuffers = 0;
};

// The same by pointers; nothing for a case that is not to be executed.
std::optional<std::vector<std::vector<uint8_t>>> executed(const IPreparedModel& model,
                                                          TestCase testCase) {
    Request request;
    const auto argument = [](const Tensor& tensor, std::vector<uint8_t>& bytes) {
        if (tensor.hasNoValue) return Request::Argument{.lifetime = LifeTime::NO_VALUE};
        bytes = tensor.data;
        if (bytes.empty()) bytes.resize(1);
        return Request::Argument{.lifetime = LifeTime::POINTER,
                                 .location = {.pointer = static_cast<void*>(bytes.data()),
                                              .length = static_cast<uint32_t>(bytes.size())},
                                 .dimensions = tensor.dimensions};
    };
    std::vector<std::vector<uint8_t>> inputs(testCase.inputs.size());
    std::vector<std::vector<uint8_t>> outputs(testCase.outputs.size());
    for (size_t i = 0; i < inputs.size(); ++i) {
        request.inputs.push_back(argument(testCase.inputs[i], inputs[i]));
    }
    for (size_t i = 0; i < outputs.size(); ++i) {
        request.outputs.push_back(argument(testCase.outputs[i].value, outputs[i]));
    }
    if (!model.execute(request, MeasureTiming::NO, {}, {}, {}, {}).has_value()) {
        return std::nullopt;
    }
    for (size_t i = 0; i < outputs.size(); ++i)
        outputs[i].resize(testCase.outputs[i].value.data.size());
    return outputs;
}

TEST(DeviceMemory, HoldsTheArgumentsOfEveryModelThatADeviceOfThisProjectPrepares) {
    for (const SharedDevice& device : ownDevices()) {
        size_t buffers = 0;
        forEachVector([&](const TestCase& testCase) {
            const auto model = device->prepareModel(testCase.model, ExecutionPreference::DEFAULT,
                                                    Priority::DEFAULT, {}, {}, {}, {}, {}, {});
            if (!model.has_value() || testCase.expectFailure) return;
            const auto expected = executed(**model, testCase);
            if (!expected) return;
            InBuffers inBuffers(*device, *model, testCase);
            EXPECT_EQ(inBuffers.execute(), *expected) << device->getName() << testCase.name;
            buffers += inBuffers.buffers();
        });
        EXPECT_GT(buffers, 1000u) << device->getName();
    }
}

// An ADD that XNNPACK computes, and a model that it does not: one buffer for both.
TEST(DeviceMemory, OfTheHostIsSharedByModelsThatDifferentLibrariesCompute) {
    const auto unary = [](OperationType type) {
        const Operand tensor = {.type = OperandType::TENSOR_FLOAT32, .dimensions = {4}};
        Model model;
        model.main.operands = {tensor, tensor};
        model.main.operands[0].lifetime = Operand::LifeTime::SUBGRAPH_INPUT;
        model.main.operands[1].lifetime = Operand::LifeTime::SUBGRAPH_OUTPUT;
        model.main.operations = {{.type = type, .inputs = {0}, .outputs = {1}}};
        model.main.inputIndexes = {0};
        model.main.outputIndexes = {1};
        return model;
    };
    const SharedDevice host = runtime::hostDevice({});
    const auto prepared = [&](OperationType type) {
        return host
                ->prepareModel(unary(type), ExecutionPreference::DEFAULT, Priority::DEFAULT, {}, {},
                               {}, {}, {}, {})
                .value();
    };
    const std::vector<SharedPreparedModel> models = {prepared(OperationType::ABS),
                                                     prepared(OperationType::SIN)};
    const SharedBuffer between =
            host->allocate({}, models, {{.modelIndex = 1, .ioIndex = 0, .probability = 1}},
                           {{.modelIndex = 0, .ioIndex = 0, .probability = 1}})
                    .value();
    std::vector<float> values = {-1, 2, -3, 4}, results(4);
    const auto pointer = [](std::vector<float>& floats) {
        return Request::Argument{
                .lifetime = LifeTime::POINTER,
                .location = {.pointer = static_cast<void*>(floats.data()), .length = 16}};
    };
    const Request::Argument inBuffer = {.lifetime = LifeTime::POOL};
    const auto execute = [](const SharedPreparedModel& model, const Request& request) {
        return model->execute(request, MeasureTiming::NO, {}, {}, {}, {});
    };
    const Request reads = {
            .inputs = {inBuffer}, .outputs = {pointer(results)}, .pools = {between->getToken()}};
    EXPECT_EQ(execute(models[1], reads).error().code, ErrorStatus::GENERAL_FAILURE);
    const Request writes = {
            .inputs = {pointer(values)}, .outputs = {inBuffer}, .pools = {between->getToken()}};
    EXPECT_TRUE(execute(models[0], writes).has_value());
    EXPECT_TRUE(execute(models[1], reads).has_value());
    EXPECT_NEAR(results[2], 0.14112f, 1e-4f);
    EXPECT_EQ(execute(models[1], writes).error().code, ErrorStatus::INVALID_ARGUMENT);

    // A fenced execution, of a burst and of a reusable execution too.
    const auto fenced = models[1]->executeFenced(reads, {}, MeasureTiming::NO, {}, {}, {}, {}, {});
    ASSERT_TRUE(fenced.has_value()) << fenced.error().message;
    EXPECT_NE(fenced->first.syncWait(std::chrono::minutes(1)), SyncFence::FenceState::ERROR);
    const SharedBurst burst = models[1]->configureExecutionBurst().value();
    EXPECT_TRUE(burst->execute(reads, MeasureTiming::NO, {}, {}, {}, {}).has_value());
    EXPECT_TRUE(burst->createReusableExecution(reads, MeasureTiming::NO, {}, {}, {})
                        .value()
                        ->compute({})
                        .has_value());
}

}  // namespace
}  // namespace nn::device_memory_test
