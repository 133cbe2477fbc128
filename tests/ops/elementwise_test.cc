#include <limits>

#include "ops/tables.h"

namespace nn::ops::elementwise_test {
namespace {

constexpr auto ABS = OperationType::ABS;
constexpr auto EXP = OperationType::EXP;
constexpr auto FLOOR = OperationType::FLOOR;
constexpr auto LOG = OperationType::LOG;
constexpr auto NEG = OperationType::NEG;
constexpr auto RSQRT = OperationType::RSQRT;
constexpr auto SIN = OperationType::SIN;
constexpr auto SQRT = OperationType::SQRT;

constexpr int32_t kMinInt = std::numeric_limits<int32_t>::min();
constexpr int32_t kMaxInt = std::numeric_limits<int32_t>::max();

TEST(Elementwise, NeedsTheLeastVersion) {
    const Arg rankFive = f32({1, 1, 1, 1, 2});
    for (const OperationType type : {ABS, EXP, LOG, NEG, RSQRT, SIN, SQRT}) {
        expectNeeds(type, {{"RankFive", In{rankFive}, Out{rankFive}, V1_2}});
    }
    expectNeeds(FLOOR, {{"UnknownRank", In{f32({})}, V1_0}});
}

TEST(Elementwise, SaysWhyItRefuses) {
    expectFails(check, FLOOR,
                {{"RankFive", In{f32({1, 1, 1, 1, 2})},
                  "input 0 'input' (operand 0) has rank 5, allowed 1 to 4 [elementwise.rank]"}});
}

TEST(Elementwise, InfersShapes) {
    expectShapes(SIN, {{"UnknownDimension", In{f32({0, 3})}, Shapes{{0, 3}}}});
}

TEST(Elementwise, Computes) {
    expectComputes(ABS,
                   {{"Integer", In{i32({3}, {-2, 3, kMinInt})}, Out{i32({3}, {2, 3, kMinInt})}}});
    expectComputes(NEG, {{"Integer", In{i32({3}, {-2, kMaxInt, kMinInt})},
                          Out{i32({3}, {2, -kMaxInt, kMinInt})}}});
    expectComputes(SIN, {{"FarFromZero",  // with a near number as well
                          In{f32({3}, {1e10f, 1, -1e30f})},
                          Out{f32({3}, {-0.48750602f, 0.84147098f, 0.79116344f})}}});
}

}  // namespace
}  // namespace nn::ops::elementwise_test
