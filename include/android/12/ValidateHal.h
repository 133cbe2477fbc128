// ValidateHal.h -- validation of HIDL models, requests and arguments of drivers, by Android's
// names.
//
// The reason is logged.
#pragma once

#include <set>

#include "HalInterfaces.h"
#include "LegacyUtils.h"
#include "nnapi/TypeUtils.h"
#include "nnapi/Types.h"
#include "nnapi/Validation.h"
#include "nnapi/hal/v1_3_interfaces.h"
#include "nnapi_android/hal_validation.h"

namespace android::nn {

using HalPreparedModelRole = ::nnapi_android::BasicPreparedModelRole<::nnapi_android::HidlTypes>;

// Both modes check the requirements of the HAL.
enum class ValidationMode { DRIVER, RUNTIME };

template <class HalModel>
bool validateModel(const HalModel& model, ValidationMode = ValidationMode::DRIVER) {
    return ::nnapi_android::isValidModel(model);
}
// Also that the request fits the model.
template <class HalRequest, class HalModel>
bool validateRequest(const HalRequest& request, const HalModel& model,
                     bool allowUnspecifiedOutput = true) {
    return ::nnapi_android::isValidRequest(request, model, allowUnspecifiedOutput);
}
inline bool validateExecutionPreference(V1_1::ExecutionPreference preference) {
    return ::nnapi_android::isValidObject(preference);
}
inline bool validatePriority(V1_3::Priority priority) {
    return ::nnapi_android::isValidObject(priority);
}
template <class HalOperationType>
bool validOperationType(HalOperationType type) {
    return ::nnapi_android::isValidObject(type);
}
template <class HalOperandType>
bool validOperandType(HalOperandType type) {
    return ::nnapi_android::isValidObject(type);
}
template <class Pool>
bool validatePool(const Pool& pool, HalVersion = HalVersion::LATEST) {
    return ::nnapi_android::isValidObject(pool);
}

inline bool validateMemoryDesc(
        const V1_3::BufferDesc& desc,
        const ::nn::hidl::hidl_vec<::nn::hidl::sp<V1_3::IPreparedModel>>& preparedModels,
        const ::nn::hidl::hidl_vec<V1_3::BufferRole>& inputRoles,
        const ::nn::hidl::hidl_vec<V1_3::BufferRole>& outputRoles,
        const ::nnapi_android::GetHidlModel& getModel,
        std::set<HalPreparedModelRole>* preparedModelRoles, V1_3::Operand* combinedOperand) {
    return ::nnapi_android::isValidMemoryDesc(desc, preparedModels, inputRoles, outputRoles,
                                              getModel, preparedModelRoles, combinedOperand);
}

}  // namespace android::nn
