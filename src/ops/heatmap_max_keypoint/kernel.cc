#include <algorithm>
#include <cmath>

#include "op_support/kernels/boxes.h"
#include "op_support/kernels/kernel_call.h"
#include "op_support/rules/image.h"
#include "ops/heatmap_max_keypoint/signature.h"

namespace nn::ops {
namespace heatmap_max_keypoint {
namespace {

// A square heatmap of one keypoint.
struct Heatmap {
    const float* first;
    size_t size;
    size_t stride;  // between pixels

    float operator()(size_t row, size_t column) const {
        return first[(row * size + column) * stride];
    }
};

// A position between pixels, and the value at it.
struct Peak {
    float row, column, score;
};

// Fits a quadratic surface to the pixels around the highest one and returns its peak:
//   f(dx, dy) = g11 - b.(dx, dy) + (dx, dy) A (dx, dy) / 2, at A (dx, dy) = b
// If A is nearly singular, the pixel itself is the peak. Steps are limited to 1.5.
Peak peakOf(const Heatmap& map, float tolerance) {
    constexpr float kMaxStep = 1.5f;

    size_t row = 0;
    size_t column = 0;
    for (size_t r = 0; r < map.size; ++r) {
        for (size_t c = 0; c < map.size; ++c) {
            if (map(r, c) > map(row, column)) {
                row = r;
                column = c;
            }
        }
    }

    // The map is mirrored at its outermost pixels.
    const auto mirrored = [&](size_t i, size_t offset) {  // offset 0, 1, 2 is -1, 0, 1
        if (i + offset == 0) return size_t{1};
        return i + offset - 1 == map.size ? map.size - 2 : i + offset - 1;
    };
    const auto g = [&](size_t r, size_t c) { return map(mirrored(row, r), mirrored(column, c)); };
    const float b0 = -(g(1, 2) - g(1, 0)) / 2;
    const float b1 = -(g(2, 1) - g(0, 1)) / 2;
    const float a00 = g(1, 0) - 2 * g(1, 1) + g(1, 2);
    const float a11 = g(0, 1) - 2 * g(1, 1) + g(2, 1);
    const float a01 = (g(2, 2) - g(2, 0) - g(0, 2) + g(0, 0)) / 4;
    const float determinant = a00 * a11 - a01 * a01;

    const auto x = static_cast<float>(column);
    const auto y = static_cast<float>(row);
    if (std::fabs(determinant) < tolerance + tolerance * (a00 * a11)) return {y, x, g(1, 1)};
    float dx = (a11 * b0 - a01 * b1) / determinant;
    float dy = (a00 * b1 - a01 * b0) / determinant;
    const float step = std::max(std::fabs(dx), std::fabs(dy));
    if (step > kMaxStep) {
        dx *= kMaxStep / step;
        dy *= kMaxStep / step;
    }
    const float score = g(1, 1) - b0 * dx - b1 * dy +
                        ((a00 * dx + a01 * dy) * dx + (a01 * dx + a11 * dy) * dy) / 2;
    return {y + dy, x + dx, score};
}

}  // namespace
}  // namespace heatmap_max_keypoint

bool kernels::HEATMAP_MAX_KEYPOINT(KernelCall& op) {
    using namespace heatmap_max_keypoint;
    const Planes planes(op.input(kHeatmap), *op.boolean(kNchw));
    const float tolerance = op.input(kHeatmap).type == TENSOR_FLOAT16 ? 1e-3f : 1e-5f;
    const auto heatmap = op.reals(kHeatmap);
    const auto boxes = op.reals(kBoxes);
    const auto scores = op.realOutput(kScores);
    const auto keypoints = op.realOutput(kKeypoints);
    const size_t keypointsPerBox = planes.perImage * planes.depth;
    const auto size = static_cast<float>(planes.height);

    for (size_t i = 0; i < planes.images; ++i) {
        const Box box = boxAt(boxes, i);
        if (!op.require(box.isWellFormed(), "heatmap_max_keypoint.box",
                        "{} has box {} from ({}, {}) to ({}, {}), allowed x1 <= x2 and y1 <= y2",
                        op.in(kBoxes), i, box.x1, box.y1, box.x2, box.y2)) {
            return false;
        }
        for (size_t k = 0; k < keypointsPerBox; ++k) {
            const size_t plane = i * planes.perImage + k / planes.depth;
            const float* first = heatmap.data() + plane * planes.size() + k % planes.depth;
            const Peak peak = peakOf({first, planes.height, planes.depth}, tolerance);
            const size_t at = i * keypointsPerBox + k;
            scores[at] = peak.score;
            keypoints[2 * at] = box.x1 + (box.x2 - box.x1) * (peak.column + 0.5f) / size;
            keypoints[2 * at + 1] = box.y1 + (box.y2 - box.y1) * (peak.row + 0.5f) / size;
        }
    }
    op.store(kScores, scores);
    op.store(kKeypoints, keypoints);
    return true;
}

}  // namespace nn::ops
