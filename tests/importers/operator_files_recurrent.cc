// Recurrent networks.
#include <tuple>

#include "importers/operator_file_list.h"

namespace nn::tflite {
namespace {

using enum OperationType;

constexpr int32_t kBatches = 2, kWidth = 3, kUnits = 4, kOutputs = 5, kSteps = 6;

// The parts of a cell other than its four gates.
struct Cell {
    bool hasPeepholes = false;
    bool hasProjection = false;
    bool hasNormalization = false;
    bool isCoupled = false;  // the input gate follows from the forget gate
    bool isHybrid = false;   // weights of 8 bits
    bool isClipped = true;
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
Options optionsOf(const Cell& cell) {
    auto options = activated<Options>(Activation::TANH);
    if (!cell.isClipped) return options;
    options.cell_clip = 0.5f;
    options.proj_clip = 0.25f;
    return options;
}

Fill lstm(const Cell& cell) {
    return [=](LiteGraph& g, Type) {
        const std::vector<int32_t> inputs = cellInputs(g, cell, {kBatches, kWidth});
        g.op(Op::LSTM, cell.isHybrid ? 3 : 1, inputs,
             {g.output(kFloat, {kBatches, outputsOf(cell)})}, optionsOf<LSTMOptionsT>(cell));
    };
}

Shape sequence(bool timeMajor, int32_t width) {
    return timeMajor ? Shape{kSteps, kBatches, width} : Shape{kBatches, kSteps, width};
}

Fill sequenceLstm(const Cell& cell, bool timeMajor = false) {
    return [=](LiteGraph& g, Type) {
        auto options = optionsOf<UnidirectionalSequenceLSTMOptionsT>(cell);
        options.time_major = timeMajor;
        const std::vector<int32_t> inputs = cellInputs(g, cell, sequence(timeMajor, kWidth));
        g.op(Op::UNIDIRECTIONAL_SEQUENCE_LSTM, cell.isHybrid ? 2 : 1, inputs,
             {g.output(kFloat, sequence(timeMajor, outputsOf(cell)))}, options);
    };
}

// The basic cell of 8 bits. Width and units differ, so that no weight can be taken for another.
void fillBasic(LiteGraph& g, Type) {
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
Fill bothLstm(const Cell& cell, bool merges, bool timeMajor) {
    return [=](LiteGraph& g, Type) {
        auto options = activated<BidirectionalSequenceLSTMOptionsT>(Activation::TANH);
        options.merge_outputs = merges;
        options.time_major = timeMajor;
        std::vector<int32_t> inputs = {g.input(kFloat, sequence(timeMajor, kWidth))};
        addWeights(g, cell, inputs);
        addWeights(g, cell, inputs);
        addStates(g, cell, inputs);
        addStates(g, cell, inputs);
        inputs.insert(inputs.end(), 9, -1);
        const int32_t width = outputsOf(cell);
        std::vector<int32_t> outputs = {
                g.output(kFloat, sequence(timeMajor, merges ? 2 * width : width))};
        if (!merges) outputs.push_back(g.output(kFloat, sequence(timeMajor, width)));
        g.op(Op::BIDIRECTIONAL_SEQUENCE_LSTM, 1, inputs, outputs, options);
    };
}

// Weights, bias and state of a cell without gates.
void addBasicCell(LiteGraph& g, int32_t units, std::vector<int32_t>& inputs) {
    inputs.push_back(g.numbers(kFloat, {units, kWidth}));
    inputs.push_back(g.numbers(kFloat, {units, units}));
    inputs.push_back(g.numbers(kFloat, {units}));
    inputs.push_back(g.variable(kFloat, {kBatches, units}));
}

void fillRnn(LiteGraph& g, Type) {
    std::vector<int32_t> inputs = {g.input(kFloat, {kBatches, kWidth})};
    addBasicCell(g, kUnits, inputs);
    g.op(Op::RNN, 1, inputs, {g.output(kFloat, {kBatches, kUnits})},
         activated<RNNOptionsT>(Activation::TANH));
}

Fill sequenceRnn(Activation activation, bool timeMajor) {
    return [=](LiteGraph& g, Type) {
        auto options = activated<SequenceRNNOptionsT>(activation);
        options.time_major = timeMajor;
        std::vector<int32_t> inputs = {g.input(kFloat, sequence(timeMajor, kWidth))};
        addBasicCell(g, kUnits, inputs);
        g.op(Op::UNIDIRECTIONAL_SEQUENCE_RNN, 1, inputs,
             {g.output(kFloat, sequence(timeMajor, kUnits))}, options);
    };
}

Fill bothRnn(bool merges, bool timeMajor) {
    return [=](LiteGraph& g, Type) {
        auto options = activated<BidirectionalSequenceRNNOptionsT>(Activation::RELU6);
        options.merge_outputs = merges;
        options.time_major = timeMajor;
        std::vector<int32_t> inputs = {g.input(kFloat, sequence(timeMajor, kWidth))};
        addBasicCell(g, kUnits, inputs);
        addBasicCell(g, kUnits + 1, inputs);
        inputs.insert(inputs.end(), 3, -1);
        std::vector<int32_t> outputs = {
                g.output(kFloat, sequence(timeMajor, merges ? 2 * kUnits + 1 : kUnits))};
        if (!merges) outputs.push_back(g.output(kFloat, sequence(timeMajor, kUnits + 1)));
        g.op(Op::BIDIRECTIONAL_SEQUENCE_RNN, 1, inputs, outputs, options);
    };
}

struct Svdf {
    int32_t rank = 1;
    bool hasBias = true;
    bool isHybrid = false;
    Activation activation = Activation::RELU;
};

Fill svdf(const Svdf& form) {
    return [=](LiteGraph& g, Type) {
        auto options = activated<SVDFOptionsT>(form.activation);
        options.rank = form.rank;
        const Cell cell{.isHybrid = form.isHybrid};
        const int32_t filters = kUnits * form.rank, memory = 5;
        const int32_t x = g.input(kFloat, {kBatches, kWidth}),
                      features = matrix(g, cell, filters, kWidth),
                      times = matrix(g, cell, filters, memory),
                      bias = form.hasBias ? g.numbers(kFloat, {kUnits}) : -1;
        g.op(Op::SVDF, form.isHybrid ? 2 : 1,
             {x, features, times, bias, g.variable(kFloat, {kBatches, memory * filters})},
             {g.output(kFloat, {kBatches, kUnits})}, options);
    };
}

}  // namespace

void addRecurrent(Files& files) {
    const Cell plain{.isClipped = false}, coupled{.isCoupled = true, .isClipped = false};
    const Cell full{.hasPeepholes = true, .hasProjection = true, .hasNormalization = true};
    const std::tuple<const char*, OperationType, Fill> rows[] = {
            {"LSTM", LSTM, lstm(plain)},
            {"LSTM_coupled", LSTM, lstm(coupled)},
            {"LSTM_peepholes", LSTM, lstm({.hasPeepholes = true})},
            {"LSTM_coupled_peepholes", LSTM, lstm({.hasPeepholes = true, .isCoupled = true})},
            {"LSTM_projection", LSTM, lstm({.hasProjection = true})},
            {"LSTM_full", LSTM, lstm(full)},
            {"LSTM_hybrid", LSTM, lstm({.isHybrid = true})},
            {"UNIDIRECTIONAL_SEQUENCE_LSTM", UNIDIRECTIONAL_SEQUENCE_LSTM, sequenceLstm(plain)},
            {"UNIDIRECTIONAL_SEQUENCE_LSTM_coupled", UNIDIRECTIONAL_SEQUENCE_LSTM,
             sequenceLstm(coupled)},
            {"UNIDIRECTIONAL_SEQUENCE_LSTM_full", UNIDIRECTIONAL_SEQUENCE_LSTM, sequenceLstm(full)},
            {"UNIDIRECTIONAL_SEQUENCE_LSTM_time", UNIDIRECTIONAL_SEQUENCE_LSTM,
             sequenceLstm({.hasProjection = true}, true)},
            {"UNIDIRECTIONAL_SEQUENCE_LSTM_hybrid", UNIDIRECTIONAL_SEQUENCE_LSTM,
             sequenceLstm({.isHybrid = true})},
            {"BIDIRECTIONAL_SEQUENCE_LSTM_both", BIDIRECTIONAL_SEQUENCE_LSTM,
             bothLstm({}, false, true)},
            {"BIDIRECTIONAL_SEQUENCE_LSTM_merged", BIDIRECTIONAL_SEQUENCE_LSTM,
             bothLstm({.hasPeepholes = true, .hasProjection = true}, true, true)},
            {"BIDIRECTIONAL_SEQUENCE_LSTM_batches", BIDIRECTIONAL_SEQUENCE_LSTM,
             bothLstm({.hasPeepholes = true}, false, false)},
            {"RNN", RNN, fillRnn},
            {"UNIDIRECTIONAL_SEQUENCE_RNN", UNIDIRECTIONAL_SEQUENCE_RNN,
             sequenceRnn(Activation::RELU, false)},
            {"UNIDIRECTIONAL_SEQUENCE_RNN_time", UNIDIRECTIONAL_SEQUENCE_RNN,
             sequenceRnn(Activation::TANH, true)},
            {"BIDIRECTIONAL_SEQUENCE_RNN_both", BIDIRECTIONAL_SEQUENCE_RNN, bothRnn(false, false)},
            {"BIDIRECTIONAL_SEQUENCE_RNN_merged", BIDIRECTIONAL_SEQUENCE_RNN, bothRnn(true, true)},
            {"SVDF", SVDF, svdf({.activation = Activation::NONE})},
            {"SVDF_rank_2", SVDF, svdf({.rank = 2})},
            {"SVDF_without_bias", SVDF, svdf({.hasBias = false})},
            {"SVDF_hybrid", SVDF, svdf({.isHybrid = true})}};
    for (const auto& [name, becomes, fill] : rows) files.add(name, kFloats, {becomes}, fill);
    files.addRead("LSTM_basic", {kUint8}, {QUANTIZED_16BIT_LSTM}, fillBasic);
}

}  // namespace nn::tflite
