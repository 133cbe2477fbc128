#include <absl/algorithm/container.h>

#include <numeric>

#include "op_support/kernels/boxes.h"
#include "op_support/kernels/kernel_call.h"
#include "op_support/rules/image.h"
#include "ops/generate_proposals/signature.h"

namespace nn::ops {
namespace generate_proposals {
namespace {

// Scores and deltas of one image in either layout: each anchor has a score and four deltas at every
// pixel. Boxes are numbered by pixel, then by anchor.
struct Grid {
    size_t height, width, anchors;
    bool nchw;

    Grid(const Value& scores, size_t anchorCount, bool isNchw)
        : height(scores[imageAxes(isNchw).height]),
          width(scores[imageAxes(isNchw).width]),
          anchors(anchorCount),
          nchw(isNchw) {}

    size_t size() const { return height * width * anchors; }

    // The position of an element of a pixel that has `depth` elements.
    size_t at(size_t pixel, size_t channel, size_t depth) const {
        return nchw ? channel * height * width + pixel : pixel * depth + channel;
    }
    // The scores in the order of the boxes.
    void orderScores(const float* scores, std::span<float> ordered) const {
        for (size_t pixel = 0; pixel < height * width; ++pixel) {
            for (size_t anchor = 0; anchor < anchors; ++anchor)
                ordered[pixel * anchors + anchor] = scores[at(pixel, anchor, anchors)];
        }
    }
    // The anchor of a box at its pixel, moved and scaled by its deltas.
    Box box(const float* deltas, std::span<const float> anchorBoxes, size_t box, float heightStride,
            float widthStride, float imageHeight, float imageWidth) const {
        const size_t pixel = box / anchors;
        const size_t anchor = box % anchors;
        const size_t row = pixel / width, column = pixel % width;
        const float x = static_cast<float>(column) * widthStride;
        const float y = static_cast<float>(row) * heightStride;
        const Box shape = boxAt(anchorBoxes, anchor);
        float delta[4];
        for (size_t k = 0; k < 4; ++k) delta[k] = deltas[at(pixel, 4 * anchor + k, 4 * anchors)];
        return transformed({shape.x1 + x, shape.y1 + y, shape.x2 + x, shape.y2 + y}, delta,
                           imageHeight, imageWidth);
    }
};

// True if the box has the minimum size, and its center is inside the image.
bool isProposal(const Box& box, float minSize, float imageHeight, float imageWidth) {
    const float width = box.x2 - box.x1;
    const float height = box.y2 - box.y1;
    return width > minSize && height > minSize && box.x1 + width / 2 < imageWidth &&
           box.y1 + height / 2 < imageHeight;
}

}  // namespace
}  // namespace generate_proposals

bool kernels::GENERATE_PROPOSALS(KernelCall& op) {
    using namespace generate_proposals;
    const auto anchors = op.reals(kAnchors);
    for (size_t i = 0; i < anchors.size() / 4; ++i) {
        const Box box = boxAt(anchors, i);
        if (!op.require(box.isWellFormed(), "generate_proposals.anchor",
                        "{} has box {} from ({}, {}) to ({}, {}), allowed x1 <= x2 and y1 <= y2",
                        op.in(kAnchors), i, box.x1, box.y1, box.x2, box.y2)) {
            return false;
        }
    }

    const Grid grid(op.input(kScores), anchors.size() / 4, *op.boolean(kNchw));
    const size_t images = op.input(kScores)[0];
    const float heightStride = *op.real(kHeightStride);
    const float widthStride = *op.real(kWidthStride);
    const int32_t preNmsTopN = *op.int32(kPreNmsTopN);
    const int32_t postNmsTopN = *op.int32(kPostNmsTopN);
    const float iouThreshold = *op.real(kIouThreshold);
    const float minSize = *op.real(kMinSize);
    const auto allScores = op.reals(kScores);
    const auto allDeltas = op.reals(kDeltas);
    const auto imageInfo = op.reals(kImageInfo);

    // The results of all images, followed by the boxes of one image.
    const auto scores = op.scratch<float>(allScores.size());
    const auto roi = op.scratch<float>(4 * allScores.size());
    const auto batches = op.scratch<int32_t>(allScores.size());
    const auto boxes = op.scratch<float>(4 * grid.size());
    const auto boxScores = op.scratch<float>(grid.size());
    const auto order = op.scratch<size_t>(grid.size());
    size_t count = 0;
    for (size_t image = 0; image < images; ++image) {
        const float imageHeight = imageInfo[2 * image];
        const float imageWidth = imageInfo[2 * image + 1];
        const float* imageDeltas = allDeltas.data() + image * grid.size() * 4;
        grid.orderScores(allScores.data() + image * grid.size(), boxScores);
        const auto scoreOf = [&](size_t box) { return boxScores[box]; };

        std::span<size_t> list = order;
        std::iota(list.begin(), list.end(), size_t{0});
        if (preNmsTopN > 0 && static_cast<size_t>(preNmsTopN) < list.size()) {
            absl::c_partial_sort(list, list.begin() + preNmsTopN, [&](size_t a, size_t b) {
                const float scoreA = scoreOf(a);
                const float scoreB = scoreOf(b);
                return isHigher(scoreA, scoreB) || (!isHigher(scoreB, scoreA) && a < b);
            });
            list = list.first(static_cast<size_t>(preNmsTopN));
        }

        size_t candidates = 0;
        for (const size_t box : list) {
            const Box region = grid.box(imageDeltas, anchors, box, heightStride, widthStride,
                                        imageHeight, imageWidth);
            setBox(boxes, box, region);
            if (isProposal(region, minSize, imageHeight, imageWidth)) list[candidates++] = box;
        }
        const size_t selected = suppress(op.interruption(), list.first(candidates), postNmsTopN,
                                         scoreOf, [&](size_t candidate, size_t winner) {
                                             return iou(boxAt(boxes, candidate),
                                                        boxAt(boxes, winner)) >= iouThreshold;
                                         });
        for (const size_t box : list.first(selected)) {
            scores[count] = scoreOf(box);
            setBox(roi, count, boxAt(boxes, box));
            batches[count] = static_cast<int32_t>(image);
            ++count;
        }
    }

    const auto dimensions = op.scratch<uint32_t>(2);
    dimensions[0] = static_cast<uint32_t>(count);
    dimensions[1] = 4;
    if (!op.resize(kOutScores, dimensions.first(1)) || !op.resize(kOutRoi, dimensions) ||
        !op.resize(kOutBatchIndex, dimensions.first(1))) {
        return false;
    }
    op.store(kOutScores, scores.first(count));
    op.store(kOutRoi, roi.first(4 * count));
    absl::c_copy(batches.first(count), op.output(kOutBatchIndex).mutableAs<int32_t>().begin());
    return true;
}

}  // namespace nn::ops
