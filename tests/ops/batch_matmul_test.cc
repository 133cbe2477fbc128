#include "ops/tables.h"

namespace nn::ops::batch_matmul_test {
namespace {

constexpr auto BATCH_MATMUL = OperationType::BATCH_MATMUL;
const Arg kNo = boolean(false);
const Arg kYes = boolean(true);

TEST(BatchMatmul, SaysWhyItRefuses) {
    const Arg matrix = f32({2, 3});
    expectFails(infer, BATCH_MATMUL,
                {{"RankOne", In{f32({3}), f32({3}), kNo, kNo},
                  "input 0 'x' (operand 0) has rank 1, allowed 2 to 4 [batch_matmul.rank]"},
                 {"OtherRank", In{matrix, f32({1, 3, 2}), kNo, kNo},
                  "input 1 'y' (operand 1) has rank 3, allowed 2 [batch_matmul.rank]"},
                 {"InnerDiffers", In{matrix, matrix, kNo, kNo},
                  "dimension 0 of input 1 'y' (operand 1) is 2, allowed 3 as dimension 1 of input "
                  "0 'x' (operand 0) [batch_matmul.shapes]"},
                 {"BatchesDiffer", In{f32({1, 2, 3}), f32({2, 3, 2}), kNo, kNo},
                  "dimension 0 of input 1 'y' (operand 1) is 2, allowed 1 as dimension 0 of input "
                  "0 'x' (operand 0) [batch_matmul.shapes]"}});
}

TEST(BatchMatmul, InfersShapes) {
    const Arg unknownFlag{.type = BOOL};
    expectShapes(
            BATCH_MATMUL,
            {{"BothTransposed", In{f32({0, 3, 2}), f32({5, 4, 3}), kYes, kYes}, Shapes{{5, 2, 4}}},
             {"UnknownFlag", In{f32({2, 3}), f32({3, 4}), unknownFlag, kNo}, Shapes{{0, 4}}},
             {"UnknownRank", In{f32({}), f32({3, 4}), kNo, kNo}, Shapes{{}}}});
}

TEST(BatchMatmul, Computes) {
    const Arg x = f32({2, 2}, {1, 2, 3, 4});
    const Arg y = f32({2, 2}, {5, 6, 7, 8});
    expectComputes(
            BATCH_MATMUL,
            {{"AsTheyAre", In{x, y, kNo, kNo}, Out{f32({2, 2}, {19, 22, 43, 50})}},
             {"XTransposed", In{x, y, kYes, kNo}, Out{f32({2, 2}, {26, 30, 38, 44})}},
             {"BothTransposed", In{x, y, kYes, kYes}, Out{f32({2, 2}, {23, 31, 34, 46})}},
             {"SumIsRoundedOnce",
              In{f32({1, 3}, {16777216, 1, 1}), f32({3, 1}, {1, 1, 1}), kNo, kNo},
              Out{f32({1, 1}, {16777218})}},
             {"NotSquare", In{f32({1, 3}, {1, 2, 3}), f32({3, 2}, {1, 10, 2, 20, 3, 30}), kNo, kNo},
              Out{f32({1, 2}, {14, 140})}},
             {"IntegersWrap",
              In{i32({1, 2}, {65536, INT32_MAX}), i32({2, 1}, {65536, 2}), kNo, kNo},
              Out{i32({1, 1}, {-2})}},
             {"SignedRoundsHalvesAway",
              In{qs8({1, 1}, {1}, 1, 0), qs8({1, 1}, {-1}, 1, 0), kNo, kNo},
              Out{qs8({1, 1}, {-1}, 2, 0)}}});
}

TEST(BatchMatmul, CountsItsSteps) {
    EXPECT_EQ(stepsOf(BATCH_MATMUL,
                      {f32({2, 3, 4}, std::vector<float>(24)),
                       f32({2, 4, 5}, std::vector<float>(40)), kNo, kNo},
                      {f32({})}),
              2u * 3 * 4 * 8);
}

// A large product, and each of its rows separately.
TEST(BatchMatmul, GivesTheSameForFewAndManyElements) {
    constexpr uint32_t kRows = 16, kInner = 20, kColumns = 12;
    std::vector<int8_t> x(kRows * kInner), y(kInner * kColumns);
    for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<int8_t>(i * 37 + 11);
    for (size_t i = 0; i < y.size(); ++i) y[i] = static_cast<int8_t>(i * 53 + 5);
    const auto product = [&](uint32_t rows, std::vector<int8_t> left) {
        return run(BATCH_MATMUL,
                   {qs8({rows, kInner}, std::move(left), 0.5f, 3),
                    qs8({kInner, kColumns}, y, 0.25f, -7), kNo, kNo},
                   {qs8({}, {}, 64, 1)})
                .outputs.at(0)
                .data;
    };
    std::vector<uint8_t> rows;
    for (auto row = x.begin(); row != x.end(); row += kInner) {
        const std::vector<uint8_t> one = product(1, {row, row + kInner});
        rows.insert(rows.end(), one.begin(), one.end());
    }
    EXPECT_EQ(rows.size(), kRows * kColumns);
    EXPECT_EQ(product(kRows, x), rows);
}

}  // namespace
}  // namespace nn::ops::batch_matmul_test
