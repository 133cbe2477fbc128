#include <algorithm>
#include <cmath>

#include "op_support/kernels/axis_slices.h"
#include "op_support/kernels/kernel_call.h"
#include "ops/local_response_normalization/signature.h"

namespace nn::ops {
namespace local_response_normalization {
namespace {

struct Parameters {
    size_t radius;
    float bias, alpha, beta;
};

// base ^ -beta, by roots if possible
double inversePower(double base, float beta) {
    if (beta == 1.0f) return 1 / base;
    if (beta == 0.5f && base > 0) return 1 / std::sqrt(base);
    if (beta == 0.75f && base > 0) return 1 / (std::sqrt(base) * std::sqrt(std::sqrt(base)));
    return std::pow(base, double{-beta});
}

// y[i] = x[i] * (bias + alpha * sum_{|j - i| <= radius} x[j]^2) ^ -beta, j within the slice
void normalize(Interruption& interruption, AxisSlice<const float> x, const Parameters& p,
               AxisSlice<float> y) {
    const size_t radius = std::min(p.radius, x.size());
    size_t begin = 0;
    size_t end = 0;
    double factor = 0;
    for (size_t i = 0; i < x.size(); ++i) {
        const size_t first = i - std::min(i, radius);
        const size_t last = std::min(i + radius + 1, x.size());
        interruption.spend(last - first);
        if (first != begin || last != end) {
            begin = first;
            end = last;
            double sum = 0;
            for (size_t j = begin; j < end; ++j) sum += double{x[j]} * x[j];
            factor = inversePower(p.bias + p.alpha * sum, p.beta);
        }
        y[i] = static_cast<float>(x[i] * factor);
    }
}

}  // namespace
}  // namespace local_response_normalization

bool kernels::LOCAL_RESPONSE_NORMALIZATION(KernelCall& op) {
    using namespace local_response_normalization;
    const Parameters parameters{static_cast<size_t>(*op.int32(kRadius)), *op.real(kBias),
                                *op.real(kAlpha), *op.real(kBeta)};
    const auto x = op.reals(kInput);
    const auto y = op.realOutput(0);
    for (const AxisSlices slices(op.input(kInput), *op.int32Or(kAxis, -1));
         const size_t start : slices) {
        normalize(op.interruption(), slices.of(x, start), parameters, slices.of(y, start));
    }
    op.store(0, y);
    return true;
}

}  // namespace nn::ops
