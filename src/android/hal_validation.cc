#include "nnapi_android/hal_validation.h"

#include <android-base/logging.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "nnapi/convert.h"
#include "nnapi/validate.h"

namespace nnapi_android {

bool isOkOrLogged(const ::nn::Status& status) {
    if (status.ok()) return true;
    LOG(ERROR) << std::string(status.message());
    return false;
}

namespace {

template <class Model>
const auto& mainOf(const Model& model) {
    if constexpr (requires { model.main; }) {
        return model.main;
    } else {
        return model;
    }
}

// Appends operands of a HAL model, and their new indexes to `places`.
template <class Main>
::nn::Status addOperands(const Main& main, const ::nn::hidl::hidl_vec<uint32_t>& indexes,
                         std::vector<::nn::Operand>& operands, std::vector<uint32_t>& places) {
    for (const uint32_t index : indexes) {
        if (index >= main.operands.size()) {
            return ::nn::makeError(::nn::ErrorStatus::INVALID_ARGUMENT,
                                   "the model has an argument that is no operand");
        }
        NNAPI_ASSIGN_OR_RETURN(operand, ::nn::unvalidatedConvert(main.operands[index]));
        places.push_back(static_cast<uint32_t>(operands.size()));
        operands.push_back(std::move(operand));
    }
    return {};
}

// A model that has only the inputs and outputs of a HAL model.
template <class Model>
::nn::Result<::nn::Model> argumentsOfModel(const Model& model) {
    ::nn::Model signature;
    const auto& main = mainOf(model);
    NNAPI_RETURN_IF_ERROR(addOperands(main, main.inputIndexes, signature.main.operands,
                                      signature.main.inputIndexes));
    NNAPI_RETURN_IF_ERROR(addOperands(main, main.outputIndexes, signature.main.operands,
                                      signature.main.outputIndexes));
    return signature;
}

template <class Request, class Model>
::nn::Status validateForModel(const Request& request, const Model& model,
                              bool allowUnspecifiedOutput) {
    NNAPI_ASSIGN_OR_RETURN(canonical, ::nn::convert(request));
    NNAPI_ASSIGN_OR_RETURN(signature, argumentsOfModel(model));
    return ::nn::validateRequestForModel(canonical, signature, allowUnspecifiedOutput).status();
}

// Converts roles, and adds them to the set.
template <class PreparedModels>
::nn::Result<std::vector<::nn::BufferRole>> rolesOf(
        const PreparedModels& preparedModels,
        const ::nn::hidl::hidl_vec<::nn::V1_3::BufferRole>& roles, IOType type,
        BasicPreparedModelRoles<HidlTypes>& flat) {
    std::vector<::nn::BufferRole> canonical;
    for (const ::nn::V1_3::BufferRole& role : roles) {
        NNAPI_ASSIGN_OR_RETURN(converted, ::nn::unvalidatedConvert(role));
        canonical.push_back(converted);
        if (role.modelIndex >= preparedModels.size()) continue;  // refused with the models
        flat.emplace(preparedModels[role.modelIndex].get(), type, role.ioIndex);
    }
    return canonical;
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
    // One canonical model for each prepared model, however often it is given.
    std::map<const ::nn::V1_3::IPreparedModel*, std::unique_ptr<const ::nn::Model>> byObject;
    std::vector<const ::nn::Model*> models;
    for (const auto& preparedModel : preparedModels) {
        auto& known = byObject[preparedModel.get()];
        if (known == nullptr && preparedModel != nullptr) {
            const ::nn::V1_3::Model* model = getModel(preparedModel);
            if (model != nullptr) {
                auto arguments = argumentsOfModel(*model);
                if (!arguments.ok()) return isOkOrLogged(arguments.status());
                known = std::make_unique<const ::nn::Model>(*std::move(arguments));
            }
        }
        models.push_back(known.get());
    }

    BasicPreparedModelRoles<HidlTypes> flat;
    const auto canonical = ::nn::unvalidatedConvert(desc);
    const auto inputs = rolesOf(preparedModels, inputRoles, IOType::INPUT, flat);
    const auto outputs = rolesOf(preparedModels, outputRoles, IOType::OUTPUT, flat);
    for (const ::nn::Status& status : {canonical.status(), inputs.status(), outputs.status()}) {
        if (!isOkOrLogged(status)) return false;
    }
    const auto operand = ::nn::validateMemoryDesc(*canonical, models, *inputs, *outputs);
    if (!isOkOrLogged(operand.status())) return false;
    if (preparedModelRoles != nullptr) *preparedModelRoles = std::move(flat);
    if (combinedOperand == nullptr) return true;
    auto combined = ::nn::V1_3::utils::unvalidatedConvert(*operand);
    if (!isOkOrLogged(combined.status())) return false;
    *combinedOperand = *std::move(combined);
    return true;
}

}  // namespace nnapi_android
