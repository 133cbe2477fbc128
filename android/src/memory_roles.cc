// Roles of buffers by Android's names, for canonical drivers.

#include <set>
#include <vector>

#include "android/src/allocation_checks.h"
#include "nnapi/Validation.h"

namespace android::nn {

Result<Version> validateMemoryDesc(
        const BufferDesc& desc, const std::vector<SharedPreparedModel>& preparedModels,
        const std::vector<BufferRole>& inputRoles, const std::vector<BufferRole>& outputRoles,
        const std::function<const Model*(const SharedPreparedModel&)>& getModel,
        std::set<PreparedModelRole>* preparedModelRoles, Operand* combinedOperand) {
    std::vector<const Model*> models;
    models.reserve(preparedModels.size());
    for (const SharedPreparedModel& preparedModel : preparedModels) {
        models.push_back(preparedModel == nullptr ? nullptr : getModel(preparedModel));
    }
    Operand combined = NN_TRY(::nn::validateMemoryDesc(desc, models, inputRoles, outputRoles));
    if (preparedModelRoles != nullptr) {
        *preparedModelRoles = ::nnapi_android::rolesOf<std::set<PreparedModelRole>>(
                preparedModels, inputRoles, outputRoles);
    }
    if (combinedOperand != nullptr) *combinedOperand = std::move(combined);
    return kVersionFeatureLevel4;
}

}  // namespace android::nn
