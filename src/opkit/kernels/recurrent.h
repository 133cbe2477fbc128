// What the kernels of recurrent layers of real numbers share.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

#include "opkit/kernels/vector_kernels.h"
#include "opkit/rules/recurrent_rules.h"

namespace nn::ops {

inline double activate(RecurrentActivation activation, double x) {
    switch (activation) {
        case RecurrentActivation::NONE:
            return x;
        case RecurrentActivation::RELU:
            return std::max(x, 0.0);
        case RecurrentActivation::RELU1:
            return std::clamp(x, -1.0, 1.0);
        case RecurrentActivation::RELU6:
            return std::clamp(x, 0.0, 6.0);
        case RecurrentActivation::TANH:
            return std::tanh(x);
        case RecurrentActivation::SIGMOID:
            return 1 / (1 + std::exp(-x));
    }
    return x;
}

// sums[r] = sum_i x[i] * weights[r][i]
inline void dotRows(const float* x, Matrix<const float> weights, double* sums) {
    vectorKernels().dotFloats(x, weights, sums);
}
inline void dotRows(const double* x, Matrix<const float> weights, double* sums) {
    vectorKernels().dotDoubles(x, weights, sums);
}

// sum_i x[i] * weights[i] for spans of one size.
template <class X>
double dot(std::span<const X> x, std::span<const float> weights) {
    double sum = 0;
    dotRows(x.data(), {weights.data(), 1, weights.size(), weights.size()}, &sum);
    return sum;
}

}  // namespace nn::ops
