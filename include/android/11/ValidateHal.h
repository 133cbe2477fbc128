// ValidateHal.h -- Validation of HIDL models, requests and arguments of drivers.
//
//   if (!validateModel(model) || !validateExecutionPreference(preference)) { ... }
//
// The reason is logged.
#pragma once

#include <set>

#include "HalInterfaces.h"
#include "nnapi_android/hal_validation.h"

namespace android::nn {

enum class HalVersion : int32_t { UNKNOWN, V1_0, V1_1, V1_2, V1_3, LATEST = V1_3 };

using PreparedModelRole = ::nnapi_android::BasicPreparedModelRole<::nnapi_android::HidlTypes>;

// Both modes check the requirements of the HAL.
enum class ValidationMode { DRIVER, RUNTIME };

template <class T_Model>
bool validateModel(const T_Model& model, ValidationMode = ValidationMode::DRIVER) {
    return ::nnapi_android::isValidModel(model);
}

// Also that the request fits the model.
template <class T_Request, class T_Model>
bool validateRequest(const T_Request& request, const T_Model& model,
                     bool allowUnspecifiedOutput = true) {
    return ::nnapi_android::isValidRequest(request, model, allowUnspecifiedOutput);
}

inline bool validateExecutionPreference(hal::ExecutionPreference preference) {
    return ::nnapi_android::isValidObject(preference);
}
inline bool validatePriority(hal::Priority priority) {
    return ::nnapi_android::isValidObject(priority);
}

inline bool validOperationType(hal::V1_0::OperationType operation) {
    return ::nnapi_android::isValidObject(operation);
}
inline bool validOperationType(hal::V1_1::OperationType operation) {
    return ::nnapi_android::isValidObject(operation);
}
inline bool validOperationType(hal::V1_2::OperationType operation) {
    return ::nnapi_android::isValidObject(operation);
}
inline bool validOperationType(hal::V1_3::OperationType operation) {
    return ::nnapi_android::isValidObject(operation);
}

inline bool validOperandType(hal::V1_0::OperandType operand) {
    return ::nnapi_android::isValidObject(operand);
}
inline bool validOperandType(hal::V1_2::OperandType operand) {
    return ::nnapi_android::isValidObject(operand);
}
inline bool validOperandType(hal::V1_3::OperandType operand) {
    return ::nnapi_android::isValidObject(operand);
}

inline bool validatePool(const hal::hidl_memory& pool, HalVersion = HalVersion::LATEST) {
    return ::nnapi_android::isValidObject(pool);
}
inline bool validatePool(const hal::V1_3::Request::MemoryPool& pool,
                         HalVersion = HalVersion::LATEST) {
    return ::nnapi_android::isValidObject(pool);
}

// The arguments of IDevice::allocate; nnapi_android/hal_validation.h describes the results.
inline bool validateMemoryDesc(const hal::V1_3::BufferDesc& desc,
                               const hal::hidl_vec<sp<hal::V1_3::IPreparedModel>>& preparedModels,
                               const hal::hidl_vec<hal::V1_3::BufferRole>& inputRoles,
                               const hal::hidl_vec<hal::V1_3::BufferRole>& outputRoles,
                               const ::nnapi_android::GetHidlModel& getModel,
                               std::set<PreparedModelRole>* preparedModelRoles,
                               hal::V1_3::Operand* combinedOperand) {
    return ::nnapi_android::isValidMemoryDesc(desc, preparedModels, inputRoles, outputRoles,
                                              getModel, preparedModelRoles, combinedOperand);
}

}  // namespace android::nn
