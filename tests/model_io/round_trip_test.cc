// An object that is written and read back is equal, in every format.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "model_io/model_equality.h"

namespace nn::round_trip_test {
namespace {

using LifeTime = Operand::LifeTime;

constexpr auto kReadWrite = PROT_READ | PROT_WRITE;

Operand constant(LifeTime lifetime, DataLocation location) {
    return {.type = OperandType::TENSOR_QUANT8_ASYMM,
            .dimensions = {location.length},
            .scale = 0.1f,
            .zeroPoint = 128,
            .lifetime = lifetime,
            .location = location};
}

Model copies(std::vector<uint8_t> values, std::vector<DataLocation> locations) {
    Model model{.operandValues = Model::OperandValues(std::move(values))};
    for (const DataLocation& location : locations)
        model.main.operands.push_back(constant(LifeTime::CONSTANT_COPY, location));
    return model;
}

Model references(std::vector<SharedMemory> pools, std::vector<DataLocation> locations) {
    Model model{.pools = std::move(pools)};
    for (const DataLocation& location : locations)
        model.main.operands.push_back(constant(LifeTime::CONSTANT_REFERENCE, location));
    return model;
}

SharedMemory memoryOf(auto kind) { return std::make_shared<const Memory>(Memory{std::move(kind)}); }

Model everyField() {
    Model model = copies({1, 2, 3, 4}, {{.length = 4}});
    model.main.operands.push_back({.type = OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL,
                                   .dimensions = {2, 0, 4294967295u},
                                   .lifetime = LifeTime::SUBGRAPH_INPUT,
                                   .extraParams = Operand::SymmPerChannelQuantParams{
                                           .scales = {0.5f, 1e-30f}, .channelDim = 1}});
    model.main.operands.push_back(
            {.type = static_cast<OperandType>(0x00020001),
             .zeroPoint = std::numeric_limits<int32_t>::min(),
             .lifetime = LifeTime::NO_VALUE,
             .location = {.poolIndex = 1, .offset = 2, .length = 3, .padding = 4},
             .extraParams = Operand::ExtensionParams{0, 255, 10}});
    model.main.operands.push_back({.type = OperandType::SUBGRAPH,
                                   .lifetime = LifeTime::SUBGRAPH,
                                   .location = {.offset = 0}});
    model.main.operands.push_back({.type = OperandType::SUBGRAPH,
                                   .lifetime = LifeTime::SUBGRAPH,
                                   .location = {.offset = 3, .length = 1}});
    model.main.operands.push_back({.type = static_cast<OperandType>(-7),
                                   .scale = std::numeric_limits<float>::infinity(),
                                   .lifetime = static_cast<LifeTime>(77),
                                   .extraParams = Operand::ExtensionParams{}});
    model.main.operands.push_back({.extraParams = Operand::SymmPerChannelQuantParams{}});
    model.main.operations.push_back(
            {.type = OperationType::REVERSE, .inputs = {0, 9, 0}, .outputs = {4294967295u}});
    model.main.operations.push_back({.type = static_cast<OperationType>(0x7FFF0003)});
    model.main.inputIndexes = {1, 1, 0};
    model.main.outputIndexes = {5};
    model.referenced = {{}, model.main, {}};
    model.relaxComputationFloat32toFloat16 = true;
    model.extensionNameToPrefix = {{.name = "com.example.\u00e4", .prefix = 65535}, {}};
    return model;
}

// Shared, because an AidlModel cannot be copied.
struct Case {
    template <class M>
    Case(const char* caseName, M held)
        : name(caseName), model(std::make_shared<const AnyModel>(std::move(held))) {}

    const char* name;
    std::shared_ptr<const AnyModel> model;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

std::vector<Case> canonicalCases() {
    const std::string_view two("ab\0\0cd", 6);
    const std::string aligned = "ab" + std::string(62, '\0') + "cd";
    std::string dirty = aligned;
    dirty[10] = 'x';
    const SharedMemory shared = ashmemOf(aligned);
    return {
            {"Empty", Model{}},
            {"EveryField", everyField()},
            {"CopiesInOrder",
             copies({1, 0, 0, 0, 2, 3, 4, 5}, {{.length = 1}, {.offset = 4, .length = 4}})},
            {"CopiesWithGap",
             copies({1, 2, 3, 4, 5, 6}, {{.length = 2}, {.offset = 4, .length = 2}})},
            {"CopiesWithDirtyPadding",
             copies({1, 9, 9, 9, 2, 3, 4, 5}, {{.length = 1}, {.offset = 4, .length = 4}})},
            {"CopiesOverlapping", copies({1, 2, 3, 4}, {{.length = 4}, {.length = 4}})},
            {"CopiesOutOfOrder", copies({1, 2, 3, 4}, {{.offset = 2, .length = 2}, {.length = 2}})},
            {"CopiesBehindTheEnd",
             copies({1, 2}, {{.offset = 4294967295u, .length = 4294967295u}})},
            {"CopyOfNothing", copies({}, {{}})},
            {"CopiesFollowedByMore", copies({1, 2, 3}, {{.length = 2}})},
            {"ReferencesInOrder",
             references({ashmemOf(aligned)}, {{.length = 2}, {.offset = 64, .length = 2}})},
            {"ReferencesBehindOtherPool",
             references(
                     {ashmemOf("x"), ashmemOf(aligned)},
                     {{.poolIndex = 1, .length = 2}, {.poolIndex = 1, .offset = 64, .length = 2}})},
            {"ReferencesWithDirtyPadding",
             references({ashmemOf(dirty)}, {{.length = 2}, {.offset = 64, .length = 2}})},
            {"ReferencesPacked",
             references({ashmemOf(two)}, {{.length = 2}, {.offset = 4, .length = 2}})},
            {"ReferencesOverlapping", references({ashmemOf(two)}, {{.length = 6}, {.length = 6}})},
            {"ReferenceOfNothing", references({ashmemOf(two)}, {{.length = 6}, {.offset = 64}})},
            {"ReferencesWithoutPool", references({}, {{.length = 2}})},
            {"SamePoolTwice",
             references({shared, shared}, {{.length = 2}, {.poolIndex = 1, .length = 2}})},
            {"PoolOfFile", references({fileOf("weights", 4096, PROT_READ)}, {{.length = 7}})},
            {"PoolOfUnreadableFile",
             references({fileOf("weights", 0, PROT_NONE)}, {{.length = 7}})},
            {"PoolKinds",
             references({nullptr, memoryOf(Memory::Ashmem{.size = 99}),
                         memoryOf(Memory::Fd{.size = 98, .prot = kReadWrite, .offset = 4096}),
                         memoryOf(Memory::HardwareBuffer{.size = 97}),
                         memoryOf(Memory::HardwareBuffer{.size = 0, .isBlob = false}),
                         memoryOf(Memory::HardwareBuffer{.size = 0,
                                                         .isBlob = false,
                                                         .description = {.width = 1,
                                                                         .height = 2,
                                                                         .layers = 3,
                                                                         .format = -4,
                                                                         .usage = -5,
                                                                         .stride = 6}}),
                         memoryOf(Memory::Unknown{.size = 96, .name = "ion"})},
                        {})},
    };
}

V1_0::Operand operand10(V1_0::OperandLifeTime lifetime) {
    return {.type = V1_0::OperandType::TENSOR_QUANT8_ASYMM,
            .dimensions = {1, 2},
            .numberOfConsumers = 3,
            .scale = 0.25f,
            .zeroPoint = -1,
            .lifetime = lifetime,
            .location = {.poolIndex = 4, .offset = 5, .length = 6}};
}

std::vector<hidl::hidl_memory> hidlPools() {
    return {hidlOf("ashmem", ashmemOf("bytes")),
            hidlOf("mmap_fd", fileOf("file", 4096, PROT_READ), {PROT_READ, 4096, 0}),
            {"hardware_buffer_blob", {}, 12},
            {"", {}, 0},
            {"ashmem", {}, 5}};
}

template <class M>
M flat() {
    M model{};
    model.inputIndexes = {0};
    model.outputIndexes = {1, 1};
    model.operandValues = {0, 255};
    model.pools = hidlPools();
    if constexpr (requires { model.relaxComputationFloat32toFloat16; })
        model.relaxComputationFloat32toFloat16 = true;
    return model;
}

V1_0::Model model10() {
    auto model = flat<V1_0::Model>();
    model.operands = {operand10(V1_0::OperandLifeTime::MODEL_INPUT), {}};
    model.operations = {{.type = V1_0::OperationType::TANH, .inputs = {0}, .outputs = {1}}, {}};
    return model;
}

V1_1::Model model11() {
    auto model = flat<V1_1::Model>();
    model.operands = {operand10(V1_0::OperandLifeTime::CONSTANT_REFERENCE)};
    model.operations = {{.type = V1_1::OperationType::TRANSPOSE, .inputs = {0}, .outputs = {1}}};
    return model;
}

template <class O>
std::vector<O> operandsWithExtraParams() {
    std::vector<O> operands(4);
    operands[0].type = static_cast<decltype(operands[0].type)>(0x00010002);
    operands[1].extraParams.channelQuant({.scales = {1.5f}, .channelDim = 2});
    operands[2].extraParams.extension({1, 2});
    operands[3].extraParams.channelQuant({});
    return operands;
}

V1_2::Model model12() {
    auto model = flat<V1_2::Model>();
    model.operands = operandsWithExtraParams<V1_2::Operand>();
    model.operations = {{.type = V1_2::OperationType::SLICE, .inputs = {0}, .outputs = {1}}};
    model.extensionNameToPrefix = {{.name = "com.example", .prefix = 1}};
    return model;
}

V1_3::Model model13() {
    V1_3::Model model{};
    model.main.operands = operandsWithExtraParams<V1_3::Operand>();
    model.main.operations = {{.type = V1_3::OperationType::WHILE, .inputs = {0}, .outputs = {1}}};
    model.main.inputIndexes = {0, 4294967295u};
    model.main.outputIndexes = {1};
    model.referenced = {model.main, {}};
    model.operandValues = {0, 255};
    model.pools = hidlPools();
    model.relaxComputationFloat32toFloat16 = true;
    model.extensionNameToPrefix = {{.name = "com.example", .prefix = 1}};
    return model;
}

// With numbers that only a malicious client sends.
aidl_hal::Model modelOfAidl() {
    using Params = aidl_hal::OperandExtraParams;
    using Tag = aidl_hal::Memory::Tag;
    const auto fdOf = [](const SharedMemory& memory) {
        return std::visit(
                [](const auto& kind) {
                    if constexpr (requires { kind.fd; })
                        return ndk::ScopedFileDescriptor(duplicate(kind.fd.get()).release());
                    return ndk::ScopedFileDescriptor();
                },
                memory->handle);
    };
    aidl_hal::Model model;
    model.main.operands.resize(4);
    model.main.operands[0] = {
            .type = static_cast<aidl_hal::OperandType>(0x00010002),
            .dimensions = {1, -2},
            .scale = 0.5f,
            .zeroPoint = -3,
            .lifetime = aidl_hal::OperandLifeTime::CONSTANT_POOL,
            .location = {.poolIndex = -1, .offset = -2, .length = 1ll << 40, .padding = 3}};
    model.main.operands[1].extraParams = Params::make<Params::Tag::channelQuant>(
            aidl_hal::SymmPerChannelQuantParams{.scales = {1.5f}, .channelDim = -2});
    model.main.operands[2].extraParams =
            Params::make<Params::Tag::extension>(std::vector<uint8_t>{1, 2});
    model.main.operands[3].extraParams.emplace();
    model.main.operations = {
            {.type = aidl_hal::OperationType::MIRROR_PAD, .inputs = {0, -1}, .outputs = {1}}};
    model.main.inputIndexes = {0, INT32_MIN};
    model.main.outputIndexes = {1};
    model.referenced = {model.main, {}};
    model.operandValues = {0, 255};
    model.relaxComputationFloat32toFloat16 = true;
    model.extensionNameToPrefix = {{.name = "com.example", .prefix = 65535}};
    model.pools.resize(5);
    model.pools[0].get<Tag::ashmem>() = {.fd = fdOf(ashmemOf("bytes")), .size = 5};
    model.pools[1].set<Tag::mappableFile>();
    model.pools[1].get<Tag::mappableFile>() = {.length = 4,
                                               .prot = PROT_READ,
                                               .fd = fdOf(fileOf("file", 4096, PROT_READ)),
                                               .offset = 4096};
    model.pools[2].set<Tag::hardwareBuffer>();
    model.pools[2].get<Tag::hardwareBuffer>().description = {
            .width = 1, .height = -2, .layers = 3, .format = {}, .usage = {}, .stride = 6};
    model.pools[3].get<Tag::ashmem>().size = -7;
    model.pools[4].set<Tag::mappableFile>();
    model.pools[4].get<Tag::mappableFile>() = {.length = -1, .prot = -2, .fd = {}, .offset = -3};
    return model;
}

std::vector<Case> cases() {
    auto all = canonicalCases();
    all.push_back({"V1_0", model10()});
    all.push_back({"V1_1", model11()});
    all.push_back({"V1_2", model12()});
    all.push_back({"V1_3", model13()});
    all.push_back({"AIDL1", AidlModel{.version = HalVersion::AIDL1, .model = {}}});
    all.push_back({"AIDL3", AidlModel{.version = HalVersion::AIDL3, .model = modelOfAidl()}});
    all.push_back({"V1_0Empty", V1_0::Model{}});
    all.push_back({"V1_1Empty", V1_1::Model{}});
    all.push_back({"V1_2Empty", V1_2::Model{}});
    all.push_back({"V1_3Empty", V1_3::Model{}});
    return all;
}

class RoundTrip : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Models, RoundTrip, testing::ValuesIn(cases()),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(RoundTrip, InMemory) {
    for (const Format format : {Format::BINARY, Format::TEXT, Format::JSON}) {
        SCOPED_TRACE(static_cast<int>(format));
        const auto bytes = serializeModel(*GetParam().model, format);
        ASSERT_TRUE(bytes.ok()) << bytes.status();
        const auto read = parseModel(*bytes, format);
        ASSERT_TRUE(read.ok()) << read.status() << "\n" << *bytes;
        expectEqual(*GetParam().model, *read);
        EXPECT_EQ(serializeModel(*read, format).value(), *bytes);
    }
}

TEST_P(RoundTrip, InFiles) {
    const TemporaryFolder folder;
    for (const char* name : {"m.pb", "m.textproto", "m.json"}) {
        SCOPED_TRACE(name);
        const Status written = writeModel(folder / name, *GetParam().model);
        ASSERT_TRUE(written.ok()) << written;
        const auto read = readModel(folder / name);
        ASSERT_TRUE(read.ok()) << read.status();
        expectEqual(*GetParam().model, *read);
    }
    EXPECT_THAT(folder.files(), testing::ElementsAre("m.json", "m.pb", "m.textproto"));
}

TEST(RoundTripOf, NanScale) {
    Model model{.main = {.operands = {{.scale = std::numeric_limits<float>::quiet_NaN()}}}};
    for (const Format format : {Format::BINARY, Format::TEXT, Format::JSON}) {
        const auto read = parseModel(serializeModel(model, format).value(), format);
        ASSERT_TRUE(read.ok()) << read.status();
        EXPECT_TRUE(std::isnan(std::get<Model>(*read).main.operands[0].scale));
    }
}

TEST(RoundTripOf, BareCanonicalJson) {
    const auto read = parseModel(R"({"relaxComputationFloat32toFloat16": true})", Format::JSON);
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(std::get<Model>(*read), (Model{.relaxComputationFloat32toFloat16 = true}));
}

TEST(RoundTripOf, CanonicalJsonIsTheVectorsModel) {
    const Model model = copies({1, 2, 3, 4}, {{.length = 4}});
    EXPECT_EQ(serializeModel(model, Format::JSON).value(), R"({
 "canonical": {
  "main": {
   "operands": [
    {
     "type": "TENSOR_QUANT8_ASYMM",
     "dimensions": [
      4
     ],
     "scale": 0.1,
     "zeroPoint": 128,
     "lifetime": "CONSTANT_COPY",
     "value": "AQIDBA=="
    }
   ]
  }
 }
}
)");
}

TestCase testCase(std::string name) {
    return {
            .name = std::move(name),
            .spec = "V1_0/add",
            .minSupportedVersion = kVersionFeatureLevel7,
            .expectFailure = true,
            .expectedMultinomialDistributionTolerance = 0.05f,
            .model = everyField(),
            .inputs = {{.dimensions = {1, 2}, .data = {1, 2}}, {.hasNoValue = true}},
            .outputs = {{.value = {.dimensions = {0}}}, {.value = {.data = {3}}, .ignored = true}},
    };
}

TEST(RoundTripOf, TestCases) {
    const TemporaryFolder folder;
    std::vector<TestCase> written = {testCase("a"), {}, testCase("b")};
    for (const char* name : {"cases.jsonl", "cases.jsonl.gz"}) {
        SCOPED_TRACE(name);
        ASSERT_EQ(writeTestCases(folder / name, written), Status());
        auto reader = TestCaseReader::open(folder / name);
        ASSERT_TRUE(reader.ok()) << reader.status();
        for (const TestCase& expected : written) {
            const auto next = reader->next();
            ASSERT_TRUE(next.has_value());
            ASSERT_TRUE(next->ok()) << next->status();
            EXPECT_EQ(**next, expected);
        }
        EXPECT_FALSE(reader->next().has_value());
    }
    EXPECT_THAT(folder.files(), testing::ElementsAre("cases.jsonl", "cases.jsonl.gz"));
}

}  // namespace
}  // namespace nn::round_trip_test
