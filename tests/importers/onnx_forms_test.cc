// Forms of operators of ONNX that few files have: the imported operations, or the reasons for the
// refusal.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/status_message.h"
#include "importers/onnx/file.h"
#include "nnapi/import/onnx.h"
#include "onnx_file.h"

namespace nn::onnx::forms_test {
namespace {

using Sizes = std::vector<int64_t>;
using Attributes = std::vector<OnnxAttribute>;

// The operations that a file becomes, or the first reason why it does not.
std::string becomes(const OnnxFile& file) {
    const auto imported = importOnnx(bytesOf(file.bytes()), {});
    if (!imported.ok()) return messageOf(imported.status());
    if (const Status refused = preparationErrors(*imported); !refused.ok()) {
        const std::string text = messageOf(refused);
        const size_t begin = text.find("): ") + 3;
        return text.substr(begin, text.find('\n', begin) - begin);
    }
    std::string operations;
    for (const Operation& each : imported->parts.front().model.main.operations) {
        operations += (operations.empty() ? "" : " ") + toString(each.type);
    }
    return operations;
}

// One operator that reads an input "x" of floats, and what else it names.
OnnxFile of(int64_t version, const Sizes& dimensions, std::string_view type,
            const std::vector<std::string>& more = {}, const Attributes& attributes = {}) {
    OnnxFile file(version);
    std::vector<std::string> inputs{"x"};
    inputs.insert(inputs.end(), more.begin(), more.end());
    return file.input("x", dimensions).node(type, inputs, {"y"}, attributes).output("y");
}

// Between two quantized values: x of bytes with the scale 1/2 and the zero point 128.
OnnxFile quantized(std::string_view type, float scale, uint8_t zeroPoint,
                   const std::vector<std::string>& more = {}, const Attributes& attributes = {},
                   const Sizes& dimensions = {1, 2, 4, 4}) {
    OnnxFile file(13);
    file.input("q", dimensions, kUint8Type).floats("s", {}, {0.5f});
    file.bytes("z", kUint8Type, {}, {128}).floats("so", {}, {scale});
    file.bytes("zo", kUint8Type, {}, {zeroPoint});
    std::vector<std::string> inputs{"x"};
    inputs.insert(inputs.end(), more.begin(), more.end());
    file.node("DequantizeLinear", {"q", "s", "z"}, {"x"}).node(type, inputs, {"r"}, attributes);
    return file.node("QuantizeLinear", {"r", "so", "zo"}, {"y"}).output("y");
}

struct Row {
    std::string name;
    OnnxFile file;
    std::string becomes;
};

std::vector<Row> rows() {
    const Sizes picture{1, 2, 4, 4};
    const auto omitted = [] {
        OnnxFile file(13);
        return file.input("x", {2}).node("Relu", {"x"}, {""}).node("Abs", {"x"}, {"y"}).output("y");
    };
    const auto indices = [] {
        OnnxFile file(13);
        file.input("x", {1, 2, 4, 4})
                .node("MaxPool", {"x"}, {"y", "i"}, {{"kernel_shape", Sizes{2, 2}}});
        return file.output("y").output("i");
    };
    const auto twoScales = [] {
        OnnxFile file(13);
        file.input("q", {2}, kUint8Type).floats("s", {}, {0.5f}).floats("t", {}, {0.25f});
        file.bytes("z", kUint8Type, {}, {128});
        file.node("DequantizeLinear", {"q", "s", "z"}, {"a"});
        file.node("DequantizeLinear", {"q", "t", "z"}, {"b"});
        return file.node("Add", {"a", "b"}, {"y"}).output("y");
    };
    const auto gather = [](const Sizes& dimensions, const Sizes& ofIndices) {
        OnnxFile file = of(13, dimensions, "Gather", {"i"});
        return file.input("i", ofIndices, kInt32Type);
    };
    const auto concat = [] {
        OnnxFile file(13);
        file.input("x", {1 << 30}, kInt32Type);
        return file.node("Concat", {"x", "x", "x"}, {"y"}, {{"axis", 0}}).output("y");
    };
    const auto padded = [](float value) {
        return quantized("Pad", 0.5f, 128, {"pads", "value"})
                .integers("pads", {0, 0, 1, 1, 0, 0, 1, 1})
                .floats("value", {}, {value});
    };
    const auto topK = [](int64_t k) {
        OnnxFile file(13);
        file.input("x", {2, 5}).integers("k", {k}).node("TopK", {"x", "k"}, {"y", "i"});
        return file.output("y").output("i");
    };
    const Sizes five{2, 2, 3, 4, 5};
    return {
            // ---- nodes
            {"an output that is omitted", omitted(), "ABS"},
            {"an attribute that is not known", of(13, {2}, "Relu", {}, {{"slope", 1}}),
             "has the attribute \"slope\", allowed none"},
            {"an input too few", of(13, {2}, "Add"), "has 1 input, allowed 2"},
            {"an input too many", of(13, {2}, "Relu", {"x"}), "has 2 inputs, allowed 1"},
            {"no inputs of many", OnnxFile(13).node("Concat", {}, {"y"}, {{"axis", 0}}).output("y"),
             "has 0 inputs, allowed 1 or more"},
            {"an input too many of some", of(13, {2}, "Clip", {"x", "x", "x"}),
             "has 4 inputs, allowed 1 to 3"},
            {"an output that nothing computes", indices(),
             "tensor \"i\" is output 1, allowed an output that nothing reads"},
            // ---- shapes
            {"Slice of five axes",
             of(13, five, "Slice", {"b", "e"})
                     .integers("b", {0, 0, 0, 0, 0})
                     .integers("e", {1, 1, 2, 3, 4}),
             "SLICE"},
            {"Slice of five axes with steps",
             of(13, five, "Slice", {"b", "e", "a", "s"})
                     .integers("b", {0, 0, 0, 0, 0})
                     .integers("e", {1, 1, 2, 3, 4})
                     .integers("a", {0, 1, 2, 3, 4})
                     .integers("s", {1, 1, 2, 2, 2}),
             "GATHER GATHER GATHER GATHER GATHER"},
            {"Slice of all",
             of(13, {2, 3}, "Slice", {"b", "e"}).integers("b", {0, 0}).integers("e", {2, 3}),
             "RESHAPE"},
            {"Slice without as many ends",
             of(13, {4}, "Slice", {"b", "e"}).integers("b", {0, 0}).integers("e", {1}),
             "has bounds that do not fit its input, allowed one for each axis, and no step of 0"},
            {"Gather by a matrix", gather({4, 3}, {2, 2}), "LESS ADD SELECT GATHER"},
            {"Gather by a scalar", gather({4, 3}, {}), "LESS ADD SELECT GATHER RESHAPE"},
            {"Gather of a list by a scalar", gather({4}, {}), "LESS ADD SELECT GATHER"},
            {"Concat of more than 2^31", concat(),
             "has a result of the size 3221225472, allowed 2^31 - 1"},
            {"Reshape by an input", of(13, {4}, "Reshape", {"s"}).input("s", {1}, kInt64Type),
             "tensor \"s\" is computed, or an input, allowed a constant"},
            {"Reshape of an old file", of(1, {4}, "Reshape", {}, {{"shape", Sizes{2, 2}}}),
             "RESHAPE"},
            {"Reshape to another size", of(13, {4}, "Reshape", {"s"}).integers("s", {3}),
             "tensor \"x\" has the dimensions [4], allowed dimensions that fit"},
            {"Reshape to two sizes that follow",
             of(13, {4}, "Reshape", {"s"}).integers("s", {-1, -1}),
             "tensor \"x\" has the dimensions [4], allowed dimensions that fit"},
            {"Squeeze without axes", of(13, {1, 4, 1}, "Squeeze"), "RESHAPE"},
            {"Squeeze of an axis that is not 1",
             of(13, {1, 4}, "Squeeze", {"a"}).integers("a", {1}),
             "tensor \"x\" has the dimensions [1, 4], allowed dimensions that fit"},
            {"Unsqueeze by an input", of(13, {4}, "Unsqueeze", {"a"}).input("a", {1}, kInt64Type),
             "tensor \"a\" is computed, or an input, allowed a constant"},
            {"Unsqueeze beyond the rank", of(13, {4}, "Unsqueeze", {"a"}).integers("a", {3}),
             "tensor \"x\" has the dimensions [4], allowed dimensions that fit"},
            {"Tile of another rank", of(13, {4}, "Tile", {"r"}).integers("r", {1, 2}),
             "tensor \"r\" is [1, 2], allowed a number above 0 for each axis"},
            {"Transpose of as many axes", of(13, {2, 3}, "Transpose", {}, {{"perm", Sizes{0}}}),
             "has perm [0], allowed each axis once"},
            {"Flatten beyond the rank", of(13, {2, 3}, "Flatten", {}, {{"axis", 3}}),
             "tensor \"x\" has the dimensions [2, 3], allowed dimensions that fit"},
            {"Expand by nothing that fits", of(13, {2}, "Expand", {"s"}).integers("s", {3}),
             "tensor \"s\" is [3], allowed a shape to which [2] is broadcast"},
            {"Split into as many", of(13, {4}, "Split", {"s"}).integers("s", {1, 3}),
             "has parts of the sizes [1, 3], allowed 1 sizes above 0 that sum to 4"},
            {"TopK of one", topK(1), "TOPK_V2"},
            {"TopK of all", topK(5), "TOPK_V2"},
            {"TopK of none", topK(0), "has k 0, allowed 1 to the size of the axis"},
            {"TopK of more", topK(6), "has k 6, allowed 1 to the size of the axis"},
            // ---- labels
            {"a loss of classes without batches",
             of(13, {3}, "NegativeLogLikelihoodLoss", {"l", "w"})
                     .integers("l", {1})
                     .floats("w", {3}, {1, 1, 1}),
             "tensor \"l\" has the dimensions [1], allowed those of [3] without axis 1"},
            {"a loss with a weight too few",
             of(13, {2, 3}, "SoftmaxCrossEntropyLoss", {"l", "w"})
                     .integers("l", {1, 0})
                     .floats("w", {2}, {1, 1}),
             "tensor \"w\" has the dimensions [2], allowed one weight for each class"},
            {"a loss of another form",
             of(13, {2, 3}, "SoftmaxCrossEntropyLoss", {"l"}, {{"reduction", "max"}})
                     .integers("l", {1, 0}),
             "has the reduction max, allowed mean, sum, none"},
            // ---- choices
            {"Compress by too many",
             of(13, {2}, "Compress", {"c"}).bytes("c", kBoolType, {3}, {1, 0, 1}),
             "tensor \"c\" has 3 elements, allowed at most 2"},
            {"Compress to nothing", of(13, {2}, "Compress", {"c"}).bytes("c", kBoolType, {1}, {0}),
             "tensor \"c\" is false, allowed a condition that is true somewhere"},
            {"Compress of an axis beyond",
             of(13, {2}, "Compress", {"c"}, {{"axis", 1}}).bytes("c", kBoolType, {1}, {1}),
             "has an axis that its input lacks, allowed an axis of its input"},
            {"ReverseSequence of later axes",
             of(13, {2, 2, 2}, "ReverseSequence", {"n"}, {{"time_axis", 2}}).integers("n", {1, 1}),
             "has time_axis 2 and batch_axis 1, allowed the first two axes"},
            {"ReverseSequence beyond the steps",
             of(13, {2, 2}, "ReverseSequence", {"n"}).integers("n", {1, 3}),
             "tensor \"n\" has other lengths, allowed one of 0 to the steps for each sequence"},
            // ---- paddings
            {"Pad with axes",
             of(18, picture, "Pad", {"p", "", "a"}).integers("p", {1, 1}).integers("a", {-1}),
             "PAD"},
            {"Pad with an axis that is not there",
             of(18, picture, "Pad", {"p", "", "a"}).integers("p", {1, 1}).integers("a", {4}),
             "has pads [1, 1], allowed two numbers for each axis"},
            {"Pad of an old file", of(1, {2, 2}, "Pad", {}, {{"paddings", Sizes{1, 0, 0, 1}}}),
             "PAD"},
            {"Pad by too few", of(13, {2, 2}, "Pad", {"p"}).integers("p", {1, 0}),
             "has pads [1, 0], allowed two numbers for each axis"},
            {"Pad with an empty value",
             of(13, {2, 2}, "Pad", {"p", "v"}).integers("p", {1, 0, 0, 1}).floats("v", {0}, {}),
             "tensor \"v\" is empty, allowed a number"},
            {"Pad with nothing", of(13, {2, 2}, "Pad", {"p"}).integers("p", {0, 0, 0, 0}),
             "RESHAPE"},
            {"Pad of bytes", padded(1), "PAD_V2"},
            {"Pad of bytes with a value out of their range", padded(1000),
             "DEQUANTIZE PAD_V2 QUANTIZE"},
            // ---- images
            {"DepthToSpace of a matrix", of(13, {4, 4}, "DepthToSpace", {}, {{"blocksize", 2}}),
             "tensor \"x\" has the dimensions [4, 4], allowed rank 4"},
            {"DepthToSpace by large blocks",
             of(13, picture, "DepthToSpace", {}, {{"blocksize", 5000}}),
             "has blocksize 5000 and mode DCR, allowed a size whose square divides the channels, "
             "and DCR or CRD"},
            {"SpaceToDepth of a matrix", of(13, {4, 4}, "SpaceToDepth", {}, {{"blocksize", 2}}),
             "tensor \"x\" has the dimensions [4, 4], allowed rank 4"},
            {"SpaceToDepth by large blocks",
             of(13, picture, "SpaceToDepth", {}, {{"blocksize", 5000}}),
             "has blocksize 5000, allowed one that divides height and width"},
            {"SpaceToDepth of another height",
             of(13, {1, 2, 3, 4}, "SpaceToDepth", {}, {{"blocksize", 2}}),
             "has blocksize 2, allowed one that divides height and width"},
            {"SpaceToDepth of another width",
             of(13, {1, 2, 4, 3}, "SpaceToDepth", {}, {{"blocksize", 2}}),
             "has blocksize 2, allowed one that divides height and width"},
            {"SpaceToDepth by the largest blocks",
             of(13, {1, 1, 4096, 4096}, "SpaceToDepth", {}, {{"blocksize", 4096}}),
             "SPACE_TO_DEPTH"},
            {"SpaceToDepth by larger blocks",
             of(13, {1, 1, 8192, 8192}, "SpaceToDepth", {}, {{"blocksize", 8192}}),
             "has blocksize 8192, allowed one that divides height and width"},
            {"Resize by too few scales",
             of(13, picture, "Resize", {"", "s"}).floats("s", {2}, {2, 2}),
             "has 2 scales, allowed one for each axis"},
            {"Resize of some axes",
             of(18, picture, "Resize", {"", "s"}, {{"axes", Sizes{2, 3}}}).floats("s", {2}, {2, 2}),
             "RESIZE_NEAREST_NEIGHBOR"},
            {"Resize of an axis that is not there",
             of(18, picture, "Resize", {"", "s"}, {{"axes", Sizes{2, 4}}}).floats("s", {2}, {2, 2}),
             "has axes [2, 4], allowed axes of its input"},
            {"Resize that keeps the ratio",
             of(18, picture, "Resize", {"", "", "t"}, {{"keep_aspect_ratio_policy", "not_larger"}})
                     .integers("t", {1, 2, 8, 8}),
             "RESHAPE"},
            {"Resize that keeps a ratio by another policy",
             of(18, picture, "Resize", {"", "", "t"}, {{"keep_aspect_ratio_policy", "cut"}})
                     .integers("t", {1, 2, 8, 8}),
             "has cut, allowed stretch, not_larger, not_smaller"},
            {"Resize to the same size",
             of(13, picture, "Resize", {"", "s"}).floats("s", {4}, {1, 1, 1, 1}), "RESHAPE"},
            {"Resize as PyTorch does",
             of(13, picture, "Resize", {"", "s"},
                {{"coordinate_transformation_mode", "pytorch_half_pixel"}, {"mode", "linear"}})
                     .floats("s", {4}, {1, 1, 2, 2}),
             "RESIZE_BILINEAR"},
            {"Resize to one row",
             of(13, picture, "Resize", {"", "s"},
                {{"coordinate_transformation_mode", "pytorch_half_pixel"}, {"mode", "linear"}})
                     .floats("s", {4}, {1, 1, 0.25f, 2}),
             "GATHER MUL GATHER MUL ADD GATHER MUL GATHER MUL ADD"},
            {"Resize to one pixel",
             of(13, picture, "Resize", {"", "s"},
                {{"coordinate_transformation_mode", "pytorch_half_pixel"}, {"mode", "linear"}})
                     .floats("s", {4}, {1, 1, 0.25f, 0.25f}),
             "GATHER MUL GATHER MUL ADD GATHER MUL GATHER MUL ADD"},
            // ---- compositions
            {"Elu of a negative alpha", of(13, {2}, "Elu", {}, {{"alpha", -0.5f}}),
             "has alpha -0.5, allowed 0 or more"},
            {"Elu without an exponential", of(13, {2}, "Elu", {}, {{"alpha", 0.0f}}), "ELU"},
            {"Selu of a negative alpha", of(13, {2}, "Selu", {}, {{"alpha", -0.5f}}),
             "has alpha -0.5, allowed 0 or more"},
            {"Selu of a negative gamma", of(13, {2}, "Selu", {}, {{"gamma", -2.0f}}), "ELU MUL"},
            {"Celu of a negative alpha", of(13, {2}, "Celu", {}, {{"alpha", -0.5f}}),
             "has alpha -0.5, allowed above 0"},
            {"Celu by zero", of(13, {2}, "Celu", {}, {{"alpha", 0.0f}}),
             "has alpha 0, allowed above 0"},
            {"Mod of real numbers", of(13, {2}, "Mod", {"x"}, {{"fmod", 1}}),
             "tensor \"x\" is of float, allowed int32, int64, or constants"},
            {"Gelu by another approximation", of(20, {2}, "Gelu", {}, {{"approximate", "sigmoid"}}),
             "has approximate sigmoid, allowed none, tanh"},
            {"GatherElements beyond the input",
             of(13, {2}, "GatherElements", {"i"}).integers("i", {2}),
             "tensor \"i\" has an index that is not in the input, allowed below 2"},
            {"GatherElements of another rank",
             of(13, {2, 2}, "GatherElements", {"i"}).integers("i", {1}),
             "tensor \"i\" has the dimensions [1], allowed integers, and those of [2, 2] except "
             "along axis 0"},
            {"GatherND beyond the input", of(13, {2, 2}, "GatherND", {"i"}).integers("i", {1, 2}),
             "tensor \"i\" has an index that is not in the input, allowed indices of its elements"},
            {"GatherND of more axes", of(13, {2}, "GatherND", {"i"}).integers("i", {0, 0}),
             "tensor \"i\" has the dimensions [2], allowed integers that index [2]"},
            {"ScatterND that adds by an input",
             of(16, {4}, "ScatterND", {"i", "u"}, {{"reduction", "add"}})
                     .input("i", {2, 1}, kInt64Type)
                     .input("u", {2}),
             "tensor \"i\" is computed, or an input, allowed a constant where updates are "
             "combined"},
            {"ScatterND by another reduction",
             of(16, {4}, "ScatterND", {"i", "u"}, {{"reduction", "mean"}})
                     .input("i", {2, 1}, kInt64Type)
                     .input("u", {2}),
             "has the reduction mean, allowed none, add, mul, max, min"},
            {"ScatterElements of other updates",
             of(16, {4}, "ScatterElements", {"i", "u"}).input("i", {2}, kInt64Type).input("u", {3}),
             "tensor \"u\" has the dimensions [3], allowed [2]"},
            {"OneHot of no size",
             of(13, {2}, "OneHot", {"d", "v"}).integers("d", {0}).floats("v", {2}, {0, 1}),
             "tensor \"d\" is no number of at least 1, allowed the size of the new axis"},
            {"CumSum of bytes",
             OnnxFile(14)
                     .input("q", {2}, kUint8Type)
                     .integers("a", {0})
                     .node("CumSum", {"q", "a"}, {"y"})
                     .output("y"),
             "tensor \"q\" is of uint8, allowed float, float16, int32, int64"},
            {"Pad around", of(19, {4}, "Pad", {"p"}, {{"mode", "wrap"}}).integers("p", {1, 1}),
             "has the mode wrap, allowed constant, reflect and edge"},
            {"Pad that leaves nothing", of(13, {4}, "Pad", {"p"}).integers("p", {-2, -2}),
             "has a result of the size 0, allowed 1 to 2^31 - 1"},
            {"Pad that leaves padding only", of(13, {4}, "Pad", {"p"}).integers("p", {-5, 3}),
             "leaves out an axis, allowed at least one element of each axis"},
            {"GroupNormalization of no groups",
             of(18, picture, "GroupNormalization", {"s", "s"}, {{"num_groups", 0}})
                     .floats("s", {1}, {1}),
             "has num_groups 0, allowed a divisor of the channels"},
            {"ConvInteger with large sums",
             OnnxFile(13)
                     .input("q", {1, 600, 1, 1}, kUint8Type)
                     .bytes("w", kUint8Type, {1, 600, 1, 1}, std::vector<uint8_t>(600, 255))
                     .node("ConvInteger", {"q", "w"}, {"y"})
                     .output("y"),
             "tensor \"w\" has a filter whose sums reach 2^24, allowed sums that real numbers "
             "hold"},
            // ---- bytes
            {"Sigmoid of bytes", quantized("Sigmoid", 1 / 256.0f, 0), "LOGISTIC"},
            {"Sigmoid of bytes with another scale", quantized("Sigmoid", 0.5f, 0),
             "DEQUANTIZE LOGISTIC QUANTIZE"},
            {"Tanh of bytes", quantized("Tanh", 1 / 128.0f, 128), "TANH"},
            {"MaxPool of bytes",
             quantized("MaxPool", 0.5f, 128, {}, {{"kernel_shape", Sizes{2, 2}}}), "MAX_POOL_2D"},
            {"MaxPool of bytes with another scale",
             quantized("MaxPool", 0.25f, 128, {}, {{"kernel_shape", Sizes{2, 2}}}),
             "DEQUANTIZE MAX_POOL_2D QUANTIZE"},
            {"Exp of bytes", quantized("Exp", 0.5f, 128), "DEQUANTIZE EXP QUANTIZE"},
            {"bytes with two scales", twoScales(),
             "tensor \"q\" is read with the scale 0.25 and the zero point 128, allowed 0.5 and "
             "128, which it has"},
    };
}

TEST(OnnxForms, BecomeWhatTheTableSays) {
    for (const Row& row : rows()) EXPECT_EQ(becomes(row.file), row.becomes) << row.name;
}

}  // namespace
}  // namespace nn::onnx::forms_test
