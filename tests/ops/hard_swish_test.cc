#include "ops/tables.h"

namespace nn::ops::hard_swish_test {
namespace {

constexpr auto HARD_SWISH = OperationType::HARD_SWISH;

TEST(HardSwish, NeedsTheLeastVersion) {
    const Arg rankFive = f32({1, 1, 1, 1, 2});
    expectNeeds(HARD_SWISH, {{"RankFive", In{rankFive}, Out{rankFive}, V1_3}});
}

TEST(HardSwish, Computes) {
    expectComputes(HARD_SWISH,
                   {{"Quantized",  // -4, -1, 1, 4 in thirds
                     In{q8({4}, {0, 3, 5, 8}, 1, 4)}, Out{q8({4}, {10, 9, 12, 22}, 1 / 3.0f, 10)}},
                    {"NoElements", In{f32({0, 3})}, Out{f32({0, 3})}}});
}

// Many stored values use a table, few are computed directly: the results are the same.
TEST(HardSwish, ComputesManyAsFew) {
    std::vector<uint8_t> all, results;
    for (int stored = 0; stored < 256; ++stored) {
        all.push_back(static_cast<uint8_t>(stored));
        const Outcome one =
                run(HARD_SWISH, {q8({1}, {all.back()}, 0.1f, 100)}, {q8({1}, {}, 1 / 3.0f, 10)});
        results.push_back(one.outputs[0].data[0]);
    }
    all.push_back(0);  // more elements than there are values
    results.push_back(results[0]);
    const Arg declared = q8({257}, {}, 1 / 3.0f, 10);
    EXPECT_EQ(run(HARD_SWISH, {q8({257}, all, 0.1f, 100)}, {declared}).outputs[0].data, results);
}

}  // namespace
}  // namespace nn::ops::hard_swish_test
