// The vector loops for 64-bit ARM processors that multiply matrices of bytes, as most do since
// 2021: src/CMakeLists.txt lists the compiler options of this file.
#include "op_support/kernels/vector_kernels.h"

#if defined(__ARM_FEATURE_DOTPROD) && defined(__ARM_FEATURE_MATMUL_INT8)
#define NNAPI_INSTRUCTION_SET i8mm
#include "op_support/kernels/vector_loops.h"

namespace nn::ops {
const VectorKernels* i8mmKernels() { return &i8mm::kKernels; }
}  // namespace nn::ops

#else

namespace nn::ops {
const VectorKernels* i8mmKernels() { return nullptr; }
}  // namespace nn::ops

#endif
