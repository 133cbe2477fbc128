// More forms of operators: broadcasts, negative axes, activations, ranks, missing inputs.
#include "importers/operator_file_list.h"

namespace nn::tflite {
namespace {

using enum OperationType;

void addElementwiseForms(Files& files) {
    files.add("ADD_scalar", kAll, {ADD},
              one(Op::ADD, {in({2, 3, 4}), numbers({})}, {out({2, 3, 4}, other)}, AddOptionsT()));
    files.add("ADD_rank_0", kAll, {ADD},
              one(Op::ADD, {in({}), in({})}, {out({}, other)}, AddOptionsT()));
    files.add("ADD_activated", kNumbers, {ADD},
              one(Op::ADD, {in({2, 3, 4}), in({2, 3, 4})}, {out({2, 3, 4}, other)},
                  activated<AddOptionsT>(Activation::RELU6)));
    files.add("SUB_activated", kNumbers, {SUB},
              one(Op::SUB, {in({2, 3, 4}), in({3, 1})}, {out({2, 3, 4}, other)},
                  activated<SubOptionsT>(Activation::RELU)));
    files.add("SUB_from_constant", kNumbers, {SUB},
              one(Op::SUB, {numbers({4}, other), in({2, 3, 4})}, {out({2, 3, 4}, other)},
                  SubOptionsT()));
    files.add("MUL_activated", kNumbers, {MUL},
              one(Op::MUL, {in({2, 3, 4}), in({1})}, {out({2, 3, 4}, other)},
                  activated<MulOptionsT>(Activation::RELU_N1_TO_1)));
    files.add("FLOOR_DIV_integers", {kInt}, {DIV},
              one(Op::FLOOR_DIV, {in({2, 3, 4}), constant<int32_t>(kInt, {4}, {1, -2, 3, 5})},
                  {out({2, 3, 4})}));
    files.add("DIV_integers", {kInt}, {ABS, ABS, DIV, MAXIMUM, MINIMUM, MAXIMUM, MINIMUM, MUL, MUL},
              one(Op::DIV, {in({2, 3, 4}), constant<int32_t>(kInt, {4}, {2, -3, 4, 7})},
                  {out({2, 3, 4})}, DivOptionsT()));
    files.add("LESS_broadcast", kAll, {LESS},
              one(Op::LESS, {in({2, 3, 4}), in({1, 3, 1}, other)}, {outOf(kBool, {2, 3, 4})}));
    files.add("EQUAL_scales", {kUint8, kInt8}, {EQUAL},
              one(Op::EQUAL, {in({2, 3, 4}), in({2, 3, 4}, other)}, {outOf(kBool, {2, 3, 4})}));
    files.add("EQUAL_bool", {kBool}, {EQUAL},
              one(Op::EQUAL, {in({2, 3, 4}), in({2, 3, 4})}, {outOf(kBool, {2, 3, 4})}));
    files.add("GREATER_EQUAL_scalar", kAll, {GREATER_EQUAL},
              one(Op::GREATER_EQUAL, {in({2, 3, 4}), numbers({})}, {outOf(kBool, {2, 3, 4})}));
    files.add("MAXIMUM_broadcast", kAll, {MAXIMUM},
              one(Op::MAXIMUM, {in({2, 3, 4}), in({3, 1})}, {out({2, 3, 4})}));
    files.add("LOGICAL_OR_broadcast", {kBool}, {LOGICAL_OR},
              one(Op::LOGICAL_OR, {in({2, 3, 4}), in({4})}, {out({2, 3, 4})}));
    files.add("SQUARED_DIFFERENCE_broadcast", {kFloat, kInt}, {SUB, MUL},
              one(Op::SQUARED_DIFFERENCE, {in({2, 3, 4}), in({3, 1})}, {out({2, 3, 4})}));
    files.add("POW_scalar", {kFloat}, {POW},
              one(Op::POW, {in({2, 3, 4}), constant<float>(kFloat, {}, {3})}, {out({2, 3, 4})}));
    files.add("CAST_from_bytes", {kUint8}, {CAST}, cast(kUint8, kFloat));
    files.add("CAST_to_bytes", {kUint8}, {CAST}, cast(kInt, kUint8));
    files.add("RELU_N1_TO_1_requantized", {kUint8, kInt8}, {DEQUANTIZE, RELU1, QUANTIZE},
              one(Op::RELU_N1_TO_1, {in({2, 3, 4})}, {out({2, 3, 4}, other)}, WithoutOptions(),
                  /*version=*/1));
    files.add("RELU6_requantized", {kUint8, kInt8}, {DEQUANTIZE, RELU6, QUANTIZE},
              one(Op::RELU6, {in({2, 3, 4})}, {out({2, 3, 4}, other)}));
    files.add("LEAKY_RELU_negative", kNumbers, {PRELU},
              one(Op::LEAKY_RELU, {in({2, 3, 4})}, {out({2, 3, 4}, other)},
                  LeakyReluOptionsT{.alpha = -0.5f}));
    files.add("LEAKY_RELU_zero", kNumbers, {PRELU},
              one(Op::LEAKY_RELU, {in({2, 3, 4})}, {out({2, 3, 4}, other)},
                  LeakyReluOptionsT{.alpha = 0}));
    files.add("HARD_SWISH_scales", {kUint8, kInt8}, {HARD_SWISH},
              one(Op::HARD_SWISH, {in({2, 3, 4})}, {out({2, 3, 4}, other)}, WithoutOptions(),
                  /*version=*/1));
    files.add("PRELU_computed", kNumbers, {PRELU},
              one(Op::PRELU, {in({2, 3, 4}), in({1, 1, 4}, other)}, {out({2, 3, 4}, other)},
                  WithoutOptions(), /*version=*/1));
}

Fill softmax(const Shape& shape) {
    return one(Op::SOFTMAX, {in(shape)}, {out(shape, probability)}, SoftmaxOptionsT{.beta = 0.5f});
}

Fill mean(const Shape& axes, bool keeps, const Shape& shape, Scale scale = common) {
    return one(Op::MEAN, {in({2, 3, 4, 5}), ints(axes)}, {out(shape, scale)},
               ReducerOptionsT{.keep_dims = keeps});
}

void addReductionsForms(Files& files) {
    files.add("SOFTMAX_rank_1", kNumbers, {SOFTMAX}, softmax({5}));
    files.add("SOFTMAX_rank_3", kNumbers, {SOFTMAX}, softmax({2, 3, 4}));
    files.add("SOFTMAX_rank_4", kNumbers, {SOFTMAX}, softmax({1, 2, 3, 4}));
    files.add("LOG_SOFTMAX_rank_4", {kFloat}, {LOG_SOFTMAX},
              one(Op::LOG_SOFTMAX, {in({1, 2, 3, 4})}, {out({1, 2, 3, 4})}));
    files.add("MEAN_images", kNumbers, {MEAN}, mean({1, 2}, true, {2, 1, 1, 5}));
    files.add("MEAN_images_flat", kNumbers, {MEAN}, mean({1, 2}, false, {2, 5}));
    files.add("MEAN_images_requantized", {kUint8, kInt8}, {DEQUANTIZE, MEAN, QUANTIZE},
              mean({1, 2}, true, {2, 1, 1, 5}, other));
    files.add("MEAN_negative", kNumbers, {MEAN}, mean({-1, 0}, false, {3, 4}));
    files.add("MEAN_twice", kNumbers, {MEAN}, mean({1, -3}, false, {2, 4, 5}));
    files.add("MEAN_all", kNumbers, {MEAN}, mean({0, 1, 2, 3}, false, {}));
    files.add("MEAN_scalar_axis", kNumbers, {MEAN},
              one(Op::MEAN, {in({2, 3, 4}), scalar(-2)}, {out({2, 4})}, ReducerOptionsT()));
    files.add("SUM_all", {kFloat}, {REDUCE_SUM},
              one(Op::SUM, {in({2, 3, 4}), ints({0, 1, 2})}, {out({})}, ReducerOptionsT()));
    files.add("REDUCE_MIN_negative", kNumbers, {REDUCE_MIN},
              one(Op::REDUCE_MIN, {in({2, 3, 4}), ints({-1, -3})}, {out({3})}, ReducerOptionsT()));
    files.add("REDUCE_ALL", {kBool}, {REDUCE_ALL},
              one(Op::REDUCE_ALL, {in({2, 3, 4}), ints({1})}, {out({2, 4})}, ReducerOptionsT()));
    files.add("ARG_MAX_negative", kNumbers, {ARGMAX},
              one(Op::ARG_MAX, {in({2, 3, 4}), scalar(-2)}, {outOf(kInt, {2, 4})},
                  ArgMaxOptionsT{.output_type = kInt}));
    files.add("ARG_MIN_long_axis", kNumbers, {ARGMIN},
              one(Op::ARG_MIN, {in({2, 3, 4}), constant<int64_t>(Type::INT64, {1}, {2})},
                  {outOf(kInt, {2, 3})}, ArgMinOptionsT{.output_type = kInt}));
    files.add("ARG_MAX_of_list", kNumbers, {ARGMAX},
              one(Op::ARG_MAX, {in({7}), scalar(0)}, {outOf(kInt, {})},
                  ArgMaxOptionsT{.output_type = kInt}));
    files.add("TOPK_V2_of_list", {kFloat}, {TOPK_V2},
              one(Op::TOPK_V2, {in({9}), scalar(9)}, {out({9}), outOf(kInt, {9})}));
    files.add("L2_NORMALIZATION_rank_4", kNumbers, {L2_NORMALIZATION},
              one(Op::L2_NORMALIZATION, {in({1, 2, 2, 4})}, {out({1, 2, 2, 4}, tangent)},
                  L2NormOptionsT()));
}

}  // namespace

void addForms(Files& files) {
    addElementwiseForms(files);
    addReductionsForms(files);
    addShapeForms(files);
    addImageForms(files);
    addLookupForms(files);
    addComposedForms(files);
    addCustomForms(files);
}

}  // namespace nn::tflite
