#include "ops/tables.h"

namespace nn::ops::batch_to_space_nd_test {
namespace {

constexpr auto BATCH_TO_SPACE_ND = OperationType::BATCH_TO_SPACE_ND;

TEST(BatchToSpaceNd, SaysWhyPreparationFails) {
    expectFails(infer, BATCH_TO_SPACE_ND,
                {{"RankThree", In{f32({4, 1, 1}), i32({2}, {2, 2})},
                  "input 0 'input' (operand 0) has rank 3, allowed 4 [batch_to_space_nd.rank]"},
                 {"OneBlock", In{f32({4, 1, 1, 1}), i32({1}, {2})},
                  "input 1 'blockSize' (operand 1) has dimensions [1], allowed [2] "
                  "[batch_to_space_nd.block]"},
                 {"BlockZero", In{f32({4, 1, 1, 1}), i32({2}, {2, 0})},
                  "element 1 of input 1 'blockSize' (operand 1) is 0, allowed 1 or more "
                  "[batch_to_space_nd.block]"},
                 {"Batches", In{f32({5, 1, 1, 1}), i32({2}, {2, 2})},
                  "input 0 'input' (operand 0) has 5 batches, allowed a multiple of 4 as the size "
                  "of a block [batch_to_space_nd.batches]"},
                 {"TooLarge", In{f32({0, 1, 3, 1}), i32({2}, {1, INT32_MAX})},
                  "dimension 2 of output 0 'output' (operand 2) is 6442450941, allowed up to "
                  "4294967295 [batch_to_space_nd.size]"},
                 {"OtherScale", In{q8({4, 1, 1, 1}, {}, 1, 3), i32({2})}, Out{q8({}, {}, 2, 3)},
                  "output 0 'output' (operand 2) has scale 2 and zeroPoint 3, allowed 1 and 3 as "
                  "input 0 'input' (operand 0) [batch_to_space_nd.quantization]"}});
}

TEST(BatchToSpaceNd, InfersShapes) {
    expectShapes(
            BATCH_TO_SPACE_ND,
            {{"UnknownBlock", In{f32({4, 1, 1, 3}), i32({2})}, Shapes{{0, 0, 0, 3}}},
             {"UnknownLayout", In{f32({4, 1, 1, 3}), i32({2}, {2, 2}), as(BOOL, b8({}))},
              Shapes{{1, 0, 0, 0}}},
             {"UnknownDimension", In{f32({0, 1, 0, 3}), i32({2}, {2, 3})}, Shapes{{0, 2, 0, 3}}},
             {"UnknownRank", In{f32({}), i32({2}, {2, 2})}, Shapes{{0, 0, 0, 0}}}});
}

}  // namespace
}  // namespace nn::ops::batch_to_space_nd_test
