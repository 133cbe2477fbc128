#include "ops/tables.h"

namespace nn::ops::svdf_test {
namespace {

constexpr auto SVDF = OperationType::SVDF;

using Args = std::vector<Arg>;

const Arg kAny = f32({});

// Two batches of one feature, four filters with a memory of three values, in two units.
Args layer() {
    return {f32({2, 1}, {1, 2}),
            f32({4, 1}, {1, 10, 100, 1000}),
            f32({4, 3}, {1, 1, 1, 0, 0, 1, 1, 0, 0, 0, 2, 0}),
            f32({2}, {0.5f, 0}),
            f32({2, 12}, {1, 2, 99, 3, 4, 99, 5, 6, 99, 7, 8, 99,  //
                          0, 0, 99, 0, 0, 99, 0, 0, 99, 0, 1, 99}),
            integer(2),
            integer(0)};
}

TEST(Svdf, NeedsTheLeastVersion) {
    const Args half = {f16({1, 1}), f16({1, 1}), f16({1, 1}), omitted(TENSOR_FLOAT16),
                       f16({1, 1}), integer(1),  integer(0)};
    expectNeeds(SVDF,
                {{"NoBias", with(layer(), {{3, omitted(TENSOR_FLOAT32)}}), Out{kAny, kAny}, V1_0},
                 {"Half", half, Out{f16({}), f16({})}, V1_2}});
}

TEST(Svdf, SaysWhyPreparationFails) {
    expectFails(
            infer, SVDF,
            {{"RankZero", with(layer(), {{5, integer(0)}}), Out{kAny, kAny},
              "input 5 'rank' (operand 5) is 0, allowed 1 or more [svdf.rank]"},
             {"RankDoesNotDivide", with(layer(), {{5, integer(3)}}), Out{kAny, kAny},
              "input 5 'rank' (operand 5) is 3, allowed divisors of 4, the number of filters "
              "[svdf.rank]"},
             {"Activation", with(layer(), {{6, integer(7)}}), Out{kAny, kAny},
              "input 6 'activation' (operand 6) is 7, allowed 0 (NONE), 1 (RELU), 2 (RELU1), 3 "
              "(RELU6), 4 (TANH) or 6 (SIGMOID) [svdf.activation]"},
             {"InputOfRankOne", with(layer(), {{0, f32({2})}}), Out{kAny, kAny},
              "input 0 'input' (operand 0) has dimensions [2], allowed [2, 1] [svdf.shapes]"},
             {"InputSize", with(layer(), {{0, f32({2, 2})}}), Out{kAny, kAny},
              "input 1 'featureWeights' (operand 1) has dimensions [4, 1], allowed [4, 2] "
              "[svdf.shapes]"},
             {"Filters", with(layer(), {{2, f32({3, 3})}}), Out{kAny, kAny},
              "input 2 'timeWeights' (operand 2) has dimensions [3, 3], allowed [4, 3] "
              "[svdf.shapes]"},
             {"BiasOfEachFilter", with(layer(), {{3, f32({4})}}), Out{kAny, kAny},
              "input 3 'bias' (operand 3) has dimensions [4], allowed [2] [svdf.shapes]"},
             {"StateWithoutTheNewestValue", with(layer(), {{4, f32({2, 8})}}), Out{kAny, kAny},
              "input 4 'stateIn' (operand 4) has dimensions [2, 8], allowed [2, 12] [svdf.shapes]"},
             {"StateTooLarge", with(layer(), {{2, f32({4, 4294967295u})}, {4, kAny}}),
              Out{kAny, kAny},
              "dimension 1 of output 0 'stateOut' (operand 7) is 17179869180, allowed up to "
              "4294967295 [svdf.shapes]"}});
}

TEST(Svdf, SaysWhyExecutionFails) {
    expectFails(run, SVDF,
                {{"NoMemory", with(layer(), {{2, f32({4, 0})}, {4, f32({2, 0})}}), Out{kAny, kAny},
                  "dimension 1 of input 2 'timeWeights' (operand 2) is 0, allowed 1 or more "
                  "[svdf.shapes]"}});
}

TEST(Svdf, InfersShapes) {
    expectShapes(SVDF, {{"UnknownBatch", with(layer(), {{0, kAny}}), Out{kAny, kAny},
                         Shapes{{2, 12}, {2, 2}}},
                        {"UnknownRank", with(layer(), {{5, {.type = INT32}}}), Out{kAny, kAny},
                         Shapes{{2, 12}, {2, 0}}},
                        {"UnknownMemory", with(layer(), {{2, kAny}}), Out{kAny, kAny},
                         Shapes{{2, 12}, {2, 2}}}});
}

// First batch: the memories are (1, 2, 1), (3, 4, 10), (5, 6, 100) and (7, 8, 1000); multiplied by
// the time weights they are 4, 10, 5 and 16. The last value of each state is not read.
TEST(Svdf, Computes) {
    const Arg state = f32({2, 12}, {2, 1, 0, 4, 10, 0, 6, 100, 0, 8, 1000, 0,  //
                                    0, 2, 0, 0, 20, 0, 0, 200, 0, 1, 2000, 0});
    expectComputes(SVDF, {{"FiltersOfAUnitAreAdjacent", layer(),
                           Out{state, f32({2, 2}, {14.5f, 21, 22.5f, 2})}},
                          {"Activation", with(layer(), {{6, integer(3)}}),
                           Out{state, f32({2, 2}, {6, 6, 6, 2})}}});
}

// Two batches through four filters of one feature and three values.
TEST(Svdf, CountsItsSteps) { EXPECT_EQ(stepsOf(SVDF, layer(), {kAny, kAny}), 2u * 4 * (1 + 3)); }

}  // namespace
}  // namespace nn::ops::svdf_test
