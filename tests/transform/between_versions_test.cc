// Conversions between HAL versions.
#include <sys/resource.h>
#include <unistd.h>

#include "convert/convert_test.h"
#include "nnapi/compat.h"

namespace nn::between_test {
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

TEST(Between, CapabilitiesThatLosePerformancesAreNotCompliant) {
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

TEST(Between, IllegalCapabilitiesAreNotCompliant) {
    V1_2::Capabilities slow = convertToV1_2(V1_0::Capabilities()).value();
    slow.relaxedFloat32toFloat16PerformanceScalar.execTime = -1;
    EXPECT_FALSE(compliantWithV1_3(slow));
    EXPECT_FALSE(compliantWithV1_2(slow));
}

// The comparison duplicates a memory twice.
TEST(Between, MemoryThatCannotBeDuplicatedIsNotCompliant) {
    const auto memory =
            unvalidatedConvertTo<HalVersion::V1_0>(createSharedMemory(8).value()).value();
    EXPECT_TRUE(compliantWithV1_1(memory));
    rlimit before{};
    getrlimit(RLIMIT_NOFILE, &before);
    const int free = dup(0);  // the first free descriptor; no other may be used
    close(free);
    const rlimit one{.rlim_cur = static_cast<rlim_t>(free) + 1, .rlim_max = before.rlim_max};
    setrlimit(RLIMIT_NOFILE, &one);
    EXPECT_FALSE(compliantWithV1_1(memory));
    setrlimit(RLIMIT_NOFILE, &before);
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
    EXPECT_EQ(V1_2::utils::convertFromNonCanonical(recent).status().code(),
              absl::StatusCode::kInvalidArgument);
}

TEST(Between, ErrorCodesCollapseAsElsewhere) {
    Losses losses;
    EXPECT_EQ(convertToV1_0(V1_3::ErrorStatus::MISSED_DEADLINE_TRANSIENT, &losses).value(),
              V1_0::ErrorStatus::GENERAL_FAILURE);
    EXPECT_EQ(losses.size(), 1u);
    EXPECT_FALSE(compliantWithV1_2(V1_3::ErrorStatus::MISSED_DEADLINE_TRANSIENT));
    EXPECT_TRUE(compliantWithV1_2(V1_3::ErrorStatus::INVALID_ARGUMENT));
}

TEST(Between, TokensStayInTheirVersion) {
    V1_3::Request request;
    request.pools.resize(1);
    request.pools[0].token(5);
    EXPECT_THAT(convertToV1_2(request),
                FailsWith(ErrorStatus::GENERAL_FAILURE,
                          "pools[0]: a token cannot be sent in HAL 1.2, allowed memory "
                          "[convert.pool]"));
    EXPECT_FALSE(compliantWithV1_2(request));
}

}  // namespace
}  // namespace nn::between_test
