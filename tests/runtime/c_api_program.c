/* An application in C, linked with the library: adds two vectors on every device. */
#include <NeuralNetworks.h>
#include <NeuralNetworksExtensions.h>

/* What wrappers of the NDK ask compilers about. */
#if __NNAPI_FL5_MIN_ANDROID_API__ != 31
#error "the API level of feature level 5 is 31"
#endif

#define FUNCTION(name) name
#include "addition.h"

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
