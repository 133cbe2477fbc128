// More forms of recurrent networks.
#include "importers/operator_file_list.h"

namespace nn::tflite {
namespace {

using enum OperationType;

constexpr int32_t kBatches = 2, kWidth = 3, kUnits = 4, kOutputs = 5;

// The parts of a cell other than its four gates.
struct Cell {
    bool hasPeepholes = false;
    bool hasProjection = false;
    bool hasNormalization = false;
    bool isCoupled = false;  // the input gate follows from the forget gate
    bool isHybrid = false;   // weights of 8 bits
};

int32_t matrix(LiteGraph& g, const Cell& cell, int32_t rows, int32_t columns) {
    if (cell.isHybrid) return g.numbers(kInt8, {rows, columns}, {0.0078125f, 0});
    return g.numbers(kFloat, {rows, columns});
}

int32_t outputsOf(const Cell& cell) { return cell.hasProjection ? kOutputs : kUnits; }

// Weights and biases, as the operators order them.
void addWeights(LiteGraph& g, const Cell& cell, std::vector<int32_t>& inputs) {
    const auto ofGates = [&](auto make) {
        for (int gate = 0; gate < 4; ++gate) {
            inputs.push_back(cell.isCoupled && gate == 0 ? -1 : make());
        }
    };
    ofGates([&] { return matrix(g, cell, kUnits, kWidth); });
    ofGates([&] { return matrix(g, cell, kUnits, outputsOf(cell)); });
    for (int gate = 0; gate < 3; ++gate) {
        const bool isMissing = !cell.hasPeepholes || (cell.isCoupled && gate == 0);
        inputs.push_back(isMissing ? -1 : g.numbers(kFloat, {kUnits}));
    }
    ofGates([&] { return g.numbers(kFloat, {kUnits}); });
    inputs.push_back(cell.hasProjection ? matrix(g, cell, kOutputs, kUnits) : -1);
    inputs.push_back(cell.hasProjection ? g.numbers(kFloat, {kOutputs}) : -1);
}

void addStates(LiteGraph& g, const Cell& cell, std::vector<int32_t>& inputs) {
    inputs.push_back(g.variable(kFloat, {kBatches, outputsOf(cell)}));
    inputs.push_back(g.variable(kFloat, {kBatches, kUnits}));
}

std::vector<int32_t> cellInputs(LiteGraph& g, const Cell& cell, std::vector<int32_t> shape) {
    std::vector<int32_t> inputs = {g.input(kFloat, std::move(shape))};
    addWeights(g, cell, inputs);
    addStates(g, cell, inputs);
    for (int gate = 0; gate < 4 && cell.hasNormalization; ++gate) {
        inputs.push_back(cell.isCoupled && gate == 0 ? -1 : g.numbers(kFloat, {kUnits}));
    }
    return inputs;
}

template <class Options>
Options clipped() {
    auto options = activated<Options>(Activation::TANH);
    options.cell_clip = 0.5f;
    options.proj_clip = 0.25f;
    return options;
}

void fillLstm(LiteGraph& g, const Cell& cell) {
    const std::vector<int32_t> inputs = cellInputs(g, cell, {kBatches, kWidth});
    g.op(Op::LSTM, cell.isHybrid ? 3 : 1, inputs, {g.output(kFloat, {kBatches, outputsOf(cell)})},
         clipped<LSTMOptionsT>());
}

void fillSequence(LiteGraph& g, const Cell& cell, bool timeMajor) {
    auto options = clipped<UnidirectionalSequenceLSTMOptionsT>();
    options.time_major = timeMajor;
    const int32_t first = timeMajor ? 6 : kBatches, second = timeMajor ? kBatches : 6;
    const std::vector<int32_t> inputs = cellInputs(g, cell, {first, second, kWidth});
    g.op(Op::UNIDIRECTIONAL_SEQUENCE_LSTM, cell.isHybrid ? 2 : 1, inputs,
         {g.output(kFloat, {first, second, outputsOf(cell)})}, options);
}

// The basic cell of 8 bits. Width and units differ, so that no weight can be taken for another.
void fillBasic(LiteGraph& g) {
    LSTMOptionsT options = activated<LSTMOptionsT>(Activation::TANH);
    options.kernel_type = LSTMKernelType::BASIC;
    const LiteScale values{0x1p-7f, 128}, weights{0x1p-8f, 120}, state{0x1p-11f, 0};
    const int32_t columns = kWidth + kUnits;
    const int32_t x = g.input(kUint8, {kBatches, kWidth}, values),
                  before = g.input(kUint8, {kBatches, kUnits}, values),
                  w = g.numbers(kUint8, {4 * kUnits, columns}, weights),
                  bias = g.numbers(kInt, {4 * kUnits}, {0x1p-15f, 0}),
                  cell = g.input(Type::INT16, {kBatches, kUnits}, state);
    g.op(Op::LSTM, 2, {x, before, w, bias, cell},
         {g.output(kUint8, {kBatches, kUnits}, values),
          g.output(Type::INT16, {kBatches, kUnits}, state),
          g.tensor(kUint8, {kBatches, columns}, values),
          g.tensor(Type::INT16, {kBatches, 4 * kUnits}, {0x1p-12f, 0})},
         options);
}

// Of both directions; auxiliary inputs are missing.
void fillBidirectional(LiteGraph& g, const Cell& cell, bool merges, bool timeMajor) {
    auto options = activated<BidirectionalSequenceLSTMOptionsT>(Activation::TANH);
    options.merge_outputs = merges;
    options.time_major = timeMajor;
    const int32_t first = timeMajor ? 6 : kBatches, second = timeMajor ? kBatches : 6;
    std::vector<int32_t> inputs = {g.input(kFloat, {first, second, kWidth})};
    addWeights(g, cell, inputs);
    addWeights(g, cell, inputs);
    addStates(g, cell, inputs);
    addStates(g, cell, inputs);
    inputs.insert(inputs.end(), 9, -1);
    const int32_t width = outputsOf(cell);
    std::vector<int32_t> outputs = {g.output(kFloat, {first, second, merges ? 2 * width : width})};
    if (!merges) outputs.push_back(g.output(kFloat, {first, second, width}));
    g.op(Op::BIDIRECTIONAL_SEQUENCE_LSTM, 1, inputs, outputs, options);
}

void fillBothRnn(LiteGraph& g, bool merges, bool timeMajor) {
    auto options = activated<BidirectionalSequenceRNNOptionsT>(Activation::RELU6);
    options.merge_outputs = merges;
    options.time_major = timeMajor;
    const int32_t first = timeMajor ? 6 : kBatches, second = timeMajor ? kBatches : 6;
    std::vector<int32_t> inputs = {g.input(kFloat, {first, second, kWidth})};
    for (int direction = 0; direction < 2; ++direction) {
        const int32_t units = kUnits + direction;
        inputs.push_back(g.numbers(kFloat, {units, kWidth}));
        inputs.push_back(g.numbers(kFloat, {units, units}));
        inputs.push_back(g.numbers(kFloat, {units}));
        inputs.push_back(g.variable(kFloat, {kBatches, units}));
    }
    inputs.insert(inputs.end(), 3, -1);
    std::vector<int32_t> outputs = {
            g.output(kFloat, {first, second, merges ? 2 * kUnits + 1 : kUnits})};
    if (!merges) outputs.push_back(g.output(kFloat, {first, second, kUnits + 1}));
    g.op(Op::BIDIRECTIONAL_SEQUENCE_RNN, 1, inputs, outputs, options);
}

void fillSvdf(LiteGraph& g, int32_t rank, bool hasBias, bool isHybrid) {
    auto options = activated<SVDFOptionsT>(Activation::RELU);
    options.rank = rank;
    const Cell cell{.isHybrid = isHybrid};
    const int32_t filters = 4 * rank, memory = 5;
    const int32_t x = g.input(kFloat, {kBatches, kWidth}),
                  features = matrix(g, cell, filters, kWidth),
                  times = matrix(g, cell, filters, memory),
                  bias = hasBias ? g.numbers(kFloat, {4}) : -1;
    g.op(Op::SVDF, isHybrid ? 2 : 1,
         {x, features, times, bias, g.variable(kFloat, {kBatches, memory * filters})},
         {g.output(kFloat, {kBatches, 4})}, options);
}

constexpr Cell kFull{.hasPeepholes = true, .hasProjection = true, .hasNormalization = true};

void addCells(Files& files) {
    files.add("LSTM_peepholes", kFloats, {LSTM},
              [](LiteGraph& g, Type) { fillLstm(g, {.hasPeepholes = true}); });
    files.add("LSTM_coupled_peepholes", kFloats, {LSTM},
              [](LiteGraph& g, Type) { fillLstm(g, {.hasPeepholes = true, .isCoupled = true}); });
    files.add("LSTM_projection", kFloats, {LSTM},
              [](LiteGraph& g, Type) { fillLstm(g, {.hasProjection = true}); });
    files.add("LSTM_full", kFloats, {LSTM}, [](LiteGraph& g, Type) { fillLstm(g, kFull); });
    files.add("LSTM_hybrid", kFloats, {LSTM},
              [](LiteGraph& g, Type) { fillLstm(g, {.isHybrid = true}); });
    files.add("UNIDIRECTIONAL_SEQUENCE_LSTM_full", kFloats, {UNIDIRECTIONAL_SEQUENCE_LSTM},
              [](LiteGraph& g, Type) { fillSequence(g, kFull, false); });
    files.add("UNIDIRECTIONAL_SEQUENCE_LSTM_time", kFloats, {UNIDIRECTIONAL_SEQUENCE_LSTM},
              [](LiteGraph& g, Type) { fillSequence(g, {.hasProjection = true}, true); });
    files.add("UNIDIRECTIONAL_SEQUENCE_LSTM_hybrid", kFloats, {UNIDIRECTIONAL_SEQUENCE_LSTM},
              [](LiteGraph& g, Type) { fillSequence(g, {.isHybrid = true}, false); });
    files.add("BIDIRECTIONAL_SEQUENCE_LSTM_both", kFloats, {BIDIRECTIONAL_SEQUENCE_LSTM},
              [](LiteGraph& g, Type) { fillBidirectional(g, {}, false, true); });
    files.add("BIDIRECTIONAL_SEQUENCE_LSTM_merged", kFloats, {BIDIRECTIONAL_SEQUENCE_LSTM},
              [](LiteGraph& g, Type) {
                  fillBidirectional(g, {.hasPeepholes = true, .hasProjection = true}, true, true);
              });
    files.add(
            "BIDIRECTIONAL_SEQUENCE_LSTM_batches", kFloats, {BIDIRECTIONAL_SEQUENCE_LSTM},
            [](LiteGraph& g, Type) { fillBidirectional(g, {.hasPeepholes = true}, false, false); });
    files.add("BIDIRECTIONAL_SEQUENCE_RNN_both", kFloats, {BIDIRECTIONAL_SEQUENCE_RNN},
              [](LiteGraph& g, Type) { fillBothRnn(g, false, false); });
    files.add("BIDIRECTIONAL_SEQUENCE_RNN_merged", kFloats, {BIDIRECTIONAL_SEQUENCE_RNN},
              [](LiteGraph& g, Type) { fillBothRnn(g, true, true); });
    files.add(
            "UNIDIRECTIONAL_SEQUENCE_RNN_time", kFloats, {UNIDIRECTIONAL_SEQUENCE_RNN},
            [](LiteGraph& g, Type t) {
                auto options = activated<SequenceRNNOptionsT>(Activation::TANH);
                options.time_major = true;
                const int32_t x = g.input(t, {6, kBatches, kWidth}), w = g.numbers(t, {4, kWidth});
                const int32_t r = g.numbers(t, {4, 4}), b = g.numbers(t, {4});
                g.op(Op::UNIDIRECTIONAL_SEQUENCE_RNN, 1, {x, w, r, b, g.variable(t, {kBatches, 4})},
                     {g.output(t, {6, kBatches, 4})}, options);
            });
    files.add("SVDF_rank_2", kFloats, {SVDF},
              [](LiteGraph& g, Type) { fillSvdf(g, 2, true, false); });
    files.add("SVDF_without_bias", kFloats, {SVDF},
              [](LiteGraph& g, Type) { fillSvdf(g, 1, false, false); });
    files.add("SVDF_hybrid", kFloats, {SVDF},
              [](LiteGraph& g, Type) { fillSvdf(g, 1, true, true); });
}

void addOnlyReadForms(Files& files) {
    files.addRead("LSTM_basic", {kUint8}, {QUANTIZED_16BIT_LSTM},
                  [](LiteGraph& g, Type) { fillBasic(g); });
}

}  // namespace

void addRecurrentForms(Files& files) {
    addCells(files);
    addOnlyReadForms(files);
}

}  // namespace nn::tflite
