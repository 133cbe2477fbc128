// A prepared model of HAL 1.3 and older.
#ifndef SAMPLE_NPU_HAL_1_3_PREPARED_MODEL_H
#define SAMPLE_NPU_HAL_1_3_PREPARED_MODEL_H

#include <chrono>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "CpuExecutor.h"
#include "ExecutionBurstServer.h"
#include "HalInterfaces.h"
#include "Utils.h"
#include "device_state.h"

namespace sample::npu {

namespace hal = android::nn::hal;
using android::nn::Deadline;
using android::nn::RunTimePoolInfo;
using android::nn::hal::Return;
using TimePoint = std::chrono::steady_clock::time_point;

// The outcome of an execution.
struct Executed {
    hal::ErrorStatus status = hal::ErrorStatus::GENERAL_FAILURE;
    std::vector<hal::OutputShape> shapes;
    hal::Timing timing = {.timeOnDevice = UINT64_MAX, .timeInDriver = UINT64_MAX};
};

// The deadline of an execution, and the timeout of its loops.
struct Limits {
    std::optional<Deadline> deadline;
    std::optional<uint64_t> loopTimeout;
};

class PreparedModel : public hal::IPreparedModel {
   public:
    PreparedModel(const hal::Model& model, std::shared_ptr<DeviceState> state);
    ~PreparedModel() override;

    // Returns false if the model cannot be executed.
    bool initialize();

    const hal::Model* getModel() const { return &mModel; }

    Return<hal::V1_0::ErrorStatus> execute(
            const hal::V1_0::Request& request,
            const android::sp<hal::V1_0::IExecutionCallback>& callback) override;
    Return<hal::V1_0::ErrorStatus> execute_1_2(
            const hal::V1_0::Request& request, hal::MeasureTiming measure,
            const android::sp<hal::V1_2::IExecutionCallback>& callback) override;
    Return<hal::ErrorStatus> execute_1_3(
            const hal::Request& request, hal::MeasureTiming measure,
            const hal::OptionalTimePoint& deadline,
            const hal::OptionalTimeoutDuration& loopTimeoutDuration,
            const android::sp<hal::IExecutionCallback>& callback) override;
    Return<void> executeSynchronously(const hal::V1_0::Request& request, hal::MeasureTiming measure,
                                      executeSynchronously_cb cb) override;
    Return<void> executeSynchronously_1_3(const hal::Request& request, hal::MeasureTiming measure,
                                          const hal::OptionalTimePoint& deadline,
                                          const hal::OptionalTimeoutDuration& loopTimeoutDuration,
                                          executeSynchronously_1_3_cb cb) override;
    Return<void> executeFenced(const hal::Request& request,
                               const hal::hidl_vec<hal::hidl_handle>& waitFor,
                               hal::MeasureTiming measure, const hal::OptionalTimePoint& deadline,
                               const hal::OptionalTimeoutDuration& loopTimeoutDuration,
                               const hal::OptionalTimeoutDuration& duration,
                               executeFenced_cb cb) override;
    Return<void> configureExecutionBurst(const android::sp<hal::V1_2::IBurstCallback>& callback,
                                         const android::nn::FmqRequestDescriptor& requestChannel,
                                         const android::nn::FmqResultDescriptor& resultChannel,
                                         configureExecutionBurst_cb cb) override;

    // Executes with mapped pools; buffers are mapped, too.
    Executed computeMapped(const hal::Request& request, const std::vector<RunTimePoolInfo>& pools,
                           hal::MeasureTiming measure, const Limits& limits,
                           TimePoint driverStart) const;

   private:
    using Buffers = std::vector<std::shared_ptr<android::nn::ManagedBuffer>>;

    Executed compute(const hal::Request& request, hal::MeasureTiming measure,
                     const Limits& limits) const;
    // Also completes the dimensions of inputs in device memory.
    hal::ErrorStatus mapPools(hal::Request* request, std::vector<RunTimePoolInfo>* pools,
                              Buffers* buffers) const;
    template <class Callback>
    hal::ErrorStatus launch(const hal::Request& request, hal::MeasureTiming measure,
                            const Limits& limits, const android::sp<Callback>& callback);

    const hal::Model mModel;
    const std::shared_ptr<DeviceState> mState;
    std::vector<RunTimePoolInfo> mPools;
};

}  // namespace sample::npu

#endif  // SAMPLE_NPU_HAL_1_3_PREPARED_MODEL_H
