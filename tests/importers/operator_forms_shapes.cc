// More forms of operators that move elements.
#include "importers/operator_file_list.h"

namespace nn::tflite {
namespace {

using enum OperationType;

Fill slice(const Shape& begin, const Shape& end, const Shape& strides, const Shape& shape,
           const StridedSliceOptionsT& options = {}) {
    return one(Op::STRIDED_SLICE, {in({5, 6, 7}), ints(begin), ints(end), ints(strides)},
               {out(shape)}, options);
}

Fill concatenation(Scale second, Scale result) {
    return one(Op::CONCATENATION, {in({2, 3, 2}), in({2, 1, 2}, second), numbers({2, 2, 2})},
               {out({2, 6, 2}, result)}, ConcatenationOptionsT{.axis = 1});
}

Fill gather(int32_t axis, const Argument& indexes, const Shape& shape) {
    return one(Op::GATHER, {in({2, 3, 4}), indexes}, {out(shape)}, GatherOptionsT{.axis = axis});
}

void addSlices(Files& files) {
    files.add("STRIDED_SLICE_backwards", kNumbers, {STRIDED_SLICE},
              slice({-1, 4, 0}, {0, 0, 7}, {-2, -1, 3}, {2, 4, 3}));
    files.add(
            "STRIDED_SLICE_backwards_whole", {kFloat}, {STRIDED_SLICE},
            slice({0, 0, 0}, {0, 0, 0}, {-1, -2, 1}, {5, 3, 7}, {.begin_mask = 7, .end_mask = 7}));
    files.add("STRIDED_SLICE_last", kNumbers, {STRIDED_SLICE},
              slice({0, -1, 0}, {0, 0, 0}, {1, 1, 1}, {5, 7},
                    {.begin_mask = 5, .end_mask = 5, .shrink_axis_mask = 2}));
    files.add("STRIDED_SLICE_beyond", {kFloat}, {STRIDED_SLICE},
              slice({-9, 2, 1}, {99, 5, -1}, {1, 1, 1}, {5, 3, 5}));
    files.add("STRIDED_SLICE_short", {kFloat}, {STRIDED_SLICE}, slice({1}, {3}, {1}, {2, 6, 7}));
    files.add("STRIDED_SLICE_to_scalar", {kFloat}, {STRIDED_SLICE},
              slice({1, -2, 3}, {2, -1, 4}, {1, 1, 1}, {}, {.shrink_axis_mask = 7}));
    files.add("SLICE_long", kAll, {SLICE},
              one(Op::SLICE, {in({3, 4}), longs({1, 2}), longs({-1, 1})}, {out({2, 1})}));
    files.add(
            "SPLIT_negative", kNumbers, {SPLIT},
            one(Op::SPLIT, {scalar(-2), in({2, 3, 4})},
                {out({2, 1, 4}), out({2, 1, 4}), out({2, 1, 4})}, SplitOptionsT{.num_splits = 3}));
    files.add("SPLIT_V_negative", kNumbers, {SLICE, SLICE, SLICE},
              one(Op::SPLIT_V, {in({2, 7}), longs({2, 4, 1}), scalar(-1)},
                  {out({2, 2}), out({2, 4}), out({2, 1})}, SplitVOptionsT{.num_splits = 3}));
    files.add("UNPACK_last", kNumbers, {SPLIT, RESHAPE, RESHAPE},
              one(Op::UNPACK, {in({3, 4, 2})}, {out({3, 4}), out({3, 4})},
                  UnpackOptionsT{.num = 2, .axis = -1}));
    files.add("UNPACK_list", kAll, {SPLIT, RESHAPE, RESHAPE},
              one(Op::UNPACK, {in({2})}, {out({}), out({})}, UnpackOptionsT{.num = 2}));
    files.add("UNPACK_one", kAll, {RESHAPE},
              one(Op::UNPACK, {in({3, 1, 2})}, {out({3, 2})}, UnpackOptionsT{.num = 1, .axis = 1}));
    files.add("PACK_last", kAll, {PACK}, [](LiteGraph& g, Type t) {
        PackOptionsT options;
        options.values_count = 3;
        options.axis = -1;
        const int32_t a = g.input(t, {3, 4}, common(t)), b = g.input(t, {3, 4}, common(t));
        g.op(Op::PACK, versionFor(t), {a, b, a}, {g.output(t, {3, 4, 3}, common(t))}, options);
    });
    files.add("PACK_scalars", kNumbers, {CONCATENATION},
              one(Op::PACK, {in({}), in({})}, {out({2})}, PackOptionsT{.values_count = 2}));
}

void addMoves(Files& files) {
    files.add("CONCATENATION_rows", kNumbers, {CONCATENATION}, concatenation(common, common));
    files.add("CONCATENATION_scales", {kUint8}, {CONCATENATION}, concatenation(other, [](Type) {
                  return LiteScale{0.09375f, 100};
              }));
    files.add("CONCATENATION_one", kNumbers, {CONCATENATION},
              one(Op::CONCATENATION, {in({1, 4, 6, 2})}, {out({1, 4, 6, 2})},
                  ConcatenationOptionsT()));
    files.add("GATHER_negative", kAll, {GATHER}, gather(-1, ints({3, 3, 0}), {2, 3, 3}));
    files.add("GATHER_matrix", kAll, {GATHER},
              gather(0, constant<int32_t>(kInt, {2, 2}, {1, 0, 1, 1}), {2, 2, 3, 4}));
    files.add("GATHER_long", {kFloat}, {GATHER}, gather(1, longs({2, 0}), {2, 2, 4}));
    files.add("GATHER_one", kAll, {GATHER, RESHAPE}, gather(1, scalar(2), {2, 4}));
    files.add("EMBEDDING_LOOKUP_rank_3", kFloats, {EMBEDDING_LOOKUP},
              one(Op::EMBEDDING_LOOKUP, {ints({2, 0}), in({3, 4, 2})}, {out({2, 4, 2})}));
    files.add("TRANSPOSE_rank_4", kNumbers, {TRANSPOSE},
              one(Op::TRANSPOSE, {in({1, 4, 6, 2}), ints({0, 3, 1, 2})}, {out({1, 2, 4, 6})}));
    files.add("PAD_images", kNumbers, {PAD},
              one(Op::PAD,
                  {in({1, 4, 6, 2}), constant<int32_t>(kInt, {4, 2}, {0, 0, 1, 2, 0, 3, 0, 0})},
                  {out({1, 7, 9, 2})}));
    files.add("MIRROR_PAD_reflect", {kFloat, kInt8}, {MIRROR_PAD},
              one(Op::MIRROR_PAD,
                  {in({1, 4, 6, 2}), constant<int32_t>(kInt, {4, 2}, {0, 0, 1, 2, 0, 3, 0, 1})},
                  {out({1, 7, 9, 3})}, MirrorPadOptionsT()));
    files.add("TILE_long", {kFloat, kInt}, {TILE},
              one(Op::TILE, {in({2, 3}), longs({1, 3})}, {out({2, 9})}));
    files.add("EXPAND_DIMS_negative", kAll, {EXPAND_DIMS},
              one(Op::EXPAND_DIMS, {in({3, 2}), longs({-1})}, {out({3, 2, 1})}, WithoutOptions(),
                  /*version=*/1));
    files.add(
            "SQUEEZE_all", kNumbers, {SQUEEZE},
            one(Op::SQUEEZE, {in({1, 3, 1, 2})}, {out({3, 2})}, SqueezeOptionsT(), /*version=*/1));
    files.add("SQUEEZE_negative", kNumbers, {SQUEEZE},
              one(Op::SQUEEZE, {in({1, 3, 1, 2})}, {out({1, 3, 2})},
                  SqueezeOptionsT{.squeeze_dims = {-2}}, /*version=*/1));
    files.add("RESHAPE_to_scalar", kAll, {RESHAPE},
              one(Op::RESHAPE, {in({1, 1})}, {out({})}, ReshapeOptionsT(), /*version=*/1));
    files.add("RESHAPE_to_list_without_elements", kFloats, {RESHAPE},
              one(Op::RESHAPE, {in({1, 1}), ints({})}, {out({})}, WithoutOptions(),
                  /*version=*/1));
    files.add("REVERSE_V2_negative", {kFloat, kInt}, {REVERSE},
              one(Op::REVERSE_V2, {in({2, 3, 4}), ints({-2})}, {out({2, 3, 4})}));
    files.add("FILL", {kFloat, kInt}, {FILL, ADD}, [](LiteGraph& g, Type t) {
        const int32_t x = g.input(t, {2, 3});
        const int32_t value = t == kFloat ? g.constant<float>(t, {}, {2.5f}) : g.scalar(-7);
        const int32_t filled = g.tensor(t, {2, 3});
        g.op(Op::FILL, 1, {g.ints({2, 3}), value}, {filled});
        g.op(Op::ADD, 1, {x, filled}, {g.output(t, {2, 3})}, AddOptionsT());
    });
    files.add("LOGICAL_OR_constant", {kBool}, {LOGICAL_OR},
              one(Op::LOGICAL_OR, {in({2}), constant<uint8_t>(kBool, {2}, {0, 1})}, {out({2})}));
    files.add("QUANTIZE_sign", {kUint8, kInt8}, {DEQUANTIZE, QUANTIZE}, [](LiteGraph& g, Type t) {
        const Type to = t == kUint8 ? kInt8 : kUint8;
        g.op(Op::QUANTIZE, 2, {g.input(t, {2, 30}, common(t))},
             {g.output(to, {2, 30}, common(to))});
    });
    files.add("IDENTITY", kNumbers, {RESHAPE, RESHAPE}, [](LiteGraph& g, Type t) {
        // The second output is the input.
        const int32_t x = g.input(t, {2, 3}, common(t));
        g.op(Op::RESHAPE, 1, {x, g.ints({6})}, {g.output(t, {6}, common(t))});
        g.graph().outputs.push_back(x);
    });
}

}  // namespace

void addShapeForms(Files& files) {
    addSlices(files);
    addMoves(files);
}

}  // namespace nn::tflite
