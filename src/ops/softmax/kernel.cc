#include <algorithm>
#include <cmath>

#include "op_support/kernels/axis_slices.h"
#include "op_support/kernels/kernel_call.h"
#include "ops/softmax/signature.h"

namespace nn::ops {
namespace softmax {
namespace {

// y[i] = exp(beta * (x[i] - max x)) / sum_j exp(beta * (x[j] - max x))
void softmax(AxisSlice<const float> x, float beta, AxisSlice<float> y) {
    float most = x[0];
    for (size_t i = 1; i < x.size(); ++i) most = std::max(most, x[i]);
    double sum = 0;
    for (size_t i = 0; i < x.size(); ++i) sum += y[i] = std::exp((x[i] - most) * beta);
    for (size_t i = 0; i < x.size(); ++i) y[i] = static_cast<float>(y[i] / sum);
}

}  // namespace
}  // namespace softmax

bool kernels::SOFTMAX(KernelCall& op) {
    using namespace softmax;
    const float beta = *op.real(kBeta);
    const auto x = op.reals(kInput);
    const auto y = op.realOutput(0);
    for (const AxisSlices slices(op.input(kInput), *op.int32Or(kAxis, -1));
         const size_t start : slices) {
        softmax::softmax(slices.of(x, start), beta, slices.of(y, start));
    }
    op.store(0, y);
    return true;
}

}  // namespace nn::ops
