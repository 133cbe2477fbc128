// The C API: models.
#include <algorithm>
#include <set>

#include "runtime/c_api/handles.h"
#include "runtime/plan/supported_operations.h"

using namespace nn::runtime;

namespace {

// The devices of a list, each once.
Answer readDevices(const ANeuralNetworksDevice* const* devices, uint32_t count,
                   std::vector<PlanDevice>& read) {
    std::set<const ANeuralNetworksDevice*> seen;
    for (uint32_t i = 0; i < count; ++i) {
        NNAPI_ANSWER_IF_ERROR(checkPointers(devices[i]));
        if (!seen.insert(devices[i]).second) return badData("a device is there twice");
        const ANeuralNetworksDevice* known = runtime().find(devices[i]);
        if (known == nullptr) return badData("one of the devices is no device");
        read.push_back(known->forPlan());
    }
    return {};
}

Answer compilationOf(std::shared_ptr<const FinishedModel> model, std::vector<PlanDevice> devices,
                     bool isExplicit, ANeuralNetworksCompilation** compilation) {
    *compilation = new ANeuralNetworksCompilation{
            std::make_shared<CompilationBuilder>(std::move(model), std::move(devices), isExplicit)};
    return {};
}

// Of the model as it is compiled, in the order in which its operations were added.
Answer supportedOperations(const FinishedModel& model, const std::vector<PlanDevice>& devices,
                           bool* supported) {
    const auto checked = nn::check(model.model);
    if (!checked.ok()) return checked.status();
    Support support(*checked);
    std::fill_n(supported, model.addedAs.size(), false);
    for (const PlanDevice& device : devices) {
        const std::vector<bool> answer = support.of(device);
        for (size_t i = 0; i < model.addedAs.size() && i < answer.size(); ++i) {
            supported[model.addedAs[i]] |= answer[i];
        }
    }
    return {};
}

}  // namespace

extern "C" {

int ANeuralNetworksModel_create(ANeuralNetworksModel** model) {
    NNAPI_ANSWER({
        NNAPI_ANSWER_IF_ERROR(checkPointers(model));
        *model = nullptr;
        *model = new ANeuralNetworksModel;
        return {};
    });
}

void ANeuralNetworksModel_free(ANeuralNetworksModel* model) { delete model; }

int ANeuralNetworksModel_addOperand(ANeuralNetworksModel* model,
                                    const ANeuralNetworksOperandType* type) {
    NNAPI_ANSWER({
        NNAPI_ANSWER_IF_ERROR(checkPointers(model, type));
        return hold(model->builder)->addOperand(*type);
    });
}

int ANeuralNetworksModel_setOperandValue(ANeuralNetworksModel* model, int32_t index,
                                         const void* buffer, size_t length) {
    NNAPI_ANSWER({
        NNAPI_ANSWER_IF_ERROR(checkPointers(model));
        NNAPI_ANSWER_IF_ERROR(checkData(buffer, length));
        return hold(model->builder)->setOperandValue(index, buffer, length);
    });
}

int ANeuralNetworksModel_setOperandValueFromMemory(ANeuralNetworksModel* model, int32_t index,
                                                   const ANeuralNetworksMemory* memory,
                                                   size_t offset, size_t length) {
    NNAPI_ANSWER({
        NNAPI_ANSWER_IF_ERROR(checkPointers(model, memory));
        return hold(model->builder)
                ->setOperandValueFromMemory(index, *hold(memory->memory), offset, length);
    });
}

int ANeuralNetworksModel_setOperandValueFromModel(ANeuralNetworksModel* model, int32_t index,
                                                  const ANeuralNetworksModel* value) {
    NNAPI_ANSWER({
        NNAPI_ANSWER_IF_ERROR(checkPointers(model, value));
        return hold(model->builder)->setOperandValueFromModel(index, *hold(value->builder));
    });
}

int ANeuralNetworksModel_setOperandSymmPerChannelQuantParams(
        ANeuralNetworksModel* model, int32_t index,
        const ANeuralNetworksSymmPerChannelQuantParams* channelQuant) {
    NNAPI_ANSWER({
        NNAPI_ANSWER_IF_ERROR(checkPointers(model, channelQuant));
        return hold(model->builder)->setOperandSymmPerChannelQuantParams(index, *channelQuant);
    });
}

int ANeuralNetworksModel_addOperation(ANeuralNetworksModel* model,
                                      ANeuralNetworksOperationType type, uint32_t inputCount,
                                      const uint32_t* inputs, uint32_t outputCount,
                                      const uint32_t* outputs) {
    NNAPI_ANSWER({
        NNAPI_ANSWER_IF_ERROR(checkPointers(model, inputs, outputs));
        return hold(model->builder)
                ->addOperation(static_cast<nn::OperationType>(type), {inputs, inputCount},
                               {outputs, outputCount});
    });
}

int ANeuralNetworksModel_identifyInputsAndOutputs(ANeuralNetworksModel* model, uint32_t inputCount,
                                                  const uint32_t* inputs, uint32_t outputCount,
                                                  const uint32_t* outputs) {
    NNAPI_ANSWER({
        NNAPI_ANSWER_IF_ERROR(checkPointers(model, inputs, outputs));
        return hold(model->builder)
                ->identifyInputsAndOutputs({inputs, inputCount}, {outputs, outputCount});
    });
}

int ANeuralNetworksModel_relaxComputationFloat32toFloat16(ANeuralNetworksModel* model, bool allow) {
    NNAPI_ANSWER({
        NNAPI_ANSWER_IF_ERROR(checkPointers(model));
        return hold(model->builder)->relax(allow);
    });
}

int ANeuralNetworksModel_finish(ANeuralNetworksModel* model) {
    NNAPI_ANSWER({
        NNAPI_ANSWER_IF_ERROR(checkPointers(model));
        return hold(model->builder)->finish();
    });
}

int ANeuralNetworksModel_getSupportedOperationsForDevices(
        const ANeuralNetworksModel* model, const ANeuralNetworksDevice* const* devices,
        uint32_t numDevices, bool* supportedOps) {
    NNAPI_ANSWER({
        NNAPI_ANSWER_IF_ERROR(checkPointers(model, devices, supportedOps));
        if (numDevices == 0) return badData("there are no devices");
        std::shared_ptr<const FinishedModel> finished;
        NNAPI_ANSWER_IF_ERROR(hold(model->builder)->finished(finished));
        std::vector<PlanDevice> read;
        NNAPI_ANSWER_IF_ERROR(readDevices(devices, numDevices, read));
        return supportedOperations(*finished, read, supportedOps);
    });
}

int ANeuralNetworksModel_getExtensionOperandType(ANeuralNetworksModel* model,
                                                 const char* extensionName,
                                                 uint16_t operandCodeWithinExtension,
                                                 int32_t* type) {
    NNAPI_ANSWER({
        NNAPI_ANSWER_IF_ERROR(checkPointers(model, extensionName, type));
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

int ANeuralNetworksModel_setOperandExtensionData(ANeuralNetworksModel* model, int32_t index,
                                                 const void* data, size_t length) {
    NNAPI_ANSWER({
        NNAPI_ANSWER_IF_ERROR(checkPointers(model));
        NNAPI_ANSWER_IF_ERROR(checkData(data, length));
        return hold(model->builder)->setOperandExtensionData(index, data, length);
    });
}

// ---- and what is made of them

int ANeuralNetworksCompilation_create(ANeuralNetworksModel* model,
                                      ANeuralNetworksCompilation** compilation) {
    NNAPI_ANSWER({
        NNAPI_ANSWER_IF_ERROR(checkPointers(compilation));
        *compilation = nullptr;
        NNAPI_ANSWER_IF_ERROR(checkPointers(model));
        std::shared_ptr<const FinishedModel> finished;
        NNAPI_ANSWER_IF_ERROR(hold(model->builder)->finished(finished));
        return compilationOf(std::move(finished), runtime().devicesForAll(), false, compilation);
    });
}

int ANeuralNetworksCompilation_createForDevices(ANeuralNetworksModel* model,
                                                const ANeuralNetworksDevice* const* devices,
                                                uint32_t numDevices,
                                                ANeuralNetworksCompilation** compilation) {
    NNAPI_ANSWER({
        NNAPI_ANSWER_IF_ERROR(checkPointers(compilation));
        *compilation = nullptr;
        NNAPI_ANSWER_IF_ERROR(checkPointers(model, devices));
        if (numDevices == 0) return badData("there are no devices");
        std::vector<PlanDevice> read;
        NNAPI_ANSWER_IF_ERROR(readDevices(devices, numDevices, read));
        std::shared_ptr<const FinishedModel> finished;
        NNAPI_ANSWER_IF_ERROR(hold(model->builder)->finished(finished));
        return compilationOf(std::move(finished), std::move(read), true, compilation);
    });
}

}  // extern "C"
