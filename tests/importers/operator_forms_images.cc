// More forms of convolutions, pools and products of matrices.
#include "importers/operator_file_list.h"

namespace nn::tflite {
namespace {

using enum OperationType;

Fill convolution(const Shape& filter, const Shape& shape, const Conv2DOptionsT& options) {
    return one(Op::CONV_2D, {in({2, 7, 8, filter[3]}), weights(filter), bias(filter[0])},
               {out(shape, other)}, options, {3, 2});
}

Fill depthwise(const Shape& filter, const Shape& shape, const DepthwiseConv2DOptionsT& options) {
    return one(
            Op::DEPTHWISE_CONV_2D,
            {in({2, 7, 8, filter[3] / options.depth_multiplier}), weights(filter), bias(filter[3])},
            {out(shape, other)}, options, {3, 2});
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
    std::vector<Argument> inputs = {ints(shape), weights({shape[3], 3, 2, 4}), in({1, 3, 4, 4})};
    if (hasBias) inputs.push_back(bias(shape[3]));
    return one(Op::TRANSPOSE_CONV, inputs, {out(shape, other)},
               TransposeConvOptionsT{.padding = padding, .stride_w = stride, .stride_h = stride},
               hasBias ? Version(3) : Version());
}

Fill matrix(const Shape& x, const Shape& y, Activation activation = Activation::NONE,
            bool keepsDimensions = false) {
    return one(Op::FULLY_CONNECTED, {in(x), weights({5, 4}), bias(5)}, {out(y, other)},
               FullyConnectedOptionsT{.fused_activation_function = activation,
                                      .keep_num_dims = keepsDimensions},
               keepsDimensions ? Version(5) : Version(4, 1));
}

Fill batchMatmul(const Shape& a, const Shape& b, bool adjointA, const Shape& shape) {
    return one(Op::BATCH_MATMUL, {in(a), in(b)}, {out(shape, other)},
               BatchMatMulOptionsT{.adj_x = adjointA, .adj_y = true});
}

void addConvolutionsForms(Files& files) {
    files.add("CONV_2D_strides", kNumbers, {CONV_2D},
              convolution({3, 3, 2, 4}, {2, 4, 3, 3},
                          {.stride_w = 3,
                           .stride_h = 2,
                           .fused_activation_function = Activation::RELU6}));
    files.add("CONV_2D_valid", kNumbers, {CONV_2D},
              convolution({3, 2, 3, 4}, {2, 3, 3, 3},
                          {.padding = Padding::VALID,
                           .stride_w = 2,
                           .stride_h = 2,
                           .fused_activation_function = Activation::RELU_N1_TO_1}));
    files.add("CONV_2D_dilations", kNumbers, {CONV_2D},
              convolution({3, 3, 2, 2}, {2, 3, 5, 3},
                          {.padding = Padding::VALID,
                           .stride_w = 1,
                           .stride_h = 1,
                           .dilation_w_factor = 3,
                           .dilation_h_factor = 2}));
    files.add("CONV_2D_dilations_same", kNumbers, {CONV_2D},
              convolution({3, 3, 2, 2}, {2, 7, 8, 3},
                          {.stride_w = 1,
                           .stride_h = 1,
                           .dilation_w_factor = 2,
                           .dilation_h_factor = 3}));
    files.add("CONV_2D_point", kNumbers, {CONV_2D},
              convolution({5, 1, 1, 3}, {2, 7, 8, 5}, {.stride_w = 1, .stride_h = 1}));
    files.add("DEPTHWISE_CONV_2D_same", kNumbers, {DEPTHWISE_CONV_2D},
              depthwise({1, 3, 2, 8}, {2, 7, 8, 8},
                        {.stride_w = 1,
                         .stride_h = 1,
                         .depth_multiplier = 1,
                         .fused_activation_function = Activation::RELU6}));
    files.add("DEPTHWISE_CONV_2D_strides", kNumbers, {DEPTHWISE_CONV_2D},
              depthwise({1, 3, 3, 6}, {2, 4, 4, 6},
                        {.stride_w = 2,
                         .stride_h = 2,
                         .depth_multiplier = 2,
                         .fused_activation_function = Activation::RELU}));
    files.add("DEPTHWISE_CONV_2D_dilated", kNumbers, {DEPTHWISE_CONV_2D},
              depthwise({1, 2, 3, 4}, {2, 4, 4, 4},
                        {.padding = Padding::VALID,
                         .stride_w = 1,
                         .stride_h = 1,
                         .depth_multiplier = 1,
                         .dilation_w_factor = 2,
                         .dilation_h_factor = 3}));
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
    files.add("FULLY_CONNECTED_computed", kNumbers, {FULLY_CONNECTED},
              one(Op::FULLY_CONNECTED, {in({2, 4}), in({5, 4}, weight), missing},
                  {out({2, 5}, other)}, FullyConnectedOptionsT(), {4, 1}));
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
