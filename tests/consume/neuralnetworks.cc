// Includes the header like applications for Android, and by the path of the other headers.
#include <NeuralNetworks.h>

#include "nnapi/c/NeuralNetworks.h"
#include "nnapi/c/NeuralNetworksExtensions.h"
#include "nnapi/c/NeuralNetworksSupportLibraryImpl.h"
#include "nnapi/c/NeuralNetworksTypes.h"

int main() {
    uint32_t count = 0;
    const int code = ANeuralNetworks_getDeviceCount(&count);
    return code == ANEURALNETWORKS_NO_ERROR && count >= 2 ? 0 : 1;
}
