#include "ops/tables.h"

namespace nn::ops::generate_proposals_test {
namespace {

constexpr auto GENERATE_PROPOSALS = OperationType::GENERATE_PROPOSALS;

struct Selection {
    int32_t preNmsTopN = 0;
    int32_t postNmsTopN = -1;
    float minSize = 0;
    bool nchw = false;
};

// With strides of 4 and IoU threshold 0.5.
std::vector<Arg> with(Arg scores, Arg deltas, Arg anchors, Arg imageInfo, Selection s = {}) {
    return {std::move(scores), std::move(deltas), std::move(anchors),    std::move(imageInfo),
            real(4),           real(4),           integer(s.preNmsTopN), integer(s.postNmsTopN),
            real(0.5f),        real(s.minSize),   boolean(s.nchw)};
}

const std::vector<Arg> kOutputs{f32({}), f32({}), i32({})};
const Arg kScores = f32({2, 3, 4, 5});
const Arg kDeltas = f32({2, 3, 4, 20});
const Arg kAnchors = f32({5, 4});
const Arg kImageInfo = f32({2, 2});

TEST(GenerateProposals, SaysWhyItRefuses) {
    expectFails(infer, GENERATE_PROPOSALS,
                {{"RankThree", with(f32({3, 4, 5}), kDeltas, kAnchors, kImageInfo), kOutputs,
                  "input 0 'scores' (operand 0) has rank 3, allowed 4 [generate_proposals.rank]"},
                 {"OtherDeltas", with(kScores, f32({2, 3, 4, 5}), kAnchors, kImageInfo), kOutputs,
                  "dimension 3 of input 1 'deltas' (operand 1) is 5, allowed 20 for 5 anchors "
                  "[generate_proposals.shapes]"},
                 {"OtherAnchorsInNchw",
                  with(kScores, kDeltas, kAnchors, kImageInfo, {.nchw = true}), kOutputs,
                  "dimension 3 of input 1 'deltas' (operand 1) is 20, allowed 5 as dimension 3 of "
                  "input 0 'scores' (operand 0) [generate_proposals.shapes]"},
                 {"AnchorScale",
                  with(q8({2, 3, 4, 5}, {}, 1, 0), q8({2, 3, 4, 20}, {}, 1, 0),
                       q16s({5, 4}, {}, 0.5f), q16a({2, 2}, {}, 0.125f, 0)),
                  Out{q8({}, {}, 1, 0), q16a({}, {}, 0.125f, 0), i32({})},
                  "input 2 'anchors' (operand 2) has scale 0.5, allowed 0.125 "
                  "[generate_proposals.quantization]"}});
    expectFails(run, GENERATE_PROPOSALS,
                {{"WrongWayRound",
                  with(f32({1, 1, 1, 1}, {1}), f32({1, 1, 1, 4}, {0, 0, 0, 0}),
                       f32({1, 4}, {4, 0, 0, 4}), f32({1, 2}, {8, 8})),
                  kOutputs,
                  "input 2 'anchors' (operand 2) has box 0 from (4, 0) to (0, 4), allowed x1 <= x2 "
                  "and y1 <= y2 [generate_proposals.anchor]"}});
}

TEST(GenerateProposals, InfersShapes) {
    expectShapes(GENERATE_PROPOSALS, {{"Counts", with(kScores, kDeltas, kAnchors, kImageInfo),
                                       kOutputs, Shapes{{0}, {0, 4}, {0}}}});
}

TEST(GenerateProposals, Computes) {
    // Two pixels with one anchor, which produces the adjacent boxes L and R.
    const Arg scores = f32({1, 1, 2, 1}, {0.5f, 0.9f});
    const Arg deltas = f32({1, 1, 2, 4}, std::vector<float>(8));
    const Arg anchor = f32({1, 4}, {0, 0, 4, 4});
    const Arg image = f32({1, 2}, {8, 8});
    const std::vector<Arg> right{f32({1}, {0.9f}), f32({1, 4}, {4, 0, 8, 4}), i32({1}, {0})};
    const std::vector<Arg> none{f32({0}), f32({0, 4}), i32({0})};
    // Two anchors with equal scores; the second one at the second pixel is moved by its width.
    const Arg anchors = f32({2, 4}, {0, 0, 4, 4, 0, 0, 2, 2});
    const std::vector<Arg> four{f32({4}, {1, 1, 1, 1}),
                                f32({4, 4}, {0, 0, 4, 4, 0, 0, 2, 2, 4, 0, 8, 4, 6, 0, 8, 2}),
                                i32({4}, {0, 0, 0, 0})};
    const Arg ones = f32({1, 1, 2, 2}, {1, 1, 1, 1});
    std::vector<float> moved(16);
    moved[12] = 1;  // pixel 1, channel 4
    std::vector<float> movedNchw(16);
    movedNchw[9] = 1;  // channel 4, pixel 1

    expectComputes(
            GENERATE_PROPOSALS,
            {{"ByScore", with(scores, deltas, anchor, image),
              Out{f32({2}, {0.9f, 0.5f}), f32({2, 4}, {4, 0, 8, 4, 0, 0, 4, 4}), i32({2}, {0, 0})}},
             {"PreNms", with(scores, deltas, anchor, image, {.preNmsTopN = 1}), right},
             {"PostNms", with(scores, deltas, anchor, image, {.postNmsTopN = 1}), right},
             {"PostNmsZero", with(scores, deltas, anchor, image, {.postNmsTopN = 0}), none},
             {"NotAboveMinSize", with(scores, deltas, anchor, image, {.minSize = 4}), none},
             {"WidthNotAboveMinSize",
              with(scores, deltas, f32({1, 4}, {0, 0, 4, 5}), image, {.minSize = 4}), none},
             {"HeightNotAboveMinSize",
              with(scores, deltas, f32({1, 4}, {0, 0, 3, 2}), image, {.minSize = 2}), none},
             {"CutToNothing", with(scores, deltas, anchor, f32({1, 2}, {8, 4})),
              Out{f32({1}, {0.5f}), f32({1, 4}, {0, 0, 4, 4}), i32({1}, {0})}},
             {"Overlapping",  // moved onto R, with an IoU of 1
              with(scores, f32({1, 1, 2, 4}, {1, 0, 0, 0, 0, 0, 0, 0}), anchor, image), right},
             {"TwoImages",
              with(f32({2, 1, 1, 1}, {0.5f, 0.9f}), f32({2, 1, 1, 4}, std::vector<float>(8)),
                   anchor, f32({2, 2}, {8, 8, 3, 2})),
              Out{f32({2}, {0.5f, 0.9f}), f32({2, 4}, {0, 0, 4, 4, 0, 0, 2, 3}), i32({2}, {0, 1})}},
             {"EqualScoresKeepTheirOrder", with(ones, f32({1, 1, 2, 8}, moved), anchors, image),
              four},
             {"Nchw",
              with(f32({1, 2, 1, 2}, {1, 1, 1, 1}), f32({1, 8, 1, 2}, movedNchw), anchors, image,
                   {.nchw = true}),
              four},
             {"Half",
              In{f16({1, 1, 1, 1}, {0.5f}), f16({1, 1, 1, 4}, {0, 0, 0, 0}),
                 f16({1, 4}, {0, 0, 4, 4}), f16({1, 2}, {8, 8}), real16(4), real16(4), integer(0),
                 integer(-1), real16(0.5f), real16(0), boolean(false)},
              Out{f16({1}, {0.5f}), f16({1, 4}, {0, 0, 4, 4}), i32({1}, {0})}},
             {"Quantized",
              with(q8({1, 1, 1, 1}, {110}, 0.0625f, 100),
                   q8({1, 1, 1, 4}, {102, 100, 100, 100}, 0.5f, 100),
                   q16s({1, 4}, {0, 0, 32, 32}, 0.125f), q16a({1, 2}, {64, 64}, 0.125f, 0)),
              Out{q8({1}, {110}, 0.0625f, 100), q16a({1, 4}, {32, 0, 64, 32}, 0.125f, 0),
                  i32({1}, {0})}}});
}

// The first of two boxes is compared with both, the second with itself.
TEST(GenerateProposals, CountsItsSteps) {
    EXPECT_EQ(
            stepsOf(GENERATE_PROPOSALS,
                    with(f32({1, 1, 2, 1}, {0.5f, 0.9f}), f32({1, 1, 2, 4}, std::vector<float>(8)),
                         f32({1, 4}, {0, 0, 4, 4}), f32({1, 2}, {8, 8})),
                    kOutputs),
            2u * (2 + 1));
}

}  // namespace
}  // namespace nn::ops::generate_proposals_test
