// BOX_WITH_NMS_LIMIT: the detections that remain of scored boxes of several classes.
#pragma once

#include "opkit/rules/signature.h"

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

// How boxes that overlap a selected one lose score.
enum class DecayKernel : int32_t { HARD = 0, LINEAR = 1, GAUSSIAN = 2 };

}  // namespace nn::ops::box_with_nms_limit
