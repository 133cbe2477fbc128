#include "ops/tables.h"

namespace nn::ops::depth_to_space_test {
namespace {

constexpr auto DEPTH_TO_SPACE = OperationType::DEPTH_TO_SPACE;

TEST(DepthToSpace, SaysWhyPreparationFails) {
    expectFails(infer, DEPTH_TO_SPACE,
                {{"RankThree", In{f32({1, 2, 4}), integer(2)},
                  "input 0 'input' (operand 0) has rank 3, allowed 4 [depth_to_space.rank]"},
                 {"BlockZero", In{f32({1, 2, 2, 4}), integer(0)},
                  "input 1 'blockSize' (operand 1) is 0, allowed above 0 [depth_to_space.block]"},
                 {"Depth", In{f32({1, 2, 2, 6}), integer(2)},
                  "input 0 'input' (operand 0) has 6 channels, allowed a multiple of 4 as the "
                  "square of the block size [depth_to_space.depth]"},
                 {"LargestBlock", In{f32({0, 0, 0, 6}), integer(INT32_MAX)},
                  "input 0 'input' (operand 0) has 6 channels, allowed a multiple of "
                  "4611686014132420609 as the square of the block size [depth_to_space.depth]"},
                 {"TooLarge", In{f32({1, 4, 1, 6}), integer(INT32_MAX)},
                  "dimension 1 of output 0 'output' (operand 2) is 8589934588, allowed up to "
                  "4294967295 [depth_to_space.size]"},
                 {"OtherScale", In{q8({1, 2, 2, 4}, {}, 1, 3), integer(2)}, Out{q8({}, {}, 2, 3)},
                  "output 0 'output' (operand 2) has scale 2 and zeroPoint 3, allowed 1 and 3 as "
                  "input 0 'input' (operand 0) [depth_to_space.quantization]"}});
}

TEST(DepthToSpace, InfersShapes) {
    expectShapes(DEPTH_TO_SPACE,
                 {{"UnknownBlock", In{f32({3, 2, 2, 4}), as(INT32, i32({}))}, Shapes{{3, 0, 0, 0}}},
                  {"UnknownLayout", In{f32({3, 2, 2, 4}), integer(2), as(BOOL, b8({}))},
                   Shapes{{3, 0, 0, 0}}},
                  {"UnknownDimension", In{f32({3, 0, 2, 4}), integer(2)}, Shapes{{3, 0, 4, 1}}},
                  {"UnknownRank", In{f32({}), integer(2)}, Shapes{{0, 0, 0, 0}}}});
}

}  // namespace
}  // namespace nn::ops::depth_to_space_test
