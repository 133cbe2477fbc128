#include "op_support/kernels/boxes.h"
#include "op_support/kernels/kernel_call.h"
#include "ops/axis_aligned_bbox_transform/signature.h"

namespace nn::ops {

// For every class, moves and scales each region by its delta and clips it to its image.
bool kernels::AXIS_ALIGNED_BBOX_TRANSFORM(KernelCall& op) {
    using namespace axis_aligned_bbox_transform;
    const size_t images = op.input(kImageInfo)[0];
    const size_t classes = op.input(kDeltas)[1] / 4;
    const auto batchIndex = op.input(kBatchIndex).as<int32_t>();
    const auto roi = op.reals(kRoi);
    const auto deltas = op.reals(kDeltas);
    const auto imageInfo = op.reals(kImageInfo);
    const auto output = op.realOutput(0);

    for (size_t i = 0; i < batchIndex.size(); ++i) {
        const int32_t image = batchIndex[i];
        const Box box = boxAt(roi, i);
        if (!op.require(image >= 0 && static_cast<size_t>(image) < images,
                        "axis_aligned_bbox_transform.batch_index",
                        "element {} of {} is {}, allowed 0 to {}", i, op.in(kBatchIndex), image,
                        images - 1) ||
            !op.require(box.isWellFormed(), "axis_aligned_bbox_transform.box",
                        "{} has box {} from ({}, {}) to ({}, {}), allowed x1 <= x2 and y1 <= y2",
                        op.in(kRoi), i, box.x1, box.y1, box.x2, box.y2)) {
            return false;
        }
        const float height = imageInfo[2 * static_cast<size_t>(image)];
        const float width = imageInfo[2 * static_cast<size_t>(image) + 1];
        for (size_t at = i * classes; at < (i + 1) * classes; ++at) {
            setBox(output, at, transformed(box, deltas.data() + 4 * at, height, width));
        }
    }
    op.store(0, output);
    return true;
}

}  // namespace nn::ops
