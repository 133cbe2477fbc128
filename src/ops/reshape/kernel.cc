#include <cstring>

#include "interpreter/execution.h"
#include "nnapi/type_utils.h"
#include "ops/reshape/signature.h"

namespace nn::ops {

// y[i] = x[i] in row-major order
bool kernels::RESHAPE(Execution& op) {
    const Value& input = op.input(reshape::kInput);
    const size_t size = elementSize(input.type) * static_cast<size_t>(*input.elementCount());
    if (size != 0) std::memcpy(op.output(0).mutableData, input.data, size);
    return true;
}

}  // namespace nn::ops
