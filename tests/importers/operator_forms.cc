// More forms of operators: broadcasts, negative axes, activations, ranks, missing inputs.
#include "importers/operator_file_list.h"

namespace nn::tflite {
namespace {

using enum OperationType;
ReducerOptionsT reducer(bool keepsDimensions) {
    ReducerOptionsT options;
    options.keep_dims = keepsDimensions;
    return options;
}

int32_t x234(LiteGraph& g, Type t) { return g.input(t, {2, 3, 4}, common(t)); }

const Form kElementwise[] = {
        {"ADD_scalar", kAll, Becomes{ADD},
         [](LiteGraph& g, Type t) {
             const int32_t x = x234(g, t), one = g.numbers(t, {}, common(t));
             g.op(Op::ADD, versionFor(t), {x, one}, {g.output(t, {2, 3, 4}, other(t))},
                  AddOptionsT());
         }},
        {"ADD_rank_0", kAll, Becomes{ADD},
         [](LiteGraph& g, Type t) {
             const int32_t x = g.input(t, {}, common(t)), one = g.input(t, {}, common(t));
             g.op(Op::ADD, versionFor(t), {x, one}, {g.output(t, {}, other(t))}, AddOptionsT());
         }},
        {"ADD_activated", kNumbers, Becomes{ADD},
         [](LiteGraph& g, Type t) {
             const int32_t x = x234(g, t), y = x234(g, t);
             g.op(Op::ADD, versionFor(t), {x, y}, {g.output(t, {2, 3, 4}, other(t))},
                  activated<AddOptionsT>(Activation::RELU6));
         }},
        {"SUB_activated", kNumbers, Becomes{SUB},
         [](LiteGraph& g, Type t) {
             const int32_t x = x234(g, t), y = g.input(t, {3, 1}, common(t));
             g.op(Op::SUB, versionFor(t), {x, y}, {g.output(t, {2, 3, 4}, other(t))},
                  activated<SubOptionsT>(Activation::RELU));
         }},
        {"SUB_from_constant", kNumbers, Becomes{SUB},
         [](LiteGraph& g, Type t) {
             const int32_t y = x234(g, t), x = g.numbers(t, {4}, other(t));
             g.op(Op::SUB, versionFor(t), {x, y}, {g.output(t, {2, 3, 4}, other(t))},
                  SubOptionsT());
         }},
        {"MUL_activated", kNumbers, Becomes{MUL},
         [](LiteGraph& g, Type t) {
             const int32_t x = x234(g, t), y = g.input(t, {1}, common(t));
             g.op(Op::MUL, versionFor(t), {x, y}, {g.output(t, {2, 3, 4}, other(t))},
                  activated<MulOptionsT>(Activation::RELU_N1_TO_1));
         }},
        {"FLOOR_DIV_integers", Types{kInt}, Becomes{DIV},
         [](LiteGraph& g, Type t) {
             const int32_t x = x234(g, t), y = g.constant<int32_t>(t, {4}, {1, -2, 3, 5});
             g.op(Op::FLOOR_DIV, 1, {x, y}, {g.output(t, {2, 3, 4})});
         }},
        {"DIV_integers", Types{kInt},
         Becomes{ABS, ABS, DIV, MAXIMUM, MINIMUM, MAXIMUM, MINIMUM, MUL, MUL},
         [](LiteGraph& g, Type t) {
             const int32_t x = x234(g, t), y = g.constant<int32_t>(t, {4}, {2, -3, 4, 7});
             g.op(Op::DIV, 1, {x, y}, {g.output(t, {2, 3, 4})}, DivOptionsT());
         }},
        {"LESS_broadcast", kAll, Becomes{LESS},
         [](LiteGraph& g, Type t) {
             const int32_t x = x234(g, t), y = g.input(t, {1, 3, 1}, other(t));
             g.op(Op::LESS, versionFor(t), {x, y}, {g.output(kBool, {2, 3, 4})});
         }},
        {"EQUAL_scales", Types{kUint8, kInt8}, Becomes{EQUAL},
         [](LiteGraph& g, Type t) {
             const int32_t x = x234(g, t), y = g.input(t, {2, 3, 4}, other(t));
             g.op(Op::EQUAL, versionFor(t), {x, y}, {g.output(kBool, {2, 3, 4})});
         }},
        {"EQUAL_bool", Types{kBool}, Becomes{EQUAL},
         [](LiteGraph& g, Type t) {
             const int32_t x = x234(g, t), y = x234(g, t);
             g.op(Op::EQUAL, 1, {x, y}, {g.output(kBool, {2, 3, 4})});
         }},
        {"GREATER_EQUAL_scalar", kAll, Becomes{GREATER_EQUAL},
         [](LiteGraph& g, Type t) {
             const int32_t x = x234(g, t), y = g.numbers(t, {}, common(t));
             g.op(Op::GREATER_EQUAL, versionFor(t), {x, y}, {g.output(kBool, {2, 3, 4})});
         }},
        {"MAXIMUM_broadcast", kAll, Becomes{MAXIMUM},
         [](LiteGraph& g, Type t) {
             const int32_t x = x234(g, t), y = g.input(t, {3, 1}, common(t));
             g.op(Op::MAXIMUM, versionFor(t), {x, y}, {g.output(t, {2, 3, 4}, common(t))});
         }},
        {"LOGICAL_OR_broadcast", Types{kBool}, Becomes{LOGICAL_OR},
         [](LiteGraph& g, Type t) {
             const int32_t x = x234(g, t), y = g.input(t, {4});
             g.op(Op::LOGICAL_OR, 1, {x, y}, {g.output(t, {2, 3, 4})});
         }},
        {"SQUARED_DIFFERENCE_broadcast", Types{kFloat, kInt}, Becomes{SUB, MUL},
         [](LiteGraph& g, Type t) {
             const int32_t x = x234(g, t), y = g.input(t, {3, 1});
             g.op(Op::SQUARED_DIFFERENCE, 1, {x, y}, {g.output(t, {2, 3, 4})});
         }},
        {"POW_scalar", Types{kFloat}, Becomes{POW},
         [](LiteGraph& g, Type t) {
             const int32_t x = x234(g, t), y = g.constant<float>(t, {}, {3});
             g.op(Op::POW, 1, {x, y}, {g.output(t, {2, 3, 4})});
         }},
        {"CAST_from_bytes", Types{kUint8}, Becomes{CAST},
         [](LiteGraph& g, Type t) {
             CastOptionsT options;
             options.in_data_type = t;
             options.out_data_type = kFloat;
             g.op(Op::CAST, 1, {g.input(t, {2, 3})}, {g.output(kFloat, {2, 3})}, options);
         }},
        {"CAST_to_bytes", Types{kUint8}, Becomes{CAST},
         [](LiteGraph& g, Type t) {
             CastOptionsT options;
             options.in_data_type = kInt;
             options.out_data_type = t;
             g.op(Op::CAST, 1, {g.input(kInt, {2, 3})}, {g.output(t, {2, 3})}, options);
         }},
        {"RELU_N1_TO_1_requantized", Types{kUint8, kInt8}, Becomes{DEQUANTIZE, RELU1, QUANTIZE},
         [](LiteGraph& g, Type t) {
             g.op(Op::RELU_N1_TO_1, 1, {x234(g, t)}, {g.output(t, {2, 3, 4}, other(t))});
         }},
        {"RELU6_requantized", Types{kUint8, kInt8}, Becomes{DEQUANTIZE, RELU6, QUANTIZE},
         [](LiteGraph& g, Type t) {
             g.op(Op::RELU6, versionFor(t), {x234(g, t)}, {g.output(t, {2, 3, 4}, other(t))});
         }},
        {"LEAKY_RELU_negative", kNumbers, Becomes{PRELU},
         [](LiteGraph& g, Type t) {
             LeakyReluOptionsT options;
             options.alpha = -0.5f;
             g.op(Op::LEAKY_RELU, versionFor(t), {x234(g, t)}, {g.output(t, {2, 3, 4}, other(t))},
                  options);
         }},
        {"LEAKY_RELU_zero", kNumbers, Becomes{PRELU},
         [](LiteGraph& g, Type t) {
             LeakyReluOptionsT options;
             options.alpha = 0;
             g.op(Op::LEAKY_RELU, versionFor(t), {x234(g, t)}, {g.output(t, {2, 3, 4}, other(t))},
                  options);
         }},
        {"HARD_SWISH_scales", Types{kUint8, kInt8}, Becomes{HARD_SWISH},
         [](LiteGraph& g, Type t) {
             g.op(Op::HARD_SWISH, 1, {x234(g, t)}, {g.output(t, {2, 3, 4}, other(t))});
         }},
        {"PRELU_computed", kNumbers, Becomes{PRELU},
         [](LiteGraph& g, Type t) {
             const int32_t x = x234(g, t), slope = g.input(t, {1, 1, 4}, other(t));
             g.op(Op::PRELU, 1, {x, slope}, {g.output(t, {2, 3, 4}, other(t))});
         }},
};

Fill softmax(const Shape& shape) {
    return [=](LiteGraph& g, Type t) {
        SoftmaxOptionsT options;
        options.beta = 0.5f;
        const LiteScale scale = t == kUint8  ? LiteScale{1.0f / 256, 0}
                                : t == kInt8 ? LiteScale{1.0f / 256, -128}
                                             : LiteScale();
        g.op(Op::SOFTMAX, versionFor(t), {g.input(t, shape, common(t))},
             {g.output(t, shape, scale)}, options);
    };
}

Fill mean(const Shape& axes, bool keeps, const Shape& shape, LiteScale (*scale)(Type) = common) {
    return [=](LiteGraph& g, Type t) {
        const int32_t x = g.input(t, {2, 3, 4, 5}, common(t));
        g.op(Op::MEAN, versionFor(t), {x, g.ints(axes)}, {g.output(t, shape, scale(t))},
             reducer(keeps));
    };
}

const Form kReductions[] = {
        {"SOFTMAX_rank_1", kNumbers, Becomes{SOFTMAX}, softmax({5})},
        {"SOFTMAX_rank_3", kNumbers, Becomes{SOFTMAX}, softmax({2, 3, 4})},
        {"SOFTMAX_rank_4", kNumbers, Becomes{SOFTMAX}, softmax({1, 2, 3, 4})},
        {"LOG_SOFTMAX_rank_4", Types{kFloat}, Becomes{LOG_SOFTMAX},
         [](LiteGraph& g, Type t) {
             g.op(Op::LOG_SOFTMAX, 1, {g.input(t, {1, 2, 3, 4})}, {g.output(t, {1, 2, 3, 4})});
         }},
        {"MEAN_images", kNumbers, Becomes{MEAN}, mean({1, 2}, true, {2, 1, 1, 5})},
        {"MEAN_images_flat", kNumbers, Becomes{MEAN}, mean({1, 2}, false, {2, 5})},
        {"MEAN_images_requantized", Types{kUint8, kInt8}, Becomes{DEQUANTIZE, MEAN, QUANTIZE},
         mean({1, 2}, true, {2, 1, 1, 5}, other)},
        {"MEAN_negative", kNumbers, Becomes{MEAN}, mean({-1, 0}, false, {3, 4})},
        {"MEAN_twice", kNumbers, Becomes{MEAN}, mean({1, -3}, false, {2, 4, 5})},
        {"MEAN_all", kNumbers, Becomes{MEAN}, mean({0, 1, 2, 3}, false, {})},
        {"MEAN_scalar_axis", kNumbers, Becomes{MEAN},
         [](LiteGraph& g, Type t) {
             const int32_t x = x234(g, t);
             g.op(Op::MEAN, versionFor(t), {x, g.scalar(-2)}, {g.output(t, {2, 4}, common(t))},
                  reducer(false));
         }},
        {"SUM_all", Types{kFloat}, Becomes{REDUCE_SUM},
         [](LiteGraph& g, Type t) {
             const int32_t x = x234(g, t);
             g.op(Op::SUM, 1, {x, g.ints({0, 1, 2})}, {g.output(t, {})}, reducer(false));
         }},
        {"REDUCE_MIN_negative", kNumbers, Becomes{REDUCE_MIN},
         [](LiteGraph& g, Type t) {
             const int32_t x = x234(g, t);
             g.op(Op::REDUCE_MIN, versionFor(t), {x, g.ints({-1, -3})},
                  {g.output(t, {3}, common(t))}, reducer(false));
         }},
        {"REDUCE_ALL", Types{kBool}, Becomes{REDUCE_ALL},
         [](LiteGraph& g, Type t) {
             const int32_t x = x234(g, t);
             g.op(Op::REDUCE_ALL, 1, {x, g.ints({1})}, {g.output(t, {2, 4})}, reducer(false));
         }},
        {"ARG_MAX_negative", kNumbers, Becomes{ARGMAX},
         [](LiteGraph& g, Type t) {
             ArgMaxOptionsT options;
             options.output_type = kInt;
             g.op(Op::ARG_MAX, versionFor(t), {x234(g, t), g.scalar(-2)}, {g.output(kInt, {2, 4})},
                  options);
         }},
        {"ARG_MIN_long_axis", kNumbers, Becomes{ARGMIN},
         [](LiteGraph& g, Type t) {
             ArgMinOptionsT options;
             options.output_type = kInt;
             const int32_t axis = g.constant<int64_t>(Type::INT64, {1}, {2});
             g.op(Op::ARG_MIN, versionFor(t), {x234(g, t), axis}, {g.output(kInt, {2, 3})},
                  options);
         }},
        {"ARG_MAX_of_list", kNumbers, Becomes{ARGMAX},
         [](LiteGraph& g, Type t) {
             ArgMaxOptionsT options;
             options.output_type = kInt;
             g.op(Op::ARG_MAX, versionFor(t), {g.input(t, {7}, common(t)), g.scalar(0)},
                  {g.output(kInt, {})}, options);
         }},
        {"TOPK_V2_of_list", Types{kFloat}, Becomes{TOPK_V2},
         [](LiteGraph& g, Type t) {
             const int32_t x = g.input(t, {9}), k = g.scalar(9);
             const int32_t values = g.output(t, {9}), indexes = g.output(kInt, {9});
             g.op(Op::TOPK_V2, 1, {x, k}, {values, indexes});
         }},
        {"L2_NORMALIZATION_rank_4", kNumbers, Becomes{L2_NORMALIZATION},
         [](LiteGraph& g, Type t) {
             const LiteScale scale = t == kUint8  ? LiteScale{1.0f / 128, 128}
                                     : t == kInt8 ? LiteScale{1.0f / 128, 0}
                                                  : LiteScale();
             g.op(Op::L2_NORMALIZATION, versionFor(t), {g.input(t, {1, 2, 2, 4}, common(t))},
                  {g.output(t, {1, 2, 2, 4}, scale)}, L2NormOptionsT());
         }},
};

}  // namespace

void addForms(Files& files) {
    files.add(kElementwise);
    files.add(kReductions);
    addShapeForms(files);
    addImageForms(files);
    addRecurrentForms(files);
    addLookupForms(files);
    addComposedForms(files);
    addCustomForms(files);
}

}  // namespace nn::tflite
