// Random numbers that depend on nothing but two seeds: Philox4x32-10 (J. Salmon et al., "Parallel
// random numbers: as easy as 1, 2, 3", 2011).
//
//   Philox random(seeds[0], seeds[1]);
//   const double u = random.uniform();
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace nn::ops {

class Philox {
   public:
    // The first seed is the key, the second the upper half of the counter.
    Philox(uint64_t key, uint64_t counter)
        : mKey{low(key), high(key)}, mCounter{0, 0, low(counter), high(counter)} {}

    // The next 32 random bits.
    uint32_t next() {
        if (mUsed == mBlock.size()) {
            mBlock = block();
            mUsed = 0;
            for (uint32_t& word : mCounter) {
                if (++word != 0) break;
            }
        }
        return mBlock[mUsed++];
    }

    // The next number in [0, 1), from 52 random bits.
    double uniform() {
        const uint64_t upper = next() & 0xFFFFFu;
        return static_cast<double>(upper << 32 | next()) * 0x1p-52;
    }

   private:
    static uint32_t low(uint64_t x) { return static_cast<uint32_t>(x); }
    static uint32_t high(uint64_t x) { return static_cast<uint32_t>(x >> 32); }

    // The counter after ten rounds of encryption.
    std::array<uint32_t, 4> block() const {
        std::array<uint32_t, 4> c = mCounter;
        std::array<uint32_t, 2> key = mKey;
        for (int round = 0; round < 10; ++round) {
            const uint64_t a = uint64_t{0xD2511F53} * c[0];
            const uint64_t b = uint64_t{0xCD9E8D57} * c[2];
            c = {high(b) ^ c[1] ^ key[0], low(b), high(a) ^ c[3] ^ key[1], low(a)};
            key[0] += 0x9E3779B9;
            key[1] += 0xBB67AE85;
        }
        return c;
    }

    std::array<uint32_t, 2> mKey;
    std::array<uint32_t, 4> mCounter;
    std::array<uint32_t, 4> mBlock{};
    size_t mUsed = 4;
};

}  // namespace nn::ops
