// Small files that ask for much, or that have shapes, names and numbers at the ends of their
// ranges: they are refused, soon and with little memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "base/list_text.h"
#include "base/status_message.h"
#include "importers/onnx/budget.h"
#include "importers/onnx/constant.h"
#include "importers/onnx/fold.h"
#include "importers/onnx/graph.h"
#include "importers/onnx/shapes.h"
#include "nnapi/import/onnx.h"
#include "nnapi/memory.h"
#include "onnx_file.h"
#include "temporary_folder.h"

namespace nn::onnx::hostile_test {
namespace {

using ::testing::HasSubstr;

constexpr int64_t kMax = INT64_MAX, kMin = INT64_MIN, kLargest = INT32_MAX;

Result<Import> imported(const OnnxFile& file, const Limits& limits = {}) {
    return importOnnx(bytesOf(file.bytes()), {.common = {.limits = limits}});
}

// The reason for a refusal; empty for a file that is imported.
std::string refusal(const OnnxFile& file, const Limits& limits = {}) {
    const auto import = imported(file, limits);
    if (!import.ok()) return std::string(messageOf(import.status()));
    const Status refused = preparationErrors(*import);
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

TEST(OnnxHostile, DropsConstantsWithoutAnOutput) {
    OnnxFile file(13);
    file.node("Constant", {}, {""}, {{"value_int", 1}});
    file.input("x", {1}).node("Relu", {"x"}, {"y"}).output("y");
    EXPECT_EQ(refusal(file), "");
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
        file.node("Relu", {"x"}, {"y"}).output("y").output("second");
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

TEST(OnnxHostile, RefusesIntegersTimesNumbersThatAreNone) {
    for (const float alpha : {std::numeric_limits<float>::quiet_NaN(), 1e30f, -1e30f}) {
        OnnxFile file(13);
        file.input("x", {2}, kInt32Type)
                .node("QuickGelu", {"x"}, {"y"}, {{"alpha", alpha}}, "com.microsoft")
                .output("y");
        EXPECT_THAT(refusal(file), HasSubstr("is TENSOR_INT32, allowed TENSOR_FLOAT32")) << alpha;
    }
}

TEST(OnnxHostile, RefusesLongExclusiveSums) {
    OnnxFile file(14);
    file.input("x", {INT32_MAX}, kInt32Type).integers("axis", {0});
    file.node("CumSum", {"x", "axis"}, {"y"}, {{"exclusive", 1}}).output("y");
    EXPECT_THAT(refusal(file), HasSubstr("makes the dimensions [2147483647]"));
}

TEST(OnnxHostile, RefusesRoundsOverTablesOfManyRows) {
    for (const char* reduction : {"none", "add"}) {
        OnnxFile file(16);
        file.input("x", {INT32_MAX}).input("u", {1}).bytes("i", kInt32Type, {1, 1}, {3, 0, 0, 0});
        file.node("ScatterND", {"x", "i", "u"}, {"y"}, {{"reduction", reduction}}).output("y");
        EXPECT_THAT(refusal(file), HasSubstr("makes the dimensions [2147483647, 1]"));
    }
}

TEST(OnnxHostile, RefusesRoundsOverAxesBesideOneWithoutElements) {
    OnnxFile file(13);
    file.bytes("a", kInt8Type, {INT32_MAX, 0}, {}).node("EyeLike", {"a"}, {"y"}).output("y");
    EXPECT_THAT(refusal(file), HasSubstr("makes the dimensions [2147483647, 0]"));
}

TEST(OnnxHostile, RefusesFiltersOfBytesForWideIntegers) {
    for (const int transposed : {0, 1}) {
        OnnxFile file(13);
        file.input("x", {3, 3}, kInt64Type)
                .bytes("w", kInt8Type, {3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
        file.node("Gemm", {"x", "w"}, {"y"}, {{"transB", transposed}}).output("y");
        EXPECT_THAT(refusal(file), HasSubstr("allowed uint8, int8"));
    }
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

// A loop that collects, whose body has that many initializers, itself or in a branch that is taken.
OnnxFile unrolled(int64_t trips, size_t initializers, bool inBranch = false) {
    OnnxFile branch(13), body(13), file(13);
    body.input("i", {}, kInt64Type).input("goesOn", {}, kBoolType).input("v", {1});
    OnnxFile& holder = inBranch ? branch : body;
    for (size_t i = 0; i < initializers; ++i) holder.floats("w" + std::to_string(i), {1}, {1});
    if (inBranch) {
        branch.node("Neg", {"v"}, {"n"}).output("n");
        body.bytes("yes", kBoolType, {}, {1});
        body.node("If", {"yes"}, {"more"},
                  {{"then_branch", branch.graph()}, {"else_branch", branch.graph()}});
    }
    body.node("Abs", {inBranch ? "more" : "v"}, {"row"}).output("goesOn").output("v").output("row");
    file.input("x", {1}).integers("n", {trips});
    file.node("Loop", {"n", "", "x"}, {"last", "rows"}, {{"body", body.graph()}});
    return file.output("last").output("rows");
}

TEST(OnnxHostile, ChargesWhatUnrollingCopies) {
    for (const bool inBranch : {false, true}) {
        EXPECT_EQ(refusal(unrolled(8, 100, inBranch)), "");
        EXPECT_EQ(refusal(unrolled(8192, 100, inBranch)),
                  "graphs inside of nodes are repeated out of proportion to the file");
    }
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
    // Filters get another order of axes.
    const auto convolved = [](size_t count) {
        OnnxFile file(13);
        file.input("x", {1, 16, 10, 10});
        file.floats("w", {16, 16, 10, 10}, std::vector<float>(25600, 1));
        for (size_t i = 0; i < count; ++i) {
            const std::string output = "y" + std::to_string(i);
            file.node("Conv", {"x", "w"}, {output}).output(output);
        }
        return refusal(file);
    };
    EXPECT_EQ(convolved(20), "");
    EXPECT_EQ(convolved(300), "constants of the model are out of proportion to the file");
}

// For a list of integers in another file.
std::string refusalOfGather(const std::filesystem::path& list, int type, int64_t elements,
                            bool inMemory) {
    const WireMessage location =
            WireMessage().text(1, "location").text(2, list.filename().string());
    OnnxFile file(13);
    file.input("x", {4}).initializer(WireMessage()
                                             .number(1, elements)
                                             .number(2, type)
                                             .text(8, "list")
                                             .number(14, 1)
                                             .message(13, location));
    const std::string bytes = file.node("Gather", {"x", "list"}, {"y"}).output("y").bytes();
    const OnnxOptions options{.folder = list.parent_path()};
    const auto import = [&] {
        if (!inMemory) return importOnnx(bytesOf(bytes), options);
        const auto memory = createSharedMemory(bytes.size()).value();
        std::memcpy(map(memory)->mutableData(), bytes.data(), bytes.size());
        return importOnnx(memory, options);
    }();
    EXPECT_TRUE(import.ok()) << import.status();
    return import.ok() ? std::string(preparationErrors(*import).message()) : "";
}

// The budget of an import is in proportion to stored bytes, not to the length of files.
TEST(OnnxHostile, ReadsLongListsButNoListsOfHoles) {
    const TemporaryFolder folder;
    std::ofstream(folder / "holes").close();
    std::filesystem::resize_file(folder / "holes", 1 << 30);
    constexpr size_t kStored = (1 << 24) + 1;
    const std::vector<int32_t> indices(kStored, 3);
    std::ofstream(folder / "stored", std::ios::binary)
            .write(reinterpret_cast<const char*>(indices.data()), kStored * sizeof(int32_t));
    for (const bool inMemory : {false, true}) {
        EXPECT_THAT(refusalOfGather(folder / "holes", kInt32Type, 1 << 28, inMemory),
                    HasSubstr("has 268435456 elements"));
        EXPECT_EQ(refusalOfGather(folder / "stored", kInt32Type, kStored, inMemory), "");
    }
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

// Of all graphs inside of nodes.
void expectSortedCaptures(const Graph& graph) {
    for (const Node& node : graph.nodes) {
        for (const auto& [attribute, inner] : node.graphs) {
            size_t found = 0;
            for (ValueId id = 0; id < graph.values.size(); ++id) {
                for (const Capture& capture : inner.capturesOf(id)) found += capture.outer == id;
            }
            EXPECT_EQ(found, inner.captures.size()) << attribute;
            expectSortedCaptures(*inner.graph);
        }
    }
}

// A look-up visits only the captures of one value, since they are sorted; copies of a node have
// other outer values.
TEST(OnnxHostile, CapturesStaySortedInCopies) {
    OnnxFile inner(13), middle(13), file(13);
    inner.node("Add", {"w", "c"}, {"s"}).node("Add", {"a", "s"}, {"t"});
    inner.node("Add", {"b", "t"}, {"u"}).output("u");
    middle.floats("w", {1}, {1}).node("Neg", {"b"}, {"n"});
    middle.node("If", {"is"}, {"y"},
                {{"then_branch", inner.graph()}, {"else_branch", inner.graph()}})
            .output("y");
    for (const char* name : {"a", "b", "c"}) file.input(name, {1});
    file.input("is", {}, kBoolType);
    file.node("If", {"is"}, {"z"},
              {{"then_branch", middle.graph()}, {"else_branch", middle.graph()}});
    const std::string bytes = file.output("z").bytes();
    const Limits limits;
    const auto parsed = parseFile(bytes, limits);
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    ExternalFiles files({}, limits);
    auto graph = resolve(*parsed, {{}, {}}, files, limits);
    ASSERT_TRUE(graph.ok()) << graph.status();
    expectSortedCaptures(*graph);
    Budget budget(limits, bytes.size());
    const InnerGraph branch = graph->nodes.front().graphs.at("then_branch");
    ASSERT_TRUE(splice(*graph, branch, {}, budget).ok());
    ASSERT_EQ(graph->nodes.size(), 3u);
    expectSortedCaptures(*graph);
}

// Attributes and types of operators, in refusals.
TEST(OnnxHostile, RefusalsHaveNoControlCharactersOfFiles) {
    const std::string hostile = "\x1b[31m\n\xe2\x80\xae" + std::string(100, 'm');
    const auto refusalOf = [](std::string_view type, const OnnxAttribute& attribute) {
        OnnxFile file(13);
        file.input("x", {1, 4, 4, 4}).floats("s", {4}, {1, 1, 2, 2});
        file.integers("p", {0, 0, 1, 1, 0, 0, 1, 1});
        std::vector<std::string> inputs{"x"};
        if (type == "Pad") inputs = {"x", "p"};
        if (type == "Resize") inputs = {"x", "", "s"};
        return refusal(file.node(type, inputs, {"y"}, {attribute}).output("y"));
    };
    for (const std::string& text :
         {refusalOf("Resize", {"mode", hostile.c_str()}),
          refusalOf("Resize", {"coordinate_transformation_mode", hostile.c_str()}),
          refusalOf("Pad", {"mode", hostile.c_str()}),
          refusalOf("DepthToSpace", {"mode", hostile.c_str()}),
          refusalOf("MaxPool", {"auto_pad", hostile.c_str()}), refusalOf("Relu", {hostile, 1}),
          refusalOf(hostile, {"a", 1})}) {
        EXPECT_NE(text, "");
        EXPECT_EQ(text.find('\x1b'), std::string::npos) << ::testing::PrintToString(text);
        EXPECT_EQ(text.find("\xe2\x80\xae"), std::string::npos) << ::testing::PrintToString(text);
    }
}

}  // namespace
}  // namespace nn::onnx::hostile_test
