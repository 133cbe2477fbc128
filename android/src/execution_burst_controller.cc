#include "ExecutionBurstController.h"

#include <android-base/logging.h>

#include <string>

#include "nnapi/c/NeuralNetworks.h"
#include "nnapi/convert.h"
#include "nnapi_android/cpu_run.h"
#include "nnapi_android/hal_versions.h"

namespace android::nn {

std::vector<::nn::V1_2::FmqRequestDatum> serialize(const ::nn::V1_0::Request& request,
                                                   ::nn::V1_2::MeasureTiming measure,
                                                   const std::vector<int32_t>& slots) {
    return ::nn::V1_2::utils::serialize(request, measure, slots);
}

std::optional<std::tuple<::nn::V1_0::ErrorStatus, std::vector<::nn::V1_2::OutputShape>,
                         ::nn::V1_2::Timing>>
deserialize(const std::vector<::nn::V1_2::FmqResultDatum>& data) {
    auto packet = ::nn::V1_2::utils::deserialize(data);
    if (!packet.ok()) {
        LOG(ERROR) << "a packet of a burst: " << std::string(packet.status().message());
        return std::nullopt;
    }
    return std::tuple(packet->status,
                      std::vector<::nn::V1_2::OutputShape>(packet->outputShapes.begin(),
                                                           packet->outputShapes.end()),
                      packet->timing);
}

::nn::V1_0::ErrorStatus legacyConvertResultCodeToErrorStatus(int resultCode) {
    return ::nnapi_android::translateStatus(
            static_cast<::nn::V1_3::ErrorStatus>(::nnapi_android::errorStatusOf(resultCode)));
}

::nn::hidl::Return<void> ExecutionBurstController::ExecutionBurstCallback::getMemories(
        const ::nn::hidl::hidl_vec<int32_t>& slots, getMemories_cb callback) {
    std::vector<::nn::hidl::hidl_memory> memories;
    {
        const std::lock_guard lock(mMutex);
        for (const int32_t slot : slots) {
            const auto found = mBySlot.find(slot);
            if (found == mBySlot.end()) break;
            memories.push_back(found->second);
        }
    }
    const bool isComplete = memories.size() == slots.size();
    if (!isComplete) memories.clear();
    callback(isComplete ? ::nn::V1_0::ErrorStatus::NONE : ::nn::V1_0::ErrorStatus::GENERAL_FAILURE,
             ::nn::hidl::hidl_vec<::nn::hidl::hidl_memory>(memories));
    return ::nn::hidl::Void();
}

std::vector<int32_t> ExecutionBurstController::ExecutionBurstCallback::getSlots(
        const ::nn::hidl::hidl_vec<::nn::hidl::hidl_memory>& memories,
        const std::vector<intptr_t>& keys) {
    std::vector<int32_t> slots;
    const std::lock_guard lock(mMutex);
    for (size_t i = 0; i < memories.size() && i < keys.size(); ++i) {
        const auto known = mSlots.find(keys[i]);
        if (known != mSlots.end()) {
            slots.push_back(known->second);
            continue;
        }
        int32_t slot = 0;  // the first that is free
        for (auto used = mBySlot.begin(); used != mBySlot.end() && used->first == slot; ++used) {
            ++slot;
        }
        mSlots.emplace(keys[i], slot);
        mBySlot.emplace(slot, memories[i]);
        slots.push_back(slot);
    }
    return slots;
}

std::pair<bool, int32_t> ExecutionBurstController::ExecutionBurstCallback::freeMemory(
        intptr_t key) {
    const std::lock_guard lock(mMutex);
    const auto found = mSlots.find(key);
    if (found == mSlots.end()) return {false, 0};
    const int32_t slot = found->second;
    mBySlot.erase(slot);
    mSlots.erase(found);
    return {true, slot};
}

std::unique_ptr<ExecutionBurstController> ExecutionBurstController::create(
        const ::nn::hidl::sp<::nn::V1_2::IPreparedModel>& preparedModel,
        std::chrono::microseconds pollingTimeWindow) {
    auto wrapped =
            ::nn::V1_2::utils::PreparedModel::create(preparedModel, /*executeSynchronously=*/true);
    if (!wrapped.has_value()) {
        LOG(ERROR) << "ExecutionBurstController::create: " << wrapped.error().message;
        return nullptr;
    }
    auto burst = ::nn::V1_2::utils::Burst::create(std::move(wrapped).value(), preparedModel,
                                                  pollingTimeWindow);
    if (!burst.has_value()) {
        LOG(ERROR) << "ExecutionBurstController::create: " << burst.error().message;
        return nullptr;
    }
    return std::unique_ptr<ExecutionBurstController>(
            new ExecutionBurstController(std::move(burst).value()));
}

std::tuple<int, std::vector<::nn::V1_2::OutputShape>, ::nn::V1_2::Timing, bool>
ExecutionBurstController::compute(const ::nn::V1_0::Request& request,
                                  ::nn::V1_2::MeasureTiming measure,
                                  const std::vector<intptr_t>& memoryIds) {
    constexpr ::nn::V1_2::Timing kNoTime{.timeOnDevice = UINT64_MAX, .timeInDriver = UINT64_MAX};
    const auto failed = [&](::nn::ErrorStatus code, const std::string& why) {
        LOG(ERROR) << "ExecutionBurstController::compute: " << why;
        return std::tuple(::nnapi_android::resultCodeOf(code),
                          std::vector<::nn::V1_2::OutputShape>(), kNoTime, false);
    };
    auto canonical = ::nn::unvalidatedConvert(request);
    if (!canonical.ok()) {
        return failed(::nn::ErrorStatus::INVALID_ARGUMENT,
                      std::string(canonical.status().message()));
    }
    if (memoryIds.size() != canonical->pools.size()) {
        return failed(::nn::ErrorStatus::INVALID_ARGUMENT,
                      "the number of keys is not that of pools");
    }
    for (size_t i = 0; i < memoryIds.size(); ++i) {
        const std::lock_guard lock(mMutex);
        Entry& entry = mMemories[memoryIds[i]];
        if (entry.memory == nullptr) {
            entry.memory = std::get<::nn::SharedMemory>(canonical->pools[i]);
            entry.hold = mBurst->cacheMemory(entry.memory);
        }
        canonical->pools[i] = entry.memory;
    }
    const auto executed =
            mBurst->execute(*canonical, static_cast<::nn::MeasureTiming>(measure), {}, {}, {}, {});
    if (!executed.has_value()) {
        const ::nn::ExecutionError error = executed.error();
        auto result = failed(error.code, error.message);
        for (const ::nn::OutputShape& shape : error.outputShapes) {
            std::get<1>(result).push_back(
                    {.dimensions = shape.dimensions, .isSufficient = shape.isSufficient});
        }
        return result;
    }
    std::vector<::nn::V1_2::OutputShape> shapes;
    for (const ::nn::OutputShape& shape : executed->first) {
        shapes.push_back({.dimensions = shape.dimensions, .isSufficient = shape.isSufficient});
    }
    const auto timing = ::nn::V1_2::utils::unvalidatedConvert(executed->second);
    return {ANEURALNETWORKS_NO_ERROR, std::move(shapes), timing.ok() ? *timing : kNoTime, false};
}

void ExecutionBurstController::freeMemory(intptr_t key) {
    decltype(mMemories)::node_type freed;  // released without the lock
    const std::lock_guard lock(mMutex);
    freed = mMemories.extract(key);
}

}  // namespace android::nn
