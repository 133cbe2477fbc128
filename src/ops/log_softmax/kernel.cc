#include <algorithm>
#include <cmath>

#include "op_support/kernels/axis_slices.h"
#include "op_support/kernels/kernel_call.h"
#include "ops/log_softmax/signature.h"

namespace nn::ops {
namespace log_softmax {
namespace {

// y[i] = beta * (x[i] - max x) - ln(sum_j exp(beta * (x[j] - max x)))
void logSoftmax(AxisSlice<const float> x, float beta, AxisSlice<float> y) {
    float most = x[0];
    for (size_t i = 1; i < x.size(); ++i) most = std::max(most, x[i]);
    double sum = 0;
    for (size_t i = 0; i < x.size(); ++i) sum += std::exp((x[i] - most) * beta);
    const double logSum = std::log(sum);
    for (size_t i = 0; i < x.size(); ++i) y[i] = static_cast<float>((x[i] - most) * beta - logSum);
}

}  // namespace
}  // namespace log_softmax

bool kernels::LOG_SOFTMAX(KernelCall& op) {
    using namespace log_softmax;
    const float beta = *op.real(kBeta);
    const auto x = op.reals(kInput);
    const auto y = op.realOutput(0);
    for (const AxisSlices slices(op.input(kInput), *op.int32(kAxis)); const size_t start : slices) {
        logSoftmax(slices.of(x, start), beta, slices.of(y, start));
    }
    op.store(0, y);
    return true;
}

}  // namespace nn::ops
