// A prepared model of HAL 1.0: executes on threads of its own.
#ifndef SAMPLE_NPU_HAL_1_0_PREPARED_MODEL_H
#define SAMPLE_NPU_HAL_1_0_PREPARED_MODEL_H

#include <android/hardware/neuralnetworks/1.0/IExecutionCallback.h>
#include <android/hardware/neuralnetworks/1.0/IPreparedModel.h>

#include <vector>

#include "CpuExecutor.h"

namespace android::hardware::neuralnetworks::V1_0::implementation {

class PreparedModel : public IPreparedModel {
   public:
    explicit PreparedModel(const Model& model) : mModel(model) {}
    ~PreparedModel() override;

    // Returns false if the model cannot be executed.
    bool initialize();

    Return<ErrorStatus> execute(const Request& request,
                                const sp<IExecutionCallback>& callback) override;

   private:
    ErrorStatus compute(const Request& request) const;
    void asyncExecute(const Request& request, const sp<IExecutionCallback>& callback);

    const Model mModel;
    std::vector<nn::RunTimePoolInfo> mConstants;
};

}  // namespace android::hardware::neuralnetworks::V1_0::implementation

#endif  // SAMPLE_NPU_HAL_1_0_PREPARED_MODEL_H
