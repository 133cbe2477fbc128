#include "ops/tables.h"

namespace nn::ops::argmax_argmin_test {
namespace {

constexpr auto ARGMAX = OperationType::ARGMAX;
constexpr auto ARGMIN = OperationType::ARGMIN;

TEST(ArgmaxArgmin, NeedsTheLeastVersion) {
    expectNeeds(ARGMAX, {{"Float", {f32({2}), integer(0)}, {i32({})}, V1_2},
                         {"Integer", {i32({2}), integer(0)}, {i32({})}, V1_2},
                         {"Half", {f16({2}), integer(0)}, {i32({})}, V1_2},
                         {"Quantised", {q8({2}, {}, 1, 3), integer(0)}, {i32({})}, V1_2},
                         {"Signed", {qs8({2}, {}, 1, 3), integer(0)}, {i32({})}, V1_3}});
}

TEST(ArgmaxArgmin, SaysWhyItRefuses) {
    expectFails(check, ARGMIN,
                {{"RealOutput",
                  {f32({2}), integer(0)},
                  {f32({})},
                  "output 0 'output' (operand 2) is TENSOR_FLOAT32, allowed TENSOR_INT32 "
                  "[argmax_argmin.types]"}});
}

TEST(ArgmaxArgmin, SaysWhyPreparationFails) {
    expectFails(infer, ARGMIN,
                {{"Axis",
                  {f32({2, 3}), integer(-3)},
                  {i32({})},
                  "input 1 'axis' (operand 1) is -3, allowed -2 to 1 for rank 2 "
                  "[argmax_argmin.axis]"}});
}

TEST(ArgmaxArgmin, InfersShapes) {
    expectShapes(ARGMAX, {{"UnknownAxis", {f32({2, 3}), as(INT32, i32({}))}, {i32({})}, {{0}}},
                          {"UnknownDimension", {f32({0, 3}), integer(1)}, {i32({})}, {{0}}},
                          {"UnknownRank", {f32({}), integer(1)}, {i32({})}, {{}}},
                          {"RankOne", {f32({3}), as(INT32, i32({}))}, {i32({})}, {{1}}}});
}

TEST(ArgmaxArgmin, Computes) {
    expectComputes(ARGMAX,
                   {{"Last", {f32({2, 3}, {1, 3, 2, 6, 5, 4}), integer(-1)}, {i32({2}, {1, 0})}},
                    {"First", {f32({2, 3}, {1, 3, 2, 6, 2, 4}), integer(0)}, {i32({3}, {1, 0, 1})}},
                    {"FirstOfEqual", {q8({3}, {5, 9, 9}, 1, 3), integer(0)}, {i32({1}, {1})}},
                    {"Half", {f16({2}, {-1, 1}), integer(0)}, {i32({1}, {1})}}});
    expectComputes(ARGMIN,
                   {{"Middle", {i32({1, 2, 2}, {4, 1, 3, 2}), integer(1)}, {i32({1, 2}, {1, 0})}},
                    {"FirstOfEqual", {qs8({3}, {5, -9, -9}, 1, 3), integer(0)}, {i32({1}, {1})}}});
}

}  // namespace
}  // namespace nn::ops::argmax_argmin_test
