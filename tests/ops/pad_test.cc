#include "ops/tables.h"

namespace nn::ops::pad_test {
namespace {

constexpr auto PAD = OperationType::PAD;
constexpr auto PAD_V2 = OperationType::PAD_V2;

TEST(Pad, NeedsTheLeastVersion) {
    expectNeeds(PAD,
                {{"ZeroPoint", In{q8({2}, {}, 1, 9), i32({1, 2})}, Out{q8({}, {}, 1, 9)}, V1_2}});
}

TEST(Pad, SaysWhyItRefuses) {
    expectFails(check, PAD,
                {{"RankFive", In{f32({1, 1, 1, 1, 1}), i32({5, 2})},
                  "input 0 'input' (operand 0) has rank 5, allowed 1 to 4 [pad.rank]"}});
}

TEST(Pad, SaysWhyPreparationFails) {
    expectFails(infer, PAD,
                {{"OtherShape", In{f32({2, 3}), i32({1, 2}, {0, 0})},
                  "input 1 'paddings' (operand 1) has dimensions [1, 2], allowed [2, 2] "
                  "[pad.paddings]"},
                 {"Negative", In{f32({2}), i32({1, 2}, {0, -1})},
                  "element 1 of input 1 'paddings' (operand 1) is -1, allowed 0 or more "
                  "[pad.paddings]"},
                 {"TooLarge", In{f32({2}), i32({1, 2}, {INT32_MAX, INT32_MAX})},
                  "dimension 0 of output 0 'output' (operand 2) is 4294967296, allowed up to "
                  "4294967295 [pad.paddings]"},
                 {"OtherScale", In{q8({2}, {}, 1, 3), i32({1, 2})}, Out{q8({}, {}, 2, 3)},
                  "output 0 'output' (operand 2) has scale 2 and zeroPoint 3, allowed 1 and 3 as "
                  "input 0 'input' (operand 0) [pad.quantization]"}});
}

TEST(Pad, InfersShapes) {
    expectShapes(PAD,
                 {{"UnknownPaddings", In{f32({2, 3}), i32({2, 2})}, Shapes{{0, 0}}},
                  {"UnknownDimension", In{f32({0, 3}), i32({2, 2}, {1, 1, 1, 1})}, Shapes{{0, 5}}},
                  {"UnknownRank", In{f32({}), i32({2, 2}, {1, 1, 1, 1})}, Shapes{{0, 0}}}});
}

TEST(Pad, Computes) {
    expectComputes(PAD_V2,
                   {{"LowestByte", In{q8({1}, {5}, 1, 9), i32({1, 2}, {1, 1}), integer(300)},
                     Out{q8({3}, {44, 5, 44}, 1, 9)}},
                    {"Signed", In{qs8({1}, {5}, 1, 9), i32({1, 2}, {0, 1}), integer(-7)},
                     Out{qs8({2}, {5, -7}, 1, 9)}}});
}

}  // namespace
}  // namespace nn::ops::pad_test
