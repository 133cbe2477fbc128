#include "ops/tables.h"

namespace nn::ops::box_with_nms_limit_test {
namespace {

constexpr auto BOX_WITH_NMS_LIMIT = OperationType::BOX_WITH_NMS_LIMIT;

struct Selection {
    int32_t maxDetections = -1;
    int32_t kernel = 0;
    float iouThreshold = 0.4f;
    float nmsScoreThreshold = 0.05f;
};

// With score threshold and sigma 0.5.
std::vector<Arg> with(Arg scores, Arg roi, Arg batchIndex, Selection s = {}) {
    return {std::move(scores),        std::move(roi),    std::move(batchIndex), real(0.5f),
            integer(s.maxDetections), integer(s.kernel), real(s.iouThreshold),  real(0.5f),
            real(s.nmsScoreThreshold)};
}

const std::vector<Arg> kOutputs{f32({}), f32({}), i32({}), i32({})};

TEST(BoxWithNmsLimit, SaysWhyItRefuses) {
    expectFails(infer, BOX_WITH_NMS_LIMIT,
                {{"RankThree", with(f32({1, 3, 2}), f32({3, 8}), i32({3})), kOutputs,
                  "input 0 'scores' (operand 0) has rank 3, allowed 2 [box_with_nms_limit.rank]"},
                 {"OneClass", with(f32({3, 1}), f32({3, 4}), i32({3})), kOutputs,
                  "dimension 1 of input 0 'scores' (operand 0) is 1, allowed 2 or more "
                  "[box_with_nms_limit.shapes]"},
                 {"OneBoxForAll", with(f32({3, 2}), f32({3, 4}), i32({3})), kOutputs,
                  "dimension 1 of input 1 'roi' (operand 1) is 4, allowed 8 for 2 classes "
                  "[box_with_nms_limit.shapes]"},
                 {"Kernel", with(f32({3, 2}), f32({3, 8}), i32({3}), {.kernel = 3}), kOutputs,
                  "input 5 'kernel' (operand 5) is 3, allowed 0 (hard), 1 (linear) or 2 (gaussian) "
                  "[box_with_nms_limit.kernel]"},
                 {"RoiScale", with(q8({3, 2}, {}, 1, 0), q16a({3, 8}, {}, 1, 0), i32({3})),
                  Out{q8({}, {}, 1, 0), q16a({}, {}, 0.125f, 0), i32({}), i32({})},
                  "input 1 'roi' (operand 1) has scale 1 and zeroPoint 0, allowed 0.125 and 0 "
                  "[box_with_nms_limit.quantization]"}});
    expectFails(run, BOX_WITH_NMS_LIMIT,
                {{"BatchNegative",
                  with(f32({1, 2}, {0, 1}), f32({1, 8}, std::vector<float>(8)), i32({1}, {-1})),
                  kOutputs,
                  "element 0 of input 2 'batchIndex' (operand 2) is -1, allowed 0 or more "
                  "[box_with_nms_limit.batch_index]"},
                 {"WrongWayRound",
                  with(f32({1, 2}, {0, 1}), f32({1, 8}, {0, 0, 0, 0, 0, 2, 0, 1}), i32({1}, {0})),
                  kOutputs,
                  "input 1 'roi' (operand 1) has box 0 of class 1 from (0, 2) to (0, 1), allowed "
                  "x1 <= x2 and y1 <= y2 [box_with_nms_limit.box]"}});
}

TEST(BoxWithNmsLimit, InfersShapes) {
    expectShapes(BOX_WITH_NMS_LIMIT, {{"Counts", with(f32({3, 2}), f32({3, 8}), i32({3})), kOutputs,
                                       Shapes{{0}, {0, 4}, {0}, {0}}}});
}

// Three regions with the background's box and one of class 1: B is the half of A, C is elsewhere.
const Arg kScores = f32({3, 2}, {1, 0.9f, 1, 0.8f, 1, 0.7f});
const Arg kRoi = f32({3, 8}, {0, 0, 0, 0, 0,  0,  10, 10,  //
                              0, 0, 0, 0, 0,  0,  10, 5,   //
                              0, 0, 0, 0, 20, 20, 30, 30});
const Arg kTogether = i32({3}, {4, 4, 4});
const std::vector<float> kA{0, 0, 10, 10}, kB{0, 0, 10, 5}, kC{20, 20, 30, 30};

std::vector<float> joined(const std::vector<std::vector<float>>& boxes) {
    std::vector<float> all;
    for (const auto& box : boxes) all.insert(all.end(), box.begin(), box.end());
    return all;
}

TEST(BoxWithNmsLimit, Computes) {
    expectComputes(
            BOX_WITH_NMS_LIMIT,
            {{"Hard", with(kScores, kRoi, kTogether),
              Out{f32({2}, {0.9f, 0.7f}), f32({2, 4}, joined({kA, kC})), i32({2}, {1, 1}),
                  i32({2}, {4, 4})}},
             {"BelowTheIouThreshold", with(kScores, kRoi, kTogether, {.iouThreshold = 0.6f}),
              Out{f32({3}, {0.9f, 0.8f, 0.7f}), f32({3, 4}, joined({kA, kB, kC})),
                  i32({3}, {1, 1, 1}), i32({3}, {4, 4, 4})}},
             {"AtTheIouThreshold", with(kScores, kRoi, kTogether, {.iouThreshold = 0.5f}),
              Out{f32({2}, {0.9f, 0.7f}), f32({2, 4}, joined({kA, kC})), i32({2}, {1, 1}),
                  i32({2}, {4, 4})}},
             {"SuppressedRemainWithoutThreshold",
              with(kScores, kRoi, kTogether, {.nmsScoreThreshold = 0}),
              Out{f32({3}, {0.9f, 0.7f, 0}), f32({3, 4}, joined({kA, kC, kB})), i32({3}, {1, 1, 1}),
                  i32({3}, {4, 4, 4})}},
             {"Linear", with(kScores, kRoi, kTogether, {.kernel = 1}),
              Out{f32({3}, {0.9f, 0.7f, 0.4f}), f32({3, 4}, joined({kA, kC, kB})),
                  i32({3}, {1, 1, 1}), i32({3}, {4, 4, 4})}},
             {"Gaussian", with(kScores, kRoi, kTogether, {.kernel = 2}),
              Out{f32({3}, {0.9f, 0.7f, 0.4852245f}), f32({3, 4}, joined({kA, kC, kB})),
                  i32({3}, {1, 1, 1}), i32({3}, {4, 4, 4})}},
             {"FirstIsNotCompared", with(kScores, kRoi, kTogether, {.nmsScoreThreshold = 2}),
              Out{f32({1}, {0.9f}), f32({1, 4}, kA), i32({1}, {1}), i32({1}, {4})}},
             {"AtMostOne", with(kScores, kRoi, kTogether, {.maxDetections = 1}),
              Out{f32({1}, {0.9f}), f32({1, 4}, kA), i32({1}, {1}), i32({1}, {4})}},
             {"None", with(kScores, kRoi, kTogether, {.maxDetections = 0}),
              Out{f32({0}), f32({0, 4}), i32({0}), i32({0})}},
             {"ReturningBatchIsAnotherGroup", with(kScores, kRoi, i32({3}, {1, 0, 1})),
              Out{f32({3}, {0.9f, 0.8f, 0.7f}), f32({3, 4}, joined({kA, kB, kC})),
                  i32({3}, {1, 1, 1}), i32({3}, {1, 0, 1})}},
             {"ByClassAndThenByScore",
              with(f32({2, 3}, {0, 0.6f, 0.9f, 0, 0.8f, 0.7f}),
                   f32({2, 12}, joined({kA, kA, kB, kC, kC, kC})), i32({2}, {0, 0}),
                   {.maxDetections = 3}),
              Out{f32({3}, {0.8f, 0.9f, 0.7f}), f32({3, 4}, joined({kC, kB, kC})),
                  i32({3}, {1, 2, 2}), i32({3}, {0, 0, 0})}},
             {"Half",
              In{f16({1, 2}, {1, 0.75f}), f16({1, 8}, {0, 0, 0, 0, 1, 2, 3, 4}), i32({1}, {0}),
                 real16(0.5f), integer(-1), integer(0), real16(0.4f), real16(0.5f), real16(0.05f)},
              Out{f16({1}, {0.75f}), f16({1, 4}, {1, 2, 3, 4}), i32({1}, {1}), i32({1}, {0})}},
             {"Quantized",
              with(q8({1, 2}, {0, 110}, 0.0625f, 100),
                   q16a({1, 8}, {0, 0, 0, 0, 1, 2, 3, 4}, 0.125f, 0), i32({1}, {0})),
              Out{q8({1}, {110}, 0.0625f, 100), q16a({1, 4}, {1, 2, 3, 4}, 0.125f, 0),
                  i32({1}, {1}), i32({1}, {0})}},
             {"NoRegions", with(f32({0, 2}), f32({0, 8}), i32({0})),
              Out{f32({0}), f32({0, 4}), i32({0}), i32({0})}}});
}

// The first of three boxes drops the second, and then the third is compared with itself.
TEST(BoxWithNmsLimit, CountsItsSteps) {
    EXPECT_EQ(stepsOf(BOX_WITH_NMS_LIMIT, with(kScores, kRoi, kTogether), kOutputs), 2u * (3 + 1));
}

}  // namespace
}  // namespace nn::ops::box_with_nms_limit_test
