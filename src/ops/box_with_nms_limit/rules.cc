#include "op_support/rules/requirements.h"
#include "op_support/rules/shapes.h"
#include "op_support/rules/specs.h"
#include "ops/box_with_nms_limit/signature.h"

namespace nn::ops {
namespace box_with_nms_limit {
namespace {

constexpr std::string_view kRank = "box_with_nms_limit.rank";
constexpr std::string_view kShapes = "box_with_nms_limit.shapes";
constexpr std::string_view kQuantization = "box_with_nms_limit.quantization";

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    // The number of remaining boxes depends on the data.
    outputs[kOutScores] = Dims{std::nullopt};
    outputs[kOutRoi] = Dims{std::nullopt, 4};
    outputs[kOutClasses] = Dims{std::nullopt};
    outputs[kOutBatchIndex] = Dims{std::nullopt};

    const Dim classes = op.input(kScores).dim(1);
    const Dim coordinates = op.input(kRoi).dim(1);
    const auto kernel = op.int32(kKernel);
    return requireRank(op, kRank, kScores, 2, 2) && requireRank(op, kRank, kRoi, 2, 2) &&
           requireRank(op, kRank, kBatchIndex, 1, 1) &&
           requireSameDim(op, kShapes, kRoi, 0, kScores, 0) &&
           requireSameDim(op, kShapes, kBatchIndex, 0, kScores, 0) &&
           requireDimAtLeast(op, kShapes, kScores, 1, 2) &&
           op.require(!classes || !coordinates || uint64_t{*classes} * 4 == *coordinates, kShapes,
                      "dimension 1 of {} is {}, allowed {} for {}", op.in(kRoi),
                      coordinates.value_or(0), uint64_t{classes.value_or(0)} * 4,
                      Plural{classes.value_or(0), "classes"}) &&
           op.require(!kernel || (*kernel >= 0 && *kernel <= 2), "box_with_nms_limit.kernel",
                      "{} is {}, allowed 0 (hard), 1 (linear) or 2 (gaussian)", op.in(kKernel),
                      kernel.value_or(0)) &&
           requireEighths(op, kQuantization, op.in(kRoi)) &&
           requireEighths(op, kQuantization, op.out(kOutRoi)) &&
           requireSameQuantization(op, kQuantization, kScores, kOutScores);
}

}  // namespace
}  // namespace box_with_nms_limit

const OperationSpec specs::BOX_WITH_NMS_LIMIT{.type = OperationType::BOX_WITH_NMS_LIMIT,
                                              .types = box_with_nms_limit::kTypes,
                                              .forms = box_with_nms_limit::kForms,
                                              .ruleTexts = box_with_nms_limit::kRules,
                                              .inferShapes = box_with_nms_limit::inferShapes,
                                              .allowsZeroSizedInputs = true};

}  // namespace nn::ops
