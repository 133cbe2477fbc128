#include "ops/tables.h"

namespace nn::ops::mirror_pad_test {
namespace {

constexpr auto MIRROR_PAD = OperationType::MIRROR_PAD;

TEST(MirrorPad, NeedsTheLeastVersion) {
    expectNeeds(MIRROR_PAD,
                {{"OtherScaleOfIntegers", In{scaled(1, i32({2})), i32({1, 2}), integer(0)},
                  Out{scaled(2, i32({}))}, AIDL3},
                 {"PartlyKnown", In{f32({2, 3}), i32({0, 2}), integer(0)}, Out{f32({0, 0})}, AIDL3},
                 {"UnknownRanks", In{f32({}), i32({2, 0}), integer(0)}, Out{f32({0, 0})}, AIDL3}});
}

TEST(MirrorPad, SaysWhyItRefuses) {
    expectFails(
            check, MIRROR_PAD,
            {{"OtherScale", In{q8({2}, {}, 1, 3), i32({1, 2}), integer(0)}, Out{q8({}, {}, 2, 3)},
              "output 0 'output' (operand 3) has scale 2 and zeroPoint 3, allowed 1 and 3 as input "
              "0 'input' (operand 0) [mirror_pad.quantization]"},
             {"OtherRank", In{f32({2}), i32({1, 2}), integer(0)}, Out{f32({0, 0})},
              "output 0 'output' (operand 3) has rank 2, allowed 1 as input 0 'input' (operand 0) "
              "[mirror_pad.rank]"},
             {"PaddingsOfRankOne", In{f32({2}), i32({2}), integer(0)},
              "input 1 'paddings' (operand 1) has dimensions [2], allowed [1, 2] "
              "[mirror_pad.paddings]"},
             {"PaddingsOfAnotherRank", In{f32({2, 3}), i32({1, 0}), integer(0)},
              "input 1 'paddings' (operand 1) has dimensions [1, ?], allowed [2, 2] "
              "[mirror_pad.paddings]"},
             {"PaddingsOfAnUnknownRank", In{f32({}), i32({0, 3}), integer(0)},
              "input 1 'paddings' (operand 1) has dimensions [?, 3], allowed [?, 2] "
              "[mirror_pad.paddings]"}});
}

TEST(MirrorPad, SaysWhyPreparationFails) {
    expectFails(infer, MIRROR_PAD,
                {{"ReflectsTheEdge", In{f32({2}), i32({1, 2}, {0, 2}), integer(0)},
                  "element 1 of input 1 'paddings' (operand 1) is 2, allowed 0 to 1 with mode 0 "
                  "(REFLECT) [mirror_pad.paddings]"},
                 {"LongerThanTheInput", In{f32({2}), i32({1, 2}, {3, 0}), integer(1)},
                  "element 0 of input 1 'paddings' (operand 1) is 3, allowed 0 to 2 with mode 1 "
                  "(SYMMETRIC) [mirror_pad.paddings]"},
                 {"OtherMode", In{f32({2}), i32({1, 2}, {0, 0}), integer(2)},
                  "input 2 'mode' (operand 2) is 2, allowed 0 (REFLECT) or 1 (SYMMETRIC) "
                  "[mirror_pad.mode]"}});
}

TEST(MirrorPad, SaysWhyExecutionFails) {
    Arg scalar = f32({}, {1});
    expectFails(run, MIRROR_PAD,
                {{"RankZero", In{scalar, i32({0, 2}), integer(0)},
                  "input 0 'input' (operand 0) has rank 0, allowed 1 or more [mirror_pad.rank]"}});
}

TEST(MirrorPad, InfersShapes) {
    expectShapes(MIRROR_PAD,
                 {{"UnknownPaddings", In{f32({2, 3}), i32({2, 2}), integer(0)}, Shapes{{0, 0}}},
                  {"UnknownDimension", In{f32({0, 3}), i32({2, 2}, {9, 9, 1, 1}), integer(0)},
                   Shapes{{0, 5}}}});
}

TEST(MirrorPad, Computes) {
    expectComputes(MIRROR_PAD,
                   {{"Reflect", In{f32({3}, {1, 2, 3}), i32({1, 2}, {2, 2}), integer(0)},
                     Out{f32({7}, {3, 2, 1, 2, 3, 2, 1})}},
                    {"None", In{f16({2}, {1, 2}), i32({1, 2}, {0, 0}), integer(0)},
                     Out{f16({2}, {1, 2})}}});
}

}  // namespace
}  // namespace nn::ops::mirror_pad_test
