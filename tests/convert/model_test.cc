// Models and requests: fields that each version keeps, loses, rejects and fills in.
#include <functional>

#include "convert/hidl/structs.h"
#include "convert_test.h"

namespace nn::model_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using enum HalVersion;

// A model that uses every field of the canonical one; legal since HAL 1.3.
Model fullModel() {
    using enum Operand::LifeTime;
    Model model = reluModel();
    model.referenced.push_back(model.main);
    model.main.operands.push_back({.type = OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL,
                                   .dimensions = {2, 1},
                                   .lifetime = CONSTANT_COPY,
                                   .location = {.length = 2},
                                   .extraParams = Operand::SymmPerChannelQuantParams{
                                           .scales = {0.5f, 0.25f}, .channelDim = 0}});
    model.main.operands.push_back({.type = static_cast<OperandType>(0x00010002),
                                   .dimensions = {4},
                                   .lifetime = CONSTANT_REFERENCE,
                                   .location = {.poolIndex = 0, .offset = 4, .length = 4},
                                   .extraParams = Operand::ExtensionParams{1, 2, 3}});
    model.main.operands.push_back({.type = OperandType::SUBGRAPH, .lifetime = SUBGRAPH});
    model.operandValues = Model::OperandValues({1, 2});
    model.pools = {createSharedMemory(64).value()};
    model.relaxComputationFloat32toFloat16 = true;
    model.extensionNameToPrefix = {{.name = "com.example.test", .prefix = 1}};
    return model;
}

TEST(Model, ValidatedModelsConvertThereAndBack) {
    const ValidatedModel checked = validateModel(fullModel()).value();
    const V1_3::Model hal = V1_3::utils::convert(checked).value();
    EXPECT_EQ(checkFrom<V1_3>(hal)->model(), checked.model());
    EXPECT_EQ(checkFrom(HalModel(hal))->version(), checked.version());
    EXPECT_EQ(V1_2::utils::convert(checked).status(), V1_2::utils::convert(fullModel()).status());
    EXPECT_EQ(convertTo(V1_2, checked).status(), convertTo(V1_2, fullModel()).status());
    for (const HalVersion version : {V1_3, AIDL1, AIDL4}) {
        const HalModel converted = convertTo(version, checked).value();
        EXPECT_EQ(versionOf(converted), version);
        EXPECT_EQ(convertFrom(converted).value(), checked.model());
    }

    V1_3::Model wrong = hal;
    ++wrong.main.operands[0].numberOfConsumers;
    EXPECT_FALSE(checkFrom<V1_3>(wrong).ok());
    EXPECT_EQ(checkFrom<V1_3>(wrong).status(), nn::convert(wrong).status());
}

TEST(Model, TheNewestVersionKeepsEverything) {
    const Model model = fullModel();
    const auto hal = V1_3::utils::convert(model);
    ASSERT_TRUE(hal.ok()) << hal.status();
    EXPECT_EQ(nn::convert(*hal).value(), model);
    EXPECT_THAT(lossesOf<V1_3>(model), IsEmpty());
}

TEST(Model, AModelOfTheOldestVersionIsKeptByAll) {
    forEachVersion([]<HalVersion V>() {
        Losses losses;
        const auto hal = convertTo<V>(reluModel(), &losses);
        ASSERT_TRUE(hal.ok()) << hal.status();
        EXPECT_EQ(nn::convert(*hal).value(), reluModel());
        EXPECT_THAT(losses, IsEmpty());
        EXPECT_TRUE(convertFrom<V>(*hal).ok());
    });
}

// A driver's hidl_vec is not a std::vector: its elements are copied individually, and their types
// may differ.
TEST(Model, CopiesNumbersBetweenRangesOfDifferentTypes) {
    const std::array<uint16_t, 3> from = {3, 0, 65535};
    std::vector<uint32_t> to = {9, 9, 9, 9, 9};
    conversion::carry(from, to);
    EXPECT_THAT(to, ElementsAre(3u, 0u, 65535u));
    conversion::carry(std::array<uint16_t, 0>(), to);
    EXPECT_THAT(to, IsEmpty());
}

// A generated range counts its elements with 32 bits and would drop the rest.
TEST(Model, MoreBytesThanARangeHoldsAreRefused) {
    const conversion::Context model{.version = V1_2};
    const conversion::Context context = model.at("operandValues");
    EXPECT_TRUE(conversion::expectRangeSize(0, context).ok());
    EXPECT_TRUE(conversion::expectRangeSize(UINT32_MAX, context).ok());
    const Status status = conversion::expectRangeSize(uint64_t{UINT32_MAX} + 1, context);
    EXPECT_EQ(errorStatus(status), ErrorStatus::INVALID_ARGUMENT);
    EXPECT_EQ(status.message(),
              "operandValues: size is 4294967296 bytes, allowed 0 to 4294967295 in a range of HAL "
              "1.2 [convert.range_size]");
}

TEST(Model, AnOperandAloneHasNoConsumers) {
    forEachHidlVersion([]<HalVersion V>() {
        const Operand operand = tensor(Operand::LifeTime::SUBGRAPH_INPUT);
        EXPECT_EQ(unvalidatedConvertTo<V>(operand)->numberOfConsumers, 0u);
    });
}

TEST(Model, TheRelaxedFlagIsLostTowards1_0) {
    Model model = reluModel();
    model.relaxComputationFloat32toFloat16 = true;
    Losses losses;
    ASSERT_TRUE(V1_0::utils::convert(model, &losses).ok());
    EXPECT_THAT(losses, ElementsAre(Loss{.path = "relaxComputationFloat32toFloat16",
                                         .before = "true",
                                         .after = "false",
                                         .why = "HAL 1.0 has no relaxed computation"}));
    EXPECT_EQ(toString(losses[0]),
              "relaxComputationFloat32toFloat16: true becomes false, HAL 1.0 has no relaxed "
              "computation");
    EXPECT_THAT(lossesOf<V1_1>(model), IsEmpty());
}

// The losses of the unvalidated conversion, in the order of the fields.
TEST(Model, LossesNameFieldBeforeAndAfter) {
    Model model = fullModel();
    model.main.operands.pop_back();  // lifetime SUBGRAPH cannot be sent at all
    model.main.operands[1].location.padding = 4;
    const std::vector<Loss> before1_2 = {
            {.path = "main.operands[1].location.padding",
             .before = "4",
             .after = "0",
             .why = "HAL 1.1 has no padding"},
            {.path = "main.operands[2].extraParams",
             .before = "{scales = [0.5, 0.25]}",
             .after = "none",
             .why = "HAL 1.1 has no extra parameters"},
            {.path = "main.operands[3].extraParams",
             .before = "[1, 2, 3]",
             .after = "none",
             .why = "HAL 1.1 has no extra parameters"},
            {.path = "referenced",
             .before = print(model.referenced),
             .after = "[]",
             .why = "HAL 1.1 has no referenced subgraphs"},
            {.path = "extensionNameToPrefix",
             .before = "[{name = \"com.example.test\", prefix = 1}]",
             .after = "[]",
             .why = "HAL 1.1 has no extensions"},
    };
    EXPECT_THAT(lossesOf<V1_1>(model), testing::ElementsAreArray(before1_2));
    EXPECT_EQ(lossesOf<V1_0>(model).size(), before1_2.size() + 1);
    EXPECT_THAT(lossesOf<V1_2>(model),
                ElementsAre(testing::Field(&Loss::path, "main.operands[1].location.padding"),
                            testing::Field(&Loss::path, "referenced")));
    EXPECT_THAT(lossesOf<V1_3>(model),
                ElementsAre(testing::Field(&Loss::path, "main.operands[1].location.padding")));
}

TEST(Model, ValidatedConversionFailsWithTheReason) {
    const struct {
        std::function<void(Model&)> change;
        const char* message;
    } rows[] = {
            {[](Model& m) { m.main.operands[0].type = OperandType::TENSOR_FLOAT16; },
             "main.operands[0]: TENSOR_FLOAT16 needs HAL 1.2, target is HAL 1.0 [since]"},
            {[](Model& m) {
                 m.extensionNameToPrefix = {{"com.example.test", 1}};
             },
             "extensionNameToPrefix[0]: an extension needs HAL 1.2, target is HAL 1.0 [since]"},
            {[](Model& m) { m.referenced.push_back(m.main); },
             "referenced: a referenced subgraph needs HAL 1.3, target is HAL 1.0 [since]"},
    };
    for (const auto& row : rows) {
        Model model = reluModel();
        row.change(model);
        Losses losses;
        EXPECT_THAT(V1_0::utils::convert(model, &losses), IsInvalid(row.message));
        EXPECT_THAT(losses, IsEmpty());
    }
}

TEST(Model, PointerDataIsRefusedWithTheHelperToCall) {
    static const float kValues[4] = {};
    Model model = reluModel();
    model.main.operands.push_back(tensor(Operand::LifeTime::POINTER));
    model.main.operands.back().location = {.pointer = kValues, .length = sizeof(kValues)};
    forEachVersion([&]<HalVersion V>() {
        Losses losses;
        EXPECT_THAT(convertTo<V>(model, &losses),
                    IsInvalid("main.operands[2]: the value lies in caller-owned memory, call "
                              "flushDataFromPointerToShared before converting [convert.pointer]"));
        EXPECT_THAT(losses, IsEmpty());
    });
}

std::string wrongConsumers(const std::string& path, int found, int allowed) {
    return fmt::format(
            "{}: numberOfConsumers is {}, allowed {}, as often as the operand stands in the inputs "
            "of operations [convert.consumers]",
            path, found, allowed);
}

TEST(Model, CountsConsumersAndChecksTheirNumber) {
    Model model = reluModel();
    model.main.operations.push_back(model.main.operations[0]);
    auto old = V1_0::utils::unvalidatedConvert(model).value();
    EXPECT_EQ(old.operands[0].numberOfConsumers, 2u);
    EXPECT_EQ(old.operands[1].numberOfConsumers, 0u);

    old.operands[0].numberOfConsumers = 1;
    EXPECT_THAT(nn::unvalidatedConvert(old), IsInvalid(wrongConsumers("operands[0]", 1, 2)));

    auto recent = V1_3::utils::unvalidatedConvert(fullModel()).value();
    recent.referenced[0].operands[1].numberOfConsumers = 7;
    EXPECT_THAT(nn::unvalidatedConvert(recent),
                IsInvalid(wrongConsumers("referenced[0].operands[1]", 7, 0)));
}

// The main graph; before HAL 1.3 this is the model itself.
template <class Hal>
auto& mainOf(Hal& hal) {
    if constexpr (requires { hal.main; }) {
        return hal.main;
    } else {
        return hal;
    }
}

// An invalid operation makes the count wrong, and the operation must be reported first.
TEST(Model, ReportsMissingInputBeforeNumberOfConsumers) {
    forEachHidlVersion([&]<HalVersion V>() {
        auto hal = convertTo<V>(reluModel()).value();
        mainOf(hal).operations[0].inputs = hidl::hidl_vec<uint32_t>();
        const auto refused = IsInvalid(
                "main.operations[0] RELU6: has 0 inputs, allowed 1 "
                "[relu.inputs]");
        EXPECT_THAT(convertFrom<V>(hal), refused);
        EXPECT_THAT(convertFrom(HalModel(hal)), refused);
        const std::string path = V == V1_3 ? "main.operands[0]" : "operands[0]";
        EXPECT_THAT(nn::unvalidatedConvert(hal), IsInvalid(wrongConsumers(path, 1, 0)));
        EXPECT_THAT(nn::convert(std::move(hal)), refused);
    });
    auto hal = V1_3::utils::convert(fullModel()).value();
    hal.referenced[0].operations[0].inputs = hidl::hidl_vec<uint32_t>();
    EXPECT_THAT(nn::convert(hal),
                IsInvalid("referenced[0].operations[0] RELU6: has 0 inputs, allowed 1 "
                          "[relu.inputs]"));
}

TEST(Model, ReportsNumberOfConsumersAsOnlyError) {
    forEachHidlVersion([&]<HalVersion V>() {
        auto hal = convertTo<V>(reluModel()).value();
        auto& operands = mainOf(hal).operands;
        operands[0].numberOfConsumers = operands[1].numberOfConsumers = 7;
        const std::string path = V == V1_3 ? "main.operands[0]" : "operands[0]";
        const auto refused = IsInvalid(wrongConsumers(path, 7, 1));
        EXPECT_THAT(convertFrom<V>(hal), refused);
        EXPECT_THAT(convertFrom(HalModel(hal)), refused);
        EXPECT_THAT(nn::convert(std::move(hal)), refused);
    });
}

TEST(Model, MovesConstantsOfAnRvalue) {
    if (hal::kIsStrict) GTEST_SKIP() << "a range of HIDL takes no vector over";
    Model model = fullModel();
    const Model expected = fullModel();
    const uint8_t* constants = model.operandValues.data();
    const uint32_t* dimensions = model.main.operands[0].dimensions.data();

    auto hal = V1_3::utils::convert(std::move(model)).value();
    EXPECT_EQ(hal.operandValues.data(), constants);
    EXPECT_EQ(hal.main.operands[0].dimensions.data(), dimensions);

    const auto back = nn::convert(std::move(hal)).value();
    EXPECT_EQ(back.operandValues.data(), constants);
    EXPECT_EQ(back.main.operands[0].dimensions.data(), dimensions);
    EXPECT_EQ(back.main, expected.main);

    Model flat = reluModel();
    const uint32_t* flatDimensions = flat.main.operands[0].dimensions.data();
    auto old = V1_0::utils::convert(std::move(flat)).value();
    EXPECT_EQ(old.operands[0].dimensions.data(), flatDimensions);
    EXPECT_EQ(nn::convert(std::move(old)).value(), reluModel());
}

TEST(Model, VersionKnownAtRunTime) {
    for (const HalVersion version : kConvertibleVersions) {
        const auto hal = convertTo(version, reluModel());
        ASSERT_TRUE(hal.ok());
        EXPECT_EQ(hal->index(), std::min<size_t>(static_cast<size_t>(version), 4));
        EXPECT_EQ(versionOf(*hal), version);
        EXPECT_EQ(convertFrom(*hal).value(), reluModel());
        EXPECT_EQ(unvalidatedConvertFrom(*unvalidatedConvertTo(version, reluModel())).value(),
                  reluModel());
    }
    Model illegal = reluModel();
    illegal.main.inputIndexes = {};
    EXPECT_FALSE(convertTo(HalVersion::V1_3, illegal).ok());
    illegal.main.operands[0].lifetime = Operand::LifeTime::POINTER;
    EXPECT_FALSE(unvalidatedConvertTo(HalVersion::V1_3, illegal).ok());
}

TEST(Model, RejectsAVersionWithoutConverters) {
    const HalVersion none{kHalVersions.size()};
    const auto refused = IsInvalid(
            "the target is unknown version, which has no converters, allowed HAL 1.0, HAL 1.1, HAL "
            "1.2, HAL 1.3, AIDL 1, AIDL 2, AIDL 3 and AIDL 4 [convert.version]");
    EXPECT_FALSE(hasConverters(none));
    EXPECT_THAT(convertTo(none, reluModel()), refused);
    EXPECT_THAT(unvalidatedConvertTo(none, reluModel()), refused);
    Model illegal = reluModel();  // errors of the model itself come first
    illegal.main.inputIndexes = {};
    EXPECT_THAT(convertTo(none, illegal),
                IsInvalid(std::string(validate(illegal).status().message())));
}

TEST(Model, AFailedConversionReportsNoLossesAndKeepsEarlierOnes) {
    Model illegal = reluModel();
    illegal.relaxComputationFloat32toFloat16 = true;
    illegal.main.operands[1].lifetime = Operand::LifeTime::POINTER;
    const Losses earlier = {{.path = "before", .before = "1", .after = "0", .why = "of a test"}};
    Losses losses = earlier;
    EXPECT_FALSE(V1_0::utils::unvalidatedConvert(illegal, &losses).ok());
    EXPECT_EQ(losses, earlier);
}

TEST(Model, PartsConvertOnTheirOwn) {
    const Model model = fullModel();
    EXPECT_THAT(lossesOf<V1_3>(model.main), IsEmpty());
    EXPECT_THAT(lossesOf<V1_2>(model.main.operands[2]), IsEmpty());
    EXPECT_THAT(lossesOf<V1_2>(model.main.operands[2].extraParams), IsEmpty());
    EXPECT_THAT(lossesOf<V1_2>(model.main.operands[0].extraParams), IsEmpty());
    EXPECT_THAT(lossesOf<V1_0>(model.main.operations[0]), IsEmpty());
    EXPECT_THAT(lossesOf<V1_0>(model.operandValues), IsEmpty());
    EXPECT_THAT(lossesOf<V1_2>(model.extensionNameToPrefix), IsEmpty());
}

// An operation may read an operand that does not exist; the other operands are still counted.
TEST(Model, AnInputBeyondTheOperandsHasNoConsumers) {
    Model model = reluModel();
    model.main.operations[0].inputs = {0, 2};
    forEachHidlVersion([&]<HalVersion V>() {
        const auto hal = unvalidatedConvertTo<V>(model).value();
        EXPECT_EQ(mainOf(hal).operands[0].numberOfConsumers, 1u);
        EXPECT_EQ(nn::unvalidatedConvert(hal).value(), model);
    });
}

TEST(Model, ReportsFirstWrongNumberOfConsumers) {
    auto hal = V1_3::utils::convert(fullModel()).value();
    hal.main.operands[0].numberOfConsumers = 7;
    hal.referenced[0].operands[0].numberOfConsumers = 8;
    EXPECT_THAT(nn::convert(hal), IsInvalid(wrongConsumers("main.operands[0]", 7, 1)));
}

TEST(Operand, LifetimesThatDoNotExistAreRefused) {
    const auto refused = [](const char* lifetime, const char* version) {
        return IsInvalid(fmt::format("lifetime: {} does not exist in {} [convert.enumerator]",
                                     lifetime, version));
    };
    V1_0::Operand old{.lifetime = static_cast<V1_0::OperandLifeTime>(6)};
    EXPECT_THAT(nn::unvalidatedConvert(old), refused("SUBGRAPH", "HAL 1.1"));
    V1_2::Operand params{.lifetime = static_cast<V1_0::OperandLifeTime>(6)};
    EXPECT_THAT(nn::unvalidatedConvert(params), refused("SUBGRAPH", "HAL 1.2"));
    V1_3::Operand recent{.lifetime = static_cast<V1_3::OperandLifeTime>(7)};
    EXPECT_THAT(nn::unvalidatedConvert(recent), refused("POINTER", "HAL 1.3"));
    forEachVersion([&]<HalVersion V>() {
        const auto nowhere = refused("Operand::LifeTime(99)", std::string(titleOf(V)).c_str());
        const Operand operand{.lifetime = static_cast<Operand::LifeTime>(99)};
        EXPECT_THAT(unvalidatedConvertTo<V>(operand), nowhere);
    });
    recent.lifetime = static_cast<V1_3::OperandLifeTime>(99);
    EXPECT_THAT(nn::unvalidatedConvert(recent), refused("Operand::LifeTime(99)", "HAL 1.3"));
}

// The peer sets the discriminator of a union; here only overwriting its bytes can make it invalid.
TEST(Operand, UnionsThatHoldNoneOfTheirMembersAreRefused) {
#ifdef NNAPI_HIDL_IS_GENERATED
    constexpr size_t kPlace = 0;  // before the members
#else
    constexpr size_t kPlace = sizeof(V1_2::SymmPerChannelQuantParams);
#endif
    V1_2::Operand operand{};
    auto* discriminator = reinterpret_cast<unsigned char*>(&operand.extraParams) + kPlace;
    ASSERT_EQ(*discriminator, 0);
    *discriminator = 9;
    ASSERT_EQ(static_cast<int>(operand.extraParams.getDiscriminator()), 9);
    EXPECT_THAT(nn::unvalidatedConvert(operand),
                IsInvalid("extraParams: union holds none of its members [convert.union]"));
    *discriminator = 0;
}

TEST(DataLocation, PointerAndPaddingAreLost) {
    int value = 0;
    const DataLocation location{.pointer = static_cast<void*>(&value), .length = 4, .padding = 60};
    EXPECT_THAT(lossesOf<V1_0>(location), ElementsAre(Loss{.path = "pointer",
                                                           .before = "pointer",
                                                           .after = "null",
                                                           .why = "HAL 1.0 has no pointers"},
                                                      Loss{.path = "padding",
                                                           .before = "60",
                                                           .after = "0",
                                                           .why = "HAL 1.0 has no padding"}));
}

// ---- requests

Request request() {
    return {.inputs = {{.lifetime = Request::Argument::LifeTime::POOL,
                        .location = {.poolIndex = 0, .offset = 4, .length = 8},
                        .dimensions = {2}}},
            .outputs = {{.lifetime = Request::Argument::LifeTime::NO_VALUE}},
            .pools = {createSharedMemory(64).value()}};
}

TEST(Request, IsKeptByAllVersions) {
    forEachVersion([]<HalVersion V>() {
        const Request original = request();
        const auto hal = convertTo<V>(original);
        ASSERT_TRUE(hal.ok()) << hal.status();
        EXPECT_TRUE(hal->outputs[0].hasNoValue);
        EXPECT_EQ(nn::convert(*hal).value(), original);
        EXPECT_THAT(lossesOf<V>(original), IsEmpty());
    });
}

TEST(Request, PaddingIsLost) {
    Request padded = request();
    padded.inputs[0].location.padding = 52;
    Losses losses;
    ASSERT_TRUE(V1_3::utils::convert(padded, &losses).ok());
    EXPECT_THAT(losses, ElementsAre(Loss{.path = "inputs[0].location.padding",
                                         .before = "52",
                                         .after = "0",
                                         .why = "HAL 1.3 has no padding"}));
}

TEST(Request, TokensConvertSince1_3) {
    Request withToken = request();
    withToken.pools[0] = MemoryDomainToken{5};
    withToken.inputs[0].location = {};
    const auto hal = V1_3::utils::convert(withToken);
    ASSERT_TRUE(hal.ok()) << hal.status();
    EXPECT_EQ(hal->pools[0].token(), 5u);
    EXPECT_EQ(nn::convert(*hal).value(), withToken);

    EXPECT_THAT(V1_2::utils::unvalidatedConvert(withToken),
                FailsWith(ErrorStatus::GENERAL_FAILURE,
                          "pools[0]: a token cannot be sent in HAL 1.2, allowed memory "
                          "[convert.pool]"));
    EXPECT_FALSE(V1_2::utils::convert(withToken).ok());
}

TEST(Request, BuffersDoNotConvert) {
    Request withBuffer = request();
    withBuffer.pools[0] = SharedBuffer();
    EXPECT_THAT(V1_3::utils::unvalidatedConvert(withBuffer),
                FailsWith(ErrorStatus::GENERAL_FAILURE,
                          "pools[0]: a buffer cannot be sent in HAL 1.3, allowed memory or a token "
                          "[convert.pool]"));
}

TEST(Request, LifetimesThatDoNotExistAreRefused) {
    Request wrong = request();
    wrong.inputs[0].lifetime = static_cast<Request::Argument::LifeTime>(7);
    EXPECT_THAT(
            V1_3::utils::unvalidatedConvert(wrong),
            IsInvalid("inputs[0]: Request::Argument::LifeTime(7) does not exist in any HAL version "
                      "[convert.enumerator]"));
}

TEST(Request, PointerDataIsRefusedWithTheHelperToCall) {
    float value = 0;
    Request pointing = request();
    pointing.outputs[0] = {.lifetime = Request::Argument::LifeTime::POINTER,
                           .location = {.pointer = static_cast<void*>(&value), .length = 4}};
    EXPECT_THAT(V1_0::utils::convert(pointing),
                IsInvalid("outputs[0]: the value lies in caller-owned memory, call "
                          "convertRequestFromPointerToShared before converting "
                          "[convert.pointer]"));
}

}  // namespace
}  // namespace nn::model_test
