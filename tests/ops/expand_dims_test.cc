#include "ops/tables.h"

namespace nn::ops::expand_dims_test {
namespace {

constexpr auto EXPAND_DIMS = OperationType::EXPAND_DIMS;

TEST(ExpandDims, SaysWhyPreparationFails) {
    expectFails(
            infer, EXPAND_DIMS,
            {{"TooLarge", In{f32({2}), integer(2)},
              "input 1 'axis' (operand 1) is 2, allowed -2 to 1 for rank 2 [expand_dims.axis]"},
             {"TooSmall", In{f32({2}), integer(-3)},
              "input 1 'axis' (operand 1) is -3, allowed -2 to 1 for rank 2 [expand_dims.axis]"},
             {"OtherScale", In{q8({2}, {}, 1, 3), integer(0)}, Out{q8({1, 2}, {}, 2, 3)},
              "output 0 'output' (operand 2) has scale 2 and zeroPoint 3, allowed 1 and 3 as input "
              "0 'input' (operand 0) [expand_dims.quantization]"}});
}

TEST(ExpandDims, InfersShapes) {
    expectShapes(EXPAND_DIMS,
                 {{"UnknownAxis", In{f32({2}), as(INT32, i32({}))}, Shapes{{0, 0}}},
                  {"UnknownRank", In{f32({}), integer(0)}, Shapes{{}}},
                  {"UnknownDimension", In{f32({0, 3}), integer(1)}, Shapes{{0, 1, 3}}}});
}

}  // namespace
}  // namespace nn::ops::expand_dims_test
