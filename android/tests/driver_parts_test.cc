// Parts from which drivers and clients of Android 12 are built: queues of bursts, death monitors,
// operation resolvers, AIDL objects of a feature level.
#include <ActivationFunctor.h>
#include <ExecutionBurstController.h>
#include <ExecutionBurstServer.h>
#include <OperationResolver.h>
#include <aidl/android/hardware/neuralnetworks/BnExecution.h>
#include <android/hardware_buffer.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <nnapi/SharedMemory.h>
#include <nnapi/hal/aidl/Adapter.h>
#include <nnapi/hal/aidl/Device.h>
#include <nnapi/hal/aidl/Execution.h>
#include <nnapi/hal/aidl/ProtectCallback.h>
#include <utils/NativeHandle.h>

#include <chrono>
#include <cmath>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "LegacyUtils.h"
#include "nnapi/driver/reference.h"

namespace android::nn::driver_parts_test {
namespace {

namespace aidl_hal = ::aidl::android::hardware::neuralnetworks;
namespace aidl_utils = ::aidl::android::hardware::neuralnetworks::utils;

// ---- queues of bursts

TEST(BurstChannels, CarryARequestAndItsResult) {
    constexpr std::chrono::microseconds kWindow{10};
    auto [requests, requestQueue] = RequestChannelSender::create(kExecutionBurstChannelLength);
    auto [results, resultQueue] =
            ResultChannelReceiver::create(kExecutionBurstChannelLength, kWindow);
    ASSERT_TRUE(requests != nullptr && results != nullptr);
    std::thread driver([&, requestQueue = requestQueue, resultQueue = resultQueue] {
        const auto receiver = RequestChannelReceiver::create(*requestQueue, kWindow);
        const auto sender = ResultChannelSender::create(*resultQueue);
        const auto received = receiver->getBlocking();
        ASSERT_TRUE(received.has_value());
        const auto& [request, slots, measure] = *received;
        EXPECT_EQ(request.inputs.size(), 1u);
        EXPECT_EQ(slots, (std::vector<int32_t>{7}));
        EXPECT_EQ(measure, V1_2::MeasureTiming::YES);
        EXPECT_TRUE(sender->send(V1_0::ErrorStatus::OUTPUT_INSUFFICIENT_SIZE,
                                 {{.dimensions = {3}, .isSufficient = false}},
                                 {.timeOnDevice = 1, .timeInDriver = 2}));
    });
    V1_0::Request request;
    request.inputs.resize(1);
    EXPECT_TRUE(requests->send(request, V1_2::MeasureTiming::YES, {7}));
    const auto result = results->getBlocking();
    driver.join();
    ASSERT_TRUE(result.has_value());
    const auto& [status, shapes, timing] = *result;
    EXPECT_EQ(status, V1_0::ErrorStatus::OUTPUT_INSUFFICIENT_SIZE);
    EXPECT_EQ(shapes.at(0).dimensions[0], 3u);
    EXPECT_EQ(timing.timeInDriver, 2u);
}

TEST(BurstChannels, SendNothingThatDoesNotFitAndNothingOnceTheyAreInvalid) {
    auto [requests, queue] = RequestChannelSender::create(4);
    V1_0::Request large;
    large.inputs.resize(10);
    EXPECT_FALSE(requests->send(large, V1_2::MeasureTiming::NO, {}));
    requests->invalidate();
    EXPECT_FALSE(requests->sendPacket({{}}));
    EXPECT_EQ(ResultChannelSender::create({}), nullptr);
    EXPECT_EQ(RequestChannelReceiver::create({}, {}), nullptr);

    auto [results, resultQueue] = ResultChannelReceiver::create(4, {});
    std::thread waiting([&results = results] { EXPECT_EQ(results->getBlocking(), std::nullopt); });
    results->invalidate();
    waiting.join();
}

TEST(ExecutionBurstCallback, SendsEachMemoryBySlot) {
    ExecutionBurstController::ExecutionBurstCallback callback;
    const hardware::hidl_vec<hardware::hidl_memory> memories = {
            hardware::hidl_memory("ashmem", {}, 1), hardware::hidl_memory("ashmem", {}, 2)};
    EXPECT_EQ(callback.getSlots(memories, {10, 20}), (std::vector<int32_t>{0, 1}));
    EXPECT_EQ(callback.getSlots(memories, {20, 10}), (std::vector<int32_t>{1, 0}));
    const auto sizes = [&](const hardware::hidl_vec<int32_t>& slots) {
        std::optional<std::vector<uint64_t>> found;
        callback.getMemories(slots,
                             [&](V1_0::ErrorStatus status, const auto& sent) {
                                 if (status != V1_0::ErrorStatus::NONE) return;
                                 found.emplace();
                                 for (const hardware::hidl_memory& memory : sent)
                                     found->push_back(memory.size());
                             })
                .isOk();
        return found;
    };
    EXPECT_EQ(sizes({1, 0}), (std::vector<uint64_t>{2, 1}));
    EXPECT_EQ(callback.freeMemory(10), std::pair(true, 0));
    EXPECT_FALSE(callback.freeMemory(10).first);
    EXPECT_EQ(sizes({1, 0}), std::nullopt);
    EXPECT_EQ(callback.getSlots(memories, {30}), (std::vector<int32_t>{0}));
}

TEST(LegacyConvertResultCode, LosesWhatHal12DoesNotHave) {
    EXPECT_EQ(legacyConvertResultCodeToErrorStatus(ANEURALNETWORKS_NO_ERROR),
              V1_0::ErrorStatus::NONE);
    EXPECT_EQ(legacyConvertResultCodeToErrorStatus(ANEURALNETWORKS_BAD_DATA),
              V1_0::ErrorStatus::INVALID_ARGUMENT);
    EXPECT_EQ(legacyConvertResultCodeToErrorStatus(ANEURALNETWORKS_MISSED_DEADLINE_TRANSIENT),
              V1_0::ErrorStatus::GENERAL_FAILURE);
}

// ---- deaths

struct Counted final : aidl_utils::IProtectedCallback {
    void notifyAsDeadObject() override {
        ++deaths;
        if (onDeath) onDeath();
    }
    int deaths = 0;
    std::function<void()> onDeath{};
};

class Execution final : public aidl_hal::BnExecution {
   public:
    ndk::ScopedAStatus executeSynchronously(int64_t, aidl_hal::ExecutionResult* result) override {
        ++executed;
        result->outputSufficientSize = isSufficient;
        result->outputShapes = {{.dimensions = {2}, .isSufficient = isSufficient}};
        result->timing = {.timeOnDeviceNs = -1, .timeInDriverNs = -1};
        return ndk::ScopedAStatus::ok();
    }
    ndk::ScopedAStatus executeFenced(const std::vector<ndk::ScopedFileDescriptor>&, int64_t,
                                     int64_t, aidl_hal::FencedExecutionResult*) override {
        return ndk::ScopedAStatus::fromServiceSpecificError(
                static_cast<int32_t>(aidl_hal::ErrorStatus::DEVICE_UNAVAILABLE));
    }

    bool isSufficient = true;
    int executed = 0;
};

TEST(DeathMonitor, NotifiesEachCallbackOnce) {
    const auto object = ndk::SharedRefBase::make<Execution>();
    const auto handler = aidl_utils::DeathHandler::create(object);
    ASSERT_TRUE(handler.has_value());
    Counted held, released, forGood, late, selfReleased;
    const auto guard = handler->protectCallback(&held);
    { const auto gone = handler->protectCallback(&released); }
    handler->protectCallbackForLifetimeOfDeathHandler(&forGood);
    auto own = std::make_unique<base::ScopeGuard<aidl_utils::DeathHandler::Cleanup>>(
            handler->protectCallback(&selfReleased));
    selfReleased.onDeath = [&own] { own.reset(); };
    const auto monitor = handler->getDeathMonitor();
    EXPECT_EQ(monitor->getCookieKey(), reinterpret_cast<uintptr_t>(object.get()));
    aidl_utils::DeathMonitor::serviceDied(monitor.get());
    monitor->serviceDied();
    const auto lateGuard = handler->protectCallback(&late);
    EXPECT_EQ(held.deaths, 1);
    EXPECT_EQ(released.deaths, 0);
    EXPECT_EQ(forGood.deaths, 1);
    EXPECT_EQ(selfReleased.deaths, 1);
    EXPECT_EQ(late.deaths, 1);
    EXPECT_EQ(own, nullptr);
}

TEST(NativeHandle, ClosesWhatItOwns) {
    const int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    native_handle_t* const handle = native_handle_create(1, 0);
    handle->data[0] = fd;
    {
        const sp<NativeHandle> borrowed = NativeHandle::create(handle, /*ownsHandle=*/false);
        EXPECT_EQ(borrowed->handle(), handle);
    }
    EXPECT_NE(fcntl(fd, F_GETFD), -1);
    { const sp<NativeHandle> owner = NativeHandle::create(handle, /*ownsHandle=*/true); }
    EXPECT_EQ(fcntl(fd, F_GETFD), -1);
    EXPECT_EQ(NativeHandle::create(nullptr, /*ownsHandle=*/true), nullptr);
}

// ---- AIDL objects

TEST(AidlDevice, HasTheFeatureLevelOfItsCreation) {
    const auto driver = aidl_hal::adapter::adapt(::nn::referenceDevice());
    for (const Version level : {kVersionFeatureLevel5, kVersionFeatureLevel6, kVersionFeatureLevel7,
                                kVersionFeatureLevel8}) {
        const auto device = aidl_utils::Device::create("of a level", driver, level);
        ASSERT_TRUE(device.has_value()) << device.error().message;
        EXPECT_EQ((*device)->getFeatureLevel().level, level.level);
    }
    EXPECT_EQ(aidl_utils::Device::create("older", driver, kVersionFeatureLevel4).error().code,
              ErrorStatus::INVALID_ARGUMENT);
    EXPECT_EQ(aidl_utils::PreparedModel::create(nullptr, kVersionFeatureLevel3).error().code,
              ErrorStatus::INVALID_ARGUMENT);
}

TEST(AidlExecution, ComputesAndReturnsShapes) {
    const auto driver = ndk::SharedRefBase::make<Execution>();
    const auto execution = aidl_utils::Execution::create(driver, RequestRelocation()).value();
    const auto executed = execution->compute({});
    ASSERT_TRUE(executed.has_value()) << executed.error().message;
    EXPECT_EQ(executed->first,
              (std::vector<OutputShape>{{.dimensions = {2}, .isSufficient = true}}));
    driver->isSufficient = false;
    const auto insufficient = execution->compute({});
    EXPECT_EQ(insufficient.error().code, ErrorStatus::OUTPUT_INSUFFICIENT_SIZE);
    EXPECT_EQ(insufficient.error().outputShapes.size(), 1u);
    EXPECT_EQ(execution->computeFenced({}, {}, {}).error().code, ErrorStatus::DEVICE_UNAVAILABLE);
    EXPECT_EQ(driver->executed, 2);
    EXPECT_FALSE(aidl_utils::Execution::create(nullptr, RequestRelocation()).has_value());
}

// ---- operations

// An operation whose operands all have one type and shape.
class Operands final : public IOperationValidationContext {
   public:
    Operands(OperandType type, uint32_t inputs) : mType(type), mInputs(inputs) {}
    const char* getOperationName() const override { return "an operation"; }
    uint32_t getNumInputs() const override { return mInputs; }
    OperandType getInputType(uint32_t) const override { return mType; }
    Shape getInputShape(uint32_t) const override { return {.type = mType, .dimensions = {2}}; }
    const Operand::ExtraParams& getInputExtraParams(uint32_t) const override { return mNone; }
    uint32_t getNumOutputs() const override { return 1; }
    OperandType getOutputType(uint32_t) const override { return mType; }
    Shape getOutputShape(uint32_t) const override { return getInputShape(0); }

   private:
    const OperandType mType;
    const uint32_t mInputs;
    const Operand::ExtraParams mNone{};
};

TEST(BuiltinOperationResolver, ValidatesTypesOfEachOperation) {
    const auto* const resolver = BuiltinOperationResolver::get();
    for (int type = 0; type < BuiltinOperationResolver::kNumberOfOperationTypes; ++type) {
        EXPECT_NE(resolver->findOperation(static_cast<OperationType>(type)), nullptr) << type;
    }
    EXPECT_EQ(resolver->findOperation(static_cast<OperationType>(1 << 20)), nullptr);
    const OperationRegistration* const floor = resolver->findOperation(OperationType::FLOOR);
    EXPECT_STREQ(floor->name, "FLOOR");
    const Operands one(OperandType::TENSOR_FLOAT32, 1), two(OperandType::TENSOR_FLOAT32, 2),
            half(OperandType::TENSOR_FLOAT16, 1), integer(OperandType::TENSOR_INT32, 1);
    EXPECT_EQ(floor->validate(&one).value().level, kVersionFeatureLevel1.level);
    EXPECT_EQ(floor->validate(&half).value().level, kVersionFeatureLevel3.level);
    EXPECT_FALSE(floor->validate(&two).has_value());
    EXPECT_FALSE(floor->validate(&integer).has_value());
}

TEST(ActivationFunctor, ComputesEachActivation) {
    const struct Row {
        ActivationFn activation;
        float value, expected;
    } rows[] = {{kActivationNone, -7, -7},   {kActivationRelu, -7, 0},
                {kActivationRelu1, -7, -1},  {kActivationRelu1, 7, 1},
                {kActivationRelu6, 7, 6},    {kActivationTanh, 0.5f, std::tanh(0.5f)},
                {kActivationSignBit, -7, 1}, {kActivationSigmoid, 0, 0.5f},
                {ActivationFn(77), 3, 3}};
    for (const Row& row : rows) {
        EXPECT_EQ(ActivationFunctor(row.activation)(row.value), row.expected) << row.activation;
    }
}

// ---- blobs in hardware buffers

SharedMemory blobOf(const std::vector<float>& values) {
    AHardwareBuffer_Desc description = {};
    description.width = static_cast<uint32_t>(values.size() * sizeof(float));
    description.height = description.layers = 1;
    description.format = AHARDWAREBUFFER_FORMAT_BLOB;
    description.usage =
            AHARDWAREBUFFER_USAGE_CPU_READ_OFTEN | AHARDWAREBUFFER_USAGE_CPU_WRITE_OFTEN;
    AHardwareBuffer* buffer = nullptr;
    EXPECT_EQ(AHardwareBuffer_allocate(&description, &buffer), 0);
    const auto memory = createSharedMemoryFromAHWB(buffer, /*takeOwnership=*/true).value();
    std::memcpy(::nn::map(memory)->mutableData(), values.data(), description.width);
    return memory;
}

TEST(HardwareBuffer, IsAPoolOfModelsAndRequestsOfTheInterpreter) {
    Model model;
    for (const auto lifetime :
         {Operand::LifeTime::SUBGRAPH_INPUT, Operand::LifeTime::CONSTANT_REFERENCE,
          Operand::LifeTime::SUBGRAPH_OUTPUT}) {
        model.main.operands.push_back(
                {.type = OperandType::TENSOR_FLOAT32, .dimensions = {2}, .lifetime = lifetime});
    }
    model.main.operands[1].location = {.poolIndex = 0, .length = 8};
    model.main.operations = {{OperationType::MAXIMUM, {0, 1}, {2}}};
    model.main.inputIndexes = {0};
    model.main.outputIndexes = {2};
    model.pools = {blobOf({3, 4})};
    const auto device = ::nn::referenceDevice();
    const auto prepared = device->prepareModel(model, ExecutionPreference::DEFAULT,
                                               Priority::DEFAULT, {}, {}, {}, {}, {}, {});
    ASSERT_TRUE(prepared.has_value()) << prepared.error().message;
    const SharedMemory input = blobOf({1, 9}), output = blobOf({0, 0});
    const auto whole = [](uint32_t pool) {
        return Request::Argument{.lifetime = Request::Argument::LifeTime::POOL,
                                 .location = {.poolIndex = pool, .length = 8}};
    };
    const Request request = {.inputs = {whole(0)}, .outputs = {whole(1)}, .pools = {input, output}};
    const auto executed = (*prepared)->execute(request, MeasureTiming::NO, {}, {}, {}, {});
    ASSERT_TRUE(executed.has_value()) << executed.error().message;
    std::vector<float> values(2);
    std::memcpy(values.data(), ::nn::map(output)->data(), 8);
    EXPECT_EQ(values, (std::vector<float>{3, 9}));
}

}  // namespace
}  // namespace android::nn::driver_parts_test
