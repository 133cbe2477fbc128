// Which operation has which kernel: derived from the rows of operations.def.
#include <array>

#include "opkit/kernels/kernel_call.h"

namespace nn::ops {
namespace {

constexpr std::array<Kernel, 106> kKernels = {
#define NNAPI_CONTROL_FLOW(...) nullptr,
#define NNAPI_OPERATION(name, ...) kernels::name,
#include "nnapi/operations.def"
};

}  // namespace

Kernel kernelOf(OperationType type) {
    const auto code = static_cast<uint32_t>(type);
    return code < kKernels.size() ? kKernels[code] : nullptr;
}

}  // namespace nn::ops
