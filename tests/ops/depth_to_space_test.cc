#include "ops/tables.h"

namespace nn::ops::depth_to_space_test {
namespace {

constexpr auto DEPTH_TO_SPACE = OperationType::DEPTH_TO_SPACE;

TEST(DepthToSpace, NeedsTheLeastVersion) {
    expectNeeds(DEPTH_TO_SPACE,
                {{"Float", {f32({1, 2, 2, 4}), integer(2)}, {f32({})}, V1_0},
                 {"Quantised", {q8({1, 2, 2, 4}, {}, 1, 3), integer(2)}, {q8({}, {}, 1, 3)}, V1_0},
                 {"Half", {f16({1, 2, 2, 4}), integer(2)}, {f16({})}, V1_2},
                 {"Layout", {f32({1, 2, 2, 4}), integer(2), boolean(false)}, {f32({})}, V1_2},
                 {"Signed", {qs8({1, 2, 2, 4}, {}, 1, 3), integer(2)}, {qs8({}, {}, 1, 3)}, V1_3}});
}

TEST(DepthToSpace, SaysWhyPreparationFails) {
    expectFails(infer, DEPTH_TO_SPACE,
                {{"RankThree",
                  {f32({1, 2, 4}), integer(2)},
                  {f32({})},
                  "input 0 'input' (operand 0) has rank 3, allowed 4 [depth_to_space.rank]"},
                 {"BlockZero",
                  {f32({1, 2, 2, 4}), integer(0)},
                  {f32({})},
                  "input 1 'blockSize' (operand 1) is 0, allowed above 0 [depth_to_space.block]"},
                 {"Depth",
                  {f32({1, 2, 2, 6}), integer(2)},
                  {f32({})},
                  "input 0 'input' (operand 0) has 6 channels, allowed a multiple of 4 as the "
                  "square of the block size [depth_to_space.depth]"},
                 {"LargestBlock",
                  {f32({0, 0, 0, 6}), integer(INT32_MAX)},
                  {f32({})},
                  "input 0 'input' (operand 0) has 6 channels, allowed a multiple of "
                  "4611686014132420609 as the square of the block size [depth_to_space.depth]"},
                 {"TooLarge",
                  {f32({1, 4, 1, 6}), integer(INT32_MAX)},
                  {f32({})},
                  "dimension 1 of output 0 'output' (operand 2) is 8589934588, allowed up to "
                  "4294967295 [depth_to_space.size]"},
                 {"OtherScale",
                  {q8({1, 2, 2, 4}, {}, 1, 3), integer(2)},
                  {q8({}, {}, 2, 3)},
                  "output 0 'output' (operand 2) has scale 2 and zeroPoint 3, allowed 1 and 3 as "
                  "input 0 'input' (operand 0) [depth_to_space.quantization]"}});
}

TEST(DepthToSpace, InfersShapes) {
    expectShapes(
            DEPTH_TO_SPACE,
            {{"UnknownBlock", {f32({3, 2, 2, 4}), as(INT32, i32({}))}, {f32({})}, {{3, 0, 0, 0}}},
             {"UnknownLayout",
              {f32({3, 2, 2, 4}), integer(2), as(BOOL, b8({}))},
              {f32({})},
              {{3, 0, 0, 0}}},
             {"UnknownDimension", {f32({3, 0, 2, 4}), integer(2)}, {f32({})}, {{3, 0, 4, 1}}},
             {"UnknownRank", {f32({}), integer(2)}, {f32({})}, {{0, 0, 0, 0}}},
             {"Nchw", {f32({3, 4, 2, 6}), integer(2), boolean(true)}, {f32({})}, {{3, 1, 4, 12}}}});
}

TEST(DepthToSpace, Computes) {
    expectComputes(DEPTH_TO_SPACE,
                   {{"Nhwc",
                     {f32({1, 1, 2, 4}, {1, 2, 3, 4, 5, 6, 7, 8}), integer(2)},
                     {f32({1, 2, 4, 1}, {1, 2, 5, 6, 3, 4, 7, 8})}},
                    {"TwoChannels",
                     {q8({1, 1, 1, 8}, {1, 2, 3, 4, 5, 6, 7, 8}, 1, 0), integer(2)},
                     {q8({1, 2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}, 1, 0)}},
                    {"Nchw",
                     {f16({1, 4, 1, 2}, {1, 5, 2, 6, 3, 7, 4, 8}), integer(2), boolean(true)},
                     {f16({1, 1, 2, 4}, {1, 2, 5, 6, 3, 4, 7, 8})}},
                    {"One", {f32({1, 1, 1, 2}, {1, 2}), integer(1)}, {f32({1, 1, 1, 2}, {1, 2})}}});
}

}  // namespace
}  // namespace nn::ops::depth_to_space_test
