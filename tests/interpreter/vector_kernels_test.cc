// Compares each set of vector loops with the definition, bit by bit, for sizes around those of
// vectors.
#include "op_support/kernels/vector_kernels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "nnapi/half.h"
#include "op_support/kernels/gemm.h"
#include "op_support/rules/quantization.h"

// The loops as compiled for processors without a set of their own.
#define NNAPI_WITHOUT_INTRINSICS
#define NNAPI_INSTRUCTION_SET portable
#include "op_support/kernels/vector_loops.h"
#undef NNAPI_WITHOUT_INTRINSICS
#undef NNAPI_INSTRUCTION_SET

namespace nn::ops::vector_kernels_test {
namespace {

std::vector<const VectorKernels*> allSets() {
    std::vector<const VectorKernels*> all = {&portable::kKernels};
    all.insert(all.end(), allVectorKernels().begin(), allVectorKernels().end());
    return all;
}

class VectorKernelsTest : public testing::TestWithParam<const VectorKernels*> {
   protected:
    const VectorKernels& kernels() const { return *GetParam(); }

    // Numbers of the type; reals have the magnitude of weights.
    template <class E>
    std::vector<E> numbers(size_t count) {
        std::vector<E> values(count);
        for (E& value : values) {
            if constexpr (std::is_integral_v<E>) {
                value = static_cast<E>(mRandom());
            } else {
                value = static_cast<E>(std::uniform_real_distribution<float>(-2, 2)(mRandom));
            }
        }
        return values;
    }

   private:
    std::mt19937 mRandom{1};
};
INSTANTIATE_TEST_SUITE_P(Sets, VectorKernelsTest, testing::ValuesIn(allSets()),
                         [](const auto& test) { return test.param->instructionSet; });

// For sets that multiply bytes.
class ByteKernelsTest : public VectorKernelsTest {};
INSTANTIATE_TEST_SUITE_P(Sets, ByteKernelsTest, testing::ValuesIn([] {
                             auto sets = allSets();
                             std::erase_if(sets, [](auto* set) { return set->bytes == nullptr; });
                             return sets;
                         }()),
                         [](const auto& test) { return test.param->instructionSet; });

// c[m][n] = sum_k a[m][k] * b[n][k]
template <class Gemm>
void expectProducts(std::vector<typename Gemm::Factor> a, std::vector<typename Gemm::Factor> b,
                    size_t rows, size_t columns, size_t depth, auto multiply) {
    using Sum = typename Gemm::Sum;
    std::vector<typename Gemm::Factor> packed(columns * depth);
    for (size_t n = 0; n < columns; ++n) {
        Gemm::pack(std::span(b).subspan(n * depth, depth), n, depth, packed.data());
    }
    std::vector<Sum> c(rows * columns, 77), expected;
    multiply({a.data(), rows, depth, depth}, packed.data(), {c.data(), rows, columns, columns});
    for (size_t m = 0; m < rows; ++m) {
        for (size_t n = 0; n < columns; ++n) {
            Sum sum = 0;
            for (size_t k = 0; k < depth; ++k) sum += Sum{a[m * depth + k]} * b[n * depth + k];
            expected.push_back(sum);
        }
    }
    EXPECT_EQ(c, expected) << rows << " x " << columns << " x " << depth;
}

TEST_P(VectorKernelsTest, Multiplies) {
    for (size_t rows = 1; rows <= 14; ++rows) {
        for (const size_t columns : {8, 16, 24}) {
            for (const size_t depth : {2, 6, 34}) {
                const auto reals = numbers<float>((rows + columns) * depth);
                const auto bytes = numbers<int8_t>((rows + columns) * depth);
                const auto split = static_cast<std::ptrdiff_t>(rows * depth);
                expectProducts<RealGemm>({reals.begin(), reals.begin() + split},
                                         {reals.begin() + split, reals.end()}, rows, columns, depth,
                                         kernels().multiplyReals);
                expectProducts<IntegerGemm>({bytes.begin(), bytes.begin() + split},
                                            {bytes.begin() + split, bytes.end()}, rows, columns,
                                            depth, kernels().multiplyIntegers);
            }
        }
    }
}

TEST_P(ByteKernelsTest, Multiplies) {
    const ByteKernels& bytes = *kernels().bytes;
    const auto factorOf = [&](uint8_t a) { return bytes.isSigned ? static_cast<int8_t>(a) : a; };
    for (size_t rows = 1; rows <= 14; ++rows) {
        for (const size_t columns : {8, 16, 24}) {
            for (const size_t depth : {8, 24, 40, 72}) {
                const auto a = numbers<uint8_t>(rows * depth);
                const auto b = numbers<int8_t>(columns * depth);
                const auto rowTerms = numbers<int32_t>(rows),
                           columnTerms = numbers<int32_t>(columns);
                std::vector<int8_t> packed(columns * depth);
                for (size_t n = 0; n < columns; ++n) {
                    packBytes(bytes, std::span(b).subspan(n * depth, depth), n, depth,
                              packed.data());
                }
                std::vector<int32_t> c(rows * columns, 77), expected, sums(rows, 77), expectedSums;
                const Matrix<const uint8_t> patches{a.data(), rows, depth, depth};
                bytes.multiply({patches, packed.data(), rowTerms.data(), columnTerms.data()},
                               {c.data(), rows, columns, columns});
                bytes.sumRows(patches, sums.data());
                for (size_t m = 0; m < rows; ++m) {
                    int32_t all = 0;
                    for (size_t k = 0; k < depth; ++k) all += factorOf(a[m * depth + k]);
                    expectedSums.push_back(all);
                    for (size_t n = 0; n < columns; ++n) {
                        int32_t sum = addWrapping(rowTerms[m], columnTerms[n]);
                        for (size_t k = 0; k < depth; ++k) {
                            sum = addWrapping(sum, factorOf(a[m * depth + k]) * b[n * depth + k]);
                        }
                        expected.push_back(sum);
                    }
                }
                EXPECT_EQ(c, expected) << rows << " x " << columns << " x " << depth;
                EXPECT_EQ(sums, expectedSums) << rows << " x " << depth;
            }
        }
    }
}

// The smallest and largest bytes: no sum may saturate.
TEST_P(ByteKernelsTest, MultipliesExtremes) {
    const ByteKernels& bytes = *kernels().bytes;
    constexpr size_t kDepth = 64;
    const std::vector<int32_t> none(8);
    for (const int a : {-128, 127, 255}) {
        for (const int b : {-128, 127}) {
            if (a < 0 ? !bytes.isSigned : a > 127 && bytes.isSigned) continue;
            const std::vector<uint8_t> row(kDepth, static_cast<uint8_t>(a));
            const std::vector<int8_t> packed(8 * kDepth, static_cast<int8_t>(b));
            std::vector<int32_t> c(8);
            bytes.multiply(
                    {{row.data(), 1, kDepth, kDepth}, packed.data(), none.data(), none.data()},
                    {c.data(), 1, 8, 8});
            EXPECT_THAT(c, testing::Each(int{kDepth} * a * b));
        }
    }
}

TEST_P(VectorKernelsTest, Rescales) {
    for (const size_t count : {1, 15, 16, 17, 31, 32, 100}) {
        const auto sums = numbers<int32_t>(count), bias = numbers<int32_t>(count);
        std::vector<int32_t> significands, shifts, halves;
        std::vector<uint8_t> y(count), expected;
        for (size_t i = 0; i < count; ++i) {
            significands.push_back(static_cast<int32_t>((1u << 30) + i * 10'000'001));
            shifts.push_back(static_cast<int32_t>(i * 7 % 32));
            halves.push_back(shifts[i] == 0 ? 0 : 1 << (shifts[i] - 1));
            const int32_t result = 13 + std::clamp(multiply(addWrapping(sums[i], bias[i]),
                                                            {significands[i], -shifts[i]}),
                                                   -1000, 1000);
            expected.push_back(static_cast<uint8_t>(std::clamp(result, 3, 250)));
        }
        kernels().rescale(
                sums.data(),
                {bias.data(), significands.data(), shifts.data(), halves.data(), 13, {3, 250}},
                count, y.data());
        EXPECT_EQ(y, expected);
    }
}

// Windows of 2 x 3 taps in an image that is 40 wide.
template <class E>
Windows<E> windowsOf(const std::vector<E>& image, size_t channels, size_t count) {
    return {.x = image.data(),
            .rows = 2,
            .columns = 3,
            .xRow = 40 * channels,
            .xColumn = channels,
            .count = count,
            .step = 2 * channels};
}

TEST_P(VectorKernelsTest, SumsWindows) {
    for (const size_t channels : {1, 4, 8, 19}) {
        for (const size_t multiplier : {1, 3, 9, 37}) {
            for (const size_t count : {1, 4, 13}) {
                const auto image = numbers<float>(80 * channels);
                const size_t outputs = channels * multiplier;
                const auto filter = numbers<float>(6 * outputs);
                Windows<float> windows = windowsOf(image, channels, count);
                windows.filter = filter.data();
                windows.filterRow = 3 * outputs;
                windows.filterColumn = outputs;
                std::vector<float> sums(count * outputs), expected;
                std::vector<double> doubles(count * outputs), inDouble;
                kernels().sumFloats(windows, channels, multiplier, sums.data());
                kernels().sumFloatsToDoubles(windows, channels, multiplier, doubles.data());
                for (size_t i = 0; i < sums.size(); ++i) {
                    const size_t w = i / outputs, c = i % outputs / multiplier;
                    volatile float sum = 0;  // volatile: no fused operations
                    double exact = 0;        // where products are exact, that makes no difference
                    for (size_t tap = 0; tap < 6; ++tap) {
                        const size_t pixel = tap / 3 * 40 + tap % 3 + 2 * w;
                        const float x = image[pixel * channels + c];
                        const float factor = filter[tap * outputs + i % outputs];
                        volatile float product = x * factor;
                        sum = sum + product;
                        exact += double{x} * factor;
                    }
                    expected.push_back(float{sum});
                    inDouble.push_back(exact);
                }
                EXPECT_EQ(sums, expected) << channels << " x " << multiplier << " x " << count;
                EXPECT_EQ(doubles, inDouble) << channels << " x " << multiplier << " x " << count;
            }
        }
    }
}

template <class E, class Sum>
void expectFolds(const std::vector<E>& image, size_t channels,
                 void (*kernel)(const Windows<E>&, size_t, Sum*), Sum start, auto fold) {
    std::vector<Sum> results(5 * channels), expected;
    kernel(windowsOf(image, channels, 5), channels, results.data());
    for (size_t i = 0; i < results.size(); ++i) {
        Sum folded = start;
        for (size_t tap = 0; tap < 6; ++tap) {
            const size_t pixel = tap / 3 * 40 + tap % 3 + i / channels * 2;
            folded = fold(folded, image[pixel * channels + i % channels]);
        }
        expected.push_back(folded);
    }
    EXPECT_EQ(results, expected) << channels;
}

TEST_P(VectorKernelsTest, FoldsWindows) {
    constexpr float kMin = -std::numeric_limits<float>::infinity();
    const auto add = []<class Sum>(Sum sum, auto x) { return static_cast<Sum>(sum + x); };
    const auto max = []<class E>(E most, E x) { return std::max(most, x); };
    for (const size_t channels : {1, 16, 37}) {
        auto reals = numbers<float>(80 * channels);
        const auto bytes = numbers<uint8_t>(80 * channels);
        const auto chars = numbers<int8_t>(80 * channels);
        expectFolds(reals, channels, kernels().addFloats, 0.0, add);
        expectFolds(reals, channels, kernels().addSquares, 0.0,
                    [](double sum, float x) { return sum + double{x} * x; });
        expectFolds(bytes, channels, kernels().addUnsigned, 0, add);
        expectFolds(chars, channels, kernels().addSigned, 0, add);
        expectFolds<uint8_t, uint8_t>(bytes, channels, kernels().maxUnsigned, 0, max);
        expectFolds<int8_t, int8_t>(chars, channels, kernels().maxSigned, -128, max);
        reals[channels] = std::numeric_limits<float>::quiet_NaN();
        expectFolds(reals, channels, kernels().maxFloats, kMin, max);
    }
}

TEST_P(VectorKernelsTest, AddsUpProductsInEights) {
    for (const size_t size : {0, 7, 8, 37}) {
        const auto x = numbers<double>(size);
        const auto weights = numbers<float>(7 * size);
        std::vector<double> sums(7), expected;
        kernels().dotDoubles(x.data(), {weights.data(), 7, size, size}, sums.data());
        for (size_t r = 0; r < 7; ++r) {
            volatile double lanes[9] = {};  // the last for the rest
            for (size_t i = 0; i < size; ++i) {
                volatile double product = x[i] * double{weights[r * size + i]};
                volatile double& lane = lanes[i < size / 8 * 8 ? i % 8 : 8];
                lane = lane + product;
            }
            double sum = lanes[8];
            for (size_t lane = 0; lane < 8; ++lane) sum += lanes[lane];
            expected.push_back(sum);
        }
        EXPECT_EQ(sums, expected) << size;
    }
}

// Zero points at both ends; sums around each vector width, and rows around four at once.
TEST_P(VectorKernelsTest, AddsUpProductsOfStoredValues) {
    const auto expectSums = [&]<class E>(auto dot, E, std::initializer_list<int32_t> zeroPoints) {
        for (const size_t size : {0, 1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 67}) {
            for (const size_t rows : {0, 1, 3, 4, 5, 9}) {
                const size_t stride = size + 3;
                auto x = numbers<int16_t>(size);
                for (int16_t& factor : x) factor = static_cast<int16_t>(factor % 256);
                if (size > 0) x[0] = -255;
                const auto weights = numbers<E>(rows * stride);
                for (const int32_t zeroPoint : zeroPoints) {
                    std::vector<int32_t> sums(rows), expected(rows);
                    dot(x.data(), Matrix<const E>{weights.data(), rows, size, stride}, zeroPoint,
                        sums.data());
                    for (size_t r = 0; r < rows; ++r) {
                        for (size_t i = 0; i < size; ++i) {
                            expected[r] += x[i] * (weights[r * stride + i] - zeroPoint);
                        }
                    }
                    EXPECT_EQ(sums, expected) << size << " " << rows << " " << zeroPoint;
                }
            }
        }
    };
    expectSums(kernels().dotUnsigned, uint8_t{}, {0, 128, 255});
    expectSums(kernels().dotSigned, int8_t{}, {-128, 0, 127});
}

template <class E>
void expectQuantized(const std::vector<float>& reals,
                     void (*quantize)(std::span<const float>, float, int32_t, E*)) {
    std::vector<E> stored(reals.size()), expected;
    quantize(reals, 0.5f, 3, stored.data());
    for (const float real : reals) expected.push_back(quantized<E>(real, 0.5f, 3));
    EXPECT_EQ(stored, expected);
}

// sums[p][u] = sum_i x[i] * panels[p][i][u]
TEST_P(VectorKernelsTest, SumsPanels) {
    for (const size_t count : {1, 2, 3, 4, 7}) {
        for (const size_t size : {0, 1, 2, 5, 33}) {
            const std::vector<double> x = numbers<double>(size);
            const std::vector<float> panels = numbers<float>(count * size * kPanelUnits);
            std::vector<double> sums(count * kPanelUnits), expected(sums.size());
            kernels().sumPanels(x, panels.data(), count, sums.data());
            for (size_t p = 0; p < count; ++p) {
                for (size_t i = 0; i < size; ++i) {
                    for (size_t u = 0; u < kPanelUnits; ++u) {
                        expected[p * kPanelUnits + u] +=
                                x[i] * double{panels[(p * size + i) * kPanelUnits + u]};
                    }
                }
            }
            EXPECT_EQ(sums, expected) << count << " " << size;
        }
    }
}

// Around each half and each integer, and at the extremes of sums.
TEST_P(VectorKernelsTest, Averages) {
    const auto averages = [&]<class E>(const std::vector<int32_t>& sums, int32_t count,
                                       StoredRange range) {
        std::vector<E> y(sums.size());
        if constexpr (std::is_signed_v<E>) {
            kernels().averageSigned(sums, count, range, y.data());
        } else {
            kernels().averageUnsigned(sums, count, range, y.data());
        }
        return y;
    };
    const auto expectAverages = [&]<class E>(int32_t count, StoredRange range) {
        std::vector<int32_t> sums;
        for (int64_t average = std::numeric_limits<E>::min();
             average <= std::numeric_limits<E>::max(); ++average) {
            for (const int64_t beside : {-1, 0, 1}) {
                sums.push_back(static_cast<int32_t>(average * count + beside));
                sums.push_back(static_cast<int32_t>(average * count + count / 2 + beside));
            }
        }
        std::vector<E> expected;
        for (const int64_t sum : sums) {
            const int64_t half = count / 2, size = sum < 0 ? -sum : sum;
            const int64_t rounded = (size + half) / count;
            expected.push_back(static_cast<E>(range.clamp(sum < 0 ? -rounded : rounded)));
        }
        EXPECT_EQ(averages.template operator()<E>(sums, count, range), expected) << count;
    };
    for (const int32_t count : {1, 2, 3, 7, 9, 10, 49, 255, 4095, 65536, (1 << 23) - 1}) {
        expectAverages.operator()<uint8_t>(count, {0, 255});
        expectAverages.operator()<uint8_t>(count, {10, 200});
        expectAverages.operator()<int8_t>(count, {-128, 127});
    }
    EXPECT_EQ(averages.operator()<uint8_t>({0, 0}, 0, {3, 9}), (std::vector<uint8_t>{3, 3}));
}

TEST_P(VectorKernelsTest, Quantizes) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    std::vector<float> reals = {0,     -0.0f,     0.25f,      -0.25f,
                                0.75f, -0.75f,    0.249999f,  -0.249999f,
                                1e30f, -1e30f,    kInfinity,  -kInfinity,
                                NAN,   16383.75f, -16384.25f, std::numeric_limits<float>::min()};
    for (int i = -400; i < 400; ++i) reals.push_back(static_cast<float>(i) / 4);
    expectQuantized(reals, kernels().quantizeUnsigned);
    expectQuantized(reals, kernels().quantizeSigned);
    expectQuantized(reals, kernels().quantizeUnsigned16);
    expectQuantized(reals, kernels().quantizeSigned16);
}

TEST_P(VectorKernelsTest, ConvertsEachHalf) {
    std::vector<uint16_t> halves;
    for (uint32_t bits = 0; bits <= 0xFFFF; ++bits) halves.push_back(static_cast<uint16_t>(bits));
    std::vector<float> reals(halves.size());
    kernels().realsOfHalves(halves, reals.data());
    for (const uint16_t half : halves) {
        ASSERT_EQ(std::bit_cast<uint32_t>(reals[half]), std::bit_cast<uint32_t>(halfToFloat(half)))
                << half;
    }
}

// Each half, the midpoints between two of them, and the floats next to those.
TEST_P(VectorKernelsTest, RoundsToHalves) {
    std::vector<float> reals;
    for (uint32_t bits = 0; bits < 0xFFFF; ++bits) {
        const float real = halfToFloat(static_cast<uint16_t>(bits));
        const float next = halfToFloat(static_cast<uint16_t>(bits + 1));
        for (const float middle : {real, real / 2 + next / 2}) {
            const auto code = std::bit_cast<uint32_t>(middle);
            for (const uint32_t beside : {code - 1, code, code + 1})
                reals.push_back(std::bit_cast<float>(beside));
        }
    }
    for (const float real : numbers<float>(11)) reals.push_back(real);
    std::vector<uint16_t> halves(reals.size());
    kernels().halvesOfReals(reals, halves.data());
    for (size_t i = 0; i < reals.size(); ++i)
        ASSERT_EQ(halves[i], floatToHalf(reals[i])) << reals[i];
}

TEST_P(VectorKernelsTest, ComputesLogistic) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    std::vector<float> reals = {0, -0.0f, 1e-30f, -1e-30f, 1e30f, -1e30f, kInfinity, -kInfinity};
    for (int i = -2000; i < 2003; ++i) reals.push_back(static_cast<float>(i) / 13);
    std::vector<float> results(reals.size()), others(reals.size());
    kernels().logistic(reals, results.data());
    portable::kKernels.logistic(reals, others.data());
    EXPECT_EQ(results, others);
    for (size_t i = 0; i < reals.size(); ++i) {
        const double expected = 1 / (1 + std::exp(-double{reals[i]}));
        ASSERT_NEAR(results[i], expected, 0x1p-24 * expected + 1e-45) << reals[i];
    }
    float result = 0;
    const float nan = NAN;
    kernels().logistic({&nan, 1}, &result);
    EXPECT_TRUE(std::isnan(result));
}

// Results are within ten digits of the function, including signs of zeros.
void expectFunction(std::vector<float> x, void (*map)(std::span<const float>, float*),
                    void (*portable)(std::span<const float>, float*), double (*function)(double)) {
    for (const size_t size : {size_t{1}, size_t{3}, size_t{9}, x.size()}) {
        std::vector<float> results(size), others(size);
        map(std::span(x).first(size), results.data());
        portable(std::span(x).first(size), others.data());
        for (size_t i = 0; i < size; ++i) {
            const double expected = function(double{x[i]});
            if (std::isnan(expected)) {
                ASSERT_TRUE(std::isnan(results[i]) && std::isnan(others[i])) << x[i];
                continue;
            }
            ASSERT_EQ(results[i], others[i]) << x[i];
            ASSERT_EQ(std::signbit(results[i]), std::signbit(expected)) << x[i];
            const auto nearest = static_cast<float>(expected);
            if (std::isinf(nearest) || nearest == 0) {
                ASSERT_EQ(results[i], nearest) << x[i];
            } else {
                ASSERT_NEAR(results[i], expected, 0x1.01p-24 * std::fabs(expected) + 0x1p-150)
                        << x[i];
            }
        }
    }
}

TEST_P(VectorKernelsTest, ComputesFunctions) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    constexpr float kLeast = std::numeric_limits<float>::denorm_min();
    constexpr float kMost = std::numeric_limits<float>::max();
    std::vector<float> x = {0,           -0.0f,       kInfinity,  -kInfinity, NAN,
                            kLeast,      -kLeast,     1e-40f,     kMost,      -kMost,
                            0.70710677f, 0.70710683f, 1.4142135f, 1.4142137f, 1,
                            0.99999994f, 1.0000001f};
    for (int i = -3000; i < 3003; ++i) x.push_back(static_cast<float>(i) / 29);
    for (int i = 0; i < 700; ++i) x.push_back(static_cast<float>(std::pow(0.87, i - 300)));
    expectFunction(x, kernels().exponentials, portable::kKernels.exponentials,
                   [](double real) { return std::exp(real); });
    expectFunction(x, kernels().logarithms, portable::kKernels.logarithms,
                   [](double real) { return std::log(real); });
    expectFunction(x, kernels().roots, portable::kKernels.roots,
                   [](double real) { return std::sqrt(real); });
    std::vector<float> inverses(x.size());
    kernels().inverseRoots(x, inverses.data());
    for (size_t i = 0; i < x.size(); ++i) {
        const float expected = 1 / std::sqrt(x[i]);
        ASSERT_TRUE(inverses[i] == expected || std::isnan(expected)) << x[i];
    }
    // Where sines are accurate enough, and near their zeros.
    std::erase_if(x, [](float real) { return !(std::fabs(real) <= kMostOfSines); });
    for (int n = -200'000; n < 166'000; n += 773) {
        const auto zero = static_cast<float>(n * 3.14159265358979);
        x.insert(x.end(), {zero, std::nextafter(zero, kMost), zero + 1.5f});
    }
    x.insert(x.end(), {kMostOfSines, -kMostOfSines});
    std::erase_if(x, [](float real) { return !(std::fabs(real) <= kMostOfSines); });
    expectFunction(x, kernels().sines, portable::kKernels.sines,
                   [](double real) { return std::sin(real); });
}

TEST_P(VectorKernelsTest, ComputesFunctionsOfDoubles) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    std::vector<double> x = {0, -0.0, 1e-300, -1e-300, 1e300, -1e300, kInfinity, -kInfinity};
    for (int i = -3000; i < 3003; ++i) x.push_back(i / 37.0);
    for (int i = 0; i < 300; ++i) x.push_back(std::pow(0.9, i));
    const auto expectNear = [&x](auto map, auto portable, auto function) {
        std::vector<double> results = x, others = x;
        map(results);
        portable(others);
        EXPECT_EQ(results, others);
        for (size_t i = 0; i < x.size(); ++i) {
            const double expected = function(x[i]);
            ASSERT_NEAR(results[i], expected, 1e-13 * std::abs(expected) + 1e-300) << x[i];
            ASSERT_EQ(std::signbit(results[i]), std::signbit(expected)) << x[i];
        }
        double nan = NAN;
        map(std::span(&nan, 1));
        EXPECT_TRUE(std::isnan(nan));
    };
    expectNear(kernels().logisticDoubles, portable::kKernels.logisticDoubles,
               [](double real) { return 1 / (1 + std::exp(-real)); });
    expectNear(kernels().tanhDoubles, portable::kKernels.tanhDoubles,
               [](double real) { return std::tanh(real); });
    expectNear(kernels().exponentialDoubles, portable::kKernels.exponentialDoubles,
               [](double real) { return std::exp(std::clamp(real, -700.0, 700.0)); });
}

TEST_P(VectorKernelsTest, CombinesPairs) {
    static constexpr RealRange kRange{-1.5f, 2};
    const auto expectPairs = [](VectorKernels::Combine combine, const std::vector<float>& a,
                                const std::vector<float>& b, auto f) {
        for (const auto& [strideA, strideB] : {std::pair(1, 1), {0, 1}, {1, 0}}) {
            for (const size_t count : {size_t{0}, size_t{1}, size_t{7}, size_t{8}, a.size()}) {
                std::vector<float> y(count);
                combine(a.data(), static_cast<size_t>(strideA), b.data(),
                        static_cast<size_t>(strideB), count, kRange, y.data());
                for (size_t i = 0; i < count; ++i) {
                    const float expected =
                            kRange.clamp(f(a[strideA == 0 ? 0 : i], b[strideB == 0 ? 0 : i]));
                    ASSERT_TRUE(y[i] == expected || (std::isnan(y[i]) && std::isnan(expected)))
                            << i << " of " << count;
                }
            }
        }
    };
    std::vector<float> a = numbers<float>(37), b = numbers<float>(37);
    a[3] = b[20] = NAN;
    a[5] = b[6] = std::numeric_limits<float>::infinity();
    b[7] = 0;
    expectPairs(kernels().plus, a, b, std::plus<float>());
    expectPairs(kernels().minus, a, b, std::minus<float>());
    expectPairs(kernels().times, a, b, std::multiplies<float>());
    expectPairs(kernels().dividedBy, a, b, std::divides<float>());
}

template <class E>
void expectClamped(const std::vector<E>& x, StoredRange range, auto clamp) {
    std::vector<E> expected, y(x.size());
    for (const E element : x) expected.push_back(static_cast<E>(range.clamp(element)));
    clamp(std::span(x), range, y.data());
    EXPECT_EQ(y, expected);
}

TEST_P(VectorKernelsTest, ClampsReals) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    std::vector<float> x = numbers<float>(37), y(39);
    x.insert(x.end(), {kInfinity, -kInfinity});
    const RealRange range{-0.5f, 1.25f};
    kernels().clampReals(x, range, y.data());
    for (size_t i = 0; i < x.size(); ++i) EXPECT_EQ(y[i], range.clamp(x[i]));
    const float nan = NAN;
    kernels().clampReals({&nan, 1}, range, y.data());
    EXPECT_TRUE(std::isnan(y[0]));
}

TEST_P(VectorKernelsTest, Clamps) {
    expectClamped(numbers<uint8_t>(300), {7, 200}, kernels().clampUnsigned);
    expectClamped(numbers<int8_t>(300), {-90, 3}, kernels().clampSigned);
    expectClamped(numbers<int8_t>(3), {-128, 127}, kernels().clampSigned);
}

// to[i] = from[i] - 100, converted to the type of factors
template <class Factor>
void expectPatches(const std::vector<uint8_t>& image, size_t size,
                   void (*widen)(const Patches<uint8_t>&, int32_t, Factor*)) {
    std::vector<Factor> patches(3 * 2 * 40, 77), expected = patches;
    widen({.x = image.data(),
           .size = size,
           .rows = 2,
           .xRow = 50,
           .toRow = 40,
           .count = 3,
           .xStep = 5,
           .toStep = 80},
          100, patches.data());
    for (size_t n = 0; n < 3; ++n) {
        for (size_t a = 0; a < 2; ++a) {
            for (size_t i = 0; i < size; ++i) {
                expected[n * 80 + a * 40 + i] =
                        static_cast<Factor>(image[n * 5 + a * 50 + i] - 100);
            }
        }
    }
    EXPECT_EQ(patches, expected) << size;
}

TEST_P(VectorKernelsTest, WidensPatches) {
    for (const size_t size : {1, 7, 8, 9, 16, 17, 24, 31, 35}) {
        const auto image = numbers<uint8_t>(200);
        expectPatches(image, size, kernels().widenUnsigned);
        expectPatches(image, size, kernels().floatUnsigned);
        expectPatches(image, size, kernels().shiftBytes);
    }
}

template <class E>
void expectTransposed(const std::vector<E>& x, size_t rows, size_t columns,
                      void (*transpose)(Matrix<const E>, E*, size_t)) {
    std::vector<E> y(x.size()), expected(x.size());
    transpose({x.data(), rows, columns, columns}, y.data(), rows);
    for (size_t i = 0; i < x.size(); ++i) expected[i % columns * rows + i / columns] = x[i];
    EXPECT_EQ(y, expected) << rows << " x " << columns;
}

TEST_P(VectorKernelsTest, Transposes) {
    for (const size_t rows : {1, 16, 67}) {
        for (const size_t columns : {1, 16, 39}) {
            const size_t size = rows * columns;
            expectTransposed(numbers<uint8_t>(size), rows, columns, kernels().transpose8);
            expectTransposed(numbers<uint16_t>(size), rows, columns, kernels().transpose16);
            expectTransposed(numbers<uint32_t>(size), rows, columns, kernels().transpose32);
        }
    }
}

}  // namespace
}  // namespace nn::ops::vector_kernels_test
