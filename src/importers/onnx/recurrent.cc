// Recurrent networks: an operation over the sequence for each direction, or operations for each
// step.
#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <array>
#include <iterator>

#include "base/list_text.h"
#include "base/plurals.h"
#include "importers/onnx/rows.h"
#include "nnapi/checked_math.h"

namespace nn::onnx {
namespace {

using enum OperationType;

// The inputs that both operators have, by their index.
enum Input : size_t { kX, kWeights, kRecurrent, kBias, kLengths, kState };

// A sequence [steps, batches, features], or with layout 1 [batches, steps, features], and the layer
// that reads it, in one or two directions.
struct Layer {
    uint32_t steps = 0, batches = 0, features = 0, units = 0;
    bool isBatchMajor = false;
    std::vector<bool> isReverse{};  // for each direction

    uint32_t directions() const { return static_cast<uint32_t>(isReverse.size()); }
    // Dimensions of the sequence's form.
    Dimensions sequence(uint32_t count, uint32_t size) const {
        return isBatchMajor ? Dimensions{batches, count, size} : Dimensions{count, batches, size};
    }
    // The axis of directions in states, and in the whole output.
    size_t stateAxis() const { return isBatchMajor ? 1 : 0; }
    size_t outputAxis() const { return isBatchMajor ? 2 : 1; }
};

Dimensions inserted(Dimensions dimensions, size_t axis, uint32_t size) {
    dimensions.insert(dimensions.begin() + static_cast<ptrdiff_t>(axis), size);
    return dimensions;
}

void requireDimensions(Lowering& at, size_t input, const Dimensions& allowed) {
    if (!at.has(input) || at.dims(input) == allowed) return;
    at.refuseDimensions(input, shapeText(allowed));
}

// Empty after a refusal.
std::optional<Layer> layerOf(Lowering& at, uint32_t gates) {
    if (!at.requireRank(kX, 3, 3) || !at.requireRank(kRecurrent, 3, 3)) return std::nullopt;
    const UntrustedText direction = at.text("direction", "forward");
    Layer layer{.isBatchMajor = at.integer("layout", 0) != 0};
    layer.steps = at.dims(kX)[layer.isBatchMajor ? 1 : 0];
    layer.batches = at.dims(kX)[layer.isBatchMajor ? 0 : 1];
    layer.features = at.dims(kX)[2];
    layer.units = at.dims(kRecurrent)[2];
    if (absl::c_linear_search(at.dims(kX), 0u) || layer.units == 0) {
        at.refuse(kX,
                  fmt::format("has the dimensions {}, for {}", shapeText(at.dims(kX)),
                              Plural{layer.units, "units"}),
                  "dimensions and units above 0");
        return std::nullopt;
    }
    if (direction == "bidirectional") {
        layer.isReverse = {false, true};
    } else {
        layer.isReverse = {direction == "reverse"};
    }
    const auto rows = checkedMul<uint32_t>(gates, layer.units);
    const auto biases = checkedMul<uint32_t>(rows, 2u);
    if (!biases) {
        at.refuse(kRecurrent, "has too many units");
        return std::nullopt;
    }
    requireDimensions(at, kWeights, {layer.directions(), *rows, layer.features});
    requireDimensions(at, kRecurrent, {layer.directions(), *rows, layer.units});
    requireDimensions(at, kBias, {layer.directions(), *biases});
    requireDimensions(
            at, kState,
            inserted({layer.batches, layer.units}, layer.stateAxis(), layer.directions()));
    for (const Input input : {kWeights, kRecurrent, kBias}) {
        if (at.has(input)) at.requireConstant(input);
    }
    if (at.has(kLengths)) {
        const auto lengths = at.constantIntegers(kLengths);
        const bool isWhole = lengths && absl::c_all_of(*lengths, [&](int64_t length) {
                                 return length == int64_t{layer.steps};
                             });
        if (lengths && !isWhole) {
            at.refuse(kLengths, "ends sequences early", fmt::format("{} for each", layer.steps));
        }
    }
    if (at.hasAttribute("clip")) at.refuse("", "has a clip", "none");
    if (!at.ok()) return std::nullopt;
    return layer;
}

// As FusedActivationFunc, which counts on for recurrent networks, and as an operation.
struct Activation {
    std::string_view name;
    int32_t fused;
    OperationType operation;
};
constexpr Activation kActivations[] = {
        {"Relu", 1, RELU}, {"Tanh", 4, TANH}, {"Sigmoid", 6, LOGISTIC}};

const Activation* activationNamed(std::string_view name) {
    const auto found = absl::c_find_if(
            kActivations, [&](const Activation& activation) { return activation.name == name; });
    return found == std::end(kActivations) ? nullptr : found;
}

std::string namesText(std::span<const UntrustedView> names) {
    return listedEntries(names, [](const UntrustedView& name) { return name.beginning(); });
}

// The activations of all directions, which must be the same; empty after a refusal.
std::optional<std::vector<UntrustedView>> activations(Lowering& at, const Layer& layer,
                                                      std::vector<UntrustedView> usual) {
    const AttributeMessage* given = attributeOf(at.message(), "activations");
    if (given == nullptr || given->texts.empty()) return usual;
    const std::vector<UntrustedView>& names = given->texts;
    const size_t count = usual.size();
    bool isSame = names.size() == count * layer.directions();
    for (size_t i = count; isSame && i < names.size(); ++i) isSame = names[i] == names[i - count];
    if (isSame) return std::vector(names.begin(), names.begin() + static_cast<ptrdiff_t>(count));
    at.refuse("", fmt::format("has the activations {}", namesText(names)),
              fmt::format("{}, the same for each direction", count));
    return std::nullopt;
}

// Elements of a constant input, as a constant of their own.
uint32_t part(Lowering& at, size_t input, size_t first, const Dimensions& dimensions) {
    Constant constant = *at.in(input).constant;
    const size_t size = elementSize(constant.type);
    constant.dimensions = dimensions;
    const auto begin = checkedMul<size_t>(first, size);
    const auto length = checkedMul<size_t>(checkedProduct<size_t>(dimensions), size);
    if (!begin || !length || !fits(*begin, *length, constant.bytes.size())) {
        at.refuse(input, "has less elements than its dimensions");
        return at.builder().noValue(OperandType::TENSOR_FLOAT32, {1});
    }
    constant.bytes = constant.bytes.subspan(*begin, *length);
    return at.constantOperand(constant);
}

uint32_t zeros(Lowering& at, uint32_t like, const Dimensions& dimensions) {
    if (!at.fitsConstants(dimensions)) return like;
    const std::vector<float> values(*checkedProduct<size_t>(dimensions));
    return at.reals(like, values, dimensions);
}

// The state before the first step.
uint32_t stateOf(Lowering& at, const Layer& layer, size_t input, size_t direction, uint32_t like) {
    const Dimensions dimensions{layer.batches, layer.units};
    if (!at.has(input)) return zeros(at, like, dimensions);
    const uint32_t whole = at.operand(input);
    if (layer.directions() == 1) return at.reshaped(whole, dimensions);
    auto ranges = *sliceRanges(at.dims(input), {}, {}, std::nullopt, std::nullopt);
    ranges[layer.stateAxis()] = {.begin = static_cast<int64_t>(direction), .count = 1};
    const uint32_t one = at.temporary(whole, inserted(dimensions, layer.stateAxis(), 1));
    emitSlice(at, whole, ranges, one);
    return at.reshaped(one, dimensions);
}

// ONNX has two biases where NNAPI has their sum.
uint32_t biasOf(Lowering& at, const Layer& layer, size_t gates, size_t direction, size_t gate,
                uint32_t like) {
    if (!at.has(kBias)) return zeros(at, like, {layer.units});
    const auto all = at.constantReals(kBias);
    if (!all || !at.fitsConstants({layer.units})) return like;
    // Of the dimensions that the layer requires.
    const std::span<const float> biases(*all);
    const auto ofInput = biases.subspan((2 * gates * direction + gate) * layer.units);
    const auto ofState = ofInput.subspan(gates * layer.units);
    std::vector<float> sums;
    for (size_t i = 0; i < layer.units; ++i) sums.push_back(ofInput[i] + ofState[i]);
    return at.reals(like, sums);
}

// What both directions compute, side by side along an axis.
void joinDirections(Lowering& at, size_t output, std::vector<uint32_t> parts, size_t axis) {
    Dimensions dimensions = at.operandDims(parts.front());
    if (parts.size() == 1) return at.adopt(output, kX, parts.front(), dimensions);
    dimensions[axis] = static_cast<uint32_t>(parts.size());
    parts.push_back(at.builder().scalar(static_cast<int32_t>(axis)));
    at.emit({CONCATENATION, std::move(parts), {at.defineLike(output, kX, dimensions)}});
}

// Steps of a sequence: the last one, or all of them backwards.
uint32_t stepsOf(Lowering& at, const Layer& layer, uint32_t sequence, const SliceRange& steps) {
    const Dimensions from = at.operandDims(sequence);
    auto ranges = *sliceRanges(from, {}, {}, std::nullopt, std::nullopt);
    ranges[layer.isBatchMajor ? 1 : 0] = steps;
    const uint32_t to = at.temporary(sequence, layer.sequence(steps.count, from[2]));
    emitSlice(at, sequence, ranges, to);
    return to;
}

// Lowers all directions. The function emits the operation: it gets the direction, the input, and
// the operands of the output and of further states.
template <class Function>
void lowerDirections(Lowering& at, const Layer& layer, size_t states, Function emitOperation) {
    const SliceRange backwards{.begin = int64_t{layer.steps} - 1, .step = -1, .count = layer.steps};
    const uint32_t input = at.operand(kX);
    std::vector<std::vector<uint32_t>> parts(1 + states);  // of each output, by direction
    for (size_t direction = 0; direction < layer.directions(); ++direction) {
        const bool isReverse = layer.isReverse[direction];
        const uint32_t read = isReverse ? stepsOf(at, layer, input, backwards) : input;
        std::vector<uint32_t> outputs{
                at.temporary(input, layer.sequence(layer.steps, layer.units))};
        // The output state is the last step, so that only a cell state needs an output of its own.
        if (states == 2 && at.hasOutput(2)) {
            outputs.push_back(at.temporary(input, {layer.batches, layer.units}));
            outputs.push_back(at.temporary(input, {layer.batches, layer.units}));
        }
        emitOperation(direction, read, outputs);
        if (at.hasOutput(0)) {
            const uint32_t whole =
                    isReverse ? stepsOf(at, layer, outputs[0], backwards) : outputs[0];
            parts[0].push_back(
                    at.reshaped(whole, inserted(at.operandDims(whole), layer.outputAxis(), 1)));
        }
        if (at.hasOutput(1)) {
            parts[1].push_back(stepsOf(at, layer, outputs[0],
                                       {.begin = int64_t{layer.steps} - 1, .count = 1}));
        }
        if (outputs.size() == 3) {
            parts[2].push_back(at.reshaped(
                    outputs[2], inserted({layer.batches, layer.units}, layer.stateAxis(), 1)));
        }
    }
    if (!at.ok()) return;
    for (size_t i = 0; i < parts.size(); ++i) {
        if (!parts[i].empty()) {
            joinDirections(at, i, parts[i], i == 0 ? layer.outputAxis() : layer.stateAxis());
        }
    }
}

// A GRU in one direction: gates z and r select the part of the state that a candidate replaces. Its
// weights are ordered z, r, candidate; the biases of all of these come twice, for the input and for
// the state.
class Gru {
   public:
    Gru(Lowering& at, const Layer& layer, size_t direction, const Activation& gate,
        const Activation& candidate)
        : mAt(at),
          mLayer(layer),
          mDirection(direction),
          mGate(gate),
          mCandidate(candidate),
          mIsLinearBeforeReset(at.integer("linear_before_reset", 0) != 0) {}

    void lower(uint32_t input, uint32_t output) {
        const std::vector<uint32_t> gatesOfInput =
                                            splitSteps(input, denseOf(kWeights, 0, 2, input)),
                                    candidateOfInput =
                                            splitSteps(input, denseOf(kWeights, 2, 1, input));
        const Dense gatesOfState = denseOf(kRecurrent, 0, 2, input),
                    candidateOfState = denseOf(kRecurrent, 2, 1, input);
        uint32_t state = stateOf(mAt, mLayer, kState, mDirection, input);
        std::vector<uint32_t> states;
        for (uint32_t step = 0; step < mLayer.steps; ++step) {
            const uint32_t gates =
                    applied(mGate, arithmetic(mAt, ADD, gatesOfInput[step],
                                              applied(gatesOfState, state, mLayer.batches)));
            const std::vector<uint32_t> zr = split(gates, 1, 2, mLayer.units);
            const uint32_t reset =
                    mIsLinearBeforeReset
                            ? arithmetic(mAt, MUL, zr[1],
                                         applied(candidateOfState, state, mLayer.batches))
                            : applied(candidateOfState, arithmetic(mAt, MUL, zr[1], state),
                                      mLayer.batches);
            const uint32_t candidate =
                    applied(mCandidate, arithmetic(mAt, ADD, candidateOfInput[step], reset));
            // (1 - z) candidate + z state
            const uint32_t kept =
                    arithmetic(mAt, MUL, zr[0], arithmetic(mAt, SUB, state, candidate));
            state = arithmetic(mAt, ADD, candidate, kept);
            states.push_back(state);
        }
        mAt.reshape(joined(std::move(states)), mLayer.sequence(mLayer.steps, mLayer.units), output);
    }

   private:
    // What one FULLY_CONNECTED computes.
    struct Dense {
        uint32_t weights, bias, size;
    };

    Dense denseOf(Input weights, uint32_t gate, uint32_t gates, uint32_t like) {
        const uint32_t units = mLayer.units, size = gates * units;
        const uint32_t columns = weights == kWeights ? mLayer.features : units;
        const size_t row = (mDirection * 3 + gate) * units;
        const size_t bias = (mDirection * 6 + (weights == kWeights ? 0 : 3) + gate) * units;
        return {part(mAt, weights, row * columns, {size, columns}),
                mAt.has(kBias) ? part(mAt, kBias, bias, {size}) : zeros(mAt, like, {size}), size};
    }
    uint32_t applied(const Dense& dense, uint32_t to, uint32_t rows) {
        return mAt.apply(FULLY_CONNECTED, {to, dense.weights, dense.bias, mAt.builder().scalar(0)},
                         to, {rows, dense.size});
    }
    uint32_t applied(const Activation& activation, uint32_t to) {
        return mAt.apply(activation.operation, {to}, to, mAt.operandDims(to));
    }

    // Equal parts along an axis, each with that many columns.
    std::vector<uint32_t> split(uint32_t from, int32_t axis, uint32_t count, uint32_t columns) {
        if (count == 1) return {from};
        std::vector<uint32_t> parts;
        for (uint32_t i = 0; i < count; ++i)
            parts.push_back(mAt.temporary(from, {mLayer.batches, columns}));
        mAt.emit({SPLIT, {from, mAt.builder().scalar(axis), mAt.builder().scalar(count)}, parts});
        return parts;
    }

    // Steps side by side or one below the other, as they are in the sequence.
    int32_t stepAxis() const { return mLayer.isBatchMajor ? 1 : 0; }
    std::vector<uint32_t> splitSteps(uint32_t input, const Dense& dense) {
        uint32_t all = applied(dense, input, mLayer.steps * mLayer.batches);
        if (mLayer.isBatchMajor) {
            all = mAt.reshaped(all, {mLayer.batches, mLayer.steps * dense.size});
        }
        return split(all, stepAxis(), mLayer.steps, dense.size);
    }
    uint32_t joined(std::vector<uint32_t> states) {
        if (states.size() == 1) return states[0];
        Dimensions dimensions{mLayer.batches, mLayer.units};
        dimensions[stepAxis()] *= mLayer.steps;
        const uint32_t like = states[0];
        states.push_back(mAt.builder().scalar(stepAxis()));
        return mAt.apply(CONCATENATION, std::move(states), like, std::move(dimensions));
    }

    Lowering& mAt;
    const Layer& mLayer;
    size_t mDirection;
    const Activation &mGate, &mCandidate;
    bool mIsLinearBeforeReset;
};

}  // namespace

void lowerGru(Lowering& at, OperationType) {
    const auto layer = layerOf(at, 3);
    if (!layer) return;
    const auto names = activations(at, *layer, {"Sigmoid", "Tanh"});
    if (!names) return;
    const Activation *gate = activationNamed((*names)[0]),
                     *candidate = activationNamed((*names)[1]);
    if (gate == nullptr || candidate == nullptr) {
        at.refuse("", fmt::format("has the activations {}", namesText(*names)),
                  "Relu, Tanh and Sigmoid");
    }
    if (!checkedProduct<uint32_t>(Dimensions{layer->steps, layer->batches, 2, layer->units})) {
        at.refuse(kX, "has too many elements");
    }
    for (size_t i = 0; at.ok() && i < layer->directions(); ++i) at.fitsSteps(layer->steps);
    if (!at.ok()) return;
    lowerDirections(at, *layer, 1,
                    [&](size_t direction, uint32_t input, const std::vector<uint32_t>& outputs) {
                        Gru(at, *layer, direction, *gate, *candidate).lower(input, outputs[0]);
                    });
}

void lowerRnn(Lowering& at, OperationType operation) {
    const auto layer = layerOf(at, 1);
    if (!layer) return;
    const auto names = activations(at, *layer, {"Tanh"});
    if (!names) return;
    const Activation* activation = activationNamed(names->front());
    if (activation == nullptr) {
        return at.refuse("", fmt::format("has the activation {}", namesText(*names)),
                         "Relu, Tanh and Sigmoid");
    }
    const uint32_t units = layer->units;
    const auto emit = [&](size_t direction, uint32_t input, const std::vector<uint32_t>& outputs) {
        at.emit({operation,
                 {input,
                  part(at, kWeights, direction * units * layer->features, {units, layer->features}),
                  part(at, kRecurrent, direction * units * units, {units, units}),
                  biasOf(at, *layer, 1, direction, 0, input),
                  stateOf(at, *layer, kState, direction, input),
                  at.builder().scalar(activation->fused),
                  at.builder().scalar(int32_t{layer->isBatchMajor ? 0 : 1})},
                 outputs});
    };
    lowerDirections(at, *layer, 1, emit);
}

void lowerLstm(Lowering& at, OperationType operation) {
    // ONNX orders the gates input, output, forget, cell, and peepholes input, output, forget; NNAPI
    // input, forget, cell, output.
    constexpr std::array<size_t, 4> kGates = {0, 2, 3, 1};
    constexpr std::array<size_t, 3> kPeepholes = {0, 2, 1};
    constexpr size_t kCellState = 6, kPeephole = 7;
    const auto layer = layerOf(at, kGates.size());
    if (!layer) return;
    const uint32_t units = layer->units;
    const Dimensions states =
            inserted({layer->batches, units}, layer->stateAxis(), layer->directions());
    requireDimensions(at, kCellState, states);
    requireDimensions(at, kPeephole, {layer->directions(), 3 * units});
    if (at.has(kPeephole)) at.requireConstant(kPeephole);
    at.require("input_forget", at.integer("input_forget", 0), 0);
    const auto names = activations(at, *layer, {"Sigmoid", "Tanh", "Tanh"});
    if (!names) return;
    const Activation* activation = activationNamed((*names)[1]);
    if ((*names)[0] != "Sigmoid" || (*names)[1] != (*names)[2] || activation == nullptr) {
        at.refuse("", fmt::format("has the activations {}", namesText(*names)),
                  "Sigmoid, and then Relu, Tanh or Sigmoid twice");
    }
    if (!at.ok()) return;
    const auto emit = [&](size_t direction, uint32_t input, const std::vector<uint32_t>& outputs) {
        std::vector<uint32_t> inputs{input};
        const OperandType type = at.builder().operand(input).type;
        const auto place = [&](size_t gate) { return (direction * kGates.size() + gate) * units; };
        for (const size_t gate : kGates) {
            inputs.push_back(
                    part(at, kWeights, place(gate) * layer->features, {units, layer->features}));
        }
        for (const size_t gate : kGates)
            inputs.push_back(part(at, kRecurrent, place(gate) * units, {units, units}));
        for (const size_t gate : kPeepholes) {
            inputs.push_back(at.has(kPeephole)
                                     ? part(at, kPeephole, (direction * 3 + gate) * units, {units})
                                     : at.builder().noValue(type));
        }
        for (const size_t gate : kGates)
            inputs.push_back(biasOf(at, *layer, kGates.size(), direction, gate, input));
        inputs.push_back(at.builder().noValue(type));  // projection
        inputs.push_back(at.builder().noValue(type));
        inputs.push_back(stateOf(at, *layer, kState, direction, input));
        inputs.push_back(stateOf(at, *layer, kCellState, direction, input));
        inputs.push_back(at.builder().scalar(activation->fused));
        inputs.push_back(at.realScalar(input, 0));  // clips
        inputs.push_back(at.realScalar(input, 0));
        inputs.push_back(at.builder().scalar(!layer->isBatchMajor));
        for (int i = 0; i < 4; ++i) inputs.push_back(at.builder().noValue(type));  // normalization
        at.emit({operation, std::move(inputs), outputs});
    };
    lowerDirections(at, *layer, 2, emit);
}

}  // namespace nn::onnx
