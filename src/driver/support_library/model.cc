#include "driver/support_library/model.h"

#include <utility>

#include "nnapi/relocation.h"
#include "nnapi/type_utils.h"
#include "nnapi/validate.h"
#include "types/extension_names.h"

namespace nn::driver {
namespace {

using LifeTime = Operand::LifeTime;

// Makes the graphs of a model, those first that others refer to.
class Builder {
   public:
    Builder(const Library& library, LibraryModel& built) : mLibrary(library), mBuilt(built) {}

    Status build() {
        mBuilt.memories.resize(mBuilt.model.pools.size());
        mBuilt.referenced.resize(mBuilt.model.referenced.size());
        NNAPI_ASSIGN_OR_RETURN(main, graph(mBuilt.model.main));
        mBuilt.main = std::move(main);
        return {};
    }

   private:
    const NnApiSLDriverImplFL5& api() const { return mLibrary.api(); }

    // The depth of nested graphs is limited in legal models.
    GeneralResult<std::shared_ptr<ANeuralNetworksModel>> graph(const Model::Subgraph& graph) {
        NNAPI_ASSIGN_OR_RETURN(
                made, mLibrary.made("ANeuralNetworksModel_create", api().ANeuralNetworksModel_free,
                                    api().ANeuralNetworksModel_create));
        ANeuralNetworksModel* model = made.get();
        for (uint32_t i = 0; i < graph.operands.size(); ++i) {
            NNAPI_RETURN_IF_ERROR(addOperand(model, graph.operands[i]));
            NNAPI_RETURN_IF_ERROR(setValue(model, static_cast<int32_t>(i), graph.operands[i]));
        }
        for (const Operation& operation : graph.operations) {
            NNAPI_RETURN_IF_ERROR(addOperation(model, operation));
        }
        NNAPI_RETURN_IF_ERROR(NNAPI_SL_CALL(
                mLibrary, ANeuralNetworksModel_identifyInputsAndOutputs, model,
                static_cast<uint32_t>(graph.inputIndexes.size()), graph.inputIndexes.data(),
                static_cast<uint32_t>(graph.outputIndexes.size()), graph.outputIndexes.data()));
        NNAPI_RETURN_IF_ERROR(NNAPI_SL_CALL(mLibrary,
                                            ANeuralNetworksModel_relaxComputationFloat32toFloat16,
                                            model, mBuilt.model.relaxComputationFloat32toFloat16));
        NNAPI_RETURN_IF_ERROR(NNAPI_SL_CALL(mLibrary, ANeuralNetworksModel_finish, model));
        return made;
    }

    Status addOperand(ANeuralNetworksModel* model, const Operand& operand) {
        ANeuralNetworksOperandType type{
                .type = static_cast<int32_t>(operand.type),
                .dimensionCount = static_cast<uint32_t>(operand.dimensions.size()),
                .dimensions = operand.dimensions.empty() ? nullptr : operand.dimensions.data(),
                .scale = operand.scale,
                .zeroPoint = operand.zeroPoint};
        if (isExtension(operand.type)) {
            NNAPI_ASSIGN_OR_RETURN(code, extensionCodeOf(static_cast<uint32_t>(operand.type),
                                                         mBuilt.model.extensionNameToPrefix));
            NNAPI_RETURN_IF_ERROR(NNAPI_SL_CALL(mLibrary,
                                                ANeuralNetworksModel_getExtensionOperandType, model,
                                                code.name, code.code, &type.type));
            mBuilt.extensionTypes[operand.type] = type.type;
        }
        return NNAPI_SL_CALL(mLibrary, ANeuralNetworksModel_addOperand, model, &type);
    }

    Status setParameters(ANeuralNetworksModel* model, int32_t index,
                         const Operand::ExtraParams& parameters) {
        if (const auto* channels = std::get_if<Operand::SymmPerChannelQuantParams>(&parameters)) {
            const ANeuralNetworksSymmPerChannelQuantParams quant{
                    .channelDim = channels->channelDim,
                    .scaleCount = static_cast<uint32_t>(channels->scales.size()),
                    .scales = channels->scales.data()};
            return NNAPI_SL_CALL(mLibrary, ANeuralNetworksModel_setOperandSymmPerChannelQuantParams,
                                 model, index, &quant);
        }
        if (const auto* data = std::get_if<Operand::ExtensionParams>(&parameters)) {
            return NNAPI_SL_CALL(mLibrary, ANeuralNetworksModel_setOperandExtensionData, model,
                                 index, data->empty() ? nullptr : data->data(), data->size());
        }
        return {};
    }

    Status setValue(ANeuralNetworksModel* model, int32_t index, const Operand& operand) {
        NNAPI_RETURN_IF_ERROR(setParameters(model, index, operand.extraParams));
        const DataLocation& location = operand.location;
        switch (operand.lifetime) {
            case LifeTime::TEMPORARY_VARIABLE:
            case LifeTime::SUBGRAPH_INPUT:
            case LifeTime::SUBGRAPH_OUTPUT:
            case LifeTime::POINTER:  // none are left here
                return {};
            case LifeTime::NO_VALUE:
                return NNAPI_SL_CALL(mLibrary, ANeuralNetworksModel_setOperandValue, model, index,
                                     nullptr, 0);
            case LifeTime::CONSTANT_COPY:
                return NNAPI_SL_CALL(mLibrary, ANeuralNetworksModel_setOperandValue, model, index,
                                     mBuilt.model.operandValues.data() + location.offset,
                                     location.length);
            case LifeTime::CONSTANT_REFERENCE: {
                auto& memory = mBuilt.memories[location.poolIndex];
                if (memory == nullptr) {
                    NNAPI_ASSIGN_OR_RETURN(
                            made, mLibrary.memoryOf(mBuilt.model.pools[location.poolIndex]));
                    memory = std::move(made);
                }
                return NNAPI_SL_CALL(mLibrary, ANeuralNetworksModel_setOperandValueFromMemory,
                                     model, index, memory.get(), location.offset, location.length);
            }
            case LifeTime::SUBGRAPH: {
                auto& value = mBuilt.referenced[location.offset];
                if (value == nullptr) {
                    NNAPI_ASSIGN_OR_RETURN(made, graph(mBuilt.model.referenced[location.offset]));
                    value = std::move(made);
                }
                return NNAPI_SL_CALL(mLibrary, ANeuralNetworksModel_setOperandValueFromModel, model,
                                     index, value.get());
            }
        }
        return {};
    }

    Status addOperation(ANeuralNetworksModel* model, const Operation& operation) {
        auto type = static_cast<ANeuralNetworksOperationType>(operation.type);
        if (isExtension(operation.type)) {
            NNAPI_ASSIGN_OR_RETURN(code, extensionCodeOf(static_cast<uint32_t>(operation.type),
                                                         mBuilt.model.extensionNameToPrefix));
            NNAPI_RETURN_IF_ERROR(NNAPI_SL_CALL(mLibrary,
                                                ANeuralNetworksModel_getExtensionOperationType,
                                                model, code.name, code.code, &type));
        }
        return NNAPI_SL_CALL(
                mLibrary, ANeuralNetworksModel_addOperation, model, type,
                static_cast<uint32_t>(operation.inputs.size()), operation.inputs.data(),
                static_cast<uint32_t>(operation.outputs.size()), operation.outputs.data());
    }

    const Library& mLibrary;
    LibraryModel& mBuilt;
};

}  // namespace

GeneralResult<std::shared_ptr<const LibraryModel>> buildModel(const Library& library, Model model) {
    NNAPI_RETURN_IF_ERROR(validate(model).status());
    NNAPI_RETURN_IF_ERROR(flushDataFromPointerToShared(&model));
    auto built = std::make_shared<LibraryModel>();
    built->model = std::move(model);
    NNAPI_RETURN_IF_ERROR(Builder(library, *built).build());
    return std::shared_ptr<const LibraryModel>(std::move(built));
}

GeneralResult<ExtensionCode> extensionCodeOf(uint32_t token,
                                             const std::vector<ExtensionNameAndPrefix>& names) {
    if (const auto* extension = findExtension(names, token)) {
        return ExtensionCode{extension->name.c_str(), getTypeWithinExtension(token)};
    }
    return error(ErrorStatus::INVALID_ARGUMENT)
           << "no extension has the prefix " << getExtensionPrefix(token);
}

Status addHints(
        const Library& library, const std::vector<TokenValuePair>& hints,
        const std::vector<ExtensionNameAndPrefix>& names, std::string_view function,
        const std::function<int(const NnApiSLDriverImplFL8& table, const ExtensionCode& code,
                                const std::vector<uint8_t>& value)>& add) {
    const auto drop = [&](const std::string& why) {
        NNAPI_VLOG(library.log(), DRIVER)
                << library.name() << " gets a hint less than the caller has: " << why;
    };
    for (const TokenValuePair& hint : hints) {
        NNAPI_ASSIGN_OR_RETURN(code, extensionCodeOf(static_cast<uint32_t>(hint.token), names));
        if (library.level8() == nullptr) {
            drop("there are none before feature level 8");
            continue;
        }
        const Status added = library.statusOf(function, add(*library.level8(), code, hint.value));
        if (!added.ok()) drop(std::string(added.message()));
    }
    return {};
}

}  // namespace nn::driver
