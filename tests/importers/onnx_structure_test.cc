// The structure of .onnx files: the order of nodes, nodes that nothing reads, operator sets, and
// models that are imported but could not be prepared.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/status_message.h"
#include "importers/onnx/file.h"
#include "nnapi/import/onnx.h"
#include "nnapi/interpreter.h"
#include "onnx_file.h"

namespace nn::onnx::structure_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Result<Import> imported(const std::string& bytes, bool isPartial = false) {
    return importOnnx(bytesOf(bytes), {.common = {.partial = isPartial}});
}

std::string messageFor(const OnnxFile& file) {
    const auto import = imported(file.bytes());
    return messageOf(import.ok() ? preparationErrors(*import) : import.status());
}

// ---- order

// Operators are listed in the order in which they are computed, by their place in the file.
TEST(OnnxStructure, SortsNodes) {
    OnnxFile file(13);
    file.input("x", {2}).node("Neg", {"b"}, {"y"}).node("Exp", {"a"}, {"b"});
    file.node("Abs", {"x"}, {"a"}).output("y");
    const auto import = imported(file.bytes());
    ASSERT_TRUE(import.ok()) << import.status();
    ASSERT_EQ(messageOf(preparationErrors(*import)), "");
    std::vector<std::string> types;
    std::vector<uint32_t> places;
    for (const ImportedOperator& op : import->operators) {
        types.push_back(op.type);
        places.push_back(op.index);
    }
    EXPECT_THAT(types, ElementsAre("Abs", "Exp", "Neg"));
    EXPECT_THAT(places, ElementsAre(2u, 1u, 0u));
}

// The body of the Loop reads what a node behind the Loop computes.
TEST(OnnxStructure, SortsNodesThatGraphsInsideRead) {
    OnnxFile body(13), file(13);
    body.input("i", {}, kInt64Type).input("on", {}, kBoolType).input("v", {2});
    body.node("Mul", {"w", "late"}, {"z"}).node("Add", {"v", "late"}, {"w"});
    body.node("Identity", {"on"}, {"next"}).output("next").output("z");
    file.input("x", {2}).input("n", {}, kInt64Type);
    file.node("Loop", {"n", "", "x"}, {"y"}, {{"body", body.graph()}});
    file.node("Abs", {"x"}, {"late"}).output("y");
    EXPECT_EQ(messageFor(file), "");
}

TEST(OnnxStructure, NamesWhatNoOrderComputes) {
    OnnxFile file(13);
    file.input("x", {2}).node("Add", {"x", "c"}, {"a"}).node("Abs", {"a"}, {"c"}).output("a");
    EXPECT_EQ(messageFor(file),
              "node 0 Add reads \"c\", which no order of the nodes computes before");
}

// Each node waits for the one behind it: sorting takes time in proportion to their number.
TEST(OnnxStructure, SortsManyNodes) {
    constexpr int kNodes = 20000;
    OnnxFile file(13);
    file.input("v0", {1});
    for (int i = kNodes; i-- > 0;)
        file.node("Abs", {"v" + std::to_string(i)}, {"v" + std::to_string(i + 1)});
    EXPECT_EQ(messageFor(file.output("v" + std::to_string(kNodes))), "");
}

// ---- operator sets

TEST(OnnxStructure, ReadsOperatorSets) {
    for (const int64_t version : {1, 22, 23, 24}) {
        EXPECT_EQ(
                messageFor(OnnxFile(version).input("x", {2}).node("Neg", {"x"}, {"y"}).output("y")),
                "")
                << version;
    }
    OnnxFile newer(25);
    EXPECT_THAT(messageFor(newer.input("x", {2}).node("Neg", {"x"}, {"y"}).output("y")),
                HasSubstr("allowed 1 to 24"));
}

TEST(OnnxStructure, ReadsAttributesOfNewOperatorSets) {
    constexpr int kFloat16Type = 10;
    const auto quantized = [](int precision, int type) {
        OnnxFile file(24);
        file.input("x", {2}).floats("s", {}, {0.5f}).bytes("z", kUint8Type, {}, {128});
        file.node("QuantizeLinear", {"x", "s", "z"}, {"q"}, {{"precision", precision}});
        file.node("DequantizeLinear", {"q", "s", "z"}, {"y"}, {{"output_dtype", type}});
        return messageFor(file.output("y"));
    };
    EXPECT_EQ(quantized(kFloatType, kFloatType), "");
    EXPECT_EQ(quantized(0, 0), "");
    EXPECT_THAT(quantized(kFloat16Type, 0), HasSubstr("has precision float16, allowed float"));
    EXPECT_THAT(quantized(0, kFloat16Type), HasSubstr("has output_dtype float16, allowed float"));
}

// ---- names of types

TEST(OnnxStructure, NamesTypes) {
    constexpr int kBfloat16Type = 16, kFloat8Type = 24;
    for (const auto& [type, name] :
         {std::pair{kBfloat16Type, "bfloat16"}, {kFloat8Type, "float8e8m0"}}) {
        OnnxFile file(13);
        file.input("x", {2}, type).node("Neg", {"x"}, {"y"}).output("y");
        EXPECT_THAT(messageFor(file), HasSubstr(std::string("\"x\" is of ") + name + ", allowed"));
    }
}

// ---- elements without a type of NNAPI

OnnxFile withUnsupportedConstants() {
    constexpr int kStringType = 8, kComplexType = 14, kBfloat16Type = 16, kUnknownType = 99;
    OnnxFile file(13);
    file.input("x", {2}).node("Relu", {"x"}, {"y"}).output("y");
    file.initializer(WireMessage().number(1, 1).number(2, kStringType).text(8, "s").text(6, "a"));
    file.initializer(tensorMessage("c", kComplexType, {2}, std::string(16, '1')));
    file.initializer(tensorMessage("b", kBfloat16Type, {2}, "1234"));
    file.initializer(tensorMessage("u", kUnknownType, {2}, ""));
    return file.sparseInitializer("z", {2});
}

TEST(OnnxStructure, PermitsUnsupportedConstantsThatNothingReads) {
    EXPECT_EQ(messageFor(withUnsupportedConstants()), "");
    for (const char* name : {"s", "c", "b", "u", "z"}) {
        OnnxFile file = withUnsupportedConstants();
        file.node("Identity", {name}, {"q"}).node("Scan", {"q"}, {"r"});
        EXPECT_EQ(messageFor(file), "") << name;
    }
    // Old files list constants among the inputs.
    EXPECT_EQ(messageFor(withUnsupportedConstants().input("s", {1}, 8)), "");
}

TEST(OnnxStructure, RejectsOnlyOperatorsThatReadUnsupportedConstants) {
    for (const auto& [name, type] : {std::pair{"s", "string"},
                                     {"c", "complex64"},
                                     {"b", "bfloat16"},
                                     {"u", "type 99"},
                                     {"z", "sparse elements"}}) {
        const std::string reason =
                std::string("tensor \"") + name + "\" is of " + type + ", allowed float";
        for (const char* reader : {"Add", "Mul", "Concat", "Gather", "Where", "Resize"}) {
            OnnxFile file = withUnsupportedConstants();
            std::vector<std::string> inputs{"y", name};
            if (reader == std::string("Where")) inputs.insert(inputs.begin(), name);
            file.node(reader, inputs, {"r"}).output("r");
            EXPECT_THAT(messageFor(file), HasSubstr("1 of 2 operators cannot be imported"))
                    << reader << " of " << name;
            const bool isArithmetic = reader == std::string("Add");
            EXPECT_THAT(messageFor(file), HasSubstr(isArithmetic ? reason : ""));
            const auto parts = imported(file.bytes(), true);
            ASSERT_TRUE(parts.ok()) << parts.status();
            EXPECT_EQ(parts->parts.size(), 1u) << reader << " of " << name;
        }
        EXPECT_THAT(messageFor(withUnsupportedConstants().output(name)), HasSubstr(reason));
    }
}

// A graph inside of a node reads them, or has them itself.
TEST(OnnxStructure, RejectsBranchesThatReadUnsupportedConstants) {
    for (const char* name : {"s", "z"}) {
        OnnxFile file = withUnsupportedConstants();
        file.input("c", {}, kBoolType);
        file.node("If", {"c"}, {"r"},
                  {{"then_branch", branchOf("Neg", "y", "t")},
                   {"else_branch", branchOf("Neg", name, "e")}});
        EXPECT_THAT(messageFor(file.output("r")), HasSubstr("cannot be imported")) << name;
    }
    OnnxFile inside(13);
    inside.input("x", {2}).input("c", {}, kBoolType);
    OnnxFile own(13);
    own.sparseInitializer("z", {2}).node("Neg", {"x"}, {"q"}).node("Neg", {"z"}, {"e"});
    inside.node(
            "If", {"c"}, {"r"},
            {{"then_branch", branchOf("Neg", "x", "t")}, {"else_branch", own.output("e").graph()}});
    EXPECT_THAT(messageFor(inside.output("r")), HasSubstr("sparse elements"));
}

TEST(OnnxStructure, ChecksDimensionsOfUnsupportedConstants) {
    EXPECT_EQ(messageFor(withUnsupportedConstants().sparseInitializer("w", {-1})),
              "tensor 'w' has a dimension of -1, allowed 0 to 2147483647");
}

// ---- functions

TEST(OnnxStructure, NamesFunctionsThatAreNotImported) {
    OnnxFile file(13);
    file.input("x", {2}).node("MyF", {"x"}, {"a"}, {}, "my").node("MyG", {"x"}, {"b"}, {}, "my");
    file.output("a").output("b");
    const WireMessage function = WireMessage().text(1, "MyF").text(10, "my");
    const auto import = imported(file.bytes() + WireMessage().message(25, function).bytes());
    ASSERT_TRUE(import.ok()) << import.status();
    EXPECT_EQ(messageOf(preparationErrors(*import)),
              "2 of 2 operators cannot be imported:\n"
              "  operator 0 my.MyF (version 13, \"a\"): is a function of the file, which is not "
              "imported\n"
              "  operator 1 my.MyG (version 13, \"b\"): has no operation of NNAPI, nor operations "
              "that compute it");
}

// ---- preparation

// What is imported can be prepared; the operator that cannot is named.
TEST(OnnxStructure, RejectsWhatCannotBePrepared) {
    OnnxFile file(13);
    file.input("x", {1, 1, 4, 4}).node("Abs", {"x"}, {"a"});
    file.node("MaxPool", {"a"}, {"y"},
              {{"kernel_shape", std::vector<int64_t>{1, 1}},
               {"pads", std::vector<int64_t>{1, 1, 1, 1}}});
    file.output("y");
    EXPECT_EQ(messageFor(file),
              "1 of 2 operators cannot be imported:\n"
              "  operator 1 MaxPool (version 13, \"y\"): becomes MAX_POOL_2D: input 3 'paddingTop' "
              "(operand 2) is 1, allowed 0 to 0, less than the extent of the filter");
    const auto parts = imported(file.bytes(), true);
    ASSERT_TRUE(parts.ok()) << parts.status();
    ASSERT_EQ(parts->parts.size(), 1u);
    EXPECT_TRUE(prepare(parts->parts.front().model).ok());
}

}  // namespace
}  // namespace nn::onnx::structure_test
