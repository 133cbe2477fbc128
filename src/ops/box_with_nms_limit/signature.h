// BOX_WITH_NMS_LIMIT: selects detections among the scored boxes of several classes.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::box_with_nms_limit {

inline constexpr Types kTypes[] = {
        // since  scores                    roi                   thresholds
        {V1_2, {TENSOR_FLOAT32, TENSOR_FLOAT32, FLOAT32}},
        {V1_2, {TENSOR_FLOAT16, TENSOR_FLOAT16, FLOAT16}},
        {V1_2, {TENSOR_QUANT8_ASYMM, TENSOR_QUANT16_ASYMM, FLOAT32}},
        {V1_3, {TENSOR_QUANT8_ASYMM_SIGNED, TENSOR_QUANT16_ASYMM, FLOAT32}},
};

inline constexpr Param kInputs[] = {{"scores", T},
                                    {"roi", S},
                                    {"batchIndex", TENSOR_INT32},
                                    {"scoreThreshold", U},
                                    {"maxDetections", INT32},
                                    {"kernel", INT32},
                                    {"iouThreshold", U},
                                    {"sigma", U},
                                    {"nmsScoreThreshold", U}};
inline constexpr Param kOutputs[] = {
        {"scores", T}, {"roi", S}, {"classes", TENSOR_INT32}, {"batchIndex", TENSOR_INT32}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms, kTypes));

inline constexpr size_t kScores = at(kInputs, "scores"), kRoi = at(kInputs, "roi"),
                        kBatchIndex = at(kInputs, "batchIndex"),
                        kScoreThreshold = at(kInputs, "scoreThreshold"),
                        kMaxDetections = at(kInputs, "maxDetections"),
                        kKernel = at(kInputs, "kernel"),
                        kIouThreshold = at(kInputs, "iouThreshold"), kSigma = at(kInputs, "sigma"),
                        kNmsScoreThreshold = at(kInputs, "nmsScoreThreshold");
inline constexpr size_t kOutScores = at(kOutputs, "scores"), kOutRoi = at(kOutputs, "roi"),
                        kOutClasses = at(kOutputs, "classes"),
                        kOutBatchIndex = at(kOutputs, "batchIndex");

// How the scores of boxes that overlap a selected one are reduced.
enum class DecayKernel : int32_t { HARD = 0, LINEAR = 1, GAUSSIAN = 2 };

inline constexpr OperandText kOperandTexts[] = {
        {"maxDetections", "most results of an image; negative: any number"},
        {"kernel", "how overlapping boxes lose score: 0 hard, 1 linear, 2 gaussian"},
        {"iouThreshold", "overlap from which on they do"},
        {"sigma", "of the gaussian kernel"},
        {"nmsScoreThreshold", "what falls below it is dropped"},
};

inline constexpr RuleText kRules[] = {
        {"box_with_nms_limit.batch_index", "A batch index is not negative."},
        {"box_with_nms_limit.box", "A box has x1 <= x2 and y1 <= y2, also that of the background."},
        {"box_with_nms_limit.kernel", "The kernel is 0 (hard), 1 (linear) or 2 (gaussian)."},
        {"box_with_nms_limit.quantization",
         "Quantized boxes have scale 0.125 and zero point 0, and so has their output; the output "
         "scores have scale and zero point of the input scores."},
        {"box_with_nms_limit.rank", "Scores and regions have rank 2, batch indexes rank 1."},
        {"box_with_nms_limit.shapes",
         "Each region has a batch index and, for each of two or more classes, a score and a box."},
};

}  // namespace nn::ops::box_with_nms_limit
