#include "operator_files.h"

#include <tuple>

#include "operator_file_list.h"

namespace nn::tflite {
namespace {

using enum OperationType;

// ---------------------------------------------------------------------------------------------
// Elementwise

template <class Options>
void addArithmetic(Files& files, const std::string& name, Op op, OperationType becomes,
                   const std::vector<Type>& types) {
    files.add(name, types, {becomes},
              one(op, {in({1, 2, 3, 4}), in({3, 1})}, {out({1, 2, 3, 4}, other)}, Options()));
    files.add(name + "_relu6", {kFloat}, {becomes},
              one(op, {in({2, 4}), numbers({2, 4})}, {out({2, 4})},
                  activated<Options>(Activation::RELU6)));
}

void addBinary(Files& files, const std::string& name, Op op, OperationType becomes,
               const Argument& result, const std::vector<Type>& types) {
    files.add(name, types, {becomes}, one(op, {in({2, 3}), in({2, 3})}, {result}));
}

void addUnary(Files& files, const std::string& name, Op op, std::vector<OperationType> becomes,
              const std::vector<Type>& types, Scale scale = common) {
    files.add(name, types, std::move(becomes),
              one(op, {in({1, 2, 3, 4})}, {out({1, 2, 3, 4}, scale)}));
}

void addElementwise(Files& files) {
    const Argument same = out({2, 3}), truth = outOf(kBool, {2, 3});
    addArithmetic<AddOptionsT>(files, "ADD", Op::ADD, ADD, kAll);
    addArithmetic<SubOptionsT>(files, "SUB", Op::SUB, SUB, kAll);
    addArithmetic<MulOptionsT>(files, "MUL", Op::MUL, MUL, kAll);
    addArithmetic<DivOptionsT>(files, "DIV", Op::DIV, DIV, kFloats);
    files.add("FLOOR_DIV", {kFloat}, {DIV, FLOOR},
              one(Op::FLOOR_DIV, {in({2, 3}), constant<float>(kFloat, {3}, {0.25f, -0.5f, 2})},
                  {out({2, 3})}));
    addBinary(files, "MAXIMUM", Op::MAXIMUM, MAXIMUM, same, kAll);
    addBinary(files, "MINIMUM", Op::MINIMUM, MINIMUM, same, kAll);
    addBinary(files, "EQUAL", Op::EQUAL, EQUAL, truth, kAll);
    addBinary(files, "NOT_EQUAL", Op::NOT_EQUAL, NOT_EQUAL, truth, kAll);
    addBinary(files, "LESS", Op::LESS, LESS, truth, kAll);
    addBinary(files, "LESS_EQUAL", Op::LESS_EQUAL, LESS_EQUAL, truth, kAll);
    addBinary(files, "GREATER", Op::GREATER, GREATER, truth, kAll);
    addBinary(files, "GREATER_EQUAL", Op::GREATER_EQUAL, GREATER_EQUAL, truth, kAll);
    addBinary(files, "LOGICAL_AND", Op::LOGICAL_AND, LOGICAL_AND, truth, {kBool});
    addBinary(files, "LOGICAL_OR", Op::LOGICAL_OR, LOGICAL_OR, truth, {kBool});
    files.add("SQUARED_DIFFERENCE", {kFloat, kInt}, {SUB, MUL},
              one(Op::SQUARED_DIFFERENCE, {in({2, 3}), in({2, 3})}, {out({2, 3})}));
    files.add("ADD_N", {kFloat}, {ADD, ADD},
              one(Op::ADD_N, {in({4}), in({4}), in({4})}, {out({4})}));
    files.add("POW", {kFloat}, {POW},
              one(Op::POW, {in({2, 2}), constant<float>(kFloat, {2, 2}, {2, 3, 1, 0})},
                  {out({2, 2})}));
    addUnary(files, "ABS", Op::ABS, {ABS}, kFloats);
    addUnary(files, "EXP", Op::EXP, {EXP}, kFloats);
    addUnary(files, "SIN", Op::SIN, {SIN}, kFloats);
    addUnary(files, "COS", Op::COS, {ADD, SIN}, kFloats);
    addUnary(files, "NEG", Op::NEG, {NEG}, {kFloat, kInt});
    addUnary(files, "FLOOR", Op::FLOOR, {FLOOR}, kFloats);
    addUnary(files, "CEIL", Op::CEIL, {NEG, FLOOR, NEG}, kFloats);
    addUnary(files, "SQUARE", Op::SQUARE, {MUL}, kFloats);
    addUnary(files, "LOGICAL_NOT", Op::LOGICAL_NOT, {LOGICAL_NOT}, {kBool});
    // Of positive numbers.
    for (const auto& [name, code, becomes] :
         {std::tuple("LOG", Op::LOG, LOG), std::tuple("SQRT", Op::SQRT, SQRT),
          std::tuple("RSQRT", Op::RSQRT, RSQRT)}) {
        files.add(name, {kFloat}, {EXP, becomes}, [op = code](LiteGraph& g, Type t) {
            const int32_t x = g.input(t, {2, 3}), positive = g.tensor(t, {2, 3});
            g.op(Op::EXP, 1, {x}, {positive});
            g.op(op, 1, {positive}, {g.output(t, {2, 3})});
        });
    }
    files.add("CAST", kFloats, {CAST}, cast(kFloat, kInt));
    files.add("CAST", {kInt}, {CAST}, cast(kInt, kFloat));
    for (const Op op : {Op::SELECT, Op::SELECT_V2}) {
        files.add(EnumNameBuiltinOperator(op), kAll, {SELECT},
                  one(op, {inOf(kBool, {2, 3}), in({2, 3}), in({2, 3})}, {out({2, 3})},
                      WithoutOptions(),
                      /*version=*/1));
    }
}

// ---------------------------------------------------------------------------------------------
// Activations

void addActivations(Files& files) {
    addUnary(files, "RELU", Op::RELU, {RELU}, kNumbers);
    addUnary(files, "RELU6", Op::RELU6, {RELU6}, kNumbers);
    addUnary(files, "RELU_N1_TO_1", Op::RELU_N1_TO_1, {RELU1}, kFloats);
    addUnary(files, "RELU_requantized", Op::RELU, {DEQUANTIZE, RELU, QUANTIZE}, {kUint8, kInt8},
             other);
    addUnary(files, "LOGISTIC", Op::LOGISTIC, {LOGISTIC}, kNumbers, probability);
    addUnary(files, "TANH", Op::TANH, {TANH}, kNumbers, tangent);
    addUnary(files, "ELU", Op::ELU, {ELU}, kFloats);
    files.add("HARD_SWISH", kNumbers, {HARD_SWISH},
              one(Op::HARD_SWISH, {in({1, 2, 3, 4})}, {out({1, 2, 3, 4})}, WithoutOptions(),
                  /*version=*/1));
    files.add("PRELU", kNumbers, {PRELU},
              one(Op::PRELU, {in({1, 2, 3, 4}), weights({1, 1, 4})}, {out({1, 2, 3, 4}, other)},
                  WithoutOptions(), /*version=*/1));
    files.add("LEAKY_RELU", kNumbers, {PRELU},
              one(Op::LEAKY_RELU, {in({2, 3})}, {out({2, 3})}, LeakyReluOptionsT{.alpha = 0.25f}));
    files.add(
            "SOFTMAX", kNumbers, {SOFTMAX},
            one(Op::SOFTMAX, {in({2, 5})}, {out({2, 5}, probability)}, SoftmaxOptionsT{.beta = 1}));
    files.add("LOG_SOFTMAX", kFloats, {LOG_SOFTMAX},
              one(Op::LOG_SOFTMAX, {in({2, 5})}, {out({2, 5})}));
}

// ---------------------------------------------------------------------------------------------
// Convolutions and images

// Weights, with a scale for each channel where there is a sign.
Argument channelWeights(const Shape& shape, size_t dimension) {
    return [=](LiteGraph& g, Type t) {
        const int32_t made = weights(shape)(g, t);
        if (t != kInt8) return made;
        auto scales = std::make_unique<QuantizationParametersT>();
        for (int32_t i = 0; i < shape[dimension]; ++i)
            scales->scale.push_back(weight(t).scale * static_cast<float>(1 + i % 2));
        scales->zero_point.assign(scales->scale.size(), 0);
        scales->quantized_dimension = static_cast<int32_t>(dimension);
        g.at(made).quantization = std::move(scales);
        return made;
    };
}

void addConvolutions(Files& files) {
    const auto convolution = [](int32_t channels, int32_t dilation,
                                const std::vector<Argument>& biases, Version version) {
        std::vector<Argument> inputs = {in({1, 5, 5, 4}), channelWeights({6, 3, 3, channels}, 0)};
        inputs.insert(inputs.end(), biases.begin(), biases.end());
        return one(Op::CONV_2D, inputs, {out({1, 5, 5, 6}, other)},
                   Conv2DOptionsT{.stride_w = 1,
                                  .stride_h = 1,
                                  .fused_activation_function = Activation::RELU,
                                  .dilation_w_factor = dilation,
                                  .dilation_h_factor = dilation},
                   version);
    };
    files.add("CONV_2D", kNumbers, {CONV_2D}, convolution(4, 1, {bias(6)}, {3, 1}));
    files.add("CONV_2D_dilated", {kFloat}, {CONV_2D}, convolution(4, 2, {bias(6)}, 2));
    files.add("CONV_2D_without_bias", {kFloat, kUint8}, {CONV_2D}, convolution(4, 1, {}, 1));
    files.add("CONV_2D_grouped", {kFloat}, {GROUPED_CONV_2D}, convolution(2, 1, {bias(6)}, 6));
    files.add(
            "DEPTHWISE_CONV_2D", kNumbers, {DEPTHWISE_CONV_2D},
            one(Op::DEPTHWISE_CONV_2D, {in({1, 5, 5, 3}), channelWeights({1, 3, 3, 6}, 3), bias(6)},
                {out({1, 2, 2, 6}, other)},
                DepthwiseConv2DOptionsT{.padding = Padding::VALID,
                                        .stride_w = 2,
                                        .stride_h = 2,
                                        .depth_multiplier = 2},
                {3, 1}));
    files.add("TRANSPOSE_CONV", kNumbers, {TRANSPOSE_CONV_2D},
              one(Op::TRANSPOSE_CONV,
                  {ints({1, 6, 6, 2}), channelWeights({2, 3, 3, 4}, 0), in({1, 3, 3, 4})},
                  {out({1, 6, 6, 2}, other)}, TransposeConvOptionsT{.stride_w = 2, .stride_h = 2}));
    for (const auto& [code, becomes, types] :
         {std::tuple(Op::AVERAGE_POOL_2D, AVERAGE_POOL_2D, kNumbers),
          std::tuple(Op::MAX_POOL_2D, MAX_POOL_2D, kNumbers),
          std::tuple(Op::L2_POOL_2D, L2_POOL_2D, kFloats)}) {
        files.add(
                EnumNameBuiltinOperator(code), types, {becomes},
                one(code, {in({1, 5, 4, 3})}, {out({1, 3, 2, 3})},
                    Pool2DOptionsT{
                            .stride_w = 2, .stride_h = 2, .filter_width = 2, .filter_height = 2}));
    }
}

template <class Options>
void addResize(Files& files, const std::string& name, Op op, OperationType becomes) {
    for (const int form : {0, 1, 2}) {
        files.add(name + (form == 1   ? "_corners"
                          : form == 2 ? "_half_pixel"
                                      : ""),
                  form == 0 ? kNumbers : kFloats, {becomes},
                  one(op, {in({1, 2, 3, 2}), ints({4, 6})}, {out({1, 4, 6, 2})},
                      Options{.align_corners = form == 1, .half_pixel_centers = form == 2},
                      form != 0 ? Version(3) : Version()));
    }
}

void addImages(Files& files) {
    addResize<ResizeBilinearOptionsT>(files, "RESIZE_BILINEAR", Op::RESIZE_BILINEAR,
                                      RESIZE_BILINEAR);
    addResize<ResizeNearestNeighborOptionsT>(files, "RESIZE_NEAREST_NEIGHBOR",
                                             Op::RESIZE_NEAREST_NEIGHBOR, RESIZE_NEAREST_NEIGHBOR);
    files.add("SPACE_TO_DEPTH", kNumbers, {SPACE_TO_DEPTH},
              one(Op::SPACE_TO_DEPTH, {in({1, 4, 4, 2})}, {out({1, 2, 2, 8})},
                  SpaceToDepthOptionsT{.block_size = 2}));
    files.add("DEPTH_TO_SPACE", kNumbers, {DEPTH_TO_SPACE},
              one(Op::DEPTH_TO_SPACE, {in({1, 2, 2, 8})}, {out({1, 4, 4, 2})},
                  DepthToSpaceOptionsT{.block_size = 2}));
    files.add("SPACE_TO_BATCH_ND", kNumbers, {SPACE_TO_BATCH_ND},
              one(Op::SPACE_TO_BATCH_ND,
                  {in({1, 4, 4, 2}), ints({2, 2}), constant<int32_t>(kInt, {2, 2}, {0, 0, 1, 1})},
                  {out({4, 2, 3, 2})}));
    for (const int32_t crop : {0, 1}) {
        files.add(
                crop == 0 ? "BATCH_TO_SPACE_ND" : "BATCH_TO_SPACE_ND_cropped", kNumbers,
                crop == 0 ? std::vector{BATCH_TO_SPACE_ND} : std::vector{BATCH_TO_SPACE_ND, SLICE},
                one(Op::BATCH_TO_SPACE_ND,
                    {in({4, 2, 2, 2}), ints({2, 2}),
                     constant<int32_t>(kInt, {2, 2}, {crop, 0, 0, crop})},
                    {out({1, 4 - crop, 4 - crop, 2})}));
    }
    files.add("L2_NORMALIZATION", kNumbers, {L2_NORMALIZATION},
              one(Op::L2_NORMALIZATION, {in({2, 4})}, {out({2, 4}, tangent)}, L2NormOptionsT()));
    files.add("LOCAL_RESPONSE_NORMALIZATION", kFloats, {LOCAL_RESPONSE_NORMALIZATION},
              one(Op::LOCAL_RESPONSE_NORMALIZATION, {in({1, 2, 2, 5})}, {out({1, 2, 2, 5})},
                  LocalResponseNormalizationOptionsT{
                          .radius = 2, .bias = 1, .alpha = 0.5f, .beta = 0.75f}));
}

void addMatrices(Files& files) {
    const auto connected = [](const Shape& x, const Argument& biases, const Shape& y, bool keeps) {
        return one(Op::FULLY_CONNECTED, {in(x), weights({5, 4}), biases}, {out(y, other)},
                   FullyConnectedOptionsT{.keep_num_dims = keeps},
                   keeps ? Version(5) : Version(4, 1));
    };
    files.add("FULLY_CONNECTED", kNumbers, {FULLY_CONNECTED},
              connected({2, 4}, bias(5), {2, 5}, false));
    files.add("FULLY_CONNECTED_without_bias", kNumbers, {FULLY_CONNECTED},
              connected({2, 4}, missing, {2, 5}, false));
    files.add("FULLY_CONNECTED_keep_num_dims", kNumbers, {FULLY_CONNECTED, RESHAPE},
              connected({2, 3, 4}, bias(5), {2, 3, 5}, true));
    files.add("FULLY_CONNECTED_hybrid", {kFloat}, {FULLY_CONNECTED}, [](LiteGraph& g, Type t) {
        const int32_t x = g.input(t, {2, 4}), w = g.numbers(kInt8, {5, 4}, {0.03125f, 0});
        g.op(Op::FULLY_CONNECTED, 3, {x, w, g.numbers(kFloat, {5})}, {g.output(t, {2, 5})},
             FullyConnectedOptionsT());
    });
    files.add("BATCH_MATMUL", {kFloat, kInt8}, {BATCH_MATMUL},
              one(Op::BATCH_MATMUL, {in({2, 3, 4}), in({2, 4, 5})}, {out({2, 3, 5}, other)},
                  BatchMatMulOptionsT()));
}

}  // namespace

std::vector<OperatorFile> operatorFiles() {
    Files files;
    addElementwise(files);
    addActivations(files);
    addConvolutions(files);
    addImages(files);
    addMatrices(files);
    addShapes(files);
    addReductions(files);
    addRecurrent(files);
    addControlFlow(files);
    addForms(files);
    return files.take();
}

}  // namespace nn::tflite
