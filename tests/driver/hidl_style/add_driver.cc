#include "driver/hidl_style/add_driver.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "nnapi/hal/hidl/memory.h"
#include "nnapi/hal/hidl/message_queue.h"

// The content of a driver's file in an Android tree, with other names in these declarations.
using nn::hidl::EventFlag;
using nn::hidl::hidl_array;
using nn::hidl::hidl_death_recipient;
using nn::hidl::hidl_handle;
using nn::hidl::hidl_memory;
using nn::hidl::hidl_string;
using nn::hidl::hidl_vec;
using nn::hidl::IMemory;
using nn::hidl::kSynchronizedReadWrite;
using nn::hidl::mapMemory;
using nn::hidl::MessageQueue;
using nn::hidl::MQDescriptorSync;
using nn::hidl::Return;
using nn::hidl::sp;
using nn::hidl::Void;
using nn::hidl::wp;

namespace V1_0 = nn::V1_0;
namespace V1_1 = nn::V1_1;
namespace V1_2 = nn::V1_2;
namespace V1_3 = nn::V1_3;

namespace {

constexpr V1_2::Timing kNoTiming = {.timeOnDevice = UINT64_MAX, .timeInDriver = UINT64_MAX};

V1_0::ErrorStatus toV1_0(V1_3::ErrorStatus status) {
    switch (status) {
        case V1_3::ErrorStatus::NONE:
            return V1_0::ErrorStatus::NONE;
        case V1_3::ErrorStatus::INVALID_ARGUMENT:
            return V1_0::ErrorStatus::INVALID_ARGUMENT;
        case V1_3::ErrorStatus::OUTPUT_INSUFFICIENT_SIZE:
            return V1_0::ErrorStatus::OUTPUT_INSUFFICIENT_SIZE;
        default:
            return V1_0::ErrorStatus::GENERAL_FAILURE;
    }
}

// A range of floats in one of the pools of a request.
class Floats {
   public:
    Floats(const hidl_vec<sp<IMemory>>& pools, const V1_0::RequestArgument& argument) {
        const V1_0::DataLocation& location = argument.location;
        if (argument.hasNoValue || location.poolIndex >= pools.size()) return;
        const sp<IMemory>& pool = pools[location.poolIndex];
        const uint64_t size = pool->getSize();
        if (location.offset > size || location.length > size - location.offset) return;
        auto* bytes = static_cast<uint8_t*>(static_cast<void*>(pool->getPointer()));
        mData = reinterpret_cast<float*>(bytes + location.offset);
        mCount = location.length / sizeof(float);
    }
    float* data() const { return mData; }
    size_t count() const { return mCount; }

   private:
    float* mData = nullptr;
    size_t mCount = 0;
};

V1_3::ErrorStatus addThem(const hidl_vec<sp<IMemory>>& pools,
                          const hidl_vec<V1_0::RequestArgument>& inputs,
                          const hidl_vec<V1_0::RequestArgument>& outputs) {
    if (inputs.size() != 2 || outputs.size() != 1) return V1_3::ErrorStatus::INVALID_ARGUMENT;
    for (const sp<IMemory>& pool : pools) {
        if (pool == nullptr) return V1_3::ErrorStatus::GENERAL_FAILURE;
    }
    const Floats a(pools, inputs[0]), b(pools, inputs[1]), sum(pools, outputs[0]);
    if (a.data() == nullptr || b.data() == nullptr || sum.data() == nullptr ||
        a.count() != b.count() || a.count() != sum.count()) {
        return V1_3::ErrorStatus::INVALID_ARGUMENT;
    }
    for (size_t i = 0; i < sum.count(); ++i) sum.data()[i] = a.data()[i] + b.data()[i];
    return V1_3::ErrorStatus::NONE;
}

class FencedCallback : public V1_3::IFencedExecutionCallback {
   public:
    Return<void> getExecutionInfo(getExecutionInfo_cb callback) override {
        callback(V1_3::ErrorStatus::NONE, kNoTiming, kNoTiming);
        return Void();
    }
};

// Reads packets from one queue and replies through the other, on a thread of its own.
class BurstContext : public V1_2::IBurstContext {
   public:
    using Requests = MessageQueue<V1_2::FmqRequestDatum, kSynchronizedReadWrite>;
    using Results = MessageQueue<V1_2::FmqResultDatum, kSynchronizedReadWrite>;

    BurstContext(const sp<V1_2::IBurstCallback>& callback,
                 const MQDescriptorSync<V1_2::FmqRequestDatum>& requests,
                 const MQDescriptorSync<V1_2::FmqResultDatum>& results)
        : mCallback(callback), mRequests(requests, false), mResults(results, false) {
        EventFlag::createEventFlag(mRequests.getEventFlagWord(), &mFlag);
        mThread = std::thread([this] { serve(); });
    }
    ~BurstContext() override {
        mIsEnding = true;
        mFlag->wake(nn::hidl::FMQ_NOT_EMPTY);
        mThread.join();
        EventFlag::deleteEventFlag(&mFlag);
    }
    bool isValid() const { return mRequests.isValid() && mResults.isValid(); }

    Return<void> freeMemory(int32_t slot) override {
        const std::lock_guard<std::mutex> lock(mMutex);
        mMemories.erase(std::remove_if(mMemories.begin(), mMemories.end(),
                                       [&](const auto& entry) { return entry.first == slot; }),
                        mMemories.end());
        return Void();
    }

   private:
    void serve() {
        while (!mIsEnding) {
            uint32_t state = 0;
            const size_t available = mRequests.availableToRead();
            if (available == 0) {
                mFlag->wait(nn::hidl::FMQ_NOT_EMPTY, &state);
                continue;
            }
            std::vector<V1_2::FmqRequestDatum> packet(available);
            if (!mRequests.read(packet.data(), packet.size())) continue;
            const V1_3::ErrorStatus status = execute(packet);
            std::array<V1_2::FmqResultDatum, 2> result;
            result[0].packetInformation(
                    {.packetSize = 2, .errorStatus = toV1_0(status), .numberOfOperands = 0});
            result[1].executionTiming(kNoTiming);
            mResults.writeBlocking(result.data(), result.size());
        }
    }

    V1_3::ErrorStatus execute(const std::vector<V1_2::FmqRequestDatum>& packet) {
        using Tag = V1_2::FmqRequestDatum::hidl_discriminator;
        std::vector<V1_0::RequestArgument> inputs;
        std::vector<V1_0::RequestArgument> outputs;
        std::vector<int32_t> slots;
        for (const V1_2::FmqRequestDatum& datum : packet) {
            switch (datum.getDiscriminator()) {
                case Tag::inputOperandInformation:
                case Tag::outputOperandInformation: {
                    const bool isInput = datum.getDiscriminator() == Tag::inputOperandInformation;
                    const auto& operand = isInput ? datum.inputOperandInformation()
                                                  : datum.outputOperandInformation();
                    (isInput ? inputs : outputs)
                            .push_back({.hasNoValue = operand.hasNoValue,
                                        .location = operand.location});
                    break;
                }
                case Tag::poolIdentifier:
                    slots.push_back(datum.poolIdentifier());
                    break;
                default:
                    break;
            }
        }
        hidl_vec<sp<IMemory>> pools(slots.size());
        for (size_t i = 0; i < slots.size(); ++i) pools[i] = memoryOf(slots[i]);
        return addThem(pools, std::move(inputs), std::move(outputs));
    }

    sp<IMemory> memoryOf(int32_t slot) {
        {
            const std::lock_guard<std::mutex> lock(mMutex);
            for (const auto& [known, memory] : mMemories) {
                if (known == slot) return memory;
            }
        }
        sp<IMemory> mapped;
        const auto asked = mCallback->getMemories(
                {slot}, [&](V1_0::ErrorStatus status, const hidl_vec<hidl_memory>& memories) {
                    if (status == V1_0::ErrorStatus::NONE && memories.size() == 1) {
                        mapped = mapMemory(memories[0]);
                    }
                });
        if (!asked.isOk() || mapped == nullptr) return nullptr;
        const std::lock_guard<std::mutex> lock(mMutex);
        mMemories.emplace_back(slot, mapped);
        return mapped;
    }

    sp<V1_2::IBurstCallback> mCallback;
    Requests mRequests;
    Results mResults;
    EventFlag* mFlag = nullptr;
    std::atomic<bool> mIsEnding{false};
    std::mutex mMutex;
    std::vector<std::pair<int32_t, sp<IMemory>>> mMemories;
    std::thread mThread;
};

class AddPreparedModel : public V1_3::IPreparedModel {
   public:
    Return<V1_0::ErrorStatus> execute(const V1_0::Request& request,
                                      const sp<V1_0::IExecutionCallback>& callback) override {
        if (callback == nullptr) return V1_0::ErrorStatus::INVALID_ARGUMENT;
        const V1_0::ErrorStatus status = toV1_0(run(request));
        (void)callback->notify(status).isOk();
        return status;
    }
    Return<V1_0::ErrorStatus> execute_1_2(const V1_0::Request& request, V1_2::MeasureTiming,
                                          const sp<V1_2::IExecutionCallback>& callback) override {
        if (callback == nullptr) return V1_0::ErrorStatus::INVALID_ARGUMENT;
        const V1_0::ErrorStatus status = toV1_0(run(request));
        (void)callback->notify_1_2(status, {}, kNoTiming).isOk();
        return status;
    }
    Return<V1_3::ErrorStatus> execute_1_3(const V1_3::Request& request, V1_2::MeasureTiming,
                                          const V1_3::OptionalTimePoint&,
                                          const V1_3::OptionalTimeoutDuration&,
                                          const sp<V1_3::IExecutionCallback>& callback) override {
        if (callback == nullptr) return V1_3::ErrorStatus::INVALID_ARGUMENT;
        const V1_3::ErrorStatus status = run(request);
        (void)callback->notify_1_3(status, {}, kNoTiming).isOk();
        return status;
    }
    Return<void> executeSynchronously(const V1_0::Request& request, V1_2::MeasureTiming,
                                      executeSynchronously_cb callback) override {
        callback(toV1_0(run(request)), {}, kNoTiming);
        return Void();
    }
    Return<void> executeSynchronously_1_3(const V1_3::Request& request, V1_2::MeasureTiming,
                                          const V1_3::OptionalTimePoint&,
                                          const V1_3::OptionalTimeoutDuration&,
                                          executeSynchronously_1_3_cb callback) override {
        callback(run(request), hidl_vec<V1_2::OutputShape>(), kNoTiming);
        return Void();
    }
    Return<void> executeFenced(const V1_3::Request& request, const hidl_vec<hidl_handle>& waitFor,
                               V1_2::MeasureTiming, const V1_3::OptionalTimePoint&,
                               const V1_3::OptionalTimeoutDuration&,
                               const V1_3::OptionalTimeoutDuration&,
                               executeFenced_cb callback) override {
        for (const hidl_handle& fence : waitFor) {
            // This driver accepts only signaled fences and waits for none.
            if (fence.getNativeHandle() == nullptr) {
                callback(V1_3::ErrorStatus::INVALID_ARGUMENT, hidl_handle(nullptr), nullptr);
                return Void();
            }
        }
        const V1_3::ErrorStatus status = run(request);
        if (status != V1_3::ErrorStatus::NONE) {
            callback(status, hidl_handle(nullptr), nullptr);
            return Void();
        }
        callback(status, hidl_handle(nullptr), new FencedCallback());
        return Void();
    }
    Return<void> configureExecutionBurst(
            const sp<V1_2::IBurstCallback>& callback,
            const MQDescriptorSync<V1_2::FmqRequestDatum>& requestChannel,
            const MQDescriptorSync<V1_2::FmqResultDatum>& resultChannel,
            configureExecutionBurst_cb results) override {
        const sp<BurstContext> context = new BurstContext(callback, requestChannel, resultChannel);
        if (callback == nullptr || !context->isValid()) {
            results(V1_0::ErrorStatus::GENERAL_FAILURE, {});
        } else {
            results(V1_0::ErrorStatus::NONE, context);
        }
        return Void();
    }

   private:
    static V1_3::ErrorStatus run(const V1_0::Request& request) {
        hidl_vec<sp<IMemory>> pools;
        pools.resize(request.pools.size());
        for (size_t i = 0; i < pools.size(); i++) pools[i] = mapMemory(request.pools[i]);
        return addThem(pools, request.inputs, request.outputs);
    }
    static V1_3::ErrorStatus run(const V1_3::Request& request) {
        hidl_vec<sp<IMemory>> pools(request.pools.size());
        for (size_t i = 0; i < pools.size(); i++) {
            if (request.pools[i].getDiscriminator() !=
                V1_3::Request::MemoryPool::hidl_discriminator::hidlMemory) {
                return V1_3::ErrorStatus::INVALID_ARGUMENT;
            }
            pools[i] = mapMemory(request.pools[i].hidlMemory());
        }
        return addThem(pools, request.inputs, request.outputs);
    }
};

class AddDriver : public V1_3::IDevice {
   public:
    ~AddDriver() override {
        for (std::thread& thread : mThreads) thread.join();
    }

    Return<void> getCapabilities(getCapabilities_cb callback) override {
        callback(V1_0::ErrorStatus::NONE, {});
        return Void();
    }
    Return<void> getCapabilities_1_1(getCapabilities_1_1_cb callback) override {
        callback(V1_0::ErrorStatus::NONE, {});
        return Void();
    }
    Return<void> getCapabilities_1_2(getCapabilities_1_2_cb callback) override {
        V1_2::Capabilities capabilities;
        capabilities.operandPerformance.resize(1);
        capabilities.operandPerformance[0].type = V1_2::OperandType::TENSOR_FLOAT32;
        capabilities.operandPerformance[0].info = {.execTime = 0.8f, .powerUsage = 1.2f};
        callback(V1_0::ErrorStatus::NONE, capabilities);
        return Void();
    }
    Return<void> getCapabilities_1_3(getCapabilities_1_3_cb callback) override {
        V1_3::Capabilities capabilities;
        capabilities.operandPerformance = {
                {V1_3::OperandType::TENSOR_FLOAT32, {.execTime = 0.8f, .powerUsage = 1.2f}}};
        callback(V1_3::ErrorStatus::NONE, capabilities);
        return Void();
    }
    Return<V1_0::DeviceStatus> getStatus() override { return V1_0::DeviceStatus::AVAILABLE; }
    Return<void> getVersionString(getVersionString_cb callback) override {
        callback(V1_0::ErrorStatus::NONE, "add-1");
        return Void();
    }
    Return<void> getType(getType_cb callback) override {
        callback(V1_0::ErrorStatus::NONE, V1_2::DeviceType::ACCELERATOR);
        return Void();
    }
    Return<void> getSupportedExtensions(getSupportedExtensions_cb callback) override {
        callback(V1_0::ErrorStatus::NONE, {});
        return Void();
    }
    Return<void> getNumberOfCacheFilesNeeded(getNumberOfCacheFilesNeeded_cb callback) override {
        callback(V1_0::ErrorStatus::NONE, /*numModelCache=*/0, /*numDataCache=*/0);
        return Void();
    }

    Return<void> getSupportedOperations(const V1_0::Model& model,
                                        getSupportedOperations_cb callback) override {
        callback(V1_0::ErrorStatus::NONE, supported(model.operations));
        return Void();
    }
    Return<void> getSupportedOperations_1_1(const V1_1::Model& model,
                                            getSupportedOperations_1_1_cb callback) override {
        callback(V1_0::ErrorStatus::NONE, supported(model.operations));
        return Void();
    }
    Return<void> getSupportedOperations_1_2(const V1_2::Model& model,
                                            getSupportedOperations_1_2_cb callback) override {
        // As an array that the driver owns.
        const std::vector<bool> isSupported = supported(model.operations);
        const auto flags = std::make_unique<bool[]>(isSupported.size());
        std::copy(isSupported.begin(), isSupported.end(), flags.get());
        hidl_vec<bool> range;
        range.setToExternal(flags.get(), isSupported.size());
        callback(V1_0::ErrorStatus::NONE, range);
        return Void();
    }
    Return<void> getSupportedOperations_1_3(const V1_3::Model& model,
                                            getSupportedOperations_1_3_cb callback) override {
        callback(V1_3::ErrorStatus::NONE, supported(model.main.operations));
        return Void();
    }

    Return<V1_0::ErrorStatus> prepareModel(
            const V1_0::Model& model, const sp<V1_0::IPreparedModelCallback>& callback) override {
        return launch(supported(model.operations), callback,
                      [callback](V1_0::ErrorStatus status, const sp<V1_3::IPreparedModel>& made) {
                          (void)callback->notify(status, made).isOk();
                      });
    }
    Return<V1_0::ErrorStatus> prepareModel_1_1(
            const V1_1::Model& model, V1_1::ExecutionPreference,
            const sp<V1_0::IPreparedModelCallback>& callback) override {
        return launch(supported(model.operations), callback,
                      [callback](V1_0::ErrorStatus status, const sp<V1_3::IPreparedModel>& made) {
                          (void)callback->notify(status, made).isOk();
                      });
    }
    Return<V1_0::ErrorStatus> prepareModel_1_2(
            const V1_2::Model& model, V1_1::ExecutionPreference, const hidl_vec<hidl_handle>&,
            const hidl_vec<hidl_handle>&, const V1_2::HidlToken&,
            const sp<V1_2::IPreparedModelCallback>& callback) override {
        return launch(supported(model.operations), callback,
                      [callback](V1_0::ErrorStatus status, const sp<V1_3::IPreparedModel>& made) {
                          (void)callback->notify_1_2(status, made).isOk();
                      });
    }
    Return<V1_3::ErrorStatus> prepareModel_1_3(
            const V1_3::Model& model, V1_1::ExecutionPreference, V1_3::Priority,
            const V1_3::OptionalTimePoint&, const hidl_vec<hidl_handle>&,
            const hidl_vec<hidl_handle>&, const hidl_array<uint8_t, 32>&,
            const sp<V1_3::IPreparedModelCallback>& callback) override {
        return static_cast<V1_3::ErrorStatus>(launch(
                supported(model.main.operations), callback,
                [callback](V1_0::ErrorStatus status, const sp<V1_3::IPreparedModel>& made) {
                    (void)callback->notify_1_3(static_cast<V1_3::ErrorStatus>(status), made).isOk();
                }));
    }
    Return<V1_0::ErrorStatus> prepareModelFromCache(
            const hidl_vec<hidl_handle>&, const hidl_vec<hidl_handle>&, const V1_2::HidlToken&,
            const sp<V1_2::IPreparedModelCallback>& callback) override {
        (void)callback->notify_1_2(V1_0::ErrorStatus::GENERAL_FAILURE, nullptr).isOk();
        return V1_0::ErrorStatus::GENERAL_FAILURE;
    }
    Return<V1_3::ErrorStatus> prepareModelFromCache_1_3(
            const V1_3::OptionalTimePoint&, const hidl_vec<hidl_handle>&,
            const hidl_vec<hidl_handle>&, const V1_2::HidlToken&,
            const sp<V1_3::IPreparedModelCallback>& callback) override {
        (void)callback->notify_1_3(V1_3::ErrorStatus::GENERAL_FAILURE, nullptr).isOk();
        return V1_3::ErrorStatus::GENERAL_FAILURE;
    }
    Return<void> allocate(const V1_3::BufferDesc&, const hidl_vec<sp<V1_3::IPreparedModel>>&,
                          const hidl_vec<V1_3::BufferRole>&, const hidl_vec<V1_3::BufferRole>&,
                          allocate_cb callback) override {
        callback(V1_3::ErrorStatus::GENERAL_FAILURE, nullptr, 0);
        return Void();
    }

   private:
    template <class Operations>
    static std::vector<bool> supported(const Operations& operations) {
        std::vector<bool> isSupported(operations.size());
        for (size_t i = 0; i < operations.size(); ++i) {
            isSupported[i] = static_cast<int32_t>(operations[i].type) ==
                             static_cast<int32_t>(V1_0::OperationType::ADD);
        }
        return isSupported;
    }

    template <class Callback, class Notify>
    V1_0::ErrorStatus launch(const std::vector<bool>& isSupported, const sp<Callback>& callback,
                             const Notify& notify) {
        if (callback == nullptr) return V1_0::ErrorStatus::INVALID_ARGUMENT;
        if (std::find(isSupported.begin(), isSupported.end(), false) != isSupported.end()) {
            notify(V1_0::ErrorStatus::INVALID_ARGUMENT, nullptr);
            return V1_0::ErrorStatus::INVALID_ARGUMENT;
        }
        const std::lock_guard<std::mutex> lock(mMutex);
        mThreads.emplace_back(
                [notify] { notify(V1_0::ErrorStatus::NONE, new AddPreparedModel()); });
        return V1_0::ErrorStatus::NONE;
    }

    std::mutex mMutex;
    std::vector<std::thread> mThreads;
};

}  // namespace

namespace nn::hidl_style {

hidl::sp<V1_3::IDevice> createAddDriver() { return new AddDriver(); }

}  // namespace nn::hidl_style
