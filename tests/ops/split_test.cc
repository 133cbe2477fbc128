#include "ops/tables.h"

namespace nn::ops::split_test {
namespace {

constexpr auto SPLIT = OperationType::SPLIT;

TEST(Split, SaysWhyPreparationFails) {
    expectFails(infer, SPLIT,
                {{"Axis", In{f32({2}), integer(1), integer(1)},
                  "input 1 'axis' (operand 1) is 1, allowed -1 to 0 for rank 1 [split.axis]"},
                 {"Count", In{f32({2}), integer(0), integer(0)},
                  "input 2 'numOutputs' (operand 2) is 0, allowed 1 as the number of outputs "
                  "[split.count]"},
                 {"Uneven", In{f32({3}), integer(0), integer(2)}, Out{f32({}), f32({})},
                  "dimension 0 of input 0 'input' (operand 0) is 3, allowed a multiple of 2 as the "
                  "number of outputs [split.size]"},
                 {"OtherScale", In{q8({2}, {}, 1, 3), integer(0), integer(2)},
                  Out{q8({}, {}, 1, 3), q8({}, {}, 2, 3)},
                  "output 1 'output' (operand 4) has scale 2 and zeroPoint 3, allowed 1 and 3 as "
                  "input 0 'input' (operand 0) [split.quantization]"}});
}

TEST(Split, InfersShapes) {
    expectShapes(SPLIT,
                 {{"UnknownAxis", In{f32({2, 4}), as(INT32, i32({})), integer(1)}, Shapes{{0, 0}}},
                  {"UnknownDimension", In{f32({0, 4}), integer(0), integer(2)},
                   Out{f32({}), f32({})}, Shapes{{0, 4}, {0, 4}}},
                  {"UnknownRank", In{f32({}), integer(0), integer(1)}, Shapes{{}}}});
}

TEST(Split, Computes) {
    expectComputes(SPLIT, {{"First", In{f32({2, 2}, {1, 2, 3, 4}), integer(0), integer(2)},
                            Out{f32({1, 2}, {1, 2}), f32({1, 2}, {3, 4})}},
                           {"LastFromTheEnd",
                            In{i32({2, 4}, {1, 2, 3, 4, 5, 6, 7, 8}), integer(-1), integer(2)},
                            Out{i32({2, 2}, {1, 2, 5, 6}), i32({2, 2}, {3, 4, 7, 8})}}});
}

}  // namespace
}  // namespace nn::ops::split_test
