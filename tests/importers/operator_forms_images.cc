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

Fill pool(Op op, bool isSame) {
    const Pool2DOptionsT same{.padding = Padding::SAME,
                              .stride_w = 3,
                              .stride_h = 1,
                              .filter_width = 4,
                              .filter_height = 3,
                              .fused_activation_function = Activation::RELU_N1_TO_1};
    const Pool2DOptionsT valid{.padding = Padding::VALID,
                               .stride_w = 1,
                               .stride_h = 2,
                               .filter_width = 2,
                               .filter_height = 3,
                               .fused_activation_function = Activation::RELU6};
    return one(op, {in({2, 7, 8, 3})}, {out(isSame ? Shape{2, 7, 3, 3} : Shape{2, 3, 7, 3})},
               isSame ? same : valid);
}

template <class Options>
Fill resize(Op op, bool corners, bool halfPixels, const Shape& size) {
    return one(op, {in({1, 5, 4, 2}), ints(size)}, {out({1, size[0], size[1], 2})},
               Options{.align_corners = corners, .half_pixel_centers = halfPixels}, /*version=*/3);
}
Fill bilinear(bool corners, bool halfPixels, const Shape& size) {
    return resize<ResizeBilinearOptionsT>(Op::RESIZE_BILINEAR, corners, halfPixels, size);
}
Fill nearest(bool corners, bool halfPixels, const Shape& size) {
    return resize<ResizeNearestNeighborOptionsT>(Op::RESIZE_NEAREST_NEIGHBOR, corners, halfPixels,
                                                 size);
}

Fill transposeConvolution(Padding padding, int32_t stride, const Shape& shape, bool hasBias) {
    return [=](LiteGraph& g, Type t) {
        TransposeConvOptionsT options;
        options.padding = padding;
        options.stride_w = options.stride_h = stride;
        const int32_t size = g.ints(shape), w = weightsOf(g, t, {shape[3], 3, 2, 4});
        std::vector<int32_t> inputs = {size, w, g.input(t, {1, 3, 4, 4}, common(t))};
        if (hasBias) inputs.push_back(biasOf(g, t, shape[3]));
        g.op(Op::TRANSPOSE_CONV, hasBias ? 3 : versionFor(t), inputs,
             {g.output(t, shape, other(t))}, options);
    };
}

Fill matrix(const Shape& in, const Shape& out, Activation activation = Activation::NONE,
            bool keepsDimensions = false) {
    return [=](LiteGraph& g, Type t) {
        auto options = activated<FullyConnectedOptionsT>(activation);
        options.keep_num_dims = keepsDimensions;
        const int32_t x = g.input(t, in, common(t));
        const int32_t w = weightsOf(g, t, {5, 4}), b = biasOf(g, t, 5);
        const int32_t version = keepsDimensions ? 5 : t == kInt8 ? 4 : 1;
        g.op(Op::FULLY_CONNECTED, version, {x, w, b}, {g.output(t, out, other(t))}, options);
    };
}

Fill batchMatmul(const Shape& a, const Shape& b, bool adjointA, const Shape& shape) {
    return [=](LiteGraph& g, Type t) {
        BatchMatMulOptionsT options;
        options.adj_x = adjointA;
        options.adj_y = true;
        const int32_t x = g.input(t, a, common(t)), y = g.input(t, b, common(t));
        g.op(Op::BATCH_MATMUL, versionFor(t), {x, y}, {g.output(t, shape, other(t))}, options);
    };
}

void addConvolutionsForms(Files& files) {
    files.add("CONV_2D_strides", kNumbers, {CONV_2D}, [](LiteGraph& g, Type t) {
        auto options = activated<Conv2DOptionsT>(Activation::RELU6);
        options.stride_w = 3;
        options.stride_h = 2;
        fillConvolution(g, t, options, {3, 3, 2, 4}, {2, 4, 3, 3});
    });
    files.add("CONV_2D_valid", kNumbers, {CONV_2D}, [](LiteGraph& g, Type t) {
        auto options = activated<Conv2DOptionsT>(Activation::RELU_N1_TO_1);
        options.padding = Padding::VALID;
        options.stride_w = options.stride_h = 2;
        fillConvolution(g, t, options, {3, 2, 3, 4}, {2, 3, 3, 3});
    });
    files.add("CONV_2D_dilations", kNumbers, {CONV_2D}, [](LiteGraph& g, Type t) {
        Conv2DOptionsT options;
        options.padding = Padding::VALID;
        options.stride_w = options.stride_h = 1;
        options.dilation_w_factor = 3;
        options.dilation_h_factor = 2;
        fillConvolution(g, t, options, {3, 3, 2, 2}, {2, 3, 5, 3});
    });
    files.add("CONV_2D_dilations_same", kNumbers, {CONV_2D}, [](LiteGraph& g, Type t) {
        Conv2DOptionsT options;
        options.stride_w = options.stride_h = 1;
        options.dilation_w_factor = 2;
        options.dilation_h_factor = 3;
        fillConvolution(g, t, options, {3, 3, 2, 2}, {2, 7, 8, 3});
    });
    files.add("CONV_2D_point", kNumbers, {CONV_2D}, [](LiteGraph& g, Type t) {
        Conv2DOptionsT options;
        options.stride_w = options.stride_h = 1;
        fillConvolution(g, t, options, {5, 1, 1, 3}, {2, 7, 8, 5});
    });
    files.add("DEPTHWISE_CONV_2D_same", kNumbers, {DEPTHWISE_CONV_2D}, [](LiteGraph& g, Type t) {
        auto options = activated<DepthwiseConv2DOptionsT>(Activation::RELU6);
        options.stride_w = options.stride_h = 1;
        options.depth_multiplier = 1;
        fillDepthwise(g, t, options, {1, 3, 2, 8}, {2, 7, 8, 8});
    });
    files.add("DEPTHWISE_CONV_2D_strides", kNumbers, {DEPTHWISE_CONV_2D}, [](LiteGraph& g, Type t) {
        auto options = activated<DepthwiseConv2DOptionsT>(Activation::RELU);
        options.stride_w = options.stride_h = 2;
        options.depth_multiplier = 2;
        fillDepthwise(g, t, options, {1, 3, 3, 6}, {2, 4, 4, 6});
    });
    files.add("DEPTHWISE_CONV_2D_dilated", kNumbers, {DEPTHWISE_CONV_2D}, [](LiteGraph& g, Type t) {
        DepthwiseConv2DOptionsT options;
        options.padding = Padding::VALID;
        options.stride_w = options.stride_h = 1;
        options.depth_multiplier = 1;
        options.dilation_w_factor = 2;
        options.dilation_h_factor = 3;
        fillDepthwise(g, t, options, {1, 2, 3, 4}, {2, 4, 4, 4});
    });
    files.add("TRANSPOSE_CONV_valid", kNumbers, {TRANSPOSE_CONV_2D},
              transposeConvolution(Padding::VALID, 2, {1, 7, 8, 3}, false));
    files.add("TRANSPOSE_CONV_bias", kNumbers, {TRANSPOSE_CONV_2D},
              transposeConvolution(Padding::SAME, 1, {1, 3, 4, 2}, true));
    files.add("AVERAGE_POOL_2D_valid", kNumbers, {AVERAGE_POOL_2D},
              pool(Op::AVERAGE_POOL_2D, false));
    files.add("MAX_POOL_2D_valid", kNumbers, {MAX_POOL_2D}, pool(Op::MAX_POOL_2D, false));
    files.add("L2_POOL_2D_valid", {kFloat}, {L2_POOL_2D}, pool(Op::L2_POOL_2D, false));
    files.add("AVERAGE_POOL_2D_same", kNumbers, {AVERAGE_POOL_2D}, pool(Op::AVERAGE_POOL_2D, true));
    files.add("MAX_POOL_2D_same", kNumbers, {MAX_POOL_2D}, pool(Op::MAX_POOL_2D, true));
    files.add("L2_POOL_2D_same", {kFloat}, {L2_POOL_2D}, pool(Op::L2_POOL_2D, true));
}

// Convolutions that files cannot have again.
void addReadConvolutionsForms(Files& files) {
    files.addRead("TRANSPOSE_CONV_valid_larger", kNumbers, {TRANSPOSE_CONV_2D},
                  transposeConvolution(Padding::VALID, 2, {1, 8, 9, 3}, true));
}

void addImagesForms(Files& files) {
    files.add("RESIZE_BILINEAR_smaller", kNumbers, {RESIZE_BILINEAR},
              bilinear(false, false, {2, 3}));
    files.add("RESIZE_BILINEAR_corners_smaller", kNumbers, {RESIZE_BILINEAR},
              bilinear(true, false, {3, 7}));
    files.add("RESIZE_BILINEAR_half_pixel_smaller", kNumbers, {RESIZE_BILINEAR},
              bilinear(false, true, {3, 7}));
    files.add("RESIZE_NEAREST_NEIGHBOR_smaller", kNumbers, {RESIZE_NEAREST_NEIGHBOR},
              nearest(false, false, {2, 3}));
    files.add("RESIZE_NEAREST_NEIGHBOR_corners_smaller", kNumbers, {RESIZE_NEAREST_NEIGHBOR},
              nearest(true, false, {3, 7}));
    files.add("RESIZE_NEAREST_NEIGHBOR_half_pixel_smaller", kNumbers, {RESIZE_NEAREST_NEIGHBOR},
              nearest(false, true, {3, 7}));
    files.add("FULLY_CONNECTED_flattens", kNumbers, {FULLY_CONNECTED},
              matrix({2, 3, 1, 4}, {6, 5}, Activation::RELU));
    files.add("FULLY_CONNECTED_keep_images", kNumbers, {FULLY_CONNECTED, RESHAPE},
              matrix({1, 3, 2, 4}, {1, 3, 2, 5}, Activation::RELU6, true));
    files.add("FULLY_CONNECTED_list", {kFloat}, {RESHAPE, FULLY_CONNECTED}, matrix({4}, {1, 5}));
    files.add("FULLY_CONNECTED_computed", kNumbers, {FULLY_CONNECTED}, [](LiteGraph& g, Type t) {
        const LiteScale scale = t == kUint8  ? LiteScale{0.0078125f, 121}
                                : t == kInt8 ? LiteScale{0.0078125f, 0}
                                             : LiteScale();
        const int32_t x = g.input(t, {2, 4}, common(t)), w = g.input(t, {5, 4}, scale);
        g.op(Op::FULLY_CONNECTED, t == kInt8 ? 4 : 1, {x, w, -1}, {g.output(t, {2, 5}, other(t))},
             FullyConnectedOptionsT());
    });
    files.add("BATCH_MATMUL_adjoint", {kFloat, kInt8}, {BATCH_MATMUL},
              batchMatmul({2, 4, 3}, {2, 5, 4}, true, {2, 3, 5}));
    files.add("BATCH_MATMUL_adjoint_right", {kFloat, kInt8}, {BATCH_MATMUL},
              batchMatmul({2, 2, 3, 4}, {2, 2, 5, 4}, false, {2, 2, 3, 5}));
    files.add("LOCAL_RESPONSE_NORMALIZATION_wide", {kFloat}, {LOCAL_RESPONSE_NORMALIZATION},
              one(Op::LOCAL_RESPONSE_NORMALIZATION, {in({2, 3, 2, 9})}, {out({2, 3, 2, 9})},
                  LocalResponseNormalizationOptionsT{
                          .radius = 20, .bias = 2, .alpha = 0.1f, .beta = 0.5f}));
}

}  // namespace

void addImageForms(Files& files) {
    addConvolutionsForms(files);
    addReadConvolutionsForms(files);
    addImagesForms(files);
}

}  // namespace nn::tflite
