#include "ops/tables.h"

namespace nn::ops::transpose_test {
namespace {

constexpr auto TRANSPOSE = OperationType::TRANSPOSE;

TEST(Transpose, NeedsTheLeastVersion) {
    expectNeeds(TRANSPOSE,
                {{"Float", {f32({1, 2}), i32({2}, {1, 0})}, {f32({2, 1})}, V1_1},
                 {"NoPermutation", {f32({1, 2}), omitted(TENSOR_INT32)}, {f32({2, 1})}, V1_1},
                 {"Quantised", {q8({1, 2}, {}, 1, 3), i32({2})}, {q8({}, {}, 1, 3)}, V1_1},
                 {"Half", {f16({1, 2}), i32({2})}, {f16({})}, V1_2},
                 {"Signed", {qs8({1, 2}, {}, 1, 3), i32({2})}, {qs8({}, {}, 1, 3)}, V1_3}});
}

TEST(Transpose, SaysWhyItRefuses) {
    expectFails(check, TRANSPOSE,
                {{"RankFive",
                  {f32({1, 1, 1, 1, 1}), i32({5})},
                  {f32({})},
                  "input 0 'input' (operand 0) has rank 5, allowed 1 to 4 [transpose.rank]"}});
}

TEST(Transpose, SaysWhyPreparationFails) {
    expectFails(infer, TRANSPOSE,
                {{"TooShort",
                  {f32({2, 3}), i32({1}, {0})},
                  {f32({})},
                  "input 1 'perm' (operand 1) has dimensions [1], allowed [2] [transpose.perm]"},
                 {"Twice",
                  {f32({2, 3}), i32({2}, {1, 1})},
                  {f32({})},
                  "element 1 of input 1 'perm' (operand 1) is 1, allowed a permutation of 0 to 1 "
                  "[transpose.perm]"},
                 {"Negative",
                  {f32({2, 3}), i32({2}, {-1, 0})},
                  {f32({})},
                  "element 0 of input 1 'perm' (operand 1) is -1, allowed a permutation of 0 to 1 "
                  "[transpose.perm]"},
                 {"OtherZeroPoint",
                  {q8({1, 2}, {}, 1, 3), i32({2})},
                  {q8({}, {}, 1, 4)},
                  "output 0 'output' (operand 2) has scale 1 and zeroPoint 4, allowed 1 and 3 as "
                  "input 0 'input' (operand 0) [transpose.quantization]"}});
}

TEST(Transpose, InfersShapes) {
    expectShapes(TRANSPOSE,
                 {{"UnknownPermutation", {f32({2, 3}), i32({2})}, {f32({})}, {{0, 0}}},
                  {"UnknownDimension", {f32({0, 3}), i32({2}, {1, 0})}, {f32({})}, {{3, 0}}},
                  {"UnknownRank", {f32({}), i32({2}, {1, 0})}, {f32({})}, {{}}},
                  {"Reversed", {f32({0, 3, 4}), omitted(TENSOR_INT32)}, {f32({})}, {{4, 3, 0}}}});
}

TEST(Transpose, Computes) {
    expectComputes(TRANSPOSE,
                   {{"Matrix",
                     {f32({2, 3}, {1, 2, 3, 4, 5, 6}), i32({2}, {1, 0})},
                     {f32({3, 2}, {1, 4, 2, 5, 3, 6})}},
                    {"Reversed",
                     {q8({1, 2, 3}, {1, 2, 3, 4, 5, 6}, 1, 0), omitted(TENSOR_INT32)},
                     {q8({3, 2, 1}, {1, 4, 2, 5, 3, 6}, 1, 0)}},
                    {"ReversedVector",
                     {f32({3}, {1, 2, 3}), omitted(TENSOR_INT32)},
                     {f32({3}, {1, 2, 3})}},
                    {"ReversedMatrix",
                     {f32({2, 3}, {1, 2, 3, 4, 5, 6}), omitted(TENSOR_INT32)},
                     {f32({3, 2}, {1, 4, 2, 5, 3, 6})}},
                    {"ReversedRankFour",
                     {f16({2, 1, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}), omitted(TENSOR_INT32)},
                     {f16({2, 2, 1, 2}, {1, 5, 3, 7, 2, 6, 4, 8})}},
                    {"LastStays",
                     {f16({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}), i32({3}, {1, 0, 2})},
                     {f16({2, 2, 2}, {1, 2, 5, 6, 3, 4, 7, 8})}},
                    {"Rotation",
                     {f32({2, 1, 3}, {1, 2, 3, 4, 5, 6}), i32({3}, {2, 0, 1})},
                     {f32({3, 2, 1}, {1, 4, 2, 5, 3, 6})}},
                    {"Nothing", {f32({0, 3}), i32({2}, {1, 0})}, {f32({3, 0})}}});
}

TEST(Transpose, MovesMoreThanAPiece) {
    std::vector<float> x(37 * 53);
    std::vector<float> y(x.size());
    for (size_t i = 0; i < x.size(); ++i) {
        x[i] = static_cast<float>(i);
        y[i % 53 * 37 + i / 53] = x[i];
    }
    expectComputes(TRANSPOSE,
                   {{"Large", {f32({37, 53}, x), i32({2}, {1, 0})}, {f32({53, 37}, y)}}});
}

}  // namespace
}  // namespace nn::ops::transpose_test
