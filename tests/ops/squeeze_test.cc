#include "ops/tables.h"

namespace nn::ops::squeeze_test {
namespace {

constexpr auto SQUEEZE = OperationType::SQUEEZE;

TEST(Squeeze, NeedsTheLeastVersion) {
    expectNeeds(SQUEEZE, {{"NoDims", In{f32({1, 2}), omitted(TENSOR_INT32)}, Out{f32({2})}, V1_1}});
}

TEST(Squeeze, SaysWhyItRefuses) {
    expectFails(check, SQUEEZE,
                {{"RankFive", In{f32({1, 1, 1, 1, 1}), i32({1}, {0})},
                  "input 0 'input' (operand 0) has rank 5, allowed 1 to 4 [squeeze.rank]"}});
}

TEST(Squeeze, SaysWhyPreparationFails) {
    expectFails(infer, SQUEEZE,
                {{"AxisBehindTheLast", In{f32({1, 2}), i32({1}, {2})},
                  "element 0 of input 1 'squeezeDims' (operand 1) is 2, allowed -2 to 1 for rank 2 "
                  "[squeeze.dims]"},
                 {"MinInteger", In{f32({1, 2}), i32({2}, {0, INT32_MIN})},
                  "element 1 of input 1 'squeezeDims' (operand 1) is -2147483648, allowed -2 to 1 "
                  "for rank 2 [squeeze.dims]"},
                 {"NotOne", In{f32({1, 2}), i32({1}, {-1})},
                  "dimension 1 of input 0 'input' (operand 0) is 2, allowed 1 where it is squeezed "
                  "[squeeze.one]"},
                 {"OtherScale", In{q8({1, 2}, {}, 1, 3), i32({1}, {0})}, Out{q8({2}, {}, 2, 3)},
                  "output 0 'output' (operand 2) has scale 2 and zeroPoint 3, allowed 1 and 3 as "
                  "input 0 'input' (operand 0) [squeeze.quantization]"}});
}

TEST(Squeeze, InfersShapes) {
    expectShapes(
            SQUEEZE,
            {{"UnknownList", In{f32({1, 2}), i32({1})}, Shapes{{}}},
             {"UnknownRank", In{f32({}), i32({1}, {0})}, Shapes{{}}},
             {"UnknownDimensionMayBeOne", In{f32({0, 0, 3}), i32({1}, {0})}, Shapes{{0, 3}}},
             {"NoDimsAndUnknownDimension", In{f32({1, 0}), omitted(TENSOR_INT32)}, Shapes{{}}}});
}

TEST(Squeeze, Computes) {
    expectComputes(
            SQUEEZE,
            {{"Listed", In{f32({1, 2, 1}, {5, 6}), i32({1}, {0})}, Out{f32({2, 1}, {5, 6})}},
             {"FromTheEndAndTwice", In{f32({1, 2, 1}, {5, 6}), i32({2}, {-1, 2})},
              Out{f32({1, 2}, {5, 6})}},
             {"NothingLeft", In{f32({1, 1}, {5}), omitted(TENSOR_INT32)}, Out{f32({1}, {5})}}});
}

}  // namespace
}  // namespace nn::ops::squeeze_test
