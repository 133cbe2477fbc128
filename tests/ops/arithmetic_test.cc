#include <limits>

#include "ops/tables.h"

namespace nn::ops::arithmetic_test {
namespace {

constexpr auto ADD = OperationType::ADD;
constexpr auto SUB = OperationType::SUB;
constexpr auto MUL = OperationType::MUL;
constexpr auto DIV = OperationType::DIV;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kMaxFloat = std::numeric_limits<float>::max();
constexpr int32_t kMinInt = std::numeric_limits<int32_t>::min();
constexpr int32_t kMaxInt = std::numeric_limits<int32_t>::max();

TEST(Arithmetic, NeedsTheLeastVersion) {
    expectNeeds(ADD, {{"RankFiveAndUnknown", In{f32({1, 1, 1, 1, 2}), f32({}), integer(0)}, V1_0}});
}

TEST(Arithmetic, SaysWhyItRefuses) {
    const Arg q = q8({2}, {}, 0.5, 0);
    const Arg qs = qs8({2}, {}, 0.5, 0);
    expectFails(check, ADD,
                {{"RankFive", In{f32({2}), f32({1, 1, 1, 1, 2}), integer(0)},
                  "input 1 'input1' (operand 1) has rank 5, allowed 1 to 4 [arithmetic.rank]"}});
    expectFails(check, MUL,
                {{"Scale", In{q, q, integer(0)}, Out{q8({2}, {}, 0.25, 0)},
                  "output 0 'output' (operand 3) has scale 0.25, allowed above 0.25, the product "
                  "of the scales of the inputs [arithmetic.mul_scale]"},
                 {"ScaleSigned", In{qs, qs, integer(0)}, Out{qs8({2}, {}, 0.125, 0)},
                  "output 0 'output' (operand 3) has scale 0.125, allowed above 0.25, the product "
                  "of the scales of the inputs [arithmetic.mul_scale]"}});
}

TEST(Arithmetic, SaysWhyPreparationFails) {
    expectFails(infer, ADD,
                {{"Activation", In{f32({2}), f32({2}), integer(4)}, Out{f32({2})},
                  "input 2 'activation' (operand 2) is 4, allowed 0 (NONE), 1 (RELU), 2 (RELU1) or "
                  "3 (RELU6) [arithmetic.activation]"}});
    expectFails(infer, MUL,
                {{"ActivationOfInteger", In{i32({2}), i32({2}), integer(1)}, Out{i32({2})},
                  "input 2 'activation' (operand 2) is 1, allowed 0 (NONE) for TENSOR_INT32 "
                  "[arithmetic.activation]"}});
    expectFails(infer, DIV,
                {{"Shapes", In{f32({3, 2}), f32({2, 2}), integer(0)},
                  "dimension 2 from the end is 3 in input 0 'input0' (operand 0) and 2 in input 1 "
                  "'input1' (operand 1), allowed equal or 1 [arithmetic.shapes]"}});
    expectFails(infer, SUB,
                {{"SumScale", In{q8({2}, {}, 1, 0), q8({2}, {}, 524288, 0), integer(0)},
                  Out{q8({2}, {}, 1, 0)},
                  "output 0 'output' (operand 3) has scale 1, allowed above 1, the larger scale of "
                  "the inputs / 2^19 [arithmetic.sum_scale]"}});
}

TEST(Arithmetic, InfersShapes) {
    expectShapes(ADD, {{"UnknownRank", In{f32({}), f32({2}), integer(0)}, Shapes{{}}},
                       {"UnknownAgainstOne", In{f32({0}), f32({1}), integer(0)}, Shapes{{0}}},
                       {"UnknownAgainstTwo", In{f32({0}), f32({2}), integer(0)}, Shapes{{2}}}});
}

TEST(Arithmetic, Computes) {
    expectComputes(
            ADD,
            {{"HalfKeepsInfinity", In{f16({1}, {60000}), f16({1}, {60000}), integer(0)},
              Out{f16({1}, {kInfinity})}},
             {"Bias", In{f32({2, 3}, {1, 2, 3, 4, 5, 6}), f32({3}, {10, 20, 30}), integer(0)},
              Out{f32({2, 3}, {11, 22, 33, 14, 25, 36})}},
             {"BothWays", In{f32({2, 1, 2}, {1, 2, 3, 4}), f32({3, 1}, {10, 20, 30}), integer(0)},
              Out{f32({2, 3, 2}, {11, 12, 21, 22, 31, 32, 13, 14, 23, 24, 33, 34})}},
             {"OuterMovesInner",
              In{f32({2, 2, 1, 2}, {1, 2, 3, 4, 5, 6, 7, 8}), f32({2, 1, 2, 1}, {10, 20, 30, 40}),
                 integer(0)},
              Out{f32({2, 2, 2, 2},
                      {11, 12, 21, 22, 13, 14, 23, 24, 35, 36, 45, 46, 37, 38, 47, 48})}},
             {"NoElementsAgainstOne", In{f32({2, 0}), f32({2, 1}, {1, 2}), integer(0)},
              Out{f32({2, 0})}},
             {"Wraps", In{i32({2}, {kMaxInt, kMinInt}), i32({2}, {1, -1}), integer(0)},
              Out{i32({2}, {kMinInt, kMaxInt})}},
             {"Relu6Quantized",  // 9 and -9 as halves with zero point 10
              In{q8({2}, {19, 1}, 1, 10), q8({1}, {0}, 1, 0), integer(3)},
              Out{q8({2}, {22, 10}, 0.5, 10)}}});
    expectComputes(
            SUB,
            {{"ScalarOnTheLeft", In{f32({1}, {10}), f32({2, 2}, {1, 2, 3, 4}), integer(0)},
              Out{f32({2, 2}, {9, 8, 7, 6})}},
             {"ScalarOnTheRight", In{f32({2, 2}, {1, 2, 3, 4}), f32({1, 1, 1}, {10}), integer(0)},
              Out{f32({1, 2, 2}, {-9, -8, -7, -6})}},
             {"Column", In{f32({2, 3}, {1, 2, 3, 4, 5, 6}), f32({2, 1}, {1, 4}), integer(0)},
              Out{f32({2, 3}, {0, 1, 2, 0, 1, 2})}},
             {"Wraps", In{i32({2}, {kMaxInt, 0}), i32({2}, {-1, kMinInt}), integer(0)},
              Out{i32({2}, {kMinInt, kMinInt})}},
             {"QuantizedRoundsHalfAwayFromZero",  // 1 - 2 = -1, with a scale of 2
              In{q8({1}, {1}, 1, 0), q8({1}, {2}, 1, 0), integer(0)}, Out{q8({1}, {9}, 2, 10)}}});
    expectComputes(
            MUL,
            {{"NoElements", In{f32({0, 2}), f32({2}, {1, 2}), integer(0)}, Out{f32({0, 2})}},
             {"Wraps", In{i32({3}, {65536, kMinInt, -3}), i32({3}, {65536, -1, 7}), integer(0)},
              Out{i32({3}, {0, kMinInt, -21})}}});
    expectComputes(DIV,
                   {{"NoActivationIsFinite", In{f32({2}, {1, -1}), f32({1}, {0}), integer(0)},
                     Out{f32({2}, {kMaxFloat, -kMaxFloat})}},
                    {"Floors", In{i32({4}, {7, -7, 7, -7}), i32({4}, {2, 2, -2, -2}), integer(0)},
                     Out{i32({4}, {3, -4, -4, 3})}},
                    {"ByZero", In{i32({3}, {7, 0, -7}), i32({1}, {0}), integer(0)},
                     Out{i32({3}, {0, 0, 0})}},
                    {"Wraps", In{i32({1}, {kMinInt}), i32({1}, {-1}), integer(0)},
                     Out{i32({1}, {kMinInt})}}});
}

}  // namespace
}  // namespace nn::ops::arithmetic_test
