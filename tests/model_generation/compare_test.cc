// How far two tensors are apart, and whether that is allowed.
#include "nnapi/comparison.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "interpreter/graph.h"

namespace nn::testing {
namespace {

Tensor floats(const std::vector<float>& values) { return tensorOf(values); }

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

struct Row {
    const char* name;
    OperandType type;
    Tensor expected;
    Tensor actual;
    Tolerance tolerance;
    double maxAbsError;
    double meanAbsError;
    uint64_t maxUlps;
    const char* message;  // empty: passes
};

const Row kRows[] = {
        {"Equal", TENSOR_FLOAT32, floats({1, kInfinity}), floats({1, kInfinity}), Tolerance{}, 0, 0,
         0, ""},
        {"NextFloat", TENSOR_FLOAT32, floats({1, 1}), floats({1, std::nextafter(1.0f, 2.0f)}),
         Tolerance{.absolute = 1e-6}, 0x1p-23, 0x1p-24, 1, ""},
        {"AcrossZero", TENSOR_FLOAT32, floats({0x1p-149f}), floats({-0x1p-149f}),
         Tolerance{.absolute = 1}, 0x1p-148, 0x1p-148, 2, ""},
        {"BothZeros", TENSOR_FLOAT32, floats({0.0f}), floats({-0.0f}), Tolerance{}, 0, 0, 0, ""},
        {"Relative", TENSOR_FLOAT32, floats({100}), floats({101}), Tolerance{.relative = 0.01}, 1,
         1, 131072, ""},
        {"FirstOfSeveral", TENSOR_FLOAT32, floats({1, 2, 3, 4}), floats({1, 2.5, 5, 4}),
         Tolerance{.absolute = 0.25}, 2, 0.625, 6291456, "element 1: 2.5, expected 2 +- 0.25"},
        {"Half", TENSOR_FLOAT16, tensorOf<uint16_t>({0x3C00, 0x3C00}),
         tensorOf<uint16_t>({0x3C03, 0x3C00}), Tolerance{.absolute = 1}, 3 * 0x1p-10, 1.5 * 0x1p-10,
         3, ""},
        {"Units", TENSOR_QUANT8_ASYMM_SIGNED, tensorOf<int8_t>({-128, 5}),
         tensorOf<int8_t>({127, 6}), Tolerance{.absolute = 1}, 255, 128, 255,
         "element 0: 127, expected -128 +- 1"},
        {"Ints", TENSOR_INT32, tensorOf<int32_t>({INT32_MIN}), tensorOf<int32_t>({INT32_MAX}),
         Tolerance{}, 4294967295.0, 4294967295.0, 4294967295u,
         "element 0: 2147483647, expected -2147483648 +- 0"},
        // Each value but 0 is true.
        {"TruthValues", TENSOR_BOOL8, tensorOf<uint8_t>({0, 1, 1, 2}),
         tensorOf<uint8_t>({0, 255, 2, 1}), Tolerance{}, 0, 0, 0, ""},
        {"OtherTruthValue", TENSOR_BOOL8, tensorOf<uint8_t>({1, 0, 255}),
         tensorOf<uint8_t>({128, 0, 0}), Tolerance{}, 255, 85, 1,
         "element 2: 0, expected 255 +- 0"},
        {"Dimensions", TENSOR_FLOAT32, floats({1}), floats({1, 2}), Tolerance{}, 0, 0, 0,
         "dimensions [2], expected [1]"},
        {"Bytes",
         TENSOR_FLOAT32,
         floats({1}),
         {.dimensions = {1}},
         Tolerance{},
         0,
         0,
         0,
         "0 bytes, expected 4"},
        {"InfinityExpected", TENSOR_FLOAT32, floats({kInfinity}), floats({-kInfinity}),
         Tolerance{.absolute = 1}, kInfinity, kInfinity, 0xFF000000u,
         "element 0: -inf, expected inf +- 1"},
        {"NumberForInfinity", TENSOR_FLOAT32, floats({kInfinity}), floats({1}),
         Tolerance{.relative = 1}, kInfinity, kInfinity, 0x40000000u,
         "element 0: 1, expected inf +- 0"},
        {"NanAgree", TENSOR_FLOAT32, floats({kNaN, 1}), floats({kNaN, 1}),
         Tolerance{.nanMeetsNan = true}, 0, 0, 0, ""},
};

TEST(CompareTensors, Measures) {
    for (const Row& row : kRows) {
        SCOPED_TRACE(row.name);
        const TensorComparison c =
                compareTensors(row.type, row.expected, row.actual, row.tolerance);
        EXPECT_EQ(c.message, row.message);
        EXPECT_EQ(c.pass, c.message.empty());
        EXPECT_EQ(c.maxAbsError, row.maxAbsError);
        EXPECT_EQ(c.meanAbsError, row.meanAbsError);
        EXPECT_EQ(c.maxUlps, row.maxUlps);
    }
}

TEST(CompareTensors, NamesTheFirstElementBeyondTheTolerance) {
    const TensorComparison c = compareTensors(TENSOR_FLOAT32, floats({1, 2, 3}),
                                              floats({1.125, 4, 9}), {.absolute = 1});
    ASSERT_TRUE(c.first.has_value());
    EXPECT_EQ(c.first->element, 1u);
    EXPECT_EQ(c.first->expected, 2);
    EXPECT_EQ(c.first->actual, 4);
    EXPECT_EQ(c.elements, 3u);
}

TEST(CriteriaFor, ANanThatIsExpectedMeetsItself) {
    const Criteria criteria = criteriaFor(Model{});
    for (const Tolerance& tolerance : {criteria.float32, criteria.float16}) {
        EXPECT_TRUE(compareTensors(TENSOR_FLOAT32, floats({kNaN}), floats({kNaN}), tolerance).pass);
        EXPECT_FALSE(compareTensors(TENSOR_FLOAT32, floats({kNaN}), floats({1}), tolerance).pass);
        EXPECT_FALSE(compareTensors(TENSOR_FLOAT32, floats({1}), floats({kNaN}), tolerance).pass);
    }
}

TEST(CompareTensors, NanFailsUnlessItMayMeetItself) {
    const TensorComparison c =
            compareTensors(TENSOR_FLOAT32, floats({1, kNaN}), floats({2, kNaN}), {.absolute = 5});
    EXPECT_EQ(c.message, "element 1: nan, expected nan +- 5");
    EXPECT_TRUE(std::isnan(c.maxAbsError));
    EXPECT_EQ(c.maxUlps, UINT64_MAX);
    EXPECT_FALSE(compareTensors(TENSOR_FLOAT32, floats({1}), floats({kNaN}),
                                {.absolute = 5, .nanMeetsNan = true})
                         .pass);
}

Model twoOutputs() {
    Model model;
    model.main.operands = {{.type = TENSOR_FLOAT32, .dimensions = {2}},
                           {.type = TENSOR_QUANT8_ASYMM, .dimensions = {1}}};
    model.main.outputIndexes = {0, 1};
    return model;
}

TEST(CompareOutputs, ReportsEachOutput) {
    const Model model = twoOutputs();
    const Tensor expected[] = {floats({1, 2}), tensorOf<uint8_t>({7})};
    const Tensor actual[] = {floats({1, 2.5}), tensorOf<uint8_t>({9})};
    const Comparison c = compareOutputs(model, expected, actual, criteriaFor(model));
    EXPECT_FALSE(c.pass);
    EXPECT_EQ(c.message, "output 0, element 1: 2.5, expected 2 +- 1.1192092895507813e-05");
    ASSERT_EQ(c.outputs.size(), 2u);
    EXPECT_EQ(c.outputs[0].maxAbsError, 0.5);
    EXPECT_EQ(c.outputs[1].message, "element 0: 9, expected 7 +- 1");
    EXPECT_EQ(c.maxAbsError, 2);
    EXPECT_DOUBLE_EQ(c.meanAbsError, 2.5 / 3);
    EXPECT_EQ(c.elements, 3u);
}

TEST(CompareOutputs, SkipsOutputsWithoutExpectation) {
    const Model model = twoOutputs();
    const Tensor expected[] = {Tensor{.hasNoValue = true}, tensorOf<uint8_t>({7})};
    const Tensor actual[] = {floats({1, 2.5}), tensorOf<uint8_t>({8})};
    const Comparison c = compareOutputs(model, expected, actual, criteriaFor(model));
    EXPECT_TRUE(c.pass) << c.message;
    EXPECT_EQ(c.outputs[0].elements, 0u);
}

TEST(CompareOutputs, RejectsOtherCountsAndDimensions) {
    const Model model = twoOutputs();
    const Tensor expected[] = {floats({1, 2}), tensorOf<uint8_t>({7})};
    const Tensor longer[] = {floats({1, 2, 3}), tensorOf<uint8_t>({7})};
    EXPECT_EQ(compareOutputs(model, expected, std::span(longer).first(1), {}).message,
              "1 outputs, expected 2");
    EXPECT_EQ(compareOutputs(model, expected, longer, {}).message,
              "output 0: dimensions [3], expected [2]");
    const auto one = std::span(expected).first(1);
    EXPECT_EQ(compareOutputs(model, one, one, {}).message,
              "the model has 2 outputs, expected values are for 1");
}

TEST(CompareDistribution, FailsForLogitsWithoutDistribution) {
    const int32_t draws[] = {0, 0};
    const float impossible[] = {1, -kInfinity};
    EXPECT_TRUE(compareDistribution(impossible, draws, 0.1).pass);
    for (const float wrong : {kNaN, kInfinity}) {
        for (const auto& logits : {std::array{1.f, wrong}, std::array{wrong, 1.f}}) {
            const Comparison c = compareDistribution(logits, draws, 0.1);
            EXPECT_FALSE(c.pass);
            EXPECT_TRUE(std::isnan(c.maxAbsError));
        }
    }
}

}  // namespace
}  // namespace nn::testing
