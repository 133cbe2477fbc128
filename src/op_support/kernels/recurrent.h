// Common parts of the kernels of floating point recurrent layers.
#pragma once

#include <absl/algorithm/container.h>
#include <absl/container/inlined_vector.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

#include "op_support/kernels/kernel_call.h"
#include "op_support/kernels/vector_kernels.h"
#include "op_support/rules/recurrent_rules.h"

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

// The same for each of the values, in place.
inline void activate(RecurrentActivation activation, std::span<double> values) {
    switch (activation) {
        case RecurrentActivation::TANH:
            return vectorKernels().tanhDoubles(values);
        case RecurrentActivation::SIGMOID:
            return vectorKernels().logisticDoubles(values);
        default:
            for (double& x : values) x = activate(activation, x);
    }
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

// The weights W that rows of values are multiplied by, composed of several matrices:
//
//   Weights weights(op, rows, 1 + inputs, units);   // initially 0
//   weights.put(0, 0, {bias.data(), units, 1, 1});  // the first value of a row is 1
//   weights.put(0, 1, inputWeights);
//   weights.addUp(op.interruption(), x, sums);              // sums[u] = sum_i W[u][i] * x[i]
class Weights {
   public:
    // `rows`: the number of rows that will be multiplied with the weights.
    Weights(KernelCall& op, size_t rows, size_t size, size_t units)
        : mSize(size), mUnits(units), mPanels((units + kPanelUnits - 1) / kPanelUnits) {
        if (rows < kMany) return;
        mArranged = op.scratch<float>(size * room());
        absl::c_fill(mArranged, 0.0f);
    }

    // W[unit + u][column + i] = matrix[u][i]
    void put(size_t unit, size_t column, Matrix<const float> matrix) {
        if (mArranged.empty()) {
            mParts.push_back({unit, column, matrix});
            return;
        }
        if (matrix.columns == 0) return;
        for (size_t u = 0; u < matrix.rows; ++u) {
            const size_t panel = (unit + u) / kPanelUnits, place = (unit + u) % kPanelUnits;
            float* const first = &mArranged[(panel * mSize + column) * kPanelUnits + place];
            const float* row = matrix.data + u * matrix.stride;
            for (size_t i = 0; i < matrix.columns; ++i) first[i * kPanelUnits] = row[i];
        }
    }

    // The number of sums addUp() writes: one per unit, and padding.
    size_t room() const { return mPanels * kPanelUnits; }

    void addUp(Interruption& interruption, std::span<const double> x,
               std::span<double> sums) const {
        interruption.spend(mSize * mUnits);
        if (!mArranged.empty()) {
            return vectorKernels().sumPanels(x.first(mSize), mArranged.data(), mPanels,
                                             sums.data());
        }
        absl::c_fill(sums, 0.0);
        for (const Part& part : mParts) addUp(part, x.data() + part.column, &sums[part.unit]);
    }

   private:
    static constexpr size_t kMany = 4;  // rows, for which arranging the weights saves time

    struct Part {
        size_t unit, column;
        Matrix<const float> weights;
    };

    static void addUp(const Part& part, const double* x, double* sums) {
        constexpr size_t kUnits = 32;  // at once
        double products[kUnits];
        for (size_t first = 0; first < part.weights.rows; first += kUnits) {
            const size_t units = std::min(kUnits, part.weights.rows - first);
            dotRows(x,
                    {part.weights.data + first * part.weights.stride, units, part.weights.columns,
                     part.weights.stride},
                    products);
            for (size_t u = 0; u < units; ++u) sums[first + u] += products[u];
        }
    }

    size_t mSize, mUnits;
    size_t mPanels;                          // of kPanelUnits units each
    std::span<float> mArranged{};            // panel by panel: those of its units for each value
    absl::InlinedVector<Part, 16> mParts{};  // else
};

}  // namespace nn::ops
