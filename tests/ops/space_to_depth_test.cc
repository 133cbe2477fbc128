#include "ops/tables.h"

namespace nn::ops::space_to_depth_test {
namespace {

constexpr auto SPACE_TO_DEPTH = OperationType::SPACE_TO_DEPTH;

TEST(SpaceToDepth, SaysWhyPreparationFails) {
    expectFails(infer, SPACE_TO_DEPTH,
                {{"RankThree", In{f32({1, 2, 4}), integer(2)},
                  "input 0 'input' (operand 0) has rank 3, allowed 4 [space_to_depth.rank]"},
                 {"BlockZero", In{f32({1, 2, 2, 4}), integer(0)},
                  "input 1 'blockSize' (operand 1) is 0, allowed above 0 [space_to_depth.block]"},
                 {"Uneven", In{f32({1, 2, 3, 4}), integer(2)},
                  "dimension 2 of input 0 'input' (operand 0) is 3, allowed a multiple of 2 as the "
                  "block size [space_to_depth.divides]"},
                 {"TooLarge", In{f32({0, 0, 0, 2}), integer(65536)},
                  "dimension 3 of output 0 'output' (operand 2) is 8589934592, allowed up to "
                  "4294967295 [space_to_depth.size]"},
                 {"OtherScale", In{q8({1, 2, 2, 4}, {}, 1, 3), integer(2)}, Out{q8({}, {}, 2, 3)},
                  "output 0 'output' (operand 2) has scale 2 and zeroPoint 3, allowed 1 and 3 as "
                  "input 0 'input' (operand 0) [space_to_depth.quantization]"}});
}

TEST(SpaceToDepth, InfersShapes) {
    expectShapes(SPACE_TO_DEPTH,
                 {{"UnknownBlock", In{f32({3, 2, 2, 4}), as(INT32, i32({}))}, Shapes{{3, 0, 0, 0}}},
                  {"UnknownLayout", In{f32({3, 2, 2, 4}), integer(2), as(BOOL, b8({}))},
                   Shapes{{3, 0, 0, 0}}},
                  {"UnknownDimension", In{f32({3, 0, 2, 4}), integer(2)}, Shapes{{3, 0, 1, 16}}},
                  {"UnknownRank", In{f32({}), integer(2)}, Shapes{{0, 0, 0, 0}}}});
}

}  // namespace
}  // namespace nn::ops::space_to_depth_test
