#include "nnapi/kernel/windows.h"

#include <algorithm>

#include "nnapi/checked_math.h"

namespace nn::kernel {
namespace {

constexpr int64_t ceilDivide(int64_t a, int64_t b) { return a / b + (a % b > 0 ? 1 : 0); }

// Half of the total before, and the rest behind.
std::optional<Padding> padded(int64_t total, int64_t head) {
    const auto before = checkedCast<int32_t>(head);
    const auto behind = checkedCast<int32_t>(total - head);
    if (!before || !behind) return std::nullopt;
    return Padding{.head = *before, .tail = *behind};
}

}  // namespace

std::optional<Padding> Window::implicitPadding(PaddingScheme scheme, uint32_t input) const {
    if (!isLegal()) return std::nullopt;
    if (scheme != PaddingScheme::SAME) return Padding();
    const int64_t output = ceilDivide(input, stride);
    const int64_t total = std::max<int64_t>(0, (output - 1) * stride + effectiveFilter() - input);
    return padded(total, total / 2);
}

int64_t Window::positions(uint32_t input, Padding padding) const {
    if (stride <= 0) return -1;
    const int64_t room = int64_t{input} + padding.head + padding.tail - effectiveFilter();
    return (room + stride) / stride;
}

std::optional<uint32_t> Window::outputSize(uint32_t input, Padding padding) const {
    const int64_t size = positions(input, padding);
    if (!isLegal() || size <= 0) return std::nullopt;
    return checkedCast<uint32_t>(size);
}

std::optional<Padding> Window::implicitTransposedPadding(PaddingScheme scheme,
                                                         uint32_t output) const {
    if (!isLegal() || dilation != 1 || output == 0) return std::nullopt;
    if (scheme != PaddingScheme::SAME) return Padding();
    const int64_t total = (ceilDivide(output, stride) - 1) * stride + filter - int64_t{output};
    return padded(total, std::max<int64_t>(total, 0) / 2);
}

int64_t Window::transposedExtent(uint32_t input, Padding padding) const {
    if (stride <= 0) return -1;
    return (int64_t{input} - 1) * stride + filter - padding.head - padding.tail;
}

std::optional<uint32_t> Window::transposedOutputSize(uint32_t input, Padding padding) const {
    const int64_t extent = transposedExtent(input, padding);
    if (!isLegal() || dilation != 1 || input == 0) return std::nullopt;
    if (padding.head < 0 || extent <= 0) return std::nullopt;
    return checkedCast<uint32_t>(extent);
}

std::optional<WindowAxis> WindowAxis::create(const Window& window, uint32_t input,
                                             Padding padding) {
    const auto output = window.outputSize(input, padding);
    if (!output) return std::nullopt;
    return WindowAxis{.input = input,
                      .filter = window.filter,
                      .stride = window.stride,
                      .dilation = window.dilation,
                      .head = padding.head,
                      .output = *output};
}

std::optional<WindowAxis> WindowAxis::createTransposed(const Window& window, uint32_t input,
                                                       Padding padding) {
    const auto output = window.transposedOutputSize(input, padding);
    if (!output) return std::nullopt;
    return WindowAxis{.input = *output,
                      .filter = window.filter,
                      .stride = window.stride,
                      .dilation = window.dilation,
                      .head = padding.head,
                      .output = input};
}

WindowAxis::Taps WindowAxis::tapsAt(int64_t position) const {
    const int64_t start = position * stride - head;
    Taps taps{.start = start, .first = 0, .last = filter};
    // Divisions are slow; most windows are entirely inside and need none.
    if (start < 0) taps.first = std::min(ceilDivide(-start, dilation), filter);
    if (start + (filter - 1) * dilation >= input) {
        taps.last = std::max(taps.first, start < input ? ceilDivide(input - start, dilation) : 0);
    }
    return taps;
}

}  // namespace nn::kernel
