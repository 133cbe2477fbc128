#include "ops/tables.h"

namespace nn::ops::reverse_test {
namespace {

constexpr auto REVERSE = OperationType::REVERSE;

TEST(Reverse, NeedsTheLeastVersion) {
    expectNeeds(REVERSE, {{"OtherScaleOfIntegers", In{scaled(1, i32({2})), i32({1})},
                           Out{scaled(2, i32({}))}, AIDL3},
                          {"SameRank", In{f32({2, 0}), i32({0})}, Out{f32({0, 3})}, AIDL3},
                          {"UnknownRank", In{f32({}), i32({})}, Out{f32({2})}, AIDL3}});
}

TEST(Reverse, SaysWhyItRefuses) {
    expectFails(check, REVERSE,
                {{"OtherRank", In{f32({2, 0}), i32({1})}, Out{f32({2})},
                  "output 0 'output' (operand 2) has rank 1, allowed 2 as input 0 'input' (operand "
                  "0) [reverse.rank]"},
                 {"AxisOfRankTwo", In{f32({2}), i32({0, 1})},
                  "input 1 'axis' (operand 1) has dimensions [?, 1], allowed [1] [reverse.axis]"},
                 {"TwoAxes", In{f32({2}), i32({2})},
                  "input 1 'axis' (operand 1) has dimensions [2], allowed [1] [reverse.axis]"},
                 {"OtherScale", In{q8({2}, {}, 1, 3), i32({1})}, Out{q8({}, {}, 2, 3)},
                  "output 0 'output' (operand 2) has scale 2 and zeroPoint 3, allowed 1 and 3 as "
                  "input 0 'input' (operand 0) [reverse.quantization]"},
                 {"OtherZeroPoint", In{q8({2}, {}, 1, 3), i32({1})}, Out{q8({}, {}, 1, 4)},
                  "output 0 'output' (operand 2) has scale 1 and zeroPoint 4, allowed 1 and 3 as "
                  "input 0 'input' (operand 0) [reverse.quantization]"}});
}

TEST(Reverse, SaysWhyPreparationFails) {
    expectFails(infer, REVERSE,
                {{"RankNine", In{f32({1, 1, 1, 1, 1, 1, 1, 1, 1}), i32({1})},
                  "input 0 'input' (operand 0) has rank 9, allowed 1 to 8 [reverse.rank]"},
                 {"AxisTooLarge", In{f32({2}), i32({1}, {1})},
                  "element 0 of input 1 'axis' (operand 1) is 1, allowed 0 to 0 for rank 1 "
                  "[reverse.axis]"},
                 {"FromTheEnd", In{f32({2, 3}), i32({1}, {-1})},
                  "element 0 of input 1 'axis' (operand 1) is -1, allowed 0 to 1 for rank 2 "
                  "[reverse.axis]"}});
}

TEST(Reverse, SaysWhyExecutionFails) {
    expectFails(run, REVERSE,
                {{"FromTheEnd", In{i32({3}, {1, 2, 3}), i32({1}, {-1})}, Out{i32({3})},
                  "element 0 of input 1 'axis' (operand 1) is -1, allowed 0 to 0 for rank 1 "
                  "[reverse.axis]"}});
}

TEST(Reverse, InfersShapes) {
    expectShapes(REVERSE, {{"UnknownAxis", In{f32({2, 0}), i32({1})}, Shapes{{2, 0}}},
                           {"UnknownRank", In{f32({}), i32({1}, {7})}, Shapes{{}}}});
}

}  // namespace
}  // namespace nn::ops::reverse_test
