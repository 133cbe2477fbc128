#include "op_support/rules/requirements.h"
#include "op_support/rules/shapes.h"
#include "op_support/rules/specs.h"
#include "ops/axis_aligned_bbox_transform/signature.h"

namespace nn::ops {
namespace axis_aligned_bbox_transform {
namespace {

constexpr std::string_view kRank = "axis_aligned_bbox_transform.rank";
constexpr std::string_view kShapes = "axis_aligned_bbox_transform.shapes";
constexpr std::string_view kQuantization = "axis_aligned_bbox_transform.quantization";

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    const Dim deltas = op.input(kDeltas).dim(1);
    const Dim regions = op.input(kRoi).dim(0) ? op.input(kRoi).dim(0) : op.input(kDeltas).dim(0);
    outputs[0] = Dims{regions, deltas};
    return requireRank(op, kRank, kRoi, 2, 2) && requireRank(op, kRank, kDeltas, 2, 2) &&
           requireRank(op, kRank, kBatchIndex, 1, 1) && requireRank(op, kRank, kImageInfo, 2, 2) &&
           requireDim(op, kShapes, kRoi, 1, 4) &&
           requireSameDim(op, kShapes, kDeltas, 0, kRoi, 0) &&
           requireSameDim(op, kShapes, kBatchIndex, 0, kRoi, 0) &&
           op.require(!deltas || (*deltas > 0 && *deltas % 4 == 0), kShapes,
                      "dimension 1 of {} is {}, allowed a multiple of 4 above 0", op.in(kDeltas),
                      deltas.value_or(0)) &&
           requireDimAtLeast(op, kShapes, kImageInfo, 0, 1) &&
           requireDim(op, kShapes, kImageInfo, 1, 2) &&
           requireEighths(op, kQuantization, op.in(kRoi)) &&
           requireEighths(op, kQuantization, op.in(kImageInfo)) &&
           requireEighths(op, kQuantization, op.out(0));
}

}  // namespace
}  // namespace axis_aligned_bbox_transform

const OperationSpec specs::AXIS_ALIGNED_BBOX_TRANSFORM{
        .type = OperationType::AXIS_ALIGNED_BBOX_TRANSFORM,
        .types = axis_aligned_bbox_transform::kTypes,
        .forms = axis_aligned_bbox_transform::kForms,
        .ruleTexts = axis_aligned_bbox_transform::kRules,
        .inferShapes = axis_aligned_bbox_transform::inferShapes,
        .allowsZeroSizedInputs = true};

}  // namespace nn::ops
