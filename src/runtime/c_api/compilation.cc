// The C API: compilations, and the bursts and executions that are made of them.
#include "runtime/c_api/handles.h"

using namespace nn::runtime;

namespace {

ApiStatus preferenceOf(const ANeuralNetworksCompilation* compilation, uint32_t index, bool isInput,
                       uint32_t MemoryPreference::*field, uint32_t* value) {
    NNAPI_API_RETURN_IF_ERROR(checkPointers(compilation, value));
    std::shared_ptr<const Compiled> compiled;
    NNAPI_API_RETURN_IF_ERROR(hold(compilation->builder)->compiled(compiled));
    if (index >= compiled->model->indexes(isInput).size()) {
        return badData(isInput ? "there are fewer inputs" : "there are fewer outputs");
    }
    *value = compiled->plan->memoryPreference({index, isInput}).*field;
    return {};
}

}  // namespace

extern "C" {

void ANeuralNetworksCompilation_free(ANeuralNetworksCompilation* compilation) {
    delete compilation;
}

// Checks of setPreference, setPriority, setCaching: finished: BAD_STATE; the value.
int ANeuralNetworksCompilation_setPreference(ANeuralNetworksCompilation* compilation,
                                             int32_t preference) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(compilation));
        return hold(compilation->builder)->setPreference(preference);
    });
}

int ANeuralNetworksCompilation_setPriority(ANeuralNetworksCompilation* compilation, int priority) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(compilation));
        return hold(compilation->builder)->setPriority(priority);
    });
}

// Checks of setTimeout: finished: BAD_STATE; not created for one device by createForDevices.
int ANeuralNetworksCompilation_setTimeout(ANeuralNetworksCompilation* compilation,
                                          uint64_t duration) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(compilation));
        return hold(compilation->builder)->setTimeout(duration);
    });
}

int ANeuralNetworksCompilation_setCaching(ANeuralNetworksCompilation* compilation,
                                          const char* cacheDir, const uint8_t* token) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(compilation, cacheDir, token));
        return hold(compilation->builder)->setCaching(cacheDir, token);
    });
}

// Checks of addExtensionAttribute: the same; an extension that no device has; a duplicate
// attribute.
int ANeuralNetworksCompilation_addExtensionAttribute(ANeuralNetworksCompilation* compilation,
                                                     const char* extensionName,
                                                     uint16_t attributeCodeWithinExtension,
                                                     const void* data, size_t length) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(compilation, extensionName));
        NNAPI_API_RETURN_IF_ERROR(checkData(data, length));
        return hold(compilation->builder)
                ->addExtensionAttribute(extensionName, attributeCodeWithinExtension, data, length);
    });
}

// Checks of finish: finished: BAD_STATE; the code of a failing device if there is no fallback. If
// no device is named, a model that `nnapi-reference` cannot prepare compiles, and each
// execution is OP_FAILED.
int ANeuralNetworksCompilation_finish(ANeuralNetworksCompilation* compilation) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(compilation));
        return hold(compilation->builder)->finish();
    });
}

// Checks of getPreferredMemory…: not finished, or failed: BAD_STATE; index.
int ANeuralNetworksCompilation_getPreferredMemoryAlignmentForInput(
        const ANeuralNetworksCompilation* compilation, uint32_t index, uint32_t* alignment) {
    NNAPI_API_CALL({
        return preferenceOf(compilation, index, true, &MemoryPreference::alignment, alignment);
    });
}

int ANeuralNetworksCompilation_getPreferredMemoryPaddingForInput(
        const ANeuralNetworksCompilation* compilation, uint32_t index, uint32_t* padding) {
    NNAPI_API_CALL({
        return preferenceOf(compilation, index, true, &MemoryPreference::padding, padding);
    });
}

int ANeuralNetworksCompilation_getPreferredMemoryAlignmentForOutput(
        const ANeuralNetworksCompilation* compilation, uint32_t index, uint32_t* alignment) {
    NNAPI_API_CALL({
        return preferenceOf(compilation, index, false, &MemoryPreference::alignment, alignment);
    });
}

int ANeuralNetworksCompilation_getPreferredMemoryPaddingForOutput(
        const ANeuralNetworksCompilation* compilation, uint32_t index, uint32_t* padding) {
    NNAPI_API_CALL({
        return preferenceOf(compilation, index, false, &MemoryPreference::padding, padding);
    });
}

// Checks of create, Burst_create: not finished, or failed: BAD_STATE.
int ANeuralNetworksExecution_create(ANeuralNetworksCompilation* compilation,
                                    ANeuralNetworksExecution** execution) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(execution));
        *execution = nullptr;
        NNAPI_API_RETURN_IF_ERROR(checkPointers(compilation));
        std::shared_ptr<const Compiled> compiled;
        NNAPI_API_RETURN_IF_ERROR(hold(compilation->builder)->compiled(compiled));
        *execution =
                new ANeuralNetworksExecution{std::make_shared<ApiExecution>(std::move(compiled))};
        return {};
    });
}

int ANeuralNetworksBurst_create(ANeuralNetworksCompilation* compilation,
                                ANeuralNetworksBurst** burst) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(burst));
        *burst = nullptr;
        NNAPI_API_RETURN_IF_ERROR(checkPointers(compilation));
        std::shared_ptr<const Compiled> compiled;
        NNAPI_API_RETURN_IF_ERROR(hold(compilation->builder)->compiled(compiled));
        *burst = new ANeuralNetworksBurst{std::make_shared<ApiBurst>(std::move(compiled))};
        return {};
    });
}

void ANeuralNetworksBurst_free(ANeuralNetworksBurst* burst) { delete burst; }

}  // extern "C"
