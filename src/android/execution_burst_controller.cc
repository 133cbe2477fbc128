#include "ExecutionBurstController.h"

#include <android-base/logging.h>

#include <string>

#include "nnapi/c/NeuralNetworks.h"
#include "nnapi/convert.h"
#include "nnapi_android/cpu_run.h"

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
        auto answer = failed(error.code, error.message);
        for (const ::nn::OutputShape& shape : error.outputShapes) {
            std::get<1>(answer).push_back(
                    {.dimensions = shape.dimensions, .isSufficient = shape.isSufficient});
        }
        return answer;
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
