// Roles of buffers by Android's names, for canonical drivers and those of AIDL.

#include <set>
#include <vector>

#include "nnapi/Validation.h"

namespace android::nn {

namespace {

void addRoles(const std::vector<SharedPreparedModel>& preparedModels,
              const std::vector<BufferRole>& roles, IOType type, std::set<PreparedModelRole>* to) {
    for (const BufferRole& role : roles) {
        to->emplace(preparedModels[role.modelIndex].get(), type, role.ioIndex);
    }
}

}  // namespace

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
        addRoles(preparedModels, inputRoles, IOType::INPUT, preparedModelRoles);
        addRoles(preparedModels, outputRoles, IOType::OUTPUT, preparedModelRoles);
    }
    if (combinedOperand != nullptr) *combinedOperand = std::move(combined);
    return kVersionFeatureLevel4;
}

}  // namespace android::nn
