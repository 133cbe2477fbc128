#include "ops/tables.h"

namespace nn::ops::concatenation_test {
namespace {

constexpr auto CONCATENATION = OperationType::CONCATENATION;

TEST(Concatenation, NeedsTheLeastVersion) {
    const Arg q = q8({2}, {}, 1, 0);
    expectNeeds(CONCATENATION, {{"UnknownRanks", In{f32({}), f32({}), integer(0)}, V1_0},
                                {"OtherScale", In{q, q, integer(0)}, Out{q8({4}, {}, 2, 0)}, V1_2},
                                {"OtherZeroPoint", In{q, q8({2}, {}, 1, 3), integer(0)},
                                 Out{q8({4}, {}, 1, 0)}, V1_2}});
}

TEST(Concatenation, SaysWhyItRefuses) {
    expectFails(check, CONCATENATION,
                {{"RankFive", In{f32({2}), f32({1, 1, 1, 1, 3}), integer(0)},
                  "input 1 'input' (operand 1) has rank 5, allowed 1 to 4 [concatenation.rank]"}});
}

TEST(Concatenation, SaysWhyPreparationFails) {
    expectFails(
            infer, CONCATENATION,
            {{"AxisFromTheEnd", In{f32({2, 3}), f32({2, 3}), integer(-1)},
              "input 2 'axis' (operand 2) is -1, allowed 0 to 1 for rank 2 [concatenation.axis]"},
             {"AxisTooLarge", In{f32({}), f32({2, 3}), integer(2)},
              "input 2 'axis' (operand 2) is 2, allowed 0 to 1 for rank 2 [concatenation.axis]"},
             {"Ranks", In{f32({2, 3}), f32({}), f32({2}), integer(0)},
              "input 2 'input' (operand 2) has rank 1, allowed 2 as input 0 'input' (operand 0) "
              "[concatenation.shapes]"},
             {"Dimensions", In{f32({2, 0}), f32({2, 3}), f32({2, 4}), integer(0)},
              "dimension 1 of input 2 'input' (operand 2) is 4, allowed 3 as in the inputs before "
              "[concatenation.shapes]"},
             {"Size", In{f32({UINT32_MAX}), f32({1}), integer(0)},
              "dimension 0 of output 0 'output' (operand 3) is 4294967296, allowed up to "
              "4294967295 [concatenation.size]"}});
}

TEST(Concatenation, InfersShapes) {
    const Arg unknownAxis{.type = INT32};
    expectShapes(CONCATENATION,
                 {{"UnknownAlongAxis", In{f32({2, 0}), f32({2, 4}), integer(1)}, Shapes{{2, 0}}},
                  {"KnownElsewhere", In{f32({0, 3}), f32({2, 4}), integer(1)}, Shapes{{2, 7}}},
                  {"OneUnknownRank", In{f32({}), f32({2, 4}), integer(1)}, Shapes{{2, 0}}},
                  {"NoKnownRank", In{f32({}), f32({}), integer(1)}, Shapes{{}}},
                  {"UnknownAxis", In{f32({2, 3}), f32({2, 3}), unknownAxis}, Shapes{{0, 0}}}});
}

TEST(Concatenation, Computes) {
    expectComputes(
            CONCATENATION,
            {{"EmptyAmongOthers",
              In{f32({2, 1}, {1, 2}), f32({2, 0}), f32({2, 1}, {3, 4}), integer(1)},
              Out{f32({2, 2}, {1, 3, 2, 4})}},
             {"NoElements", In{f32({0, 1}), f32({0, 2}), integer(1)}, Out{f32({0, 3})}},
             {"SameQuantization", In{q8({1}, {7}, 0.3f, 1), q8({1}, {255}, 0.3f, 1), integer(0)},
              Out{q8({2}, {7, 255}, 0.3f, 1)}},
             {"OtherQuantization",  // 10 * 0.5, 200 * 2 saturates, 13 kept
              In{q8({2}, {20, 210}, 0.5f, 10), q8({2}, {200, 0}, 2, 0), q8({1}, {13}, 1, 1),
                 integer(0)},
              Out{q8({5}, {6, 101, 255, 1, 13}, 1, 1)}},
             {"HalvesAwayFromZero",  // 0.5 and -0.5
              In{qs8({2}, {1, -1}, 0.5f, 0), integer(0)}, Out{qs8({2}, {4, 2}, 1, 3)}}});
}

}  // namespace
}  // namespace nn::ops::concatenation_test
