// Files with operators that move elements, reduce, look up, keep states or call graphs.
#include "operator_file_list.h"

namespace nn::tflite {

// ---------------------------------------------------------------------------------------------
// Shapes

void addShapes(Files& files) {
    using enum OperationType;
    files.add("RESHAPE", kAll, {RESHAPE}, [](LiteGraph& g, Type t) {
        g.op(Op::RESHAPE, 1, {g.input(t, {2, 6}, common(t)), g.ints({3, -1})},
             {g.output(t, {3, 4}, common(t))});
    });
    files.add("RESHAPE_by_option", kFloats, {RESHAPE}, [](LiteGraph& g, Type t) {
        ReshapeOptionsT options;
        options.new_shape = {4, 3};
        g.op(Op::RESHAPE, 1, {g.input(t, {2, 6})}, {g.output(t, {4, 3})}, options);
    });
    files.add("SQUEEZE", kNumbers, {SQUEEZE}, [](LiteGraph& g, Type t) {
        SqueezeOptionsT options;
        options.squeeze_dims = {0, 2};
        g.op(Op::SQUEEZE, 1, {g.input(t, {1, 3, 1, 2}, common(t))},
             {g.output(t, {3, 2}, common(t))}, options);
    });
    files.add("EXPAND_DIMS", kAll, {EXPAND_DIMS}, [](LiteGraph& g, Type t) {
        g.op(Op::EXPAND_DIMS, 1, {g.input(t, {3, 2}, common(t)), g.scalar(1)},
             {g.output(t, {3, 1, 2}, common(t))});
    });
    files.add("TRANSPOSE", kNumbers, {TRANSPOSE}, [](LiteGraph& g, Type t) {
        g.op(Op::TRANSPOSE, versionFor(t), {g.input(t, {2, 3, 4}, common(t)), g.ints({2, 0, 1})},
             {g.output(t, {4, 2, 3}, common(t))});
    });
    files.add("CONCATENATION", kNumbers, {CONCATENATION}, [](LiteGraph& g, Type t) {
        ConcatenationOptionsT options;
        options.axis = -1;
        const int32_t a = g.input(t, {2, 3}, common(t)), b = g.input(t, {2, 1}, common(t));
        g.op(Op::CONCATENATION, versionFor(t), {a, b}, {g.output(t, {2, 4}, common(t))}, options);
    });
    files.add("PAD", kNumbers, {PAD}, [](LiteGraph& g, Type t) {
        const int32_t pads = g.constant<int32_t>(kInt, {2, 2}, {1, 0, 2, 1});
        g.op(Op::PAD, versionFor(t), {g.input(t, {2, 3}, common(t)), pads},
             {g.output(t, {3, 6}, common(t))});
    });
    files.add("PADV2", kNumbers, {PAD_V2}, [](LiteGraph& g, Type t) {
        const int32_t pads = g.constant<int32_t>(kInt, {2, 2}, {1, 0, 2, 1});
        const int32_t value = t == kFloat ? g.constant<float>(t, {}, {1.5f})
                                          : g.constant<uint8_t>(t, {}, {7}, common(t));
        g.op(Op::PADV2, versionFor(t), {g.input(t, {2, 3}, common(t)), pads, value},
             {g.output(t, {3, 6}, common(t))});
    });
    files.add("MIRROR_PAD", kFloats, {MIRROR_PAD}, [](LiteGraph& g, Type t) {
        MirrorPadOptionsT options;
        options.mode = MirrorPadMode::SYMMETRIC;
        const int32_t pads = g.constant<int32_t>(kInt, {2, 2}, {1, 0, 2, 1});
        g.op(Op::MIRROR_PAD, 1, {g.input(t, {2, 3}), pads}, {g.output(t, {3, 6})}, options);
    });
    files.add("REVERSE_V2", {kFloat, kInt}, {REVERSE}, [](LiteGraph& g, Type t) {
        g.op(Op::REVERSE_V2, 1, {g.input(t, {2, 3}), g.ints({1})}, {g.output(t, {2, 3})});
    });
    files.add("STRIDED_SLICE", kNumbers, {STRIDED_SLICE}, [](LiteGraph& g, Type t) {
        StridedSliceOptionsT options;
        options.shrink_axis_mask = 1;
        options.end_mask = 2;
        g.op(Op::STRIDED_SLICE, versionFor(t),
             {g.input(t, {3, 4}, common(t)), g.ints({1, 1}), g.ints({2, 0}), g.ints({1, 2})},
             {g.output(t, {2}, common(t))}, options);
    });
    files.add("SLICE", kAll, {SLICE}, [](LiteGraph& g, Type t) {
        g.op(Op::SLICE, versionFor(t),
             {g.input(t, {3, 4}, common(t)), g.ints({1, 0}), g.ints({2, -1})},
             {g.output(t, {2, 4}, common(t))});
    });
    files.add("SPLIT", kNumbers, {SPLIT}, [](LiteGraph& g, Type t) {
        SplitOptionsT options;
        options.num_splits = 2;
        const int32_t axis = g.scalar(1), x = g.input(t, {2, 4}, common(t));
        const int32_t a = g.output(t, {2, 2}, common(t)), b = g.output(t, {2, 2}, common(t));
        g.op(Op::SPLIT, versionFor(t), {axis, x}, {a, b}, options);
    });
    files.add("SPLIT_V", kNumbers, {SLICE, SLICE}, [](LiteGraph& g, Type t) {
        SplitVOptionsT options;
        options.num_splits = 2;
        const int32_t x = g.input(t, {2, 4}, common(t));
        const int32_t a = g.output(t, {2, 1}, common(t)), b = g.output(t, {2, 3}, common(t));
        g.op(Op::SPLIT_V, versionFor(t), {x, g.ints({1, -1}), g.scalar(1)}, {a, b}, options);
    });
    files.add("UNPACK", kNumbers, {SPLIT, RESHAPE, RESHAPE}, [](LiteGraph& g, Type t) {
        UnpackOptionsT options;
        options.num = 2;
        options.axis = 1;
        const int32_t x = g.input(t, {3, 2, 4}, common(t));
        const int32_t a = g.output(t, {3, 4}, common(t)), b = g.output(t, {3, 4}, common(t));
        g.op(Op::UNPACK, versionFor(t), {x}, {a, b}, options);
    });
    files.add("PACK", kAll, {PACK}, [](LiteGraph& g, Type t) {
        PackOptionsT options;
        options.values_count = 2;
        options.axis = 1;
        const int32_t a = g.input(t, {3, 4}, common(t)), b = g.input(t, {3, 4}, common(t));
        g.op(Op::PACK, versionFor(t), {a, b}, {g.output(t, {3, 2, 4}, common(t))}, options);
    });
    files.add("GATHER", kAll, {GATHER}, [](LiteGraph& g, Type t) {
        GatherOptionsT options;
        options.axis = 1;
        g.op(Op::GATHER, versionFor(t), {g.input(t, {2, 4}, common(t)), g.ints({3, 0, 1})},
             {g.output(t, {2, 3}, common(t))}, options);
    });
    files.add("TILE", {kFloat, kInt}, {TILE}, [](LiteGraph& g, Type t) {
        g.op(Op::TILE, 1, {g.input(t, {2, 3}), g.ints({2, 1})}, {g.output(t, {4, 3})});
    });
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
    for (const Case& one : cases) {
        for (const bool keeps : {false, true}) {
            files.add(std::string(EnumNameBuiltinOperator(one.op)) + (keeps ? "_keep_dims" : ""),
                      one.types, {one.becomes}, [&](LiteGraph& g, Type t) {
                          ReducerOptionsT options;
                          options.keep_dims = keeps;
                          const int32_t x = g.input(t, {2, 3, 4}, common(t));
                          const int32_t y = keeps ? g.output(t, {2, 1, 4}, common(t))
                                                  : g.output(t, {2, 4}, common(t));
                          g.op(one.op, versionFor(t), {x, g.ints({1})}, {y}, options);
                      });
        }
    }
    files.add("ARG_MAX", kNumbers, {ARGMAX}, [](LiteGraph& g, Type t) {
        ArgMaxOptionsT options;
        options.output_type = kInt;
        g.op(Op::ARG_MAX, versionFor(t), {g.input(t, {2, 4}, common(t)), g.scalar(1)},
             {g.output(kInt, {2})}, options);
    });
    files.add("ARG_MIN", kNumbers, {ARGMIN}, [](LiteGraph& g, Type t) {
        ArgMinOptionsT options;
        options.output_type = kInt;
        g.op(Op::ARG_MIN, versionFor(t), {g.input(t, {2, 4}, common(t)), g.scalar(1)},
             {g.output(kInt, {2})}, options);
    });
    files.add("TOPK_V2", {kFloat, kInt}, {TOPK_V2}, [](LiteGraph& g, Type t) {
        const int32_t x = g.input(t, {2, 4}), k = g.scalar(2);
        const int32_t values = g.output(t, {2, 2}), indexes = g.output(kInt, {2, 2});
        g.op(Op::TOPK_V2, 1, {x, k}, {values, indexes});
    });
    files.add("QUANTIZE", {kUint8, kInt8}, {QUANTIZE}, [](LiteGraph& g, Type t) {
        g.op(Op::QUANTIZE, 1, {g.input(kFloat, {2, 3})}, {g.output(t, {2, 3}, common(t))});
    });
    files.add("QUANTIZE_again", {kUint8, kInt8}, {DEQUANTIZE, QUANTIZE}, [](LiteGraph& g, Type t) {
        g.op(Op::QUANTIZE, 1, {g.input(t, {2, 3}, common(t))}, {g.output(t, {2, 3}, other(t))});
    });
    files.add("DEQUANTIZE", {kUint8, kInt8}, {DEQUANTIZE}, [](LiteGraph& g, Type t) {
        g.op(Op::DEQUANTIZE, versionFor(t), {g.input(t, {2, 3}, common(t))},
             {g.output(kFloat, {2, 3})});
    });
    files.add("EMBEDDING_LOOKUP", kFloats, {EMBEDDING_LOOKUP}, [](LiteGraph& g, Type t) {
        const int32_t rows = g.ints({2, 0}), values = g.input(t, {3, 4});
        g.op(Op::EMBEDDING_LOOKUP, 1, {rows, values}, {g.output(t, {2, 4})});
    });
}

// ---------------------------------------------------------------------------------------------
// Recurrent networks, control flow

void addRecurrent(Files& files) {
    using enum OperationType;
    files.add("SVDF", kFloats, {SVDF}, [](LiteGraph& g, Type t) {
        SVDFOptionsT options;
        options.rank = 1;
        const int32_t x = g.input(t, {2, 3}), features = g.numbers(t, {4, 3});
        const int32_t times = g.numbers(t, {4, 5}), bias = g.numbers(t, {4});
        g.op(Op::SVDF, 1, {x, features, times, bias, g.variable(t, {2, 20})}, {g.output(t, {2, 4})},
             options);
    });
    files.add("RNN", kFloats, {RNN}, [](LiteGraph& g, Type t) {
        RNNOptionsT options;
        options.fused_activation_function = ActivationFunctionType::TANH;
        const int32_t x = g.input(t, {2, 3}), w = g.numbers(t, {4, 3}), r = g.numbers(t, {4, 4});
        g.op(Op::RNN, 1, {x, w, r, g.numbers(t, {4}), g.variable(t, {2, 4})}, {g.output(t, {2, 4})},
             options);
    });
    files.add("UNIDIRECTIONAL_SEQUENCE_RNN", kFloats, {UNIDIRECTIONAL_SEQUENCE_RNN},
              [](LiteGraph& g, Type t) {
                  SequenceRNNOptionsT options;
                  options.fused_activation_function = ActivationFunctionType::RELU;
                  const int32_t x = g.input(t, {2, 5, 3}), w = g.numbers(t, {4, 3});
                  const int32_t r = g.numbers(t, {4, 4}), b = g.numbers(t, {4});
                  g.op(Op::UNIDIRECTIONAL_SEQUENCE_RNN, 1, {x, w, r, b, g.variable(t, {2, 4})},
                       {g.output(t, {2, 5, 4})}, options);
              });
    // Without an input gate, peepholes and projection, and with all four gates.
    for (const bool isCoupled : {false, true}) {
        const auto cell = [isCoupled](LiteGraph& g, Type t, std::vector<int32_t> shape) {
            std::vector<int32_t> inputs = {g.input(t, std::move(shape))};
            for (int i = 0; i < 4; ++i)
                inputs.push_back(isCoupled && i == 0 ? -1 : g.numbers(t, {4, 3}));
            for (int i = 0; i < 4; ++i)
                inputs.push_back(isCoupled && i == 0 ? -1 : g.numbers(t, {4, 4}));
            inputs.insert(inputs.end(), {-1, -1, -1});
            for (int i = 0; i < 4; ++i)
                inputs.push_back(isCoupled && i == 0 ? -1 : g.numbers(t, {4}));
            inputs.insert(inputs.end(), {-1, -1, g.variable(t, {2, 4}), g.variable(t, {2, 4})});
            return inputs;
        };
        files.add(isCoupled ? "LSTM_coupled" : "LSTM", kFloats, {LSTM}, [=](LiteGraph& g, Type t) {
            LSTMOptionsT options;
            options.fused_activation_function = ActivationFunctionType::TANH;
            const std::vector<int32_t> inputs = cell(g, t, {2, 3});
            g.op(Op::LSTM, 1, inputs, {g.output(t, {2, 4})}, options);
        });
        files.add(
                isCoupled ? "UNIDIRECTIONAL_SEQUENCE_LSTM_coupled" : "UNIDIRECTIONAL_SEQUENCE_LSTM",
                kFloats, {UNIDIRECTIONAL_SEQUENCE_LSTM}, [=](LiteGraph& g, Type t) {
                    UnidirectionalSequenceLSTMOptionsT options;
                    options.fused_activation_function = ActivationFunctionType::TANH;
                    const std::vector<int32_t> inputs = cell(g, t, {2, 5, 3});
                    g.op(Op::UNIDIRECTIONAL_SEQUENCE_LSTM, 1, inputs, {g.output(t, {2, 5, 4})},
                         options);
                });
    }
}

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
