#include "op_support/kernels/axis_slices.h"
#include "op_support/kernels/kernel_call.h"
#include "ops/dequantize/signature.h"

namespace nn::ops {
namespace dequantize {
namespace {

// y = x * scales[c], with c the index of the element along the dimension of the channels
void dequantizePerChannel(const Value& input, std::span<float> y) {
    const auto& [scales, channelDim] = *input.channelQuant();
    const auto x = input.as<int8_t>();
    const AxisSlices slices(input, static_cast<int32_t>(channelDim));
    size_t i = 0;
    while (i < y.size()) {
        for (size_t c = 0; c < slices.size(); ++c) {
            for (const size_t end = i + slices.stride(); i < end; ++i) {
                y[i] = static_cast<float>(x[i]) * scales[c];
            }
        }
    }
}

}  // namespace
}  // namespace dequantize

// y = (x - zeroPoint) * scale
bool kernels::DEQUANTIZE(KernelCall& op) {
    const Value& input = op.input(dequantize::kInput);
    if (input.channelQuant() == nullptr) {
        op.store(0, op.reals(dequantize::kInput));
        return true;
    }
    const auto y = op.realOutput(0);
    dequantize::dequantizePerChannel(input, y);
    op.store(0, y);
    return true;
}

}  // namespace nn::ops
