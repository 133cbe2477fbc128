// The operators that the export writes where TensorFlow Lite has an operator in fewer forms than
// NNAPI has the operation: several operators, a version, or a reason.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/status_message.h"
#include "importers/lite_file.h"
#include "importers/tflite/forms.h"
#include "nnapi/import/tflite.h"

namespace nn::tflite {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Op = BuiltinOperator;
constexpr TensorType kFloat = TensorType::FLOAT32, kInt8 = TensorType::INT8,
                     kUint8 = TensorType::UINT8, kBool = TensorType::BOOL;

std::vector<std::string> namesOf(const std::vector<uint8_t>& file) {
    std::vector<std::string> names;
    const auto model = UnPackModel(file.data());
    for (const auto& op : model->subgraphs.front()->operators) {
        const OperatorCodeT& kind = *model->operator_codes[op->opcode_index];
        names.push_back(std::string(EnumNameBuiltinOperator(kind.builtin_code)) + " " +
                        std::to_string(kind.version));
    }
    return names;
}

// The operators of a file, with their versions, after it was imported and exported.
std::vector<std::string> exported(LiteFile& file) {
    auto imported = importTflite(file.bytes());
    if (!imported.ok()) return {messageOf(imported.status())};
    const auto model = wholeModelOf(*std::move(imported));
    if (!model.ok()) return {messageOf(model.status())};
    const auto written = exportTflite(*model);
    if (!written.ok()) return {messageOf(written.status())};
    return namesOf(*written);
}

std::vector<std::string> exportedBinary(Op code, TensorType type, LiteScale a, LiteScale b,
                                        TensorType outType, LiteScale out) {
    LiteFile file;
    LiteGraph& g = file.main();
    const int32_t x = g.input(type, {2, 3}, a), y = g.input(type, {2, 3}, b);
    g.op(code, type == kInt8 ? 2 : 1, {x, y}, {g.output(outType, {2, 3}, out)});
    return exported(file);
}

constexpr LiteScale kFine{0.25f, 3}, kCoarse{0.5f, 7};

TEST(TfliteForms, UnequalScalesAreComputedAsRealNumbers) {
    EXPECT_THAT(exportedBinary(Op::MAXIMUM, kUint8, kFine, kCoarse, kUint8, kFine),
                ElementsAre("DEQUANTIZE 1", "DEQUANTIZE 1", "MAXIMUM 1", "QUANTIZE 1"));
    EXPECT_THAT(exportedBinary(Op::MINIMUM, kInt8, kFine, kFine, kInt8, kCoarse),
                ElementsAre("DEQUANTIZE 2", "DEQUANTIZE 2", "MINIMUM 1", "QUANTIZE 1"));
    EXPECT_THAT(exportedBinary(Op::LESS, kUint8, kFine, kCoarse, kBool, {}),
                ElementsAre("DEQUANTIZE 1", "DEQUANTIZE 1", "LESS 1"));
    const ConcatenationOptionsT options;
    LiteFile file;
    LiteGraph& g = file.main();
    const int32_t x = g.input(kInt8, {2, 3}, kFine), y = g.input(kInt8, {2, 3}, kCoarse);
    g.op(Op::CONCATENATION, 2, {x, y}, {g.output(kInt8, {4, 3}, kFine)}, options);
    EXPECT_THAT(exported(file),
                ElementsAre("DEQUANTIZE 2", "DEQUANTIZE 2", "CONCATENATION 1", "QUANTIZE 1"));
}

TEST(TfliteForms, OrdersOfTruthValuesAreLogic) {
    EXPECT_THAT(exportedBinary(Op::EQUAL, kBool, {}, {}, kBool, {}), ElementsAre("EQUAL 1"));
    EXPECT_THAT(exportedBinary(Op::LESS, kBool, {}, {}, kBool, {}),
                ElementsAre("LOGICAL_NOT 1", "LOGICAL_AND 1"));
}

TEST(TfliteForms, NumbersAreSaturatedBeforeTheyBecomeBytes) {
    for (const TensorType type : {kFloat, TensorType::INT32}) {
        LiteFile file;
        LiteGraph& g = file.main();
        CastOptionsT options;
        options.in_data_type = type;
        options.out_data_type = kUint8;
        g.op(Op::CAST, 1, {g.input(type, {2})}, {g.output(kUint8, {2}, kFine)}, options);
        EXPECT_THAT(exported(file), ElementsAre("MAXIMUM 1", "MINIMUM 1", "CAST 1"));
    }
}

TEST(TfliteForms, ActivationsOfTransposedConvolutionsFollowThem) {
    LiteFile file;
    LiteGraph& g = file.main();
    TransposeConvOptionsT options;
    options.padding = Padding::SAME;
    options.stride_w = options.stride_h = 2;
    options.fused_activation_function = ActivationFunctionType::RELU6;
    const int32_t size = g.ints({1, 4, 4, 1}), filter = g.numbers(kFloat, {1, 3, 3, 1});
    const int32_t image = g.input(kFloat, {1, 2, 2, 1}), bias = g.numbers(kFloat, {1});
    g.op(Op::TRANSPOSE_CONV, 4, {size, filter, image, bias}, {g.output(kFloat, {1, 4, 4, 1})},
         options);
    EXPECT_THAT(exported(file), ElementsAre("TRANSPOSE_CONV 3", "RELU6 1"));
}

// No tensor of a file is the new state.
TEST(TfliteForms, NewStatesThatAreReadAreRejected) {
    LiteFile file;
    LiteGraph& g = file.main();
    const int32_t x = g.input(kFloat, {2, 3}), state = g.variable(kFloat, {2, 4});
    const int32_t weights = g.numbers(kFloat, {4, 3}), recurrent = g.numbers(kFloat, {4, 4});
    g.op(Op::RNN, 1, {x, weights, recurrent, g.numbers(kFloat, {4}), state},
         {g.output(kFloat, {2, 4})}, RNNOptionsT());
    g.op(Op::NEG, 1, {state}, {g.output(kFloat, {2, 4})});
    EXPECT_THAT(exported(file).front(), HasSubstr("new state as an output that nothing reads"));
}

// One operator of two tensors, to find its version.
struct Case {
    Op code;
    int32_t version;
    const char* why;
    void (*fill)(LiteGraph& g, Op code);
};

template <class Options>
void fillWith(LiteGraph& g, Op code, TensorType type, std::vector<int32_t> shape,
              const Options& options) {
    const int32_t x = g.input(type, shape, type == kInt8 ? kFine : LiteScale());
    const int32_t y = g.input(type, shape, type == kInt8 ? kFine : LiteScale());
    g.op(code, 1, {x, y}, {g.output(type, shape)}, options);
}

const Case kCases[] = {
        {Op::ADD, 1, "floats",
         [](LiteGraph& g, Op code) { fillWith(g, code, kFloat, {2}, AddOptionsT()); }},
        {Op::ADD, 2, "signed bytes",
         [](LiteGraph& g, Op code) { fillWith(g, code, kInt8, {2}, AddOptionsT()); }},
        {Op::FULLY_CONNECTED, 6, "no bias",
         [](LiteGraph& g, Op code) {
             fillWith(g, code, kFloat, {2, 2}, FullyConnectedOptionsT());
         }},
        {Op::FULLY_CONNECTED, 5, "the dimensions stay",
         [](LiteGraph& g, Op code) {
             FullyConnectedOptionsT options;
             options.keep_num_dims = true;
             const int32_t x = g.input(kFloat, {2, 2, 2});
             g.op(code, 1, {x, g.numbers(kFloat, {2, 2}), g.numbers(kFloat, {2})},
                  {g.output(kFloat, {2, 2, 2})}, options);
         }},
        {Op::RESIZE_BILINEAR, 3, "centers of pixels",
         [](LiteGraph& g, Op code) {
             ResizeBilinearOptionsT options;
             options.half_pixel_centers = true;
             fillWith(g, code, kFloat, {1, 2, 2, 1}, options);
         }},
        {Op::RESIZE_NEAREST_NEIGHBOR, 3, "corners",
         [](LiteGraph& g, Op code) {
             ResizeNearestNeighborOptionsT options;
             options.align_corners = true;
             fillWith(g, code, kFloat, {1, 2, 2, 1}, options);
         }},
        {Op::DEPTHWISE_CONV_2D, 2, "dilated",
         [](LiteGraph& g, Op code) {
             DepthwiseConv2DOptionsT options;
             options.dilation_h_factor = 2;
             fillWith(g, code, kFloat, {1, 2, 2, 1}, options);
         }},
        {Op::MAXIMUM, 3, "five dimensions, some broadcast",
         [](LiteGraph& g, Op code) {
             const int32_t x = g.input(kFloat, {1, 1, 1, 1, 2}), y = g.input(kFloat, {2});
             g.op(code, 1, {x, y}, {g.output(kFloat, {1, 1, 1, 1, 2})});
         }},
        {Op::MUL, 3, "a product of scales above that of the output",
         [](LiteGraph& g, Op code) {
             const int32_t x = g.input(kUint8, {2}, {2, 0}), y = g.input(kUint8, {2}, {2, 0});
             g.op(code, 1, {x, y}, {g.output(kUint8, {2}, {1, 0})});
         }},
        {Op::TRANSPOSE, 4, "five dimensions",
         [](LiteGraph& g, Op code) {
             const int32_t x = g.input(kFloat, {1, 1, 1, 1, 2});
             g.op(code, 1, {x, g.ints({0, 1, 2, 3, 4})}, {g.output(kFloat, {1, 1, 1, 1, 2})});
         }},
};

TEST(TfliteForms, VersionsAreThoseOfTheTable) {
    for (const Case& row : kCases) {
        LiteFile file;
        row.fill(file.main(), row.code);
        const SubGraphT& graph = file.main().graph();
        EXPECT_EQ(versionOf(row.code, *graph.operators.front(), graph), row.version)
                << EnumNameBuiltinOperator(row.code) << ": " << row.why;
    }
}

TEST(TfliteForms, FormsWithoutAKernelAreRejected) {
    LiteFile file;
    LiteGraph& g = file.main();
    LocalResponseNormalizationOptionsT options;
    options.radius = 1;
    g.op(Op::LOCAL_RESPONSE_NORMALIZATION, 1, {g.input(kFloat, {2, 3})}, {g.output(kFloat, {2, 3})},
         options);
    EXPECT_THAT(exported(file).front(), HasSubstr("the rank of the input is not 4"));
}

}  // namespace
}  // namespace nn::tflite
