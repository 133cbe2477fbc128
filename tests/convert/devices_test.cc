// Reports of devices and executions: capabilities in their four forms, extensions, shapes.
#include "convert_test.h"

namespace nn::devices_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using enum HalVersion;

constexpr Capabilities::PerformanceInfo perf(float value) { return {value, value}; }

Capabilities::OperandPerformanceTable table(std::vector<Capabilities::OperandPerformance> entries) {
    return *Capabilities::OperandPerformanceTable::create(std::move(entries));
}

const V1_0::PerformanceInfo kHal1{.execTime = 1, .powerUsage = 1};
const V1_0::PerformanceInfo kHal2{.execTime = 2, .powerUsage = 2};
const V1_0::PerformanceInfo kHal3{.execTime = 3, .powerUsage = 3};

// The canonical capabilities of a device of HAL 1.0 or 1.1, with performance 1 for floats and 2 for
// the other types.
Capabilities merged(Capabilities::PerformanceInfo relaxed) {
    using enum OperandType;
    return {.relaxedFloat32toFloat16PerformanceScalar = relaxed,
            .relaxedFloat32toFloat16PerformanceTensor = relaxed,
            .operandPerformance = table({{FLOAT32, perf(1)},
                                         {INT32, perf(2)},
                                         {UINT32, perf(2)},
                                         {TENSOR_FLOAT32, perf(1)},
                                         {TENSOR_INT32, perf(2)},
                                         {TENSOR_QUANT8_ASYMM, perf(2)},
                                         {OEM, perf(2)},
                                         {TENSOR_OEM_BYTE, perf(2)}})};
}

TEST(Capabilities, OldDevicesMeanATable) {
    const V1_0::Capabilities v1_0{.float32Performance = kHal1, .quantized8Performance = kHal2};
    EXPECT_EQ(nn::convert(v1_0).value(), merged(perf(1)));
    EXPECT_EQ(V1_0::utils::convert(merged(perf(1))).value(), v1_0);
    EXPECT_THAT(lossesOf<V1_0>(merged(perf(1))), IsEmpty());

    const V1_1::Capabilities v1_1{.float32Performance = kHal1,
                                  .quantized8Performance = kHal2,
                                  .relaxedFloat32toFloat16Performance = kHal3};
    EXPECT_EQ(nn::convert(v1_1).value(), merged(perf(3)));
    EXPECT_EQ(V1_1::utils::convert(merged(perf(3))).value(), v1_1);
    EXPECT_THAT(lossesOf<V1_1>(merged(perf(3))), IsEmpty());
}

Capabilities recent() {
    using enum OperandType;
    return {.relaxedFloat32toFloat16PerformanceScalar = perf(3),
            .relaxedFloat32toFloat16PerformanceTensor = perf(4),
            .operandPerformance = table({{TENSOR_FLOAT32, perf(1)},
                                         {TENSOR_FLOAT16, perf(5)},
                                         {TENSOR_QUANT8_ASYMM_SIGNED, perf(6)}}),
            .ifPerformance = perf(7),
            .whilePerformance = perf(8)};
}

std::vector<std::string> texts(const Losses& losses) {
    std::vector<std::string> texts;
    for (const Loss& loss : losses) texts.push_back(toString(loss));
    return texts;
}

TEST(Capabilities, EveryVersionNamesWhatItLoses) {
    EXPECT_THAT(lossesOf<V1_3>(recent()), IsEmpty());

    const std::string six = "{execTime = 6, powerUsage = 6}";
    const std::vector<std::string> controlFlow = {
            "ifPerformance: {execTime = 7, powerUsage = 7} becomes {}, HAL 1.2 has no IF",
            "whilePerformance: {execTime = 8, powerUsage = 8} becomes {}, HAL 1.2 has no WHILE"};
    EXPECT_THAT(texts(lossesOf<V1_2>(recent())),
                ElementsAre("operandPerformance[TENSOR_QUANT8_ASYMM_SIGNED]: " + six +
                                    " becomes none, HAL 1.2 has no such operand type",
                            controlFlow[0], controlFlow[1]));

    using testing::Contains;
    EXPECT_THAT(texts(lossesOf<V1_1>(recent())),
                Contains("relaxedFloat32toFloat16PerformanceScalar: {execTime = 3, powerUsage = 3} "
                         "becomes {execTime = 4, powerUsage = 4}, HAL 1.1 has one performance of "
                         "relaxed computation"));
    EXPECT_THAT(texts(lossesOf<V1_0>(recent())),
                Contains("operandPerformance[FLOAT32]: none becomes {execTime = 1, powerUsage = "
                         "1}, HAL 1.0 has one performance of float32 and one of quant8"));
}

TEST(Capabilities, ATableOutOfOrderIsRefused) {
    V1_3::Capabilities hal{
            .relaxedFloat32toFloat16PerformanceScalar = kHal1,
            .relaxedFloat32toFloat16PerformanceTensor = kHal1,
            .operandPerformance = {{.type = V1_3::OperandType::INT32, .info = kHal1},
                                   {.type = V1_3::OperandType::FLOAT32, .info = kHal1}},
            .ifPerformance = kHal1,
            .whilePerformance = kHal1};
    EXPECT_THAT(nn::convert(hal),
                IsInvalid("operandPerformance[1]: FLOAT32 comes after INT32, allowed ascending "
                          "types, each once [convert.performance_order]"));
    hal.operandPerformance[0].type = V1_3::OperandType::FLOAT32;
    EXPECT_FALSE(nn::convert(hal).ok()) << "twice the same type";
}

TEST(Capabilities, TypesThatTheVersionLacksAreRefusedOnTheWayIn) {
    const auto performance = [](V1_2::OperandType type) {
        return V1_2::Capabilities{.relaxedFloat32toFloat16PerformanceScalar = kHal1,
                                  .relaxedFloat32toFloat16PerformanceTensor = kHal1,
                                  .operandPerformance = {{.type = type, .info = kHal1}}};
    };
    EXPECT_TRUE(nn::convert(performance(V1_2::OperandType::TENSOR_QUANT8_SYMM)).ok());
    EXPECT_TRUE(nn::unvalidatedConvert(performance(static_cast<V1_2::OperandType>(0x20001))).ok());
    EXPECT_THAT(nn::unvalidatedConvert(performance(static_cast<V1_2::OperandType>(14))),
                IsInvalid("operandPerformance[0].type: TENSOR_QUANT8_ASYMM_SIGNED does not exist "
                          "in HAL 1.2 [convert.enumerator]"));
}

TEST(Capabilities, ValidationComesFirstOnTheWayOut) {
    Capabilities broken = recent();
    broken.ifPerformance = perf(0);
    EXPECT_FALSE(V1_0::utils::convert(broken).ok());
    EXPECT_TRUE(V1_0::utils::unvalidatedConvert(broken).ok());
}

const Extension kExtension{.name = "com.example.test",
                           .operandTypes = {{.type = 3, .isTensor = true, .byteSize = 4}}};

TEST(Extensions, AreKeptAndTheirNamesUnique) {
    const std::vector<Extension> extensions = {kExtension};
    const auto hal = V1_2::utils::convert(extensions).value();
    EXPECT_EQ(hal[0].name, "com.example.test");
    EXPECT_EQ(nn::convert(hal).value(), extensions);

    const hidl::hidl_vec<V1_2::Extension> twice = {hal[0], hal[0]};
    EXPECT_FALSE(nn::convert(twice).ok());
    EXPECT_TRUE(nn::unvalidatedConvert(twice).ok());
    EXPECT_FALSE(V1_2::utils::convert(std::vector{kExtension, kExtension}).ok());
}

// Types that stay unchanged in every version that has them.
TEST(SmallTypes, AreKept) {
    const OutputShape shape{.dimensions = {1, 2}, .isSufficient = true};
    EXPECT_THAT(lossesOf<V1_2>(shape), IsEmpty());
    EXPECT_THAT(lossesOf<V1_2>(std::vector{shape, OutputShape{}}), IsEmpty());
    EXPECT_THAT(lossesOf<V1_3>(BufferDesc{.dimensions = {1, 2}}), IsEmpty());
    EXPECT_THAT(lossesOf<V1_2>(kExtension.operandTypes), IsEmpty());
    EXPECT_THAT(lossesOf<V1_2>(Operand::SymmPerChannelQuantParams{.scales = {1}, .channelDim = 3}),
                IsEmpty());
    EXPECT_THAT(lossesOf<V1_0>(perf(3)), IsEmpty());
    EXPECT_THAT(lossesOf<V1_2>(recent().operandPerformance.asVector()), IsEmpty());

    CacheToken token{};
    token[31] = 9;
    EXPECT_EQ(V1_2::utils::convert(token).value()[31], 9);
    EXPECT_THAT(lossesOf<V1_2>(token), IsEmpty());

    const BufferRole role{.modelIndex = 1, .ioIndex = 2, .probability = 0.5f};
    EXPECT_EQ(V1_3::utils::convert(std::vector{role}).value()[0].frequency, 0.5f);
    EXPECT_THAT(lossesOf<V1_3>(role), IsEmpty());
    EXPECT_FALSE(V1_3::utils::convert(BufferRole{.probability = 2.0f}).ok());
}

}  // namespace
}  // namespace nn::devices_test
