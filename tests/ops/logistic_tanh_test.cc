#include "ops/tables.h"

namespace nn::ops::logistic_tanh_test {
namespace {

constexpr auto LOGISTIC = OperationType::LOGISTIC;
constexpr auto TANH = OperationType::TANH;

TEST(LogisticTanh, NeedsTheLeastVersion) {
    expectNeeds(TANH, {{"UnknownRank", In{f32({})}, V1_0}});
}

TEST(LogisticTanh, SaysWhyItRefuses) {
    expectFails(check, TANH,
                {{"RankFive", In{f32({1, 1, 1, 1, 3})},
                  "input 0 'input' (operand 0) has rank 5, allowed 1 to 4 [logistic_tanh.rank]"}});
}

TEST(LogisticTanh, SaysWhyPreparationFails) {
    expectFails(infer, LOGISTIC,
                {{"Quantization", In{q8({2}, {}, 1, 0)}, Out{q8({2}, {}, 0.5, 0)},
                  "output 0 'output' (operand 1) has scale 0.5 and zeroPoint 0, allowed 0.00390625 "
                  "and 0 [logistic_tanh.quantization]"}});
    expectFails(infer, TANH,
                {{"Quantization", In{qs8({2}, {}, 1, 0)}, Out{qs8({2}, {}, 1.0f / 128, 1)},
                  "output 0 'output' (operand 1) has scale 0.0078125 and zeroPoint 1, allowed "
                  "0.0078125 and 0 [logistic_tanh.quantization]"},
                 {"Scale", In{q8({2}, {}, 0x1p-27f, 0)}, Out{q8({2}, {}, 1.0f / 128, 128)},
                  "input 0 'input' (operand 0) has scale 7.450581e-09, allowed above 2^-27 "
                  "[logistic_tanh.scale]"}});
}

TEST(LogisticTanh, Computes) {
    expectComputes(TANH, {{"NoElements", In{f32({0, 3})}, Out{f32({0, 3})}}});
}

// Computed directly, with a table of the values that occur, and with a table of all values.
TEST(LogisticTanh, GivesTheSameForFewAndManyElements) {
    for (const auto type : {LOGISTIC, TANH}) {
        const Arg output = type == TANH ? q8({}, {}, 1.0f / 128, 128) : q8({}, {}, 1.0f / 256, 0);
        const auto of = [&](const std::vector<uint8_t>& x) {
            const auto size = static_cast<uint32_t>(x.size());
            return run(type, {q8({size}, x, 0.05f, 100)}, {output}).outputs.at(0).data;
        };
        std::vector<uint8_t> all(256), some, many;
        for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<uint8_t>(i);
        const std::vector<uint8_t> results = of(all);
        ASSERT_EQ(results.size(), all.size());
        const auto expected = [&](const std::vector<uint8_t>& x) {
            std::vector<uint8_t> y;
            for (const uint8_t stored : x) y.push_back(results[stored]);
            return y;
        };
        for (size_t i = 0; i < 1000; ++i) some.push_back(static_cast<uint8_t>(i % 7 * 40));
        for (size_t i = 0; i < 20000; ++i) many.push_back(static_cast<uint8_t>(i * 31));
        EXPECT_EQ(of(some), expected(some)) << toString(type);
        EXPECT_EQ(of(many), expected(many)) << toString(type);
    }
}

}  // namespace
}  // namespace nn::ops::logistic_tanh_test
