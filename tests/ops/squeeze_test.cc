#include "ops/tables.h"

namespace nn::ops::squeeze_test {
namespace {

constexpr auto SQUEEZE = OperationType::SQUEEZE;

TEST(Squeeze, NeedsTheLeastVersion) {
    expectNeeds(SQUEEZE,
                {{"Float", {f32({1, 2}), i32({1}, {0})}, {f32({2})}, V1_1},
                 {"NoDims", {f32({1, 2}), omitted(TENSOR_INT32)}, {f32({2})}, V1_1},
                 {"Quantised", {q8({1, 2}, {}, 1, 3), i32({1}, {0})}, {q8({2}, {}, 1, 3)}, V1_1},
                 {"Half", {f16({1, 2}), i32({1}, {0})}, {f16({2})}, V1_2},
                 {"Signed", {qs8({1, 2}, {}, 1, 3), i32({1}, {0})}, {qs8({2}, {}, 1, 3)}, V1_3}});
}

TEST(Squeeze, SaysWhyItRefuses) {
    expectFails(
            check, SQUEEZE,
            {{"RankFive",
              {f32({1, 1, 1, 1, 1}), i32({1}, {0})},
              {f32({})},
              "input 0 'input' (operand 0) has rank 5, allowed 1 to 4 [squeeze.rank]"},
             {"NoSecondInput", {f32({1, 2})}, {f32({})}, "has 1 input, allowed 2 [squeeze.inputs]"},
             {"InputOmitted",
              {omitted(TENSOR_FLOAT32), i32({1}, {0})},
              {f32({})},
              "input 0 'input' (operand 0) has no value, allowed only for optional operands "
              "[squeeze.omitted]"}});
}

TEST(Squeeze, SaysWhyPreparationFails) {
    expectFails(infer, SQUEEZE,
                {{"AxisBehindTheLast",
                  {f32({1, 2}), i32({1}, {2})},
                  {f32({})},
                  "element 0 of input 1 'squeezeDims' (operand 1) is 2, allowed -2 to 1 for rank 2 "
                  "[squeeze.dims]"},
                 {"MinInteger",
                  {f32({1, 2}), i32({2}, {0, INT32_MIN})},
                  {f32({})},
                  "element 1 of input 1 'squeezeDims' (operand 1) is -2147483648, allowed -2 to 1 "
                  "for rank 2 [squeeze.dims]"},
                 {"NotOne",
                  {f32({1, 2}), i32({1}, {-1})},
                  {f32({})},
                  "dimension 1 of input 0 'input' (operand 0) is 2, allowed 1 where it is squeezed "
                  "[squeeze.one]"},
                 {"OtherScale",
                  {q8({1, 2}, {}, 1, 3), i32({1}, {0})},
                  {q8({2}, {}, 2, 3)},
                  "output 0 'output' (operand 2) has scale 2 and zeroPoint 3, allowed 1 and 3 as "
                  "input 0 'input' (operand 0) [squeeze.quantization]"}});
}

TEST(Squeeze, InfersShapes) {
    expectShapes(
            SQUEEZE,
            {{"UnknownList", {f32({1, 2}), i32({1})}, {f32({})}, {{}}},
             {"UnknownRank", {f32({}), i32({1}, {0})}, {f32({})}, {{}}},
             {"UnknownDimensionMayBeOne", {f32({0, 0, 3}), i32({1}, {0})}, {f32({})}, {{0, 3}}},
             {"NoDimsAndUnknownDimension", {f32({1, 0}), omitted(TENSOR_INT32)}, {f32({})}, {{}}}});
}

TEST(Squeeze, Computes) {
    expectComputes(
            SQUEEZE,
            {{"Listed", {f32({1, 2, 1}, {5, 6}), i32({1}, {0})}, {f32({2, 1}, {5, 6})}},
             {"FromTheEndAndTwice",
              {f32({1, 2, 1}, {5, 6}), i32({2}, {-1, 2})},
              {f32({1, 2}, {5, 6})}},
             {"AllOnes", {f32({1, 2, 1}, {5, 6}), omitted(TENSOR_INT32)}, {f32({2}, {5, 6})}},
             {"NothingLeft", {f32({1, 1}, {5}), omitted(TENSOR_INT32)}, {f32({1}, {5})}}});
}

}  // namespace
}  // namespace nn::ops::squeeze_test
