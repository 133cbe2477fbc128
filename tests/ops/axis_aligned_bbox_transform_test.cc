#include "ops/tables.h"

namespace nn::ops::axis_aligned_bbox_transform_test {
namespace {

constexpr auto AXIS_ALIGNED_BBOX_TRANSFORM = OperationType::AXIS_ALIGNED_BBOX_TRANSFORM;

const Arg kRoi = f32({3, 4});
const Arg kDeltas = f32({3, 8});
const Arg kBatchIndex = i32({3});
const Arg kImageInfo = f32({2, 2});

TEST(AxisAlignedBboxTransform, SaysWhyItRefuses) {
    expectFails(
            infer, AXIS_ALIGNED_BBOX_TRANSFORM,
            {{"RankThree", In{f32({1, 3, 4}), kDeltas, kBatchIndex, kImageInfo},
              "input 0 'roi' (operand 0) has rank 3, allowed 2 [axis_aligned_bbox_transform.rank]"},
             {"DeltasNotByFour", In{kRoi, f32({3, 6}), kBatchIndex, kImageInfo},
              "dimension 1 of input 1 'deltas' (operand 1) is 6, allowed a multiple of 4 above 0 "
              "[axis_aligned_bbox_transform.shapes]"},
             {"OtherBatches", In{kRoi, kDeltas, i32({2}), kImageInfo},
              "dimension 0 of input 2 'batchIndex' (operand 2) is 2, allowed 3 as dimension 0 of "
              "input 0 'roi' (operand 0) [axis_aligned_bbox_transform.shapes]"},
             {"OutputScale",
              In{q16a({3, 4}, {}, 0.125f, 0), q8({3, 8}, {}, 1, 0), kBatchIndex,
                 q16a({2, 2}, {}, 0.125f, 0)},
              Out{q16a({}, {}, 0.125f, 1)},
              "output 0 'output' (operand 4) has scale 0.125 and zeroPoint 1, allowed 0.125 and 0 "
              "[axis_aligned_bbox_transform.quantization]"}});
    const Arg deltas = f32({1, 4}, {0, 0, 0, 0});
    const Arg info = f32({1, 2}, {9, 9});
    expectFails(run, AXIS_ALIGNED_BBOX_TRANSFORM,
                {{"BatchNegative", In{f32({1, 4}, {0, 0, 1, 1}), deltas, i32({1}, {-1}), info},
                  "element 0 of input 2 'batchIndex' (operand 2) is -1, allowed 0 to 0 "
                  "[axis_aligned_bbox_transform.batch_index]"},
                 {"WrongWayRound", In{f32({1, 4}, {0, 2, 1, 1}), deltas, i32({1}, {0}), info},
                  "input 0 'roi' (operand 0) has box 0 from (0, 2) to (1, 1), allowed x1 <= x2 and "
                  "y1 <= y2 [axis_aligned_bbox_transform.box]"}});
}

TEST(AxisAlignedBboxTransform, InfersShapes) {
    expectShapes(AXIS_ALIGNED_BBOX_TRANSFORM,
                 {{"UnknownRoi", In{f32({}), f32({0, 8}), i32({}), f32({})}, Shapes{{0, 8}}}});
}

TEST(AxisAlignedBboxTransform, Computes) {
    constexpr float kLn2 = 0.6931472f;
    const Arg roi = f32({1, 4}, {2, 2, 6, 10});
    expectComputes(AXIS_ALIGNED_BBOX_TRANSFORM, {{"IsCutToItsImage",
                                                  In{roi, f32({1, 4}, {0.5f, 0.25f, kLn2, 0}),
                                                     i32({1}, {1}), f32({2, 2}, {1, 1, 11, 9})},
                                                  Out{f32({1, 4}, {2, 4, 9, 11})}}});
}

}  // namespace
}  // namespace nn::ops::axis_aligned_bbox_transform_test
