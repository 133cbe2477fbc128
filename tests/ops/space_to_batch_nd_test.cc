#include "ops/tables.h"

namespace nn::ops::space_to_batch_nd_test {
namespace {

constexpr auto SPACE_TO_BATCH_ND = OperationType::SPACE_TO_BATCH_ND;

TEST(SpaceToBatchNd, NeedsTheLeastVersion) {
    expectNeeds(SPACE_TO_BATCH_ND,
                {{"ZeroPoint", In{q8({1, 2, 2, 1}, {}, 1, 3), i32({2}), i32({2, 2})},
                  Out{q8({}, {}, 1, 3)}, V1_2}});
}

TEST(SpaceToBatchNd, SaysWhyPreparationFails) {
    const Arg none = i32({2, 2}, {0, 0, 0, 0});
    expectFails(
            infer, SPACE_TO_BATCH_ND,
            {{"RankThree", In{f32({1, 2, 2}), i32({2}, {2, 2}), none},
              "input 0 'input' (operand 0) has rank 3, allowed 4 [space_to_batch_nd.rank]"},
             {"BlockZero", In{f32({1, 2, 2, 1}), i32({2}, {0, 2}), none},
              "element 0 of input 1 'blockSize' (operand 1) is 0, allowed 1 or more "
              "[space_to_batch_nd.block]"},
             {"PaddingsOfOtherShape",
              In{f32({1, 2, 2, 1}), i32({2}, {2, 2}), i32({4}, {0, 0, 0, 0})},
              "input 2 'paddings' (operand 2) has dimensions [4], allowed [2, 2] "
              "[space_to_batch_nd.paddings]"},
             {"NegativePadding",
              In{f32({1, 2, 2, 1}), i32({2}, {2, 2}), i32({2, 2}, {0, 0, 0, -2})},
              "element 3 of input 2 'paddings' (operand 2) is -2, allowed 0 or more "
              "[space_to_batch_nd.paddings]"},
             {"Uneven", In{f32({1, 2, 2, 1}), i32({2}, {2, 2}), i32({2, 2}, {0, 0, 1, 0})},
              "dimension 2 of input 0 'input' (operand 0) is 3 with paddings, allowed a multiple "
              "of 2 as the block size [space_to_batch_nd.divides]"},
             {"TooManyBatches",
              In{f32({UINT32_MAX, 0, 0, 1}), i32({2}, {INT32_MAX, INT32_MAX}), none},
              "dimension 0 of output 0 'output' (operand 3) is 18446744073709551615, allowed up to "
              "4294967295 [space_to_batch_nd.size]"},
             {"OtherScale", In{q8({1, 2, 2, 1}, {}, 1, 3), i32({2}), none}, Out{q8({}, {}, 2, 3)},
              "output 0 'output' (operand 3) has scale 2 and zeroPoint 3, allowed 1 and 3 as input "
              "0 'input' (operand 0) [space_to_batch_nd.quantization]"}});
}

TEST(SpaceToBatchNd, InfersShapes) {
    const Arg pads = i32({2, 2}, {1, 0, 0, 2});
    expectShapes(SPACE_TO_BATCH_ND,
                 {{"UnknownBlock", In{f32({1, 3, 2, 5}), i32({2}), pads}, Shapes{{0, 0, 0, 5}}},
                  {"UnknownPaddings", In{f32({1, 3, 2, 5}), i32({2}, {2, 2}), i32({2, 2})},
                   Shapes{{4, 0, 0, 5}}},
                  {"UnknownLayout", In{f32({1, 3, 2, 5}), i32({2}, {2, 2}), pads, as(BOOL, b8({}))},
                   Shapes{{4, 0, 0, 0}}},
                  {"UnknownDimension", In{f32({1, 0, 2, 5}), i32({2}, {2, 2}), pads},
                   Shapes{{4, 0, 2, 5}}}});
}

TEST(SpaceToBatchNd, Computes) {
    expectComputes(SPACE_TO_BATCH_ND,
                   {{"BlockLargerThanTheInput",
                     In{f32({1, 1, 1, 1}, {5}), i32({2}, {1, 3}), i32({2, 2}, {0, 0, 1, 1})},
                     Out{f32({3, 1, 1, 1}, {0, 5, 0})}}});
}

}  // namespace
}  // namespace nn::ops::space_to_batch_nd_test
