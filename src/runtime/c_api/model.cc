// The C API: models.
#include <algorithm>
#include <set>

#include "runtime/c_api/handles.h"
#include "runtime/plan/supported_operations.h"

using namespace nn::runtime;

namespace {

// The devices of a list, without duplicates.
ApiStatus readDevices(const ANeuralNetworksDevice* const* devices, uint32_t count,
                      std::vector<PlanDevice>& read) {
    std::set<const ANeuralNetworksDevice*> seen;
    for (uint32_t i = 0; i < count; ++i) {
        NNAPI_API_RETURN_IF_ERROR(checkPointers(devices[i]));
        if (!seen.insert(devices[i]).second) return badData("a device is there twice");
        const ANeuralNetworksDevice* known = runtime().find(devices[i]);
        if (known == nullptr) return badData("one of the devices is no device");
        read.push_back(known->forPlan());
    }
    return {};
}

ApiStatus compilationOf(std::shared_ptr<const FinishedModel> model, std::vector<PlanDevice> devices,
                        bool isExplicit, ANeuralNetworksCompilation** compilation) {
    *compilation = new ANeuralNetworksCompilation{
            std::make_shared<CompilationBuilder>(std::move(model), std::move(devices), isExplicit)};
    return {};
}

// Queries devices about the compiled model; results are in the order in which the operations were
// added.
ApiStatus supportedOperations(const FinishedModel& model, const std::vector<PlanDevice>& devices,
                              bool* supported) {
    const auto checked = nn::validateModel(model.model);
    if (!checked.ok()) return checked.status();
    Support support(*checked);
    std::fill_n(supported, model.addedAs.size(), false);
    for (const PlanDevice& device : devices) {
        const std::vector<bool> results = support.of(device);
        for (size_t i = 0; i < model.addedAs.size() && i < results.size(); ++i) {
            supported[model.addedAs[i]] |= results[i];
        }
    }
    return {};
}

}  // namespace

extern "C" {

int ANeuralNetworksModel_create(ANeuralNetworksModel** model) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(model));
        *model = nullptr;
        *model = new ANeuralNetworksModel;
        return {};
    });
}

void ANeuralNetworksModel_free(ANeuralNetworksModel* model) { delete model; }

// Checks of addOperand: an extension type that no device has; dimensions at null, or none at an
// address; more than 64; the type itself; more than 2^32 - 2 operands.
int ANeuralNetworksModel_addOperand(ANeuralNetworksModel* model,
                                    const ANeuralNetworksOperandType* type) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(model, type));
        return hold(model->builder)->addOperand(*type);
    });
}

// Checks of setOperandValue: index; no bytes at an address; unknown dimensions; more than 2^32 - 1
// bytes; a length other than the type's.
int ANeuralNetworksModel_setOperandValue(ANeuralNetworksModel* model, int32_t index,
                                         const void* buffer, size_t length) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(model));
        NNAPI_API_RETURN_IF_ERROR(checkData(buffer, length));
        return hold(model->builder)->setOperandValue(index, buffer, length);
    });
}

// Checks of setOperandValueFromMemory: index; unknown dimensions; the length; memory with roles;
// bytes beyond the memory.
int ANeuralNetworksModel_setOperandValueFromMemory(ANeuralNetworksModel* model, int32_t index,
                                                   const ANeuralNetworksMemory* memory,
                                                   size_t offset, size_t length) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(model, memory));
        return hold(model->builder)
                ->setOperandValueFromMemory(index, *hold(memory->memory), offset, length);
    });
}

// Checks of setOperandValueFromModel: an unfinished graph: BAD_STATE; index.
int ANeuralNetworksModel_setOperandValueFromModel(ANeuralNetworksModel* model, int32_t index,
                                                  const ANeuralNetworksModel* value) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(model, value));
        return hold(model->builder)->setOperandValueFromModel(index, *hold(value->builder));
    });
}

// Checks of setOperandSymmPerChannelQuantParams: index; scales at null, or none at an address;
// another type; parameters that do not match.
int ANeuralNetworksModel_setOperandSymmPerChannelQuantParams(
        ANeuralNetworksModel* model, int32_t index,
        const ANeuralNetworksSymmPerChannelQuantParams* channelQuant) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(model, channelQuant));
        return hold(model->builder)->setOperandSymmPerChannelQuantParams(index, *channelQuant);
    });
}

// Checks of addOperation: lists at null, whatever their length: UNEXPECTED_NULL, first of all; the
// operation; unknown operands; the signature, with the values set so far.
int ANeuralNetworksModel_addOperation(ANeuralNetworksModel* model,
                                      ANeuralNetworksOperationType type, uint32_t inputCount,
                                      const uint32_t* inputs, uint32_t outputCount,
                                      const uint32_t* outputs) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(model, inputs, outputs));
        return hold(model->builder)
                ->addOperation(static_cast<nn::OperationType>(type), {inputs, inputCount},
                               {outputs, outputCount});
    });
}

// Checks of identifyInputsAndOutputs: lists at null, whatever their length: UNEXPECTED_NULL, first
// of all; no input or no output; unknown operands; duplicates; operands that have a value or are
// already listed. A failure changes nothing.
int ANeuralNetworksModel_identifyInputsAndOutputs(ANeuralNetworksModel* model, uint32_t inputCount,
                                                  const uint32_t* inputs, uint32_t outputCount,
                                                  const uint32_t* outputs) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(model, inputs, outputs));
        return hold(model->builder)
                ->identifyInputsAndOutputs({inputs, inputCount}, {outputs, outputCount});
    });
}

int ANeuralNetworksModel_relaxComputationFloat32toFloat16(ANeuralNetworksModel* model, bool allow) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(model));
        return hold(model->builder)->relax(allow);
    });
}

// Checks of finish: no input or no output; cycles of operations; everything that `nnapi validate`
// rejects.
int ANeuralNetworksModel_finish(ANeuralNetworksModel* model) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(model));
        return hold(model->builder)->finish();
    });
}

// Checks of getSupportedOperationsForDevices: no devices; an unfinished model: BAD_STATE; a null
// device: UNEXPECTED_NULL; duplicates; not a device.
int ANeuralNetworksModel_getSupportedOperationsForDevices(
        const ANeuralNetworksModel* model, const ANeuralNetworksDevice* const* devices,
        uint32_t numDevices, bool* supportedOps) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(model, devices, supportedOps));
        if (numDevices == 0) return badData("there are no devices");
        std::shared_ptr<const FinishedModel> finished;
        NNAPI_API_RETURN_IF_ERROR(hold(model->builder)->finished(finished));
        std::vector<PlanDevice> read;
        NNAPI_API_RETURN_IF_ERROR(readDevices(devices, numDevices, read));
        return supportedOperations(*finished, read, supportedOps);
    });
}

int ANeuralNetworksModel_getExtensionOperandType(ANeuralNetworksModel* model,
                                                 const char* extensionName,
                                                 uint16_t operandCodeWithinExtension,
                                                 int32_t* type) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(model, extensionName, type));
        const auto found = runtime().types().getExtensionPrefix(extensionName);
        if (!found.has_value()) return badData(found.error().message);
        *type = static_cast<int32_t>((uint32_t{*found} << nn::kExtensionTypeBits) |
                                     operandCodeWithinExtension);
        return {};
    });
}

int ANeuralNetworksModel_getExtensionOperationType(ANeuralNetworksModel* model,
                                                   const char* extensionName,
                                                   uint16_t operationCodeWithinExtension,
                                                   ANeuralNetworksOperationType* type) {
    return ANeuralNetworksModel_getExtensionOperandType(model, extensionName,
                                                        operationCodeWithinExtension, type);
}

// Checks of setOperandExtensionData: index; not an extension type; no bytes at an address.
int ANeuralNetworksModel_setOperandExtensionData(ANeuralNetworksModel* model, int32_t index,
                                                 const void* data, size_t length) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(model));
        NNAPI_API_RETURN_IF_ERROR(checkData(data, length));
        return hold(model->builder)->setOperandExtensionData(index, data, length);
    });
}

// ---- compilations

// Checks of create: an unfinished model: BAD_STATE.
int ANeuralNetworksCompilation_create(ANeuralNetworksModel* model,
                                      ANeuralNetworksCompilation** compilation) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(compilation));
        *compilation = nullptr;
        NNAPI_API_RETURN_IF_ERROR(checkPointers(model));
        std::shared_ptr<const FinishedModel> finished;
        NNAPI_API_RETURN_IF_ERROR(hold(model->builder)->finished(finished));
        return compilationOf(std::move(finished), runtime().devicesForAll(), false, compilation);
    });
}

// Checks of createForDevices: no devices; a null device: UNEXPECTED_NULL; duplicates; not a device;
// then as create.
int ANeuralNetworksCompilation_createForDevices(ANeuralNetworksModel* model,
                                                const ANeuralNetworksDevice* const* devices,
                                                uint32_t numDevices,
                                                ANeuralNetworksCompilation** compilation) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(compilation));
        *compilation = nullptr;
        NNAPI_API_RETURN_IF_ERROR(checkPointers(model, devices));
        if (numDevices == 0) return badData("there are no devices");
        std::vector<PlanDevice> read;
        NNAPI_API_RETURN_IF_ERROR(readDevices(devices, numDevices, read));
        std::shared_ptr<const FinishedModel> finished;
        NNAPI_API_RETURN_IF_ERROR(hold(model->builder)->finished(finished));
        return compilationOf(std::move(finished), std::move(read), true, compilation);
    });
}

}  // extern "C"
