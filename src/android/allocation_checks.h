// Checks of IDevice::allocate's arguments, one for canonical drivers, HIDL and AIDL.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "nnapi/convert.h"
#include "nnapi/validate.h"
#include "nnapi_android/helper_types.h"

namespace nnapi_android {

// Appends operands of a HAL model, and their new indexes to `places`.
template <class Main, class Indexes>
::nn::Status addOperands(const Main& main, const Indexes& indexes,
                         std::vector<::nn::Operand>& operands, std::vector<uint32_t>& places) {
    for (const auto index : indexes) {
        const auto at = static_cast<uint32_t>(index);
        if (at >= main.operands.size()) {
            return ::nn::makeError(::nn::ErrorStatus::INVALID_ARGUMENT,
                                   "the model has an argument that is no operand");
        }
        NNAPI_ASSIGN_OR_RETURN(operand, ::nn::unvalidatedConvert(main.operands[at]));
        places.push_back(static_cast<uint32_t>(operands.size()));
        operands.push_back(std::move(operand));
    }
    return {};
}

// A model that has only the inputs and outputs of a HAL model: constants and operations, which may
// be large, are not looked at.
template <class Model>
::nn::Result<::nn::Model> argumentsOfModel(const Model& model) {
    const auto& main = [&]() -> const auto& {
        if constexpr (requires { model.main; }) {
            return model.main;
        } else {
            return model;
        }
    }
    ();
    ::nn::Model signature;
    NNAPI_RETURN_IF_ERROR(addOperands(main, main.inputIndexes, signature.main.operands,
                                      signature.main.inputIndexes));
    NNAPI_RETURN_IF_ERROR(addOperands(main, main.outputIndexes, signature.main.operands,
                                      signature.main.outputIndexes));
    return signature;
}

// The models' inputs and outputs, once for each prepared model, however often it is given.
template <class PreparedModels, class GetModel>
class ArgumentsOfModels {
   public:
    ::nn::Status add(const PreparedModels& preparedModels, const GetModel& getModel) {
        for (const auto& preparedModel : preparedModels) {
            auto& known = mByObject[preparedModel.get()];
            const auto* model = known == nullptr && preparedModel != nullptr
                                        ? getModel(preparedModel)
                                        : nullptr;
            if (model != nullptr) {
                NNAPI_ASSIGN_OR_RETURN(arguments, argumentsOfModel(*model));
                known = std::make_unique<const ::nn::Model>(std::move(arguments));
            }
            mModels.push_back(known.get());
        }
        return {};
    }

    // In the order of the prepared models; null for those of other devices.
    const std::vector<const ::nn::Model*>& models() const { return mModels; }

   private:
    std::map<const void*, std::unique_ptr<const ::nn::Model>> mByObject{};
    std::vector<const ::nn::Model*> mModels{};
};

template <class Roles>
::nn::Result<std::vector<::nn::BufferRole>> canonicalRoles(const Roles& roles) {
    std::vector<::nn::BufferRole> canonical;
    canonical.reserve(roles.size());
    for (const auto& role : roles) {
        NNAPI_ASSIGN_OR_RETURN(converted, ::nn::unvalidatedConvert(role));
        canonical.push_back(converted);
    }
    return canonical;
}

// Checks the arguments of a client of HIDL or AIDL, and returns the type and dimensions that the
// roles share.
template <class Desc, class PreparedModels, class Roles, class GetModel>
::nn::Result<::nn::Operand> checkAllocation(const Desc& desc, const PreparedModels& preparedModels,
                                            const Roles& inputRoles, const Roles& outputRoles,
                                            const GetModel& getModel) {
    ArgumentsOfModels<PreparedModels, GetModel> arguments;
    NNAPI_RETURN_IF_ERROR(arguments.add(preparedModels, getModel));
    NNAPI_ASSIGN_OR_RETURN(canonical, ::nn::unvalidatedConvert(desc));
    NNAPI_ASSIGN_OR_RETURN(inputs, canonicalRoles(inputRoles));
    NNAPI_ASSIGN_OR_RETURN(outputs, canonicalRoles(outputRoles));
    return ::nn::validateMemoryDesc(canonical, arguments.models(), inputs, outputs);
}

// The roles in checked arguments.
template <class Set, class PreparedModels, class Roles>
Set rolesOf(const PreparedModels& preparedModels, const Roles& inputRoles,
            const Roles& outputRoles) {
    Set all;
    const auto add = [&](const Roles& roles, IOType type) {
        for (const auto& role : roles) {
            all.emplace(preparedModels[static_cast<uint32_t>(role.modelIndex)].get(), type,
                        static_cast<uint32_t>(role.ioIndex));
        }
    };
    add(inputRoles, IOType::INPUT);
    add(outputRoles, IOType::OUTPUT);
    return all;
}

}  // namespace nnapi_android
