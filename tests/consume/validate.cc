#include "nnapi/validate.h"

#include "nnapi/kernel/broadcast.h"
#include "nnapi/kernel/output_shapes.h"
#include "nnapi/kernel/quantization.h"
#include "nnapi/kernel/windows.h"
#include "nnapi/validated_model.h"
#include "relu.h"

using namespace nn;

int main() {
    Model model = relu();
    const bool isLegal = validate(model).value() == kVersionFeatureLevel1 &&
                         validateModel(model)->version() == kVersionFeatureLevel1;
    const std::vector<uint32_t> shape = {2};
    const kernel::InputValue input{.dimensions = shape};
    const bool hasKernels =
            kernel::outputDimensions(model.main.operations[0], model.main.operands, {&input, 1})
                            .value() == std::vector<Dimensions>{{2}} &&
            kernel::broadcastStrides(shape, shape) == std::vector<size_t>{1} &&
            kernel::Window{.filter = 3}.outputSize(5, {}) == 3u &&
            kernel::quantize(1, OperandType::TENSOR_QUANT8_ASYMM, 0.5f, 128) == 130;
    model.main.operations[0].inputs = {7};
    return isLegal && hasKernels && diagnostic(validate(model).status()) ? 0 : 1;
}
