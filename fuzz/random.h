// Random numbers for mutations, and interesting integers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>

namespace nn::fuzz {

class Random {
   public:
    explicit Random(unsigned seed) : mEngine(seed) {
        mEngine.discard(2);
    }  // seeds are often consecutive

    uint64_t number() { return uint64_t{mEngine()} << 31 ^ mEngine(); }
    size_t below(size_t bound) { return bound == 0 ? 0 : number() % bound; }
    bool oneIn(size_t n) { return below(n) == 0; }

    template <class T, size_t N>
    T pick(const T (&choices)[N]) {
        return choices[below(N)];
    }

   private:
    std::minstd_rand mEngine;
};

// Integers at and next to limits.
// clang-format off
inline constexpr uint64_t kNumbers[] = {
        0, 1, 2, 3, 4, 8, 127, 128, 255, 256, 32768, 65535, 65536, 1 << 30, INT32_MAX, 1ull << 31,
        UINT32_MAX, 1ull << 32, INT64_MAX, UINT64_MAX - 1, UINT64_MAX};
// clang-format on

}  // namespace nn::fuzz
