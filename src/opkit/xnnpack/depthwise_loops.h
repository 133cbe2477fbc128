// What depthwise.h declares, for the vectors of the including file:
//
//   #define NNAPI_INSTRUCTION_SET avx2  // a namespace of its own, with the vectors
//   #include "opkit/xnnpack/depthwise_loops.h"
//
// These loops call nothing that files of other instruction sets have too.
#include "opkit/xnnpack/depthwise.h"

namespace nn::xnnpack::NNAPI_INSTRUCTION_SET {

// The columns of the image under the filter at a pixel of the output are those from `start` on.
template <size_t kRows>
void computeDepthwise(const DepthwiseRow& row) {
    static_assert(kDepthwiseLanes % kLanes == 0);
    constexpr size_t kColumns = 3;
    const size_t channels = row.channels;
    const Vector least = broadcast(row.least), most = broadcast(row.most);
    for (size_t channel = 0; channel < channels; channel += kLanes) {
        Vector weights[kRows][kColumns];
        for (size_t y = 0; y < kRows; ++y) {
            for (size_t x = 0; x < kColumns; ++x) {
                weights[y][x] = load(row.weights + (y * kColumns + x) * channels + channel);
            }
        }
        const Vector bias = load(row.bias + channel);
        float* output = row.output + channel;
        int64_t start = -row.head;
        for (int64_t i = 0; i < row.outputWidth; ++i, start += row.stride, output += channels) {
            // A sum for each row, so that one need not wait for the other.
            Vector sums[kRows];
            sums[0] = bias;
            for (size_t y = 1; y < kRows; ++y) sums[y] = broadcast(0.0f);
            const auto add = [&](size_t x) __attribute__((always_inline)) {
                const size_t at = static_cast<size_t>(start + static_cast<int64_t>(x)) * channels;
                for (size_t y = 0; y < kRows; ++y) {
                    sums[y] =
                            multiplyAdd(weights[y][x], load(row.inputs[y] + at + channel), sums[y]);
                }
            };
            if (start >= 0 && start + static_cast<int64_t>(kColumns) <= row.inputWidth) {
                for (size_t x = 0; x < kColumns; ++x) add(x);
            } else {
                for (size_t x = 0; x < kColumns; ++x) {
                    const int64_t column = start + static_cast<int64_t>(x);
                    if (column >= 0 && column < row.inputWidth) add(x);
                }
            }
            Vector sum = sums[0];
            for (size_t y = 1; y < kRows; ++y) sum = sum + sums[y];
            sum = sum < least ? least : sum;  // NaN stays, as by XNNPACK
            store(sum > most ? most : sum, output);
        }
    }
}

inline void depthwise(const DepthwiseRow& row) {
    switch (row.inputCount) {
        case 1:
            return computeDepthwise<1>(row);
        case 2:
            return computeDepthwise<2>(row);
        default:
            return computeDepthwise<3>(row);
    }
}

}  // namespace nn::xnnpack::NNAPI_INSTRUCTION_SET
