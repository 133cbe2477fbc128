// The examples of the public NNAPI Conversions guide, as written.
#include "convert_test.h"

using namespace nn;

namespace {

TEST(Guide, ConvertsAModelAndBack) {
    const Model canonicalModel = reluModel();
    const nn::Result<V1_0::Model> maybe = V1_0::utils::convert(canonicalModel);
    EXPECT_TRUE(maybe.has_value());
    const V1_0::Model& versionedModel = maybe.value();
    EXPECT_TRUE(V1_0::utils::valid(versionedModel));
    EXPECT_EQ(nn::convert(versionedModel).value(), canonicalModel);
}

TEST(Guide, RefusesWhatTheVersionLacks) {
    Model canonicalModel = reluModel();
    canonicalModel.main.operations[0].type = OperationType::HARD_SWISH;
    const nn::Result<V1_0::Model> maybe = V1_0::utils::convert(canonicalModel);
    EXPECT_FALSE(maybe.has_value());
    EXPECT_FALSE(V1_0::utils::compliantVersion(canonicalModel).ok());
}

TEST(Guide, LosslessAndLossyErrorCodes) {
    const auto transient = nn::ErrorStatus::MISSED_DEADLINE_TRANSIENT;
    EXPECT_EQ(V1_3::utils::convert(transient).value(),
              V1_3::ErrorStatus::MISSED_DEADLINE_TRANSIENT);
    EXPECT_EQ(V1_0::utils::convert(transient).value(), V1_0::ErrorStatus::GENERAL_FAILURE);
    EXPECT_EQ(nn::convert(V1_3::ErrorStatus::MISSED_DEADLINE_TRANSIENT).value(), transient);
}

TEST(Guide, ConvertsBetweenVersions) {
    const V1_0::Model old = V1_0::utils::convert(reluModel()).value();
    const nn::Result<V1_3::Model> recent = V1_3::utils::convertFromNonCanonical(old);
    ASSERT_TRUE(recent.has_value());
    EXPECT_EQ(nn::convert(*recent).value(), reluModel());
}

}  // namespace
