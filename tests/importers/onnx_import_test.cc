// Models of ONNX become models: the operations of each operator, refused operators with reasons,
// and the results of damaged files.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "base/status_message.h"
#include "environment.h"
#include "importers/common/equal_models.h"
#include "importers/onnx/operators.h"
#include "nnapi/import/onnx.h"
#include "nnapi/interpreter.h"
#include "nnapi/memory.h"
#include "nnapi/print.h"
#include "nnapi/type_utils.h"
#include "nnapi/validate.h"
#include "onnx_file.h"
#include "onnx_operator_files.h"
#include "temporary_folder.h"
#include "unsigned_models.h"

namespace nn::onnx {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

Result<Import> import(const std::string& bytes, const OnnxOptions& options = {}) {
    return importOnnx(bytesOf(bytes), options);
}

std::string operationsOf(const Model& model) {
    std::vector<std::string> names;
    for (const Operation& operation : model.main.operations)
        names.push_back(toString(operation.type));
    return fmt::format("{}", fmt::join(names, " "));
}

// The operations that a file becomes, or the message.
std::string becomes(const std::string& bytes, const OnnxOptions& options = {}) {
    const auto imported = import(bytes, options);
    if (!imported.ok()) return messageOf(imported.status());
    if (const Status refused = preparationErrors(*imported); !refused.ok())
        return messageOf(refused);
    return operationsOf(imported->parts.front().model);
}

// ---- rows

TEST(OnnxOperators, BecomeTheOperationsOfTheirRows) {
    std::set<std::string> covered;
    for (const OnnxOperatorFile& file : onnxOperatorFiles()) {
        EXPECT_EQ(becomes(file.bytes), file.becomes) << file.name;
        covered.insert(file.name.substr(0, file.name.find(' ')));
        EXPECT_TRUE(isOnnx(bytesOf(file.bytes))) << file.name;
    }
    for (const OperatorRow& row : operatorRows()) {
        EXPECT_TRUE(covered.contains(std::string(row.type))) << row.type << " has no file";
    }
}

// Before HAL 1.3 there are no signed tensors.
TEST(OnnxOperators, WithoutSignedTensors) {
    size_t compared = 0;
    for (const OnnxOperatorFile& file : onnxOperatorFiles()) {
        SCOPED_TRACE(file.name);
        const auto imported = import(file.bytes);
        if (!imported.ok() || imported->parts.empty()) continue;
        const Model& model = imported->parts.front().model;
        if (signedEndsOf(model) == 0) continue;
        // Another operation is newer than that.
        if (validate(model)->level > Version::Level::FEATURE_LEVEL_4) continue;
        const auto older = import(file.bytes, {.common = {.target = kVersionFeatureLevel3}});
        ASSERT_TRUE(older.ok());
        ASSERT_EQ(messageOf(preparationErrors(*older)), "");
        EXPECT_EQ(lossesOfSign(*older), signedEndsOf(model));
        expectSame(model, older->parts.front().model, 0);
        ++compared;
    }
    EXPECT_GE(compared, 10u);
}

TEST(OnnxOperators, Execute) {
    for (const OnnxOperatorFile& file : onnxOperatorFiles()) {
        const auto imported = import(file.bytes);
        ASSERT_TRUE(imported.ok()) << file.name;
        if (imported->parts.empty()) continue;  // as the test above says
        const Model& model = imported->parts.front().model;
        const auto prepared = prepare(model);
        ASSERT_TRUE(prepared.ok()) << file.name << ": " << prepared.status();
        std::vector<Tensor> inputs;
        for (const uint32_t index : model.main.inputIndexes) {
            const Operand& operand = model.main.operands[index];
            inputs.push_back({.dimensions = operand.dimensions,
                              .data = std::vector<uint8_t>(*operandSize(operand), 0)});
        }
        const auto outputs = prepared->run(inputs);
        ASSERT_TRUE(outputs.ok()) << file.name << ": " << outputs.status();
        for (size_t i = 0; i < outputs->size(); ++i) {
            EXPECT_EQ((*outputs)[i].dimensions,
                      model.main.operands[model.main.outputIndexes[i]].dimensions)
                    << file.name;
        }
    }
}

// ---- what several operators become together

const std::vector<int64_t> kPicture{1, 2, 4, 4};
const OnnxOptions kPartial{.common = {.partial = true}};

TEST(OnnxImport, AnActivationIsPartOfTheOperationBeforeIt) {
    OnnxFile file(13);
    file.input("x", kPicture).floats("w", {2, 2, 3, 3}, std::vector<float>(36, 1));
    file.floats("low", {}, {0}).floats("high", {}, {6});
    file.node("Conv", {"x", "w"}, {"a"}).node("Clip", {"a", "low", "high"}, {"y"}).output("y");
    EXPECT_EQ(becomes(file.bytes()), "CONV_2D");
}

TEST(OnnxImport, AnOutputBeforeAnActivationStays) {
    OnnxFile file(13);
    file.input("x", {2, 3}).node("Add", {"x", "x"}, {"a"}).node("Relu", {"a"}, {"y"});
    file.output("a").output("y");
    EXPECT_EQ(becomes(file.bytes()), "ADD RELU");
}

TEST(OnnxImport, ShapeArithmeticIsComputed) {
    OnnxFile file(13);
    file.input("x", {-1, 3, 4}).integers("zero", {0}).integers("rest", {-1});
    file.node("Shape", {"x"}, {"shape"});
    file.node("Gather", {"shape", "zero"}, {"batches"});
    file.node("Concat", {"batches", "rest"}, {"flat"}, {{"axis", 0}});
    file.node("Reshape", {"x", "flat"}, {"y"}).output("y");
    EXPECT_THAT(becomes(file.bytes()),
                HasSubstr("operator 0 Shape (version 13, \"shape\"): tensor \"x\" has dimensions "
                          "that the file leaves open, or is no tensor, allowed a tensor with fixed "
                          "dimensions, which options can give"));
    const auto imported = import(file.bytes(), {.common = {.shapes = {{"x", {2, 3, 4}}}}});
    ASSERT_TRUE(imported.ok()) << imported.status();
    ASSERT_EQ(imported->parts.size(), 1u);
    const ImportedPart& part = imported->parts.front();
    EXPECT_EQ(operationsOf(part.model), "RESHAPE");
    EXPECT_EQ(part.model.main.operands[part.model.main.outputIndexes[0]].dimensions,
              (Dimensions{2, 12}));
    EXPECT_THAT(part.inputNames(), ElementsAre("x"));
    EXPECT_THAT(part.outputNames(), ElementsAre("y"));
}

// The import of an If with the rank of an input as its condition.
std::string becomesOfBranch(const std::vector<int64_t>& dimensions) {
    OnnxFile file(13);
    file.input("x", dimensions).integers("two", {2});
    file.node("Shape", {"x"}, {"shape"}).node("Shape", {"shape"}, {"rank"});
    file.node("Equal", {"rank", "two"}, {"isMatrix"});
    for (const char* name : {"a", "b"}) {
        file.node("If", {"isMatrix"}, {name},
                  {{"then_branch", branchOf("Abs", "x", "inner")},
                   {"else_branch", branchOf("Neg", "x", "inner")}});
    }
    return becomes(file.node("Add", {"a", "b"}, {"y"}).output("y").bytes());
}

TEST(OnnxImport, OneBranchOfAConstantConditionTakesItsPlace) {
    EXPECT_EQ(becomesOfBranch({2, 3}), "ABS ABS ADD");
    EXPECT_EQ(becomesOfBranch({2, 3, 4}), "NEG NEG ADD");
}

// An If with an input as its condition.
OnnxFile choice(const OnnxBranch& whenTrue, const OnnxBranch& whenFalse) {
    OnnxFile file(13);
    file.input("x", {2, 3}).input("condition", {}, kBoolType);
    file.node("If", {"condition"}, {"y"}, {{"then_branch", whenTrue}, {"else_branch", whenFalse}});
    return file.output("y");
}

TEST(OnnxImport, AConditionMayBeGiven) {
    const OnnxFile file = choice(branchOf("Abs", "x", "a"), branchOf("Neg", "x", "b"));
    EXPECT_EQ(becomes(file.bytes()), "IF");
    OnnxOptions options;
    options.values["condition"] = {.dimensions = {}, .data = {1}};
    EXPECT_EQ(becomes(file.bytes(), options), "ABS");
}

TEST(OnnxImport, AConditionMayDependOnShapes) {
    OnnxFile file(13);
    file.input("x", {2, 1, 3}).integers("axis", {1}).integers("one", {1});
    file.node("Abs", {"x"}, {"a"}).node("Shape", {"a"}, {"shape"});
    file.node("Gather", {"shape", "axis"}, {"size"}).node("Equal", {"size", "one"}, {"isOne"});
    const auto squeezed = OnnxFile(13).node("Squeeze", {"a", "axis"}, {"b"}).output("b");
    file.node("If", {"isOne"}, {"y"},
              {{"then_branch", squeezed.graph()}, {"else_branch", branchOf("Identity", "a", "b")}});
    EXPECT_EQ(becomes(file.output("y").bytes()), "ABS RESHAPE");
}

TEST(OnnxImport, ABranchMayReturnAnOuterValue) {
    EXPECT_EQ(becomes(choice(OnnxFile(13).output("x").graph(), branchOf("Neg", "x", "b")).bytes()),
              "IF");
}

// The operators of a graph inside are listed in every pass.
TEST(OnnxImport, PartsLieAroundRefusedBranches) {
    OnnxFile file(13);
    file.input("x", {2, 3}).input("condition", {}, kBoolType).node("Exp", {"x"}, {"e"});
    file.node("If", {"condition"}, {"y"},
              {{"then_branch", branchOf("Acos", "e", "a")},
               {"else_branch", branchOf("Neg", "x", "b")}});
    const auto imported = import(file.output("y").bytes(), kPartial);
    ASSERT_TRUE(imported.ok()) << imported.status();
    ASSERT_EQ(imported->parts.size(), 1u);
    EXPECT_EQ(operationsOf(imported->parts[0].model), "EXP");
    EXPECT_THAT(imported->parts[0].outputNames(), ElementsAre("e"));
    std::vector<std::string> listed;
    for (const ImportedOperator& op : imported->operators) listed.push_back(toString(op));
    EXPECT_THAT(listed, ElementsAre("operator 0 Exp (version 13, \"e\")",
                                    "operator 1 If (version 13, \"y\")",
                                    "graph \"y.then_branch\", operator 0 Acos (version 13, \"a\")",
                                    "graph \"y.else_branch\", operator 0 Neg (version 13, \"b\")"));
}

TEST(OnnxImport, BranchesAreRefusedWithTheirReasons) {
    struct Row {
        OnnxFile file;
        const char* message;
    };
    const Row rows[] = {
            {choice(OnnxFile(13).node("Shape", {"x"}, {"a"}).output("a").graph(),
                    branchOf("Neg", "x", "b")),
             "1 of 3 operators cannot be imported:\n"
             "  operator 0 If (version 13, \"y\"): tensor \"y\" is int64 [2] or float [2, 3], "
             "allowed the same from both branches"},
            {choice(branchOf("Acos", "x", "a"), branchOf("Neg", "x", "b")),
             "2 of 3 operators cannot be imported:\n"
             "  operator 0 If (version 13, \"y\"): has a graph then_branch, of which 1 operator is "
             "refused\n"
             "  graph \"y.then_branch\", operator 0 Acos (version 13, \"a\"): has no operation of "
             "NNAPI, nor operations that compute it"},
            {choice(branchOf("Abs", "x", "a"),
                    OnnxFile(13).output("x").output("condition").graph()),
             "1 of 1 operator cannot be imported:\n"
             "  operator 0 If (version 13, \"y\"): has a graph else_branch with 0 inputs and 2 "
             "outputs, allowed 0 and 1"},
            {choice(branchOf("Abs", "x", "a"), {}), "the graph has no outputs"},
            {choice(branchOf("Abs", "nothing", "a"), {}),
             "node 0 Abs reads \"nothing\", which nothing computes"},
    };
    for (const Row& row : rows) EXPECT_EQ(becomes(row.file.bytes()), row.message);
}

TEST(OnnxImport, AQuantizedGroupBecomesOneOperation) {
    OnnxFile file(13);
    file.input("x", kPicture, kUint8Type).floats("s", {}, {0.5f}).bytes("z", kUint8Type, {}, {128});
    file.bytes("w", kInt8Type, {2, 2, 3, 3}, std::vector<uint8_t>(36, 3));
    file.bytes("zw", kInt8Type, {}, {0}).floats("so", {}, {8});
    file.node("DequantizeLinear", {"x", "s", "z"}, {"xr"});
    file.node("DequantizeLinear", {"w", "s", "zw"}, {"wr"});
    file.node("Conv", {"xr", "wr"}, {"a"}).node("Relu", {"a"}, {"b"});
    file.node("QuantizeLinear", {"b", "so", "z"}, {"y"}).output("y");
    const auto imported = import(file.bytes());
    ASSERT_TRUE(imported.ok()) << imported.status();
    ASSERT_EQ(imported->parts.size(), 1u) << preparationErrors(*imported);
    const Model& model = imported->parts.front().model;
    EXPECT_EQ(operationsOf(model), "CONV_2D");
    const Operation& conv = model.main.operations[0];
    const Operand& filter = model.main.operands[conv.inputs[1]];
    EXPECT_EQ(filter.type, OperandType::TENSOR_QUANT8_ASYMM);
    EXPECT_EQ(filter.zeroPoint, 128);
    EXPECT_EQ(model.operandValues.data()[filter.location.offset], 131);
    const Operand& output = model.main.operands[conv.outputs[0]];
    EXPECT_EQ(output.scale, 8);
    EXPECT_EQ(output.zeroPoint, 128);
}

TEST(OnnxImport, OlderVersionsGetOtherOperations) {
    OnnxFile file(14);
    file.input("x", {2, 3}).node("HardSwish", {"x"}, {"y"}).output("y");
    const OnnxOptions options{.common = {.target = toVersion(HalVersion::V1_0)}};
    EXPECT_EQ(becomes(file.bytes(), options), "ADD MUL MUL");
    // The last axis is the default, the only one before HAL 1.2.
    OnnxFile last(13);
    last.input("x", {1, 2, 3, 4}).node("LpNormalization", {"x"}, {"y"}).output("y");
    EXPECT_EQ(becomes(last.bytes(), options), "L2_NORMALIZATION");
    const auto imported = import(last.bytes(), options);
    EXPECT_EQ(validate(imported->parts.at(0).model).value(), toVersion(HalVersion::V1_0));
}

TEST(OnnxImport, GivenValuesHaveAsManyBytes) {
    OnnxFile file(13);
    file.input("x", {2}).input("s", {2}).node("Mul", {"x", "s"}, {"y"}).output("y");
    for (const size_t bytes : {0, 4, 7, 9, 12}) {
        OnnxOptions options;
        options.values["s"] = {.dimensions = {2}, .data = std::vector<uint8_t>(bytes)};
        EXPECT_EQ(becomes(file.bytes(), options),
                  fmt::format("input \"s\" is of float, but {} bytes are given for 2 elements",
                              bytes));
    }
}

TEST(OnnxImport, NumbersMayBePackedOrNot) {
    const float values[] = {1.5f, -2};
    const auto model = [](const WireMessage& tensor) {
        OnnxFile file(13);
        file.input("x", {2}).initializer(tensor).node("Mul", {"x", "w"}, {"y"}).output("y");
        return import(file.bytes())->parts.at(0).model;
    };
    const auto tensor = [] {
        return WireMessage().number(1, 2).number(2, kFloatType).text(8, "w");
    };
    const std::string_view raw(reinterpret_cast<const char*>(values), sizeof values);
    const Model expected = model(tensor().text(9, raw));
    EXPECT_EQ(model(tensor().text(4, raw)), expected);
    EXPECT_EQ(model(tensor().real(4, values[0]).real(4, values[1])), expected);
    EXPECT_EQ(model(tensor().real(4, values[0]).text(4, raw.substr(4))), expected);
}

TEST(OnnxImport, OtherDomainsHaveVersionsOfTheirOwn) {
    OnnxFile file(13);
    file.input("x", {4}).integers("s", {2, 2}).node("Reshape", {"x", "s"}, {"y"}).output("y");
    WireMessage more;
    more.message(8, WireMessage().text(1, "com.example").number(2, 1));
    EXPECT_EQ(becomes(file.bytes() + more.bytes()), "RESHAPE");
}

TEST(OnnxImport, IntegersOf64BitsAreALoss) {
    OnnxFile file(13);
    file.input("x", {2, 3}).input("i", {2}, kInt64Type);
    file.node("Gather", {"x", "i"}, {"y"}).output("y");
    const auto imported = import(file.bytes());
    ASSERT_TRUE(imported.ok());
    ASSERT_EQ(imported->losses.size(), 1u);
    EXPECT_EQ(toString(imported->losses[0]),
              "i: int64 becomes TENSOR_INT32, NNAPI has no integers of 64 bits");
}

// ---- refusals

TEST(OnnxImport, AllRefusalsAreListed) {
    OnnxFile file(13);
    file.input("x", kPicture).input("d", {2}, kDoubleType);
    file.node("Einsum", {"x"}, {"a"}, {{"equation", "ij->ji"}});
    file.node("LRN", {"x"}, {"b"}, {{"size", 4}});
    file.node("Abs", {"d"}, {"c"});
    file.node("Relu", {"a"}, {"e"});
    file.output("b").output("c").output("e");
    EXPECT_EQ(becomes(file.bytes()),
              "4 of 4 operators cannot be imported:\n"
              "  operator 0 Einsum (version 13, \"a\"): has no operation of NNAPI, nor operations "
              "that compute it\n"
              "  operator 1 LRN (version 13, \"b\"): has the size 4, allowed an odd one\n"
              "  operator 2 Abs (version 13, \"c\"): tensor \"d\" is of double, allowed float, "
              "float16, int32, int64, uint8, int8 and bool\n"
              "  operator 2 Abs (version 13, \"c\"): tensor \"c\" is of double, allowed float, "
              "float16, int32, int64, uint8, int8 and bool\n"
              "  operator 3 Relu (version 13, \"e\"): tensor \"a\" has unknown dimensions, since "
              "its operator is refused");
}

// Operators can compute large constants from few bytes.
TEST(OnnxImport, ComputingConstantsIsBounded) {
    const auto lastOf = [](size_t expanded) {
        OnnxFile file(13);
        file.floats("one", {1}, {1}).integers("shape", {1000, 1000});
        file.integers("begin", {0, 0}).integers("end", {1, 1});
        for (size_t i = 0; i < expanded; ++i) {
            const std::string wide = "wide" + std::to_string(i),
                              first = "first" + std::to_string(i);
            file.node("Expand", {"one", "shape"}, {wide});
            file.node("Slice", {wide, "begin", "end"}, {first}).output(first);
        }
        file.node("Add", {"one", "one"}, {"y"}).output("y");
        return import(file.bytes())->operators.back().operations.at(0).type;
    };
    EXPECT_EQ(lastOf(20), OperationType::RESHAPE);  // of a constant
    EXPECT_EQ(lastOf(100), OperationType::ADD);
}

TEST(OnnxImport, RecurrentNetworksAreRefusedWithAllReasons) {
    OnnxFile file(14);
    file.input("x", {3, 1, 2}).input("w", {1, 16, 2}).input("lengths", {1}, kInt32Type);
    file.floats("r", {1, 16, 4}, std::vector<float>(64))
            .floats("b", {1, 16}, std::vector<float>(16, 1));
    file.node("LSTM", {"x", "w", "r", "b", "lengths"}, {"y"}, {{"clip", 1.0f}}).output("y");
    const std::string operation = "  operator 0 LSTM (version 14, \"y\"): ";
    EXPECT_EQ(becomes(file.bytes()),
              "1 of 1 operator cannot be imported:\n" + operation +
                      "tensor \"b\" has the dimensions [1, 16], allowed [1, 32]\n" + operation +
                      "tensor \"w\" is computed, or an input, allowed a constant\n" + operation +
                      "tensor \"lengths\" is computed, or an input, allowed a constant\n" +
                      operation + "has a clip, allowed none");
}

TEST(OnnxImport, SequencesWithoutStepsAreRefused) {
    const std::pair<const char*, int64_t> rows[] = {{"LSTM", 16}, {"RNN", 4}, {"GRU", 12}};
    for (const auto& [type, gates] : rows) {
        for (const bool isConstant : {false, true}) {
            OnnxFile file(14);
            isConstant ? file.floats("x", {0, 1, 2}, {}) : file.input("x", {0, 1, 2});
            file.floats("w", {1, gates, 2}, std::vector<float>(gates * 2));
            file.floats("r", {1, gates, 4}, std::vector<float>(gates * 4));
            file.node(type, {"x", "w", "r"}, {"y"}).output("y");
            EXPECT_THAT(becomes(file.bytes()),
                        HasSubstr("tensor \"x\" has the dimensions [0, 1, 2], "))
                    << type;
        }
    }
}

// Each step has operations of its own.
TEST(OnnxImport, StepsOfGrusAreBounded) {
    OnnxFile file(14);
    file.input("x", {16385, 1, 1}).floats("w", {1, 3, 1}, {1, 2, 3});
    file.node("GRU", {"x", "w", "w"}, {"y"}).output("y");
    EXPECT_THAT(becomes(file.bytes()),
                HasSubstr("has 16385 steps, allowed 16384 of all sequences"));
}

// A body that gives the next values from the iteration "i", whether to go on, and a value "v".
std::string becomesOfLoop(const std::vector<std::string>& inputs,
                          const std::vector<std::string>& outputs, OnnxFile body) {
    OnnxFile file(13);
    file.input("n", {}, kInt64Type).input("x", {2, 3});
    file.node("Loop", inputs, outputs, {{"body", body.graph()}});
    for (const std::string& output : outputs) file.output(output);
    return becomes(file.bytes());
}

TEST(OnnxImport, LoopsAreRefusedWithTheirReasons) {
    const auto body = [] {
        OnnxFile graph(13);
        graph.input("i", {}, kInt64Type).input("goesOn", {}, kBoolType).input("v", {2, 3});
        return graph;
    };
    const std::string start =
            "1 of 1 operator cannot be imported:\n"
            "  operator 0 Loop (version 13, \"y\"): ";
    OnnxFile same = body().output("goesOn").output("v");
    EXPECT_EQ(becomesOfLoop({"n", "", "x"}, {"y"}, same), "WHILE");
    EXPECT_EQ(becomesOfLoop({"", "", "x"}, {"y"}, same),
              start + "ends neither after a number of iterations nor by a condition");
    EXPECT_EQ(becomesOfLoop({"x", "", "x"}, {"y"}, same),
              start + "tensor \"x\" is float [2, 3], allowed one element of int64");
    EXPECT_EQ(becomesOfLoop({"n", ""}, {"y"}, same),
              start + "carries no value, or has no body, allowed both");
    EXPECT_EQ(becomesOfLoop({"n", "", "x"}, {"y", "all"}, same),
              start + "tensor \"all\" collects a value of each iteration, allowed outputs that the "
                      "loop carries, or a constant number of iterations, with at most 16384 "
                      "operators in all, which no condition ends");
    EXPECT_EQ(becomesOfLoop({"n", "", "x", "x"}, {"y", "z"}, same),
              start + "has a graph body with 3 inputs and 2 outputs, allowed 4 and 3");
    OnnxFile two = body().input("w", {2, 3}).output("goesOn").output("v").output("w");
    EXPECT_EQ(becomesOfLoop({"n", "", "x", ""}, {"y", "z"}, two), start + "omits input 3");
    // Without a condition, a body reads one that is always true.
    OnnxFile reads = body().node("Where", {"goesOn", "v", "x"}, {"w"}).output("goesOn").output("w");
    EXPECT_EQ(becomesOfLoop({"n", "", "x"}, {"y"}, reads), "WHILE");
    OnnxFile other = body().node("Transpose", {"v"}, {"t"}).output("goesOn").output("t");
    EXPECT_THAT(becomesOfLoop({"n", "", "x"}, {"y"}, other),
                HasSubstr("operator 0 Loop (version 13, \"y\"): tensor \"y\" is float [3, 2] after "
                          "an iteration, allowed float [2, 3], as before"));
}

TEST(OnnxImport, OperatorsOfLoopsThatCollectAreBounded) {
    // Two operators in each of an inner loop's iterations, whose loop is in an outer one's.
    const auto found = [](int64_t outer, int64_t inner) {
        OnnxFile body(13), around(13), file(13);
        body.input("i", {}, kInt64Type).input("goesOn", {}, kBoolType).input("v", {2});
        body.node("Abs", {"v"}, {"size"}).node("Neg", {"v"}, {"row"});
        body.output("goesOn").output("size").output("row");
        around.input("o", {}, kInt64Type).input("on", {}, kBoolType).input("w", {2});
        around.node("Loop", {"inner", "", "w"}, {"last", "rows"}, {{"body", body.graph()}});
        around.output("on").output("last").output("rows");
        file.input("x", {2}).integers("outer", {outer}).integers("inner", {inner});
        file.node("Loop", {"outer", "", "x"}, {"y", "all"}, {{"body", around.graph()}});
        return becomes(file.output("y").output("all").bytes());
    };
    EXPECT_EQ(found(1, 1), "ABS NEG RESHAPE RESHAPE");
    EXPECT_EQ(found(2, 1), "ABS NEG RESHAPE ABS NEG RESHAPE RESHAPE RESHAPE CONCATENATION");
    EXPECT_THAT(found(64, 127), Not(HasSubstr("Loop")));
    for (const auto& [outer, inner] : {std::pair<int64_t, int64_t>{64, 128},
                                       {16385, 1},
                                       {1, 8193},
                                       {INT64_MAX, INT64_MAX},
                                       {1, INT64_MIN},
                                       {0, 1}}) {
        EXPECT_THAT(found(outer, inner), HasSubstr("collects a value of each iteration"))
                << outer << " " << inner;
    }
}

TEST(OnnxImport, SignaturesReject) {
    OnnxFile file(13);
    file.input("x", {1, 1, 1, 1, 2}).node("Add", {"x", "x"}, {"y"}).output("y");
    EXPECT_THAT(becomes(file.bytes()),
                HasSubstr("operator 0 Add (version 13, \"y\"): becomes ADD: "));
}

TEST(OnnxImport, LaterVersionsThanTheTargetAreRefused) {
    OnnxFile file(13);
    file.input("x", {2, 3}).node("Exp", {"x"}, {"y"}).output("y");
    EXPECT_THAT(becomes(file.bytes(), {.common = {.target = toVersion(HalVersion::V1_1)}}),
                HasSubstr("becomes EXP, which HAL 1.1 lacks"));
}

TEST(OnnxImport, PartsLieBetweenRefusedOperators) {
    OnnxFile file(13);
    file.input("x", {2, 3});
    file.node("Abs", {"x"}, {"a"}).node("Neg", {"a"}, {"b"});
    file.node("Acos", {"b"}, {"c"});
    file.node("Add", {"c", "a"}, {"d"});
    file.output("d");
    const auto imported = import(file.bytes(), kPartial);
    ASSERT_TRUE(imported.ok()) << imported.status();
    // Without the dimensions of c, what follows is refused as well.
    ASSERT_EQ(imported->parts.size(), 1u);
    EXPECT_EQ(operationsOf(imported->parts[0].model), "ABS NEG");
    EXPECT_THAT(imported->parts[0].outputNames(), ::testing::UnorderedElementsAre("a", "b"));
}

TEST(OnnxImport, PartsAreInTheOrderOfExecution) {
    OnnxFile file(13);
    file.input("x", {2, 3});
    file.node("Abs", {"x"}, {"a"});
    file.node("LRN", {"a"}, {"b"}, {{"size", 4}});
    file.node("Einsum", {"a"}, {"c"}).node("Add", {"a", "a"}, {"d"});
    file.output("c").output("d");
    const auto imported = import(file.bytes(), kPartial);
    ASSERT_TRUE(imported.ok()) << imported.status();
    ASSERT_EQ(imported->parts.size(), 1u);
    EXPECT_EQ(operationsOf(imported->parts[0].model), "ABS ADD");
}

struct BrokenGraph {
    const char* what;
    OnnxFile file;
    const char* message;
};

TEST(OnnxImport, BrokenGraphsAreErrors) {
    const BrokenGraph rows[] = {
            {"twice", OnnxFile(13).input("x", {1}).node("Abs", {"x"}, {"x"}).output("x"),
             "value \"x\" is defined twice"},
            {"no output", OnnxFile(13).input("x", {1}), "the graph has no outputs"},
            {"unknown output", OnnxFile(13).output("y"), "nothing computes output \"y\""},
            {"operator set", OnnxFile(99).input("x", {1}).output("x"),
             "operator set 99 of ONNX, allowed 1 to 24"},
            {"no operators", OnnxFile(13).input("x", {1}).output("x"),
             "the graph has no operators"},
            {"elements",
             OnnxFile(13).initializer(tensorMessage("w", kFloatType, {3}, "abcd")).output("w"),
             "tensor 'w' has 4 bytes, allowed 12 for its dimensions"},
            {"2^63",
             OnnxFile(13).initializer(tensorMessage("w", kFloatType, {INT64_MAX}, "")).output("w"),
             "tensor 'w' has a dimension of 9223372036854775807, allowed 0 to 2147483647"},
            {"product",
             OnnxFile(13)
                     .initializer(
                             tensorMessage("w", kFloatType, {INT32_MAX, INT32_MAX, INT32_MAX}, ""))
                     .output("w"),
             "tensor 'w' has more than 2^64 bytes"},
    };
    for (const BrokenGraph& row : rows)
        EXPECT_EQ(becomes(row.file.bytes()), row.message) << row.what;
}

// ---- external files

class ExternalConstants : public ::testing::Test {
   protected:
    ExternalConstants() {
        std::filesystem::create_directory(mFolder / "model");
        std::ofstream(mFolder / "secret") << "abcdefgh";
        std::ofstream(mFolder / "model/weights") << "abcdefgh";
        std::filesystem::create_symlink(mFolder / "secret", mFolder / "model/link");
    }

    // Constants of that many elements, at an offset of an external file.
    static WireMessage constant(const std::string& name, int64_t elements,
                                const std::string& location, const std::string& offset,
                                const std::string& length) {
        WireMessage tensor;
        tensor.number(1, static_cast<uint64_t>(elements)).number(2, kFloatType);
        tensor.text(8, name).number(14, 1);
        for (const auto& [key, value] :
             {std::pair{"location", location}, {"offset", offset}, {"length", length}}) {
            tensor.message(13, WireMessage().text(1, key).text(2, value));
        }
        return tensor;
    }

    std::string outcome(const std::string& location, const std::string& offset = "0",
                        const std::string& length = "4") {
        OnnxFile file(13);
        file.input("x", {1}).initializer(constant("w", 1, location, offset, length));
        file.node("Add", {"x", "w"}, {"y"}).output("y");
        return becomes(file.bytes(), {.folder = mFolder / "model"});
    }

    TemporaryFolder mFolder;
};

TEST_F(ExternalConstants, AreReadBelowTheFolder) {
    EXPECT_EQ(outcome("weights"), "ADD");
    EXPECT_EQ(outcome("./weights", "4"), "ADD");
}

TEST_F(ExternalConstants, AreConfined) {
    EXPECT_EQ(outcome("../secret"),
              "tensor 'w': its file '../secret' is not in the folder of the model");
    EXPECT_EQ(outcome("model/../../secret"),
              "tensor 'w': its file 'model/../../secret' No such file or directory");
    EXPECT_EQ(outcome((mFolder / "secret").string()),
              fmt::format("tensor 'w': its file '{}' is not in the folder of the model",
                          (mFolder / "secret").string()));
    EXPECT_EQ(outcome("link"), "tensor 'w': its file 'link' is a link, or is below one");
    EXPECT_EQ(outcome("."), "tensor 'w': its file '.' is not a regular file");
    EXPECT_EQ(outcome("weights", "6"), "tensor 'w': its file is too short");
    EXPECT_EQ(outcome("weights", "18446744073709551615"), "tensor 'w': its file is too short");
    EXPECT_EQ(outcome("weights", "-1"),
              "tensor 'w': the place of its elements in another file is malformed");
    EXPECT_EQ(outcome("weights", "0", "8"),
              "tensor 'w': has 8 bytes, allowed 4 for its dimensions");
}

// ---- damaged files

void expectValidResult(const std::string& bytes, const std::string& name) {
    OnnxOptions options = kPartial;
    options.common.limits = {.operands = 4096, .constantBytes = 1 << 20, .fileObjects = 1 << 12};
    const auto imported = import(bytes, options);
    if (!imported.ok()) return;
    for (const ImportedPart& part : imported->parts) {
        EXPECT_TRUE(validate(part.model).ok()) << name;
        EXPECT_EQ(part.operandNames.size(), part.model.main.operands.size()) << name;
    }
}

TEST(OnnxDamage, TruncatedAtEveryByte) {
    for (const OnnxOperatorFile& file : onnxOperatorFiles()) {
        for (size_t size = 0; size < file.bytes.size(); ++size) {
            expectValidResult(file.bytes.substr(0, size), file.name);
        }
    }
}

TEST(OnnxDamage, EveryByteMutated) {
    // Presets where all of that takes too long try one or two values of each byte, in turn.
    const uint64_t share = fromEnvironment("NNAPI_DEVICE_SHARE", 1);
    uint64_t turn = 0;
    for (const OnnxOperatorFile& file : onnxOperatorFiles()) {
        std::string bytes = file.bytes;
        for (char& byte : bytes) {
            const char before = byte;
            for (const int value : {0x00, 0x01, 0x7F, 0x80, 0xFF, before ^ 0x04}) {
                if (turn++ % share != 0) continue;
                byte = static_cast<char>(value);
                expectValidResult(bytes, file.name);
            }
            byte = before;
        }
    }
}

TEST(OnnxDamage, EveryLimitOfOperands) {
    for (const OnnxOperatorFile& file : onnxOperatorFiles()) {
        for (uint64_t operands = 0;; ++operands) {
            const auto imported =
                    import(file.bytes, {.common = {.limits = {.operands = operands}}});
            if (imported.ok()) break;
            ASSERT_EQ(errorStatus(imported.status()), ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT)
                    << file.name << ": " << imported.status();
        }
    }
}

TEST(OnnxDamage, GraphsInsideGraphsAreBounded) {
    WireMessage graph;
    for (int i = 0; i < 1000; ++i) {
        const WireMessage attribute = WireMessage().text(1, "then_branch").message(6, graph);
        graph = WireMessage().message(1, WireMessage().text(4, "If").message(5, attribute));
    }
    const std::string bytes = WireMessage()
                                      .number(1, 8)
                                      .message(7, graph)
                                      .message(8, WireMessage().number(2, 13))
                                      .bytes();
    EXPECT_EQ(becomes(bytes), "is no ONNX model: more than 16 graphs inside each other");
}

// ---- shared memory

Result<Import> importFromMemory(const std::string& bytes, const OnnxOptions& options = {}) {
    NNAPI_ASSIGN_OR_RETURN(memory, createSharedMemory(bytes.size()));
    NNAPI_RETURN_IF_ERROR(writeMemory(memory, 0, bytesOf(bytes)));
    return importOnnx(memory, options);
}

// A layer whose weights lie behind a constant with a name of that length.
std::string layer(size_t lengthOfName) {
    OnnxFile file(13);
    file.input("x", {1, 64}).floats(std::string(lengthOfName, 'n'), {1}, {0});
    file.floats("w", {64, 64}, std::vector<float>(64 * 64, 0.5f));
    file.node("Gemm", {"x", "w"}, {"y"}, {{"transB", 1}});
    return file.output("y").bytes();
}

TEST(OnnxImport, ConstantsStayInSharedMemoryWhereTheyAreAligned) {
    size_t staying = 0;
    for (size_t length = 1; length <= 4; ++length) {
        const std::string bytes = layer(length);
        const auto copied = import(bytes), mapped = importFromMemory(bytes);
        ASSERT_TRUE(copied.ok() && mapped.ok()) << mapped.status();
        const Model& model = mapped->parts.front().model;
        EXPECT_EQ(*importing::differenceOf(copied->parts.front().model, model), "");
        EXPECT_EQ(copied->parts.front().model.pools.size(), 0u);
        staying += model.pools.size();
        EXPECT_EQ(model.operandValues.size() < 1024, !model.pools.empty()) << length;
    }
    EXPECT_EQ(staying, 1u) << "of four places, one is a multiple of four";
}

TEST(OnnxImport, KeepsNoFileWhoseConstantsAreConverted) {
    OnnxFile file(13);
    file.input("x", {1, 64, 8, 8})
            .floats("w", {64, 64, 3, 3}, std::vector<float>(64 * 64 * 9, 0.5f));
    file.node("Conv", {"x", "w"}, {"y"}, {{"pads", {1, 1, 1, 1}}});
    const std::string bytes = file.output("y").bytes();
    const auto imported = importFromMemory(bytes);
    ASSERT_TRUE(imported.ok()) << imported.status();
    EXPECT_EQ(imported->parts.front().model.pools.size(), 0u);
    EXPECT_EQ(*importing::differenceOf(import(bytes)->parts.front().model,
                                       imported->parts.front().model),
              "");
}

// Of two external files, the one that is mostly unused is copied; the other is a pool, whatever the
// names by which it is read.
TEST_F(ExternalConstants, StayInTheirFile) {
    const auto write = [&](const std::string& name, size_t elements) {
        const std::vector<float> values(elements, 0.5f);
        std::ofstream(mFolder / "model" / name, std::ios::binary)
                .write(reinterpret_cast<const char*>(values.data()),
                       static_cast<std::streamsize>(elements * sizeof(float)));
    };
    write("used", 2 * 512);
    write("large", 1 << 16);
    OnnxFile file(13);
    file.input("x", {512})
            .initializer(constant("a", 512, "used", "0", "2048"))
            .initializer(constant("b", 512, "./used", "2048", "2048"))
            .initializer(constant("c", 512, "large", "64", "2048"));
    file.node("Add", {"x", "a"}, {"s"}).node("Add", {"s", "b"}, {"t"});
    file.node("Add", {"t", "c"}, {"y"}).output("y");
    const OnnxOptions options{.folder = mFolder / "model"};
    const auto copied = import(file.bytes(), options),
               mapped = importFromMemory(file.bytes(), options);
    ASSERT_TRUE(copied.ok() && mapped.ok()) << mapped.status();
    const Model& model = mapped->parts.front().model;
    EXPECT_EQ(*importing::differenceOf(copied->parts.front().model, model), "");
    ASSERT_EQ(model.pools.size(), 1u);
    EXPECT_EQ(nn::map(model.pools[0])->size(), 4096u);
    std::vector<uint32_t> offsets;
    for (const Operand& operand : model.main.operands) {
        if (operand.lifetime == Operand::LifeTime::CONSTANT_REFERENCE)
            offsets.push_back(operand.location.offset);
    }
    EXPECT_THAT(offsets, ElementsAre(0, 2048));
    // No process can shorten or rewrite the pool.
    EXPECT_TRUE(cannotChange(model.pools[0]));
    std::filesystem::resize_file(mFolder / "model/used", 0);
    EXPECT_EQ(*importing::differenceOf(copied->parts.front().model, model), "");
}

}  // namespace
}  // namespace nn::onnx
