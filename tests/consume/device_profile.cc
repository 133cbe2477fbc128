#include "nnapi/device_profile.h"

#include "nnapi/drawing.h"
#include "relu.h"

using namespace nn;

int main() {
    const Model model = relu();
    const bool isOnDevice = supportedOperations(model, DeviceProfile{}).ok();
    return isOnDevice && !drawing(model).empty() ? 0 : 1;
}
