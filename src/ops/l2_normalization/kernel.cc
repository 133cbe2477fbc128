#include <algorithm>
#include <cmath>

#include "op_support/kernels/axis_slices.h"
#include "op_support/kernels/kernel_call.h"
#include "ops/l2_normalization/signature.h"

namespace nn::ops {
namespace l2_normalization {
namespace {

// y[i] = x[i] / max(sqrt(sum_j x[j]^2), epsilon)
void normalize(AxisSlice<const float> x, double epsilon, AxisSlice<float> y) {
    double sum = 0;
    for (size_t i = 0; i < x.size(); ++i) sum += double{x[i]} * x[i];
    const double norm = std::max(std::sqrt(sum), epsilon);
    for (size_t i = 0; i < x.size(); ++i) y[i] = static_cast<float>(x[i] / norm);
}

}  // namespace
}  // namespace l2_normalization

bool kernels::L2_NORMALIZATION(KernelCall& op) {
    using namespace l2_normalization;
    // For quantized tensors epsilon is in stored values, regardless of their scale.
    const Value& input = op.input(kInput);
    const double epsilon = 1e-6 * (isQuant8Asymm(input.type) ? input.scale : 1.0f);
    const auto x = op.reals(kInput);
    const auto y = op.realOutput(0);
    for (const AxisSlices slices(input, *op.int32Or(kAxis, -1)); const size_t start : slices) {
        normalize(slices.of(x, start), epsilon, slices.of(y, start));
    }
    op.store(0, y);
    return true;
}

}  // namespace nn::ops
