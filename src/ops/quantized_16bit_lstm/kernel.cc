#include <absl/algorithm/container.h>

#include <algorithm>

#include "op_support/kernels/fixed_point.h"
#include "op_support/kernels/kernel_call.h"
#include "op_support/rules/quantization.h"
#include "ops/quantized_16bit_lstm/signature.h"

namespace nn::ops {
namespace quantized_16bit_lstm {
namespace {

constexpr int32_t kZeroPoint = 128;  // of input and output
constexpr int kGateBits = 3;         // integer bits of the arguments of the gates' functions

// One gate. Its value depends on the input and the previous output.
struct Gate {
    std::span<const uint8_t> inputWeights;
    std::span<const uint8_t> recurrentWeights;
    std::span<const int32_t> bias;
    int32_t zeroPoint;
    FixedMultiplier multiplier;  // from products to Q(3)

    static Gate of(const OpView& op, size_t gate) {
        const Value& bias = op.input(kBias + gate);
        return {op.input(kInputWeights + gate).as<uint8_t>(),
                op.input(kRecurrentWeights + gate).as<uint8_t>(), bias.as<int32_t>(),
                op.input(kInputWeights + gate).zeroPoint, fixedMultiplier(0x1p12 * bias.scale)};
    }

    // bias[u] + sum_d v[d] w[u, d] with v = (input, previous output) and w = (recurrent weights,
    // input weights): as in Android, each is multiplied with the weights of the other. `v` is a
    // whole row.
    int16_t operator()(std::span<const uint8_t> v, size_t unit) const {
        const size_t recurrent = bias.size();
        const size_t input = v.size() - recurrent;
        uint32_t sum = static_cast<uint32_t>(bias[unit]);
        sum += dotModulo(v.first(recurrent), kZeroPoint,
                         recurrentWeights.subspan(unit * recurrent, recurrent), zeroPoint);
        sum += dotModulo(v.last(input), kZeroPoint, inputWeights.subspan(unit * input, input),
                         zeroPoint);
        return saturate16(multiply(static_cast<int32_t>(sum), multiplier));
    }
};

}  // namespace
}  // namespace quantized_16bit_lstm

// c = sigmoid(input gate) * tanh(cell gate) + sigmoid(forget gate) * previous c, in Q(4)
// y = sigmoid(output gate) * tanh c
bool kernels::QUANTIZED_16BIT_LSTM(KernelCall& op) {
    using namespace quantized_16bit_lstm;
    const auto input = op.input(kInput).as<uint8_t>();
    const auto previousOutput = op.input(kPreviousOutput).as<uint8_t>();
    const auto previousCell = op.input(kCellState).as<int16_t>();
    const auto cell = op.output(kCellStateOut).mutableAs<int16_t>();
    const auto output = op.output(kOutput).mutableAs<uint8_t>();
    const size_t inputSize = op.input(kInput)[1];
    const size_t units = op.input(kPreviousOutput)[1];
    const Gate inputGate = Gate::of(op, 0);
    const Gate forgetGate = Gate::of(op, 1);
    const Gate cellGate = Gate::of(op, 2);
    const Gate outputGate = Gate::of(op, 3);
    const std::span<uint8_t> row = op.scratch<uint8_t>(inputSize + units);

    for (size_t batch = 0; batch < op.input(kInput)[0]; ++batch) {
        const auto rest = absl::c_copy(input.subspan(batch * inputSize, inputSize), row.begin());
        absl::c_copy(previousOutput.subspan(batch * units, units), rest);
        for (size_t unit = 0; unit < units; ++unit) {
            op.interruption().spend(4 * row.size());
            const size_t at = batch * units + unit;
            const int16_t i = sigmoid16(inputGate(row, unit), kGateBits);
            const int16_t f = sigmoid16(forgetGate(row, unit), kGateBits);
            const int16_t g = tanh16(cellGate(row, unit), kGateBits);
            const int16_t o = sigmoid16(outputGate(row, unit), kGateBits);
            const int16_t c = saturate16(roundingDivideByPowerOfTwo(multiply16(i, g), 4) +
                                         int32_t{multiply16(f, previousCell[at])});
            cell[at] = c;
            const int16_t y = multiply16(o, tanh16(saturate16(int64_t{c} * 2), kGateBits));
            output[at] = static_cast<uint8_t>(
                    kZeroPoint + std::clamp(roundingDivideByPowerOfTwo(y, 8), -128, 127));
        }
    }
    return true;
}

}  // namespace nn::ops
