#include "onnx_operator_files.h"

#include "onnx_file.h"
#include "onnx_operator_rows.h"

namespace nn::onnx {
namespace {

using namespace operator_rows;

void addInput(OnnxFile& file, const In& in, const std::string& name) {
    switch (in.kind) {
        case In::Kind::INPUT:
            file.input(name, in.dimensions, in.type);
            return;
        case In::Kind::FLOATS:
            file.floats(name, in.dimensions, in.floats);
            return;
        case In::Kind::INTEGERS:
            file.integers(name, in.integers);
            return;
        case In::Kind::BYTES:
            file.bytes(name, in.type, in.dimensions, {in.integers.begin(), in.integers.end()});
            return;
        case In::Kind::NONE:
            return;
    }
}

OnnxOperatorFile fileOf(const Row& row) {
    OnnxFile file(row.version);
    std::vector<std::string> inputs, outputs;
    for (size_t i = 0; i < row.inputs.size(); ++i) {
        const bool isOmitted = row.inputs[i].kind == In::Kind::NONE;
        inputs.push_back(isOmitted ? "" : "x" + std::to_string(i));
        addInput(file, row.inputs[i], inputs.back());
    }
    for (int i = 0; i < row.outputs; ++i) outputs.push_back("y" + std::to_string(i));
    file.node(row.name.substr(0, row.name.find(' ')), inputs, outputs, row.attributes, row.domain);
    for (const std::string& output : outputs) file.output(output);
    return {.name = row.name, .bytes = file.bytes(), .becomes = row.becomes};
}

std::vector<Row> elementwiseRows() {
    std::vector<Row> rows;
    const auto unary = [&](const char* name, const char* becomes,
                           std::vector<OnnxAttribute> attributes = {}) {
        rows.push_back({name, {in(kMatrix)}, std::move(attributes), becomes, 14});
    };
    unary("Abs", "ABS");
    unary("Exp", "EXP");
    unary("Floor", "FLOOR");
    unary("Log", "LOG");
    unary("Neg", "NEG");
    unary("Sin", "SIN");
    unary("Sqrt", "SQRT");
    unary("Sigmoid", "LOGISTIC");
    unary("Tanh", "TANH");
    unary("Relu", "RELU");
    unary("HardSwish", "HARD_SWISH");
    unary("Identity", "RESHAPE");
    unary("Dropout", "RESHAPE");
    unary("LeakyRelu", "PRELU", {{"alpha", 0.5f}});
    unary("Elu", "ELU");
    unary("Selu", "ELU MUL");
    unary("Celu", "DIV ELU MUL", {{"alpha", 2.0f}});
    unary("HardSigmoid", "MUL ADD MINIMUM");
    unary("Softplus", "ABS NEG EXP ADD LOG RELU ADD");
    unary("Softsign", "ABS ADD DIV");
    unary("Reciprocal", "DIV");
    unary("Ceil", "NEG FLOOR NEG");
    unary("Cos", "ADD SIN");
    unary("ThresholdedRelu", "GREATER TILE SELECT");
    unary("Cast to int32", "CAST", {{"to", kInt32Type}});
    unary("Cast to bool", "NOT_EQUAL", {{"to", kBoolType}});
    rows.push_back({"Cast of bool", Inputs{in(kMatrix, kBoolType)}, Attributes{{"to", kFloatType}},
                    "TILE TILE SELECT"});
    rows.push_back(
            {"Clip", Inputs{in(kMatrix), scalar(-2), scalar(3)}, Attributes{}, "MAXIMUM MINIMUM"});
    rows.push_back({"Clip to 6", Inputs{in(kMatrix), scalar(0), scalar(6)}, Attributes{}, "RELU6"});
    rows.push_back({"Clip by attributes", Inputs{in(kMatrix)},
                    Attributes{{"min", -1.0f}, {"max", 1.0f}}, "RELU1", 6});
    const auto binary = [&](const char* name, const char* becomes, int type = kFloatType) {
        rows.push_back({name, {in(kMatrix, type), in({3}, type)}, {}, becomes});
    };
    binary("Add", "ADD");
    binary("Sub", "SUB");
    binary("Mul", "MUL");
    binary("Div", "DIV");
    binary("Pow", "POW");
    binary("PRelu", "PRELU");
    binary("Max", "MAXIMUM");
    binary("Min", "MINIMUM");
    binary("Sum", "ADD");
    binary("Mean", "ADD DIV");
    binary("Equal", "EQUAL");
    binary("Less", "LESS");
    binary("LessOrEqual", "LESS_EQUAL");
    binary("Greater", "GREATER");
    binary("GreaterOrEqual", "GREATER_EQUAL");
    binary("And", "LOGICAL_AND", kBoolType);
    binary("Or", "LOGICAL_OR", kBoolType);
    binary("Xor", "NOT_EQUAL", kBoolType);
    rows.push_back({"Not", Inputs{in(kMatrix, kBoolType)}, Attributes{}, "LOGICAL_NOT"});
    rows.push_back({"Pow of 2", Inputs{in(kMatrix), scalar(2)}, Attributes{}, "MUL"});
    rows.push_back({"Add at an axis", Inputs{in({2, 3, 4}), in({3})},
                    Attributes{{"axis", 1}, {"broadcast", 1}}, "RESHAPE ADD", 6});
    rows.push_back({"Max of three", Inputs{in(kMatrix), in(kMatrix), in(kMatrix)}, Attributes{},
                    "MAXIMUM MAXIMUM"});
    rows.push_back({"Where", Inputs{in(kMatrix, kBoolType), in(kMatrix), in(kMatrix)}, Attributes{},
                    "SELECT"});
    return rows;
}

std::vector<Row> imageRows() {
    return {
            {"Conv", Inputs{in(kImage), ramp({2, 4, 3, 3}), ramp({2})},
             Attributes{{"pads", {1, 1, 1, 1}}}, "CONV_2D"},
            {"Conv depthwise", Inputs{in(kImage), ramp({8, 1, 3, 3})}, Attributes{{"group", 4}},
             "DEPTHWISE_CONV_2D"},
            {"Conv in groups", Inputs{in(kImage), ramp({4, 2, 3, 3})}, Attributes{{"group", 2}},
             "GROUPED_CONV_2D"},
            {"Conv dilated", Inputs{in(kImage), ramp({2, 4, 2, 2})},
             Attributes{{"dilations", {2, 2}}, {"strides", {1, 2}}}, "CONV_2D"},
            {"Conv of a signal", Inputs{in({1, 4, 9}), ramp({2, 4, 3})},
             Attributes{{"auto_pad", "SAME_UPPER"}}, "RESHAPE CONV_2D RESHAPE"},
            {"Conv of a computed filter", Inputs{in(kImage), in({2, 4, 3, 3})}, Attributes{},
             "TRANSPOSE CONV_2D"},
            {"ConvTranspose", Inputs{in(kImage), ramp({4, 2, 3, 3})},
             Attributes{{"strides", {2, 2}}, {"output_padding", {1, 0}}}, "TRANSPOSE_CONV_2D"},
            {"AveragePool", Inputs{in(kImage)}, Attributes{{"kernel_shape", {2, 2}}},
             "AVERAGE_POOL_2D"},
            {"AveragePool that counts padding", Inputs{in(kImage)},
             Attributes{{"kernel_shape", {3, 3}}, {"pads", {1, 1, 1, 1}}, {"count_include_pad", 1}},
             "PAD AVERAGE_POOL_2D"},
            {"MaxPool", Inputs{in(kImage)},
             Attributes{{"kernel_shape", {3, 3}}, {"strides", {2, 2}}, {"ceil_mode", 1}},
             "MAX_POOL_2D"},
            {"GlobalAveragePool", Inputs{in(kImage)}, Attributes{}, "AVERAGE_POOL_2D"},
            {"GlobalMaxPool", Inputs{in(kImage)}, Attributes{}, "MAX_POOL_2D"},
            {"DepthToSpace", Inputs{in(kImage)}, Attributes{{"blocksize", 2}}, "DEPTH_TO_SPACE"},
            {"DepthToSpace CRD", Inputs{in({1, 8, 2, 3})},
             Attributes{{"blocksize", 2}, {"mode", "CRD"}}, "GATHER DEPTH_TO_SPACE"},
            {"SpaceToDepth", Inputs{in({1, 2, 4, 6})}, Attributes{{"blocksize", 2}},
             "SPACE_TO_DEPTH"},
            {"Resize", Inputs{in(kImage), none(), reals({1, 1, 2, 2})},
             Attributes{{"mode", "linear"}}, "RESIZE_BILINEAR"},
            {"Resize nearest", Inputs{in(kImage), none(), none(), ints({1, 4, 12, 10})},
             Attributes{{"coordinate_transformation_mode", "asymmetric"},
                        {"nearest_mode", "floor"}},
             "RESIZE_NEAREST_NEIGHBOR"},
            {"Resize gathered", Inputs{in(kImage), none(), none(), ints({1, 4, 9, 5})},
             Attributes{{"nearest_mode", "ceil"}}, "GATHER"},
            {"Upsample", Inputs{in(kImage), reals({1, 1, 2, 2})}, Attributes{},
             "RESIZE_NEAREST_NEIGHBOR", 9},
            {"BatchNormalization", Inputs{in(kImage), ramp({4}), ramp({4}), ramp({4}), ramp({4})},
             Attributes{}, "MUL ADD"},
            {"InstanceNormalization", Inputs{in(kImage), ramp({4}), ramp({4})}, Attributes{},
             "MEAN SUB MUL MEAN ADD SQRT DIV RESHAPE MUL RESHAPE ADD"},
            {"LRN", Inputs{in(kImage)}, Attributes{{"size", 3}}, "LOCAL_RESPONSE_NORMALIZATION"},
    };
}

std::vector<Row> shapeRows() {
    return {
            {"Reshape", Inputs{in(kMatrix), ints({3, -1})}, Attributes{}, "RESHAPE"},
            {"Flatten", Inputs{in(kImage)}, Attributes{}, "RESHAPE"},
            {"Squeeze", Inputs{in({2, 1, 3}), ints({1})}, Attributes{}, "RESHAPE"},
            {"Unsqueeze", Inputs{in(kMatrix), ints({0, 3})}, Attributes{}, "RESHAPE"},
            {"Unsqueeze of integers", Inputs{in(kMatrix, kInt32Type), ints({1})}, Attributes{},
             "EXPAND_DIMS"},
            {"Transpose", Inputs{in(kMatrix)}, Attributes{{"perm", {1, 0}}}, "TRANSPOSE"},
            {"Concat", Inputs{in(kMatrix), in({2, 2})}, Attributes{{"axis", -1}}, "CONCATENATION"},
            {"Slice", Inputs{in(kImage), ints({1}), ints({100}), ints({2}), ints({2})},
             Attributes{}, "STRIDED_SLICE"},
            {"Slice backwards",
             Inputs{in(kMatrix), ints({-1}), ints({-100}), ints({1}), ints({-1})}, Attributes{},
             "STRIDED_SLICE"},
            {"Slice of integers", Inputs{in(kMatrix, kInt32Type), ints({1}), ints({3}), ints({1})},
             Attributes{}, "SLICE"},
            {"Split", Inputs{in(kImage)}, Attributes{{"axis", 1}}, "SPLIT", 13, 2},
            {"Split unevenly", Inputs{in(kMatrix), ints({1, 2})}, Attributes{{"axis", 1}},
             "STRIDED_SLICE STRIDED_SLICE", 13, 2},
            {"Gather", Inputs{in(kMatrix), ints({1, -1})}, Attributes{{"axis", 1}}, "GATHER"},
            {"Gather by an input", Inputs{in(kMatrix), in({2}, kInt64Type)}, Attributes{},
             "LESS ADD SELECT GATHER"},
            {"Expand", Inputs{in({3, 1}), ints({2, 3, 4})}, Attributes{}, "RESHAPE TILE"},
            {"Tile", Inputs{in(kMatrix), ints({2, 1})}, Attributes{}, "TILE"},
            {"Pad", Inputs{in(kMatrix), ints({1, 0, 0, 2})}, Attributes{}, "PAD"},
            {"Pad with a value", Inputs{in(kMatrix), ints({1, 0, 0, 2}), scalar(1.5f)},
             Attributes{}, "PAD_V2"},
            {"Pad reflect", Inputs{in(kMatrix), ints({1, 0, 0, 2})},
             Attributes{{"mode", "reflect"}}, "MIRROR_PAD"},
            {"Constant", Inputs{},
             Attributes{{"value", tensorMessage("", kFloatType, {1}, std::string(4, '\0'))}},
             "RESHAPE"},
            {"ConstantOfShape", Inputs{ints({2, 2})}, Attributes{}, "RESHAPE"},
            {"Range", Inputs{scalar(1), scalar(3), scalar(0.5f)}, Attributes{}, "RESHAPE"},
            {"Mod of constants", Inputs{ints({7, -7}), ints({3, 3})}, Attributes{}, "MAXIMUM"},
            {"Round of constants", Inputs{reals({0.5f, 2.5f})}, Attributes{}, "RESHAPE"},
            {"Shape", Inputs{in(kMatrix)}, Attributes{}, "MAXIMUM"},
            {"Size", Inputs{in(kMatrix)}, Attributes{}, "MAXIMUM"},
    };
}

std::vector<Row> reductionRows() {
    std::vector<Row> rows;
    const auto reduce = [&](const char* name, const char* becomes) {
        rows.push_back({name, {in({2, 3, 4})}, {{"axes", std::vector<int64_t>{1}}}, becomes, 11});
    };
    reduce("ReduceMean", "MEAN");
    reduce("ReduceMax", "REDUCE_MAX");
    reduce("ReduceMin", "REDUCE_MIN");
    reduce("ReduceProd", "REDUCE_PROD");
    reduce("ReduceSum", "REDUCE_SUM");
    reduce("ReduceL1", "ABS REDUCE_SUM");
    reduce("ReduceL2", "MUL REDUCE_SUM SQRT");
    reduce("ReduceSumSquare", "MUL REDUCE_SUM");
    reduce("ReduceLogSum", "REDUCE_SUM LOG");
    reduce("ReduceLogSumExp", "EXP REDUCE_SUM LOG");
    const std::vector<Row> others = {
            {"ReduceSum by an input", Inputs{in({2, 3, 4}), ints({0, -1})},
             Attributes{{"keepdims", 0}}, "REDUCE_SUM"},
            {"ArgMax", Inputs{in(kMatrix)}, Attributes{{"axis", 1}}, "ARGMAX EXPAND_DIMS"},
            {"ArgMin", Inputs{in(kMatrix)}, Attributes{{"axis", 1}, {"keepdims", 0}}, "ARGMIN"},
            {"TopK", Inputs{in({2, 5}), ints({2})}, Attributes{}, "TOPK_V2", 13, 2},
            {"LayerNormalization", Inputs{in({2, 3, 4}), ramp({4}), ramp({4})}, Attributes{},
             "MEAN SUB MUL MEAN ADD SQRT DIV MUL ADD", 17},
            {"Softmax", Inputs{in(kMatrix)}, Attributes{}, "SOFTMAX"},
            {"Softmax flat", Inputs{in({2, 3, 4})}, Attributes{}, "RESHAPE SOFTMAX RESHAPE", 11},
            {"LogSoftmax", Inputs{in({2, 3, 4})}, Attributes{{"axis", 1}}, "LOG_SOFTMAX"},
            {"LpNormalization", Inputs{in(kMatrix)}, Attributes{}, "L2_NORMALIZATION"},
            {"Gemm", Inputs{in(kMatrix), ramp({4, 3}), ramp({4})}, Attributes{{"transB", 1}},
             "FULLY_CONNECTED"},
            {"Gemm with factors", Inputs{in({3, 2}), ramp({3, 4}), ramp({2, 1})},
             Attributes{{"alpha", 0.5f}, {"beta", 2.0f}, {"transA", 1}},
             "TRANSPOSE FULLY_CONNECTED MUL MUL ADD"},
            {"MatMul", Inputs{in({2, 2, 3}), ramp({3, 4})}, Attributes{},
             "FULLY_CONNECTED RESHAPE"},
            {"MatMul of inputs", Inputs{in({2, 2, 3}), in({2, 3, 4})}, Attributes{},
             "BATCH_MATMUL"},
            {"MatMul of a vector", Inputs{in({3}), in({3})}, Attributes{},
             "RESHAPE RESHAPE TRANSPOSE FULLY_CONNECTED RESHAPE"},
    };
    rows.insert(rows.end(), others.begin(), others.end());
    return rows;
}

// What two steps of a GRU become, each of which reads the state of the one before.
std::string stepsOfGru(const std::string& candidate) {
    const std::string step =
            "FULLY_CONNECTED ADD LOGISTIC SPLIT " + candidate + " ADD TANH SUB MUL ADD ";
    return step + step + "CONCATENATION RESHAPE ";
}

std::vector<Row> recurrentRows() {
    return {
            {"LSTM", Inputs{in({3, 1, 2}), weights({1, 16, 2}), weights({1, 16, 4})},
             Attributes{{"hidden_size", 4}},
             "UNIDIRECTIONAL_SEQUENCE_LSTM RESHAPE STRIDED_SLICE RESHAPE", 14, 3},
            {"LSTM in both directions",
             Inputs{in({3, 2, 2}), weights({2, 16, 2}), weights({2, 16, 4}), weights({2, 32}),
                    none(), in({2, 2, 4}), in({2, 2, 4}), weights({2, 12})},
             Attributes{{"hidden_size", 4}, {"direction", "bidirectional"}},
             "STRIDED_SLICE RESHAPE STRIDED_SLICE RESHAPE UNIDIRECTIONAL_SEQUENCE_LSTM RESHAPE "
             "STRIDED_SLICE STRIDED_SLICE STRIDED_SLICE RESHAPE STRIDED_SLICE RESHAPE "
             "UNIDIRECTIONAL_SEQUENCE_LSTM STRIDED_SLICE RESHAPE STRIDED_SLICE CONCATENATION "
             "CONCATENATION",
             14, 2},
            {"GRU", Inputs{in({2, 3, 2}), weights({1, 12, 2}), weights({1, 12, 4})},
             Attributes{{"hidden_size", 4}},
             "FULLY_CONNECTED SPLIT FULLY_CONNECTED SPLIT " + stepsOfGru("MUL FULLY_CONNECTED") +
                     "RESHAPE STRIDED_SLICE",
             14, 2},
            {"GRU in both directions",
             Inputs{in({2, 3, 2}), weights({2, 12, 2}), weights({2, 12, 4}), weights({2, 24}),
                    none(), in({2, 3, 4})},
             Attributes{{"hidden_size", 4},
                        {"direction", "bidirectional"},
                        {"linear_before_reset", 1}},
             "FULLY_CONNECTED SPLIT FULLY_CONNECTED SPLIT STRIDED_SLICE RESHAPE " +
                     stepsOfGru("FULLY_CONNECTED MUL") +
                     "RESHAPE STRIDED_SLICE STRIDED_SLICE FULLY_CONNECTED SPLIT FULLY_CONNECTED "
                     "SPLIT STRIDED_SLICE RESHAPE " +
                     stepsOfGru("FULLY_CONNECTED MUL") +
                     "STRIDED_SLICE RESHAPE STRIDED_SLICE CONCATENATION CONCATENATION",
             14, 2},
            {"GRU of batches",
             Inputs{in({3, 2, 2}),
                    weights({1, 12, 2}),
                    weights({1, 12, 4}),
                    weights({1, 24}),
                    {In::Kind::BYTES, {3}, kInt32Type, {2, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0}},
                    in({3, 1, 4})},
             Attributes{{"hidden_size", 4}, {"layout", 1}, {"direction", "reverse"}},
             "STRIDED_SLICE FULLY_CONNECTED RESHAPE SPLIT FULLY_CONNECTED RESHAPE SPLIT RESHAPE " +
                     stepsOfGru("MUL FULLY_CONNECTED") + "STRIDED_SLICE RESHAPE STRIDED_SLICE",
             14, 2},
            {"RNN",
             Inputs{in({3, 2, 2}), weights({1, 4, 2}), weights({1, 4, 4}), weights({1, 8}), none(),
                    in({1, 2, 4})},
             Attributes{{"hidden_size", 4}, {"direction", "reverse"}},
             "STRIDED_SLICE RESHAPE UNIDIRECTIONAL_SEQUENCE_RNN STRIDED_SLICE RESHAPE "
             "STRIDED_SLICE",
             14, 2},
    };
}

// Of uint8, or of int8 with the same numbers in elements that are 128 less.
std::vector<Row> quantizedRows(int type) {
    const std::string other = "com.microsoft";
    const std::string suffix = type == kInt8Type ? " of int8" : "";
    const In x = in(kImage, type), scale = scalar(0.5f);
    const auto element = [&](int64_t ofUint8) {
        return type == kInt8Type ? ofUint8 - 128 : ofUint8;
    };
    const auto zero = [&](int64_t ofUint8 = 128) { return small(type, {}, element(ofUint8)); };
    const auto unary = [&](In outputScale, In outputZero) {
        return std::vector<In>{x, scale, zero(), std::move(outputScale), std::move(outputZero)};
    };
    return {
            {"QuantizeLinear" + suffix, Inputs{in(kMatrix), scale, zero()}, Attributes{},
             "QUANTIZE"},
            {"DequantizeLinear" + suffix, Inputs{in(kMatrix, type), scale, zero()}, Attributes{},
             "DEQUANTIZE"},
            {"QLinearConv" + suffix,
             Inputs{x, scale, zero(), small(type, {2, 4, 3, 3}, element(120)), scale, zero(),
                    scalar(20), zero()},
             Attributes{}, "CONV_2D"},
            {"QLinearConv with scales of channels" + suffix,
             Inputs{x, scale, zero(), small(kInt8Type, {2, 4, 3, 3}), reals({0.5f, 0.25f}),
                    small(kInt8Type, {1}), scalar(20), zero()},
             Attributes{}, "CONV_2D"},
            {"QLinearMatMul" + suffix,
             Inputs{in(kMatrix, type), scale, zero(), small(type, {3, 4}, element(120)), scale,
                    zero(), scalar(4), zero()},
             Attributes{}, "FULLY_CONNECTED"},
            {"QLinearAdd" + suffix,
             Inputs{x, scale, zero(), x, scale, zero(100), scalar(2), zero()}, Attributes{}, "ADD",
             13, 1, other},
            {"QLinearMul" + suffix,
             Inputs{x, scale, zero(), x, scale, zero(100), scalar(40), zero()}, Attributes{}, "MUL",
             13, 1, other},
            {"QLinearSigmoid" + suffix, unary(scalar(1 / 256.0f), zero(0)), Attributes{},
             "LOGISTIC", 13, 1, other},
            {"QLinearSoftmax" + suffix,
             Inputs{x, scalar(1 / 64.0f), zero(), scalar(1 / 256.0f), zero(0)},
             Attributes{{"axis", 3}, {"opset", 13}}, "SOFTMAX", 13, 1, other},
            {"QLinearConcat" + suffix,
             Inputs{scalar(0.25f), zero(100), x, scale, zero(), x, scalar(0.25f), zero(90)},
             Attributes{{"axis", 1}}, "CONCATENATION", 13, 1, other},
            {"QLinearLeakyRelu" + suffix, unary(scalar(0.5f), zero()), Attributes{{"alpha", 0.25f}},
             "PRELU", 13, 1, other},
            {"QLinearAveragePool" + suffix, unary(scalar(0.5f), zero()),
             Attributes{{"kernel_shape", {2, 2}}}, "AVERAGE_POOL_2D", 13, 1, other},
            {"QLinearGlobalAveragePool" + suffix, unary(scalar(0.5f), zero()), Attributes{},
             "AVERAGE_POOL_2D", 13, 1, other},
    };
}

// Branches that read different values around them, and one that computes nothing.
std::vector<OnnxOperatorFile> branchFiles() {
    OnnxFile known(13);
    known.input("x", kMatrix).bytes("condition", kBoolType, {}, {0});
    known.node("If", {"condition"}, {"y"},
               {{"then_branch", branchOf("Abs", "x", "a")},
                {"else_branch", branchOf("Neg", "x", "b")}});
    const auto computed = [](const std::string& condition) {
        OnnxFile file(13);
        file.input("condition", {}, kBoolType).node("Not", {"condition"}, {"opposite"});
        file.input("x", kMatrix).input("z", {3}).floats("w", {2, 3}, {1, 2, 3, 4, 5, 6});
        file.node("Exp", {"x"}, {"wide"});
        const OnnxBranch product = OnnxFile(13)
                                           .node("Mul", {"wide", "x"}, {"b"})
                                           .node("Identity", {"w"}, {"c"})
                                           .output("b")
                                           .output("c")
                                           .graph();
        file.node("If", {condition}, {"y", "same"},
                  {{"then_branch", OnnxFile(13)
                                           .floats("v", {3}, {1, 2, 3})
                                           .node("Add", {"z", "v"}, {"a"})
                                           .node("Mul", {"a", "w"}, {"b"})
                                           .node("Identity", {"wide"}, {"c"})
                                           .output("b")
                                           .output("c")
                                           .graph()},
                   {"else_branch", product}});
        return file.output("y").output("same").bytes();
    };
    OnnxFile nested(13);
    nested.input("condition", {}, kBoolType).input("x", kMatrix).input("z", kMatrix);
    const auto inner = OnnxFile(13)
                               .node("If", {"condition"}, {"c"},
                                     {{"then_branch", branchOf("Abs", "z", "a")},
                                      {"else_branch", branchOf("Neg", "x", "b")}})
                               .output("c");
    nested.node("If", {"condition"}, {"y"},
                {{"then_branch", inner.graph()}, {"else_branch", branchOf("Exp", "x", "a")}});
    return {
            {"If", known.output("y").bytes(), "NEG"},
            {"If of an input", computed("condition"), "EXP IF"},
            {"If of its opposite", computed("opposite"), "LOGICAL_NOT EXP IF"},
            {"If in a branch", nested.output("y").bytes(), "IF"},
    };
}

// Loops that end after some iterations, by their condition, and by what comes first.
std::vector<OnnxOperatorFile> loopFiles() {
    const auto file = [](const std::string& name, const std::string& trips,
                         const std::string& condition, const std::string& next,
                         const std::string& becomes) {
        OnnxFile body(13);
        body.input("i", {}, kInt64Type).input("before", {}, kBoolType).input("v", kMatrix);
        body.node("Cast", {"i"}, {"number"}, {{"to", kFloatType}}).node("Abs", {"z"}, {"size"});
        body.node("Add", {"v", "size"}, {"more"}).node("Add", {"more", "number"}, {"after"});
        body.node("ReduceMax", {"after"}, {"most"}, {{"keepdims", 0}});
        body.node("Less", {"most", "bound"}, {"isBelow"}).output(next).output("after");
        OnnxFile loop(13);
        loop.input("x", kMatrix).input("z", kMatrix).floats("bound", {}, {20});
        loop.bytes("three", kInt64Type, {}, {3, 0, 0, 0, 0, 0, 0, 0});
        loop.bytes("many", kInt64Type, {}, {255, 255, 255, 255, 255, 255, 255, 127});
        loop.node("ReduceMax", {"z"}, {"reach"}, {{"keepdims", 0}});
        loop.node("Cast", {"reach"}, {"some"}, {{"to", kInt64Type}});
        loop.node("Less", {"reach", "bound"}, {"isSmall"});
        loop.node("Loop", {trips, condition, "x"}, {"y"}, {{"body", body.graph()}});
        return OnnxOperatorFile{"Loop " + name, loop.output("y").output("isSmall").bytes(),
                                becomes};
    };
    const std::string before = "REDUCE_MAX CAST LESS ";
    // What each iteration computes, of a sum and of its number.
    OnnxFile body(13);
    body.input("i", {}, kInt64Type).input("goesOn", {}, kBoolType).input("v", kMatrix);
    body.node("Add", {"v", "z"}, {"sum"}).node("Cast", {"i"}, {"number"}, {{"to", kFloatType}});
    body.node("Identity", {"goesOn"}, {"next"})
            .node("ReduceMax", {"sum"}, {"most"}, {{"keepdims", 0}});
    body.node("Mul", {"number", "most"}, {"product"});
    body.node("Identity", {"sum"}, {"row"});
    body.output("next").output("sum").output("row").output("product");
    OnnxFile rows(13);
    rows.input("x", kMatrix).input("z", kMatrix);
    rows.bytes("three", kInt64Type, {}, {3, 0, 0, 0, 0, 0, 0, 0});
    rows.node("Loop", {"three", "", "x"}, {"y", "sums", "products"}, {{"body", body.graph()}});
    return {
            {"Loop that collects", rows.output("y").output("sums").output("products").bytes(),
             "ADD REDUCE_MAX MUL ADD REDUCE_MAX MUL ADD REDUCE_MAX MUL RESHAPE RESHAPE RESHAPE "
             "CONCATENATION CONCATENATION"},
            file("of some iterations", "some", "isSmall", "before", before + "WHILE"),
            file("of three iterations", "three", "", "isBelow", "REDUCE_MAX LESS WHILE"),
            file("of many iterations", "many", "isSmall", "isBelow", "REDUCE_MAX LESS WHILE"),
            file("while a condition is true", "", "isSmall", "isBelow", "REDUCE_MAX LESS WHILE"),
    };
}

// Five axes, as in attention: they are there between operators that move elements.
std::vector<OnnxOperatorFile> fiveAxesFiles() {
    const auto begun = [](int64_t version = 11) {
        OnnxFile file(version);
        file.input("x", {1, 6, 24}).integers("split", {1, 6, 3, 2, 4});
        file.node("Reshape", {"x", "split"}, {"wide"});
        return file;
    };
    const std::vector<int64_t> order{2, 0, 3, 1, 4}, first{0};
    OnnxFile sliced = begun();
    sliced.node("Transpose", {"wide"}, {"moved"}, {{"perm", order}});
    sliced.integers("from", {1}).integers("to", {2}).integers("axis", {0});
    sliced.node("Slice", {"moved", "from", "to", "axis"}, {"one"});
    sliced.node("Squeeze", {"one"}, {"y"}, {{"axes", first}}).output("y");
    OnnxFile gathered = begun();
    gathered.integers("which", {-1}).node("Transpose", {"wide"}, {"moved"}, {{"perm", order}});
    gathered.node("Gather", {"moved", "which"}, {"one"});
    gathered.node("Reshape", {"one", "all"}, {"y"}).integers("all", {6, 8}).output("y");
    OnnxFile split = begun();
    split.node("Split", {"wide"}, {"a", "b", "c"}, {{"axis", 2}});
    split.node("Squeeze", {"b"}, {"y"}, {{"axes", std::vector<int64_t>{0, 2}}}).output("y");
    OnnxFile output = begun();
    output.node("Transpose", {"wide"}, {"y"}, {{"perm", {0, 3, 4, 1, 2}}}).output("y");
    OnnxFile normalized = begun(17);
    normalized.floats("scale", {2, 4}, {1, 2, 3, 4, 5, 6, 7, 8}).integers("flat", {6, 24});
    normalized.node("LayerNormalization", {"wide", "scale", "scale"}, {"n"}, {{"axis", -2}});
    normalized.node("Reshape", {"n", "flat"}, {"y"}).output("y");
    OnnxFile elements = begun(13);
    std::vector<uint8_t> indices(36 * sizeof(int64_t), 0);
    for (size_t i = 0; i < 36; ++i) indices[i * sizeof(int64_t)] = static_cast<uint8_t>(i % 4);
    elements.bytes("i", kInt64Type, {1, 6, 3, 2, 1}, indices).integers("flat", {6, 6});
    elements.node("GatherElements", {"wide", "i"}, {"e"}, {{"axis", 4}});
    elements.node("Reshape", {"e", "flat"}, {"y"}).output("y");
    return {
            {"LayerNormalization of five axes", normalized.bytes(),
             "RESHAPE MEAN SUB MUL MEAN ADD SQRT DIV RESHAPE MUL RESHAPE ADD RESHAPE"},
            {"GatherElements of five axes", elements.bytes(), "RESHAPE GATHER RESHAPE"},
            {"Slice of five axes", sliced.bytes(), "RESHAPE TRANSPOSE STRIDED_SLICE"},
            {"Gather of five axes", gathered.bytes(), "RESHAPE TRANSPOSE RESHAPE GATHER RESHAPE"},
            {"Split of five axes", split.bytes(), "RESHAPE SPLIT RESHAPE"},
            {"Transpose of five axes", output.bytes(), "RESHAPE TRANSPOSE RESHAPE"},
    };
}

}  // namespace

std::vector<OnnxOperatorFile> onnxOperatorFiles() {
    std::vector<OnnxOperatorFile> files;
    for (const auto& rows : {elementwiseRows(), composedRows(), indexRows(), imageRows(),
                             splitImageRows(), shapeRows(), reductionRows(), recurrentRows(),
                             quantizedRows(kUint8Type), quantizedRows(kInt8Type)}) {
        for (const Row& row : rows) files.push_back(fileOf(row));
    }
    for (const auto& more : {branchFiles(), loopFiles(), fiveAxesFiles(), onnxGraphFiles()})
        files.insert(files.end(), more.begin(), more.end());
    return files;
}

}  // namespace nn::onnx
