#include <absl/algorithm/container.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>

#include "op_support/kernels/fixed_point.h"
#include "op_support/kernels/kernel_call.h"
#include "op_support/rules/quantization.h"
#include "op_support/rules/recurrent_rules.h"
#include "ops/quantized_lstm/signature.h"

namespace nn::ops {
namespace quantized_lstm {
namespace {

constexpr int kGateBits = 3;  // integer bits of the arguments of the gates' functions

int32_t shiftLeft32(int64_t x, int32_t bits) {
    return static_cast<int32_t>(std::clamp<int64_t>(x * (int64_t{1} << bits),
                                                    std::numeric_limits<int32_t>::min(),
                                                    std::numeric_limits<int32_t>::max()));
}

// 1 / sqrt(x) by five steps of Newton's method, with x scaled to [2^27, 2^29); 1 for x < 1.
FixedMultiplier inverseSquareRoot(int32_t x) {
    constexpr int32_t kThreeHalves = 3 << 27;
    constexpr int32_t kHalfRootOfTwo = 1518500250;
    if (x <= 1) return {std::numeric_limits<int32_t>::max(), 0};
    int32_t shift = 11;
    for (; x >= 1 << 29; x /= 4) ++shift;
    const int32_t scaling = (std::countl_zero(static_cast<uint32_t>(x)) - 1) / 2 - 1;
    shift -= scaling;
    const int32_t half = roundingDivideByPowerOfTwo((x << (2 * scaling)) >> 1, 1);
    int32_t root = 1 << 28;
    for (int step = 0; step < 5; ++step) {
        const int32_t cube =
                shiftLeft32(doublingHighMultiply(doublingHighMultiply(root, root), root), 6);
        root = shiftLeft32(int64_t{doublingHighMultiply(kThreeHalves, root)} -
                                   doublingHighMultiply(half, cube),
                           3);
    }
    const int32_t significand = doublingHighMultiply(root, kHalfRootOfTwo);
    if (shift < 0) return {shiftLeft32(significand, -shift), 0};
    return {significand, -shift};
}

// y = ((y - mean) / deviation * weights + bias) * scale, with 10 additional bits until the end.
void normalize(std::span<int16_t> y, std::span<const int16_t> weights,
               std::span<const int32_t> bias, float scale) {
    const auto count = static_cast<int64_t>(y.size());
    int64_t sum = 0;
    int64_t squares = 0;
    for (const int32_t v : y) {
        sum += v;
        squares += int64_t{v} * v;
    }
    const int64_t mean = sum * 1024 / count;
    int64_t variance = (squares * ((int64_t{1} << 20) / count) - mean * mean) / (1 << 20);
    if (variance < 1) variance = 10000 * scale >= 1 ? 1 : 0;

    const FixedMultiplier inverseDeviation = inverseSquareRoot(static_cast<int32_t>(variance));
    FixedMultiplier output = fixedMultiplier(scale);
    output.exponent = std::min(output.exponent + 12, 31);  // with 31 everything except 0 saturates
    for (size_t i = 0; i < y.size(); ++i) {
        const int32_t normal =
                multiply(static_cast<int32_t>(int64_t{y[i]} * 1024 - mean), inverseDeviation);
        const auto weighted =
                static_cast<int32_t>(static_cast<uint32_t>(int64_t{normal} * weights[i]) +
                                     static_cast<uint32_t>(bias[i]));
        const int64_t rounded = (int64_t{weighted} + (weighted > 0 ? 512 : -512)) / 1024;
        y[i] = saturate16(multiply(static_cast<int32_t>(rounded), output));
    }
}

// The argument of a gate's function. It depends on the input, the previous output and the cell
// state.
class GateInput {
   public:
    // `peephole` is the input with the weights of the cell state; kInput if the gate has none.
    GateInput(const OpView& op, size_t gate, size_t peephole, int32_t cellExponent)
        : mInput(op, kInput, kInputWeights + gate, kGateScale + gate),
          mRecurrent(op, kOutputState, kRecurrentWeights + gate, kGateScale + gate) {
        if (peephole != kInput && op.has(peephole)) {
            const Value& weights = op.input(peephole);
            mPeephole = weights.as<int16_t>();
            mPeepholeMultiplier = fixedMultiplier(std::ldexp(1.0f, cellExponent) * weights.scale /
                                                  *op.real(kGateScale + gate));
        }
        if (op.has(kNormWeights + gate)) {
            mNormWeights = op.input(kNormWeights + gate).as<int16_t>();
            mNormScale = op.input(kNormWeights + gate).scale;
            mBias = op.input(kBias + gate).as<int32_t>();
        }
    }

    // y[u] = sum_i x[i] W[u, i] + sum_j h[j] R[u, j] + c[u] P[u], with each term rounded and
    // saturated to 16 bits; then normalized. Only normalization adds a bias.
    void evaluate(Interruption& interruption, size_t batch, std::span<const int16_t> cell,
                  std::span<int16_t> y) const {
        for (size_t unit = 0; unit < y.size(); ++unit) {
            interruption.spend(mInput.size + mRecurrent.size);
            int16_t sum = saturate16(mInput(batch, unit));
            sum = saturate16(int64_t{sum} + mRecurrent(batch, unit));
            if (!mPeephole.empty()) {
                sum = saturate16(int64_t{sum} + multiply(int32_t{mPeephole[unit]} * cell[unit],
                                                         mPeepholeMultiplier));
            }
            y[unit] = sum;
        }
        if (!mNormWeights.empty()) normalize(y, mNormWeights, mBias, mNormScale);
    }

   private:
    // A tensor of rows, and the weights that it is multiplied with.
    struct Product {
        std::span<const int8_t> values;
        std::span<const int8_t> weights;
        int32_t zeroPoint;
        size_t size;
        FixedMultiplier multiplier;

        Product(const OpView& op, size_t valuesInput, size_t weightsInput, size_t scaleInput)
            : values(op.input(valuesInput).as<int8_t>()),
              weights(op.input(weightsInput).as<int8_t>()),
              zeroPoint(op.input(valuesInput).zeroPoint),
              size(op.input(valuesInput)[1]),
              multiplier(fixedMultiplier(op.input(weightsInput).scale *
                                         op.input(valuesInput).scale / *op.real(scaleInput))) {}

        int32_t operator()(size_t batch, size_t unit) const {
            return multiply(
                    static_cast<int32_t>(dotModulo(values.subspan(batch * size, size), zeroPoint,
                                                   weights.subspan(unit * size, size), 0)),
                    multiplier);
        }
    };

    Product mInput;
    Product mRecurrent;
    std::span<const int16_t> mPeephole{};
    FixedMultiplier mPeepholeMultiplier{};
    std::span<const int16_t> mNormWeights{};
    std::span<const int32_t> mBias{};
    float mNormScale = 0;
};

// The range of stored values within a clip; all values if there is no clip, or it is less than one
// step.
template <class E>
StoredRange clipRange(std::optional<float> clip, float scale) {
    const StoredRange all{std::numeric_limits<E>::min(), std::numeric_limits<E>::max()};
    if (!clip || !(*clip > 0)) return all;
    const auto limit = static_cast<int32_t>(std::min(*clip / scale, static_cast<float>(all.most)));
    return limit > 0 ? StoredRange{-limit, limit} : all;
}

constexpr StoredRange kAllBytes{std::numeric_limits<int8_t>::min(),
                                std::numeric_limits<int8_t>::max()};

}  // namespace
}  // namespace quantized_lstm

// c = clip(sigmoid(forget gate) * previous c + sigmoid(input gate) * tanh(cell gate))
// m = sigmoid(output gate) * tanh c
// y = clip(projection weights * m + projection bias), or m without projection
// Without an input gate, 1 - sigmoid(forget gate) replaces it.
bool kernels::QUANTIZED_LSTM(KernelCall& op) {
    using namespace quantized_lstm;
    const Value& cellState = op.input(kCellState);
    const Value& outputState = op.input(kOutputState);
    const Value& projection = op.input(kProjectionWeights);
    const int32_t exponent = *powerOfTwo(cellState.scale);
    const size_t cells = cellState[1];
    const size_t outputSize = outputState[1];
    const bool hasProjection = op.has(kProjectionWeights);

    std::optional<GateInput> inputGate;
    if (op.has(kInputWeights + kInputGate)) {
        inputGate.emplace(op, kInputGate, kPeepholeToInput, exponent);
    }
    const GateInput forgetGate(op, kForgetGate, kPeepholeToForget, exponent);
    const GateInput cellGate(op, kCellGate, kInput, exponent);
    const GateInput outputGate(op, kOutputGate, kPeepholeToOutput, exponent);
    const StoredRange cellRange = clipRange<int16_t>(op.real(kCellClip), cellState.scale);
    const StoredRange outputRange = clipRange<int8_t>(
            hasProjection ? op.real(kProjectionClip) : std::nullopt, projection.scale);
    const float hiddenScale = *op.real(kHiddenScale);
    const auto hiddenZeroPoint = static_cast<int8_t>(*op.int32(kHiddenZeroPoint));
    const FixedMultiplier toHidden = fixedMultiplier(0x1p-15f / hiddenScale * 0x1p-15f);
    const FixedMultiplier toOutput =
            fixedMultiplier(projection.scale * hiddenScale / outputState.scale);

    const std::span<int16_t> i = op.scratch<int16_t>(cells);
    const std::span<int16_t> f = op.scratch<int16_t>(cells);
    const std::span<int16_t> g = op.scratch<int16_t>(cells);
    const std::span<int16_t> o = op.scratch<int16_t>(cells);
    const std::span<int8_t> hidden = op.scratch<int8_t>(cells);
    const auto projectionWeights = projection.as<int8_t>();
    const auto projectionBias = op.input(kProjectionBias).as<int32_t>();
    const auto output = op.output(kOutput).mutableAs<int8_t>();

    for (size_t batch = 0; batch < cellState[0]; ++batch) {
        const auto previous = cellState.as<int16_t>().subspan(batch * cells, cells);
        const auto c = op.output(kCellStateOut).mutableAs<int16_t>().subspan(batch * cells, cells);
        const auto y = output.subspan(batch * outputSize, outputSize);
        if (inputGate) inputGate->evaluate(op.interruption(), batch, previous, i);
        forgetGate.evaluate(op.interruption(), batch, previous, f);
        cellGate.evaluate(op.interruption(), batch, previous, g);
        for (size_t k = 0; k < cells; ++k) {
            const int16_t forget = sigmoid16(f[k], kGateBits);
            const auto input = static_cast<int16_t>(inputGate ? sigmoid16(i[k], kGateBits)
                                                              : INT16_MAX - forget);
            const int16_t sum = saturate16(
                    int64_t{roundingDivideByPowerOfTwo(int32_t{forget} * previous[k], 15)} +
                    roundingDivideByPowerOfTwo(int32_t{input} * tanh16(g[k], kGateBits),
                                               30 + exponent));
            c[k] = static_cast<int16_t>(cellRange.clamp(sum));
        }

        outputGate.evaluate(op.interruption(), batch, c, o);
        for (size_t k = 0; k < cells; ++k) {
            const int32_t m = int32_t{sigmoid16(o[k], kGateBits)} * tanh16(c[k], 15 + exponent);
            hidden[k] = static_cast<int8_t>(
                    kAllBytes.clamp(int64_t{multiply(m, toHidden)} - hiddenZeroPoint));
        }
        if (!hasProjection) {
            absl::c_copy(hidden, y.begin());
            continue;
        }
        for (size_t k = 0; k < outputSize; ++k) {
            op.interruption().spend(cells);
            const uint32_t bias =
                    projectionBias.empty() ? 0 : static_cast<uint32_t>(projectionBias[k]);
            const auto sum = static_cast<int32_t>(
                    bias + dotModulo(projectionWeights.subspan(k * cells, cells), 0,
                                     std::span<const int8_t>(hidden), -int32_t{hiddenZeroPoint}));
            const int32_t stored =
                    kAllBytes.clamp(int64_t{multiply(sum, toOutput)} + outputState.zeroPoint);
            y[k] = static_cast<int8_t>(outputRange.clamp(stored));
        }
    }
    absl::c_copy(output, op.output(kOutputStateOut).mutableAs<int8_t>().begin());
    return true;
}

}  // namespace nn::ops
