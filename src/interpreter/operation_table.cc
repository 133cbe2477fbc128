// Which operation has which kernel: derived from the rows of operations.def.
#include <iterator>

#include "op_support/kernels/graph_runner.h"
#include "op_support/kernels/kernel_call.h"

namespace nn::ops {
namespace {

constexpr Kernel kKernels[] = {
#define NNAPI_CONTROL_FLOW(...) nullptr,
#define NNAPI_OPERATION(name, ...) kernels::name,
#include "nnapi/operations.def"
};

}  // namespace

Kernel kernelOf(OperationType type) {
    const auto code = static_cast<uint32_t>(type);
    return code < std::size(kKernels) ? kKernels[code] : nullptr;
}

GraphKernel graphKernelOf(OperationType type) {
    switch (type) {
#define NNAPI_OPERATION(...)
#define NNAPI_CONTROL_FLOW(name, ...) \
    case OperationType::name:         \
        return kernels::name;
#include "nnapi/operations.def"
        default:
            return nullptr;
    }
}

}  // namespace nn::ops
