#include "nnapi_android/hal_validation.h"

#include <android-base/logging.h>

#include <string>
#include <utility>

#include "android/src/allocation_checks.h"
#include "nnapi/convert.h"
#include "nnapi/validate.h"

namespace nnapi_android {

bool isOkOrLogged(const ::nn::Status& status) {
    if (status.ok()) return true;
    LOG(ERROR) << std::string(status.message());
    return false;
}

namespace {

template <class Request, class Model>
::nn::Status validateForModel(const Request& request, const Model& model,
                              bool allowUnspecifiedOutput) {
    NNAPI_ASSIGN_OR_RETURN(canonical, ::nn::convert(request));
    NNAPI_ASSIGN_OR_RETURN(signature, argumentsOfModel(model));
    return ::nn::validateRequestForModel(canonical, signature, allowUnspecifiedOutput).status();
}

}  // namespace

template <class Model>
bool isValidModel(const Model& model) {
    return isOkOrLogged(::nn::convert(model).status());
}
template bool isValidModel(const ::nn::V1_0::Model& model);
template bool isValidModel(const ::nn::V1_1::Model& model);
template bool isValidModel(const ::nn::V1_2::Model& model);
template bool isValidModel(const ::nn::V1_3::Model& model);

template <class Request, class Model>
bool isValidRequest(const Request& request, const Model& model, bool allowUnspecifiedOutput) {
    return isOkOrLogged(validateForModel(request, model, allowUnspecifiedOutput));
}
template bool isValidRequest(const ::nn::V1_0::Request&, const ::nn::V1_0::Model&, bool);
template bool isValidRequest(const ::nn::V1_0::Request&, const ::nn::V1_1::Model&, bool);
template bool isValidRequest(const ::nn::V1_0::Request&, const ::nn::V1_2::Model&, bool);
template bool isValidRequest(const ::nn::V1_0::Request&, const ::nn::V1_3::Model&, bool);
template bool isValidRequest(const ::nn::V1_3::Request&, const ::nn::V1_3::Model&, bool);

template <class Hal>
bool isValidObject(const Hal& object) {
    return isOkOrLogged(::nn::convert(object).status());
}
template bool isValidObject(const ::nn::V1_0::OperandType&);
template bool isValidObject(const ::nn::V1_2::OperandType&);
template bool isValidObject(const ::nn::V1_3::OperandType&);
template bool isValidObject(const ::nn::V1_0::OperationType&);
template bool isValidObject(const ::nn::V1_1::OperationType&);
template bool isValidObject(const ::nn::V1_2::OperationType&);
template bool isValidObject(const ::nn::V1_3::OperationType&);
template bool isValidObject(const ::nn::V1_1::ExecutionPreference&);
template bool isValidObject(const ::nn::V1_3::Priority&);
template bool isValidObject(const ::nn::hidl::hidl_memory&);

template <>
bool isValidObject(const ::nn::V1_3::Request::MemoryPool& pool) {
    using Tag = ::nn::V1_3::Request::MemoryPool::hidl_discriminator;
    switch (pool.getDiscriminator()) {
        case Tag::hidlMemory:
            return isValidObject(pool.hidlMemory());
        case Tag::token:
            return pool.token() != 0;
    }
    return false;
}

bool isValidMemoryDesc(
        const ::nn::V1_3::BufferDesc& desc,
        const ::nn::hidl::hidl_vec<::nn::hidl::sp<::nn::V1_3::IPreparedModel>>& preparedModels,
        const ::nn::hidl::hidl_vec<::nn::V1_3::BufferRole>& inputRoles,
        const ::nn::hidl::hidl_vec<::nn::V1_3::BufferRole>& outputRoles,
        const GetHidlModel& getModel, BasicPreparedModelRoles<HidlTypes>* preparedModelRoles,
        ::nn::V1_3::Operand* combinedOperand) {
    const auto common = checkAllocation(desc, preparedModels, inputRoles, outputRoles, getModel);
    if (!isOkOrLogged(common.status())) return false;
    auto combined = ::nn::V1_3::utils::unvalidatedConvert(*common);
    if (!isOkOrLogged(combined.status())) return false;
    if (preparedModelRoles != nullptr) {
        *preparedModelRoles = rolesOf<BasicPreparedModelRoles<HidlTypes>>(preparedModels,
                                                                          inputRoles, outputRoles);
    }
    if (combinedOperand != nullptr) *combinedOperand = *std::move(combined);
    return true;
}

}  // namespace nnapi_android
