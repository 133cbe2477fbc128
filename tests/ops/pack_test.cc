#include "ops/tables.h"

namespace nn::ops::pack_test {
namespace {

constexpr auto PACK = OperationType::PACK;

TEST(Pack, NeedsTheLeastVersion) {
    expectNeeds(PACK,
                {{"OtherScaleOfIntegers", In{integer(0), scaled(1, i32({2})), scaled(2, i32({2}))},
                  Out{scaled(3, i32({}))}, AIDL2},
                 {"OtherDimension", In{integer(0), f32({2}), f32({3})}, AIDL2},
                 {"OutputOfRankOne", In{integer(0), f32({2, 3})}, Out{f32({2})}, AIDL2},
                 {"PartlyKnown", In{integer(0), f32({0, 3}), f32({}), f32({2, 0})},
                  Out{f32({0, 0, 0})}, AIDL2}});
}

TEST(Pack, SaysWhyItRefuses) {
    expectFails(check, PACK,
                {{"OtherScale", In{integer(0), q8({2}, {}, 1, 3), q8({2}, {}, 2, 3)},
                  Out{q8({}, {}, 1, 3)},
                  "output 0 'output' (operand 3) has scale 1 and zeroPoint 3, allowed 2 and 3 as "
                  "input 2 'input' (operand 2) [pack.quantization]"},
                 {"OtherRank", In{integer(0), f32({2}), f32({2, 2})},
                  "input 2 'input' (operand 2) has rank 2, allowed 1 as the inputs before "
                  "[pack.shapes]"},
                 {"OutputOfTheSameRank", In{integer(0), f32({}), f32({2, 0})}, Out{f32({2, 0})},
                  "output 0 'output' (operand 3) has rank 2, allowed 3: 1 more than input 2 "
                  "'input' (operand 2) [pack.shapes]"},
                 {"SecondOfAnotherRank", In{integer(0), f32({2, 0}), f32({2})}, Out{f32({0, 0, 0})},
                  "input 2 'input' (operand 2) has rank 1, allowed 2 as the inputs before "
                  "[pack.shapes]"}});
}

TEST(Pack, SaysWhyPreparationFails) {
    expectFails(infer, PACK,
                {{"OtherDimension", In{integer(0), f32({0}), f32({2}), f32({3})},
                  "dimension 0 of input 3 'input' (operand 3) is 3, allowed 2 as in the inputs "
                  "before [pack.shapes]"},
                 {"NegativeAxis", In{integer(-1), f32({2})},
                  "input 0 'axis' (operand 0) is -1, allowed 0 to 1 [pack.axis]"},
                 {"AxisTooLarge", In{integer(2), f32({2})},
                  "input 0 'axis' (operand 0) is 2, allowed 0 to 1 [pack.axis]"}});
}

TEST(Pack, InfersShapes) {
    expectShapes(PACK, {{"UnknownAxis", In{as(INT32, i32({})), f32({2})}, Shapes{{0, 0}}},
                        {"OneKnows", In{integer(1), f32({}), f32({0, 3}), f32({2, 0})},
                         Shapes{{2, 3, 3}}},
                        {"NoneKnows", In{integer(1), f32({})}, Shapes{{}}}});
}

}  // namespace
}  // namespace nn::ops::pack_test
