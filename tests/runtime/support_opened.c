/* A client in C that opens a support library, as frameworks do: adds two vectors by the functions
 * of its table, and is diagnostics of it.
 */
#include <NeuralNetworksSupportLibraryImpl.h>
#include <dlfcn.h>
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
#define REQUIRE(condition)                               \
    do {                                                 \
        if (!(condition)) {                              \
            fprintf(stderr, "not so: %s\n", #condition); \
            return 1;                                    \
        }                                                \
    } while (0)

static const NnApiSLDriverImplFL8* nn8;
static const NnApiSLDriverImplFL5* nn5;

struct Diagnostics {
    int compilations;
    int executions;
    int areGood;
};

static void compiled(const void* context, const ANeuralNetworksDiagnosticCompilationInfo* info) {
    struct Diagnostics* diagnostics = (struct Diagnostics*)context;
    ++diagnostics->compilations;
    diagnostics->areGood &= nn5->SL_ANeuralNetworksDiagnosticCompilationInfo_getErrorCode(info) == 0 &&
                     strstr(nn5->SL_ANeuralNetworksDiagnosticCompilationInfo_getDeviceIds(info),
                            "=") != NULL;
}

static void executed(const void* context, const ANeuralNetworksDiagnosticExecutionInfo* info) {
    struct Diagnostics* diagnostics = (struct Diagnostics*)context;
    ++diagnostics->executions;
    diagnostics->areGood &= nn5->SL_ANeuralNetworksDiagnosticExecutionInfo_getExecutionMode(info) ==
                             ANNDIAG_EXECUTION_MODE_SYNC &&
                     nn5->SL_ANeuralNetworksDiagnosticExecutionInfo_getInputDataClass(info) ==
                             ANNDIAG_DATA_CLASS_FLOAT32;
}

static int makeModel(ANeuralNetworksModel** model) {
    const uint32_t dimensions[] = {4};
    const ANeuralNetworksOperandType tensor = {ANEURALNETWORKS_TENSOR_FLOAT32, 1, dimensions, 0, 0};
    const ANeuralNetworksOperandType scalar = {ANEURALNETWORKS_INT32, 0, NULL, 0, 0};
    const int32_t none = ANEURALNETWORKS_FUSED_NONE;
    const uint32_t inputs[] = {0, 1, 2};
    const uint32_t outputs[] = {3};
    CHECK(nn5->ANeuralNetworksModel_create(model));
    CHECK(nn5->ANeuralNetworksModel_addOperand(*model, &tensor));
    CHECK(nn5->ANeuralNetworksModel_addOperand(*model, &tensor));
    CHECK(nn5->ANeuralNetworksModel_addOperand(*model, &scalar));
    CHECK(nn5->ANeuralNetworksModel_addOperand(*model, &tensor));
    CHECK(nn5->ANeuralNetworksModel_setOperandValue(*model, 2, &none, sizeof none));
    CHECK(nn5->ANeuralNetworksModel_addOperation(*model, ANEURALNETWORKS_ADD, 3, inputs, 1,
                                                 outputs));
    CHECK(nn5->ANeuralNetworksModel_identifyInputsAndOutputs(*model, 2, inputs, 1, outputs));
    CHECK(nn5->ANeuralNetworksModel_finish(*model));
    return 0;
}

static int runOn(ANeuralNetworksModel* model, const ANeuralNetworksDevice* device) {
    const float x[] = {1, 2, 3, 4};
    const float y[] = {10, 20, 30, 40};
    const float wanted[] = {11, 22, 33, 44};
    float z[] = {0, 0, 0, 0};
    ANeuralNetworksCompilation* compilation = NULL;
    ANeuralNetworksExecution* execution = NULL;
    CHECK(nn5->ANeuralNetworksCompilation_createForDevices(model, &device, 1, &compilation));
    CHECK(nn5->ANeuralNetworksCompilation_finish(compilation));
    CHECK(nn5->ANeuralNetworksExecution_create(compilation, &execution));
    CHECK(nn5->ANeuralNetworksExecution_setInput(execution, 0, NULL, x, sizeof x));
    CHECK(nn5->ANeuralNetworksExecution_setInput(execution, 1, NULL, y, sizeof y));
    CHECK(nn5->ANeuralNetworksExecution_setOutput(execution, 0, NULL, z, sizeof z));
    CHECK(nn5->ANeuralNetworksExecution_compute(execution));
    nn5->ANeuralNetworksExecution_free(execution);
    nn5->ANeuralNetworksCompilation_free(compilation);
    REQUIRE(memcmp(z, wanted, sizeof z) == 0);
    return 0;
}

int main(int argc, char** argv) {
    struct Diagnostics diagnostics = {0, 0, 1};
    ANeuralNetworksModel* model = NULL;
    NnApiSLDriverImpl* (*entry)(void);
    uint32_t count = 0, i;
    void* symbol;
    void* library = argc == 2 ? dlopen(argv[1], RTLD_LAZY | RTLD_LOCAL) : NULL;
    if (library == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    symbol = dlsym(library, "ANeuralNetworks_getSLDriverImpl");
    REQUIRE(symbol != NULL && dlsym(library, "ANeuralNetworks_getDeviceCount") == NULL);
    memcpy(&entry, &symbol, sizeof entry);
    nn8 = (const NnApiSLDriverImplFL8*)entry();
    REQUIRE(nn8 != NULL);
    nn5 = &nn8->base;
    REQUIRE(nn5->base.implFeatureLevel == ANEURALNETWORKS_FEATURE_LEVEL_8);
    REQUIRE(nn8->ANeuralNetworksExecution_addExtensionAttribute != NULL);
    nn5->SL_ANeuralNetworksDiagnostic_registerCallbacks(compiled, executed, &diagnostics);
    if (makeModel(&model) != 0) return 1;
    CHECK(nn5->ANeuralNetworks_getDeviceCount(&count));
    REQUIRE(count == 2);
    for (i = 0; i < count; ++i) {
        ANeuralNetworksDevice* device = NULL;
        const char* name = NULL;
        CHECK(nn5->ANeuralNetworks_getDevice(i, &device));
        CHECK(nn5->ANeuralNetworksDevice_getName(device, &name));
        REQUIRE(strcmp(name, "nnapi-reference") != 0);
        if (runOn(model, device) != 0) return 1;
    }
    nn5->ANeuralNetworksModel_free(model);
    REQUIRE(diagnostics.compilations == 2 && diagnostics.executions == 2 && diagnostics.areGood);
    REQUIRE(dlclose(library) == 0);
    return 0;
}
