#include "ops/tables.h"

namespace nn::ops::select_test {
namespace {

constexpr auto SELECT = OperationType::SELECT;

TEST(Select, NeedsTheLeastVersion) {
    const Arg mask = b8({});
    const Arg rankFive = f32({1, 1, 1, 1, 2});
    const Arg q = q8({2}, {}, 1, 0);
    const Arg qs = qs8({2}, {}, 1, 0);
    expectNeeds(SELECT, {{"Half", In{mask, f16({2}), f16({2})}, Out{f16({2})}, V1_2},
                         {"Float", In{mask, rankFive, rankFive}, Out{rankFive}, V1_2},
                         {"Integer", In{mask, i32({}), i32({})}, Out{i32({})}, V1_2},
                         {"Quantized", In{mask, q, q}, Out{q}, V1_2},
                         {"Signed", In{mask, qs, qs}, Out{qs}, V1_3}});
}

TEST(Select, SaysWhyPreparationFails) {
    expectFails(infer, SELECT,
                {{"Rank", In{b8({2}), f32({2}), f32({1, 2})},
                  "input 2 'input2' (operand 2) has rank 2, allowed 1 as the inputs before "
                  "[select.shapes]"},
                 {"Dimension", In{b8({2, 0}), f32({2, 3}), f32({2, 1})},
                  "dimension 1 of input 2 'input2' (operand 2) is 1, allowed 3 as in the inputs "
                  "before [select.shapes]"}});
}

TEST(Select, InfersShapes) {
    expectShapes(SELECT, {{"Merged", In{b8({}), f32({0, 3, 0}), f32({2, 0, 0})}, Shapes{{2, 3, 0}}},
                          {"NothingKnown", In{b8({}), f32({}), f32({})}, Shapes{{}}}});
}

TEST(Select, Computes) {
    expectComputes(SELECT,
                   {{"AnyByteIsTrue", In{b8({2}, {0, 255}), f16({2}, {1, 2}), f16({2}, {3, 4})},
                     Out{f16({2}, {3, 2})}},
                    {"IntegersThatFloatsConfuse",
                     In{b8({2}, {1, 0}), i32({2}, {16777217, 2}), i32({2}, {3, -16777217})},
                     Out{i32({2}, {16777217, -16777217})}}});
}

}  // namespace
}  // namespace nn::ops::select_test
