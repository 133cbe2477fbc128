#include "driver/aidl_style/add_driver.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

// The content of a driver's file in an Android tree. It does not depend on this library.
using namespace aidl::android::hardware::neuralnetworks;
using aidl::android::hardware::common::Ashmem;
using ndk::ScopedAStatus;
using ndk::ScopedFileDescriptor;
using ndk::SharedRefBase;
using ndk::SpAIBinder;

namespace {

ScopedAStatus toAStatus(ErrorStatus code, const char* message) {
    return ScopedAStatus::fromServiceSpecificErrorWithMessage(static_cast<int32_t>(code), message);
}

// The floats of an argument, in memory that is mapped for the lifetime of this object.
class Floats {
   public:
    Floats(const Request& request, const RequestArgument& argument) {
        const DataLocation& at = argument.location;
        const size_t index = static_cast<size_t>(at.poolIndex);
        if (argument.hasNoValue || index >= request.pools.size()) return;
        const RequestMemoryPool& pool = request.pools[index];
        if (pool.getTag() != RequestMemoryPool::Tag::pool) return;
        const Memory& memory = pool.get<RequestMemoryPool::Tag::pool>();
        if (memory.getTag() != Memory::Tag::ashmem) return;
        const Ashmem& ashmem = memory.get<Memory::Tag::ashmem>();
        if (at.offset < 0 || at.length < 0 || at.offset > ashmem.size - at.length) return;
        mSize = static_cast<size_t>(ashmem.size);
        mMapped = mmap(nullptr, mSize, PROT_READ | PROT_WRITE, MAP_SHARED, ashmem.fd.get(), 0);
        if (mMapped == MAP_FAILED) return;
        begin = reinterpret_cast<float*>(static_cast<uint8_t*>(mMapped) + at.offset);
        count = static_cast<size_t>(at.length) / sizeof(float);
    }
    Floats(const Floats&) = delete;
    Floats& operator=(const Floats&) = delete;
    ~Floats() {
        if (mMapped != MAP_FAILED) munmap(mMapped, mSize);
    }

    float* begin = nullptr;
    size_t count = 0;

   private:
    void* mMapped = MAP_FAILED;
    size_t mSize = 0;
};

class AddPreparedModel : public BnPreparedModel {
   public:
    ScopedAStatus executeSynchronously(const Request& in_request, bool in_measureTiming,
                                       int64_t in_deadlineNs, int64_t,
                                       ExecutionResult* _aidl_return) override {
        if (in_deadlineNs < -1 || in_request.inputs.size() != 2 || in_request.outputs.size() != 1) {
            return toAStatus(ErrorStatus::INVALID_ARGUMENT, "not an addition");
        }
        const Floats x(in_request, in_request.inputs[0]);
        const Floats y(in_request, in_request.inputs[1]);
        const Floats z(in_request, in_request.outputs[0]);
        if (x.begin == nullptr || y.begin == nullptr || z.begin == nullptr || x.count != y.count) {
            return toAStatus(ErrorStatus::INVALID_ARGUMENT, "no values");
        }
        _aidl_return->outputSufficientSize = z.count >= x.count;
        _aidl_return->outputShapes = {{.dimensions = {static_cast<int32_t>(x.count)},
                                       .isSufficient = _aidl_return->outputSufficientSize}};
        const int64_t time = in_measureTiming ? 1000 : -1;
        _aidl_return->timing = {.timeOnDeviceNs = time, .timeInDriverNs = time};
        if (!_aidl_return->outputSufficientSize) return ScopedAStatus::ok();
        std::transform(x.begin, x.begin + x.count, y.begin, z.begin,
                       [](float a, float b) { return a + b; });
        return ScopedAStatus::ok();
    }
    ScopedAStatus executeFenced(const Request&, const std::vector<ScopedFileDescriptor>&, bool,
                                int64_t, int64_t, int64_t, FencedExecutionResult*) override {
        return toAStatus(ErrorStatus::GENERAL_FAILURE, "no fences");
    }
    ScopedAStatus configureExecutionBurst(std::shared_ptr<IBurst>* _aidl_return) override;
};

class AddBurst : public BnBurst {
   public:
    explicit AddBurst(std::shared_ptr<AddPreparedModel> preparedModel)
        : mPreparedModel(std::move(preparedModel)) {}

    ScopedAStatus executeSynchronously(const Request& in_request,
                                       const std::vector<int64_t>& in_memoryIdentifierTokens,
                                       bool in_measureTiming, int64_t in_deadlineNs,
                                       int64_t in_loopTimeoutDurationNs,
                                       ExecutionResult* _aidl_return) override {
        if (in_memoryIdentifierTokens.size() != in_request.pools.size()) {
            return toAStatus(ErrorStatus::INVALID_ARGUMENT, "a token for each pool");
        }
        return mPreparedModel->executeSynchronously(in_request, in_measureTiming, in_deadlineNs,
                                                    in_loopTimeoutDurationNs, _aidl_return);
    }
    ScopedAStatus releaseMemoryResource(int64_t) override { return ScopedAStatus::ok(); }

   private:
    const std::shared_ptr<AddPreparedModel> mPreparedModel;
};

ScopedAStatus AddPreparedModel::configureExecutionBurst(std::shared_ptr<IBurst>* _aidl_return) {
    *_aidl_return = SharedRefBase::make<AddBurst>(ref<AddPreparedModel>());
    return ScopedAStatus::ok();
}

class AddDevice : public BnDevice {
   public:
    ScopedAStatus allocate(const BufferDesc&, const std::vector<IPreparedModelParcel>&,
                           const std::vector<BufferRole>&, const std::vector<BufferRole>&,
                           DeviceBuffer*) override {
        return toAStatus(ErrorStatus::GENERAL_FAILURE, "no memory of its own");
    }
    ScopedAStatus getCapabilities(Capabilities* _aidl_return) override {
        const PerformanceInfo info = {.execTime = 0.5f, .powerUsage = 0.5f};
        _aidl_return->relaxedFloat32toFloat16PerformanceScalar = info;
        _aidl_return->relaxedFloat32toFloat16PerformanceTensor = info;
        _aidl_return->ifPerformance = info;
        _aidl_return->whilePerformance = info;
        _aidl_return->operandPerformance = {{.type = OperandType::TENSOR_FLOAT32, .info = info}};
        return ScopedAStatus::ok();
    }
    ScopedAStatus getNumberOfCacheFilesNeeded(NumberOfCacheFiles* _aidl_return) override {
        *_aidl_return = {.numModelCache = 0, .numDataCache = 0};
        return ScopedAStatus::ok();
    }
    ScopedAStatus getSupportedExtensions(std::vector<Extension>* _aidl_return) override {
        _aidl_return->clear();
        return ScopedAStatus::ok();
    }
    ScopedAStatus getSupportedOperations(const Model& in_model,
                                         std::vector<bool>* _aidl_return) override {
        _aidl_return->clear();
        for (const Operation& operation : in_model.main.operations) {
            _aidl_return->push_back(operation.type == OperationType::ADD);
        }
        return ScopedAStatus::ok();
    }
    ScopedAStatus getType(DeviceType* _aidl_return) override {
        *_aidl_return = DeviceType::ACCELERATOR;
        return ScopedAStatus::ok();
    }
    ScopedAStatus getVersionString(std::string* _aidl_return) override {
        *_aidl_return = "add-1";
        return ScopedAStatus::ok();
    }
    ScopedAStatus prepareModel(
            const Model& in_model, ExecutionPreference, Priority, int64_t,
            const std::vector<ScopedFileDescriptor>&, const std::vector<ScopedFileDescriptor>&,
            const std::vector<uint8_t>& in_token,
            const std::shared_ptr<IPreparedModelCallback>& in_callback) override {
        const bool isValid = in_model.main.operations.size() == 1 &&
                             in_model.main.operations[0].type == OperationType::ADD &&
                             in_token.size() == IDevice::BYTE_SIZE_OF_CACHE_TOKEN;
        if (!isValid) {
            in_callback->notify(ErrorStatus::INVALID_ARGUMENT, nullptr);
            return toAStatus(ErrorStatus::INVALID_ARGUMENT, "not one addition");
        }
        std::thread([in_callback] {
            in_callback->notify(ErrorStatus::NONE, SharedRefBase::make<AddPreparedModel>());
        }).detach();
        return ScopedAStatus::ok();
    }
    ScopedAStatus prepareModelFromCache(
            int64_t, const std::vector<ScopedFileDescriptor>&,
            const std::vector<ScopedFileDescriptor>&, const std::vector<uint8_t>&,
            const std::shared_ptr<IPreparedModelCallback>& in_callback) override {
        in_callback->notify(ErrorStatus::GENERAL_FAILURE, nullptr);
        return toAStatus(ErrorStatus::GENERAL_FAILURE, "no cache");
    }
};

}  // namespace

namespace nn::aidl_style {

std::shared_ptr<IDevice> createAddDriver() { return SharedRefBase::make<AddDevice>(); }

}  // namespace nn::aidl_style
