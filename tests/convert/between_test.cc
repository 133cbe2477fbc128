// From one HAL version to another.
#include "convert_test.h"

namespace nn {
namespace {

using testing::IsEmpty;

constexpr V1_0::PerformanceInfo kOne{.execTime = 1, .powerUsage = 1};
constexpr V1_0::PerformanceInfo kTwo{.execTime = 2, .powerUsage = 2};

TEST(Between, CapabilitiesGrowWithoutLoss) {
    const V1_0::Capabilities oldest{.float32Performance = kOne, .quantized8Performance = kTwo};
    EXPECT_TRUE(compliantWithV1_1(oldest));
    EXPECT_TRUE(compliantWithV1_2(oldest));
    EXPECT_TRUE(compliantWithV1_3(oldest));

    Losses losses;
    const auto newest = convertToV1_3(oldest, &losses).value();
    EXPECT_THAT(losses, IsEmpty());
    EXPECT_EQ(newest.operandPerformance.size(), 8u);
    EXPECT_TRUE(compliantWithV1_0(newest));
    EXPECT_EQ(convertToV1_0(newest).value(), oldest);
}

TEST(Between, CapabilitiesThatDifferByMoreThanTheOldVersionTellsAreNotCompliant) {
    const V1_1::Capabilities relaxed{.float32Performance = kOne,
                                     .quantized8Performance = kOne,
                                     .relaxedFloat32toFloat16Performance = kTwo};
    EXPECT_FALSE(compliantWithV1_0(relaxed));
    EXPECT_TRUE(compliantWithV1_1(relaxed));

    auto newer = convertToV1_2(relaxed).value();
    EXPECT_TRUE(compliantWithV1_1(newer));
    newer.operandPerformance[0].info = kTwo;
    EXPECT_FALSE(compliantWithV1_1(newer));
    Losses losses;
    EXPECT_TRUE(convertToV1_1(newer, &losses).ok());
    EXPECT_FALSE(losses.empty());
}

TEST(Between, ModelsAndTheirLosses) {
    auto recent = V1_3::utils::convert(reluModel()).value();
    EXPECT_TRUE(compliantWithV1_0(recent));
    EXPECT_EQ(convertToV1_0(recent).value(), V1_0::utils::convert(reluModel()).value());

    recent.relaxComputationFloat32toFloat16 = true;
    EXPECT_FALSE(compliantWithV1_0(recent));
    EXPECT_TRUE(compliantWithV1_1(recent));
    Losses losses;
    EXPECT_TRUE(convertToV1_0(recent, &losses).ok());
    EXPECT_EQ(losses.size(), 1u);

    recent.main.operations[0].type = V1_3::OperationType::HARD_SWISH;
    EXPECT_FALSE(compliantWithV1_2(recent));
    EXPECT_TRUE(V1_2::utils::convertFromNonCanonical(recent).status().code() ==
                absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace nn
