/* A client in C that opens a support library with so many devices, as frameworks do: adds two
 * vectors by the functions of its table, and is diagnostics of it.
 */
#include <NeuralNetworksSupportLibraryImpl.h>
#include <dlfcn.h>

static const NnApiSLDriverImplFL8* nn8;
static const NnApiSLDriverImplFL5* nn5;
#define FUNCTION(name) nn5->name
#include "addition.h"

struct Diagnostics {
    int compilations;
    int executions;
    int areGood;
};

static void compiled(const void* context, const ANeuralNetworksDiagnosticCompilationInfo* info) {
    struct Diagnostics* diagnostics = (struct Diagnostics*)context;
    ++diagnostics->compilations;
    diagnostics->areGood &=
            nn5->SL_ANeuralNetworksDiagnosticCompilationInfo_getErrorCode(info) == 0 &&
            strstr(nn5->SL_ANeuralNetworksDiagnosticCompilationInfo_getDeviceIds(info), "=") !=
                    NULL;
}

static void executed(const void* context, const ANeuralNetworksDiagnosticExecutionInfo* info) {
    struct Diagnostics* diagnostics = (struct Diagnostics*)context;
    ++diagnostics->executions;
    diagnostics->areGood &= nn5->SL_ANeuralNetworksDiagnosticExecutionInfo_getExecutionMode(info) ==
                                    ANNDIAG_EXECUTION_MODE_SYNC &&
                            nn5->SL_ANeuralNetworksDiagnosticExecutionInfo_getInputDataClass(
                                    info) == ANNDIAG_DATA_CLASS_FLOAT32;
}

int main(int argc, char** argv) {
    struct Diagnostics diagnostics = {0, 0, 1};
    ANeuralNetworksModel* model = NULL;
    NnApiSLDriverImpl* (*entry)(void);
    const int devices = argc == 3 ? argv[2][0] - '0' : 0;
    uint32_t count = 0, i;
    void* symbol;
    void* library = argc == 3 ? dlopen(argv[1], RTLD_LAZY | RTLD_LOCAL) : NULL;
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
    REQUIRE(count == (uint32_t)devices);
    for (i = 0; i < count; ++i) {
        ANeuralNetworksDevice* device = NULL;
        const char* name = NULL;
        CHECK(nn5->ANeuralNetworks_getDevice(i, &device));
        CHECK(nn5->ANeuralNetworksDevice_getName(device, &name));
        REQUIRE(strcmp(name, "nnapi-reference") != 0);
        if (runOn(model, device) != 0) return 1;
    }
    nn5->ANeuralNetworksModel_free(model);
    REQUIRE(diagnostics.compilations == devices && diagnostics.executions == devices &&
            diagnostics.areGood);
    REQUIRE(dlclose(library) == 0);
    return 0;
}
