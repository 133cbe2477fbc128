#include "nnapi/interpreter.h"

#include "nnapi/extension_operations.h"
#include "nnapi/nnapi.h"
#include "nnapi/tensor.h"
#include "relu.h"

using namespace nn;

int main() {
    const Result<PreparedModel> prepared = prepare(relu());
    const std::vector<Tensor> inputs = {
            {.dimensions = {2}, .data = {0, 0, 0x80, 0xBF, 0, 0, 0, 0x40}}};
    const auto outputs = prepared->run(inputs);
    const std::vector<uint8_t> expected = {0, 0, 0, 0, 0, 0, 0, 0x40};
    return outputs.ok() && outputs->front().data == expected ? 0 : 1;
}
