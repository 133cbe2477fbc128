#include "ops/tables.h"

namespace nn::ops::tile_test {
namespace {

constexpr auto TILE = OperationType::TILE;

TEST(Tile, SaysWhyPreparationFails) {
    expectFails(
            infer, TILE,
            {{"TooShort", In{f32({2, 3}), i32({1}, {1})},
              "input 1 'multiples' (operand 1) has dimensions [1], allowed [2] [tile.multiples]"},
             {"Zero", In{f32({2}), i32({1}, {0})},
              "element 0 of input 1 'multiples' (operand 1) is 0, allowed 1 or more "
              "[tile.multiples]"},
             {"TooLarge", In{f32({3}), i32({1}, {INT32_MAX})},
              "dimension 0 of output 0 'output' (operand 2) is 6442450941, allowed up to "
              "4294967295 [tile.size]"},
             {"OtherScale", In{q8({2}, {}, 1, 3), i32({1})}, Out{q8({}, {}, 2, 3)},
              "output 0 'output' (operand 2) has scale 2 and zeroPoint 3, allowed 1 and 3 as input "
              "0 'input' (operand 0) [tile.quantization]"}});
}

TEST(Tile, InfersShapes) {
    expectShapes(TILE, {{"UnknownMultiples", In{f32({2, 3}), i32({2})}, Shapes{{0, 0}}},
                        {"UnknownDimension", In{f32({0, 3}), i32({2}, {2, 2})}, Shapes{{0, 6}}},
                        {"UnknownRank", In{f32({}), i32({2}, {2, 2})}, Shapes{{}}}});
}

}  // namespace
}  // namespace nn::ops::tile_test
