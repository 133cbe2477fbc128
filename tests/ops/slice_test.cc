#include "ops/tables.h"

namespace nn::ops::slice_test {
namespace {

constexpr auto SLICE = OperationType::SLICE;

TEST(Slice, NeedsTheLeastVersion) {
    expectNeeds(SLICE,
                {{"Float", {f32({2}), i32({1}), i32({1})}, {f32({})}, V1_2},
                 {"Integer", {i32({2}), i32({1}), i32({1})}, {i32({})}, V1_2},
                 {"Half", {f16({2}), i32({1}), i32({1})}, {f16({})}, V1_2},
                 {"Quantised", {q8({2}, {}, 1, 3), i32({1}), i32({1})}, {q8({}, {}, 1, 3)}, V1_2},
                 {"Signed", {qs8({2}, {}, 1, 3), i32({1}), i32({1})}, {qs8({}, {}, 1, 3)}, V1_3}});
}

TEST(Slice, SaysWhyPreparationFails) {
    expectFails(infer, SLICE,
                {{"BeginTooShort",
                  {f32({2, 3}), i32({1}, {0}), i32({2}, {1, 1})},
                  {f32({})},
                  "input 1 'begin' (operand 1) has dimensions [1], allowed [2] [slice.begin]"},
                 {"SizeTooShort",
                  {f32({2, 3}), i32({2}, {0, 0}), i32({1}, {1})},
                  {f32({})},
                  "input 2 'size' (operand 2) has dimensions [1], allowed [2] [slice.size]"},
                 {"BeginNegative",
                  {f32({2}), i32({1}, {-1}), i32({1}, {1})},
                  {f32({})},
                  "element 0 of input 1 'begin' (operand 1) is -1, allowed 0 to 2 [slice.begin]"},
                 {"BeginOutside",
                  {f32({2}), i32({1}, {3}), i32({1}, {-1})},
                  {f32({})},
                  "element 0 of input 1 'begin' (operand 1) is 3, allowed 0 to 2 [slice.begin]"},
                 {"SizeOutside",
                  {f32({2}), i32({1}, {1}), i32({1}, {INT32_MAX})},
                  {f32({})},
                  "element 0 of input 2 'size' (operand 2) is 2147483647, allowed -1 to 1 "
                  "[slice.size]"},
                 {"SizeNegative",
                  {f32({0}), i32({1}, {1}), i32({1}, {-2})},
                  {f32({})},
                  "element 0 of input 2 'size' (operand 2) is -2, allowed -1 to what is left of "
                  "the dimension [slice.size]"},
                 {"OtherScale",
                  {q8({2}, {}, 1, 3), i32({1}), i32({1})},
                  {q8({}, {}, 2, 3)},
                  "output 0 'output' (operand 3) has scale 2 and zeroPoint 3, allowed 1 and 3 as "
                  "input 0 'input' (operand 0) [slice.quantization]"}});
}

TEST(Slice, InfersShapes) {
    expectShapes(SLICE,
                 {{"UnknownLists", {f32({2, 3}), i32({2}), i32({2})}, {f32({})}, {{0, 0}}},
                  {"UnknownBegin", {f32({2, 3}), i32({2}), i32({2}, {1, -1})}, {f32({})}, {{1, 0}}},
                  {"UnknownDimension",
                   {f32({0, 3}), i32({2}, {1, 1}), i32({2}, {-1, -1})},
                   {f32({})},
                   {{0, 2}}},
                  {"UnknownRank", {f32({}), i32({2}, {1, 1}), i32({2}, {1, 1})}, {f32({})}, {{}}}});
}

TEST(Slice, Computes) {
    expectComputes(
            SLICE,
            {{"Box",
              {f32({2, 3}, {1, 2, 3, 4, 5, 6}), i32({2}, {0, 1}), i32({2}, {2, 2})},
              {f32({2, 2}, {2, 3, 5, 6})}},
             {"Rest",
              {q8({2, 3}, {1, 2, 3, 4, 5, 6}, 1, 0), i32({2}, {1, 1}), i32({2}, {-1, -1})},
              {q8({1, 2}, {5, 6}, 1, 0)}},
             {"NothingLeft", {f32({2}, {1, 2}), i32({1}, {2}), i32({1}, {-1})}, {f32({0})}},
             {"NothingTaken",
              {f32({2, 2}, {1, 2, 3, 4}), i32({2}, {1, 0}), i32({2}, {0, 2})},
              {f32({0, 2})}},
             {"NothingThere", {f32({0, 2}), i32({2}, {0, 1}), i32({2}, {-1, 1})}, {f32({0, 1})}},
             {"RankFive",
              {f16({1, 1, 1, 2, 2}, {1, 2, 3, 4}), i32({5}, {0, 0, 0, 1, 0}),
               i32({5}, {1, 1, 1, 1, 2})},
              {f16({1, 1, 1, 1, 2}, {3, 4})}}});
}

}  // namespace
}  // namespace nn::ops::slice_test
