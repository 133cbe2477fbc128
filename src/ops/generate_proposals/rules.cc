#include "op_support/rules/image.h"
#include "op_support/rules/requirements.h"
#include "op_support/rules/shapes.h"
#include "op_support/rules/specs.h"
#include "ops/generate_proposals/signature.h"

namespace nn::ops {
namespace generate_proposals {
namespace {

constexpr std::string_view kRank = "generate_proposals.rank";
constexpr std::string_view kShapes = "generate_proposals.shapes";
constexpr std::string_view kQuantization = "generate_proposals.quantization";

// Each anchor has one score at every pixel, and each score four deltas.
bool requireAgreement(const OpView& op, const ImageAxes& axes) {
    const Dim anchors = op.input(kAnchors).dim(0);
    const Dim deltas = op.input(kDeltas).dim(axes.depth);
    return requireSameDim(op, kShapes, kDeltas, 0, kScores, 0) &&
           requireSameDim(op, kShapes, kDeltas, axes.height, kScores, axes.height) &&
           requireSameDim(op, kShapes, kDeltas, axes.width, kScores, axes.width) &&
           requireSameDim(op, kShapes, kScores, axes.depth, kAnchors, 0) &&
           op.require(!anchors || !deltas || uint64_t{*anchors} * 4 == *deltas, kShapes,
                      "dimension {} of {} is {}, allowed {} for {}", axes.depth, op.in(kDeltas),
                      deltas.value_or(0), uint64_t{anchors.value_or(0)} * 4,
                      Plural{anchors.value_or(0), "anchors"});
}

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    // The number of remaining regions depends on the data.
    outputs[kOutScores] = Dims{std::nullopt};
    outputs[kOutRoi] = Dims{std::nullopt, 4};
    outputs[kOutBatchIndex] = Dims{std::nullopt};

    const auto nchw = op.boolean(kNchw);
    // With signed scores, any declared quantization of the regions is allowed.
    const bool isFixed = op.input(kScores).type == TENSOR_QUANT8_ASYMM;
    const Value& anchors = op.input(kAnchors);
    return requireRank(op, kRank, kScores, 4, 4) && requireRank(op, kRank, kDeltas, 4, 4) &&
           requireRank(op, kRank, kAnchors, 2, 2) && requireRank(op, kRank, kImageInfo, 2, 2) &&
           (!nchw || requireAgreement(op, imageAxes(*nchw))) &&
           requireDim(op, kShapes, kAnchors, 1, 4) && requireDim(op, kShapes, kImageInfo, 1, 2) &&
           requireSameDim(op, kShapes, kImageInfo, 0, kScores, 0) &&
           op.require(!isFixed || anchors.scale == 0.125f, kQuantization,
                      "{} has scale {}, allowed 0.125", op.in(kAnchors), anchors.scale) &&
           (!isFixed || (requireEighths(op, kQuantization, op.in(kImageInfo)) &&
                         requireEighths(op, kQuantization, op.out(kOutRoi)))) &&
           requireSameQuantization(op, kQuantization, kScores, kOutScores);
}

}  // namespace
}  // namespace generate_proposals

const OperationSpec specs::GENERATE_PROPOSALS{.type = OperationType::GENERATE_PROPOSALS,
                                              .types = generate_proposals::kTypes,
                                              .forms = generate_proposals::kForms,
                                              .ruleTexts = generate_proposals::kRules,
                                              .inferShapes = generate_proposals::inferShapes};

}  // namespace nn::ops
