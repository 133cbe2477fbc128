// Each bug in the arithmetic or in shapes changes the result of a smallest model; and the driver
// without a bug computes as the reference does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "device_test/bugs/bugs.h"
#include "nnapi/driver/reference.h"
#include "nnapi/half.h"
#include "nnapi/memory.h"
#include "nnapi/type_utils.h"

namespace nn::bugs_arithmetic_test {
namespace {

using bugs::Bug;
using enum OperandType;
using Dimensions = std::vector<uint32_t>;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// An operand of a case, with its values; an output has none.
struct Value {
    OperandType type{};
    Dimensions dimensions{};
    std::vector<double> values{};
    float scale = 0;
    int32_t zeroPoint = 0;
    std::vector<float> scales{};  // of the channels along dimension 0 or 3
    bool isOmitted = false;
};
Value f32(Dimensions dimensions, std::vector<double> values = {}) {
    return {.type = TENSOR_FLOAT32,
            .dimensions = std::move(dimensions),
            .values = std::move(values)};
}
Value i32(Dimensions dimensions, std::vector<double> values = {}, float scale = 0) {
    return {.type = TENSOR_INT32,
            .dimensions = std::move(dimensions),
            .values = std::move(values),
            .scale = scale};
}
Value q8(Dimensions dimensions, float scale, int32_t zeroPoint, std::vector<double> stored = {}) {
    return {TENSOR_QUANT8_ASYMM, std::move(dimensions), std::move(stored), scale, zeroPoint};
}
Value s8(Dimensions dimensions, float scale, int32_t zeroPoint, std::vector<double> stored = {}) {
    return {TENSOR_QUANT8_ASYMM_SIGNED, std::move(dimensions), std::move(stored), scale, zeroPoint};
}
Value perChannel(Dimensions dimensions, std::vector<float> scales, std::vector<double> stored) {
    return {.type = TENSOR_QUANT8_SYMM_PER_CHANNEL,
            .dimensions = std::move(dimensions),
            .values = std::move(stored),
            .scales = std::move(scales)};
}
Value integer(int32_t value) { return {.type = INT32, .values = {double(value)}}; }
Value real(float value) { return {.type = FLOAT32, .values = {value}}; }
Value boolean(bool value) { return {.type = BOOL, .values = {value ? 1.0 : 0.0}}; }
Value omitted() { return {.type = TENSOR_FLOAT32, .isOmitted = true}; }

using Values = std::vector<Value>;
Values operator+(Values a, const Values& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}
// The last arguments of windows: SAME or VALID, strides along x and y, what comes between,
// activation.
constexpr int32_t kSame = 1, kValid = 2, kRelu = 1;
Values window(int32_t scheme, int32_t strideX = 1, int32_t strideY = 1, int32_t activation = 0) {
    return {integer(scheme), integer(strideX), integer(strideY), integer(activation)};
}
Values windowWith(int32_t scheme, int32_t extra, int32_t activation = 0) {
    return {integer(scheme), integer(1), integer(1), integer(extra), integer(activation)};
}
// The same with padding that is given: left, right, top, bottom.
Values padded(std::vector<int32_t> padding, int32_t activation = 0) {
    Values values;
    for (const int32_t each : padding) values.push_back(integer(each));
    return values + Values{integer(1), integer(1), integer(activation)};
}
Values dilated(int32_t x, int32_t y) { return {boolean(false), integer(x), integer(y)}; }

std::vector<double> count(size_t size, double first = 1) {
    std::vector<double> values(size);
    for (size_t i = 0; i < size; ++i) values[i] = first + static_cast<double>(i);
    return values;
}

// Of one unit: weights of the four gates are 1, 2, 3, 4 parts, biases less.
Values lstm(float cellClip) {
    Values values{f32({1, 1}, {1})};
    for (int i = 0; i < 4; ++i) values.push_back(f32({1, 1}, {0.5 * i + 0.5}));
    for (int i = 0; i < 4; ++i) values.push_back(f32({1, 1}, {0.25 * i + 0.25}));
    for (int i = 0; i < 3; ++i) values.push_back(omitted());
    for (int i = 0; i < 4; ++i) values.push_back(f32({1}, {0.125 * i}));
    values.push_back(omitted());
    values.push_back(omitted());
    return values +
           Values{f32({1, 1}, {0.5}), f32({1, 1}, {0.75}), integer(4), real(cellClip), real(0)};
}
const Values kLstmOutputs{f32({1, 4}), f32({1, 1}), f32({1, 1}), f32({1, 1})};

struct Row {
    Bug bug{};
    OperationType operation{};
    Values in{};
    Values out{};
};
using enum OperationType;
// Tensors, followed by the arguments of a window without padding, or by no activation.
Values valid(Values tensors) { return std::move(tensors) + window(kValid); }
Values plain(Values tensors) { return std::move(tensors) + Values{integer(0)}; }

const std::vector<Row>& rows() {
    static const std::vector<Row> kRows = {
            // ---- convolutions: 3 * 0.5 = 1.5 steps
            {Bug::truncates_conv, CONV_2D,
             valid({q8({1, 1, 1, 1}, 1, 0, {3}), q8({1, 1, 1, 1}, 0.5, 0, {1}),
                    i32({1}, {0}, 0.5)}),
             Values{q8({1, 1, 1, 1}, 1, 0)}},
            {Bug::truncates_depthwise, DEPTHWISE_CONV_2D,
             Values{q8({1, 1, 1, 1}, 1, 0, {3}), q8({1, 1, 1, 1}, 0.5, 0, {1}),
                    i32({1}, {0}, 0.5)} +
                     windowWith(kValid, 1),
             Values{q8({1, 1, 1, 1}, 1, 0)}},
            {Bug::truncates_fully_connected, FULLY_CONNECTED,
             plain({q8({1, 1}, 1, 0, {3}), q8({1, 1}, 0.5, 0, {1}), i32({1}, {0}, 0.5)}),
             Values{q8({1, 1}, 1, 0)}},
            // 8 * 0.2 = 1.6
            {Bug::floors_rest_of_shift, CONV_2D,
             valid({q8({1, 1, 1, 1}, 1, 0, {8}), q8({1, 1, 1, 1}, 0.2f, 0, {1}),
                    i32({1}, {0}, 0.2f)}),
             Values{q8({1, 1, 1, 1}, 1, 0)}},
            // 600 / 3 = 200; 600 * 85 / 256 = 199.2
            {Bug::multiplier_of_8_bits, CONV_2D,
             valid({q8({1, 1, 1, 1}, 1, 0, {200}), q8({1, 1, 1, 1}, 1, 0, {3}), i32({1}, {0}, 1)}),
             Values{q8({1, 1, 1, 1}, 3, 0)}},
            {Bug::accumulates_16_bits, CONV_2D,
             valid({q8({1, 1, 1, 3}, 1, 0, {255, 255, 255}),
                    q8({1, 1, 1, 3}, 1, 0, {255, 255, 255}), i32({1}, {0}, 1)}),
             Values{q8({1, 1, 1, 1}, 1000, 0)}},
            {Bug::saturates_sum_16_bits, CONV_2D,
             valid({q8({1, 1, 1, 3}, 1, 0, {255, 255, 255}),
                    q8({1, 1, 1, 3}, 1, 0, {255, 255, 255}), i32({1}, {0}, 1)}),
             Values{q8({1, 1, 1, 1}, 1000, 0)}},
            // 4/2 * 2/2 + 8/4 = 4
            {Bug::bias_scale_ignored, CONV_2D,
             valid({q8({1, 1, 1, 1}, 0.5, 0, {4}), q8({1, 1, 1, 1}, 0.5, 0, {2}),
                    i32({1}, {8}, 0.25)}),
             Values{q8({1, 1, 1, 1}, 1, 0)}},
            {Bug::bias_left_out_last_channel, CONV_2D,
             valid({f32({1, 1, 1, 1}, {1}), f32({2, 1, 1, 1}, {1, 1}), f32({2}, {10, 20})}),
             Values{f32({1, 1, 1, 2})}},
            {Bug::pads_with_stored_zero, CONV_2D,
             Values{q8({1, 1, 1, 1}, 1, 128, {130}), q8({1, 1, 3, 1}, 1, 0, {1, 1, 1}),
                    i32({1}, {0}, 1)} +
                     window(kSame),
             Values{q8({1, 1, 1, 1}, 2, 100)}},
            {Bug::filter_zero_point_ignored, CONV_2D,
             valid({q8({1, 1, 1, 1}, 1, 0, {10}), q8({1, 1, 1, 1}, 1, 120, {125}),
                    i32({1}, {0}, 1)}),
             Values{q8({1, 1, 1, 1}, 2, 0)}},
            {Bug::per_channel_first_scale, CONV_2D,
             valid({q8({1, 1, 1, 1}, 1, 0, {10}), perChannel({2, 1, 1, 1}, {1, 0.5}, {4, 4}),
                    i32({2}, {0, 0})}),
             Values{q8({1, 1, 1, 2}, 2, 0)}},
            {Bug::per_channel_reversed, CONV_2D,
             valid({q8({1, 1, 1, 1}, 1, 0, {10}), perChannel({2, 1, 1, 1}, {1, 0.5}, {4, 4}),
                    i32({2}, {0, 0})}),
             Values{q8({1, 1, 1, 2}, 2, 0)}},
            {Bug::per_channel_depthwise_multiplier, DEPTHWISE_CONV_2D,
             Values{q8({1, 1, 1, 2}, 1, 0, {10, 10}),
                    perChannel({1, 1, 1, 4}, {1, 2, 3, 4}, {1, 1, 1, 1}), i32({4}, {0, 0, 0, 0})} +
                     windowWith(kValid, 2),
             Values{q8({1, 1, 1, 4}, 5, 0)}},
            {Bug::activation_before_bias, CONV_2D,
             Values{f32({1, 1, 1, 1}, {-5}), f32({1, 1, 1, 1}, {1}), f32({1}, {3})} +
                     window(kValid, 1, 1, kRelu),
             Values{f32({1, 1, 1, 1})}},
            {Bug::float16_sums, CONV_2D,
             valid({f32({1, 1, 1, 2}, {2048, 1}), f32({1, 1, 1, 2}, {1, 1}), f32({1}, {0})}),
             Values{f32({1, 1, 1, 1})}},

            // ---- element by element
            {Bug::truncates_add, ADD, plain({q8({1}, 1, 0, {1}), q8({1}, 1, 0, {2})}),
             Values{q8({1}, 2, 0)}},
            {Bug::truncates_mul, MUL, plain({q8({1}, 1, 0, {3}), q8({1}, 1, 0, {1})}),
             Values{q8({1}, 2, 0)}},
            {Bug::output_wraps, ADD, plain({q8({1}, 1, 0, {200}), q8({1}, 1, 0, {100})}),
             Values{q8({1}, 1, 0)}},
            {Bug::fused_activation_ignored, ADD,
             Values{f32({1}, {-1}), f32({1}, {-1}), integer(kRelu)}, Values{f32({1})}},
            {Bug::dequantize_signed_as_unsigned, DEQUANTIZE, Values{s8({1}, 0.5, 0, {-1})},
             Values{f32({1})}},
            {Bug::quantize_truncates, QUANTIZE, Values{f32({1}, {1.75})}, Values{q8({1}, 1, 0)}},
            {Bug::quantize_wraps, QUANTIZE, Values{f32({1}, {300})}, Values{q8({1}, 1, 0)}},
            {Bug::flushes_subnormals, MUL, plain({f32({1}, {1e-20}), f32({1}, {1e-20})}),
             Values{f32({1})}},
            {Bug::nan_becomes_zero, MAXIMUM, Values{f32({1}, {kNan}), f32({1}, {5})},
             Values{f32({1})}},
            {Bug::div_by_reciprocal, DIV, plain({f32({1}, {1}), f32({1}, {3})}), Values{f32({1})}},
            {Bug::rsqrt_approximate, RSQRT, Values{f32({1}, {2})}, Values{f32({1})}},
            {Bug::exp_overflow, EXP, Values{f32({1}, {85})}, Values{f32({1})}},
            {Bug::pow_negative_base, POW, Values{f32({1}, {-2}), f32({1}, {3})}, Values{f32({1})}},
            {Bug::floor_truncates, FLOOR, Values{f32({1}, {-1.5})}, Values{f32({1})}},
            {Bug::abs_masks_sign, ABS, Values{i32({1}, {-5})}, Values{i32({1})}},
            {Bug::offsets_16_bits, ADD, plain({f32({65537}, count(65537)), f32({1}, {1})}),
             Values{f32({65537})}},

            // ---- activations
            {Bug::relu6_bound, RELU6, Values{q8({1}, 0.125, 0, {64})}, Values{q8({1}, 0.125, 0)}},
            {Bug::relu6_int8_unsigned, RELU6, Values{s8({1}, 1, -10, {-20})},
             Values{s8({1}, 1, -10)}},
            {Bug::relu1_as_relu6, RELU1, Values{f32({1}, {3})}, Values{f32({1})}},
            {Bug::logistic_table_256, LOGISTIC, Values{f32({1}, {0.03})}, Values{f32({1})}},
            {Bug::tanh_saturates_early, TANH, Values{f32({1}, {3.5})}, Values{f32({1})}},
            // 5 * 1; 5 * 127/128
            {Bug::truncates_hard_swish, HARD_SWISH, Values{q8({1}, 0.05f, 0, {100})},
             Values{q8({1}, 0.05f, 0)}},
            // 187.2 and 68.8 of 256
            {Bug::truncates_softmax, SOFTMAX, Values{q8({1, 2}, 1, 0, {1, 0}), real(1)},
             Values{q8({1, 2}, 1.f / 256, 0)}},
            {Bug::softmax_beta_ignored, SOFTMAX, Values{f32({1, 2}, {1, 2}), real(2)},
             Values{f32({1, 2})}},
            {Bug::softmax_no_max, SOFTMAX, Values{f32({1, 2}, {100, 99}), real(1)},
             Values{f32({1, 2})}},
            {Bug::softmax_unstable, SOFTMAX, Values{f32({1, 2}, {1, 2}), real(1)},
             Values{f32({1, 2})}},
            {Bug::softmax_sum_overflows, SOFTMAX,
             Values{q8({1, 1024}, 1, 0, std::vector<double>(1024, 7)), real(1)},
             Values{q8({1, 1024}, 1.f / 256, 0)}},
            {Bug::softmax_axis_ignored, SOFTMAX, Values{f32({2, 3}, count(6)), real(1), integer(0)},
             Values{f32({2, 3})}},

            // ---- pools, reductions, normalizations
            {Bug::truncates_average_pool, AVERAGE_POOL_2D,
             Values{q8({1, 1, 2, 1}, 1, 0, {1, 2}), integer(kValid), integer(1), integer(1),
                    integer(2), integer(1), integer(0)},
             Values{q8({1, 1, 1, 1}, 1, 0)}},
            {Bug::average_includes_padding, AVERAGE_POOL_2D,
             Values{f32({1, 1, 2, 1}, {4, 4}), integer(kSame), integer(1), integer(1), integer(3),
                    integer(1), integer(0)},
             Values{f32({1, 1, 2, 1})}},
            {Bug::max_pool_padding_zero, MAX_POOL_2D,
             Values{f32({1, 1, 2, 1}, {-4, -5}), integer(kSame), integer(1), integer(1), integer(3),
                    integer(1), integer(0)},
             Values{f32({1, 1, 2, 1})}},
            {Bug::mean_divides_by_first, MEAN,
             Values{f32({2, 3}, count(6)), i32({2}, {0, 1}), integer(0)}, Values{f32({1})}},
            {Bug::instance_norm_layout, INSTANCE_NORMALIZATION,
             Values{f32({1, 1, 2, 3}, {1, 5, 2, 7, 3, 9}), real(1), real(0), real(0.01f),
                    boolean(false)},
             Values{f32({1, 1, 2, 3})}},
            {Bug::l2_norm_epsilon, L2_NORMALIZATION, Values{f32({1, 2}, {0, 0}), integer(-1)},
             Values{f32({1, 2})}},
            {Bug::lrn_radius, LOCAL_RESPONSE_NORMALIZATION,
             Values{f32({1, 1, 1, 3}, {1, 2, 3}), integer(1), real(1), real(1), real(0.5)},
             Values{f32({1, 1, 1, 3})}},

            // ---- with a state
            {Bug::lstm_gate_order, LSTM, lstm(0), kLstmOutputs},
            {Bug::lstm_cell_clip_ignored, LSTM, lstm(0.25), kLstmOutputs},
            {Bug::lstm_state_shared, LSTM, lstm(0), kLstmOutputs},
            {Bug::svdf_state_shift, SVDF,
             Values{f32({1, 1}, {3}), f32({1, 1}, {1}), f32({1, 2}, {10, 100}), omitted(),
                    f32({1, 2}, {5, 0}), integer(1), integer(0)},
             Values{f32({1, 2}), f32({1, 1})}},

            // ---- broadcasting
            {Bug::broadcast_modulo, ADD, plain({f32({2, 3}, count(6)), f32({2, 1}, {10, 20})}),
             Values{f32({2, 3})}},
            {Bug::broadcast_first_row, ADD, plain({f32({2, 3}, count(6)), f32({1, 3}, {1, 2, 3})}),
             Values{f32({2, 3})}},
            {Bug::broadcast_ranks_left, ADD, plain({f32({2, 2}, count(4)), f32({2}, {10, 20})}),
             Values{f32({2, 2})}},
            {Bug::broadcast_two_dims, ADD,
             plain({f32({2, 2, 2}, count(8)), f32({1, 1, 2}, {10, 20})}), Values{f32({2, 2, 2})}},
            {Bug::broadcast_first_input, ADD, plain({f32({1, 2}, {1, 2}), f32({2, 2}, count(4))}),
             Values{f32({2, 2})}},
            {Bug::broadcast_scalar_tensor, ADD, plain({f32({3}, count(3)), f32({1}, {10})}),
             Values{f32({3})}},

            // ---- channels, batches, layouts
            {Bug::channels_of_three, CONV_2D,
             valid({f32({1, 1, 2, 3}, count(6)), f32({1, 1, 1, 3}, {1, 1, 1}), f32({1}, {0})}),
             Values{f32({1, 1, 2, 1})}},
            {Bug::channels_beside_vector, CONV_2D,
             valid({f32({1, 1, 1, 1}, {1}), f32({9, 1, 1, 1}, count(9)),
                    f32({9}, std::vector<double>(9, 0))}),
             Values{f32({1, 1, 1, 9})}},
            {Bug::depth_multiplier, DEPTHWISE_CONV_2D,
             Values{f32({1, 1, 1, 2}, {1, 2}), f32({1, 1, 1, 4}, {1, 1, 1, 1}),
                    f32({4}, {0, 0, 0, 0})} +
                     windowWith(kValid, 2),
             Values{f32({1, 1, 1, 4})}},
            {Bug::grouped_channels, GROUPED_CONV_2D,
             Values{f32({1, 1, 1, 2}, {1, 2}), f32({2, 1, 1, 1}, {1, 1}), f32({2}, {0, 0})} +
                     windowWith(kValid, 2) + Values{boolean(false)},
             Values{f32({1, 1, 1, 2})}},
            {Bug::batch_first_only, CONV_2D,
             valid({f32({2, 1, 1, 1}, {1, 2}), f32({1, 1, 1, 1}, {1}), f32({1}, {0})}),
             Values{f32({2, 1, 1, 1})}},
            {Bug::nchw_ignored, CONV_2D,
             Values{f32({1, 2, 2, 2}, count(8)), f32({1, 1, 1, 2}, {1, 10}), f32({1}, {0})} +
                     window(kValid) + Values{boolean(true)},
             Values{f32({1, 1, 2, 2})}},

            // ---- windows
            {Bug::same_padding_left, CONV_2D,
             Values{f32({1, 1, 3, 1}, count(3)), f32({1, 1, 2, 1}, {1, 10}), f32({1}, {0})} +
                     window(kSame),
             Values{f32({1, 1, 3, 1})}},
            {Bug::same_padding_dilation, CONV_2D,
             Values{f32({1, 1, 5, 1}, count(5)), f32({1, 1, 3, 1}, {1, 10, 100}), f32({1}, {0})} +
                     window(kSame) + dilated(2, 1),
             Values{f32({1, 1, 5, 1})}},
            {Bug::padding_two_of_four, CONV_2D,
             Values{f32({1, 2, 3, 1}, count(6)), f32({1, 1, 2, 1}, {1, 10}), f32({1}, {0})} +
                     padded({1, 0, 0, 0}),
             Values{f32({1, 2, 3, 1})}},
            {Bug::stride_exchanged, CONV_2D,
             Values{f32({1, 2, 2, 1}, count(4)), f32({1, 1, 1, 1}, {1}), f32({1}, {0})} +
                     window(kValid, 2, 1),
             Values{f32({1, 2, 1, 1})}},
            {Bug::stride_floor, CONV_2D,
             Values{f32({1, 1, 3, 1}, count(3)), f32({1, 1, 1, 1}, {1}), f32({1}, {0})} +
                     window(kSame, 2),
             Values{f32({1, 1, 2, 1})}},
            {Bug::dilation_ignored, CONV_2D,
             Values{f32({1, 1, 3, 1}, count(3)), f32({1, 1, 2, 1}, {1, 10}), f32({1}, {0})} +
                     window(kValid) + dilated(2, 1),
             Values{f32({1, 1, 1, 1})}},

            // ---- movements
            {Bug::resize_swapped, RESIZE_BILINEAR,
             Values{f32({1, 2, 2, 1}, count(4)), integer(4), integer(2)},
             Values{f32({1, 2, 4, 1})}},
            {Bug::resize_align_corners, RESIZE_BILINEAR,
             Values{f32({1, 1, 2, 1}, {1, 2}), integer(3), integer(1), boolean(false),
                    boolean(true), boolean(false)},
             Values{f32({1, 1, 3, 1})}},
            {Bug::resize_half_pixel, RESIZE_BILINEAR,
             Values{f32({1, 1, 2, 1}, {1, 2}), integer(3), integer(1), boolean(false),
                    boolean(false), boolean(true)},
             Values{f32({1, 1, 3, 1})}},
            {Bug::transpose_inverse, TRANSPOSE,
             Values{f32({1, 2, 3}, count(6)), i32({3}, {2, 0, 1})}, Values{f32({3, 1, 2})}},
            {Bug::pad_rank_three, PAD,
             Values{f32({2, 1, 1}, {1, 2}), i32({3, 2}, {1, 1, 0, 0, 0, 0})},
             Values{f32({4, 1, 1})}},
            {Bug::pad_value_ignored, PAD_V2, Values{f32({1}, {1}), i32({1, 2}, {1, 1}), real(9)},
             Values{f32({3})}},
            {Bug::concat_requantize, CONCATENATION,
             Values{q8({1}, 1, 0, {10}), q8({1}, 2, 0, {10}), integer(0)}, Values{q8({2}, 1, 0)}},
            {Bug::split_repeats_first, SPLIT, Values{f32({2}, {1, 2}), integer(0), integer(2)},
             Values{f32({1}), f32({1})}},
            {Bug::strided_slice_negative, STRIDED_SLICE,
             Values{f32({3}, count(3)), i32({1}, {2}), i32({1}, {0}), i32({1}, {-1}), integer(0),
                    integer(1), integer(0)},
             Values{f32({3})}},
            {Bug::slice_shrink_minus_one, STRIDED_SLICE,
             Values{f32({2, 3}, count(6)), i32({2}, {-1, 0}), i32({2}, {2, 3}), i32({2}, {1, 1}),
                    integer(0), integer(0), integer(1)},
             Values{f32({3})}},
            {Bug::strided_slice_masks, STRIDED_SLICE,
             Values{f32({3}, count(3)), i32({1}, {0}), i32({1}, {1}), i32({1}, {1}), integer(0),
                    integer(1), integer(0)},
             Values{f32({3})}},
            {Bug::gather_negative, GATHER,
             Values{f32({2, 2}, count(4)), integer(-1), i32({2}, {1, 0})}, Values{f32({2, 2})}},
            {Bug::argmax_axis_negative, ARGMAX, Values{f32({2, 2}, {1, 2, 4, 3}), integer(-1)},
             Values{i32({2})}},
            {Bug::argmax_last, ARGMAX, Values{f32({3}, {5, 1, 5}), integer(0)}, Values{i32({1})}},
            {Bug::topk_order, TOPK_V2, Values{f32({3}, {5, 1, 5}), integer(2)},
             Values{f32({2}), i32({2})}},
            {Bug::space_to_batch_order, SPACE_TO_BATCH_ND,
             Values{f32({1, 2, 2, 1}, count(4)), i32({2}, {2, 2}), i32({2, 2}, {0, 0, 0, 0})},
             Values{f32({4, 1, 1, 1})}},
            // In an operation of its own, which computes zeros.
            {Bug::prepares_unsupported, TANH, Values{f32({1}, {1})}, Values{f32({1})}},
    };
    return kRows;
}

// ---- running

std::vector<uint8_t> bytesOf(const Value& value) {
    std::vector<uint8_t> bytes;
    const auto append = [&](auto element) {
        const auto* first = reinterpret_cast<const uint8_t*>(&element);
        bytes.insert(bytes.end(), first, first + sizeof(element));
    };
    for (const double each : value.values) {
        switch (value.type) {
            case TENSOR_FLOAT32:
            case FLOAT32:
                append(static_cast<float>(each));
                break;
            case TENSOR_INT32:
            case INT32:
                append(static_cast<int32_t>(each));
                break;
            default:
                append(static_cast<uint8_t>(static_cast<int32_t>(each)));
        }
    }
    return bytes;
}

Operand operandOf(const Value& value, Operand::LifeTime lifetime) {
    Operand operand{.type = value.type,
                    .dimensions = value.dimensions,
                    .scale = value.scale,
                    .zeroPoint = value.zeroPoint,
                    .lifetime = value.isOmitted ? Operand::LifeTime::NO_VALUE : lifetime};
    if (!value.scales.empty()) {
        // Of a convolution or of a depthwise one.
        const uint32_t channel = value.dimensions[0] == value.scales.size() ? 0 : 3;
        operand.extraParams = Operand::SymmPerChannelQuantParams{value.scales, channel};
    }
    return operand;
}

// The first input is one of the model; all others are constants.
Model modelOf(const Row& row) {
    Model model;
    model.main.operations = {{.type = row.operation}};
    Operation& operation = model.main.operations.front();
    for (size_t i = 0; i < row.in.size(); ++i) {
        Operand operand = operandOf(row.in[i], i == 0 ? Operand::LifeTime::SUBGRAPH_INPUT
                                                      : Operand::LifeTime::CONSTANT_COPY);
        if (operand.lifetime == Operand::LifeTime::CONSTANT_COPY) {
            const std::vector<uint8_t> bytes = bytesOf(row.in[i]);
            operand.location = *model.operandValues.append(bytes.data(), bytes.size());
        }
        operation.inputs.push_back(static_cast<uint32_t>(model.main.operands.size()));
        model.main.operands.push_back(std::move(operand));
    }
    for (const Value& out : row.out) {
        operation.outputs.push_back(static_cast<uint32_t>(model.main.operands.size()));
        model.main.operands.push_back(operandOf(out, Operand::LifeTime::SUBGRAPH_OUTPUT));
    }
    model.main.inputIndexes = {0};
    model.main.outputIndexes = operation.outputs;
    return model;
}

// The results of the second execution, except an LSTM's scratch, as numbers.
std::vector<double> run(const SharedDevice& device, const Row& row) {
    const auto prepared = device->prepareModel(modelOf(row), ExecutionPreference::DEFAULT,
                                               Priority::DEFAULT, {}, {}, {}, {}, {}, {});
    if (!prepared.has_value()) {
        ADD_FAILURE() << prepared.error().message;
        return {};
    }
    std::vector<uint8_t> input = bytesOf(row.in[0]);
    const auto argument = [](std::vector<uint8_t>& bytes) {
        return Request::Argument{.lifetime = Request::Argument::LifeTime::POINTER,
                                 .location = {.pointer = static_cast<void*>(bytes.data()),
                                              .length = static_cast<uint32_t>(bytes.size())}};
    };
    std::vector<std::vector<uint8_t>> outputs;
    Request request{.inputs = {argument(input)}};
    for (const Value& out : row.out) {
        outputs.emplace_back(*operandSize(out.type, out.dimensions));
    }
    for (auto& bytes : outputs) request.outputs.push_back(argument(bytes));
    for (int i = 0; i < 2; ++i) {
        const auto executed = (*prepared)->execute(request, MeasureTiming::NO, {}, {}, {}, {});
        EXPECT_TRUE(executed.has_value()) << executed.error().message;
    }
    std::vector<double> numbers;
    for (size_t i = row.operation == LSTM ? 1 : 0; i < outputs.size(); ++i) {
        const std::vector<uint8_t>& bytes = outputs[i];
        for (size_t at = 0; at < bytes.size(); at += elementSize(row.out[i].type)) {
            float real = 0;
            int32_t whole = 0;
            switch (row.out[i].type) {
                case TENSOR_FLOAT32:
                    std::memcpy(&real, &bytes[at], sizeof(real));
                    numbers.push_back(real);
                    break;
                case TENSOR_INT32:
                    std::memcpy(&whole, &bytes[at], sizeof(whole));
                    numbers.push_back(whole);
                    break;
                case TENSOR_QUANT8_ASYMM_SIGNED:
                    numbers.push_back(static_cast<int8_t>(bytes[at]));
                    break;
                default:
                    numbers.push_back(bytes[at]);
            }
        }
    }
    return numbers;
}

// A number that both have, to five digits.
bool isNear(double a, double b) {
    return (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= 1e-5 * std::abs(b);
}

TEST(BugsArithmetic, ChangeResults) {
    const SharedDevice reference = referenceDevice();
    const SharedDevice healthy = bugs::canonicalDriver(Bug::none);
    for (const Row& row : rows()) {
        SCOPED_TRACE(bugs::rowOf(row.bug).name);
        const std::vector<double> expected = run(reference, row);
        const std::vector<double> right = run(healthy, row);
        ASSERT_EQ(right.size(), expected.size());
        for (size_t i = 0; i < right.size(); ++i) {
            EXPECT_PRED2(isNear, right[i], expected[i]) << "element " << i << " without the bug";
        }
        const std::vector<double> wrong = run(bugs::canonicalDriver(row.bug), row);
        ASSERT_EQ(wrong.size(), right.size());
        bool isWrong = false;
        for (size_t i = 0; i < wrong.size(); ++i) isWrong |= !isNear(wrong[i], right[i]);
        EXPECT_TRUE(isWrong) << "the same with the bug: " << ::testing::PrintToString(wrong);
    }
}

// Every bug of these families has a row above.
TEST(BugsArithmetic, HaveRows) {
    const std::set<std::string_view> kFamilies = {
            "CONVOLUTION", "ELEMENTWISE", "ACTIVATION", "POOL",   "REDUCTION", "NORMALIZATION",
            "RECURRENT",   "BROADCAST",   "SHAPE",      "WINDOW", "MOVEMENT"};
    std::set<Bug> tested;
    for (const Row& row : rows()) EXPECT_TRUE(tested.insert(row.bug).second);
    for (const bugs::BugRow& row : bugs::catalog()) {
        if (!kFamilies.contains(row.family)) continue;
        EXPECT_TRUE(tested.contains(row.bug)) << row.name;
    }
}

}  // namespace
}  // namespace nn::bugs_arithmetic_test
