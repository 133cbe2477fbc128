#include <absl/algorithm/container.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "op_support/kernels/boxes.h"
#include "op_support/kernels/kernel_call.h"
#include "ops/detection_postprocessing/signature.h"

namespace nn::ops {
namespace detection_postprocessing {
namespace {

struct Scales {
    float y, x, height, width;
};

// An anchor (yc, xc, h, w), moved by (dy h / scaleY, dx w / scaleX) and scaled by
// (e^(dh / scaleHeight), e^(dw / scaleWidth)).
Box decoded(const float* anchor, const float* delta, const Scales& scales) {
    const float y = anchor[0] + anchor[2] * delta[0] / scales.y;
    const float x = anchor[1] + anchor[3] * delta[1] / scales.x;
    const float halfHeight = anchor[2] * std::exp(delta[2] / scales.height) / 2;
    const float halfWidth = anchor[3] * std::exp(delta[3] / scales.width) / 2;
    return {x - halfWidth, y - halfHeight, x + halfWidth, y + halfHeight};
}

// One image, and working memory.
struct Detector {
    Interruption* interruption;
    std::span<const float> scores;  // [anchors, classes]
    std::span<const float> boxes;   // [anchors, 4]
    size_t anchors, classes;
    float scoreThreshold, iouThreshold;
    std::span<size_t> list;      // one for each anchor
    std::span<float> best;       // one for each anchor
    std::span<size_t> order;     // one for each class
    std::span<ScoredBox> found;  // one for each score

    // Selects among the anchors with scores above the threshold. The selected ones come first in
    // the list.
    template <class ScoreOf>
    size_t select(int32_t limit, const ScoreOf& scoreOf) const {
        size_t candidates = 0;
        for (size_t anchor = 0; anchor < anchors; ++anchor) {
            if (scoreOf(anchor) > scoreThreshold) list[candidates++] = anchor;
        }
        return suppress(*interruption, list.first(candidates), limit, scoreOf,
                        [&](size_t a, size_t b) {
                            return iou(boxAt(boxes, a), boxAt(boxes, b)) >= iouThreshold;
                        });
    }

    // Suppresses boxes within each class, then selects the best detections of all classes but 0,
    // the background. The number of a detection is anchor * classes + class.
    size_t regular(int32_t maxDetections, int32_t maxPerClass) const {
        size_t count = 0;
        for (size_t c = 1; c < classes; ++c) {
            const size_t selected = select(
                    maxPerClass, [&](size_t anchor) { return scores[anchor * classes + c]; });
            for (const size_t anchor : list.first(selected)) {
                const size_t at = anchor * classes + c;
                found[count] = {scores[at], at, count};
                ++count;
            }
        }
        const auto all = found.first(count);
        absl::c_sort(all, isBefore);
        return std::min(count, static_cast<size_t>(maxDetections));
    }

    // Suppresses boxes once, by the best score of each anchor over all classes, then selects the
    // best classes of each selected anchor, regardless of their scores.
    size_t fast(int32_t maxDetections, int32_t maxClasses) const {
        for (size_t anchor = 0; anchor < anchors; ++anchor) {
            const auto ofAnchor = scores.subspan(anchor * classes + 1, classes - 1);
            best[anchor] = *absl::c_max_element(ofAnchor);
        }
        const size_t selected = select(maxDetections, [&](size_t anchor) { return best[anchor]; });
        const size_t reported = std::min(classes - 1, static_cast<size_t>(maxClasses));
        size_t count = 0;
        for (const size_t anchor : list.first(selected)) {
            const auto foreground = order.first(classes - 1);
            std::iota(foreground.begin(), foreground.end(), anchor * classes + 1);
            absl::c_partial_sort(foreground,
                                 foreground.begin() + static_cast<std::ptrdiff_t>(reported),
                                 [&](size_t a, size_t b) {
                                     return isBefore({scores[a], a, a}, {scores[b], b, b});
                                 });
            for (const size_t at : foreground.first(reported)) {
                found[count] = {scores[at], at, count};
                ++count;
            }
        }
        return count;
    }
};

}  // namespace
}  // namespace detection_postprocessing

bool kernels::DETECTION_POSTPROCESSING(KernelCall& op) {
    using namespace detection_postprocessing;
    const size_t images = op.input(kScores)[0];
    const size_t anchors = op.input(kScores)[1];
    const size_t classes = op.input(kScores)[2];
    const size_t deltasPerAnchor = op.input(kDeltas)[2];
    const size_t rows = op.output(kOutScores)[1];
    const Scales scales{*op.real(kScaleY), *op.real(kScaleX), *op.real(kScaleHeight),
                        *op.real(kScaleWidth)};
    const bool isRegular = *op.boolean(kRegularNms);
    const int32_t maxDetections = *op.int32(kMaxDetections);
    const size_t firstLabel = *op.boolean(kBackgroundInLabels) ? 0 : 1;

    const auto scores = op.reals(kScores);
    const auto deltas = op.reals(kDeltas);
    const auto anchorBoxes = op.reals(kAnchors);
    const auto outScores = op.realOutput(kOutScores);
    const auto outBoxes = op.realOutput(kOutBoxes);
    const auto outClasses = op.output(kOutClasses).mutableAs<int32_t>();
    const auto outCounts = op.output(kOutCounts).mutableAs<int32_t>();
    absl::c_fill(outScores, 0.0f);
    absl::c_fill(outBoxes, 0.0f);
    absl::c_fill(outClasses, 0);

    const auto boxes = op.scratch<float>(4 * anchors);
    Detector detector{&op.interruption(),
                      {},
                      boxes,
                      anchors,
                      classes,
                      *op.real(kScoreThreshold),
                      *op.real(kIouThreshold),
                      op.scratch<size_t>(anchors),
                      op.scratch<float>(anchors),
                      op.scratch<size_t>(classes),
                      op.scratch<ScoredBox>(anchors * classes)};
    for (size_t image = 0; image < images; ++image) {
        for (size_t i = 0; i < anchors; ++i) {
            const float* delta = deltas.data() + (image * anchors + i) * deltasPerAnchor;
            setBox(boxes, i, decoded(anchorBoxes.data() + 4 * i, delta, scales));
        }
        detector.scores = scores.subspan(image * anchors * classes, anchors * classes);
        const size_t count =
                isRegular ? detector.regular(maxDetections, *op.int32(kMaxDetectionsPerClass))
                          : detector.fast(maxDetections, *op.int32(kMaxClassesPerDetection));
        for (size_t i = 0; i < count; ++i) {
            const ScoredBox& found = detector.found[i];
            const size_t at = image * rows + i;
            const Box box = boxAt(boxes, found.box / classes);
            outScores[at] = found.score;
            setBox(outBoxes, at, {box.y1, box.x1, box.y2, box.x2});  // (y1, x1, y2, x2)
            outClasses[at] = static_cast<int32_t>(found.box % classes - firstLabel);
        }
        outCounts[image] = static_cast<int32_t>(count);
    }
    op.store(kOutScores, outScores);
    op.store(kOutBoxes, outBoxes);
    return true;
}

}  // namespace nn::ops
