#include <algorithm>
#include <cmath>
#include <cstring>

#include "op_support/kernels/philox.h"
#include "ops/tables.h"

namespace nn::ops::random_multinomial_test {
namespace {

constexpr auto RANDOM_MULTINOMIAL = OperationType::RANDOM_MULTINOMIAL;

// The authors' known result for key and counter 0, then the block of counter 1.
TEST(Philox, ComputesTheKnownResult) {
    Philox random(0, 0);
    for (const uint32_t expected : {0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u}) {
        EXPECT_EQ(random.next(), expected);
    }
    Philox again(0, 0);
    EXPECT_EQ(again.uniform(), ((0x6627e8d5u & 0xFFFFF) * 0x1p32 + 0xe169c58du) * 0x1p-52);
}

std::vector<Arg> with(Arg logits, int32_t samples, std::vector<int32_t> seeds) {
    return {std::move(logits), integer(samples), i32({2}, std::move(seeds))};
}

TEST(RandomMultinomial, SaysWhyItRefuses) {
    expectFails(infer, RANDOM_MULTINOMIAL,
                {{"RankOne", with(f32({3}), 4, {1, 2}), Out{i32({})},
                  "input 0 'logits' (operand 0) has rank 1, allowed 2 [random_multinomial.rank]"},
                 {"SamplesNegative", with(f32({2, 3}), -1, {1, 2}), Out{i32({})},
                  "input 1 'samples' (operand 1) is -1, allowed 0 or more "
                  "[random_multinomial.samples]"},
                 {"OneSeed", In{f32({2, 3}), integer(4), i32({1}, {1})}, Out{i32({})},
                  "dimension 0 of input 2 'seeds' (operand 2) is 1, allowed 2 "
                  "[random_multinomial.seeds]"}});
}

TEST(RandomMultinomial, InfersShapes) {
    expectShapes(RANDOM_MULTINOMIAL,
                 {{"Samples", with(f32({0, 3}), 4, {1, 2}), Out{i32({})}, Shapes{{0, 4}}}});
}

TEST(RandomMultinomial, Computes) {
    // The stream of seeds 7 and -3 begins 0.974, 0.710, 0.152, 0.025, 0.632, 0.771, 0.497, 0.725.
    expectComputes(
            RANDOM_MULTINOMIAL,
            {{"OneStreamOverAllBatches",
              with(f32({2, 4}, {0, 0, 0, 0, 0, 0.6931472f, 1.0986123f, 1.3862944f}), 4, {7, -3}),
              Out{i32({2, 4}, {3, 2, 0, 0, 3, 3, 2, 3})}},
             {"InfiniteLogitsCountForNothing",
              with(f32({1, 3}, {-INFINITY, 5, INFINITY}), 2, {7, -3}), Out{i32({1, 2}, {1, 1})}},
             {"NothingToChoose", with(f32({1, 2}, {NAN, INFINITY}), 1, {7, -3}),
              Out{i32({1, 1}, {2})}},
             {"Certain", with(f16({1, 2}, {0, 100}), 2, {0, 0}), Out{i32({1, 2}, {1, 1})}},
             {"NoSamples", with(f32({1, 2}, {0, 0}), 0, {7, -3}), Out{i32({1, 0})}}});
}

// Two seeds of 0 select different numbers for each execution, one does not.
TEST(RandomMultinomial, DrawsTheSameBySeeds) {
    const auto draw = [](std::vector<int32_t> seeds) {
        return run(RANDOM_MULTINOMIAL, with(f32({1, 4}, {0, 0, 0, 0}), 100, std::move(seeds)),
                   {i32({})})
                .outputs.at(0)
                .data;
    };
    EXPECT_EQ(draw({5, 0}), draw({5, 0}));
    EXPECT_EQ(draw({0, 5}), draw({0, 5}));
    EXPECT_NE(draw({0, 5}), draw({5, 0}));
    EXPECT_NE(draw({0, 0}), draw({0, 0}));
}

TEST(RandomMultinomial, DrawsAsOftenAsTheLogitsSay) {
    constexpr int32_t kEighth = 2500;
    constexpr int32_t kSamples = 8 * kEighth;
    const Outcome outcome =
            run(RANDOM_MULTINOMIAL,
                with(f32({1, 3}, {0, 0.6931472f, 1.6094379f}), kSamples, {1, 2}), {i32({})});
    ASSERT_EQ(outcome.error, "");
    std::vector<int32_t> samples(kSamples);
    std::memcpy(samples.data(), outcome.outputs[0].data.data(), kSamples * sizeof(int32_t));
    EXPECT_NEAR(std::ranges::count(samples, 0), 1 * kEighth, 300);
    EXPECT_NEAR(std::ranges::count(samples, 1), 2 * kEighth, 300);
    EXPECT_NEAR(std::ranges::count(samples, 2), 5 * kEighth, 300);
}

}  // namespace
}  // namespace nn::ops::random_multinomial_test
