#include "ops/tables.h"

namespace nn::ops::transpose_test {
namespace {

constexpr auto TRANSPOSE = OperationType::TRANSPOSE;

TEST(Transpose, NeedsTheLeastVersion) {
    expectNeeds(TRANSPOSE, {{"NoPermutation", In{f32({1, 2}), omitted(TENSOR_INT32)},
                             Out{f32({2, 1})}, V1_1}});
}

TEST(Transpose, SaysWhyItRefuses) {
    expectFails(check, TRANSPOSE,
                {{"RankFive", In{f32({1, 1, 1, 1, 1}), i32({5})},
                  "input 0 'input' (operand 0) has rank 5, allowed 1 to 4 [transpose.rank]"}});
}

TEST(Transpose, SaysWhyPreparationFails) {
    expectFails(infer, TRANSPOSE,
                {{"TooShort", In{f32({2, 3}), i32({1}, {0})},
                  "input 1 'perm' (operand 1) has dimensions [1], allowed [2] [transpose.perm]"},
                 {"Twice", In{f32({2, 3}), i32({2}, {1, 1})},
                  "element 1 of input 1 'perm' (operand 1) is 1, allowed a permutation of 0 to 1 "
                  "[transpose.perm]"},
                 {"Negative", In{f32({2, 3}), i32({2}, {-1, 0})},
                  "element 0 of input 1 'perm' (operand 1) is -1, allowed a permutation of 0 to 1 "
                  "[transpose.perm]"},
                 {"OtherZeroPoint", In{q8({1, 2}, {}, 1, 3), i32({2})}, Out{q8({}, {}, 1, 4)},
                  "output 0 'output' (operand 2) has scale 1 and zeroPoint 4, allowed 1 and 3 as "
                  "input 0 'input' (operand 0) [transpose.quantization]"}});
}

TEST(Transpose, InfersShapes) {
    expectShapes(TRANSPOSE,
                 {{"UnknownPermutation", In{f32({2, 3}), i32({2})}, Shapes{{0, 0}}},
                  {"UnknownDimension", In{f32({0, 3}), i32({2}, {1, 0})}, Shapes{{3, 0}}},
                  {"UnknownRank", In{f32({}), i32({2}, {1, 0})}, Shapes{{}}},
                  {"Reversed", In{f32({0, 3, 4}), omitted(TENSOR_INT32)}, Shapes{{4, 3, 0}}}});
}

TEST(Transpose, Computes) {
    expectComputes(TRANSPOSE,
                   {{"Reversed", In{q8({1, 2, 3}, {1, 2, 3, 4, 5, 6}, 1, 0), omitted(TENSOR_INT32)},
                     Out{q8({3, 2, 1}, {1, 4, 2, 5, 3, 6}, 1, 0)}},
                    {"ReversedVector", In{f32({3}, {1, 2, 3}), omitted(TENSOR_INT32)},
                     Out{f32({3}, {1, 2, 3})}},
                    {"ReversedRankFour",
                     In{f16({2, 1, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}), omitted(TENSOR_INT32)},
                     Out{f16({2, 2, 1, 2}, {1, 5, 3, 7, 2, 6, 4, 8})}},
                    {"LastStays", In{f16({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}), i32({3}, {1, 0, 2})},
                     Out{f16({2, 2, 2}, {1, 2, 5, 6, 3, 4, 7, 8})}},
                    {"Rotation", In{f32({2, 1, 3}, {1, 2, 3, 4, 5, 6}), i32({3}, {2, 0, 1})},
                     Out{f32({3, 2, 1}, {1, 4, 2, 5, 3, 6})}},
                    {"Nothing", In{f32({0, 3}), i32({2}, {1, 0})}, Out{f32({3, 0})}}});
}

TEST(Transpose, MovesMoreThanAPiece) {
    std::vector<float> x(37 * 53);
    std::vector<float> y(x.size());
    for (size_t i = 0; i < x.size(); ++i) {
        x[i] = static_cast<float>(i);
        y[i % 53 * 37 + i / 53] = x[i];
    }
    expectComputes(TRANSPOSE,
                   {{"Large", In{f32({37, 53}, x), i32({2}, {1, 0})}, Out{f32({53, 37}, y)}}});
}

}  // namespace
}  // namespace nn::ops::transpose_test
