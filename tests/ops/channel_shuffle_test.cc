#include "ops/tables.h"

namespace nn::ops::channel_shuffle_test {
namespace {

constexpr auto CHANNEL_SHUFFLE = OperationType::CHANNEL_SHUFFLE;

TEST(ChannelShuffle, SaysWhyItRefuses) {
    expectFails(
            check, CHANNEL_SHUFFLE,
            {{"RankFive", In{f32({1, 1, 1, 1, 4}), integer(2), integer(4)},
              "input 0 'input' (operand 0) has rank 5, allowed 1 to 4 [channel_shuffle.rank]"}});
}

TEST(ChannelShuffle, SaysWhyPreparationFails) {
    expectFails(
            infer, CHANNEL_SHUFFLE,
            {{"NoGroups", In{f32({4}), integer(0), integer(0)},
              "input 1 'numGroups' (operand 1) is 0, allowed above 0 [channel_shuffle.groups]"},
             {"Axis", In{f32({4}), integer(2), integer(1)},
              "input 2 'axis' (operand 2) is 1, allowed -1 to 0 for rank 1 [channel_shuffle.axis]"},
             {"Uneven", In{f32({4}), integer(3), integer(0)},
              "dimension 0 of input 0 'input' (operand 0) is 4, allowed a multiple of 3 as the "
              "number of groups [channel_shuffle.divides]"},
             {"OtherScale", In{q8({4}, {}, 1, 3), integer(2), integer(0)}, Out{q8({}, {}, 2, 3)},
              "output 0 'output' (operand 3) has scale 2 and zeroPoint 3, allowed 1 and 3 as input "
              "0 'input' (operand 0) [channel_shuffle.quantization]"}});
}

TEST(ChannelShuffle, InfersShapes) {
    expectShapes(
            CHANNEL_SHUFFLE,
            {{"UnknownGroups", In{f32({2, 0}), as(INT32, i32({})), integer(0)}, Shapes{{2, 0}}},
             {"UnknownRank", In{f32({}), integer(2), integer(7)}, Shapes{{}}}});
}

}  // namespace
}  // namespace nn::ops::channel_shuffle_test
