#include "ops/tables.h"

namespace nn::ops::fill_test {
namespace {

constexpr auto FILL = OperationType::FILL;

TEST(Fill, SaysWhyPreparationFails) {
    expectFails(infer, FILL,
                {{"Matrix", In{i32({1, 2}), real(1)},
                  "input 0 'dims' (operand 0) has rank 2, allowed 1 [fill.dims]"},
                 {"Negative", In{i32({2}, {1, -1}), real(1)},
                  "element 1 of input 0 'dims' (operand 0) is -1, allowed 0 or more [fill.dims]"}});
}

TEST(Fill, InfersShapes) { expectShapes(FILL, {{"Unknown", In{i32({2}), real(1)}, Shapes{{}}}}); }

TEST(Fill, Computes) {
    expectComputes(FILL, {{"Integer", In{i32({1}, {3}), integer(-7)}, Out{i32({3}, {-7, -7, -7})}},
                          {"Nothing", In{i32({2}, {2, 0}), real(7)}, Out{f32({2, 0})}}});
}

}  // namespace
}  // namespace nn::ops::fill_test
