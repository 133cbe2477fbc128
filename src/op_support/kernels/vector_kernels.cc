#include "op_support/kernels/vector_kernels.h"

#if defined(__aarch64__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

#include <vector>

namespace nn::ops {

// Each in the file of its instruction set; null if that is compiled without it.
const VectorKernels* avx512Kernels();
const VectorKernels* avx2Kernels();
const VectorKernels* i8mmKernels();
const VectorKernels* dotprodKernels();
const VectorKernels* baselineKernels();

namespace {

struct InstructionSet {
    bool isThere;  // in this processor
    const VectorKernels* kernels;
};

// The best first.
// coverage: off, a machine has the instructions or it has not
std::vector<InstructionSet> instructionSets() {
#if defined(__x86_64__)
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") &&
                        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
                        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vnni");
    return {{avx512, avx512Kernels()}, {avx2, avx2Kernels()}, {true, baselineKernels()}};
#elif defined(__aarch64__)
    const bool dotprod = (getauxval(AT_HWCAP) & HWCAP_ASIMDDP) != 0;
    const bool i8mm = dotprod && (getauxval(AT_HWCAP2) & HWCAP2_I8MM) != 0;
    return {{i8mm, i8mmKernels()}, {dotprod, dotprodKernels()}, {true, baselineKernels()}};
#else
    return {{true, baselineKernels()}};
#endif
}
// coverage: on

}  // namespace

std::span<const VectorKernels* const> allVectorKernels() {
    static const std::vector<const VectorKernels*> kAll = [] {
        std::vector<const VectorKernels*> all;
        for (const auto& [isThere, kernels] : instructionSets()) {
            if (isThere && kernels != nullptr) all.push_back(kernels);
        }
        usedVectorKernels = all.front();
        return all;
    }();
    return kAll;
}

}  // namespace nn::ops
