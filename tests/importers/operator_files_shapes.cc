// Files with operators that move elements, reduce, look up or call graphs.
#include "operator_file_list.h"

namespace nn::tflite {

// ---------------------------------------------------------------------------------------------
// Shapes

void addShapes(Files& files) {
    using enum OperationType;
    // They become constants, which the next operator reads.
    files.add("SHAPE", kFloats, {TILE}, [](LiteGraph& g, Type t) {
        const int32_t x = g.input(t, {2, 6}), shape = g.tensor(kInt, {2});
        g.op(Op::SHAPE, 1, {x}, {shape}, ShapeOptionsT{.out_type = kInt});
        g.op(Op::TILE, 1, {x, shape}, {g.output(t, {4, 36})});
    });
    files.add("RANK", kFloats, {EXPAND_DIMS}, [](LiteGraph& g, Type t) {
        const int32_t x = g.input(t, {2, 6}), rank = g.tensor(kInt, {});
        g.op(Op::RANK, 1, {x}, {rank});
        g.op(Op::EXPAND_DIMS, 1, {x, rank}, {g.output(t, {2, 6, 1})});
    });
    files.add("RESHAPE", kAll, {RESHAPE},
              one(Op::RESHAPE, {in({2, 6}), ints({3, -1})}, {out({3, 4})}, WithoutOptions(),
                  /*version=*/1));
    files.add("RESHAPE_by_option", kFloats, {RESHAPE},
              one(Op::RESHAPE, {in({2, 6})}, {out({4, 3})}, ReshapeOptionsT{.new_shape = {4, 3}}));
    files.add("SQUEEZE", kNumbers, {SQUEEZE},
              one(Op::SQUEEZE, {in({1, 3, 1, 2})}, {out({3, 2})},
                  SqueezeOptionsT{.squeeze_dims = {0, 2}}, /*version=*/1));
    files.add("EXPAND_DIMS", kAll, {EXPAND_DIMS},
              one(Op::EXPAND_DIMS, {in({3, 2}), scalar(1)}, {out({3, 1, 2})}, WithoutOptions(),
                  /*version=*/1));
    files.add("TRANSPOSE", kNumbers, {TRANSPOSE},
              one(Op::TRANSPOSE, {in({2, 3, 4}), ints({2, 0, 1})}, {out({4, 2, 3})}));
    files.add("CONCATENATION", kNumbers, {CONCATENATION},
              one(Op::CONCATENATION, {in({2, 3}), in({2, 1})}, {out({2, 4})},
                  ConcatenationOptionsT{.axis = -1}));
    files.add("PAD", kNumbers, {PAD},
              one(Op::PAD, {in({2, 3}), constant<int32_t>(kInt, {2, 2}, {1, 0, 2, 1})},
                  {out({3, 6})}));
    files.add("PADV2", kNumbers, {PAD_V2}, [](LiteGraph& g, Type t) {
        const int32_t pads = g.constant<int32_t>(kInt, {2, 2}, {1, 0, 2, 1});
        const int32_t value = t == kFloat ? g.constant<float>(t, {}, {1.5f})
                                          : g.constant<uint8_t>(t, {}, {7}, common(t));
        g.op(Op::PADV2, versionFor(t), {g.input(t, {2, 3}, common(t)), pads, value},
             {g.output(t, {3, 6}, common(t))});
    });
    files.add("MIRROR_PAD", kFloats, {MIRROR_PAD},
              one(Op::MIRROR_PAD, {in({2, 3}), constant<int32_t>(kInt, {2, 2}, {1, 0, 2, 1})},
                  {out({3, 6})}, MirrorPadOptionsT{.mode = MirrorPadMode::SYMMETRIC}));
    files.add("REVERSE_V2", {kFloat, kInt}, {REVERSE},
              one(Op::REVERSE_V2, {in({2, 3}), ints({1})}, {out({2, 3})}));
    files.add("STRIDED_SLICE", kNumbers, {STRIDED_SLICE},
              one(Op::STRIDED_SLICE, {in({3, 4}), ints({1, 1}), ints({2, 0}), ints({1, 2})},
                  {out({2})}, StridedSliceOptionsT{.end_mask = 2, .shrink_axis_mask = 1}));
    files.add("SLICE", kAll, {SLICE},
              one(Op::SLICE, {in({3, 4}), ints({1, 0}), ints({2, -1})}, {out({2, 4})}));
    files.add("SPLIT", kNumbers, {SPLIT},
              one(Op::SPLIT, {scalar(1), in({2, 4})}, {out({2, 2}), out({2, 2})},
                  SplitOptionsT{.num_splits = 2}));
    files.add("SPLIT_V", kNumbers, {SLICE, SLICE},
              one(Op::SPLIT_V, {in({2, 4}), ints({1, -1}), scalar(1)}, {out({2, 1}), out({2, 3})},
                  SplitVOptionsT{.num_splits = 2}));
    files.add("UNPACK", kNumbers, {SPLIT, RESHAPE, RESHAPE},
              one(Op::UNPACK, {in({3, 2, 4})}, {out({3, 4}), out({3, 4})},
                  UnpackOptionsT{.num = 2, .axis = 1}));
    files.add("PACK", kAll, {PACK},
              one(Op::PACK, {in({3, 4}), in({3, 4})}, {out({3, 2, 4})},
                  PackOptionsT{.values_count = 2, .axis = 1}));
    files.add("GATHER", kAll, {GATHER},
              one(Op::GATHER, {in({2, 4}), ints({3, 0, 1})}, {out({2, 3})},
                  GatherOptionsT{.axis = 1}));
    files.add("TILE", {kFloat, kInt}, {TILE},
              one(Op::TILE, {in({2, 3}), ints({2, 1})}, {out({4, 3})}));
}

// ---------------------------------------------------------------------------------------------
// Reductions, quantization, lookups

void addReductions(Files& files) {
    using enum OperationType;
    struct Case {
        Op op;
        OperationType becomes;
        std::vector<Type> types;
    };
    const Case cases[] = {{Op::MEAN, MEAN, kNumbers},
                          {Op::SUM, REDUCE_SUM, kFloats},
                          {Op::REDUCE_PROD, REDUCE_PROD, kFloats},
                          {Op::REDUCE_MAX, REDUCE_MAX, kNumbers},
                          {Op::REDUCE_MIN, REDUCE_MIN, kNumbers},
                          {Op::REDUCE_ANY, REDUCE_ANY, {kBool}}};
    for (const Case& each : cases) {
        for (const bool keeps : {false, true}) {
            files.add(
                    std::string(EnumNameBuiltinOperator(each.op)) + (keeps ? "_keep_dims" : ""),
                    each.types, {each.becomes},
                    one(each.op, {in({2, 3, 4}), ints({1})}, {keeps ? out({2, 1, 4}) : out({2, 4})},
                        ReducerOptionsT{.keep_dims = keeps}));
        }
    }
    files.add("ARG_MAX", kNumbers, {ARGMAX},
              one(Op::ARG_MAX, {in({2, 4}), scalar(1)}, {outOf(kInt, {2})},
                  ArgMaxOptionsT{.output_type = kInt}));
    files.add("ARG_MIN", kNumbers, {ARGMIN},
              one(Op::ARG_MIN, {in({2, 4}), scalar(1)}, {outOf(kInt, {2})},
                  ArgMinOptionsT{.output_type = kInt}));
    files.add("TOPK_V2", {kFloat, kInt}, {TOPK_V2},
              one(Op::TOPK_V2, {in({2, 4}), scalar(2)}, {out({2, 2}), outOf(kInt, {2, 2})}));
    files.add("QUANTIZE", {kUint8, kInt8}, {QUANTIZE},
              one(Op::QUANTIZE, {inOf(kFloat, {2, 3})}, {out({2, 3})}, WithoutOptions(),
                  /*version=*/1));
    files.add(
            "QUANTIZE_again", {kUint8, kInt8}, {DEQUANTIZE, QUANTIZE},
            one(Op::QUANTIZE, {in({2, 3})}, {out({2, 3}, other)}, WithoutOptions(), /*version=*/1));
    files.add("DEQUANTIZE", {kUint8, kInt8}, {DEQUANTIZE},
              one(Op::DEQUANTIZE, {in({2, 3})}, {outOf(kFloat, {2, 3})}));
    files.add("EMBEDDING_LOOKUP", kFloats, {EMBEDDING_LOOKUP},
              one(Op::EMBEDDING_LOOKUP, {ints({2, 0}), in({3, 4})}, {out({2, 4})}));
}

// ---------------------------------------------------------------------------------------------
// Control flow

void addControlFlow(Files& files) {
    using enum OperationType;
    files.add("IF", kFloats, {IF}, [](LiteFile& file, LiteGraph& g, Type t) {
        LiteGraph yes = file.called(), no = file.called();
        yes.op(Op::ABS, 1, {yes.input(t, {2})}, {yes.output(t, {2})});
        no.op(Op::NEG, 1, {no.input(t, {2})}, {no.output(t, {2})});
        IfOptionsT options;
        options.then_subgraph_index = file.add(std::move(yes));
        options.else_subgraph_index = file.add(std::move(no));
        const int32_t condition = g.input(kBool, {}), x = g.input(t, {2});
        g.op(Op::IF, 1, {condition, x}, {g.output(t, {2})}, options);
    });
    files.add("STABLEHLO_COMPOSITE", kAll, {MAXIMUM, MUL},
              [](LiteFile& file, LiteGraph& g, Type t) {
                  LiteGraph inner = file.called();
                  const int32_t x = inner.input(t, {2}, common(t)),
                                y = inner.input(t, {2}, common(t));
                  const int32_t largest = inner.tensor(t, {2}, common(t));
                  inner.op(Op::MAXIMUM, versionFor(t), {x, y}, {largest});
                  inner.op(Op::MUL, versionFor(t), {largest, y}, {inner.output(t, {2}, other(t))},
                           MulOptionsT());
                  const int32_t graph = file.add(std::move(inner));
                  const int32_t a = g.input(t, {2}, common(t)), b = g.input(t, {2}, common(t));
                  g.composite(graph, {a, b}, {g.output(t, {2}, other(t))});
              });
    // The body passes one value on as it is.
    files.add("WHILE", {kInt}, {WHILE}, [](LiteFile& file, LiteGraph& g, Type t) {
        LiteGraph goesOn = file.called(), body = file.called();
        const int32_t count = goesOn.input(t, {1}), limit = goesOn.input(t, {1});
        goesOn.op(Op::LESS, 1, {count, limit}, {goesOn.output(kBool, {1})});
        const int32_t before = body.input(t, {1}), same = body.input(t, {1});
        const int32_t one = body.ints({1});
        body.op(Op::ADD, 1, {before, one}, {body.output(t, {1})}, AddOptionsT());
        body.graph().outputs.push_back(same);
        WhileOptionsT options;
        options.cond_subgraph_index = file.add(std::move(goesOn));
        options.body_subgraph_index = file.add(std::move(body));
        const int32_t start = g.input(t, {1}), end = g.input(t, {1});
        const int32_t last = g.output(t, {1}), kept = g.output(t, {1});
        g.op(Op::WHILE, 1, {start, end}, {last, kept}, options);
    });
}

}  // namespace nn::tflite
