
#include <absl/algorithm/container.h>

#include "op_support/kernels/kernel_call.h"
#include "op_support/kernels/recurrent.h"
#include "ops/svdf/signature.h"

namespace nn::ops {

// For each batch, with the memory of a filter f from the oldest of M values to the newest:
//   memory[f] = (state[f, 0], ..., state[f, M - 2], sum_i x[i] features[f, i])
//   y[u]      = act(bias[u] + sum over the filters f of unit u, sum_m memory[f, m] times[f, m])
//   state[f]  = (memory[f, 1], ..., memory[f, M - 1], 0)
bool kernels::SVDF(KernelCall& op) {
    using namespace svdf;
    const std::span<const float> input = op.reals(kInput);
    const std::span<const float> features = op.reals(kFeatureWeights);
    const std::span<const float> times = op.reals(kTimeWeights);
    const std::span<const float> bias = op.has(kBias) ? op.reals(kBias) : std::span<const float>();
    const std::span<const float> state = op.reals(kState);
    const std::span<float> stateOut = op.realOutput(kStateOut);
    const std::span<float> output = op.realOutput(kOutput);
    const auto rank = static_cast<size_t>(*op.int32(kRank));
    const auto activation = static_cast<RecurrentActivation>(*op.int32(kActivation));
    const size_t batches = op.input(kInput)[0];
    const size_t inputSize = op.input(kInput)[1];
    const size_t filters = op.input(kFeatureWeights)[0];
    const size_t memory = op.input(kTimeWeights)[1];
    const size_t units = filters / rank;

    for (size_t batch = 0; batch < batches; ++batch) {
        const auto x = input.subspan(batch * inputSize, inputSize);
        for (size_t unit = 0; unit < units; ++unit) {
            double sum = bias.empty() ? 0.0 : bias[unit];
            for (size_t filter = unit * rank; filter < (unit + 1) * rank; ++filter) {
                op.interruption().spend(inputSize + memory);
                const size_t row = (batch * filters + filter) * memory;
                const std::span<const float> old = state.subspan(row, memory - 1);
                const auto out = stateOut.subspan(row, memory);
                const auto weights = times.subspan(filter * memory, memory);
                const double newest = dot(x, features.subspan(filter * inputSize, inputSize));
                sum += dot(old, weights.first(memory - 1)) + newest * double{weights.back()};
                if (memory > 1) {
                    absl::c_copy(old.subspan(1), out.begin());
                    out[memory - 2] = static_cast<float>(newest);
                }
                out.back() = 0;
            }
            output[batch * units + unit] = static_cast<float>(activate(activation, sum));
        }
    }
    op.store(kStateOut, stateOut);
    op.store(kOutput, output);
    return true;
}

}  // namespace nn::ops
