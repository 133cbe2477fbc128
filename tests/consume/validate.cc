#include "nnapi/validate.h"

#include "nnapi/device_overlay.h"
#include "nnapi/drawing.h"
#include "relu.h"

using namespace nn;

int main() {
    Model model = relu();
    const bool isLegal = validate(model).value() == kVersionFeatureLevel1;
    const bool isOnDevice = supportedOperations(model, DeviceOverlay{}).ok();
    model.main.operations[0].inputs = {7};
    const bool isDrawn = !drawing(model).empty();
    return isLegal && isDrawn && isOnDevice && diagnostic(validate(model).status()) ? 0 : 1;
}
