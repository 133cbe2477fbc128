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

void addCompositions(Files& files) {
    files.addComposed("ROUND", {kFloat}, kRound, one(Op::ROUND, {in({3, 5})}, {out({3, 5})}));
    files.addComposed("SIGN", {kFloat}, {MUL, MUL}, one(Op::SIGN, {in({3, 5})}, {out({3, 5})}));
    files.addComposed("RELU_0_TO_1", {kFloat}, {RELU, MINIMUM},
                      one(Op::RELU_0_TO_1, {in({3, 5})}, {out({3, 5})}));
    files.addComposed("RELU_0_TO_1_quantized", {kInt8}, {DEQUANTIZE, RELU, MINIMUM, QUANTIZE},
                      one(Op::RELU_0_TO_1, {in({3, 5})}, {out({3, 5}, other)}, WithoutOptions(),
                          /*version=*/1));
    files.addComposed("GELU", {kFloat}, kGelu,
                      one(Op::GELU, {in({3, 5})}, {out({3, 5})}, GeluOptionsT()));
    files.addComposed(
            "GELU_approximate", {kFloat}, {MUL, MUL, ADD, MUL, LOGISTIC, MUL},
            one(Op::GELU, {in({3, 5})}, {out({3, 5})}, GeluOptionsT{.approximate = true}));
    files.addComposed("FLOOR_MOD", {kInt}, {DIV, MUL, SUB},
                      one(Op::FLOOR_MOD, {in({2, 3}), ints({7, -3, 1})}, {out({2, 3})}));
    files.addComposed("ZEROS_LIKE", {kFloat, kInt}, {ADD}, [](LiteGraph& g, Type t) {
        const int32_t x = g.input(t, {2, 3}), zeros = g.tensor(t, {2, 3});
        g.op(Op::ZEROS_LIKE, 1, {x}, {zeros});
        g.op(Op::ADD, 1, {x, zeros}, {g.output(t, {2, 3})}, AddOptionsT());
    });
    files.addComposed("BROADCAST_TO", {kFloat, kInt}, {TILE},
                      one(Op::BROADCAST_TO, {in({2, 1, 3}), ints({2, 4, 3})}, {out({2, 4, 3})},
                          WithoutOptions(), /*version=*/2));
    files.addComposed(
            "BROADCAST_TO_more_axes", {kBool}, {LOGICAL_OR},
            one(Op::BROADCAST_TO, {in({3}), ints({2, 3})}, {out({2, 3})}, WithoutOptions(),
                /*version=*/3));
    files.addComposed(
            "SELECT_V2_broadcast", {kFloat}, {LOGICAL_OR, RESHAPE, TILE, SELECT},
            one(Op::SELECT_V2, {inOf(kBool, {2, 1}), in({2, 3}), in({1})}, {out({2, 3})}));
    files.addComposed("BATCH_MATMUL_unequal_ranks", {kFloat}, {RESHAPE, TILE, BATCH_MATMUL},
                      one(Op::BATCH_MATMUL, {in({2, 4, 3}), in({5, 3})}, {out({2, 4, 5})},
                          BatchMatMulOptionsT{.adj_y = true}));
    files.addComposed(
            "GATHER_ND", {kFloat, kInt}, {RESHAPE, GATHER, RESHAPE},
            one(Op::GATHER_ND, {in({2, 3, 4}), constant<int32_t>(kInt, {3, 2}, {1, 2, 0, 0, 1, 1})},
                {out({3, 4})}));
    files.addComposed(
            "GATHER_ND_computed", {kFloat},
            {DIV, MUL, SUB, RESHAPE, LESS, ADD, SELECT, MUL, SPLIT, ADD, RESHAPE, GATHER, RESHAPE},
            [](LiteGraph& g, Type t) {
                const int32_t x = g.input(t, {2, 3, 4});
                const int32_t indices = indicesOf(g, {2, 2, 2}, {2, 3});
                g.op(Op::GATHER_ND, 1, {x, indices}, {g.output(t, {2, 2, 4})});
            });
    files.addComposed("TRANSPOSE_integers", {kInt}, {RESHAPE, GATHER},
                      one(Op::TRANSPOSE, {in({2, 3, 4}), ints({2, 0, 1})}, {out({4, 2, 3})}));
    files.addComposed("CONCATENATION_integers", {kInt}, {GATHER, GATHER, SELECT, GATHER, SELECT},
                      one(Op::CONCATENATION, {in({2, 2}), in({2, 1}), in({2, 3})}, {out({2, 6})},
                          ConcatenationOptionsT{.axis = -1}));
    files.addComposed("PACK_scalars", {kInt}, {GATHER, GATHER, SELECT},
                      one(Op::PACK, {in({}), in({})}, {out({2})}, PackOptionsT{.values_count = 2}));
    files.addComposed(
            "STRIDED_SLICE_integers", {kInt}, {GATHER, GATHER, RESHAPE},
            one(Op::STRIDED_SLICE, {in({4, 3}), ints({3, -1}), ints({-4, 0}), ints({-2, 1})},
                {out({2})}, StridedSliceOptionsT{.begin_mask = 1, .shrink_axis_mask = 2}));
    files.addComposed(
            "STRIDED_SLICE_new_axis", {kFloat}, {GATHER, RESHAPE},
            one(Op::STRIDED_SLICE,
                {in({2, 3, 4}), ints({0, 0, 1}), ints({0, 0, 3}), ints({1, 1, 1})},
                {out({1, 2, 3, 2})}, StridedSliceOptionsT{.ellipsis_mask = 2, .new_axis_mask = 1}));
    files.addComposed("RESHAPE_bool", {kBool}, {SELECT, RESHAPE, NOT_EQUAL},
                      one(Op::RESHAPE, {in({2, 3}), ints({3, 2})}, {out({3, 2})},
                          ReshapeOptionsT{.new_shape = {3, 2}}));
    files.addComposed("ARG_MAX_long", {kFloat}, {ARGMAX, CAST}, [](LiteGraph& g, Type t) {
        ArgMaxOptionsT options;
        options.output_type = Type::INT64;
        const int32_t index = g.tensor(Type::INT64, {2});
        g.op(Op::ARG_MAX, 1, {g.input(t, {2, 5}), g.scalar(1)}, {index}, options);
        CastOptionsT cast;
        cast.in_data_type = Type::INT64;
        cast.out_data_type = kFloat;
        g.op(Op::CAST, 1, {index}, {g.output(kFloat, {2})}, cast);
    });
}

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

void addJoinedForms(Files& files) {
    // Elements of channels become neighbors in the image.
    files.addComposed("TRANSPOSE_five_axes", {kFloat, kInt8},
                      {RESHAPE, RESHAPE, TRANSPOSE, RESHAPE, RESHAPE}, [](LiteGraph& g, Type t) {
                          const int32_t x = withAxes(g, t, {2, 3, 12}, {2, 3, 2, 2, 3});
                          const int32_t moved = g.tensor(t, {2, 2, 3, 2, 3}, common(t));
                          g.op(Op::TRANSPOSE, versionFor(t), {x, g.ints({0, 2, 1, 3, 4})}, {moved});
                          outputOf(g, t, moved, {4, 6, 3});
                      });
    files.addComposed("CONCATENATION_five_axes", kNumbers,
                      {RESHAPE, RESHAPE, RESHAPE, RESHAPE, CONCATENATION, RESHAPE, RESHAPE},
                      [](LiteGraph& g, Type t) {
                          ConcatenationOptionsT options;
                          options.axis = -2;
                          const int32_t a = withAxes(g, t, {4, 12}, {2, 2, 3, 2, 2});
                          const int32_t b = withAxes(g, t, {4, 6}, {2, 2, 3, 1, 2});
                          const int32_t joined = g.tensor(t, {2, 2, 3, 3, 2}, common(t));
                          g.op(Op::CONCATENATION, versionFor(t), {a, b}, {joined}, options);
                          outputOf(g, t, joined, {4, 18});
                      });
    files.addComposed("ADD_five_axes", {kFloat},
                      {RESHAPE, RESHAPE, RESHAPE, ADD, RESHAPE, RELU, RESHAPE},
                      [](LiteGraph& g, Type t) {
                          const int32_t x = withAxes(g, t, {4, 12}, {2, 2, 3, 2, 2});
                          const int32_t y = g.numbers(t, {2, 1, 1, 2, 2});
                          const int32_t sum = g.tensor(t, {2, 2, 3, 2, 2});
                          const int32_t cut = g.output(t, {2, 2, 3, 2, 2});
                          g.op(Op::ADD, 1, {x, y}, {sum}, AddOptionsT());
                          g.op(Op::RELU, 1, {sum}, {cut});
                      });
    files.addComposed("MUL_five_axes_and_one", {kFloat}, {RESHAPE, RESHAPE, MUL, RESHAPE, RESHAPE},
                      [](LiteGraph& g, Type t) {
                          const int32_t x = withAxes(g, t, {4, 12}, {2, 2, 3, 2, 2});
                          const int32_t y = g.input(t, {2}), product = g.tensor(t, {2, 2, 3, 2, 2});
                          g.op(Op::MUL, 1, {x, y}, {product}, MulOptionsT());
                          outputOf(g, t, product, {48});
                      });
    // No output depends on CUMSUM, which NNAPI does not have.
    files.add("IF_beside_unread", {kFloat}, {IF}, [](LiteFile& file, LiteGraph& g, Type t) {
        LiteGraph branch = file.called();
        const int32_t inner = branch.input(t, {2, 3}), x = g.input(t, {2, 3});
        branch.op(Op::CUMSUM, 1, {inner, branch.scalar(0)}, {branch.tensor(t, {2, 3})});
        branch.op(Op::ABS, 1, {inner}, {branch.output(t, {2, 3})});
        IfOptionsT options;
        options.then_subgraph_index = options.else_subgraph_index = file.add(std::move(branch));
        const int32_t negative = g.tensor(t, {2, 3});
        g.op(Op::NEG, 1, {x}, {negative});
        g.op(Op::IF, 1, {g.input(kBool, {}), x}, {g.output(t, {2, 3})}, options);
        g.op(Op::CUMSUM, 1, {negative, g.scalar(0)}, {g.tensor(t, {2, 3})});
    });
}

}  // namespace

void addComposedForms(Files& files) {
    addCompositions(files);
    addJoinedForms(files);
}

}  // namespace nn::tflite
