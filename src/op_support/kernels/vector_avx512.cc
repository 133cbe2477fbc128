// The vector loops for x86 processors with the AVX-512 of servers since 2019: src/CMakeLists.txt
// lists the compiler options of this file.
#include "op_support/kernels/vector_kernels.h"

#if defined(__AVX512F__) && defined(__AVX512VL__) && defined(__AVX512VNNI__)
#define NNAPI_INSTRUCTION_SET avx512
#include "op_support/kernels/vector_loops.h"

namespace nn::ops {
const VectorKernels* avx512Kernels() { return &avx512::kKernels; }
}  // namespace nn::ops

#else

namespace nn::ops {
const VectorKernels* avx512Kernels() { return nullptr; }
}  // namespace nn::ops

#endif
