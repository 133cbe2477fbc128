// choices.h -- Choices of the generators of graphs: numbers that fit, and numbers at limits.
#pragma once

#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "nnapi/generate/generate.h"

namespace nn::graphs {

// A random graph as a file.
struct GraphFile {
    std::vector<uint8_t> bytes{};
    std::set<std::string> operators{};  // "CONV_2D", "com.microsoft.QLinearAdd"
};

class Choices {
   public:
    // Every other graph keeps all rules, so that many import.
    explicit Choices(testing::Source& source) : mSource(source), mIsCareful(source.coin()) {}

    bool isCareful() const { return mIsCareful; }
    // Once in `n` in graphs that may break rules.
    bool straysOneIn(uint64_t n) { return !mIsCareful && oneIn(n); }
    // In half of them, once more in half of these, and so on.
    bool breaksRule() { return !mIsCareful && !mSource.exhausted() && coin(); }

    testing::Source& source() { return mSource; }
    bool coin() { return mSource.coin(); }
    bool oneIn(uint64_t n) { return mSource.oneIn(n); }
    size_t below(size_t bound) { return mSource.below(bound); }
    float real() { return mSource.real(); }

    template <class T>
    T pick(std::initializer_list<T> values) {
        return values.begin()[below(values.size())];
    }
    template <class Container>
    auto& any(Container& values) {
        return values[static_cast<decltype(std::size(values))>(below(std::size(values)))];
    }

    // A number of dimensions or elements that operators use.
    int64_t small() { return pick<int64_t>({1, 2, 3, 4, 1, 5, 6, 7, 8, 16}); }

    // A number at or next to a limit.
    int64_t extreme() {
        using I64 = std::numeric_limits<int64_t>;
        return pick<int64_t>({0,
                              -1,
                              1,
                              I64::min(),
                              I64::max(),
                              2,
                              -2,
                              INT32_MAX,
                              INT32_MIN,
                              int64_t{1} << 31,
                              1ll << 32,
                              1ll << 62,
                              1ll << 16,
                              1ll << 30,
                              UINT32_MAX,
                              -100,
                              100,
                              1000,
                              I64::min() + 1,
                              1ll << 40,
                              1ll << 20,
                              1ll << 24,
                              -(1ll << 31) - 1,
                              65537});
    }

    // Sizes of a template that become others, the same wherever they occur: mostly none or one of
    // them, small ones, 0 or huge ones.
    std::map<int64_t, int64_t> otherSizes(const std::vector<int64_t>& sizes) {
        std::map<int64_t, int64_t> others;
        for (size_t n = pick<size_t>({0, 1, 0, 2, 1}); n > 0 && !sizes.empty(); --n) {
            int64_t size = small();
            if (straysOneIn(5)) size = 0;
            if (straysOneIn(8))
                size = pick<int64_t>({1000, 65536, 1 << 20, INT32_MAX, 1ll << 32, 1ll << 62});
            others[sizes[below(sizes.size())]] = size;
        }
        return others;
    }

   private:
    testing::Source& mSource;
    bool mIsCareful;
};

}  // namespace nn::graphs
