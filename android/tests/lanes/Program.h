// Program: a model that the lanes accelerator has compiled.
#pragma once

#include <CpuExecutor.h>
#include <android-base/macros.h>
#include <nnapi/Result.h>
#include <nnapi/Types.h>

#include <memory>
#include <vector>

namespace vendor::lanes {

namespace nn = ::android::nn;

class Program {
    DISALLOW_COPY_AND_ASSIGN(Program);

   public:
    // Requires a valid model.
    static bool supports(const nn::Model& model, const nn::Operation& operation);

    // INVALID_ARGUMENT for a model that is not completely supported; GENERAL_FAILURE for constants
    // that cannot be read.
    static nn::GeneralResult<std::shared_ptr<const Program>> compile(const nn::Model& model);

    // The model with its own copy of the constants.
    const nn::Model& model() const { return mModel; }

    // The shapes of the outputs. `pools` are those of a request that is valid for the model.
    nn::ExecutionResult<std::vector<nn::OutputShape>> run(
            const nn::Request& request, const std::vector<nn::RunTimePoolInfo>& pools,
            const nn::OptionalTimePoint& deadline) const;

    explicit Program(nn::Model model) : mModel(std::move(model)) {}

   private:
    const nn::Model mModel;
};

}  // namespace vendor::lanes
