// Helpers of AIDL drivers: performances, types, codes, roles of buffers.

#include <android-base/logging.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "AidlHalUtils.h"
#include "AidlValidateHal.h"
#include "nnapi/convert.h"
#include "nnapi/type_utils.h"
#include "nnapi_android/cpu_run.h"

namespace android::nn {

std::vector<aidl_hal::OperandPerformance> nonExtensionOperandPerformance(
        aidl_hal::PerformanceInfo info) {
    const auto table = ::nn::nonExtensionOperandPerformance(
            ::nn::kHalVersions.back(), {.execTime = info.execTime, .powerUsage = info.powerUsage});
    std::vector<aidl_hal::OperandPerformance> performances;
    performances.reserve(table.asVector().size());
    for (const Capabilities::OperandPerformance& entry : table.asVector()) {
        const auto type = ::nn::AIDL4::utils::unvalidatedConvert(entry.type);
        if (type.ok()) performances.push_back({.type = *type, .info = info});  // AIDL has no OEM
    }
    return performances;
}

void update(std::vector<aidl_hal::OperandPerformance>* operandPerformance,
            aidl_hal::OperandType type, aidl_hal::PerformanceInfo info) {
    CHECK(operandPerformance != nullptr);
    const auto found = std::lower_bound(
            operandPerformance->begin(), operandPerformance->end(), type,
            [](const auto& entry, aidl_hal::OperandType wanted) { return entry.type < wanted; });
    CHECK(found != operandPerformance->end() && found->type == type)
            << "there is no entry for " << toString(type);
    found->info = info;
}

bool isExtensionOperandType(aidl_hal::OperandType type) {
    return ::nn::isExtension(static_cast<OperandType>(type));
}

bool isNonExtensionScalar(aidl_hal::OperandType type) {
    return ::nn::isNonExtensionScalar(static_cast<OperandType>(type));
}

aidl_hal::ErrorStatus convertResultCodeToAidlErrorStatus(int resultCode) {
    const auto status =
            ::nn::AIDL4::utils::unvalidatedConvert(::nnapi_android::errorStatusOf(resultCode));
    return status.ok() ? *status : aidl_hal::ErrorStatus::GENERAL_FAILURE;
}

int convertErrorStatusToResultCode(aidl_hal::ErrorStatus status) {
    const auto canonical = ::nn::convert(status);
    return ::nnapi_android::resultCodeOf(canonical.ok() ? *canonical
                                                        : ErrorStatus::GENERAL_FAILURE);
}

namespace {

// Canonical models of prepared models, one for each, by identity.
class CanonicalModels {
   public:
    // Null for one that is not legal.
    const Model* of(const aidl_hal::Model* model) {
        if (model == nullptr) return nullptr;
        const auto [at, isNew] = mModels.try_emplace(model);
        if (isNew) {
            auto converted = ::nn::unvalidatedConvert(*model);
            if (converted.ok()) at->second = *std::move(converted);
        }
        return at->second ? &*at->second : nullptr;
    }

   private:
    std::map<const aidl_hal::Model*, std::optional<Model>> mModels{};
};

Result<std::vector<BufferRole>> canonicalRoles(const std::vector<aidl_hal::BufferRole>& roles) {
    std::vector<BufferRole> canonical;
    canonical.reserve(roles.size());
    for (const aidl_hal::BufferRole& role : roles) {
        canonical.push_back(NN_TRY(::nn::unvalidatedConvert(role)));
    }
    return canonical;
}

struct CheckedDesc {
    std::vector<BufferRole> inputs{};
    std::vector<BufferRole> outputs{};
    aidl_hal::Operand operand{};
};

Result<CheckedDesc> checkDesc(const aidl_hal::BufferDesc& desc,
                              const std::vector<const Model*>& models,
                              const std::vector<aidl_hal::BufferRole>& inputRoles,
                              const std::vector<aidl_hal::BufferRole>& outputRoles) {
    CheckedDesc checked;
    checked.inputs = NN_TRY(canonicalRoles(inputRoles));
    checked.outputs = NN_TRY(canonicalRoles(outputRoles));
    const BufferDesc canonical = NN_TRY(::nn::unvalidatedConvert(desc));
    const Operand operand =
            NN_TRY(::nn::validateMemoryDesc(canonical, models, checked.inputs, checked.outputs));
    checked.operand = NN_TRY(::nn::AIDL4::utils::unvalidatedConvert(operand));
    return checked;
}

}  // namespace

bool validateMemoryDesc(
        const aidl_hal::BufferDesc& desc,
        const std::vector<std::shared_ptr<aidl_hal::IPreparedModel>>& preparedModels,
        const std::vector<aidl_hal::BufferRole>& inputRoles,
        const std::vector<aidl_hal::BufferRole>& outputRoles,
        std::function<const aidl_hal::Model*(const std::shared_ptr<aidl_hal::IPreparedModel>&)>
                getModel,
        std::set<AidlHalPreparedModelRole>* preparedModelRoles,
        aidl_hal::Operand* combinedOperand) {
    CanonicalModels canonical;
    std::vector<const Model*> models;
    models.reserve(preparedModels.size());
    for (const auto& preparedModel : preparedModels) {
        models.push_back(preparedModel == nullptr ? nullptr
                                                  : canonical.of(getModel(preparedModel)));
    }
    Result<CheckedDesc> checked = checkDesc(desc, models, inputRoles, outputRoles);
    if (!checked.ok()) {
        LOG(ERROR) << "validateMemoryDesc: " << checked.status().message();
        return false;
    }
    const auto add = [&](const std::vector<BufferRole>& roles, IOType type) {
        for (const BufferRole& role : roles) {
            preparedModelRoles->emplace(preparedModels[role.modelIndex].get(), type, role.ioIndex);
        }
    };
    if (preparedModelRoles != nullptr) {
        add(checked->inputs, IOType::INPUT);
        add(checked->outputs, IOType::OUTPUT);
    }
    if (combinedOperand != nullptr) *combinedOperand = std::move(checked->operand);
    return true;
}

}  // namespace android::nn
