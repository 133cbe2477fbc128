// Defines the functions of depthwise.h for the vectors of the including file:
//
//   #define NNAPI_INSTRUCTION_SET avx2  // a namespace of its own, with the vectors
//   #include "op_support/xnnpack/depthwise_loops.h"
//
// These loops call no function that files of other instruction sets also define.
#include <utility>

#include "op_support/xnnpack/depthwise.h"

namespace nn::xnnpack::NNAPI_INSTRUCTION_SET {

// Stores the sums of pixels from `pixel` on.
template <size_t kPixels>
inline void storePixels(const DepthwiseRow& row, size_t channel, int64_t pixel,
                        const Vector (&sums)[kPixels]) {
    const Vector least = broadcast(row.least), most = broadcast(row.most);
    float* output = row.output + static_cast<size_t>(pixel) * row.channels + channel;
    for (size_t p = 0; p < kPixels; ++p, output += row.channels) {
        const Vector sum = sums[p] < least ? least : sums[p];  // NaN stays, as by XNNPACK
        store(sum > most ? most : sum, output);
    }
}

// One pixel, whose window may have columns outside of the image.
template <size_t kColumns>
inline void computePixel(const DepthwiseRow& row, size_t channel, int64_t pixel) {
    Vector sum[] = {load(row.bias + channel)};
    const float* weights = row.weights + channel;
    for (size_t y = 0; y < row.inputCount; ++y) {
        for (size_t x = 0; x < kColumns; ++x, weights += row.channels) {
            const int64_t column = pixel * row.stride - row.head + static_cast<int64_t>(x);
            if (column < 0 || column >= row.inputWidth) continue;
            const size_t at = static_cast<size_t>(column) * row.channels + channel;
            sum[0] = multiplyAdd(load(weights), load(row.inputs[y] + at), sum[0]);
        }
    }
    storePixels(row, channel, pixel, sum);
}

// Adds the products of an input element to the sums of all pixels whose windows contain it. The
// compiler's front end unrolls these loops: the sums must stay in registers.
template <size_t kColumns, size_t kStride, size_t kX, size_t kPixels>
inline void addElement(const Vector (&weights)[kColumns], Vector element, Vector (&sums)[kPixels]) {
    const auto add = [&]<size_t kPixel>() __attribute__((always_inline)) {
        constexpr size_t kFirst = kPixel * kStride;
        if constexpr (kX >= kFirst && kX < kFirst + kColumns) {
            sums[kPixel] = multiplyAdd(weights[kX - kFirst], element, sums[kPixel]);
        }
    };
    [&]<size_t... kPixel>(std::index_sequence<kPixel...>) __attribute__((always_inline)) {
        (add.template operator()<kPixel>(), ...);
    }
    (std::make_index_sequence<kPixels>());
}
template <size_t kColumns, size_t kStride, size_t kPixels, size_t... kX>
inline void addElements(const Vector (&weights)[kColumns], const float* input, size_t step,
                        Vector (&sums)[kPixels], std::index_sequence<kX...>) {
    const auto next = [&]() __attribute__((always_inline)) {
        const Vector element = load(input);
        input += step;
        return element;
    };
    (addElement<kColumns, kStride, kX>(weights, next(), sums), ...);
}

// Pixels from `pixel` to `end` whose windows are inside of the image, kPixels at a time: they share
// the weights and, where windows overlap, the inputs.
template <size_t kColumns, size_t kStride, size_t kPixels>
inline void computePixels(const DepthwiseRow& row, size_t channel, int64_t pixel, int64_t end) {
    constexpr size_t kWidth = (kPixels - 1) * kStride + kColumns;  // of all windows together
    for (; end - pixel >= static_cast<int64_t>(kPixels); pixel += kPixels) {
        const auto start = static_cast<size_t>(pixel * static_cast<int64_t>(kStride) - row.head);
        const Vector bias = load(row.bias + channel);
        Vector sums[kPixels];
        for (size_t p = 0; p < kPixels; ++p) sums[p] = bias;
        const float* from = row.weights + channel;
        for (size_t y = 0; y < row.inputCount; ++y) {
            Vector weights[kColumns];
            for (size_t x = 0; x < kColumns; ++x, from += row.channels) weights[x] = load(from);
            const float* input = row.inputs[y] + start * row.channels + channel;
            addElements<kColumns, kStride>(weights, input, row.channels, sums,
                                           std::make_index_sequence<kWidth>());
        }
        storePixels(row, channel, pixel, sums);
    }
    if constexpr (kPixels > 1) {
        if (pixel < end) computePixels<kColumns, kStride, kPixels / 2>(row, channel, pixel, end);
    }
}

template <size_t kColumns>
inline void computeChannels(const DepthwiseRow& row, size_t channel) {
    constexpr size_t kPixels = 8;
    int64_t pixel = 0;
    for (; pixel < row.firstWhole; ++pixel) computePixel<kColumns>(row, channel, pixel);
    switch (row.stride) {
        case 1:
            computePixels<kColumns, 1, kPixels>(row, channel, pixel, row.endWhole);
            pixel = row.endWhole;
            break;
        case 2:
            computePixels<kColumns, 2, kPixels>(row, channel, pixel, row.endWhole);
            pixel = row.endWhole;
            break;
    }
    for (; pixel < row.outputWidth; ++pixel) computePixel<kColumns>(row, channel, pixel);
}

template <size_t kColumns>
inline void computeRow(const DepthwiseRow& row) {
    size_t channel = 0;
    for (; row.channels - channel >= kLanes; channel += kLanes) {
        computeChannels<kColumns>(row, channel);
    }
    // Of the last vector, some are computed again.
    if (channel < row.channels) computeChannels<kColumns>(row, row.channels - kLanes);
}

inline void depthwise(const DepthwiseRow& row) {
    if (row.filterWidth == 3) {
        computeRow<3>(row);
    } else {
        computeRow<5>(row);
    }
}

}  // namespace nn::xnnpack::NNAPI_INSTRUCTION_SET
