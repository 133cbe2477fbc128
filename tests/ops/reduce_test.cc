#include <limits>

#include "ops/tables.h"

namespace nn::ops::reduce_test {
namespace {

constexpr auto REDUCE_ALL = OperationType::REDUCE_ALL;
constexpr auto REDUCE_ANY = OperationType::REDUCE_ANY;
constexpr auto REDUCE_MAX = OperationType::REDUCE_MAX;
constexpr auto REDUCE_MIN = OperationType::REDUCE_MIN;
constexpr auto REDUCE_PROD = OperationType::REDUCE_PROD;
constexpr auto REDUCE_SUM = OperationType::REDUCE_SUM;

TEST(Reduce, SaysWhyItRefuses) {
    expectFails(check, REDUCE_PROD,
                {{"RankFive", In{f32({1, 1, 1, 1, 1}), i32({1}), boolean(false)},
                  "input 0 'input' (operand 0) has rank 5, allowed 1 to 4 [reduce.rank]"}});
}

TEST(Reduce, SaysWhyPreparationFails) {
    expectFails(
            infer, REDUCE_MAX,
            {{"Axis", In{f32({2}), i32({2}, {0, 1}), boolean(true)},
              "element 1 of input 1 'axes' (operand 1) is 1, allowed -1 to 0 for rank 1 "
              "[reduce.axes]"},
             {"AxesOfRankTwo", In{f32({2}), i32({1, 1}, {0}), boolean(true)},
              "input 1 'axes' (operand 1) has rank 2, allowed 1 [reduce.axes]"},
             {"OtherScale", In{q8({2}, {}, 1, 3), i32({1}), boolean(false)}, Out{q8({}, {}, 2, 3)},
              "output 0 'output' (operand 3) has scale 2 and zeroPoint 3, allowed 1 and 3 as input "
              "0 'input' (operand 0) [reduce.quantization]"}});
}

TEST(Reduce, InfersShapes) {
    expectShapes(REDUCE_SUM,
                 {{"UnknownAxes", In{f32({2, 3}), i32({1}), boolean(false)}, Shapes{{}}},
                  {"UnknownAxesKept", In{f32({2, 3}), i32({1}), boolean(true)}, Shapes{{0, 0}}},
                  {"UnknownKeeping", In{f32({2, 3}), i32({1}, {0}), as(BOOL, b8({}))}, Shapes{{}}},
                  {"UnknownDimension", In{f32({0, 3, 4}), i32({1}, {1}), boolean(false)},
                   Shapes{{0, 4}}},
                  {"UnknownRank", In{f32({}), i32({1}, {9}), boolean(false)}, Shapes{{}}}});
}

TEST(Reduce, Computes) {
    const float inf = std::numeric_limits<float>::infinity();
    const float lowest = std::numeric_limits<float>::lowest();
    const Arg x = f32({2, 3}, {1, 2, 3, 4, 5, 6});
    expectComputes(
            REDUCE_SUM,
            {{"ColumnsKept", In{x, i32({1}, {-2}), boolean(true)}, Out{f32({1, 3}, {5, 7, 9})}},
             {"Twice", In{x, i32({3}, {1, 1, -1}), boolean(false)}, Out{f32({2}, {6, 15})}},
             {"All", In{x, i32({2}, {0, 1}), boolean(false)}, Out{f32({1}, {21})}},
             {"Middle", In{f16({1, 2, 2}, {1, 2, 3, 4}), i32({1}, {1}), boolean(false)},
              Out{f16({1, 2}, {4, 6})}},
             {"Outer",
              In{f32({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}), i32({2}, {0, 2}), boolean(false)},
              Out{f32({2}, {14, 22})}}});
    expectComputes(REDUCE_PROD, {{"ZeroBeatsInfinity",
                                  In{f32({3}, {inf, 0, inf}), i32({1}, {0}), boolean(false)},
                                  Out{f32({1}, {0})}}});
    expectComputes(
            REDUCE_MAX,
            {{"Columns", In{x, i32({1}, {0}), boolean(false)}, Out{f32({3}, {4, 5, 6})}},
             {"Quantized", In{q8({3}, {0, 7, 3}, 1, 3), i32({1}, {0}), boolean(false)},
              Out{q8({1}, {7}, 1, 3)}},
             {"StartsWithTheLowest", In{f32({2}, {-inf, -inf}), i32({1}, {0}), boolean(false)},
              Out{f32({1}, {lowest})}},
             {"StartsWithTheLowestHalf", In{f16({2}, {-inf, -inf}), i32({1}, {0}), boolean(false)},
              Out{f16({1}, {-65504})}}});
    expectComputes(REDUCE_MIN,
                   {{"Columns", In{x, i32({1}, {0}), boolean(false)}, Out{f32({3}, {1, 2, 3})}},
                    {"Signed", In{qs8({3}, {0, -7, 3}, 1, 3), i32({1}, {0}), boolean(false)},
                     Out{qs8({1}, {-7}, 1, 3)}}});
    expectComputes(REDUCE_ALL,
                   {{"AnyByteIsTrue", In{b8({2, 2}, {1, 2, 3, 0}), i32({1}, {1}), boolean(false)},
                     Out{b8({2}, {1, 0})}}});
    expectComputes(REDUCE_ANY,
                   {{"AnyByteIsTrue", In{b8({2, 2}, {0, 2, 0, 0}), i32({1}, {1}), boolean(false)},
                     Out{b8({2}, {1, 0})}}});
}

}  // namespace
}  // namespace nn::ops::reduce_test
