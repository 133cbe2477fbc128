#include "ops/tables.h"

namespace nn::ops::prelu_test {
namespace {

constexpr auto PRELU = OperationType::PRELU;

TEST(Prelu, NeedsTheLeastVersion) {
    const Arg rankFive = f32({1, 1, 1, 1, 2});
    expectNeeds(PRELU, {{"RankFive", In{rankFive, rankFive}, Out{rankFive}, V1_2}});
}

TEST(Prelu, SaysWhyPreparationFails) {
    expectFails(infer, PRELU,
                {{"Shapes", In{f32({3}), f32({2})},
                  "dimension 1 from the end is 3 in input 0 'input' (operand 0) and 2 in input 1 "
                  "'alpha' (operand 1), allowed equal or 1 [prelu.shapes]"}});
}

TEST(Prelu, InfersShapes) {
    expectShapes(PRELU, {{"UnknownDimension", In{f32({0, 1}), f32({3})}, Shapes{{0, 3}}}});
}

TEST(Prelu, Computes) {
    expectComputes(PRELU, {{"Channels", In{f32({2, 2}, {1, -1, -2, 2}), f32({2}, {0.5f, 0.25f})},
                            Out{f32({2, 2}, {1, -0.25f, -1, 2})}},
                           {"AlphaOfHigherRank", In{f32({2}, {-1, -2}), f32({2, 1}, {2, 3})},
                            Out{f32({2, 2}, {-2, -4, -3, -6})}}});
}

}  // namespace
}  // namespace nn::ops::prelu_test
