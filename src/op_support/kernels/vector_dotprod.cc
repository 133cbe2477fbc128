// The vector loops for 64-bit ARM processors that add four products of bytes to a sum at once, as
// most do since 2018: src/CMakeLists.txt lists the compiler options of this file.
#include "op_support/kernels/vector_kernels.h"

#if defined(__ARM_FEATURE_DOTPROD)
#define NNAPI_INSTRUCTION_SET dotprod
#include "op_support/kernels/vector_loops.h"

namespace nn::ops {
const VectorKernels* dotprodKernels() { return &dotprod::kKernels; }
}  // namespace nn::ops

#else

namespace nn::ops {
const VectorKernels* dotprodKernels() { return nullptr; }
}  // namespace nn::ops

#endif
