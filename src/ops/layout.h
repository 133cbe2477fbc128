// Where a tensor of images keeps what: [batch, height, width, channels], or [batch, channels,
// height, width] where the layout flag of the operation is true (NCHW).
#pragma once

#include <cstddef>

#include "ops/operation.h"

namespace nn::ops {

struct ImageAxes {
    size_t batch;
    size_t height;
    size_t width;
    size_t channels;
};

constexpr ImageAxes imageAxes(bool isNchw) {
    return isNchw ? ImageAxes{0, 2, 3, 1} : ImageAxes{0, 1, 2, 3};
}

// One axis of a tensor whose dimensions are known.
struct Extent {
    size_t size;
    size_t stride;  // in elements
};

// The axes of a tensor of images whose dimensions are known.
struct ImageExtents {
    Extent batch;
    Extent height;
    Extent width;
    Extent channels;

    ImageExtents(const Value& images, bool isNchw) {
        const auto extent = [&](size_t axis) {
            size_t stride = 1;
            for (size_t i = axis + 1; i < 4; ++i) stride *= images[i];
            return Extent{images[axis], stride};
        };
        const ImageAxes axes = imageAxes(isNchw);
        batch = extent(axes.batch);
        height = extent(axes.height);
        width = extent(axes.width);
        channels = extent(axes.channels);
    }
};

}  // namespace nn::ops
