// nnapi/kernel/windows.h -- Windows that slide over one axis of an image: padding, output sizes and
// the elements under a window, for convolutions, pooling and transposed convolutions.
//
//   using namespace nn::kernel;
//   const Window window{.filter = 3, .stride = 2, .dilation = 2};
//   const auto padding = window.implicitPadding(PaddingScheme::SAME, height);
//   const auto axis = padding ? WindowAxis::create(window, height, *padding) : std::nullopt;
//   if (!axis) return error;
//   for (int64_t y = 0; y < axis->output; ++y) {
//       const WindowAxis::Taps taps = axis->tapsAt(y);  // those inside the image
//       for (int64_t t = taps.first; t < taps.last; ++t)
//           sum += x[taps.start + t * axis->dilation] * w[t];
//   }
//
// Sizes are in elements. Definitions: ANEURALNETWORKS_CONV_2D, ANEURALNETWORKS_TRANSPOSE_CONV_2D
// and PaddingCode in NeuralNetworks.h. Functions that return an optional return none for illegal
// arguments and for results that do not fit; no value overflows. Pure and thread-safe.
#pragma once

#include <cstdint>
#include <optional>

namespace nn::kernel {

// The implicit paddings, with the codes of PaddingCode in NeuralNetworks.h.
enum class PaddingScheme : int32_t { NONE = 0, SAME = 1, VALID = 2 };

// Elements added before and after an axis; the amounts to crop for a transposed convolution, where
// a negative tail extends the end.
struct Padding {
    int32_t head = 0;  // before the first element
    int32_t tail = 0;  // after the last one
    bool operator==(const Padding&) const = default;
};

// One axis of a sliding window.
struct Window {
    int32_t filter = 1;    // elements of the filter
    int32_t stride = 1;    // between positions, in input elements
    int32_t dilation = 1;  // between taps, in input elements; 1: dense

    // All parameters are above 0.
    bool isLegal() const { return filter > 0 && stride > 0 && dilation > 0; }

    // The extent of the filter with its gaps.
    int64_t effectiveFilter() const { return (int64_t{filter} - 1) * dilation + 1; }

    // SAME: the padding that gives the output ceil(input / stride) elements; half of it, rounded
    // down, is before the input. Any other scheme means no padding. None for an illegal window, and
    // for paddings beyond 2^31 - 1.
    std::optional<Padding> implicitPadding(PaddingScheme scheme, uint32_t input) const;

    // (padded input - effective filter + stride) / stride, truncated: the positions of the window
    // over a padded input. 0 or negative where the filter does not fit; -1 for illegal strides.
    int64_t positions(uint32_t input, Padding padding) const;

    // The same as a size. None for an illegal window, where the filter does not fit (an input of 0
    // elements included), and beyond 2^32 - 1.
    std::optional<uint32_t> outputSize(uint32_t input, Padding padding) const;

    // ---- transposed convolutions; windows with another dilation than 1 are illegal for them

    // SAME: the amounts to crop for an output of that size. Any other scheme crops nothing. None
    // for an illegal window, an output of 0, and amounts beyond 32 bits.
    std::optional<Padding> implicitTransposedPadding(PaddingScheme scheme, uint32_t output) const;

    // (input - 1) * stride + filter - padding: the extent of all windows together. May be 0 or
    // negative; -1 for illegal strides.
    int64_t transposedExtent(uint32_t input, Padding padding) const;

    // The same as a size. None for an illegal window, an input of 0, a negative head, and unless it
    // is 1 to 2^32 - 1.
    std::optional<uint32_t> transposedOutputSize(uint32_t input, Padding padding) const;
};

// One axis of a window over an image, with all its sizes. A transposed convolution is the same with
// input and output exchanged: each element of its input is a position, and its output lies under
// the window.
struct WindowAxis {
    int64_t input = 0;     // elements of the input, without padding
    int64_t filter = 1;    // as in Window
    int64_t stride = 1;    // as in Window
    int64_t dilation = 1;  // as in Window
    int64_t head = 0;      // padding before the first element
    int64_t output = 0;    // elements of the output

    // Of a window with outputSize(), and of one with transposedOutputSize(). None without a size.
    static std::optional<WindowAxis> create(const Window& window, uint32_t input, Padding padding);
    static std::optional<WindowAxis> createTransposed(const Window& window, uint32_t input,
                                                      Padding padding);

    // The taps of the filter that are inside the input at an output position: [first, last), which
    // may be empty. Tap 0 is at input position `start`, which may be outside.
    struct Taps {
        int64_t start;  // input position of tap 0
        int64_t first;  // tap inside
        int64_t last;   // tap after those inside

        // Number of taps that are inside.
        int64_t count() const { return last - first; }
    };
    // Positions from 0 to output - 1, of an axis made by one of the functions above.
    Taps tapsAt(int64_t position) const;
};

}  // namespace nn::kernel
