// Operators that several operations compute, and forms that an operation lacks.
#include "operator_file_list.h"

namespace nn::tflite {
namespace {

using enum OperationType;

const std::vector<OperationType> kRound = {FLOOR, SUB,     ADD,    MUL,   FLOOR,
                                           MUL,   GREATER, SELECT, EQUAL, SELECT};
const std::vector<OperationType> kGelu = {ABS, MINIMUM, MUL, MUL, ADD, DIV,  MUL, ADD,
                                          MUL, ADD,     MUL, ADD, MUL, ADD,  MUL, MUL,
                                          NEG, EXP,     MUL, MUL, MUL, RELU, SUB};

// Indices in [0, limit) for each number of a list, of any integers.
int32_t indicesOf(LiteGraph& g, const std::vector<int32_t>& shape,
                  const std::vector<int32_t>& limits) {
    const int32_t indices = g.tensor(kInt, shape);
    g.op(Op::FLOOR_MOD, 1, {g.input(kInt, shape), g.ints(limits)}, {indices});
    return indices;
}

void addStridedSlice(LiteGraph& g, Type t, std::vector<int32_t> from, std::vector<int32_t> result,
                     const std::vector<std::vector<int32_t>>& lists, StridedSliceOptionsT options) {
    const int32_t x = g.input(t, std::move(from));
    g.op(Op::STRIDED_SLICE, 1, {x, g.ints(lists[0]), g.ints(lists[1]), g.ints(lists[2])},
         {g.output(t, std::move(result))}, std::move(options));
}

const Form kComposed[] = {
        {"ROUND", Types{kFloat}, kRound,
         [](LiteGraph& g, Type t) {
             g.op(Op::ROUND, 1, {g.input(t, {3, 5})}, {g.output(t, {3, 5})});
         }},
        {"SIGN", Types{kFloat}, Becomes{MUL, MUL},
         [](LiteGraph& g, Type t) {
             g.op(Op::SIGN, 1, {g.input(t, {3, 5})}, {g.output(t, {3, 5})});
         }},
        {"RELU_0_TO_1", Types{kFloat}, Becomes{RELU, MINIMUM},
         [](LiteGraph& g, Type t) {
             g.op(Op::RELU_0_TO_1, 1, {g.input(t, {3, 5})}, {g.output(t, {3, 5})});
         }},
        {"RELU_0_TO_1_quantized", Types{kInt8}, Becomes{DEQUANTIZE, RELU, MINIMUM, QUANTIZE},
         [](LiteGraph& g, Type t) {
             g.op(Op::RELU_0_TO_1, 1, {g.input(t, {3, 5}, common(t))},
                  {g.output(t, {3, 5}, other(t))});
         }},
        {"GELU", Types{kFloat}, kGelu,
         [](LiteGraph& g, Type t) {
             g.op(Op::GELU, 1, {g.input(t, {3, 5})}, {g.output(t, {3, 5})}, GeluOptionsT());
         }},
        {"GELU_approximate", Types{kFloat}, Becomes{MUL, MUL, ADD, MUL, LOGISTIC, MUL},
         [](LiteGraph& g, Type t) {
             GeluOptionsT options;
             options.approximate = true;
             g.op(Op::GELU, 1, {g.input(t, {3, 5})}, {g.output(t, {3, 5})}, options);
         }},
        {"FLOOR_MOD", Types{kInt}, Becomes{DIV, MUL, SUB},
         [](LiteGraph& g, Type t) {
             g.op(Op::FLOOR_MOD, 1, {g.input(t, {2, 3}), g.ints({7, -3, 1})},
                  {g.output(t, {2, 3})});
         }},
        {"ZEROS_LIKE", Types{kFloat, kInt}, Becomes{ADD},
         [](LiteGraph& g, Type t) {
             const int32_t x = g.input(t, {2, 3}), zeros = g.tensor(t, {2, 3});
             g.op(Op::ZEROS_LIKE, 1, {x}, {zeros});
             g.op(Op::ADD, 1, {x, zeros}, {g.output(t, {2, 3})}, AddOptionsT());
         }},
        {"BROADCAST_TO", Types{kFloat, kInt}, Becomes{TILE},
         [](LiteGraph& g, Type t) {
             g.op(Op::BROADCAST_TO, 2, {g.input(t, {2, 1, 3}), g.ints({2, 4, 3})},
                  {g.output(t, {2, 4, 3})});
         }},
        {"BROADCAST_TO_more_axes", Types{kBool}, Becomes{LOGICAL_OR},
         [](LiteGraph& g, Type t) {
             g.op(Op::BROADCAST_TO, 3, {g.input(t, {3}), g.ints({2, 3})}, {g.output(t, {2, 3})});
         }},
        {"SELECT_V2_broadcast", Types{kFloat}, Becomes{LOGICAL_OR, RESHAPE, TILE, SELECT},
         [](LiteGraph& g, Type t) {
             const int32_t mask = g.input(kBool, {2, 1});
             const int32_t a = g.input(t, {2, 3}), b = g.input(t, {1});
             g.op(Op::SELECT_V2, 1, {mask, a, b}, {g.output(t, {2, 3})});
         }},
        {"BATCH_MATMUL_unequal_ranks", Types{kFloat}, Becomes{RESHAPE, TILE, BATCH_MATMUL},
         [](LiteGraph& g, Type t) {
             BatchMatMulOptionsT options;
             options.adj_y = true;
             g.op(Op::BATCH_MATMUL, 1, {g.input(t, {2, 4, 3}), g.input(t, {5, 3})},
                  {g.output(t, {2, 4, 5})}, options);
         }},
        {"GATHER_ND", Types{kFloat, kInt}, Becomes{RESHAPE, GATHER, RESHAPE},
         [](LiteGraph& g, Type t) {
             const int32_t x = g.input(t, {2, 3, 4});
             const int32_t indices = g.constant<int32_t>(kInt, {3, 2}, {1, 2, 0, 0, 1, 1});
             g.op(Op::GATHER_ND, 1, {x, indices}, {g.output(t, {3, 4})});
         }},
        {"GATHER_ND_computed", Types{kFloat},
         Becomes{DIV, MUL, SUB, RESHAPE, LESS, ADD, SELECT, MUL, SPLIT, ADD, RESHAPE, GATHER,
                 RESHAPE},
         [](LiteGraph& g, Type t) {
             const int32_t x = g.input(t, {2, 3, 4});
             const int32_t indices = indicesOf(g, {2, 2, 2}, {2, 3});
             g.op(Op::GATHER_ND, 1, {x, indices}, {g.output(t, {2, 2, 4})});
         }},
        {"TRANSPOSE_integers", Types{kInt}, Becomes{RESHAPE, GATHER},
         [](LiteGraph& g, Type t) {
             g.op(Op::TRANSPOSE, 1, {g.input(t, {2, 3, 4}), g.ints({2, 0, 1})},
                  {g.output(t, {4, 2, 3})});
         }},
        {"CONCATENATION_integers", Types{kInt}, Becomes{GATHER, GATHER, SELECT, GATHER, SELECT},
         [](LiteGraph& g, Type t) {
             ConcatenationOptionsT options;
             options.axis = -1;
             const int32_t a = g.input(t, {2, 2}), b = g.input(t, {2, 1}), c = g.input(t, {2, 3});
             g.op(Op::CONCATENATION, 1, {a, b, c}, {g.output(t, {2, 6})}, options);
         }},
        {"PACK_scalars", Types{kInt}, Becomes{GATHER, GATHER, SELECT},
         [](LiteGraph& g, Type t) {
             PackOptionsT options;
             options.values_count = 2;
             const int32_t a = g.input(t, {}), b = g.input(t, {});
             g.op(Op::PACK, 1, {a, b}, {g.output(t, {2})}, options);
         }},
        {"STRIDED_SLICE_integers", Types{kInt}, Becomes{GATHER, GATHER, RESHAPE},
         [](LiteGraph& g, Type t) {
             StridedSliceOptionsT options;
             options.begin_mask = 1;
             options.shrink_axis_mask = 2;
             addStridedSlice(g, t, {4, 3}, {2}, {{3, -1}, {-4, 0}, {-2, 1}}, options);
         }},
        {"STRIDED_SLICE_new_axis", Types{kFloat}, Becomes{GATHER, RESHAPE},
         [](LiteGraph& g, Type t) {
             StridedSliceOptionsT options;
             options.new_axis_mask = 1;
             options.ellipsis_mask = 2;
             addStridedSlice(g, t, {2, 3, 4}, {1, 2, 3, 2}, {{0, 0, 1}, {0, 0, 3}, {1, 1, 1}},
                             options);
         }},
        {"RESHAPE_bool", Types{kBool}, Becomes{SELECT, RESHAPE, NOT_EQUAL},
         [](LiteGraph& g, Type t) {
             ReshapeOptionsT options;
             options.new_shape = {3, 2};
             g.op(Op::RESHAPE, 1, {g.input(t, {2, 3}), g.ints({3, 2})}, {g.output(t, {3, 2})},
                  options);
         }},
        {"ARG_MAX_long", Types{kFloat}, Becomes{ARGMAX, CAST},
         [](LiteGraph& g, Type t) {
             ArgMaxOptionsT options;
             options.output_type = Type::INT64;
             const int32_t index = g.tensor(Type::INT64, {2});
             g.op(Op::ARG_MAX, 1, {g.input(t, {2, 5}), g.scalar(1)}, {index}, options);
             CastOptionsT cast;
             cast.in_data_type = Type::INT64;
             cast.out_data_type = kFloat;
             g.op(Op::CAST, 1, {index}, {g.output(kFloat, {2})}, cast);
         }},
};

// Tensors with more axes than operations have, between others.
int32_t withAxes(LiteGraph& g, Type t, const std::vector<int32_t>& from,
                 const std::vector<int32_t>& to) {
    const int32_t made = g.tensor(t, to, common(t));
    ReshapeOptionsT options;
    options.new_shape = to;
    g.op(Op::RESHAPE, 1, {g.input(t, from, common(t)), g.ints(to)}, {made}, options);
    return made;
}

void outputOf(LiteGraph& g, Type t, int32_t tensor, const std::vector<int32_t>& shape) {
    ReshapeOptionsT options;
    options.new_shape = shape;
    g.op(Op::RESHAPE, 1, {tensor, g.ints(shape)}, {g.output(t, shape, common(t))}, options);
}

const Form kJoined[] = {
        // Elements of channels become neighbors in the image.
        {"TRANSPOSE_five_axes", Types{kFloat, kInt8},
         Becomes{RESHAPE, RESHAPE, TRANSPOSE, RESHAPE, RESHAPE},
         [](LiteGraph& g, Type t) {
             const int32_t x = withAxes(g, t, {2, 3, 12}, {2, 3, 2, 2, 3});
             const int32_t moved = g.tensor(t, {2, 2, 3, 2, 3}, common(t));
             g.op(Op::TRANSPOSE, versionFor(t), {x, g.ints({0, 2, 1, 3, 4})}, {moved});
             outputOf(g, t, moved, {4, 6, 3});
         }},
        {"CONCATENATION_five_axes", kNumbers,
         Becomes{RESHAPE, RESHAPE, RESHAPE, RESHAPE, CONCATENATION, RESHAPE, RESHAPE},
         [](LiteGraph& g, Type t) {
             ConcatenationOptionsT options;
             options.axis = -2;
             const int32_t a = withAxes(g, t, {4, 12}, {2, 2, 3, 2, 2});
             const int32_t b = withAxes(g, t, {4, 6}, {2, 2, 3, 1, 2});
             const int32_t joined = g.tensor(t, {2, 2, 3, 3, 2}, common(t));
             g.op(Op::CONCATENATION, versionFor(t), {a, b}, {joined}, options);
             outputOf(g, t, joined, {4, 18});
         }},
        {"ADD_five_axes", Types{kFloat},
         Becomes{RESHAPE, RESHAPE, RESHAPE, ADD, RESHAPE, RELU, RESHAPE},
         [](LiteGraph& g, Type t) {
             const int32_t x = withAxes(g, t, {4, 12}, {2, 2, 3, 2, 2});
             const int32_t y = g.numbers(t, {2, 1, 1, 2, 2});
             const int32_t sum = g.tensor(t, {2, 2, 3, 2, 2});
             const int32_t cut = g.output(t, {2, 2, 3, 2, 2});
             g.op(Op::ADD, 1, {x, y}, {sum}, AddOptionsT());
             g.op(Op::RELU, 1, {sum}, {cut});
         }},
        {"MUL_five_axes_and_one", Types{kFloat}, Becomes{RESHAPE, RESHAPE, MUL, RESHAPE, RESHAPE},
         [](LiteGraph& g, Type t) {
             const int32_t x = withAxes(g, t, {4, 12}, {2, 2, 3, 2, 2});
             const int32_t y = g.input(t, {2}), product = g.tensor(t, {2, 2, 3, 2, 2});
             g.op(Op::MUL, 1, {x, y}, {product}, MulOptionsT());
             outputOf(g, t, product, {48});
         }},
        // No output depends on the second operator, which NNAPI does not have.
        {"ABS_beside_unread", Types{kFloat}, Becomes{ABS},
         [](LiteGraph& g, Type t) {
             const int32_t x = g.input(t, {2, 3});
             g.op(Op::ABS, 1, {x}, {g.output(t, {2, 3})});
             g.op(Op::CUMSUM, 1, {x, g.scalar(0)}, {g.tensor(t, {2, 3})});
         }},
};

}  // namespace

void addComposedForms(Files& files) {
    files.addComposed(kComposed);
    files.addComposed(kJoined);
}

}  // namespace nn::tflite
