// The same elements in fewer axes.
#include "importers/common/joined_axes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace nn::importing {
namespace {

using ::testing::ElementsAre;
using Shapes = std::vector<std::vector<uint32_t>>;

TEST(JoinedAxes, BroadcastAlongGroupsOfNeighbors) {
    const auto joined = joinedBroadcast(Shapes{{2, 3, 4, 5, 6}, {4, 1, 1}, {1}});
    ASSERT_TRUE(joined.has_value());
    EXPECT_THAT(joined->whole, ElementsAre(2, 3, 4, 5, 6));
    EXPECT_THAT(joined->result, ElementsAre(6, 4, 30));
    EXPECT_THAT(joined->inputs,
                ElementsAre(ElementsAre(6, 4, 30), ElementsAre(4, 1), ElementsAre(1)));
}

TEST(JoinedAxes, LeaveOutSizesOfOne) {
    const auto joined = joinedBroadcast(Shapes{{1, 2, 1, 1, 3}, {3, 1, 1, 1, 1, 1}});
    ASSERT_TRUE(joined.has_value());
    EXPECT_THAT(joined->whole, ElementsAre(3, 1, 2, 1, 1, 3));
    EXPECT_THAT(joined->result, ElementsAre(3, 6));
    EXPECT_THAT(joined->inputs, ElementsAre(ElementsAre(6), ElementsAre(3, 1)));
    const auto one = joinedBroadcast(Shapes{{1, 1, 1, 1, 1}});
    ASSERT_TRUE(one.has_value());
    EXPECT_THAT(one->result, ElementsAre(1));
}

TEST(JoinedAxes, StaySeparateWhereTheirProductIsTooLarge) {
    const auto joined = joinedBroadcast(Shapes{{1u << 16, 1u << 16, 2}});
    ASSERT_TRUE(joined.has_value());
    EXPECT_THAT(joined->result, ElementsAre(1u << 16, 1u << 17));
}

TEST(JoinedAxes, RequireFittingSizesAboveZero) {
    EXPECT_FALSE(joinedBroadcast(Shapes{{2, 3}, {2, 2}}).has_value());
    EXPECT_FALSE(joinedBroadcast(Shapes{{2, 0}, {2, 1}}).has_value());
    EXPECT_FALSE(joinedBroadcast(Shapes{{0}}).has_value());
}

}  // namespace
}  // namespace nn::importing
