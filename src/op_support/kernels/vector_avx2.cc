// The vector loops for x86 processors with AVX2 and FMA: src/CMakeLists.txt lists the compiler
// options of this file.
#include "op_support/kernels/vector_kernels.h"

#if defined(__AVX2__) && defined(__FMA__)
#define NNAPI_INSTRUCTION_SET avx2
#include "op_support/kernels/vector_loops.h"

namespace nn::ops {
const VectorKernels* avx2Kernels() { return &avx2::kKernels; }
}  // namespace nn::ops

#else

namespace nn::ops {
const VectorKernels* avx2Kernels() { return nullptr; }
}  // namespace nn::ops

#endif
