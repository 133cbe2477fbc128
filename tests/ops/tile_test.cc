#include "ops/tables.h"

namespace nn::ops::tile_test {
namespace {

constexpr auto TILE = OperationType::TILE;

TEST(Tile, NeedsTheLeastVersion) {
    expectNeeds(TILE, {{"Float", {f32({2}), i32({1})}, {f32({})}, V1_2},
                       {"Integer", {i32({2}), i32({1})}, {i32({})}, V1_2},
                       {"Half", {f16({2}), i32({1})}, {f16({})}, V1_2},
                       {"Quantised", {q8({2}, {}, 1, 3), i32({1})}, {q8({}, {}, 1, 3)}, V1_2},
                       {"Signed", {qs8({2}, {}, 1, 3), i32({1})}, {qs8({}, {}, 1, 3)}, V1_3}});
}

TEST(Tile, SaysWhyPreparationFails) {
    expectFails(
            infer, TILE,
            {{"TooShort",
              {f32({2, 3}), i32({1}, {1})},
              {f32({})},
              "input 1 'multiples' (operand 1) has dimensions [1], allowed [2] [tile.multiples]"},
             {"Zero",
              {f32({2}), i32({1}, {0})},
              {f32({})},
              "element 0 of input 1 'multiples' (operand 1) is 0, allowed 1 or more "
              "[tile.multiples]"},
             {"TooLarge",
              {f32({3}), i32({1}, {INT32_MAX})},
              {f32({})},
              "dimension 0 of output 0 'output' (operand 2) is 6442450941, allowed up to "
              "4294967295 [tile.size]"},
             {"OtherScale",
              {q8({2}, {}, 1, 3), i32({1})},
              {q8({}, {}, 2, 3)},
              "output 0 'output' (operand 2) has scale 2 and zeroPoint 3, allowed 1 and 3 as input "
              "0 'input' (operand 0) [tile.quantization]"}});
}

TEST(Tile, InfersShapes) {
    expectShapes(TILE, {{"UnknownMultiples", {f32({2, 3}), i32({2})}, {f32({})}, {{0, 0}}},
                        {"UnknownDimension", {f32({0, 3}), i32({2}, {2, 2})}, {f32({})}, {{0, 6}}},
                        {"UnknownRank", {f32({}), i32({2}, {2, 2})}, {f32({})}, {{}}}});
}

TEST(Tile, Computes) {
    expectComputes(TILE,
                   {{"Row", {f32({2}, {1, 2}), i32({1}, {3})}, {f32({6}, {1, 2, 1, 2, 1, 2})}},
                    {"BothAxes",
                     {q8({2, 1}, {1, 2}, 1, 0), i32({2}, {2, 3})},
                     {q8({4, 3}, {1, 1, 1, 2, 2, 2, 1, 1, 1, 2, 2, 2}, 1, 0)}},
                    {"Once", {f16({2}, {1, 2}), i32({1}, {1})}, {f16({2}, {1, 2})}}});
}

}  // namespace
}  // namespace nn::ops::tile_test
