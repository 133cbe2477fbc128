#include <limits>

#include "ops/tables.h"

namespace nn::ops::relu_test {
namespace {

constexpr auto RELU = OperationType::RELU;
constexpr auto RELU1 = OperationType::RELU1;
constexpr auto RELU6 = OperationType::RELU6;

TEST(Relu, NeedsTheLeastVersion) {
    const Arg unknown = as(TENSOR_QUANT8_ASYMM, f32({}));
    for (const OperationType type : {RELU, RELU1, RELU6}) {
        expectNeeds(type, {{"UnknownRank", In{unknown}, Out{unknown}, V1_0}});
    }
}

TEST(Relu, SaysWhyItRefuses) {
    expectFails(check, RELU6,
                {{"RankFive", In{f32({1, 1, 1, 1, 3})},
                  "input 0 'input' (operand 0) has rank 5, allowed 1 to 4 [relu.rank]"}});
}

TEST(Relu, SaysWhyPreparationFails) {
    expectFails(infer, RELU,
                {{"Quantization", In{q8({2}, {}, 1, 3)}, Out{q8({2}, {}, 1, 0)},
                  "output 0 'output' (operand 1) has scale 1 and zeroPoint 0, allowed 1 and 3 as "
                  "input 0 'input' (operand 0) [relu.quantization]"}});
}

TEST(Relu, InfersShapes) {
    expectShapes(RELU, {{"UnknownDimension", In{f32({0, 3})}, Shapes{{0, 3}}}});
}

TEST(Relu, Computes) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    constexpr float kMaxFloat = std::numeric_limits<float>::max();
    expectComputes(RELU, {{"Infinity", In{f32({2}, {-kInfinity, kInfinity})},
                           Out{f32({2}, {0, kMaxFloat})}},
                          {"NoElements", In{f32({0, 3})}, Out{f32({0, 3})}}});
    expectComputes(RELU1,
                   {{"QuantizedBoundsAreRounded",  // -1 and 1 are 3.33 steps of 0.3
                     In{q8({4}, {0, 126, 129, 255}, 0.3f, 128)},
                     Out{q8({4}, {125, 126, 129, 131}, 0.3f, 128)}}});
}

}  // namespace
}  // namespace nn::ops::relu_test
