#include "ops/tables.h"

namespace nn::ops::heatmap_max_keypoint_test {
namespace {

constexpr auto HEATMAP_MAX_KEYPOINT = OperationType::HEATMAP_MAX_KEYPOINT;

std::vector<Arg> with(Arg heatmap, Arg boxes, bool nchw = false) {
    return {std::move(heatmap), std::move(boxes), boolean(nchw)};
}

TEST(HeatmapMaxKeypoint, SaysWhyItRefuses) {
    const std::vector<Arg> outputs{f32({}), f32({})};
    expectFails(
            infer, HEATMAP_MAX_KEYPOINT,
            {{"RankThree", with(f32({4, 4, 2}), f32({3, 4})), outputs,
              "input 0 'heatmap' (operand 0) has rank 3, allowed 4 [heatmap_max_keypoint.rank]"},
             {"OtherBoxes", with(f32({3, 4, 4, 2}), f32({2, 4})), outputs,
              "dimension 0 of input 1 'boxes' (operand 1) is 2, allowed 3 as dimension 0 of input "
              "0 'heatmap' (operand 0) [heatmap_max_keypoint.boxes]"},
             {"NotSquare", with(f32({3, 4, 5, 2}), f32({3, 4})), outputs,
              "dimension 1 of input 0 'heatmap' (operand 0) is 4, allowed 5 as dimension 2 of "
              "input 0 'heatmap' (operand 0) [heatmap_max_keypoint.square]"},
             {"OnePixel", with(f32({3, 2, 1, 1}), f32({3, 4}), true), outputs,
              "dimension 2 of input 0 'heatmap' (operand 0) is 1, allowed 2 or more "
              "[heatmap_max_keypoint.size]"},
             {"KeypointScale", with(q8({3, 4, 4, 2}, {}, 1, 0), q16a({3, 4}, {}, 0.125f, 0)),
              Out{q8({}, {}, 1, 0), q16a({}, {}, 1, 0)},
              "output 1 'keypoints' (operand 4) has scale 1 and zeroPoint 0, allowed 0.125 and 0 "
              "[heatmap_max_keypoint.quantization]"}});
    expectFails(run, HEATMAP_MAX_KEYPOINT,
                {{"WrongWayRound", with(f32({1, 2, 2, 1}, {0, 0, 0, 1}), f32({1, 4}, {1, 0, 0, 1})),
                  outputs,
                  "input 1 'boxes' (operand 1) has box 0 from (1, 0) to (0, 1), allowed x1 <= x2 "
                  "and y1 <= y2 [heatmap_max_keypoint.box]"}});
}

TEST(HeatmapMaxKeypoint, InfersShapes) {
    const Arg unknownFlag{.type = BOOL};
    expectShapes(HEATMAP_MAX_KEYPOINT,
                 {{"Nchw", with(f32({0, 5, 4, 4}), f32({3, 4}), true), Out{f32({}), f32({})},
                   Shapes{{3, 5}, {3, 5, 2}}},
                  {"UnknownLayout", In{f32({3, 4, 4, 2}), f32({3, 4}), unknownFlag},
                   Out{f32({}), f32({})}, Shapes{{3, 0}, {3, 0, 2}}}});
}

TEST(HeatmapMaxKeypoint, Computes) {
    const Arg box = f32({1, 4}, {0, 0, 6, 6});
    expectComputes(
            HEATMAP_MAX_KEYPOINT,
            {{"Symmetric", with(f32({1, 3, 3, 1}, {0, 0, 0, 0, 1, 0, 0, 0, 0}), box),
              Out{f32({1, 1}, {1}), f32({1, 1, 2}, {3, 3})}},
             {"LeansRight",  // dx = 1 / 6
              with(f32({1, 3, 3, 1}, {0, 0, 0, 0, 1, 0.5f, 0, 0, 0}), box),
              Out{f32({1, 1}, {1.0208333f}), f32({1, 1, 2}, {10 / 3.0f, 3})}},
             {"FlatTakesTheFirst", with(f32({1, 3, 3, 1}, std::vector<float>(9, 2)), box),
              Out{f32({1, 1}, {2}), f32({1, 1, 2}, {1, 1})}},
             {"RidgeStaysAtItsPixel",  // the determinant is 0
              with(f32({1, 3, 3, 1}, {0.5f, 0, -3.5f, 0, 1, 0, -3.5f, 0, 0.5f}), box),
              Out{f32({1, 1}, {1}), f32({1, 1, 2}, {3, 3})}},
             {"StepIsShortened",  // from (2, 2) to (1.5, 1.5)
              with(f32({1, 3, 3, 1}, {0.96f, 0.7f, 0.28f, 0.7f, 1, 0.9f, 0.28f, 0.9f, 1}), box),
              Out{f32({1, 1}, {1.1875f}), f32({1, 1, 2}, {6, 6})}},
             {"MirroredAtEdgesNhwc",
              with(f32({1, 2, 2, 2}, {1, 0, 0, 0, 0, 0, 0, 2}), f32({1, 4}, {0, 0, 4, 4})),
              Out{f32({1, 2}, {1, 2}), f32({1, 2, 2}, {1, 1, 3, 3})}},
             {"MirroredAtEdgesNchw",
              with(f32({1, 2, 2, 2}, {1, 0, 0, 0, 0, 0, 0, 2}), f32({1, 4}, {0, 0, 4, 4}), true),
              Out{f32({1, 2}, {1, 2}), f32({1, 2, 2}, {1, 1, 3, 3})}}});
}

}  // namespace
}  // namespace nn::ops::heatmap_max_keypoint_test
