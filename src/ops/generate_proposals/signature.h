// GENERATE_PROPOSALS: selects the regions of an image that may contain objects.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::generate_proposals {

inline constexpr Types kTypes[] = {
        // since  scores, deltas    anchors    imageInfo, roi    scalars
        {V1_2, {TENSOR_FLOAT32, TENSOR_FLOAT32, TENSOR_FLOAT32, FLOAT32}},
        {V1_2, {TENSOR_FLOAT16, TENSOR_FLOAT16, TENSOR_FLOAT16, FLOAT16}},
        {V1_2, {TENSOR_QUANT8_ASYMM, TENSOR_QUANT16_SYMM, TENSOR_QUANT16_ASYMM, FLOAT32}},
        {V1_3, {TENSOR_QUANT8_ASYMM_SIGNED, TENSOR_QUANT16_SYMM, TENSOR_QUANT16_ASYMM, FLOAT32}},
};

inline constexpr Param kInputs[] = {
        {"scores", T},       {"deltas", T},      {"anchors", S},        {"imageInfo", U},
        {"heightStride", W}, {"widthStride", W}, {"preNmsTopN", INT32}, {"postNmsTopN", INT32},
        {"iouThreshold", W}, {"minSize", W},     {"isNchw", BOOL}};
inline constexpr Param kOutputs[] = {{"scores", T}, {"roi", U}, {"batchIndex", TENSOR_INT32}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms, kTypes));

inline constexpr size_t kScores = at(kInputs, "scores"), kDeltas = at(kInputs, "deltas"),
                        kAnchors = at(kInputs, "anchors"), kImageInfo = at(kInputs, "imageInfo"),
                        kHeightStride = at(kInputs, "heightStride"),
                        kWidthStride = at(kInputs, "widthStride"),
                        kPreNmsTopN = at(kInputs, "preNmsTopN"),
                        kPostNmsTopN = at(kInputs, "postNmsTopN"),
                        kIouThreshold = at(kInputs, "iouThreshold"),
                        kMinSize = at(kInputs, "minSize"), kNchw = at(kInputs, "isNchw");
inline constexpr size_t kOutScores = at(kOutputs, "scores"), kOutRoi = at(kOutputs, "roi"),
                        kOutBatchIndex = at(kOutputs, "batchIndex");

inline constexpr OperandText kOperandTexts[] = {
        {"scores", "how sure, for each anchor at each pixel"},
        {"iouThreshold", "overlap from which on the lower one is dropped"},
        {"heightStride", "pixels of the image for one of the input, along the height"},
        {"widthStride", "pixels of the image for one of the input, along the width"},
        {"preNmsTopN", "most boxes before overlaps are dropped; 0: any number"},
        {"postNmsTopN", "most boxes after that; negative: any number"},
        {"minSize", "boxes up to this width or height are dropped"},
};

inline constexpr RuleText kRules[] = {
        {"generate_proposals.anchor", "An anchor has x1 <= x2 and y1 <= y2."},
        {"generate_proposals.quantization",
         "The output scores have scale and zero point of the input scores."},
        {"generate_proposals.rank",
         "Scores and deltas have rank 4, anchors and image sizes rank 2."},
        {"generate_proposals.shapes",
         "There is a score and four deltas for each pixel and anchor, four coordinates for each "
         "anchor, two sizes for each image."},
};

}  // namespace nn::ops::generate_proposals
