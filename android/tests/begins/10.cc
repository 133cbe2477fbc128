// How drivers of Android 10 begin: bursts, caches, extensions, and types by full names.
#define LOG_TAG "begins"

#include "CpuExecutor.h"
#include "ExecutionBurstServer.h"
#include "HalInterfaces.h"
#include "OperationResolver.h"
#include "Tracing.h"
#include "ValidateHal.h"

#include <android-base/logging.h>
#include <android-base/properties.h>
#include <hidl/LegacySupport.h>
#include <hwbinder/IPCThreadState.h>
#include <chrono>
#include <map>
#include <optional>
#include <thread>

namespace android {
namespace nn {
namespace begins {

using ::android::hardware::hidl_array;
using ::android::hardware::hidl_handle;
using ::android::hardware::hidl_memory;
using ::android::hardware::hidl_vec;
using ::android::hardware::MQDescriptorSync;
using ::android::hardware::Return;
using ::android::hardware::Void;
namespace V1_0 = ::android::hardware::neuralnetworks::V1_0;
namespace V1_1 = ::android::hardware::neuralnetworks::V1_1;
namespace V1_2 = ::android::hardware::neuralnetworks::V1_2;
using CacheTokenOf10 =
        hidl_array<uint8_t, static_cast<uint32_t>(V1_2::Constant::BYTE_SIZE_OF_CACHE_TOKEN)>;

constexpr V1_2::Timing kNoTiming = {.timeOnDevice = UINT64_MAX, .timeInDriver = UINT64_MAX};

class Executor : public ExecutionBurstServer::IBurstExecutorWithCache {
   public:
    bool isCacheEntryPresent(int32_t slot) const override {
        const auto it = mCache.find(slot);
        return it != mCache.end() && it->second.has_value();
    }
    void addCacheEntry(const hidl_memory& memory, int32_t slot) override {
        mCache[slot] = RunTimePoolInfo::createFromHidlMemory(memory);
    }
    void removeCacheEntry(int32_t slot) override { mCache.erase(slot); }
    std::tuple<V1_0::ErrorStatus, hidl_vec<V1_2::OutputShape>, V1_2::Timing> execute(
            const V1_0::Request& request, const std::vector<int32_t>& slots,
            V1_2::MeasureTiming measure) override {
        NNTRACE_FULL(NNTRACE_LAYER_DRIVER, NNTRACE_PHASE_EXECUTION, "execute");
        V1_0::Request full = request;
        hidl_vec<hidl_memory> pools(slots.size());
        for (size_t i = 0; i < slots.size(); i++) pools[i] = mCache[slots[i]]->getHidlMemory();
        full.pools = std::move(pools);
        LOG(INFO) << toString(full) << toString(measure);
        return std::make_tuple(V1_0::ErrorStatus::NONE, hidl_vec<V1_2::OutputShape>{}, kNoTiming);
    }

   private:
    std::map<int32_t, std::optional<RunTimePoolInfo>> mCache;
};

struct Driver {
    CpuExecutor getExecutor() const { return CpuExecutor(mOperationResolver); }
    const IOperationResolver* mOperationResolver = BuiltinOperationResolver::get();
};

void configure(const sp<V1_2::IBurstCallback>& callback,
               const MQDescriptorSync<V1_2::FmqRequestDatum>& requestChannel,
               const MQDescriptorSync<V1_2::FmqResultDatum>& resultChannel,
               V1_2::IPreparedModel::configureExecutionBurst_cb cb) {
    const sp<V1_2::IBurstContext> burst = ExecutionBurstServer::create(
            callback, requestChannel, resultChannel, std::make_shared<Executor>());
    if (burst == nullptr) {
        cb(V1_0::ErrorStatus::GENERAL_FAILURE, {});
    } else {
        cb(V1_0::ErrorStatus::NONE, burst);
    }
}

bool prepare(const V1_2::Model& model, V1_1::ExecutionPreference preference,
             const hidl_vec<hidl_handle>& modelCache, const CacheTokenOf10& token) {
    initVLogMask();
    if (VLOG_IS_ON(DRIVER)) {
        VLOG(DRIVER) << "prepareModelBase";
        logModelToInfo(model);
    }
    if (!validateModel(model) || !validateExecutionPreference(preference)) return false;
    std::vector<uint8_t> copy(token.data(), token.data() + token.size());
    V1_2::Capabilities capabilities = {
            .relaxedFloat32toFloat16PerformanceScalar = {.execTime = 0.7f, .powerUsage = 1.1f},
            .relaxedFloat32toFloat16PerformanceTensor = {.execTime = 0.7f, .powerUsage = 1.1f},
            .operandPerformance = nonExtensionOperandPerformance({1.0f, 1.0f})};
    update(&capabilities.operandPerformance, V1_2::OperandType::TENSOR_FLOAT32,
           {.execTime = 0.4f, .powerUsage = 0.5f});
    return compliantWithV1_0(model) && modelCache.size() == copy.size() &&
           !isExtensionOperandType(convertToV1_3(model).main.operands[0].type);
}

const auto window = std::chrono::microseconds(
        base::GetIntProperty("debug.nn.sample-driver-burst-polling-window", 50, 0));

}  // namespace begins
}  // namespace nn
}  // namespace android
