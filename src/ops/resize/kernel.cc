#include <algorithm>
#include <cmath>

#include "op_support/kernels/kernel_call.h"
#include "op_support/kernels/vector_kernels.h"
#include "op_support/rules/image.h"
#include "ops/resize/signature.h"

namespace nn::ops {
namespace resize {
namespace {

// Maps positions along one axis of the output to the input.
struct Axis {
    size_t in, out;
    bool alignCorners, halfPixelCenters;

    float scale() const {
        return alignCorners && out > 1 ? static_cast<float>(in - 1) / static_cast<float>(out - 1)
                                       : static_cast<float>(in) / static_cast<float>(out);
    }
};

// The two input positions around an output position, and the weight of the second.
struct Tap {
    size_t low, high;
    float share;
};

// v = o * scale, or (o + 0.5) * scale - 0.5 with half pixels; low and high are the positions around
// v. Beyond an edge both are the edge, and the weight has no effect.
std::span<Tap> bilinearTaps(KernelCall& op, const Axis& axis) {
    const auto taps = op.scratch<Tap>(axis.out);
    const float scale = axis.scale();
    for (size_t o = 0; o < taps.size(); ++o) {
        const auto position = static_cast<float>(o);
        const float v = axis.halfPixelCenters ? (position + 0.5f) * scale - 0.5f : position * scale;
        const auto at = [&](float x) {
            return std::min(static_cast<size_t>(std::max(x, 0.0f)), axis.in - 1);
        };
        const size_t low = at(std::floor(v));
        taps[o] = {low, at(std::ceil(v)), v - static_cast<float>(low)};
    }
    return taps;
}

// round(o * scale) with aligned corners, else floor(o * scale) or floor((o + 0.5) * scale).
std::span<size_t> nearestPositions(KernelCall& op, const Axis& axis) {
    const auto positions = op.scratch<size_t>(axis.out);
    const float scale = axis.scale();
    for (size_t o = 0; o < positions.size(); ++o) {
        const float v = (static_cast<float>(o) + (axis.halfPixelCenters ? 0.5f : 0.0f)) * scale;
        const float position = axis.alignCorners ? std::round(v) : std::floor(v);
        positions[o] = std::min(static_cast<size_t>(position), axis.in - 1);
    }
    return positions;
}

struct Resize {
    Planes in, out;
    Axis rows, columns;

    explicit Resize(const KernelCall& op)
        : in(op.input(kInput), *op.booleanOr(kNchw, false)),
          out(op.output(0), *op.booleanOr(kNchw, false)),
          rows{in.height, out.height, *op.booleanOr(kAlignCorners, false),
               *op.booleanOr(kHalfPixelCenters, false)},
          columns{in.width, out.width, rows.alignCorners, rows.halfPixelCenters} {}
};

// y[r, c] = the mean of the four pixels around (r, c) in x, weighted by proximity
void bilinear(const Planes& in, const float* x, std::span<const Tap> rows,
              std::span<const Tap> columns, float* y) {
    for (const Tap& row : rows) {
        const float* top = x + row.low * in.width * in.depth;
        const float* bottom = x + row.high * in.width * in.depth;
        for (const Tap& column : columns) {
            const size_t left = column.low * in.depth;
            const size_t right = column.high * in.depth;
            const float* const pixels[] = {top + left, top + right, bottom + left, bottom + right};
            const float shares[] = {(1 - row.share) * (1 - column.share),
                                    (1 - row.share) * column.share, row.share * (1 - column.share),
                                    row.share * column.share};
            vectorKernels().blend(pixels, shares, in.depth, y);
            y += in.depth;
        }
    }
}

// y[r, c] = the pixel of x that is mapped to (r, c)
template <class E>
void nearest(const Planes& in, const E* x, std::span<const size_t> rows,
             std::span<const size_t> columns, E* y) {
    for (const size_t row : rows) {
        const E* line = x + row * in.width * in.depth;
        for (const size_t column : columns) {
            y = std::copy_n(line + column * in.depth, in.depth, y);
        }
    }
}

template <class E>
void nearest(KernelCall& op) {
    const Resize resize(op);
    const auto rows = nearestPositions(op, resize.rows);
    const auto columns = nearestPositions(op, resize.columns);
    const E* x = op.input(kInput).as<E>().data();
    E* y = op.output(0).mutableAs<E>().data();
    for (size_t i = 0; i < resize.in.count(); ++i) {
        nearest(resize.in, x + i * resize.in.size(), rows, columns, y + i * resize.out.size());
    }
}

}  // namespace
}  // namespace resize

bool kernels::RESIZE_BILINEAR(KernelCall& op) {
    using namespace resize;
    const Resize resize(op);
    const auto rows = bilinearTaps(op, resize.rows);
    const auto columns = bilinearTaps(op, resize.columns);
    const auto x = op.reals(kInput);
    const auto y = op.realOutput(0);
    for (size_t i = 0; i < resize.in.count(); ++i) {
        bilinear(resize.in, x.data() + i * resize.in.size(), rows, columns,
                 y.data() + i * resize.out.size());
    }
    op.store(0, y);
    return true;
}

bool kernels::RESIZE_NEAREST_NEIGHBOR(KernelCall& op) {
    switch (elementSize(op.input(resize::kInput).type)) {
        case 1:
            resize::nearest<uint8_t>(op);
            return true;
        case 2:
            resize::nearest<uint16_t>(op);
            return true;
        default:
            resize::nearest<uint32_t>(op);
            return true;
    }
}

}  // namespace nn::ops
