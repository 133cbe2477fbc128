#include "ops/tables.h"

namespace nn::ops::expand_dims_test {
namespace {

constexpr auto EXPAND_DIMS = OperationType::EXPAND_DIMS;

TEST(ExpandDims, NeedsTheLeastVersion) {
    expectNeeds(EXPAND_DIMS,
                {{"Float", {f32({2}), integer(0)}, {f32({1, 2})}, V1_2},
                 {"Integer", {i32({2}), integer(0)}, {i32({1, 2})}, V1_2},
                 {"Half", {f16({2}), integer(0)}, {f16({1, 2})}, V1_2},
                 {"Quantised", {q8({2}, {}, 1, 3), integer(0)}, {q8({1, 2}, {}, 1, 3)}, V1_2},
                 {"Signed", {qs8({2}, {}, 1, 3), integer(0)}, {qs8({1, 2}, {}, 1, 3)}, V1_3}});
}

TEST(ExpandDims, SaysWhyPreparationFails) {
    expectFails(
            infer, EXPAND_DIMS,
            {{"TooLarge",
              {f32({2}), integer(2)},
              {f32({})},
              "input 1 'axis' (operand 1) is 2, allowed -2 to 1 for rank 2 [expand_dims.axis]"},
             {"TooSmall",
              {f32({2}), integer(-3)},
              {f32({})},
              "input 1 'axis' (operand 1) is -3, allowed -2 to 1 for rank 2 [expand_dims.axis]"},
             {"OtherScale",
              {q8({2}, {}, 1, 3), integer(0)},
              {q8({1, 2}, {}, 2, 3)},
              "output 0 'output' (operand 2) has scale 2 and zeroPoint 3, allowed 1 and 3 as input "
              "0 'input' (operand 0) [expand_dims.quantization]"}});
}

TEST(ExpandDims, InfersShapes) {
    expectShapes(EXPAND_DIMS,
                 {{"UnknownAxis", {f32({2}), as(INT32, i32({}))}, {f32({})}, {{0, 0}}},
                  {"UnknownRank", {f32({}), integer(0)}, {f32({})}, {{}}},
                  {"UnknownDimension", {f32({0, 3}), integer(1)}, {f32({})}, {{0, 1, 3}}}});
}

TEST(ExpandDims, Computes) {
    expectComputes(EXPAND_DIMS,
                   {{"First", {f32({2}, {5, 6}), integer(0)}, {f32({1, 2}, {5, 6})}},
                    {"Last", {i32({2}, {5, 6}), integer(1)}, {i32({2, 1}, {5, 6})}},
                    {"FromTheEnd", {f16({2, 1}, {5, 6}), integer(-1)}, {f16({2, 1, 1}, {5, 6})}}});
}

}  // namespace
}  // namespace nn::ops::expand_dims_test
