// Models that are ready to execute on the device.
#pragma once

#include <memory>
#include <vector>

#include "kernels.h"
#include "nnapi/driver/default_prepared_model.h"
#if NPU_MEMORY_DOMAINS
#include "nnapi/driver/device_buffers.h"
#endif

namespace npu_driver {

class PreparedModel final : public nn::DefaultPreparedModel {
   public:
    // Prepared from a model that the device supports.
#if NPU_MEMORY_DOMAINS
    static nn::GeneralResult<std::shared_ptr<const PreparedModel>> create(
            const nn::Model& model, std::shared_ptr<const nn::DeviceBuffers> buffers);
#else
    static nn::GeneralResult<std::shared_ptr<const PreparedModel>> create(const nn::Model& model);
#endif

    const nn::Model& model() const { return mModel; }
#if NPU_MEMORY_DOMAINS
    const nn::DeviceBuffers* buffers() const { return mBuffers.get(); }
#endif

    nn::ExecutionResult<nn::Executed> execute(
            const nn::Request& request, nn::MeasureTiming measure,
            const nn::OptionalTimePoint& deadline, const nn::OptionalDuration& loopTimeout,
            const std::vector<nn::TokenValuePair>& hints,
            const std::vector<nn::ExtensionNameAndPrefix>& prefixes) const override;
    nn::GeneralResult<nn::ExecutedFenced> executeFenced(
            const nn::Request& request, const std::vector<nn::SyncFence>& waitFor,
            nn::MeasureTiming measure, const nn::OptionalTimePoint& deadline,
            const nn::OptionalDuration& loopTimeout, const nn::OptionalDuration& timeAfterFences,
            const std::vector<nn::TokenValuePair>& hints,
            const std::vector<nn::ExtensionNameAndPrefix>& prefixes) const override;
    nn::GeneralResult<nn::SharedExecution> createReusableExecution(
            const nn::Request& request, nn::MeasureTiming measure,
            const nn::OptionalDuration& loopTimeout, const std::vector<nn::TokenValuePair>& hints,
            const std::vector<nn::ExtensionNameAndPrefix>& prefixes) const override;
#if NPU_BURST
    nn::GeneralResult<nn::SharedBurst> configureExecutionBurst() const override;
#endif

   private:
    explicit PreparedModel(const nn::Model& model) : mModel(model) {}

    nn::Status readConstants();
    nn::Status addSteps();
    nn::Status addStep(const nn::Operation& operation);
#if NPU_MEMORY_DOMAINS
    nn::Result<nn::BufferUse> check(const nn::Request& request, bool allowUnspecified = true) const;
#else
    nn::Status check(const nn::Request& request, bool allowUnspecified = true) const;
#endif
    nn::ExecutionResult<nn::Executed> compute(const nn::Request& request,
                                              const nn::OptionalTimePoint& deadline) const;

    nn::Model mModel;
    std::vector<nn::Tensor> mConstants{};  // by operand of the main graph; empty for variables
    std::vector<Step> mSteps{};            // in an order that satisfies their dependencies
#if NPU_MEMORY_DOMAINS
    std::shared_ptr<const nn::DeviceBuffers> mBuffers{};
#endif
};

}  // namespace npu_driver
