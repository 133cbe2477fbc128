#include "machine.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>
#include <vector>

namespace nn {
namespace {

// The shortest of many runs, in seconds.
template <class F>
double shortest(int runs, const F& f) {
    double least = 1e9;
    for (; runs > 0; --runs) {
        const auto start = std::chrono::steady_clock::now();
        f();
        least = std::min(
                least,
                std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return least;
}

constexpr size_t kSums = 12;  // enough that no addition waits for another
constexpr size_t kSteps = size_t{1} << 14;

// Sums of products on vectors of kLanes; returns a value that depends on all of them.
#define NNAPI_SUM_PRODUCTS(name, kLanes, attributes)                                 \
    attributes float name(float factor) {                                            \
        typedef float Vector __attribute__((vector_size(kLanes * sizeof(float))));   \
        Vector a = factor - Vector{}, b = a, s0{}, s1{}, s2{}, s3{}, s4{}, s5{};     \
        Vector s6{}, s7{}, s8{}, s9{}, s10{}, s11{};                                 \
        for (size_t i = 0; i < kSteps; ++i) {                                        \
            s0 += a * b, s1 += a * b, s2 += a * b, s3 += a * b, s4 += a * b;         \
            s5 += a * b, s6 += a * b, s7 += a * b, s8 += a * b, s9 += a * b;         \
            s10 += a * b, s11 += a * b;                                              \
            asm volatile("" : "+m"(factor), "+x"(s0), "+x"(s1), "+x"(s2), "+x"(s3)); \
            asm volatile("" : "+x"(s4), "+x"(s5), "+x"(s6), "+x"(s7));               \
            asm volatile("" : "+x"(s8), "+x"(s9), "+x"(s10), "+x"(s11));             \
        }                                                                            \
        return (s0 + s1 + s2 + s3 + s4 + s5 + s6 + s7 + s8 + s9 + s10 + s11)[0];     \
    }

#if defined(__x86_64__)
NNAPI_SUM_PRODUCTS(sumOfSixteen, 16, __attribute__((target("avx512f"))))
NNAPI_SUM_PRODUCTS(sumOfEight, 8, __attribute__((target("avx2,fma"))))
NNAPI_SUM_PRODUCTS(sumOfFour, 4, )

size_t lanes() {
    if (__builtin_cpu_supports("avx512f")) return 16;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? 8 : 4;
}
float sum(float factor) {
    return lanes() == 16  ? sumOfSixteen(factor)
           : lanes() == 8 ? sumOfEight(factor)
                          : sumOfFour(factor);
}
#else
size_t lanes() { return 1; }
float sum(float factor) {
    float sums[kSums] = {};
    for (size_t i = 0; i < kSteps; ++i) {
        for (float& s : sums) benchmark::DoNotOptimize(s += factor * factor);
    }
    return sums[0];
}
#endif

}  // namespace

double secondsToMove(size_t bytes) {
    static std::map<size_t, double> known;
    const auto [row, isNew] = known.try_emplace(bytes);
    if (isNew) {
        const size_t size = std::max<size_t>(bytes / 2, 1);
        const std::vector<char> from(size, 1);
        std::vector<char> to(size);
        row->second = shortest(200, [&] {
            std::memcpy(to.data(), from.data(), size);
            benchmark::DoNotOptimize(to.data());
            benchmark::ClobberMemory();
        });
    }
    return row->second;
}

double peakMacs() {
    static const double kPeak = static_cast<double>(kSums * kSteps * lanes()) /
                                shortest(200, [] { benchmark::DoNotOptimize(sum(0.5f)); });
    return kPeak;
}

}  // namespace nn
