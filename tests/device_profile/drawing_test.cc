// The texts and marks of drawings. Whole drawings are pinned by tests/cli/dot*.test.
#include "nnapi/drawing.h"

#include <fmt/format.h>

#include <functional>

#include "validate/models.h"

namespace nn::drawing_test {
namespace {

using enum OperandType;
using Color = DrawingMark::Color;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;

Operand number(Model& model, int32_t value) {
    return constantOf<int32_t>(model, INT32, {}, {value});
}

// A drawing without line breaks.
std::string oneLine(const Model& model) {
    std::string text = drawing(model);
    for (size_t at; (at = text.find("<br/>")) != std::string::npos;) text.replace(at, 5, " ");
    return text;
}

// input[1, 8, 8, 3] -> CONV_2D -> output. The inputs from 3 on are the scalars.
Model convModel(const std::vector<int32_t>& scalars) {
    Model model;
    model.main.operands = {
            operandOf(TENSOR_FLOAT32, {1, 8, 8, 3}, LifeTime::SUBGRAPH_INPUT),
            constantOf<float>(model, TENSOR_FLOAT32, {4, 3, 3, 3}, std::vector<float>(108)),
            constantOf<float>(model, TENSOR_FLOAT32, {4}, {0.5f, 1, 2, -3}),
            operandOf(TENSOR_FLOAT32, {1, 0, 0, 4}, LifeTime::SUBGRAPH_OUTPUT)};
    Operation conv{.type = OperationType::CONV_2D, .inputs = {0, 1, 2}, .outputs = {3}};
    for (const int32_t scalar : scalars) {
        conv.inputs.push_back(model.main.operands.size());
        model.main.operands.push_back(number(model, scalar));
    }
    model.main.operations = {conv};
    model.main.inputIndexes = {0};
    model.main.outputIndexes = {3};
    return model;
}

// Adds isNchw and dilations.
void addOptional(Model& model, bool isNchw, int32_t width, int32_t height) {
    const auto add = [&](Operand operand) {
        model.main.operations[0].inputs.push_back(model.main.operands.size());
        model.main.operands.push_back(std::move(operand));
    };
    add(constantOf<uint8_t>(model, BOOL, {}, {isNchw}));
    add(number(model, width));
    add(number(model, height));
}

TEST(Drawing, FoldsConstantsIntoTheirOperation) {
    const auto optional = [](bool isNchw, int32_t width, int32_t height) {
        return [=](Model& m) { addOptional(m, isNchw, width, height); };
    };
    const auto nothing = [](Model&) {};
    const struct {
        std::vector<int32_t> scalars;
        std::function<void(Model&)> change;
        const char* box;
    } kRows[] = {
            {{1, 2, 2, 3},
             nothing,
             "filter 4×3×3×3, bias [0.5, 1, 2, -3], SAME, stride 2×2, RELU6>"},
            {{2, 1, 2, 0}, nothing, "filter 4×3×3×3, bias [0.5, 1, 2, -3], VALID, stride 2×1>"},
            {{7, 1, 1, 9},
             nothing,
             "filter 4×3×3×3, bias [0.5, 1, 2, -3], paddingScheme 7, stride 1×1, activation "
             "9>"},
            {{1, 1, 1, 1, 1, 1, 2},
             nothing,
             "filter 4×3×3×3, bias [0.5, 1, 2, -3], padding 1, stride 1×1, RELU1>"},
            {{0, 1, 0, 1, 1, 1, 0},
             nothing,
             "filter 4×3×3×3, bias [0.5, 1, 2, -3], paddingLeft 0, paddingRight 1, paddingTop "
             "0, paddingBottom 1, stride 1×1>"},
            {{1, 1, 1, 0},
             optional(false, 1, 1),
             "filter 4×3×3×3, bias [0.5, 1, 2, -3], SAME, stride 1×1>"},
            {{1, 1, 1, 0},
             optional(true, 2, 1),
             "filter 4×3×3×3, bias [0.5, 1, 2, -3], SAME, stride 1×1, isNchw, dilationWidth "
             "2>"},
            {{1, 1, 1, 0},
             optional(true, 2, 2),
             "filter 4×3×3×3, bias [0.5, 1, 2, -3], SAME, stride 1×1, isNchw, dilation 2×2>"},
            {{1, 1, 1, 0},
             [](Model& m) {
                 m.main.operands[1].dimensions = {4, 3, 3, 0};
             },
             "filter 4×3×3×?, bias [0.5, 1, 2, -3], SAME, stride 1×1>"},
            {{1, 1, 1, 0},
             [](Model& m) { m.main.operands[1].type = TENSOR_QUANT8_SYMM_PER_CHANNEL; },
             "filter QUANT8_SYMM_PER_CHANNEL 4×3×3×3, bias [0.5, 1, 2, -3], SAME, stride 1×1>"},
            {{1, 1, 1, 0},
             [](Model& m) { m.main.operands[4].location.offset = 1 << 20; },
             "filter 4×3×3×3, bias [0.5, 1, 2, -3], paddingScheme ?, stride 1×1>"},
            {{1, 1, 1},  // no form has that many operands
             nothing,
             "input 1 4×3×3×3, input 2 [0.5, 1, 2, -3], input 3 1, input 4 1, input 5 1>"},
    };
    for (const auto& row : kRows) {
        Model model = convModel(row.scalars);
        row.change(model);
        EXPECT_THAT(oneLine(model), HasSubstr(fmt::format("op0 [label=<<b>CONV_2D</b> <font "
                                                          "color=\"#777777\">0</font> {}, tooltip",
                                                          row.box)));
    }
}

TEST(Drawing, ShowsTheShapeOfAConstantInAMissingPool) {
    Model model = convModel({1, 2, 2, 3});
    Operand& bias = model.main.operands[2];
    bias.lifetime = LifeTime::CONSTANT_REFERENCE;
    bias.location = {.poolIndex = 0, .offset = 0, .length = 16};
    EXPECT_THAT(oneLine(model), HasSubstr("bias 4,"));
}

TEST(Drawing, ShowsErrorsOfInvalidModels) {
    const struct {
        const char* name;
        std::function<void(Model&)> change;
        const char* text;
    } kRows[] = {
            {"NoSuchInput", [](Model& m) { m.main.operations[0].inputs[0] = 99; },
             "input 0: operand 99 does not exist"},
            {"NoSuchOutput", [](Model& m) { m.main.operations[0].outputs[0] = 99; },
             "output 0: operand 99 does not exist"},
            {"NoSuchMainInput", [](Model& m) { m.main.inputIndexes = {99}; },
             "in0 [label=<<b>input 0</b> operand 99 does not exist>"},
            {"NoSuchMainOutput", [](Model& m) { m.main.outputIndexes = {99}; },
             "out0 [label=<<b>output 0</b> operand 99 does not exist>"},
            {"NoWriter", [](Model& m) { m.main.operations[1].inputs[0] = 3; },
             "op1 -> op1 [label=<&#160;FLOAT32 2×3>"},
            {"NoValue", [](Model& m) { m.main.operations.erase(m.main.operations.begin()); },
             "operand2 [label=<operand 2 has no value>, style=\"rounded,dashed\"]"},
            {"TwoWriters", [](Model& m) { m.main.operations[1].outputs = {2}; },
             "output is operand 2, which has another writer"},
            {"NothingReadsIt", [](Model& m) { m.main.operations[1].inputs[0] = 0; },
             "beta 1, no operation reads output"},
            {"NoSuchGraph", [](Model& m) { m.main.operands[1] = subgraphOperand(7); },
             "beta is referenced[7], which does not exist"},
            {"Empty", [](Model& m) { m = {}; }, "empty [label=<no operations>]"},
    };
    for (const auto& row : kRows) {
        Model model = softmaxModel();
        row.change(model);
        EXPECT_THAT(oneLine(model), HasSubstr(row.text)) << row.name;
    }
}

TEST(Drawing, EscapesText) {
    const struct {
        std::string name, shown;
    } kRows[] = {
            {"a<b>\"&\"", "a&#60;b&#62;&#34;&#38;&#34;"},
            {"\\N", "&#92;&#8203;N"},
            {"line\nline\x1b[31m\x7f", "line line [31m "},
            {"\xc3\xa4\xe2\x82\xac\xf0\x9f\x99\x82", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x99\x82"},
            {"\xc3", "?"},                       // ends within a character
            {"\xc3(", "?("},                     // no second byte
            {"\x80\xff", "??"},                  // no first byte
            {"\xc0\xaf\xe0\x80\xaf", "?????"},   // overlong
            {"\xf0\x80\x80\xaf", "????"},        // overlong
            {"\xed\xa0\x80", "???"},             // half of a pair
            {"\xf4\x90\x80\x80", "????"},        // beyond the last
            {"\xef\xbf\xbf", "???"},             // no character
            {"\xc2\x9b", " "},                   // a control character
            {"\xe2\x80\xae\xe2\x81\xa6", "  "},  // turn the text around
    };
    for (const auto& row : kRows) {
        const std::string text = drawing(softmaxModel(), {.name = row.name});
        EXPECT_THAT(text, HasSubstr(fmt::format("digraph \"{}\" {{\n", row.shown)));
        EXPECT_THAT(text, HasSubstr(fmt::format("label=<<b>{}</b>>];", row.shown)));
    }
    const std::string text =
            drawing(softmaxModel(),
                    {.caption = "one\n<two>",
                     .marks = {{"main.operations[0]", {.color = Color::RED, .why = "a \"<b>\""}}}});
    EXPECT_THAT(text, HasSubstr("<br/><font point-size=\"11\">one</font>"
                                "<br/><font point-size=\"11\">&#60;two&#62;</font>>];"));
    EXPECT_THAT(text, HasSubstr("<br/><i>a &#34;&#60;b&#62;&#34;</i>>, fillcolor=\"#f9c6c0\", "
                                "tooltip=\"main.operations[0]&#10;a &#34;&#60;b&#62;&#34;\"];"));
}

TEST(Drawing, NamesOperationsOfExtensions) {
    Model model = extensionModel();
    EXPECT_THAT(drawing(model), HasSubstr("<b>com.example.test 2</b>"));
    model.extensionNameToPrefix[0].name = "<" + std::string(1000, 'x');
    EXPECT_THAT(drawing(model), HasSubstr("<b>&#60;" + std::string(59, 'x') + " 2</b>"));
    model.extensionNameToPrefix.clear();
    EXPECT_THAT(drawing(model), HasSubstr("<b>" + toString(model.main.operations[0].type)));
}

// Five inputs read by only one operation form a list; an input with another reader is not part of
// it.
TEST(Drawing, ListsManyInputs) {
    Model model;
    Operation concatenation{.type = OperationType::CONCATENATION, .outputs = {7}};
    for (uint32_t i = 0; i < 6; ++i) {
        model.main.operands.push_back(operandOf(TENSOR_FLOAT32, {2}, LifeTime::SUBGRAPH_INPUT));
        model.main.inputIndexes.push_back(i);
        concatenation.inputs.push_back(i);
    }
    model.main.operands.push_back(number(model, 0));
    concatenation.inputs.push_back(6);
    model.main.operands.push_back(operandOf(TENSOR_FLOAT32, {12}, LifeTime::SUBGRAPH_OUTPUT));
    model.main.operands.push_back(operandOf(TENSOR_FLOAT32, {2}, LifeTime::SUBGRAPH_OUTPUT));
    model.main.operations = {concatenation,
                             {.type = OperationType::RELU, .inputs = {2}, .outputs = {8}}};
    model.main.outputIndexes = {7, 8};
    const std::string text = drawing(model);
    EXPECT_THAT(text,
                HasSubstr("<tr><td align=\"left\"><b>input 5</b></td><td align=\"left\">FLOAT32 "
                          "2</td><td align=\"left\">→ input 5</td></tr>"));
    EXPECT_THAT(text, HasSubstr("in0 -> op0;"));
    EXPECT_THAT(text, HasSubstr("in2 -> op0 [label=<&#160;→ input 2>"));
    EXPECT_THAT(text, HasSubstr("in2 -> op1 [tooltip=\"operand 2\"]"));
    EXPECT_THAT(text, Not(HasSubstr("in5")));
}

// Arrows show the names of inputs if an operation has more than one.
TEST(Drawing, NamesInputsOfArrows) {
    Model model;
    model.main.operands = {operandOf(TENSOR_FLOAT32, {2}, LifeTime::SUBGRAPH_INPUT),
                           operandOf(TENSOR_FLOAT32, {2}), operandOf(TENSOR_FLOAT32, {2}),
                           number(model, 0),
                           operandOf(TENSOR_FLOAT32, {2}, LifeTime::SUBGRAPH_OUTPUT)};
    model.main.operations = {{OperationType::RELU, {0}, {1}},
                             {OperationType::TANH, {1}, {2}},
                             {OperationType::ADD, {1, 2, 3}, {4}}};
    model.main.inputIndexes = {0};
    model.main.outputIndexes = {4};
    const std::string text = drawing(model);
    EXPECT_THAT(text, HasSubstr("op0 -> op1 [label=<&#160;FLOAT32 2>"));
    EXPECT_THAT(text, HasSubstr("op0 -> op2 [label=<&#160;FLOAT32 2<br/>&#160;→ input0>"));
    EXPECT_THAT(text, HasSubstr("op1 -> op2 [label=<&#160;FLOAT32 2<br/>&#160;→ input1>"));
}

// An arrow there would move the operation at its other end into the block.
TEST(Drawing, HasNoArrowsInTheBoxOfARepeatedBlock) {
    using enum OperationType;
    Model model;
    model.main.operands = {operandOf(TENSOR_FLOAT32, {4}, LifeTime::SUBGRAPH_INPUT)};
    for (const OperationType type : {TANH, RELU, RELU, RELU, RELU, RELU, TANH}) {
        const auto last = static_cast<uint32_t>(model.main.operands.size());
        model.main.operands.push_back(operandOf(TENSOR_FLOAT32, {4}, LifeTime::TEMPORARY_VARIABLE));
        model.main.operations.push_back({.type = type, .inputs = {last - 1}, .outputs = {last}});
    }
    model.main.operands.back().lifetime = LifeTime::SUBGRAPH_OUTPUT;
    model.main.inputIndexes = {0};
    model.main.outputIndexes = {7};
    const std::string text = drawing(model);
    const size_t begin = text.find("subgraph cluster_block1 {"), end = text.find("\n  }\n", begin);
    ASSERT_NE(end, std::string::npos) << text;
    const std::string block = text.substr(begin, end - begin);
    EXPECT_THAT(block, HasSubstr("operations 1 to 5"));
    EXPECT_THAT(block, Not(HasSubstr("->")));
    EXPECT_THAT(text.substr(end), AllOf(HasSubstr("op0 -> op1 ["), HasSubstr("op1 -> op6 [")));
}

// Also if operations share operands and names are long.
TEST(Drawing, HasALengthLinearInTheModel) {
    const auto length = [](uint32_t n) {
        Model model;
        model.extensionNameToPrefix = {{.name = std::string(n, 'x'), .prefix = 3}};
        model.main.operands = {
                operandOf(TENSOR_FLOAT32, std::vector<uint32_t>(n, 2), LifeTime::SUBGRAPH_INPUT)};
        model.main.inputIndexes = std::vector<uint32_t>(n, 0);
        model.main.outputIndexes = std::vector<uint32_t>(n, 0);
        model.main.operations.assign(n, {.type = static_cast<OperationType>(0x00030002),
                                         .inputs = {0, 0, 0, 0},
                                         .outputs = {0, 0}});
        model.referenced = {model.main};
        model.main.operands.push_back(subgraphOperand(0));
        for (Operation& operation : model.main.operations) operation.inputs.push_back(1);
        return drawing(model, {.marks = marksForVersion(model, kVersionFeatureLevel1)}).size();
    };
    EXPECT_LT(length(4000), 5 * length(1000));
}

std::vector<std::string> colorsOf(const DrawingMarks& marks) {
    std::vector<std::string> colors;
    for (const auto& [path, mark] : marks) {
        colors.push_back(path + (mark.color == Color::GREEN ? " green" : " red") +
                         (mark.why.empty() ? "" : ": " + mark.why));
    }
    return colors;
}

TEST(DrawingMarks, OfVersions) {
    Model model = softmaxModel();
    EXPECT_THAT(colorsOf(marksForVersion(model, kVersionFeatureLevel1)), IsEmpty());
    // The first operation reads it, the second does not.
    model.main.operands[0].type = TENSOR_FLOAT16;
    model.main.operands[2].type = TENSOR_FLOAT16;
    model.main.operands[1] = constantOf<uint16_t>(model, FLOAT16, {}, {0x3c00});
    model.main.operations[1].type = OperationType::CAST;
    model.main.operations[1].inputs = {2};
    EXPECT_THAT(colorsOf(marksForVersion(model, kVersionFeatureLevel2)),
                ElementsAre("main.operations[0] red: TENSOR_FLOAT16 needs HAL 1.2; operand 1: "
                            "FLOAT16 needs HAL 1.2",
                            "main.operations[1] red: CAST needs HAL 1.2; operand 2: "
                            "TENSOR_FLOAT16 needs HAL 1.2"));
    EXPECT_THAT(colorsOf(marksForVersion(model, kVersionFeatureLevel3)), IsEmpty());
    model = softmaxModel();
    model.main.operands[3].dimensions = {2, 4};
    model.main.operands[3].zeroPoint = 1;
    EXPECT_THAT(colorsOf(marksForVersion(model, kVersionFeatureLevel4)),
                ElementsAre("main.operations[1] red: operand 3: zeroPoint is 1, allowed 0 for "
                            "TENSOR_FLOAT32"));
}

// An operation over an unsupported graph is unsupported too, up to the main graph; unreachable
// graphs have no marks.
TEST(DrawingMarks, OfDevices) {
    DeviceProfile device{.supportsOthers = true, .operations = {{.type = OperationType::IF}}};
    Model model = ifModel();
    model.referenced.push_back(model.referenced[0]);
    EXPECT_THAT(
            colorsOf(marksForDevice(model, device).value()),
            ElementsAre("main.operations[0] green", "referenced[0].operations[0] green",
                        "referenced[0].operations[1] green", "referenced[1].operations[0] green",
                        "referenced[1].operations[1] green"));
    device.operations.push_back(
            {.type = OperationType::SOFTMAX, .operands = {{.name = "beta", .values = {2}}}});
    for (Operation& operation : model.referenced[1].operations) {
        operation.type = OperationType::RELU;
        operation.inputs.resize(1);
    }
    EXPECT_THAT(
            colorsOf(marksForDevice(model, device).value()),
            ElementsAre("main.operations[0] red: referenced[0] is not supported as a whole",
                        "referenced[0].operations[0] red: input 1 'beta' (operand 1) is 1, "
                        "allowed 2 on the device",
                        "referenced[0].operations[1] red: input 1 'beta' (operand 1) is 1, "
                        "allowed 2 on the device",
                        "referenced[1].operations[0] green", "referenced[1].operations[1] green"));
    model.main.operands[3].zeroPoint = 1;
    EXPECT_THAT(marksForDevice(model, device),
                Refuses("main.operands[3]: zeroPoint is 1, allowed 0 for TENSOR_FLOAT32 "
                        "[operand.zero_point]"));
}

}  // namespace
}  // namespace nn::drawing_test
