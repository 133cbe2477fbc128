// Small files that ask for much, or that have shapes, names and numbers at the ends of their
// ranges: they are refused, soon and with little memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "importers/onnx/budget.h"
#include "importers/onnx/constant.h"
#include "importers/onnx/fold.h"
#include "importers/onnx/graph.h"
#include "importers/onnx/shapes.h"
#include "nnapi/import/onnx.h"
#include "onnx_file.h"
#include "types/list_text.h"
#include "types/status_message.h"

namespace nn::onnx::hostile_test {
namespace {

using ::testing::HasSubstr;

constexpr int64_t kMax = INT64_MAX, kMin = INT64_MIN, kLargest = INT32_MAX;

Result<Import> imported(const OnnxFile& file, const Limits& limits = {}) {
    const std::string bytes = file.bytes();
    return importOnnx({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()},
                      {.common = {.limits = limits}});
}

// The reason for a refusal; empty for a file that is imported.
std::string refusal(const OnnxFile& file, const Limits& limits = {}) {
    const auto import = imported(file, limits);
    if (!import.ok()) return std::string(messageOf(import.status()));
    const Status refused = refusalsOf(*import);
    return refused.ok() ? "" : std::string(messageOf(refused));
}

TEST(OnnxHostile, RefusesSoftmaxOfMoreElementsThanDimensionsHave) {
    for (const char* type : {"Softmax", "LogSoftmax"}) {
        OnnxFile file(12);
        file.input("x", {2, 65536, 65536}).node(type, {"x"}, {"y"}).output("y");
        EXPECT_THAT(refusal(file), HasSubstr("less than 2^32 elements")) << type;
    }
}

TEST(OnnxHostile, RefusesMatricesWithMoreRowsThanADimensionHas) {
    OnnxFile file(13);
    file.input("x", {65536, 65536, 1}).input("w", {1, 2});
    EXPECT_THAT(refusal(file.node("MatMul", {"x", "w"}, {"y"}).output("y")),
                HasSubstr("less than 2^32 rows"));
}

TEST(OnnxHostile, RefusesConstantsWithoutAnOutput) {
    OnnxFile file(13);
    file.node("Constant", {}, {""}, {{"value_int", 1}});
    file.input("x", {1}).node("Relu", {"x"}, {"y"}).output("y");
    EXPECT_THAT(refusal(file), HasSubstr("omits its output"));
}

TEST(OnnxHostile, RefusesOmittedFirstOutputs) {
    for (const char* type : {"Dropout", "BatchNormalization", "MaxPool", "TopK", "Split", "LSTM"}) {
        OnnxFile file(13);
        file.input("x", {1, 4, 4, 4}).floats("c", {4}, {1, 2, 3, 4}).integers("k", {1});
        const bool isNorm = std::string_view(type) == "BatchNormalization";
        file.node(type,
                  isNorm ? std::vector<std::string>{"x", "c", "c", "c", "c"}
                         : std::vector<std::string>{"x"},
                  {"", "second"});
        file.node("Relu", {"x"}, {"y"}).output("y");
        EXPECT_NE(refusal(file), "") << type;
    }
}

TEST(OnnxHostile, RefusesConstantsWithADimensionOf0) {
    OnnxFile where(13);
    where.bytes("c", kBoolType, {0}, {}).input("x", {1}).input("z", {1});
    EXPECT_NE(refusal(where.node("Where", {"c", "x", "z"}, {"y"}).output("y")), "");
    OnnxFile product(13);
    product.floats("a", {0, 1, 1, 1}, {}).input("x", {1, 1, 1, 1});
    EXPECT_NE(refusal(product.node("MatMul", {"a", "x"}, {"y"}).output("y")), "");
    OnnxFile resized(13);
    resized.floats("a", {1, 1, 0, 1}, {}).floats("s", {4}, {1, 1, 2, 2});
    EXPECT_NE(refusal(resized.node("Resize", {"a", "", "s"}, {"y"}).output("y")), "");
    OnnxFile filtered(13);
    filtered.floats("a", {1, 0, 4, 4}, {}).input("w", {1, 1, 1, 1});
    EXPECT_NE(refusal(filtered.node("Conv", {"a", "w"}, {"y"}).output("y")), "");
}

TEST(OnnxHostile, SlicesNothingOfAnEmptyAxis) {
    const auto ranges = sliceRanges({0}, {{kMax}}, {{kMin}}, std::nullopt, {{-1}});
    ASSERT_TRUE(ranges);
    EXPECT_EQ(ranges->front().count, 0u);
    for (const int64_t step : {kMin, -kMax, kMax}) {
        const auto one = sliceRanges({4}, {{step < 0 ? kMax : kMin}}, {{step < 0 ? kMin : kMax}},
                                     std::nullopt, {{step}});
        ASSERT_TRUE(one);
        EXPECT_EQ(one->front().count, 1u);
        EXPECT_EQ(one->front().begin, step < 0 ? 3 : 0);
        EXPECT_EQ(one->front().step, 1);
    }
}

TEST(OnnxHostile, ShapesCountElements) {
    EXPECT_FALSE(Shape::of({INT32_MAX, INT32_MAX, INT32_MAX}, 64));
    EXPECT_FALSE(Shape::of(Dimensions(65, 1), 64));
    EXPECT_EQ(Shape::of({2, 3, 4}, 64)->strides(), (std::vector<size_t>{12, 4, 1}));
    EXPECT_EQ(Shape::of({INT32_MAX, 0, INT32_MAX, INT32_MAX}, 64)->strides(),
              std::vector<size_t>(4, 0));
    EXPECT_FALSE(dimensionsFrom({{-1}}, 64));
    EXPECT_FALSE(dimensionsFrom({{int64_t{INT32_MAX} + 1}}, 64));
    EXPECT_FALSE(dimensionsFrom(std::vector<int64_t>(65, 1), 64));
}

TEST(OnnxHostile, RefusesMoreDimensionsThanTheLimit) {
    const std::vector<int64_t> ones(65, 1);
    for (const char* type : {"Reshape", "Expand"}) {
        OnnxFile file(13);
        file.input("x", {1}).integers("shape", ones).node(type, {"x", "shape"}, {"y"}).output("y");
        EXPECT_NE(refusal(file), "") << type;
    }
    OnnxFile filled(13);
    filled.integers("shape", ones).node("ConstantOfShape", {"shape"}, {"y"}).output("y");
    EXPECT_NE(refusal(filled), "");
    OnnxFile wide(13);
    std::vector<int64_t> axes;
    for (int64_t i = 0; i < 65; ++i) axes.push_back(i);
    wide.input("x", {1}).integers("axes", axes).node("Unsqueeze", {"x", "axes"}, {"y"}).output("y");
    EXPECT_NE(refusal(wide), "");
}

TEST(OnnxHostile, CutsLongListsInMessages) {
    EXPECT_EQ(listText(std::vector<int>{1, 2}), "[1, 2]");
    EXPECT_EQ(listText(std::vector<int>(17, 7)),
              "[7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7 and 1 more]");
    OnnxFile file(13);
    file.input("x", {1}).integers("n", std::vector<int64_t>(250000, 3));
    EXPECT_THAT(refusal(file.node("Tile", {"x", "n"}, {"y"}).output("y")),
                HasSubstr("3, 3 and 249984 more]"));
}

// An empty result of as many blocks as there are numbers of 62 bits.
TEST(OnnxHostile, JoinsEmptyConstantsAtOnce) {
    OnnxFile file(13);
    file.floats("a", {kLargest, kLargest, 0}, {});
    file.node("Concat", {"a", "a"}, {"b"}, {{"axis", 2}}).node("Shape", {"b"}, {"y"}).output("y");
    EXPECT_EQ(refusal(file), "");
}

TEST(OnnxHostile, ChargesFoldingThatFails) {
    const Limits limits;
    Budget budget(limits, 0);
    const Constant one = makeIntegers(ElementType::UINT64, {1, 1}, {{1}});
    const Constant row = makeIntegers(ElementType::UINT64, {1, 1000}, std::vector<int64_t>(1000));
    const Constant column =
            makeIntegers(ElementType::UINT64, {1000, 1}, std::vector<int64_t>(1000));
    const NodeMessage add{.type = "Add"}, neg{.type = "Neg"};
    const std::vector<const Constant*> wide{&row, &column}, single{&one};
    const auto folds = [&](const NodeMessage& message, const auto& inputs) {
        return fold({.message = message,
                     .version = 13,
                     .inputs = inputs,
                     .outputs = 1,
                     .budget = budget})
                .has_value();
    };
    EXPECT_TRUE(folds(neg, single));
    for (int i = 0; i < 20; ++i) EXPECT_FALSE(folds(add, wide));
    EXPECT_FALSE(folds(neg, single));
}

// A loop that collects, whose body has that many initializers.
OnnxFile unrolled(int64_t trips, size_t initializers) {
    OnnxFile body(13), file(13);
    body.input("i", {}, kInt64Type).input("goesOn", {}, kBoolType).input("v", {1});
    for (size_t i = 0; i < initializers; ++i) body.floats("w" + std::to_string(i), {1}, {1});
    body.node("Abs", {"v"}, {"row"}).output("goesOn").output("v").output("row");
    file.input("x", {1}).integers("n", {trips});
    file.node("Loop", {"n", "", "x"}, {"last", "rows"}, {{"body", body.graph()}});
    return file.output("last").output("rows");
}

TEST(OnnxHostile, ChargesWhatUnrollingCopies) {
    EXPECT_EQ(refusal(unrolled(8, 100)), "");
    EXPECT_EQ(refusal(unrolled(8192, 100)),
              "graphs inside of nodes are repeated out of proportion to the file");
    EXPECT_THAT(refusal(unrolled(64, 1), {.operands = 100}), HasSubstr("[limits.operands]"));
    EXPECT_THAT(refusal(unrolled(64, 1), {.operations = 100}), HasSubstr("[limits.operations]"));
}

// Each operator makes real numbers of one constant.
TEST(OnnxHostile, ConstantsAreInProportionToTheFile) {
    const auto dequantized = [](size_t count) {
        OnnxFile file(13);
        file.input("x", {100000}).floats("s", {}, {1});
        file.bytes("w", kUint8Type, {100000}, std::vector<uint8_t>(100000));
        for (size_t i = 0; i < count; ++i) {
            const std::string n = std::to_string(i);
            file.node("DequantizeLinear", {"w", "s"}, {"d" + n});
            file.node("Add", {"x", "d" + n}, {"y" + n}).output("y" + n);
        }
        return refusal(file);
    };
    EXPECT_EQ(dequantized(20), "");
    EXPECT_EQ(dequantized(200), "constants of the model are out of proportion to the file");
}

TEST(OnnxHostile, OperatorsHaveShortNamesOfTheirGraphs) {
    OnnxFile branch(13), file(13);
    branch.node("Abs", {"x"}, {"b"}).output("b");
    const std::string name(4000, 'n');
    file.input("x", {1}).input("c", {}, kBoolType);
    file.node("If", {"c"}, {name},
              {{"then_branch", branch.graph()}, {"else_branch", branch.graph()}});
    const auto import = imported(file.output(name));
    ASSERT_TRUE(import.ok()) << import.status();
    for (const ImportedOperator& op : import->operators) EXPECT_LT(op.graph.size(), 128u);
}

TEST(OnnxHostile, FindsCapturesOfOneValue) {
    const InnerGraph inner{.captures = {{1, 5}, {3, 6}, {3, 7}, {9, 8}}};
    EXPECT_EQ(inner.capturesOf(3).size(), 2u);
    EXPECT_EQ(inner.capturesOf(3).front().inner, 6u);
    EXPECT_TRUE(inner.capturesOf(2).empty());
    EXPECT_TRUE(inner.capturesOf(10).empty());
}

TEST(OnnxHostile, CountsExactlyToTheEndsOfTheRange) {
    const Limits limits;
    const NodeMessage range{.type = "Range"};
    const auto values = [&](int64_t start, int64_t limit, int64_t step) {
        Budget budget(limits, 0);
        const Constant a = makeIntegers(ElementType::INT64, {}, {{start}}),
                       b = makeIntegers(ElementType::INT64, {}, {{limit}}),
                       c = makeIntegers(ElementType::INT64, {}, {{step}});
        const std::vector<const Constant*> inputs{&a, &b, &c};
        const auto results = fold({.message = range,
                                   .version = 13,
                                   .inputs = inputs,
                                   .outputs = 1,
                                   .budget = budget});
        return results ? results->front().integers() : std::nullopt;
    };
    using List = std::vector<int64_t>;
    EXPECT_EQ(values(kMin, kMax, kMax), (List{kMin, -1, kMax - 1}));
    EXPECT_EQ(values(kMax, kMin, kMin), (List{kMax, -1}));
    EXPECT_EQ(values(kMax - 1, kMax, 1), List{kMax - 1});
    EXPECT_EQ(values(kMax, kMax, 1), List{});
    EXPECT_EQ(values(kMax, kMin, 1), List{});
    EXPECT_EQ(values(1, 5, 0), std::nullopt);
    EXPECT_EQ(values(kMin, kMax, 1), std::nullopt);
}

}  // namespace
}  // namespace nn::onnx::hostile_test
