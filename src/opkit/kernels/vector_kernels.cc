#include "opkit/kernels/vector_kernels.h"

#include <vector>

namespace nn::ops {

// Each in the file of its instruction set; null where that is compiled without it.
const VectorKernels* avx2Kernels();
const VectorKernels* baselineKernels();

namespace {

bool hasAvx2() {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return false;
#endif
}

}  // namespace

std::span<const VectorKernels* const> allVectorKernels() {
    static const std::vector<const VectorKernels*> kAll = [] {
        std::vector<const VectorKernels*> all;
        if (hasAvx2() && avx2Kernels() != nullptr) all.push_back(avx2Kernels());
        all.push_back(baselineKernels());
        return all;
    }();
    return kAll;
}

}  // namespace nn::ops
