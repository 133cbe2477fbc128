#include "ops/tables.h"

namespace nn::ops::argmax_argmin_test {
namespace {

constexpr auto ARGMAX = OperationType::ARGMAX;
constexpr auto ARGMIN = OperationType::ARGMIN;

TEST(ArgmaxArgmin, SaysWhyPreparationFails) {
    expectFails(infer, ARGMIN,
                {{"Axis", In{f32({2, 3}), integer(-3)}, Out{i32({})},
                  "input 1 'axis' (operand 1) is -3, allowed -2 to 1 for rank 2 "
                  "[argmax_argmin.axis]"}});
}

TEST(ArgmaxArgmin, InfersShapes) {
    expectShapes(ARGMAX,
                 {{"UnknownAxis", In{f32({2, 3}), as(INT32, i32({}))}, Out{i32({})}, Shapes{{0}}},
                  {"UnknownDimension", In{f32({0, 3}), integer(1)}, Out{i32({})}, Shapes{{0}}},
                  {"UnknownRank", In{f32({}), integer(1)}, Out{i32({})}, Shapes{{}}},
                  {"RankOne", In{f32({3}), as(INT32, i32({}))}, Out{i32({})}, Shapes{{1}}}});
}

TEST(ArgmaxArgmin, Computes) {
    expectComputes(ARGMAX, {{"FirstOfEqual", In{q8({3}, {5, 9, 9}, 1, 3), integer(0)},
                             Out{i32({1}, {1})}}});
    expectComputes(ARGMIN, {{"FirstOfEqual", In{qs8({3}, {5, -9, -9}, 1, 3), integer(0)},
                             Out{i32({1}, {1})}}});
}

}  // namespace
}  // namespace nn::ops::argmax_argmin_test
