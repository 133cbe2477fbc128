// How far results are off, over many tensors.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "interpreter/graph.h"
#include "nnapi/comparison.h"

namespace nn::testing {
namespace {

constexpr float kNotANumber = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

struct StatisticsRow {
    const char* name;
    OperandType type;
    Tensor expected;
    Tensor actual;
    const char* text;
};

const StatisticsRow kStatistics[] = {
        {"Exact", TENSOR_FLOAT32, tensorOf<float>({1, kInf, kNotANumber, 0}),
         tensorOf<float>({1, kInf, kNotANumber, -0.0f}), "3 values: 100.0% exact"},
        {"None", TENSOR_FLOAT32, {}, {}, "0 values"},
        {"TooSmall", TENSOR_QUANT8_ASYMM, tensorOf<uint8_t>({1, 2, 3, 255}),
         tensorOf<uint8_t>({0, 2, 2, 0}),
         "4 values: 25.0% exact, 50.0% off by 1, 25.0% off by 10 and more; mean error -64.250, "
         "largest 255"},
        {"Signed", TENSOR_QUANT8_ASYMM_SIGNED, tensorOf<int8_t>({-128, 127}),
         tensorOf<int8_t>({-126, 122}),
         "2 values: 0.0% exact, 50.0% off by 2, 50.0% off by 3 to 9; mean error -1.500, largest 5"},
        {"NextFloat", TENSOR_FLOAT32, tensorOf<float>({1, -1}),
         tensorOf<float>({std::nextafter(1.f, 2.f), std::nextafter(-1.f, 0.f)}),
         "2 values: 0.0% exact, 100.0% off by 1; mean error 1.000, largest 1"},
        {"Half", TENSOR_FLOAT16, tensorOf<uint16_t>({0x3C00, 0x8001}),
         tensorOf<uint16_t>({0x3BFF, 0x0001}),
         "2 values: 0.0% exact, 50.0% off by 1, 50.0% off by 2; mean error 0.500, largest 2"},
        {"NanForANumber", TENSOR_FLOAT32, tensorOf<float>({1, 1}),
         tensorOf<float>({1, kNotANumber}),
         "2 values: 50.0% exact, 50.0% off by 10 and more; mean error 0.000, largest one is NaN"},
        // One error does not outweigh all others.
        {"FarOff", TENSOR_INT32, tensorOf<int32_t>({INT32_MIN, 0, 0, 0}),
         tensorOf<int32_t>({INT32_MAX, 0, 0, 0}),
         "4 values: 75.0% exact, 25.0% off by 10 and more; mean error 250.000, largest 4294967295"},
        {"ShorterThanExpected", TENSOR_INT32, tensorOf<int32_t>({1, 2}), tensorOf<int32_t>({1}),
         "1 value: 100.0% exact"},
};

TEST(ValueStatistics, AreText) {
    for (const StatisticsRow& each : kStatistics) {
        ValueStatistics statistics;
        statistics.add(each.type, each.expected, each.actual);
        EXPECT_EQ(toString(statistics), each.text) << each.name;
    }
}

TEST(ValueStatistics, AddUp) {
    ValueStatistics all, twice;
    for (const StatisticsRow& each : kStatistics) {
        ValueStatistics one;
        one.add(each.type, each.expected, each.actual);
        all.add(one);
        twice.add(each.type, each.expected, each.actual);
    }
    EXPECT_EQ(all, twice);
    EXPECT_EQ(all.values(), 20u);
    double shares = 0;
    for (size_t i = 0; i < all.counts.size(); ++i) shares += all.share(i);
    EXPECT_DOUBLE_EQ(shares, 1);
}

}  // namespace
}  // namespace nn::testing
