// Every enumerator of every enumeration, in both directions, for every version.
#include "convert_test.h"
#include "nnapi/type_utils.h"

namespace nn::enums_test {
namespace {

// The value with this code is converted to the same code, and back.
template <HalVersion V, class E>
void expectKept(E value) {
    const auto hal = unvalidatedConvertTo<V>(value);
    ASSERT_TRUE(hal.ok()) << toString(value) << hal.status();
    EXPECT_EQ(static_cast<int64_t>(*hal), static_cast<int64_t>(value));
    EXPECT_THAT(lossesOf<V>(value), testing::IsEmpty());
}

TEST(Enums, OperandTypesKeepTheirCodeAndAreValidSinceTheirVersion) {
    for (const OperandTypeInfo& row : operandTypes()) {
        forEachVersion([&]<HalVersion V>() {
            if (V >= HalVersion::AIDL1 && static_cast<int>(row.type) >= 10000) return;
            expectKept<V>(row.type);
            EXPECT_EQ(convertTo<V>(row.type).ok(), isCompliantVersion(row.since, toVersion(V)))
                    << row.name;
        });
    }
    EXPECT_THAT(convertTo<HalVersion::V1_0>(OperandType::BOOL),
                IsInvalid("OperandType needs HAL 1.2, target is HAL 1.0 [since]"));
}

TEST(Enums, OperationTypesKeepTheirCode) {
    for (const OperationTypeInfo& row : operationTypes()) {
        forEachVersion([&]<HalVersion V>() {
            if (V < HalVersion::AIDL1 || row.type != OperationType::OEM_OPERATION) {
                expectKept<V>(row.type);
            }
        });
    }
}

TEST(Enums, ExtensionTypesKeepTheirCode) {
    forEachVersion([]<HalVersion V>() {
        expectKept<V>(static_cast<OperandType>(0x00020001));
        expectKept<V>(static_cast<OperationType>(0x00020001));
    });
}

template <HalVersion V, class E>
void expectAllKept(std::initializer_list<E> values) {
    for (const E value : values) {
        expectKept<V>(value);
        EXPECT_TRUE(convertTo<V>(value).ok()) << toString(value);
    }
    const auto unknown = static_cast<E>(77);
    EXPECT_TRUE(unvalidatedConvertTo<V>(unknown).ok());
    EXPECT_FALSE(convertTo<V>(unknown).ok());
}

TEST(Enums, PlainOnesKeepTheirCodeWhereTheyExist) {
    forEachVersion([]<HalVersion V>() {
        using enum DeviceStatus;
        if constexpr (V <= HalVersion::V1_3) {
            expectAllKept<V>({AVAILABLE, BUSY, OFFLINE, UNKNOWN});
        }
        expectAllKept<V>({FusedActivationFunc::NONE, FusedActivationFunc::RELU,
                          FusedActivationFunc::RELU1, FusedActivationFunc::RELU6});
        if constexpr (V >= HalVersion::V1_1) {
            expectAllKept<V>({ExecutionPreference::LOW_POWER,
                              ExecutionPreference::FAST_SINGLE_ANSWER,
                              ExecutionPreference::SUSTAINED_SPEED});
        }
        if constexpr (V >= HalVersion::V1_2 && V <= HalVersion::V1_3) {
            expectAllKept<V>({MeasureTiming::NO, MeasureTiming::YES});
        }
        if constexpr (V >= HalVersion::V1_3) {
            expectAllKept<V>({Priority::LOW, Priority::MEDIUM, Priority::HIGH});
        }
    });
    static_assert(!ConvertsTo<DeviceStatus, HalVersion::AIDL1>);
    static_assert(!ConvertsTo<ExecutionPreference, HalVersion::V1_0>);
    static_assert(!ConvertsTo<MeasureTiming, HalVersion::V1_1>);
    static_assert(!ConvertsTo<DeviceType, HalVersion::V1_1>);
    static_assert(!ConvertsTo<Priority, HalVersion::V1_2>);
}

TEST(Enums, ErrorStatusCollapsesToGeneralFailureWhereAVersionLacksIt) {
    using enum ErrorStatus;
    const struct {
        ErrorStatus canonical;
        std::optional<HalVersion> since;
    } rows[] = {
            {NONE, HalVersion::V1_0},
            {DEVICE_UNAVAILABLE, HalVersion::V1_0},
            {GENERAL_FAILURE, HalVersion::V1_0},
            {OUTPUT_INSUFFICIENT_SIZE, HalVersion::V1_0},
            {INVALID_ARGUMENT, HalVersion::V1_0},
            {MISSED_DEADLINE_TRANSIENT, HalVersion::V1_3},
            {MISSED_DEADLINE_PERSISTENT, HalVersion::V1_3},
            {RESOURCE_EXHAUSTED_TRANSIENT, HalVersion::V1_3},
            {RESOURCE_EXHAUSTED_PERSISTENT, HalVersion::V1_3},
            {DEAD_OBJECT, std::nullopt},
            {static_cast<ErrorStatus>(77), std::nullopt},
    };
    for (const auto& row : rows) {
        forEachVersion([&]<HalVersion V>() {
            const bool kept = row.since && *row.since <= V;
            const auto expected = kept ? row.canonical : GENERAL_FAILURE;
            const auto hal = unvalidatedConvertTo<V>(row.canonical);
            ASSERT_TRUE(hal.ok());
            EXPECT_EQ(static_cast<int64_t>(*hal), static_cast<int64_t>(expected));
            EXPECT_EQ(lossesOf<V>(row.canonical).empty(), kept);
        });
    }
    const Losses losses = lossesOf<HalVersion::V1_2>(MISSED_DEADLINE_TRANSIENT);
    EXPECT_THAT(losses,
                testing::ElementsAre(Loss{.path = "",
                                          .before = "MISSED_DEADLINE_TRANSIENT",
                                          .after = "GENERAL_FAILURE",
                                          .why = "HAL 1.2 has no MISSED_DEADLINE_TRANSIENT"}));
    EXPECT_EQ(toString(losses[0]),
              "MISSED_DEADLINE_TRANSIENT becomes GENERAL_FAILURE, HAL 1.2 has no "
              "MISSED_DEADLINE_TRANSIENT");
}

TEST(Enums, RejectsErrorStatusThatTheVersionLacks) {
    EXPECT_THAT(nn::convert(static_cast<V1_0::ErrorStatus>(5)),
                IsInvalid("MISSED_DEADLINE_TRANSIENT does not exist in HAL 1.2 "
                          "[convert.enumerator]"));
    EXPECT_THAT(nn::convert(static_cast<V1_3::ErrorStatus>(10000)),
                IsInvalid("DEAD_OBJECT does not exist in HAL 1.3 [convert.enumerator]"));
}

TEST(Enums, DeviceTypeUnknownIsCanonicalOnly) {
    using enum DeviceType;
    for (const DeviceType type : {OTHER, CPU, GPU, ACCELERATOR}) {
        expectKept<HalVersion::V1_2>(type);
        expectKept<HalVersion::V1_3>(type);
    }
    const char* message = "UNKNOWN does not exist in HAL 1.3 [convert.enumerator]";
    EXPECT_THAT(V1_3::utils::convert(UNKNOWN), IsInvalid(message));
    EXPECT_THAT(nn::convert(static_cast<V1_2::DeviceType>(0)), IsInvalid(message));
}

TEST(Enums, LifetimesKeepTheirCodeOrAreRejected) {
    using enum Operand::LifeTime;
    forEachVersion([]<HalVersion V>() {
        for (const auto lifetime : {TEMPORARY_VARIABLE, SUBGRAPH_INPUT, SUBGRAPH_OUTPUT,
                                    CONSTANT_COPY, CONSTANT_REFERENCE, NO_VALUE}) {
            expectKept<V>(lifetime);
        }
        EXPECT_EQ(unvalidatedConvertTo<V>(SUBGRAPH).ok(), V >= HalVersion::V1_3);
        EXPECT_FALSE(unvalidatedConvertTo<V>(POINTER).ok());
        EXPECT_FALSE(unvalidatedConvertTo<V>(static_cast<Operand::LifeTime>(77)).ok());
    });
    EXPECT_THAT(V1_2::utils::unvalidatedConvert(SUBGRAPH),
                IsInvalid("SUBGRAPH does not exist in HAL 1.2 [convert.enumerator]"));
    EXPECT_THAT(nn::unvalidatedConvert(static_cast<V1_3::OperandLifeTime>(7)),
                IsInvalid("POINTER does not exist in HAL 1.3 [convert.enumerator]"));
}

}  // namespace
}  // namespace nn::enums_test
