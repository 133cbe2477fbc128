#include <absl/algorithm/container.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "op_support/kernels/boxes.h"
#include "op_support/kernels/kernel_call.h"
#include "ops/box_with_nms_limit/signature.h"

namespace nn::ops {
namespace box_with_nms_limit {
namespace {

// Reduces the score of a box that overlaps a selected one.
struct Decay {
    DecayKernel kernel;
    float iouThreshold, sigma;

    float operator()(float iou) const {
        switch (kernel) {
            case DecayKernel::HARD:
                return iou < iouThreshold ? 1.0f : 0.0f;
            case DecayKernel::LINEAR:
                return iou < iouThreshold ? 1.0f : 1.0f - iou;
            case DecayKernel::GAUSSIAN:
                return std::exp(-1.0f * iou * iou / sigma);
        }
        return 1.0f;
    }
};

// Boxes of all classes. Scores are reduced while boxes are selected.
struct Boxes {
    std::span<float> scores;       // [regions, classes]
    std::span<const float> boxes;  // [regions, classes, 4]
    size_t classes;
};

struct Selection {
    float scoreThreshold, nmsScoreThreshold;
    int32_t maxDetections;
    Decay decay;
};

// Puts the detections of one image, the regions [begin, end), at the front of `found`: the boxes
// with the highest scores of all classes except class 0, the background, sorted by class and then
// by score. The number of a box is region * classes + class.
size_t detect(Interruption& interruption, const Boxes& in, const Selection& selection, size_t begin,
              size_t end, std::span<size_t> list, std::span<ScoredBox> found) {
    size_t count = 0;
    for (size_t c = 1; c < in.classes; ++c) {
        size_t candidates = 0;
        for (size_t box = begin * in.classes + c; box < end * in.classes; box += in.classes) {
            if (in.scores[box] > selection.scoreThreshold) list[candidates++] = box;
        }
        const size_t selected = suppress(
                interruption, list.first(candidates), selection.maxDetections,
                [&](size_t box) { return in.scores[box]; },
                [&](size_t candidate, size_t winner) {
                    const float overlap = iou(boxAt(in.boxes, candidate), boxAt(in.boxes, winner));
                    in.scores[candidate] *= selection.decay(overlap);
                    return in.scores[candidate] < selection.nmsScoreThreshold;
                });
        for (const size_t box : list.first(selected)) {
            found[count] = {in.scores[box], box, count};
            ++count;
        }
    }

    const auto all = found.first(count);
    absl::c_sort(all, isBefore);
    if (selection.maxDetections >= 0)
        count = std::min(count, static_cast<size_t>(selection.maxDetections));
    const auto reported = found.first(count);
    absl::c_sort(reported, [&](const ScoredBox& a, const ScoredBox& b) {
        const size_t classA = a.box % in.classes;
        const size_t classB = b.box % in.classes;
        return classA != classB ? classA < classB : isBefore(a, b);
    });
    return count;
}

bool requireWellFormed(const KernelCall& op, const Boxes& in, std::span<const int32_t> batchIndex) {
    for (size_t i = 0; i < batchIndex.size(); ++i) {
        if (!op.require(batchIndex[i] >= 0, "box_with_nms_limit.batch_index",
                        "element {} of {} is {}, allowed 0 or more", i, op.in(kBatchIndex),
                        batchIndex[i])) {
            return false;
        }
    }
    for (size_t i = 0; i < in.scores.size(); ++i) {
        const Box box = boxAt(in.boxes, i);
        if (!op.require(box.isWellFormed(), "box_with_nms_limit.box",
                        "{} has box {} of class {} from ({}, {}) to ({}, {}), allowed x1 <= x2 "
                        "and y1 <= y2",
                        op.in(kRoi), i / in.classes, i % in.classes, box.x1, box.y1, box.x2,
                        box.y2)) {
            return false;
        }
    }
    return true;
}

}  // namespace
}  // namespace box_with_nms_limit

bool kernels::BOX_WITH_NMS_LIMIT(KernelCall& op) {
    using namespace box_with_nms_limit;
    const auto inputScores = op.reals(kScores);
    const auto scores = op.scratch<float>(inputScores.size());
    absl::c_copy(inputScores, scores.begin());
    const Boxes in{scores, op.reals(kRoi), op.input(kScores)[1]};
    const auto batchIndex = op.input(kBatchIndex).as<int32_t>();
    if (!requireWellFormed(op, in, batchIndex)) return false;

    const Selection selection{*op.real(kScoreThreshold),
                              *op.real(kNmsScoreThreshold),
                              *op.int32(kMaxDetections),
                              {static_cast<DecayKernel>(*op.int32(kKernel)),
                               *op.real(kIouThreshold), *op.real(kSigma)}};
    const auto list = op.scratch<size_t>(batchIndex.size());
    const auto found = op.scratch<ScoredBox>(scores.size());
    size_t count = 0;
    for (size_t begin = 0; begin < batchIndex.size();) {
        size_t end = begin + 1;
        while (end < batchIndex.size() && batchIndex[end] == batchIndex[begin]) ++end;
        count += detect(op.interruption(), in, selection, begin, end, list, found.subspan(count));
        begin = end;
    }

    const auto dimensions = op.scratch<uint32_t>(2);
    dimensions[0] = static_cast<uint32_t>(count);
    dimensions[1] = 4;
    for (const size_t output : {kOutScores, kOutClasses, kOutBatchIndex}) {
        if (!op.resize(output, dimensions.first(1))) return false;
    }
    if (!op.resize(kOutRoi, dimensions)) return false;

    const auto outScores = op.realOutput(kOutScores);
    const auto classes = op.output(kOutClasses).mutableAs<int32_t>();
    const auto batches = op.output(kOutBatchIndex).mutableAs<int32_t>();
    const size_t boxSize = size_t{4} * elementSize(op.input(kRoi).type);
    for (size_t i = 0; i < count; ++i) {
        const size_t box = found[i].box;
        outScores[i] = found[i].score;
        classes[i] = static_cast<int32_t>(box % in.classes);
        batches[i] = batchIndex[box / in.classes];
        std::memcpy(op.output(kOutRoi).mutableData + i * boxSize,
                    op.input(kRoi).data + box * boxSize, boxSize);
    }
    op.store(kOutScores, outScores);
    return true;
}

}  // namespace nn::ops
