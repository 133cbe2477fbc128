#include "ops/tables.h"

namespace nn::ops::detection_postprocessing_test {
namespace {

constexpr auto DETECTION_POSTPROCESSING = OperationType::DETECTION_POSTPROCESSING;

struct Selection {
    bool regular = true;
    int32_t maxDetections = 3;
    int32_t maxClasses = 2;
    int32_t maxPerClass = 2;
    float scale = 1;
    float scoreThreshold = 0.5f;
    bool backgroundInLabels = false;
};

// With IoU threshold 0.5.
std::vector<Arg> with(Arg scores, Arg deltas, Arg anchors, Selection s = {}) {
    return {std::move(scores),
            std::move(deltas),
            std::move(anchors),
            real(s.scale),
            real(s.scale),
            real(s.scale),
            real(s.scale),
            boolean(s.regular),
            integer(s.maxDetections),
            integer(s.maxClasses),
            integer(s.maxPerClass),
            real(s.scoreThreshold),
            real(0.5f),
            boolean(s.backgroundInLabels)};
}

const std::vector<Arg> kOutputs{f32({}), f32({}), i32({}), i32({})};
const Arg kScores = f32({1, 6, 3});
const Arg kDeltas = f32({1, 6, 4});
const Arg kAnchors = f32({6, 4});

TEST(DetectionPostprocessing, SaysWhyItRefuses) {
    expectFails(
            infer, DETECTION_POSTPROCESSING,
            {{"RankTwo", with(f32({6, 3}), kDeltas, kAnchors), kOutputs,
              "input 0 'scores' (operand 0) has rank 2, allowed 3 [detection_postprocessing.rank]"},
             {"OtherAnchors", with(kScores, kDeltas, f32({5, 4})), kOutputs,
              "dimension 0 of input 2 'anchors' (operand 2) is 5, allowed 6 as dimension 1 of "
              "input 0 'scores' (operand 0) [detection_postprocessing.shapes]"},
             {"ThreeDeltas", with(kScores, f32({1, 6, 3}), kAnchors), kOutputs,
              "dimension 2 of input 1 'deltas' (operand 1) is 3, allowed 4 or more "
              "[detection_postprocessing.shapes]"},
             {"ScaleZero", with(kScores, kDeltas, kAnchors, {.scale = 0}), kOutputs,
              "input 3 'scaleY' (operand 3) is 0, allowed above 0 "
              "[detection_postprocessing.scale]"},
             {"NoDetections", with(kScores, kDeltas, kAnchors, {.maxDetections = 0}), kOutputs,
              "input 8 'maxDetections' (operand 8) is 0, allowed 1 or more "
              "[detection_postprocessing.count]"},
             {"NoneOfAClass", with(kScores, kDeltas, kAnchors, {.maxPerClass = 0}), kOutputs,
              "input 10 'maxDetectionsPerClass' (operand 10) is 0, allowed 1 or more "
              "[detection_postprocessing.count]"},
             {"ProductTooLarge",
              with(kScores, kDeltas, kAnchors,
                   {.regular = false, .maxDetections = INT32_MAX, .maxClasses = 3}),
              kOutputs,
              "input 8 'maxDetections' (operand 8) is 2147483647 and input 9 "
              "'maxClassesPerDetection' (operand 9) is 3, allowed a product below 4294967296 "
              "[detection_postprocessing.count]"},
             {"ThresholdNegative", with(kScores, kDeltas, kAnchors, {.scoreThreshold = -1}),
              kOutputs,
              "input 11 'scoreThreshold' (operand 11) is -1, allowed 0 or more "
              "[detection_postprocessing.threshold]"}});
}

TEST(DetectionPostprocessing, InfersShapes) {
    std::vector<Arg> unknownForm = with(kScores, kDeltas, kAnchors);
    unknownForm[7].data.clear();
    expectShapes(DETECTION_POSTPROCESSING,
                 {{"Unknown", unknownForm, kOutputs, Shapes{{1, 0}, {1, 0, 4}, {1, 0}, {1}}}});
}

TEST(DetectionPostprocessing, Computes) {
    // Two adjacent anchors, three classes.
    const Arg scores = f32({1, 2, 3}, {1, 0.9f, 0.8f, 1, 0.7f, 0.1f});
    const Arg deltas = f32({1, 2, 4}, std::vector<float>(8));
    const Arg anchors = f32({2, 4}, {5, 5, 10, 10, 5, 25, 10, 10});
    constexpr float kLn2 = 0.6931472f;
    expectComputes(DETECTION_POSTPROCESSING,
                   {{"Regular", with(scores, deltas, anchors),
                     Out{f32({1, 3}, {0.9f, 0.8f, 0.7f}),
                         f32({1, 3, 4}, {0, 0, 10, 10, 0, 0, 10, 10, 0, 20, 10, 30}),
                         i32({1, 3}, {0, 1, 0}), i32({1}, {3})}},
                    {"BestOfEachClass", with(scores, deltas, anchors, {.maxPerClass = 1}),
                     Out{f32({1, 3}, {0.9f, 0.8f, 0}),
                         f32({1, 3, 4}, {0, 0, 10, 10, 0, 0, 10, 10, 0, 0, 0, 0}),
                         i32({1, 3}, {0, 1, 0}), i32({1}, {2})}},
                    {"BestOfAll", with(scores, deltas, anchors, {.maxDetections = 1}),
                     Out{f32({1, 1}, {0.9f}), f32({1, 1, 4}, {0, 0, 10, 10}), i32({1, 1}, {0}),
                         i32({1}, {1})}},
                    {"FastReportsLowScoresToo",
                     with(scores, deltas, anchors,
                          {.regular = false, .maxDetections = 2, .backgroundInLabels = true}),
                     Out{f32({1, 4}, {0.9f, 0.8f, 0.7f, 0.1f}),
                         f32({1, 4, 4}, {0, 0, 10, 10, 0, 0, 10, 10, 0, 20, 10, 30, 0, 20, 10, 30}),
                         i32({1, 4}, {1, 2, 1, 2}), i32({1}, {4})}},
                    {"FastWithFewClasses",
                     with(scores, deltas, anchors,
                          {.regular = false, .maxDetections = 1, .maxClasses = 3}),
                     Out{f32({1, 3}, {0.9f, 0.8f, 0}),
                         f32({1, 3, 4}, {0, 0, 10, 10, 0, 0, 10, 10, 0, 0, 0, 0}),
                         i32({1, 3}, {0, 1, 0}), i32({1}, {2})}},
                    {"DecodesLongDeltas",  // center (7, 5), size (20, 10)
                     with(f32({1, 1, 2}, {0, 1}), f32({1, 1, 5}, {0.4f, 0, 2 * kLn2, 0, 99}),
                          f32({1, 4}, {5, 5, 10, 10}), {.maxDetections = 1, .scale = 2}),
                     Out{f32({1, 1}, {1}), f32({1, 1, 4}, {-3, 0, 17, 10}), i32({1, 1}, {0}),
                         i32({1}, {1})}},
                    {"NotAboveThreshold",
                     with(f32({1, 1, 2}, {0, 0.5f}), f32({1, 1, 4}, {0, 0, 0, 0}),
                          f32({1, 4}, {5, 5, 10, 10}), {.maxDetections = 1}),
                     Out{f32({1, 1}, {0}), f32({1, 1, 4}, {0, 0, 0, 0}), i32({1, 1}, {0}),
                         i32({1}, {0})}}});
}

// Both anchors are above the threshold for class 1, one for class 2.
TEST(DetectionPostprocessing, CountsItsSteps) {
    const Arg scores = f32({1, 2, 3}, {1, 0.9f, 0.8f, 1, 0.7f, 0.1f});
    const Arg deltas = f32({1, 2, 4}, std::vector<float>(8));
    const Arg anchors = f32({2, 4}, {5, 5, 10, 10, 5, 25, 10, 10});
    EXPECT_EQ(stepsOf(DETECTION_POSTPROCESSING, with(scores, deltas, anchors), kOutputs),
              2u * (2 + 1) + 2u * 1);
    EXPECT_EQ(stepsOf(DETECTION_POSTPROCESSING, with(scores, deltas, anchors, {.regular = false}),
                      kOutputs),
              2u * (2 + 1));
}

}  // namespace
}  // namespace nn::ops::detection_postprocessing_test
