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
    expectComputes(RELU, {{"Float", In{f32({4}, {-3, -0.5f, 0, 7})}, Out{f32({4}, {0, 0, 0, 7})}},
                          {"Infinity", In{f32({2}, {-kInfinity, kInfinity})},
                           Out{f32({2}, {0, kMaxFloat})}},
                          {"Quantized", In{q8({3}, {0, 128, 255}, 0.1f, 128)},
                           Out{q8({3}, {128, 128, 255}, 0.1f, 128)}},
                          {"NoElements", In{f32({0, 3})}, Out{f32({0, 3})}}});
    expectComputes(RELU1,
                   {{"Float", In{f32({4}, {-3, -0.5f, 0, 2})}, Out{f32({4}, {-1, -0.5f, 0, 1})}},
                    {"QuantizedBoundsAreRounded",  // -1 and 1 are 3.33 steps of 0.3
                     In{q8({4}, {0, 126, 129, 255}, 0.3f, 128)},
                     Out{q8({4}, {125, 126, 129, 131}, 0.3f, 128)}}});
    expectComputes(RELU6,
                   {{"Float", In{f32({4}, {-3, 5.5f, 6, 7})}, Out{f32({4}, {0, 5.5f, 6, 6})}},
                    {"Half", In{f16({2}, {-3, 7})}, Out{f16({2}, {0, 6})}},
                    {"Signed", In{qs8({3}, {-128, 0, 127}, 0.5, -10)},
                     Out{qs8({3}, {-10, 0, 2}, 0.5, -10)}}});
}

}  // namespace
}  // namespace nn::ops::relu_test
