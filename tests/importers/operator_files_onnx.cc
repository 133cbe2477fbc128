// Graphs of several operators of ONNX: quantized groups, wide paddings, nodes in any order.
#include "onnx_file.h"
#include "onnx_operator_files.h"

namespace nn::onnx {
namespace {

using Sizes = std::vector<int64_t>;

std::vector<float> weights(size_t count) {
    std::vector<float> values(count);
    for (size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i * 7 % 17) / 16 - 0.5f;
    return values;
}

std::vector<uint8_t> bytes(size_t count) {
    std::vector<uint8_t> values(count);
    for (size_t i = 0; i < count; ++i) values[i] = static_cast<uint8_t>(100 + i * 7 % 57);
    return values;
}

// The padding of one side holds a whole window.
OnnxOperatorFile paddedConv(std::string name, const Sizes& filter, int group, Sizes pads,
                            std::string becomes) {
    OnnxFile file(13);
    file.input("x", {1, 4, 6, 5});
    const auto count = static_cast<size_t>(filter[0] * filter[1] * filter[2] * filter[3]);
    file.floats("w", filter, weights(count));
    file.node("Conv", {"x", "w"}, {"y"}, {{"pads", std::move(pads)}, {"group", group}});
    return {"Conv " + std::move(name), file.output("y").bytes(), std::move(becomes)};
}

// A value of bytes with the scale 1/32 and the zero point 128, and its real one.
OnnxFile quantizedInput(const Sizes& dimensions, int type = kUint8Type) {
    OnnxFile file(13);
    file.input("q", dimensions, type).floats("s", {}, {1 / 32.0f});
    file.bytes("z", type, {}, {static_cast<uint8_t>(type == kUint8Type ? 128 : 0)});
    file.node("DequantizeLinear", {"q", "s", "z"}, {"x"});
    return file;
}

OnnxOperatorFile withQuantizedOutput(std::string name, OnnxFile& file, std::string becomes,
                                     float scale = 1 / 16.0f) {
    file.floats("so", {}, {scale});
    file.node("QuantizeLinear", {"r", "so", "z"}, {"y"}).output("y");
    return {std::move(name), file.bytes(), std::move(becomes)};
}

std::vector<OnnxOperatorFile> quantizedFiles() {
    std::vector<OnnxOperatorFile> files;
    OnnxFile clip = quantizedInput({2, 3});
    clip.floats("lo", {}, {0}).floats("hi", {}, {1}).node("Clip", {"x", "lo", "hi"}, {"r"});
    files.push_back(withQuantizedOutput("Clip between equal scales", clip,
                                        "DEQUANTIZE MAXIMUM MINIMUM QUANTIZE", 1 / 32.0f));
    for (const float slope : {0.0f, -0.25f}) {
        OnnxFile leaky = quantizedInput({2, 3});
        leaky.node("LeakyRelu", {"x"}, {"r"}, {{"alpha", slope}});
        files.push_back(withQuantizedOutput(slope == 0 ? "LeakyRelu of bytes with the slope 0"
                                                       : "LeakyRelu of bytes with a slope below 0",
                                            leaky, "DEQUANTIZE PRELU QUANTIZE"));
    }
    OnnxFile product = quantizedInput({1, 2, 3});
    product.input("p", {1, 3, 2}, kUint8Type).node("DequantizeLinear", {"p", "s", "z"}, {"f"});
    product.node("MatMul", {"x", "f"}, {"r"});
    files.push_back(withQuantizedOutput("MatMul of two values of bytes", product,
                                        "DEQUANTIZE DEQUANTIZE BATCH_MATMUL QUANTIZE"));
    for (const char* type : {"MatMul", "Gemm"}) {
        OnnxFile channels = quantizedInput({2, 3});
        channels.bytes("w", kInt8Type, {3, 2}, {1, 2, 3, 4, 5, 6}).floats("sw", {2}, {0.25f, 0.5f});
        channels.bytes("zw", kInt8Type, {2}, {0, 0});
        channels.node("DequantizeLinear", {"w", "sw", "zw"}, {"f"}, {{"axis", 1}});
        channels.node(type, {"x", "f"}, {"r"});
        files.push_back(withQuantizedOutput(std::string(type) + " with scales for columns",
                                            channels, "DEQUANTIZE FULLY_CONNECTED QUANTIZE"));
    }
    OnnxFile back = quantizedInput({1, 2, 3, 3});
    back.bytes("w", kInt8Type, {2, 2, 2, 2}, std::vector<uint8_t>(16, 3));
    back.floats("sw", {2}, {0.25f, 0.5f}).bytes("zw", kInt8Type, {2}, {0, 0});
    back.node("DequantizeLinear", {"w", "sw", "zw"}, {"f"}, {{"axis", 0}});
    back.node("ConvTranspose", {"x", "f"}, {"r"});
    files.push_back(withQuantizedOutput("ConvTranspose with scales for inputs", back,
                                        "DEQUANTIZE TRANSPOSE_CONV_2D QUANTIZE"));
    return files;
}

// An operator on quantized values that has scales and zero points as inputs.
OnnxOperatorFile scaled(std::string name, const Sizes& dimensions, float from, float to,
                        std::vector<OnnxAttribute> attributes, std::string becomes) {
    OnnxFile file(13);
    file.input("x", dimensions, kUint8Type).floats("s", {}, {from}).floats("so", {}, {to});
    file.bytes("z", kUint8Type, {}, {100}).bytes("zo", kUint8Type, {}, {7});
    file.node(name.substr(0, name.find(' ')), {"x", "s", "z", "so", "zo"}, {"y"},
              std::move(attributes), "com.microsoft");
    return {std::move(name), file.output("y").bytes(), std::move(becomes)};
}

// A filter with scales for its channels and a zero point, which no operation has.
OnnxOperatorFile scaledConv() {
    OnnxFile file(13);
    file.input("x", {1, 2, 5, 5}, kUint8Type).floats("s", {}, {1 / 32.0f});
    file.bytes("z", kUint8Type, {}, {128}).bytes("w", kUint8Type, {3, 2, 3, 3}, bytes(54));
    file.floats("sw", {3}, {0.25f, 0.125f, 0.5f}).bytes("zw", kUint8Type, {3}, {120, 120, 120});
    file.floats("so", {}, {0.5f});
    file.bytes("b", kInt32Type, {3}, {100, 0, 0, 0, 200, 0, 0, 0, 50, 0, 0, 0});
    file.node("QLinearConv", {"x", "s", "z", "w", "sw", "zw", "so", "z", "b"}, {"y"});
    return {"QLinearConv with scales for channels and a zero point", file.output("y").bytes(),
            "DEQUANTIZE CONV_2D QUANTIZE"};
}

// One behind the other, in the other order.
OnnxOperatorFile unsorted() {
    OnnxFile branch(13), file(13);
    branch.node("Neg", {"late"}, {"b"}).output("b");
    file.input("x", {2, 3}).input("is", {}, kBoolType);
    file.node("Mul", {"i", "c"}, {"y"});
    file.node("If", {"is"}, {"i"},
              {{"then_branch", branch.graph()}, {"else_branch", branch.graph()}});
    file.node("Add", {"x", "c"}, {"late"});
    file.node("Constant", {}, {"c"}, {{"value_float", 3.0f}});
    return {"Mul before what it reads", file.output("y").bytes(), "ADD IF MUL"};
}

// Nothing that NNAPI lacks is computed, nor keeps Relu from becoming a part of Add.
OnnxOperatorFile unread() {
    OnnxFile branch(13), file(13);
    branch.node("NonZero", {"x"}, {"unread"}).node("Abs", {"x"}, {"b"}).output("b");
    file.input("x", {2, 3}).input("is", {}, kBoolType);
    file.node("If", {"is"}, {"i"},
              {{"then_branch", branch.graph()}, {"else_branch", branch.graph()}});
    file.node("Add", {"x", "i"}, {"a"}).node("NonZero", {"a"}, {"n"}).node("Relu", {"a"}, {"y"});
    file.node("Transpose", {"n"}, {"t"});
    return {"Relu beside what nothing reads", file.output("y").bytes(), "IF ADD"};
}

OnnxOperatorFile castBetweenIntegers() {
    OnnxFile file(13);
    file.input("x", {2, 3}).node("ArgMax", {"x"}, {"most"}, {{"axis", 1}});
    file.node("Cast", {"most"}, {"narrow"}, {{"to", kInt32Type}});
    file.node("Add", {"narrow", "narrow"}, {"twice"});
    file.node("Cast", {"twice"}, {"y"}, {{"to", kInt64Type}});
    return {"Cast between int64 and int32", file.output("y").bytes(), "ARGMAX EXPAND_DIMS ADD"};
}

}  // namespace

std::vector<OnnxOperatorFile> onnxGraphFiles() {
    std::vector<OnnxOperatorFile> files = quantizedFiles();
    files.insert(
            files.end(),
            {paddedConv("1x1 with padding", {2, 4, 1, 1}, 1, {1, 1, 1, 1}, "PAD CONV_2D"),
             paddedConv("with padding as wide as its kernel", {2, 4, 3, 3}, 1, {1, 1, 3, 2},
                        "PAD CONV_2D"),
             paddedConv("depthwise with wide padding", {4, 1, 2, 2}, 4, {2, 2, 2, 2},
                        "PAD DEPTHWISE_CONV_2D"),
             paddedConv("of groups with wide padding", {4, 2, 1, 1}, 2, {0, 1, 0, 0},
                        "PAD GROUPED_CONV_2D"),
             scaled("QLinearGlobalAveragePool to another scale", {1, 2, 4, 4}, 0.25f, 0.125f, {},
                    "DEQUANTIZE AVERAGE_POOL_2D QUANTIZE"),
             scaled("QLinearAveragePool to another scale", {1, 2, 4, 4}, 0.25f, 0.125f,
                    {{"kernel_shape", Sizes{2, 2}}}, "DEQUANTIZE AVERAGE_POOL_2D QUANTIZE"),
             scaled("QLinearSigmoid to another scale", {2, 3}, 0.0625f, 0.0078125f, {},
                    "DEQUANTIZE LOGISTIC QUANTIZE"),
             scaled("QLinearLeakyRelu to another scale", {2, 3}, 0.25f, 0.125f, {{"alpha", 0.25f}},
                    "PRELU"),
             scaled("QLinearLeakyRelu with a slope below 0", {2, 3}, 0.25f, 0.125f,
                    {{"alpha", -0.25f}}, "DEQUANTIZE PRELU QUANTIZE"),
             scaled("QLinearSoftmax to another scale", {2, 3, 2}, 0.0625f, 0.0078125f,
                    {{"axis", 1}, {"opset", 12}}, "DEQUANTIZE RESHAPE SOFTMAX RESHAPE QUANTIZE"),
             scaledConv(), unsorted(), unread(), castBetweenIntegers()});
    return files;
}

}  // namespace nn::onnx
