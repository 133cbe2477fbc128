// More forms of convolutions, pools and products of matrices.
#include "importers/operator_file_list.h"

namespace nn::tflite {
namespace {

using enum OperationType;

// Weights with one scale, and a zero point where there is no sign.
int32_t weightsOf(LiteGraph& g, Type t, std::vector<int32_t> shape) {
    const LiteScale scale = t == kUint8  ? LiteScale{0.0078125f, 121}
                            : t == kInt8 ? LiteScale{0.0078125f, 0}
                                         : LiteScale();
    return g.numbers(t, std::move(shape), scale);
}
int32_t biasOf(LiteGraph& g, Type t, int32_t channels) {
    if (!isQuantized(t)) return g.numbers(kFloat, {channels});
    return g.numbers(kInt, {channels}, {common(t).scale * 0.0078125f, 0});
}
int32_t convolutionVersion(Type t) { return t == kInt8 ? 3 : 2; }

void fillConvolution(LiteGraph& g, Type t, Conv2DOptionsT options, std::vector<int32_t> filter,
                     std::vector<int32_t> shape) {
    const int32_t x = g.input(t, {2, 7, 8, filter[3]}, common(t));
    const int32_t w = weightsOf(g, t, filter), b = biasOf(g, t, filter[0]);
    g.op(Op::CONV_2D, convolutionVersion(t), {x, w, b}, {g.output(t, std::move(shape), other(t))},
         options);
}

void fillDepthwise(LiteGraph& g, Type t, DepthwiseConv2DOptionsT options,
                   std::vector<int32_t> filter, std::vector<int32_t> shape) {
    const int32_t x = g.input(t, {2, 7, 8, filter[3] / options.depth_multiplier}, common(t));
    const int32_t w = weightsOf(g, t, filter), b = biasOf(g, t, filter[3]);
    g.op(Op::DEPTHWISE_CONV_2D, convolutionVersion(t), {x, w, b},
         {g.output(t, std::move(shape), other(t))}, options);
}

template <Op kOp>
void fillPool(LiteGraph& g, Type t) {
    Pool2DOptionsT options;
    options.stride_w = 1;
    options.stride_h = 2;
    options.filter_width = 2;
    options.filter_height = 3;
    options.padding = Padding::VALID;
    options.fused_activation_function = Activation::RELU6;
    g.op(kOp, versionFor(t), {g.input(t, {2, 7, 8, 3}, common(t))},
         {g.output(t, {2, 3, 7, 3}, common(t))}, options);
}

template <Op kOp>
void fillPoolSame(LiteGraph& g, Type t) {
    Pool2DOptionsT options;
    options.stride_w = 3;
    options.stride_h = 1;
    options.filter_width = 4;
    options.filter_height = 3;
    options.padding = Padding::SAME;
    options.fused_activation_function = Activation::RELU_N1_TO_1;
    g.op(kOp, versionFor(t), {g.input(t, {2, 7, 8, 3}, common(t))},
         {g.output(t, {2, 7, 3, 3}, common(t))}, options);
}

template <class Options>
void fillResize(LiteGraph& g, Type t, Op op, bool corners, bool halfPixels,
                std::vector<int32_t> size) {
    Options options;
    options.align_corners = corners;
    options.half_pixel_centers = halfPixels;
    const int32_t x = g.input(t, {1, 5, 4, 2}, common(t));
    g.op(op, 3, {x, g.ints(size)}, {g.output(t, {1, size[0], size[1], 2}, common(t))}, options);
}
void bilinear(LiteGraph& g, Type t, bool corners, bool halfPixels, std::vector<int32_t> size) {
    fillResize<ResizeBilinearOptionsT>(g, t, Op::RESIZE_BILINEAR, corners, halfPixels,
                                       std::move(size));
}
void nearest(LiteGraph& g, Type t, bool corners, bool halfPixels, std::vector<int32_t> size) {
    fillResize<ResizeNearestNeighborOptionsT>(g, t, Op::RESIZE_NEAREST_NEIGHBOR, corners,
                                              halfPixels, std::move(size));
}

void fillTransposeConvolution(LiteGraph& g, Type t, Padding padding, int32_t stride,
                              std::vector<int32_t> shape, bool hasBias) {
    TransposeConvOptionsT options;
    options.padding = padding;
    options.stride_w = options.stride_h = stride;
    const int32_t size = g.ints(shape), w = weightsOf(g, t, {shape[3], 3, 2, 4});
    std::vector<int32_t> inputs = {size, w, g.input(t, {1, 3, 4, 4}, common(t))};
    if (hasBias) inputs.push_back(biasOf(g, t, shape[3]));
    g.op(Op::TRANSPOSE_CONV, hasBias ? 3 : versionFor(t), inputs,
         {g.output(t, std::move(shape), other(t))}, options);
}

void fillMatrix(LiteGraph& g, Type t, std::vector<int32_t> in, std::vector<int32_t> out,
                FullyConnectedOptionsT options) {
    const int32_t x = g.input(t, std::move(in), common(t));
    const int32_t w = weightsOf(g, t, {5, 4}), b = biasOf(g, t, 5);
    g.op(Op::FULLY_CONNECTED,
         options.keep_num_dims ? 5
         : t == kInt8          ? 4
                               : 1,
         {x, w, b}, {g.output(t, std::move(out), other(t))}, options);
}

void fillBatchMatmul(LiteGraph& g, Type t, std::vector<int32_t> a, std::vector<int32_t> b,
                     bool adjointA, bool adjointB, std::vector<int32_t> shape) {
    BatchMatMulOptionsT options;
    options.adj_x = adjointA;
    options.adj_y = adjointB;
    const int32_t x = g.input(t, std::move(a), common(t)), y = g.input(t, std::move(b), common(t));
    g.op(Op::BATCH_MATMUL, versionFor(t), {x, y}, {g.output(t, std::move(shape), other(t))},
         options);
}

const Form kConvolutions[] = {
        {"CONV_2D_strides", kNumbers, Becomes{CONV_2D},
         [](LiteGraph& g, Type t) {
             auto options = activated<Conv2DOptionsT>(Activation::RELU6);
             options.stride_w = 3;
             options.stride_h = 2;
             fillConvolution(g, t, options, {3, 3, 2, 4}, {2, 4, 3, 3});
         }},
        {"CONV_2D_valid", kNumbers, Becomes{CONV_2D},
         [](LiteGraph& g, Type t) {
             auto options = activated<Conv2DOptionsT>(Activation::RELU_N1_TO_1);
             options.padding = Padding::VALID;
             options.stride_w = options.stride_h = 2;
             fillConvolution(g, t, options, {3, 2, 3, 4}, {2, 3, 3, 3});
         }},
        {"CONV_2D_dilations", kNumbers, Becomes{CONV_2D},
         [](LiteGraph& g, Type t) {
             Conv2DOptionsT options;
             options.padding = Padding::VALID;
             options.stride_w = options.stride_h = 1;
             options.dilation_w_factor = 3;
             options.dilation_h_factor = 2;
             fillConvolution(g, t, options, {3, 3, 2, 2}, {2, 3, 5, 3});
         }},
        {"CONV_2D_dilations_same", kNumbers, Becomes{CONV_2D},
         [](LiteGraph& g, Type t) {
             Conv2DOptionsT options;
             options.stride_w = options.stride_h = 1;
             options.dilation_w_factor = 2;
             options.dilation_h_factor = 3;
             fillConvolution(g, t, options, {3, 3, 2, 2}, {2, 7, 8, 3});
         }},
        {"CONV_2D_point", kNumbers, Becomes{CONV_2D},
         [](LiteGraph& g, Type t) {
             Conv2DOptionsT options;
             options.stride_w = options.stride_h = 1;
             fillConvolution(g, t, options, {5, 1, 1, 3}, {2, 7, 8, 5});
         }},
        {"DEPTHWISE_CONV_2D_same", kNumbers, Becomes{DEPTHWISE_CONV_2D},
         [](LiteGraph& g, Type t) {
             auto options = activated<DepthwiseConv2DOptionsT>(Activation::RELU6);
             options.stride_w = options.stride_h = 1;
             options.depth_multiplier = 1;
             fillDepthwise(g, t, options, {1, 3, 2, 8}, {2, 7, 8, 8});
         }},
        {"DEPTHWISE_CONV_2D_strides", kNumbers, Becomes{DEPTHWISE_CONV_2D},
         [](LiteGraph& g, Type t) {
             auto options = activated<DepthwiseConv2DOptionsT>(Activation::RELU);
             options.stride_w = options.stride_h = 2;
             options.depth_multiplier = 2;
             fillDepthwise(g, t, options, {1, 3, 3, 6}, {2, 4, 4, 6});
         }},
        {"DEPTHWISE_CONV_2D_dilated", kNumbers, Becomes{DEPTHWISE_CONV_2D},
         [](LiteGraph& g, Type t) {
             DepthwiseConv2DOptionsT options;
             options.padding = Padding::VALID;
             options.stride_w = options.stride_h = 1;
             options.depth_multiplier = 1;
             options.dilation_w_factor = 2;
             options.dilation_h_factor = 3;
             fillDepthwise(g, t, options, {1, 2, 3, 4}, {2, 4, 4, 4});
         }},
        {"TRANSPOSE_CONV_valid", kNumbers, Becomes{TRANSPOSE_CONV_2D},
         [](LiteGraph& g, Type t) {
             fillTransposeConvolution(g, t, Padding::VALID, 2, {1, 7, 8, 3}, false);
         }},
        {"TRANSPOSE_CONV_bias", kNumbers, Becomes{TRANSPOSE_CONV_2D},
         [](LiteGraph& g, Type t) {
             fillTransposeConvolution(g, t, Padding::SAME, 1, {1, 3, 4, 2}, true);
         }},
        {"AVERAGE_POOL_2D_valid", kNumbers, Becomes{AVERAGE_POOL_2D},
         fillPool<Op::AVERAGE_POOL_2D>},
        {"MAX_POOL_2D_valid", kNumbers, Becomes{MAX_POOL_2D}, fillPool<Op::MAX_POOL_2D>},
        {"L2_POOL_2D_valid", Types{kFloat}, Becomes{L2_POOL_2D}, fillPool<Op::L2_POOL_2D>},
        {"AVERAGE_POOL_2D_same", kNumbers, Becomes{AVERAGE_POOL_2D},
         fillPoolSame<Op::AVERAGE_POOL_2D>},
        {"MAX_POOL_2D_same", kNumbers, Becomes{MAX_POOL_2D}, fillPoolSame<Op::MAX_POOL_2D>},
        {"L2_POOL_2D_same", Types{kFloat}, Becomes{L2_POOL_2D}, fillPoolSame<Op::L2_POOL_2D>},
};

// Convolutions that files cannot have again.
const Form kReadConvolutions[] = {
        {"TRANSPOSE_CONV_valid_larger", kNumbers, Becomes{TRANSPOSE_CONV_2D},
         [](LiteGraph& g, Type t) {
             fillTransposeConvolution(g, t, Padding::VALID, 2, {1, 8, 9, 3}, true);
         }},
};

const Form kImages[] = {
        {"RESIZE_BILINEAR_smaller", kNumbers, Becomes{RESIZE_BILINEAR},
         [](LiteGraph& g, Type t) {
             bilinear(g, t, false, false, {2, 3});
         }},
        {"RESIZE_BILINEAR_corners_smaller", kNumbers, Becomes{RESIZE_BILINEAR},
         [](LiteGraph& g, Type t) {
             bilinear(g, t, true, false, {3, 7});
         }},
        {"RESIZE_BILINEAR_half_pixel_smaller", kNumbers, Becomes{RESIZE_BILINEAR},
         [](LiteGraph& g, Type t) {
             bilinear(g, t, false, true, {3, 7});
         }},
        {"RESIZE_NEAREST_NEIGHBOR_smaller", kNumbers, Becomes{RESIZE_NEAREST_NEIGHBOR},
         [](LiteGraph& g, Type t) {
             nearest(g, t, false, false, {2, 3});
         }},
        {"RESIZE_NEAREST_NEIGHBOR_corners_smaller", kNumbers, Becomes{RESIZE_NEAREST_NEIGHBOR},
         [](LiteGraph& g, Type t) {
             nearest(g, t, true, false, {3, 7});
         }},
        {"RESIZE_NEAREST_NEIGHBOR_half_pixel_smaller", kNumbers, Becomes{RESIZE_NEAREST_NEIGHBOR},
         [](LiteGraph& g, Type t) {
             nearest(g, t, false, true, {3, 7});
         }},
        {"FULLY_CONNECTED_flattens", kNumbers, Becomes{FULLY_CONNECTED},
         [](LiteGraph& g, Type t) {
             fillMatrix(g, t, {2, 3, 1, 4}, {6, 5},
                        activated<FullyConnectedOptionsT>(Activation::RELU));
         }},
        {"FULLY_CONNECTED_keep_images", kNumbers, Becomes{FULLY_CONNECTED, RESHAPE},
         [](LiteGraph& g, Type t) {
             auto options = activated<FullyConnectedOptionsT>(Activation::RELU6);
             options.keep_num_dims = true;
             fillMatrix(g, t, {1, 3, 2, 4}, {1, 3, 2, 5}, options);
         }},
        {"FULLY_CONNECTED_list", Types{kFloat}, Becomes{RESHAPE, FULLY_CONNECTED},
         [](LiteGraph& g, Type t) {
             fillMatrix(g, t, {4}, {1, 5}, {});
         }},
        {"FULLY_CONNECTED_computed", kNumbers, Becomes{FULLY_CONNECTED},
         [](LiteGraph& g, Type t) {
             const LiteScale scale = t == kUint8  ? LiteScale{0.0078125f, 121}
                                     : t == kInt8 ? LiteScale{0.0078125f, 0}
                                                  : LiteScale();
             const int32_t x = g.input(t, {2, 4}, common(t)), w = g.input(t, {5, 4}, scale);
             g.op(Op::FULLY_CONNECTED, t == kInt8 ? 4 : 1, {x, w, -1},
                  {g.output(t, {2, 5}, other(t))}, FullyConnectedOptionsT());
         }},
        {"BATCH_MATMUL_adjoint", Types{kFloat, kInt8}, Becomes{BATCH_MATMUL},
         [](LiteGraph& g, Type t) {
             fillBatchMatmul(g, t, {2, 4, 3}, {2, 5, 4}, true, true, {2, 3, 5});
         }},
        {"BATCH_MATMUL_adjoint_right", Types{kFloat, kInt8}, Becomes{BATCH_MATMUL},
         [](LiteGraph& g, Type t) {
             fillBatchMatmul(g, t, {2, 2, 3, 4}, {2, 2, 5, 4}, false, true, {2, 2, 3, 5});
         }},
        {"LOCAL_RESPONSE_NORMALIZATION_wide", Types{kFloat}, Becomes{LOCAL_RESPONSE_NORMALIZATION},
         [](LiteGraph& g, Type t) {
             LocalResponseNormalizationOptionsT options;
             options.radius = 20;
             options.bias = 2;
             options.alpha = 0.1f;
             options.beta = 0.5f;
             g.op(Op::LOCAL_RESPONSE_NORMALIZATION, 1, {g.input(t, {2, 3, 2, 9})},
                  {g.output(t, {2, 3, 2, 9})}, options);
         }},
};

}  // namespace

void addImageForms(Files& files) {
    files.add(kConvolutions);
    files.addRead(kReadConvolutions);
    files.add(kImages);
}

}  // namespace nn::tflite
