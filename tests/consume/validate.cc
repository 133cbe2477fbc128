#include "nnapi/validate.h"

#include "nnapi/checked_model.h"

#include "relu.h"

using namespace nn;

int main() {
    Model model = relu();
    const bool isLegal = validate(model).value() == kVersionFeatureLevel1 &&
                         check(model)->version() == kVersionFeatureLevel1;
    model.main.operations[0].inputs = {7};
    return isLegal && diagnostic(validate(model).status()) ? 0 : 1;
}
