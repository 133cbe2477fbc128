// More forms of operators that move elements.
#include "importers/operator_file_list.h"

namespace nn::tflite {
namespace {

using enum OperationType;

int32_t longs(LiteGraph& g, const std::vector<int64_t>& values) {
    return g.constant<int64_t>(Type::INT64, {static_cast<int32_t>(values.size())}, values);
}

int32_t image(LiteGraph& g, Type t) { return g.input(t, {1, 4, 6, 2}, common(t)); }

struct Slicing {
    std::vector<int32_t> begin;
    std::vector<int32_t> end;
    std::vector<int32_t> strides;
    int32_t beginMask = 0;
    int32_t endMask = 0;
    int32_t shrinkMask = 0;
};

Fill slice(const Slicing& slicing, const Shape& shape) {
    return [=](LiteGraph& g, Type t) {
        StridedSliceOptionsT options;
        options.begin_mask = slicing.beginMask;
        options.end_mask = slicing.endMask;
        options.shrink_axis_mask = slicing.shrinkMask;
        const int32_t x = g.input(t, {5, 6, 7}, common(t));
        g.op(Op::STRIDED_SLICE, versionFor(t),
             {x, g.ints(slicing.begin), g.ints(slicing.end), g.ints(slicing.strides)},
             {g.output(t, shape, common(t))}, options);
    };
}

void fillConcatenation(LiteGraph& g, Type t, LiteScale scale, LiteScale result) {
    ConcatenationOptionsT options;
    options.axis = 1;
    const int32_t a = g.input(t, {2, 3, 2}, common(t)), b = g.input(t, {2, 1, 2}, scale);
    const int32_t c = g.numbers(t, {2, 2, 2}, common(t));
    g.op(Op::CONCATENATION, versionFor(t), {a, b, c}, {g.output(t, {2, 6, 2}, result)}, options);
}

void fillGather(LiteGraph& g, Type t, int32_t axis, int32_t indexes, std::vector<int32_t> shape) {
    GatherOptionsT options;
    options.axis = axis;
    const int32_t x = g.input(t, {2, 3, 4}, common(t));
    g.op(Op::GATHER, versionFor(t), {x, indexes}, {g.output(t, std::move(shape), common(t))},
         options);
}

const Form kSlices[] = {
        {"STRIDED_SLICE_backwards", kNumbers, Becomes{STRIDED_SLICE},
         slice({{-1, 4, 0}, {0, 0, 7}, {-2, -1, 3}}, {2, 4, 3})},
        {"STRIDED_SLICE_backwards_whole", Types{kFloat}, Becomes{STRIDED_SLICE},
         slice({{0, 0, 0}, {0, 0, 0}, {-1, -2, 1}, 7, 7}, {5, 3, 7})},
        {"STRIDED_SLICE_last", kNumbers, Becomes{STRIDED_SLICE},
         slice({{0, -1, 0}, {0, 0, 0}, {1, 1, 1}, 5, 5, 2}, {5, 7})},
        {"STRIDED_SLICE_beyond", Types{kFloat}, Becomes{STRIDED_SLICE},
         slice({{-9, 2, 1}, {99, 5, -1}, {1, 1, 1}}, {5, 3, 5})},
        {"STRIDED_SLICE_short", Types{kFloat}, Becomes{STRIDED_SLICE},
         slice({{1}, {3}, {1}}, {2, 6, 7})},
        {"STRIDED_SLICE_to_scalar", Types{kFloat}, Becomes{STRIDED_SLICE},
         slice({{1, -2, 3}, {2, -1, 4}, {1, 1, 1}, 0, 0, 7}, {})},
        {"SLICE_long", kAll, Becomes{SLICE},
         [](LiteGraph& g, Type t) {
             const int32_t x = g.input(t, {3, 4}, common(t));
             g.op(Op::SLICE, versionFor(t), {x, longs(g, {1, 2}), longs(g, {-1, 1})},
                  {g.output(t, {2, 1}, common(t))});
         }},
        {"SPLIT_negative", kNumbers, Becomes{SPLIT},
         [](LiteGraph& g, Type t) {
             SplitOptionsT options;
             options.num_splits = 3;
             const int32_t axis = g.scalar(-2), x = g.input(t, {2, 3, 4}, common(t));
             std::vector<int32_t> parts;
             for (int i = 0; i < 3; ++i) parts.push_back(g.output(t, {2, 1, 4}, common(t)));
             g.op(Op::SPLIT, versionFor(t), {axis, x}, parts, options);
         }},
        {"SPLIT_V_negative", kNumbers, Becomes{SLICE, SLICE, SLICE},
         [](LiteGraph& g, Type t) {
             SplitVOptionsT options;
             options.num_splits = 3;
             const int32_t x = g.input(t, {2, 7}, common(t));
             const int32_t a = g.output(t, {2, 2}, common(t)), b = g.output(t, {2, 4}, common(t));
             const int32_t c = g.output(t, {2, 1}, common(t));
             g.op(Op::SPLIT_V, versionFor(t), {x, longs(g, {2, 4, 1}), g.scalar(-1)}, {a, b, c},
                  options);
         }},
        {"UNPACK_last", kNumbers, Becomes{SPLIT, RESHAPE, RESHAPE},
         [](LiteGraph& g, Type t) {
             UnpackOptionsT options;
             options.num = 2;
             options.axis = -1;
             const int32_t x = g.input(t, {3, 4, 2}, common(t));
             const int32_t a = g.output(t, {3, 4}, common(t)), b = g.output(t, {3, 4}, common(t));
             g.op(Op::UNPACK, versionFor(t), {x}, {a, b}, options);
         }},
        {"UNPACK_list", kAll, Becomes{SPLIT, RESHAPE, RESHAPE},
         [](LiteGraph& g, Type t) {
             UnpackOptionsT options;
             options.num = 2;
             const int32_t x = g.input(t, {2}, common(t));
             const int32_t a = g.output(t, {}, common(t)), b = g.output(t, {}, common(t));
             g.op(Op::UNPACK, versionFor(t), {x}, {a, b}, options);
         }},
        {"UNPACK_one", kAll, Becomes{RESHAPE},
         [](LiteGraph& g, Type t) {
             UnpackOptionsT options;
             options.num = 1;
             options.axis = 1;
             g.op(Op::UNPACK, versionFor(t), {g.input(t, {3, 1, 2}, common(t))},
                  {g.output(t, {3, 2}, common(t))}, options);
         }},
        {"PACK_last", kAll, Becomes{PACK},
         [](LiteGraph& g, Type t) {
             PackOptionsT options;
             options.values_count = 3;
             options.axis = -1;
             const int32_t a = g.input(t, {3, 4}, common(t)), b = g.input(t, {3, 4}, common(t));
             g.op(Op::PACK, versionFor(t), {a, b, a}, {g.output(t, {3, 4, 3}, common(t))}, options);
         }},
        {"PACK_scalars", kNumbers, Becomes{CONCATENATION},
         [](LiteGraph& g, Type t) {
             PackOptionsT options;
             options.values_count = 2;
             const int32_t a = g.input(t, {}, common(t)), b = g.input(t, {}, common(t));
             g.op(Op::PACK, versionFor(t), {a, b}, {g.output(t, {2}, common(t))}, options);
         }},
};

const Form kMoves[] = {
        {"CONCATENATION_rows", kNumbers, Becomes{CONCATENATION},
         [](LiteGraph& g, Type t) { fillConcatenation(g, t, common(t), common(t)); }},
        {"CONCATENATION_scales", Types{kUint8}, Becomes{CONCATENATION},
         [](LiteGraph& g, Type t) {
             fillConcatenation(g, t, other(t), {0.09375f, 100});
         }},
        {"CONCATENATION_one", kNumbers, Becomes{CONCATENATION},
         [](LiteGraph& g, Type t) {
             g.op(Op::CONCATENATION, versionFor(t), {image(g, t)},
                  {g.output(t, {1, 4, 6, 2}, common(t))}, ConcatenationOptionsT());
         }},
        {"GATHER_negative", kAll, Becomes{GATHER},
         [](LiteGraph& g, Type t) {
             fillGather(g, t, -1, g.ints({3, 3, 0}), {2, 3, 3});
         }},
        {"GATHER_matrix", kAll, Becomes{GATHER},
         [](LiteGraph& g, Type t) {
             const int32_t indexes = g.constant<int32_t>(kInt, {2, 2}, {1, 0, 1, 1});
             fillGather(g, t, 0, indexes, {2, 2, 3, 4});
         }},
        {"GATHER_long", Types{kFloat}, Becomes{GATHER},
         [](LiteGraph& g, Type t) {
             fillGather(g, t, 1, longs(g, {2, 0}), {2, 2, 4});
         }},
        {"GATHER_one", kAll, Becomes{GATHER, RESHAPE},
         [](LiteGraph& g, Type t) {
             fillGather(g, t, 1, g.scalar(2), {2, 4});
         }},
        {"EMBEDDING_LOOKUP_rank_3", kFloats, Becomes{EMBEDDING_LOOKUP},
         [](LiteGraph& g, Type t) {
             const int32_t rows = g.ints({2, 0}), values = g.input(t, {3, 4, 2});
             g.op(Op::EMBEDDING_LOOKUP, 1, {rows, values}, {g.output(t, {2, 4, 2})});
         }},
        {"TRANSPOSE_rank_4", kNumbers, Becomes{TRANSPOSE},
         [](LiteGraph& g, Type t) {
             const int32_t x = image(g, t);
             g.op(Op::TRANSPOSE, versionFor(t), {x, g.ints({0, 3, 1, 2})},
                  {g.output(t, {1, 2, 4, 6}, common(t))});
         }},
        {"PAD_images", kNumbers, Becomes{PAD},
         [](LiteGraph& g, Type t) {
             const int32_t x = image(g, t);
             const int32_t pads = g.constant<int32_t>(kInt, {4, 2}, {0, 0, 1, 2, 0, 3, 0, 0});
             g.op(Op::PAD, versionFor(t), {x, pads}, {g.output(t, {1, 7, 9, 2}, common(t))});
         }},
        {"MIRROR_PAD_reflect", Types{kFloat, kInt8}, Becomes{MIRROR_PAD},
         [](LiteGraph& g, Type t) {
             MirrorPadOptionsT options;
             const int32_t x = image(g, t);
             const int32_t pads = g.constant<int32_t>(kInt, {4, 2}, {0, 0, 1, 2, 0, 3, 0, 1});
             g.op(Op::MIRROR_PAD, versionFor(t), {x, pads}, {g.output(t, {1, 7, 9, 3}, common(t))},
                  options);
         }},
        {"TILE_long", Types{kFloat, kInt}, Becomes{TILE},
         [](LiteGraph& g, Type t) {
             const int32_t x = g.input(t, {2, 3});
             g.op(Op::TILE, 1, {x, longs(g, {1, 3})}, {g.output(t, {2, 9})});
         }},
        {"EXPAND_DIMS_negative", kAll, Becomes{EXPAND_DIMS},
         [](LiteGraph& g, Type t) {
             const int32_t x = g.input(t, {3, 2}, common(t));
             g.op(Op::EXPAND_DIMS, 1, {x, longs(g, {-1})}, {g.output(t, {3, 2, 1}, common(t))});
         }},
        {"SQUEEZE_all", kNumbers, Becomes{SQUEEZE},
         [](LiteGraph& g, Type t) {
             g.op(Op::SQUEEZE, 1, {g.input(t, {1, 3, 1, 2}, common(t))},
                  {g.output(t, {3, 2}, common(t))}, SqueezeOptionsT());
         }},
        {"SQUEEZE_negative", kNumbers, Becomes{SQUEEZE},
         [](LiteGraph& g, Type t) {
             SqueezeOptionsT options;
             options.squeeze_dims = {-2};
             g.op(Op::SQUEEZE, 1, {g.input(t, {1, 3, 1, 2}, common(t))},
                  {g.output(t, {1, 3, 2}, common(t))}, options);
         }},
        {"RESHAPE_to_scalar", kAll, Becomes{RESHAPE},
         [](LiteGraph& g, Type t) {
             ReshapeOptionsT options;
             g.op(Op::RESHAPE, 1, {g.input(t, {1, 1}, common(t))}, {g.output(t, {}, common(t))},
                  options);
         }},
        {"REVERSE_V2_negative", Types{kFloat, kInt}, Becomes{REVERSE},
         [](LiteGraph& g, Type t) {
             const int32_t x = g.input(t, {2, 3, 4});
             g.op(Op::REVERSE_V2, 1, {x, g.ints({-2})}, {g.output(t, {2, 3, 4})});
         }},
        {"FILL", Types{kFloat, kInt}, Becomes{FILL, ADD},
         [](LiteGraph& g, Type t) {
             const int32_t x = g.input(t, {2, 3});
             const int32_t value = t == kFloat ? g.constant<float>(t, {}, {2.5f}) : g.scalar(-7);
             const int32_t filled = g.tensor(t, {2, 3});
             g.op(Op::FILL, 1, {g.ints({2, 3}), value}, {filled});
             g.op(Op::ADD, 1, {x, filled}, {g.output(t, {2, 3})}, AddOptionsT());
         }},
        {"LOGICAL_OR_constant", Types{kBool}, Becomes{LOGICAL_OR},
         [](LiteGraph& g, Type t) {
             const int32_t x = g.input(t, {2}), y = g.constant<uint8_t>(t, {2}, {0, 1});
             g.op(Op::LOGICAL_OR, 1, {x, y}, {g.output(t, {2})});
         }},
        {"QUANTIZE_sign", Types{kUint8, kInt8}, Becomes{DEQUANTIZE, QUANTIZE},
         [](LiteGraph& g, Type t) {
             const Type to = t == kUint8 ? kInt8 : kUint8;
             g.op(Op::QUANTIZE, 2, {g.input(t, {2, 30}, common(t))},
                  {g.output(to, {2, 30}, common(to))});
         }},
        {"IDENTITY", kNumbers, Becomes{RESHAPE, RESHAPE},
         [](LiteGraph& g, Type t) {
             // The second output is the input.
             const int32_t x = g.input(t, {2, 3}, common(t));
             g.op(Op::RESHAPE, 1, {x, g.ints({6})}, {g.output(t, {6}, common(t))});
             g.graph().outputs.push_back(x);
         }},
};

}  // namespace

void addShapeForms(Files& files) {
    files.add(kSlices);
    files.add(kMoves);
}

}  // namespace nn::tflite
