// The loops of depthwise.h for x86 processors with AVX2: src/CMakeLists.txt lists the compiler
// options of this file.
#include "op_support/xnnpack/depthwise.h"

#if defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>

namespace nn::xnnpack::avx2 {

using Vector = __m256;
constexpr size_t kLanes = 8;

inline Vector load(const float* from) { return _mm256_loadu_ps(from); }
inline void store(Vector vector, float* to) { _mm256_storeu_ps(to, vector); }
inline Vector broadcast(float value) { return _mm256_set1_ps(value); }
inline Vector multiplyAdd(Vector a, Vector b, Vector sum) { return _mm256_fmadd_ps(a, b, sum); }

}  // namespace nn::xnnpack::avx2

#define NNAPI_INSTRUCTION_SET avx2
#include "op_support/xnnpack/depthwise_loops.h"

namespace nn::xnnpack {
DepthwiseFunction depthwiseByAvx2() { return avx2::depthwise; }
}  // namespace nn::xnnpack

#else

namespace nn::xnnpack {
DepthwiseFunction depthwiseByAvx2() { return nullptr; }
}  // namespace nn::xnnpack

#endif
