// What the kernels of recurrent layers of real numbers share.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

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

// sum_i a[i] * b[i] for spans of one size. Products of floats are exact in double; several sums
// side by side let the compiler use vector instructions without reordering any of them.
template <class A, class B>
double dot(std::span<const A> a, std::span<const B> b) {
    constexpr size_t kLanes = 8;
    double lanes[kLanes] = {};
    double sum = 0;
    size_t i = 0;
    for (; i + kLanes <= a.size(); i += kLanes) {
        for (size_t lane = 0; lane < kLanes; ++lane) {
            lanes[lane] += double{a[i + lane]} * double{b[i + lane]};
        }
    }
    for (; i < a.size(); ++i) sum += double{a[i]} * double{b[i]};
    for (const double lane : lanes) sum += lane;
    return sum;
}

}  // namespace nn::ops
