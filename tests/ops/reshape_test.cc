#include "ops/tables.h"

namespace nn::ops::reshape_test {
namespace {

constexpr auto RESHAPE = OperationType::RESHAPE;

TEST(Reshape, NeedsTheLeastVersion) {
    expectNeeds(RESHAPE, {{"UnknownRanks", In{f32({}), i32({})}, V1_0}});
}

TEST(Reshape, SaysWhyItRefuses) {
    expectFails(check, RESHAPE,
                {{"RankFive", In{f32({1, 1, 1, 1, 3}), i32({2})},
                  "input 0 'input' (operand 0) has rank 5, allowed 1 to 4 [reshape.rank]"}});
}

TEST(Reshape, SaysWhyPreparationFails) {
    expectFails(
            infer, RESHAPE,
            {{"ShapeRank", In{f32({6}), i32({1, 2})},
              "input 1 'shape' (operand 1) has rank 2, allowed 1 [reshape.shape_rank]"},
             {"Size", In{f32({6}), i32({2}, {-2, -3})},
              "input 1 'shape' (operand 1) has size -2, allowed -1 or at least 0 [reshape.size]"},
             {"TwoOpen", In{f32({6}), i32({2}, {-1, -1})},
              "input 1 'shape' (operand 1) has 2 sizes of -1, allowed 1 [reshape.open]"},
             {"Elements", In{f32({6}), i32({2}, {2, 2})},
              "input 0 'input' (operand 0) has 6 elements, allowed 4 as the sizes in input 1 "
              "'shape' (operand 1) say [reshape.elements]"},
             {"DoesNotDivide", In{f32({6}), i32({2}, {4, -1})},
              "input 0 'input' (operand 0) has 6 elements, allowed a multiple of 4 as the sizes in "
              "input 1 'shape' (operand 1) say [reshape.elements]"},
             {"OpenBesideZero", In{f32({6}), i32({2}, {0, -1})},
              "input 0 'input' (operand 0) has 6 elements, allowed a multiple of 0 as the sizes in "
              "input 1 'shape' (operand 1) say [reshape.elements]"},
             {"Overflow", In{f32({6}), i32({3}, {2147483647, 2147483647, 8})},
              "input 0 'input' (operand 0) has 6 elements, allowed 2^64 or more as the sizes in "
              "input 1 'shape' (operand 1) say [reshape.elements]"},
             {"Quantization", In{q8({6}, {}, 1, 0), i32({1}, {6})}, Out{q8({}, {}, 2, 0)},
              "output 0 'output' (operand 2) has scale 2 and zeroPoint 0, allowed 1 and 0 as input "
              "0 'input' (operand 0) [reshape.quantization]"}});
}

TEST(Reshape, InfersShapes) {
    expectShapes(RESHAPE, {{"OpenFromUnknown", In{f32({0, 6}), i32({2}, {3, -1})}, Shapes{{3, 0}}},
                           {"GivenFromUnknown", In{f32({}), i32({2}, {3, 2})}, Shapes{{3, 2}}},
                           {"UnknownSizes", In{f32({6}), i32({3})}, Shapes{{0, 0, 0}}},
                           {"UnknownRank", In{f32({6}), i32({0})}, Shapes{{}}},
                           {"AbsurdRank", In{f32({6}), i32({UINT32_MAX})}, Shapes{{}}}});
}

}  // namespace
}  // namespace nn::ops::reshape_test
