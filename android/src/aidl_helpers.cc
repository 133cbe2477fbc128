// Helpers of AIDL drivers: performances, types, codes, roles of buffers.

#include <android-base/logging.h>

#include <algorithm>
#include <utility>

#include "AidlHalUtils.h"
#include "AidlValidateHal.h"
#include "android/src/allocation_checks.h"
#include "nnapi/convert.h"
#include "nnapi/type_utils.h"
#include "nnapi_android/cpu_run.h"
#include "nnapi_android/hal_validation.h"

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

bool validateMemoryDesc(
        const aidl_hal::BufferDesc& desc,
        const std::vector<std::shared_ptr<aidl_hal::IPreparedModel>>& preparedModels,
        const std::vector<aidl_hal::BufferRole>& inputRoles,
        const std::vector<aidl_hal::BufferRole>& outputRoles,
        const std::function<
                const aidl_hal::Model*(const std::shared_ptr<aidl_hal::IPreparedModel>&)>& getModel,
        std::set<AidlHalPreparedModelRole>* preparedModelRoles,
        aidl_hal::Operand* combinedOperand) {
    const auto common = ::nnapi_android::checkAllocation(desc, preparedModels, inputRoles,
                                                         outputRoles, getModel);
    if (!::nnapi_android::isOkOrLogged(common.status())) return false;
    auto combined = ::nn::AIDL4::utils::unvalidatedConvert(*common);
    if (!::nnapi_android::isOkOrLogged(combined.status())) return false;
    if (preparedModelRoles != nullptr) {
        *preparedModelRoles = ::nnapi_android::rolesOf<std::set<AidlHalPreparedModelRole>>(
                preparedModels, inputRoles, outputRoles);
    }
    if (combinedOperand != nullptr) *combinedOperand = *std::move(combined);
    return true;
}

}  // namespace android::nn
