/* An application in C, linked with the library: adds two vectors on every device. */
#include <NeuralNetworks.h>
#include <NeuralNetworksExtensions.h>

/* What wrappers of the NDK ask compilers about. */
#if __NNAPI_FL5_MIN_ANDROID_API__ != 31
#error "the API level of feature level 5 is 31"
#endif

#include <stdio.h>
#include <string.h>

#define CHECK(call)                                          \
    do {                                                     \
        const int code = (call);                             \
        if (code != ANEURALNETWORKS_NO_ERROR) {              \
            fprintf(stderr, "%s answers %d\n", #call, code); \
            return 1;                                        \
        }                                                    \
    } while (0)

static int makeModel(ANeuralNetworksModel** model) {
    const uint32_t dimensions[] = {4};
    const ANeuralNetworksOperandType tensor = {ANEURALNETWORKS_TENSOR_FLOAT32, 1, dimensions, 0, 0};
    const ANeuralNetworksOperandType scalar = {ANEURALNETWORKS_INT32, 0, NULL, 0, 0};
    const int32_t none = ANEURALNETWORKS_FUSED_NONE;
    const uint32_t inputs[] = {0, 1, 2};
    const uint32_t outputs[] = {3};
    CHECK(ANeuralNetworksModel_create(model));
    CHECK(ANeuralNetworksModel_addOperand(*model, &tensor));
    CHECK(ANeuralNetworksModel_addOperand(*model, &tensor));
    CHECK(ANeuralNetworksModel_addOperand(*model, &scalar));
    CHECK(ANeuralNetworksModel_addOperand(*model, &tensor));
    CHECK(ANeuralNetworksModel_setOperandValue(*model, 2, &none, sizeof none));
    CHECK(ANeuralNetworksModel_addOperation(*model, ANEURALNETWORKS_ADD, 3, inputs, 1, outputs));
    CHECK(ANeuralNetworksModel_identifyInputsAndOutputs(*model, 2, inputs, 1, outputs));
    CHECK(ANeuralNetworksModel_finish(*model));
    return 0;
}

static int runOn(ANeuralNetworksModel* model, const ANeuralNetworksDevice* device) {
    const float x[] = {1, 2, 3, 4};
    const float y[] = {10, 20, 30, 40};
    const float wanted[] = {11, 22, 33, 44};
    float z[] = {0, 0, 0, 0};
    ANeuralNetworksCompilation* compilation = NULL;
    ANeuralNetworksExecution* execution = NULL;
    CHECK(ANeuralNetworksCompilation_createForDevices(model, &device, 1, &compilation));
    CHECK(ANeuralNetworksCompilation_finish(compilation));
    CHECK(ANeuralNetworksExecution_create(compilation, &execution));
    CHECK(ANeuralNetworksExecution_setInput(execution, 0, NULL, x, sizeof x));
    CHECK(ANeuralNetworksExecution_setInput(execution, 1, NULL, y, sizeof y));
    CHECK(ANeuralNetworksExecution_setOutput(execution, 0, NULL, z, sizeof z));
    CHECK(ANeuralNetworksExecution_compute(execution));
    ANeuralNetworksCompilation_free(compilation);
    ANeuralNetworksExecution_free(execution);
    return memcmp(z, wanted, sizeof z) == 0 ? 0 : 1;
}

int main(void) {
    ANeuralNetworksModel* model = NULL;
    uint32_t count = 0;
    const char* name = "";
    if (makeModel(&model) != 0) return 1;
    CHECK(ANeuralNetworks_getDeviceCount(&count));
    for (uint32_t i = 0; i < count; ++i) {
        ANeuralNetworksDevice* device = NULL;
        CHECK(ANeuralNetworks_getDevice(i, &device));
        CHECK(ANeuralNetworksDevice_getName(device, &name));
        printf("%s\n", name);
        if (runOn(model, device) != 0) {
            fprintf(stderr, "wrong on %s\n", name);
            return 1;
        }
    }
    ANeuralNetworksModel_free(model);
    return strcmp(name, "nnapi-reference") == 0 && count >= 2 ? 0 : 1;
}
