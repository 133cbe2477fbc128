#include "ops/tables.h"

namespace nn::ops::batch_to_space_nd_test {
namespace {

constexpr auto BATCH_TO_SPACE_ND = OperationType::BATCH_TO_SPACE_ND;

TEST(BatchToSpaceNd, NeedsTheLeastVersion) {
    expectNeeds(BATCH_TO_SPACE_ND,
                {{"Float", {f32({4, 1, 1, 1}), i32({2})}, {f32({})}, V1_1},
                 {"Quantised", {q8({4, 1, 1, 1}, {}, 1, 3), i32({2})}, {q8({}, {}, 1, 3)}, V1_1},
                 {"Half", {f16({4, 1, 1, 1}), i32({2})}, {f16({})}, V1_2},
                 {"Layout", {f32({4, 1, 1, 1}), i32({2}), boolean(false)}, {f32({})}, V1_2},
                 {"Signed", {qs8({4, 1, 1, 1}, {}, 1, 3), i32({2})}, {qs8({}, {}, 1, 3)}, V1_3}});
}

TEST(BatchToSpaceNd, SaysWhyPreparationFails) {
    expectFails(infer, BATCH_TO_SPACE_ND,
                {{"RankThree",
                  {f32({4, 1, 1}), i32({2}, {2, 2})},
                  {f32({})},
                  "input 0 'input' (operand 0) has rank 3, allowed 4 [batch_to_space_nd.rank]"},
                 {"OneBlock",
                  {f32({4, 1, 1, 1}), i32({1}, {2})},
                  {f32({})},
                  "input 1 'blockSize' (operand 1) has dimensions [1], allowed [2] "
                  "[batch_to_space_nd.block]"},
                 {"BlockZero",
                  {f32({4, 1, 1, 1}), i32({2}, {2, 0})},
                  {f32({})},
                  "element 1 of input 1 'blockSize' (operand 1) is 0, allowed 1 or more "
                  "[batch_to_space_nd.block]"},
                 {"Batches",
                  {f32({5, 1, 1, 1}), i32({2}, {2, 2})},
                  {f32({})},
                  "input 0 'input' (operand 0) has 5 batches, allowed a multiple of 4 as the size "
                  "of a block [batch_to_space_nd.batches]"},
                 {"TooLarge",
                  {f32({0, 1, 3, 1}), i32({2}, {1, INT32_MAX})},
                  {f32({})},
                  "dimension 2 of output 0 'output' (operand 2) is 6442450941, allowed up to "
                  "4294967295 [batch_to_space_nd.size]"},
                 {"OtherScale",
                  {q8({4, 1, 1, 1}, {}, 1, 3), i32({2})},
                  {q8({}, {}, 2, 3)},
                  "output 0 'output' (operand 2) has scale 2 and zeroPoint 3, allowed 1 and 3 as "
                  "input 0 'input' (operand 0) [batch_to_space_nd.quantization]"}});
}

TEST(BatchToSpaceNd, InfersShapes) {
    expectShapes(
            BATCH_TO_SPACE_ND,
            {{"UnknownBlock", {f32({4, 1, 1, 3}), i32({2})}, {f32({})}, {{0, 0, 0, 3}}},
             {"UnknownLayout",
              {f32({4, 1, 1, 3}), i32({2}, {2, 2}), as(BOOL, b8({}))},
              {f32({})},
              {{1, 0, 0, 0}}},
             {"UnknownDimension", {f32({0, 1, 0, 3}), i32({2}, {2, 3})}, {f32({})}, {{0, 2, 0, 3}}},
             {"UnknownRank", {f32({}), i32({2}, {2, 2})}, {f32({})}, {{0, 0, 0, 0}}},
             {"Nchw",
              {f32({6, 5, 1, 3}), i32({2}, {2, 3}), boolean(true)},
              {f32({})},
              {{1, 5, 2, 9}}}});
}

TEST(BatchToSpaceNd, Computes) {
    expectComputes(BATCH_TO_SPACE_ND,
                   {{"Nhwc",
                     {f32({4, 1, 1, 2}, {1, 2, 3, 4, 5, 6, 7, 8}), i32({2}, {2, 2})},
                     {f32({1, 2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8})}},
                    {"TwoBatches",
                     {q8({4, 1, 2, 1}, {1, 2, 3, 4, 5, 6, 7, 8}, 1, 0), i32({2}, {1, 2})},
                     {q8({2, 1, 4, 1}, {1, 5, 2, 6, 3, 7, 4, 8}, 1, 0)}},
                    {"Nchw",
                     {f16({4, 2, 1, 1}, {1, 2, 3, 4, 5, 6, 7, 8}), i32({2}, {2, 2}), boolean(true)},
                     {f16({1, 2, 2, 2}, {1, 3, 5, 7, 2, 4, 6, 8})}}});
}

}  // namespace
}  // namespace nn::ops::batch_to_space_nd_test
