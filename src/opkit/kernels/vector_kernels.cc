#include "opkit/kernels/vector_kernels.h"

#include <vector>

namespace nn::ops {

// Each in the file of its instruction set; null if that is compiled without it.
const VectorKernels* avx512Kernels();
const VectorKernels* avx2Kernels();
const VectorKernels* baselineKernels();

namespace {

#if defined(__x86_64__)
bool hasAvx2() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
bool hasAvx512() {
    return hasAvx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512vnni");
}
#else
bool hasAvx2() { return false; }
bool hasAvx512() { return false; }
#endif

}  // namespace

std::span<const VectorKernels* const> allVectorKernels() {
    static const std::vector<const VectorKernels*> kAll = [] {
        std::vector<const VectorKernels*> all;
        if (hasAvx512() && avx512Kernels() != nullptr) all.push_back(avx512Kernels());
        if (hasAvx2() && avx2Kernels() != nullptr) all.push_back(avx2Kernels());
        all.push_back(baselineKernels());
        return all;
    }();
    return kAll;
}

}  // namespace nn::ops
