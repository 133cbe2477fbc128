// nnapi_android/hal_validation.h -- Validation of HIDL objects, with the reasons in the log.
//
// What ValidateHal.h and Utils.h of Android 11 declare, and LegacyHalUtils.h of newer trees. OEM
// types, tokens, and the dimensions and parameters of extension types are the driver's to check.
#pragma once

#include <functional>
#include <set>

#include "nnapi/hal/v1_3_interfaces.h"
#include "nnapi/result.h"
#include "nnapi_android/helper_types.h"

namespace nnapi_android {

// Defined in the library for the models of HAL 1.0 to 1.3.
template <class Model>
bool isValidModel(const Model& model);

// Defined for the models of HAL 1.0 to 1.2 with the request of 1.0, and those of 1.3. Costs nothing
// for the model's constants and operations.
template <class Request, class Model>
bool isValidRequest(const Request& request, const Model& model, bool allowUnspecifiedOutput);

// Defined for enumerations, memories, pools of requests, and other single objects.
template <class Hal>
bool isValidObject(const Hal& object);

using GetHidlModel = std::function<const ::nn::V1_3::Model*(
        const ::nn::hidl::sp<::nn::V1_3::IPreparedModel>& preparedModel)>;

// True if the arguments of IDevice::allocate are legal. `getModel` returns null for a prepared
// model of another driver. The last two receive the roles and the operand that the roles have in
// common, with all known dimensions; either may be null.
bool isValidMemoryDesc(
        const ::nn::V1_3::BufferDesc& desc,
        const ::nn::hidl::hidl_vec<::nn::hidl::sp<::nn::V1_3::IPreparedModel>>& preparedModels,
        const ::nn::hidl::hidl_vec<::nn::V1_3::BufferRole>& inputRoles,
        const ::nn::hidl::hidl_vec<::nn::V1_3::BufferRole>& outputRoles,
        const GetHidlModel& getModel, BasicPreparedModelRoles<HidlTypes>* preparedModelRoles,
        ::nn::V1_3::Operand* combinedOperand);

// The status of a validation as a bool; the reason goes to the log.
bool isOkOrLogged(const ::nn::Status& status);

}  // namespace nnapi_android
