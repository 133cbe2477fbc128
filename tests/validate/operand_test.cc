#include <functional>
#include <limits>
#include <vector>

#include "nnapi/memory.h"
#include "nnapi/type_utils.h"
#include "odd_float_environment.h"
#include "validate/models.h"

namespace nn::operand_test {
namespace {

constexpr Version V1_0 = kVersionFeatureLevel1, V1_2 = kVersionFeatureLevel3,
                  V1_3 = kVersionFeatureLevel4;
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr uint32_t kMax = std::numeric_limits<uint32_t>::max();
constexpr auto kExtensionType = static_cast<OperandType>(0x00010007);
using enum OperandType;
using LifeTime::CONSTANT_COPY, LifeTime::CONSTANT_REFERENCE, LifeTime::NO_VALUE, LifeTime::POINTER,
        LifeTime::SUBGRAPH_INPUT;

Operand with(Operand operand, Operand::ExtraParams extraParams) {
    operand.extraParams = std::move(extraParams);
    return operand;
}

Operand perChannel(std::vector<uint32_t> dimensions, std::vector<float> scales,
                   uint32_t channelDim) {
    return with(operandOf(TENSOR_QUANT8_SYMM_PER_CHANNEL, std::move(dimensions), SUBGRAPH_INPUT),
                Operand::SymmPerChannelQuantParams{.scales = std::move(scales),
                                                   .channelDim = channelDim});
}

Operand input(OperandType type, std::vector<uint32_t> dimensions, float scale = 0,
              int32_t zeroPoint = 0) {
    return quantized(type, std::move(dimensions), SUBGRAPH_INPUT, scale, zeroPoint);
}

Operand constant(OperandType type, std::vector<uint32_t> dimensions, LifeTime lifetime,
                 DataLocation location) {
    Operand operand = operandOf(type, std::move(dimensions), lifetime);
    operand.location = location;
    return operand;
}

constexpr uint64_t kValue[2] = {};
const DataLocation kEightBytes{.pointer = static_cast<const void*>(kValue), .length = 8};

// A model that reads the operand, and has 16 bytes of values, a pool of 32 and no subgraph.
Model modelWith(Operand operand) {
    static const SharedMemory pool = *createSharedMemory(32);
    Model model = modelReading(std::move(operand));
    model.operandValues = Model::OperandValues(std::vector<uint8_t>(16));
    model.pools = {pool};
    return model;
}

TEST(ValidateOperand, IsAsLegalInAnyFloatEnvironment) {
    using Floats = std::numeric_limits<float>;
    for (const float scale : {1.0f, 0.0f, -1.0f, Floats::denorm_min(), Floats::max(), kInfinity,
                              kNaN, Floats::signaling_NaN()}) {
        for (const Model& model : {modelWith(input(TENSOR_QUANT8_ASYMM, {1}, scale)),
                                   modelWith(perChannel({2, 1}, {1.0f, scale}, 0))}) {
            const auto expected = validate(model);
            const auto found = [&] {
                const OddFloatEnvironment odd;
                return validate(model);
            }();
            EXPECT_EQ(found.status(), expected.status()) << scale;
        }
    }
}

TEST(ValidateOperand, NeedsTheLeastVersion) {
    struct {
        const char* name;
        Operand operand;
        Version needed;
    } const kLegal[] = {
            {"Scalar", input(FLOAT32, {}), V1_0},
            {"Tensor", input(TENSOR_FLOAT32, {2}), V1_0},
            {"UnknownDimension", input(TENSOR_FLOAT32, {0, 2}), V1_0},
            {"UnknownRank", input(TENSOR_FLOAT32, {}), V1_2},
            {"OmittedOfUnknownRank", operandOf(TENSOR_FLOAT32, {}, NO_VALUE), V1_2},
            {"OmittedScalar", operandOf(FLOAT32, {}, NO_VALUE), V1_0},
            {"BiasScale", input(TENSOR_INT32, {2}, 0.5f), V1_0},
            {"NegativeZeroScale", input(TENSOR_FLOAT32, {2}, -0.0f), V1_0},
            {"DenormalScale", input(TENSOR_QUANT8_ASYMM, {2}, 1e-45f), V1_0},
            {"Quant8Least", input(TENSOR_QUANT8_ASYMM, {2}, 1, 0), V1_0},
            {"Quant8Most", input(TENSOR_QUANT8_ASYMM, {2}, 1, 255), V1_0},
            {"SignedLeast", input(TENSOR_QUANT8_ASYMM_SIGNED, {2}, 1, -128), V1_3},
            {"SignedMost", input(TENSOR_QUANT8_ASYMM_SIGNED, {2}, 1, 127), V1_3},
            {"Quant16Most", input(TENSOR_QUANT16_ASYMM, {2}, 1, 65535), V1_2},
            {"Symmetric", input(TENSOR_QUANT8_SYMM, {2}, 1), V1_2},
            {"OemScalar", with(input(OEM, {}, -1, 7), Operand::ExtensionParams{1}), V1_0},
            {"OemTensor", input(TENSOR_OEM_BYTE, {2}, kNaN, 7), V1_0},
            {"PerChannel", perChannel({3, 2}, {1, 2}, 1), V1_2},
            {"PerChannelOfAnyScale",
             perChannel(
                     {2},
                     {std::numeric_limits<float>::denorm_min(), std::numeric_limits<float>::max()},
                     0),
             V1_2},
            {"PerChannelElsewhereUnknown", perChannel({0, 1}, {1}, 1), V1_2},
            {"Extension", input(kExtensionType, {0, kMax, kMax, kMax}), V1_2},
            {"ExtensionBytes", with(input(kExtensionType, {}), Operand::ExtensionParams{1}), V1_2},
            {"Copy", constant(TENSOR_FLOAT32, {2}, CONSTANT_COPY, {.offset = 8, .length = 8}),
             V1_0},
            {"OddOffset", constant(TENSOR_FLOAT32, {2}, CONSTANT_COPY, {.offset = 3, .length = 8}),
             V1_0},
            {"Reference",
             constant(TENSOR_FLOAT32, {2}, CONSTANT_REFERENCE, {.offset = 24, .length = 8}), V1_0},
            {"Pointer", constant(TENSOR_FLOAT32, {2}, POINTER, kEightBytes), V1_0},
            {"ExtensionOfAnyLength",
             constant(kExtensionType, {2}, CONSTANT_COPY, {.offset = 0, .length = 3}), V1_2},
            {"OemOfAnyLength",
             constant(TENSOR_OEM_BYTE, {2}, CONSTANT_COPY, {.offset = 0, .length = 3}), V1_0},
    };
    for (const auto& row : kLegal) {
        EXPECT_THAT(validate(modelWith(row.operand)), Needs(row.needed)) << row.name;
    }
}

TEST(ValidateOperand, SaysWhyItRefuses) {
    Operand paddedInput = input(FLOAT32, {});
    paddedInput.location.padding = 1;
    struct {
        Operand operand;
        const char* message;
    } const kBroken[] = {
            {input(static_cast<OperandType>(16), {}),
             "type is 16, allowed 0 to 15, 10000, 10001 and extension types [operand.type]"},
            // dimensions
            {input(INT32, {0}), "dimensions are [0], allowed [] for INT32 [operand.dimensions]"},
            {input(OEM, {1}), "dimensions are [1], allowed [] for OEM [operand.dimensions]"},
            {constant(TENSOR_FLOAT32, {}, CONSTANT_COPY, {}),
             "dimensions are [], allowed only known ones for a constant [operand.dimensions]"},
            {constant(TENSOR_FLOAT32, {0, 2}, POINTER, kEightBytes),
             "dimensions are [0, 2], allowed only known ones for a constant [operand.dimensions]"},
            {input(TENSOR_FLOAT32, {kMax, kMax, 1}),
             "dimensions are [4294967295, 4294967295, 1], the size of such a TENSOR_FLOAT32 does "
             "not fit 64 bits [operand.dimensions]"},
            {input(INT32, std::vector<uint32_t>(20, 1)),
             "dimensions are [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, ... 20 in all], "
             "allowed [] for INT32 [operand.dimensions]"},
            // scale
            {input(TENSOR_FLOAT32, {2}, 1),
             "scale is 1, allowed 0 for TENSOR_FLOAT32 [operand.scale]"},
            {input(TENSOR_FLOAT32, {2}, kNaN),
             "scale is nan, allowed 0 for TENSOR_FLOAT32 [operand.scale]"},
            {input(TENSOR_INT32, {2}, -1),
             "scale is -1, allowed 0 and finite values above for TENSOR_INT32 [operand.scale]"},
            {input(TENSOR_INT32, {2}, kNaN),
             "scale is nan, allowed 0 and finite values above for TENSOR_INT32 [operand.scale]"},
            {input(TENSOR_QUANT8_ASYMM, {2}),
             "scale is 0, allowed finite values above 0 for TENSOR_QUANT8_ASYMM [operand.scale]"},
            {input(TENSOR_QUANT16_SYMM, {2}, kNaN),
             "scale is nan, allowed finite values above 0 for TENSOR_QUANT16_SYMM [operand.scale]"},
            {input(TENSOR_QUANT16_ASYMM, {2}, kInfinity),
             "scale is inf, allowed finite values above 0 for TENSOR_QUANT16_ASYMM "
             "[operand.scale]"},
            {input(kExtensionType, {2}, 1),
             "scale is 1, allowed 0 for extension types [operand.scale]"},
            // zeroPoint
            {input(TENSOR_QUANT8_ASYMM, {2}, 1, 300),
             "zeroPoint is 300, allowed 0..255 for TENSOR_QUANT8_ASYMM [operand.zero_point]"},
            {input(TENSOR_QUANT8_ASYMM, {2}, 1, -1),
             "zeroPoint is -1, allowed 0..255 for TENSOR_QUANT8_ASYMM [operand.zero_point]"},
            {input(TENSOR_QUANT8_ASYMM_SIGNED, {2}, 1, 128),
             "zeroPoint is 128, allowed -128..127 for TENSOR_QUANT8_ASYMM_SIGNED "
             "[operand.zero_point]"},
            {input(TENSOR_QUANT16_ASYMM, {2}, 1, 65536),
             "zeroPoint is 65536, allowed 0..65535 for TENSOR_QUANT16_ASYMM [operand.zero_point]"},
            {input(TENSOR_QUANT16_SYMM, {2}, 1, 1),
             "zeroPoint is 1, allowed 0 for TENSOR_QUANT16_SYMM [operand.zero_point]"},
            {input(FLOAT32, {}, 0, 1),
             "zeroPoint is 1, allowed 0 for FLOAT32 [operand.zero_point]"},
            {input(kExtensionType, {}, 0, 1),
             "zeroPoint is 1, allowed 0 for extension types [operand.zero_point]"},
            // extraParams
            {input(TENSOR_QUANT8_SYMM_PER_CHANNEL, {2}),
             "extraParams are not SymmPerChannelQuantParams, as TENSOR_QUANT8_SYMM_PER_CHANNEL "
             "demands [operand.extra_params]"},
            {perChannel({2}, {1, 1}, 1),
             "channelDim is 1, allowed below 1, the number of dimensions [operand.extra_params]"},
            {perChannel({}, {}, 0),
             "channelDim is 0, but the tensor has no dimensions [operand.extra_params]"},
            {perChannel({2}, {1}, 0),
             "1 scale for 2 channels, allowed one each and one at least [operand.extra_params]"},
            {perChannel({0}, {}, 0),
             "0 scales for 0 channels, allowed one each and one at least [operand.extra_params]"},
            {perChannel({2}, {1, 0}, 0),
             "scale of channel 1 is 0, allowed finite values above 0 [operand.extra_params]"},
            {perChannel({1}, {kInfinity}, 0),
             "scale of channel 0 is inf, allowed finite values above 0 [operand.extra_params]"},
            {with(input(TENSOR_FLOAT32, {2}), Operand::ExtensionParams{}),
             "extraParams are given, allowed none for TENSOR_FLOAT32 [operand.extra_params]"},
            {with(input(kExtensionType, {2}), Operand::SymmPerChannelQuantParams{}),
             "extraParams are SymmPerChannelQuantParams, allowed none or bytes for extension types "
             "[operand.extra_params]"},
            // lifetime
            {operandOf(FLOAT32, {}, static_cast<LifeTime>(8)),
             "lifetime is 8, allowed 0 to 7 [operand.lifetime]"},
            {operandOf(FLOAT32, {}, static_cast<LifeTime>(-1)),
             "lifetime is -1, allowed 0 to 7 [operand.lifetime]"},
            {operandOf(OperandType::SUBGRAPH, {}, NO_VALUE),
             "lifetime is NO_VALUE, allowed only SUBGRAPH for type SUBGRAPH [operand.lifetime]"},
            {operandOf(INT32, {}, LifeTime::SUBGRAPH),
             "lifetime is SUBGRAPH, allowed only for type SUBGRAPH, and type is INT32 "
             "[operand.lifetime]"},
            // location: fields that the lifetime does not use
            {constant(FLOAT32, {}, NO_VALUE, kEightBytes),
             "location.pointer is set, allowed null for NO_VALUE [operand.location]"},
            {constant(FLOAT32, {}, NO_VALUE, {.poolIndex = 1}),
             "location.poolIndex is 1, allowed 0 for NO_VALUE [operand.location]"},
            {constant(FLOAT32, {}, NO_VALUE, {.offset = 1}),
             "location.offset is 1, allowed 0 for NO_VALUE [operand.location]"},
            {constant(FLOAT32, {}, NO_VALUE, {.length = 1}),
             "location.length is 1, allowed 0 for NO_VALUE [operand.location]"},
            {paddedInput, "location.padding is 1, allowed 0 for SUBGRAPH_INPUT [operand.location]"},
            {constant(TENSOR_FLOAT32, {2}, CONSTANT_COPY, {.poolIndex = 1, .length = 8}),
             "location.poolIndex is 1, allowed 0 for CONSTANT_COPY [operand.location]"},
            {constant(TENSOR_FLOAT32, {2}, CONSTANT_REFERENCE, kEightBytes),
             "location.pointer is set, allowed null for CONSTANT_REFERENCE [operand.location]"},
            // location: range of the value
            {constant(TENSOR_FLOAT32, {2}, CONSTANT_COPY, {.offset = 9, .length = 8}),
             "offset 9 + length 8 is allowed up to 16, the size of operandValues "
             "[operand.location]"},
            {constant(TENSOR_FLOAT32, {2}, CONSTANT_COPY, {.offset = kMax, .length = 8}),
             "offset 4294967295 + length 8 is allowed up to 16, the size of operandValues "
             "[operand.location]"},
            {constant(TENSOR_FLOAT32, {2}, CONSTANT_REFERENCE, {.offset = 25, .length = 8}),
             "offset 25 + length 8 is allowed up to 32, the size of the pool [operand.location]"},
            {constant(TENSOR_FLOAT32, {2}, CONSTANT_REFERENCE, {.poolIndex = 1, .length = 8}),
             "location.poolIndex is 1, allowed below 1, the number of pools [operand.location]"},
            {constant(TENSOR_FLOAT32, {2}, POINTER, {.length = 8}),
             "location.pointer is null, allowed any other for POINTER [operand.location]"},
            {subgraphOperand(0),
             "location.offset is 0, but the model has no referenced subgraphs [operand.location]"},
            {constant(TENSOR_FLOAT32, {2}, CONSTANT_COPY, {.length = 4}),
             "location.length is 4, allowed 8 for TENSOR_FLOAT32[2] [operand.location]"},
            {constant(INT32, {}, CONSTANT_REFERENCE, {.length = 8}),
             "location.length is 8, allowed 4 for INT32[] [operand.location]"},
    };
    for (const auto& row : kBroken) {
        EXPECT_THAT(validate(modelWith(row.operand)),
                    Refuses(std::string("main.operands[0]: ") + row.message));
    }
}

TEST(ValidateOperand, ScalarsHaveNoDimensions) {
    for (const OperandTypeInfo& info : operandTypes()) {
        if (info.isTensor) continue;
        EXPECT_THAT(validate(modelWith(operandOf(info.type, {1}, NO_VALUE))),
                    Refuses("main.operands[0]: dimensions are [1], allowed [] for " +
                            std::string(info.name) + " [operand.dimensions]"));
    }
}

struct Built {
    Operand operand;
    const Extension::OperandTypeInformation* extensionInfo;
    bool allowPartial;
};

const Extension::OperandTypeInformation kTensorInfo{.type = 7, .isTensor = true, .byteSize = 4};
const Extension::OperandTypeInformation kScalarInfo{.type = 7, .isTensor = false, .byteSize = 4};

TEST(ValidateOperandType, TakesWhatApplicationsBuild) {
    const Built kLegal[] = {
            {input(TENSOR_FLOAT32, {}), nullptr, true},
            {input(TENSOR_FLOAT32, {0, 2}), nullptr, true},
            {input(TENSOR_FLOAT32, {1, 2}), nullptr, false},
            {input(TENSOR_INT32, {2}, -1, 7), nullptr, false},
            {input(OEM, {}, -1, 7), nullptr, false},
            {input(TENSOR_QUANT8_SYMM_PER_CHANNEL, {2}), nullptr, false},
            {input(kExtensionType, {2}), &kTensorInfo, false},
            {input(kExtensionType, {}), &kScalarInfo, false},
    };
    for (const Built& row : kLegal) {
        EXPECT_TRUE(validateOperandType(row.operand, row.extensionInfo, row.allowPartial).ok());
    }
    EXPECT_THAT(validateOperandType(input(FLOAT16, {}), nullptr, true), Needs(V1_2));
}

TEST(ValidateOperandType, SaysWhyItRefuses) {
    struct {
        Built built;
        const char* message;
    } const kBroken[] = {
            {{input(static_cast<OperandType>(77), {}), nullptr, true},
             "type is 77, allowed 0 to 15, 10000, 10001 and extension types [operand.type]"},
            {{input(kExtensionType, {}), nullptr, true},
             "extension information is missing for OperandType(0x00010007), allowed and needed for "
             "extension types only [operand.extension]"},
            {{input(FLOAT32, {}), &kScalarInfo, true},
             "extension information is given for FLOAT32, allowed and needed for extension types "
             "only [operand.extension]"},
            {{input(FLOAT32, {1}), nullptr, true},
             "dimensions are [1], allowed [] for FLOAT32 [operand.dimensions]"},
            {{input(kExtensionType, {1}), &kScalarInfo, true},
             "dimensions are [1], allowed [] for OperandType(0x00010007) [operand.dimensions]"},
            {{input(TENSOR_FLOAT32, {}), nullptr, false},
             "dimensions are [], allowed only known ones here [operand.dimensions]"},
            {{input(TENSOR_FLOAT32, {1, 0}), nullptr, false},
             "dimensions are [1, 0], allowed only known ones here [operand.dimensions]"},
            {{input(TENSOR_FLOAT32, {1u << 30}), nullptr, true},
             "dimensions are [1073741824], allowed at most 2^32 - 1 bytes of TENSOR_FLOAT32 "
             "[operand.dimensions]"},
            {{input(kExtensionType, {0, 1u << 30}), &kTensorInfo, true},
             "dimensions are [0, 1073741824], allowed at most 2^32 - 1 bytes of "
             "OperandType(0x00010007) [operand.dimensions]"},
            {{input(TENSOR_QUANT8_ASYMM, {1}), nullptr, true},
             "scale is 0, allowed finite values above 0 for TENSOR_QUANT8_ASYMM [operand.scale]"},
            {{input(FLOAT32, {}, 0, 1), nullptr, true},
             "zeroPoint is 1, allowed 0 for FLOAT32 [operand.zero_point]"},
    };
    for (const auto& [built, message] : kBroken) {
        EXPECT_THAT(validateOperandType(built.operand, built.extensionInfo, built.allowPartial),
                    Refuses(message));
    }
}

TEST(ValidateOperandList, KnowsTheOperands) {
    EXPECT_TRUE(validateOperandList({}, 0).ok());
    EXPECT_TRUE(validateOperandList(std::vector<uint32_t>{2, 2, 0}, 3).ok());
    EXPECT_EQ(validateOperandList(std::vector<uint32_t>{2, 3}, 3).message(),
              "[1]: operand 3 does not exist, allowed below 3, the number of operands "
              "[operand.index]");
    EXPECT_EQ(validateOperandList(std::vector<uint32_t>{3}, 0).message(),
              "[0]: operand 3 does not exist, but the model has no operands [operand.index]");
}

TEST(ValidateOperand, SaysThatAModelHasNoPools) {
    Model model = softmaxModel();
    model.main.operands[1] = operandOf(OperandType::FLOAT32, {}, LifeTime::CONSTANT_REFERENCE);
    model.main.operands[1].location = {.poolIndex = 3, .length = 4};
    EXPECT_THAT(validate(model), Refuses("main.operands[1]: location.poolIndex is 3, but the model "
                                         "has no pools [operand.location]"));
}

// An operand that equals an accepted one is accepted without checking each rule; anything that
// makes it invalid must still be found, with the same message as without the shortcut.
TEST(ValidateOperand, SaysTheSameAfterOneLikeIt) {
    constexpr size_t kAt = 2;
    const Operand accepted[] = {
            input(TENSOR_FLOAT32, {2}),
            input(TENSOR_QUANT8_ASYMM, {2, 3}, 0.5f, 7),
            input(INT32, {}),
            constant(TENSOR_FLOAT32, {2}, CONSTANT_COPY, {.offset = 8, .length = 8}),
            constant(INT32, {}, CONSTANT_COPY, {.offset = 12, .length = 4}),
            constant(TENSOR_FLOAT32, {2}, CONSTANT_REFERENCE, {.offset = 24, .length = 8}),
            constant(BOOL, {}, CONSTANT_REFERENCE, {.offset = 31, .length = 1}),
    };
    using Change = std::function<void(Operand&)>;
    std::vector<Change> changes = {[](Operand&) {}};
    const auto eachOf = [&]<class V>(const std::vector<V>& values,
                                     void (*set)(Operand&, const V&)) {
        for (const V& value : values)
            changes.push_back([=](Operand& operand) { set(operand, value); });
    };
    using Dimensions = std::vector<uint32_t>;
    eachOf(
            std::vector<Dimensions>{
                    {}, {0}, {0, 3}, {1}, {2, 1}, {kMax, kMax, 1}, Dimensions(1000, 1)},
            +[](Operand& o, const Dimensions& v) { o.dimensions = v; });
    eachOf(
            std::vector{FLOAT32, TENSOR_INT32, TENSOR_FLOAT16, TENSOR_QUANT8_ASYMM_SIGNED, OEM,
                        TENSOR_OEM_BYTE, TENSOR_QUANT8_SYMM_PER_CHANNEL, SUBGRAPH, kExtensionType,
                        static_cast<OperandType>(16)},
            +[](Operand& o, const OperandType& v) { o.type = v; });
    eachOf(
            std::vector{0.0f, -0.0f, 2.0f, -1.0f, kNaN, kInfinity},
            +[](Operand& o, const float& v) { o.scale = v; });
    eachOf(
            std::vector{0, 255, 256, -1}, +[](Operand& o, const int32_t& v) { o.zeroPoint = v; });
    eachOf(
            std::vector{NO_VALUE, POINTER, LifeTime::SUBGRAPH, static_cast<LifeTime>(8),
                        static_cast<LifeTime>(-1)},
            +[](Operand& o, const LifeTime& v) { o.lifetime = v; });
    eachOf(
            std::vector{0u, 1u, 13u, 32u, kMax},
            +[](Operand& o, const uint32_t& v) { o.location.offset = v; });
    eachOf(
            std::vector{0u, 4u, 8u, 9u, kMax},
            +[](Operand& o, const uint32_t& v) { o.location.length = v; });
    eachOf(
            std::vector{1u, kMax},
            +[](Operand& o, const uint32_t& v) { o.location.poolIndex = v; });
    eachOf(
            std::vector{1u, kMax}, +[](Operand& o, const uint32_t& v) { o.location.padding = v; });
    changes.push_back([](Operand& o) { o.location.pointer = static_cast<const void*>(kValue); });
    changes.push_back([](Operand& o) { o.location.pointer = static_cast<void*>(nullptr); });
    changes.push_back([](Operand& o) { o.extraParams = Operand::ExtensionParams{1}; });
    changes.push_back([](Operand& o) {
        o.dimensions = {0, 2};
        o.location.length = 0;
    });
    changes.push_back([](Operand& o) { o.extraParams = Operand::SymmPerChannelQuantParams{}; });

    size_t refused = 0;
    for (const Operand& like : accepted) {
        ASSERT_TRUE(validate(modelWith(like)).ok());
        for (const Change& change : changes) {
            Model model = modelWith(like);
            model.main.operands.push_back(like);
            change(model.main.operands[kAt]);
            const Operand& changed = model.main.operands[kAt];
            if (changed.lifetime == SUBGRAPH_INPUT) model.main.inputIndexes.push_back(kAt);
            const Result<Version> alone = validateOperand(changed, model);
            const Result<Version> whole = validate(model);
            if (alone.ok()) {
                ASSERT_TRUE(whole.ok()) << whole.status();
                EXPECT_EQ(*whole, combineVersions(*alone, *validate(modelWith(like))));
                continue;
            }
            ++refused;
            EXPECT_EQ(whole.status().message(),
                      "main.operands[2]: " + std::string(alone.status().message()));
        }
    }
    EXPECT_GT(refused, 100u);
}

}  // namespace
}  // namespace nn::operand_test
