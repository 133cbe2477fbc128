#include <absl/algorithm/container.h>

#include <cmath>

#include "op_support/kernels/kernel_call.h"
#include "op_support/rules/image.h"
#include "ops/instance_normalization/signature.h"

namespace nn::ops {
namespace instance_normalization {
namespace {

struct Parameters {
    float gamma, beta, epsilon;
};

// For each channel of a plane, with mean and (population) variance over its pixels:
//   y = (x - mean) * gamma / sqrt(variance + epsilon) + beta
// The variance is computed in a separate pass, since a large mean would cancel it out.
void normalize(std::span<const float> x, const Parameters& p, std::span<double> mean,
               std::span<double> variance, std::span<float> y) {
    const size_t depth = mean.size();
    const size_t count = x.size() / depth;
    const auto pixels = static_cast<double>(count);
    absl::c_fill(mean, 0.0);
    absl::c_fill(variance, 0.0);
    for (size_t i = 0; i < x.size(); i += depth) {
        for (size_t c = 0; c < depth; ++c) mean[c] += x[i + c];
    }
    for (double& m : mean) m /= pixels;
    for (size_t i = 0; i < x.size(); i += depth) {
        for (size_t c = 0; c < depth; ++c) {
            variance[c] += (x[i + c] - mean[c]) * (x[i + c] - mean[c]);
        }
    }
    const auto factor = variance;  // in the same memory
    for (double& v : factor) v = p.gamma / std::sqrt(v / pixels + p.epsilon);
    for (size_t i = 0; i < x.size(); i += depth) {
        for (size_t c = 0; c < depth; ++c) {
            y[i + c] = static_cast<float>((x[i + c] - mean[c]) * factor[c] + p.beta);
        }
    }
}

}  // namespace
}  // namespace instance_normalization

bool kernels::INSTANCE_NORMALIZATION(KernelCall& op) {
    using namespace instance_normalization;
    const Parameters parameters{*op.real(kGamma), *op.real(kBeta), *op.real(kEpsilon)};
    const Planes planes(op.input(kInput), *op.boolean(kNchw));
    const auto x = op.reals(kInput);
    const auto y = op.realOutput(0);
    const auto mean = op.scratch<double>(planes.depth);
    const auto variance = op.scratch<double>(planes.depth);
    for (size_t i = 0; i < x.size(); i += planes.size()) {
        normalize(x.subspan(i, planes.size()), parameters, mean, variance,
                  y.subspan(i, planes.size()));
    }
    op.store(0, y);
    return true;
}

}  // namespace nn::ops
