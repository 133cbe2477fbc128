// The two layouts of 4-D image tensors: NHWC is [batch, height, width, depth], NCHW is
// [batch, depth, height, width].
#pragma once

#include <cstddef>

#include "op_support/rules/op_view.h"

namespace nn::ops {

// The index of each dimension.
struct ImageAxes {
    size_t height;
    size_t width;
    size_t depth;
};
constexpr ImageAxes imageAxes(bool nchw) { return nchw ? ImageAxes{2, 3, 1} : ImageAxes{1, 2, 3}; }

// An image as kernels traverse it, in either layout: planes of pixels, and pixels of contiguous
// elements. NHWC has one plane per image, with all channels in a pixel; NCHW has one per channel,
// with one element per pixel.
struct Planes {
    size_t images;
    size_t perImage;
    size_t height;
    size_t width;
    size_t depth;  // elements of a pixel

    Planes(const Value& image, bool nchw)
        : images(image[0]),
          perImage(nchw ? image[1] : 1),
          height(image[imageAxes(nchw).height]),
          width(image[imageAxes(nchw).width]),
          depth(nchw ? 1 : image[3]) {}

    size_t count() const { return images * perImage; }
    size_t size() const { return height * width * depth; }  // elements of a plane
};

// One axis of a tensor.
struct ImageExtent {
    size_t size;
    size_t stride;  // in elements
};

// The axes of an image in either layout, for copies between images.
struct ImageExtents {
    ImageExtent batch;
    ImageExtent height;
    ImageExtent width;
    ImageExtent depth;

    ImageExtents(const Value& image, bool nchw) {
        const auto extent = [&](size_t axis) {
            size_t stride = 1;
            for (size_t i = axis + 1; i < 4; ++i) stride *= image[i];
            return ImageExtent{image[axis], stride};
        };
        const ImageAxes axes = imageAxes(nchw);
        batch = extent(0);
        height = extent(axes.height);
        width = extent(axes.width);
        depth = extent(axes.depth);
    }
};

}  // namespace nn::ops
