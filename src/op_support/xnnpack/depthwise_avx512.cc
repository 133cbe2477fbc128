// The loops of depthwise.h for x86 processors with AVX-512: src/CMakeLists.txt lists the compiler
// options of this file.
#include "op_support/xnnpack/depthwise.h"

#if defined(__AVX512F__)
#include <immintrin.h>

namespace nn::xnnpack::avx512 {

using Vector = __m512;
constexpr size_t kLanes = 16;

inline Vector load(const float* from) { return _mm512_loadu_ps(from); }
inline void store(Vector vector, float* to) { _mm512_storeu_ps(to, vector); }
inline Vector broadcast(float value) { return _mm512_set1_ps(value); }
inline Vector multiplyAdd(Vector a, Vector b, Vector sum) { return _mm512_fmadd_ps(a, b, sum); }

}  // namespace nn::xnnpack::avx512

#define NNAPI_INSTRUCTION_SET avx512
#include "op_support/xnnpack/depthwise_loops.h"

namespace nn::xnnpack {
DepthwiseFunction depthwiseByAvx512() { return avx512::depthwise; }
}  // namespace nn::xnnpack

#else

namespace nn::xnnpack {
DepthwiseFunction depthwiseByAvx512() { return nullptr; }
}  // namespace nn::xnnpack

#endif
