#include "ops/tables.h"

namespace nn::ops::reshape_test {
namespace {

constexpr auto RESHAPE = OperationType::RESHAPE;

TEST(Reshape, NeedsTheLeastVersion) {
    const Arg q = q8({6}, {}, 1, 0);
    const Arg qs = qs8({6}, {}, 1, 0);
    expectNeeds(RESHAPE, {{"Float", {f32({6}), i32({2})}, {f32({})}, V1_0},
                          {"UnknownRanks", {f32({}), i32({})}, {f32({})}, V1_0},
                          {"Quantised", {q, i32({2})}, {q}, V1_0},
                          {"Half", {f16({6}), i32({2})}, {f16({})}, V1_2},
                          {"Signed", {qs, i32({2})}, {qs}, V1_3},
                          {"Integer", {i32({6}), i32({2})}, {i32({})}, AIDL2}});
}

TEST(Reshape, SaysWhyItRefuses) {
    expectFails(check, RESHAPE,
                {{"Bool",
                  {b8({6}), i32({2})},
                  {b8({6})},
                  "input 0 'input' (operand 0) is TENSOR_BOOL8, allowed TENSOR_FLOAT32, "
                  "TENSOR_QUANT8_ASYMM, TENSOR_FLOAT16, TENSOR_QUANT8_ASYMM_SIGNED or TENSOR_INT32 "
                  "[reshape.types]"},
                 {"ShapeIsFloat",
                  {f32({6}), f32({2})},
                  {f32({})},
                  "input 1 'shape' (operand 1) is TENSOR_FLOAT32, allowed TENSOR_INT32 "
                  "[reshape.types]"},
                 {"RankFive",
                  {f32({1, 1, 1, 1, 3}), i32({2})},
                  {f32({})},
                  "input 0 'input' (operand 0) has rank 5, allowed 1 to 4 [reshape.rank]"}});
}

TEST(Reshape, SaysWhyPreparationFails) {
    expectFails(
            infer, RESHAPE,
            {{"ShapeRank",
              {f32({6}), i32({1, 2})},
              {f32({})},
              "input 1 'shape' (operand 1) has rank 2, allowed 1 [reshape.shape_rank]"},
             {"Size",
              {f32({6}), i32({2}, {-2, -3})},
              {f32({})},
              "input 1 'shape' (operand 1) has size -2, allowed -1 or at least 0 [reshape.size]"},
             {"TwoOpen",
              {f32({6}), i32({2}, {-1, -1})},
              {f32({})},
              "input 1 'shape' (operand 1) has 2 sizes of -1, allowed 1 [reshape.open]"},
             {"Elements",
              {f32({6}), i32({2}, {2, 2})},
              {f32({})},
              "input 0 'input' (operand 0) has 6 elements, allowed 4 as the sizes in input 1 "
              "'shape' (operand 1) say [reshape.elements]"},
             {"DoesNotDivide",
              {f32({6}), i32({2}, {4, -1})},
              {f32({})},
              "input 0 'input' (operand 0) has 6 elements, allowed a multiple of 4 as the sizes in "
              "input 1 'shape' (operand 1) say [reshape.elements]"},
             {"OpenBesideZero",
              {f32({6}), i32({2}, {0, -1})},
              {f32({})},
              "input 0 'input' (operand 0) has 6 elements, allowed a multiple of 0 as the sizes in "
              "input 1 'shape' (operand 1) say [reshape.elements]"},
             {"Overflow",
              {f32({6}), i32({3}, {2147483647, 2147483647, 8})},
              {f32({})},
              "input 0 'input' (operand 0) has 6 elements, allowed 2^64 or more as the sizes in "
              "input 1 'shape' (operand 1) say [reshape.elements]"},
             {"Quantisation",
              {q8({6}, {}, 1, 0), i32({1}, {6})},
              {q8({}, {}, 2, 0)},
              "output 0 'output' (operand 2) has scale 2 and zeroPoint 0, allowed 1 and 0 as input "
              "0 'input' (operand 0) [reshape.quantization]"}});
}

TEST(Reshape, InfersShapes) {
    expectShapes(RESHAPE,
                 {{"Given", {f32({6}), i32({2}, {3, 2})}, {f32({})}, {{3, 2}}},
                  {"Open", {f32({2, 6}), i32({2}, {3, -1})}, {f32({})}, {{3, 4}}},
                  {"OpenFromUnknown", {f32({0, 6}), i32({2}, {3, -1})}, {f32({})}, {{3, 0}}},
                  {"GivenFromUnknown", {f32({}), i32({2}, {3, 2})}, {f32({})}, {{3, 2}}},
                  {"UnknownSizes", {f32({6}), i32({3})}, {f32({})}, {{0, 0, 0}}},
                  {"UnknownRank", {f32({6}), i32({0})}, {f32({})}, {{}}},
                  {"AbsurdRank", {f32({6}), i32({UINT32_MAX})}, {f32({})}, {{}}}});
}

TEST(Reshape, Computes) {
    expectComputes(RESHAPE,
                   {{"Float",
                     {f32({2, 3}, {1, 2, 3, 4, 5, 6}), i32({2}, {3, -1})},
                     {f32({3, 2}, {1, 2, 3, 4, 5, 6})}},
                    {"Half", {f16({2, 1}, {1, 2}), i32({1}, {-1})}, {f16({2}, {1, 2})}},
                    {"Quantised",
                     {q8({2}, {7, 9}, 0.5, 1), i32({2}, {1, 2})},
                     {q8({1, 2}, {7, 9}, 0.5, 1)}},
                    {"Integer", {i32({2}, {7, -9}), i32({2}, {1, 2})}, {i32({1, 2}, {7, -9})}}});
}

}  // namespace
}  // namespace nn::ops::reshape_test
