#include "opkit/xnnpack/depthwise.h"

namespace nn::xnnpack {

DepthwiseFunction depthwiseOfProcessor() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f")) return depthwiseByAvx512();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return depthwiseByAvx2();
#endif
    return nullptr;
}

}  // namespace nn::xnnpack
