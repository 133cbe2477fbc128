// AIDL: features of each version, errors for malicious objects, and lossless round trips.
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "convert_test.h"
#include "nnapi/hal/aidl/clone.h"

namespace nn::aidl_test {
namespace {

using ::ndk::ScopedFileDescriptor;
using testing::ElementsAre;
using testing::IsEmpty;
using enum HalVersion;

ScopedFileDescriptor openFd() { return ScopedFileDescriptor(memfd_create("test", MFD_CLOEXEC)); }
ScopedFileDescriptor closedFd() { return ScopedFileDescriptor(INT32_MAX); }

// Equal, with descriptors of the same files: generated code compares descriptor numbers.
MATCHER_P(HasTheFilesOf, hal, "") {
    return nn::unvalidatedConvert(arg).value() == nn::unvalidatedConvert(*hal).value();
}

std::string messageOf(const Status& status) {
    return status.ok() ? "converts" : std::string(status.message());
}

// An operand with an arbitrary modification.
aidl_hal::Operand operand(const std::function<void(aidl_hal::Operand&)>& change) {
    aidl_hal::Operand operand{.type = aidl_hal::OperandType::TENSOR_FLOAT32, .dimensions = {2}};
    change(operand);
    return operand;
}

aidl_hal::Memory file(int64_t length, int64_t offset, ScopedFileDescriptor fd = openFd()) {
    return aidl_hal::Memory::make<aidl_hal::Memory::Tag::mappableFile>(
            ::aidl::android::hardware::common::MappableFile{
                    .length = length, .prot = PROT_READ, .fd = std::move(fd), .offset = offset});
}

using HalBuffer = ::aidl::android::hardware::graphics::common::HardwareBuffer;
using HalDescription = ::aidl::android::hardware::graphics::common::HardwareBufferDescription;
using ::aidl::android::hardware::graphics::common::BufferUsage;
using ::aidl::android::hardware::graphics::common::PixelFormat;

aidl_hal::Memory hardwareBuffer(HalDescription description, ScopedFileDescriptor fd = openFd()) {
    aidl_hal::Memory memory;
    memory.set<aidl_hal::Memory::Tag::hardwareBuffer>();
    auto& buffer = memory.get<aidl_hal::Memory::Tag::hardwareBuffer>();
    buffer.description = description;
    buffer.handle.fds.push_back(std::move(fd));
    buffer.handle.ints = {7};
    return memory;
}

// ---------------------------------------------------------------------------------------------
// Versions

// out = MIRROR_PAD(in) by one on each side: valid since AIDL 3.
Model mirrorPadModel() {
    using enum Operand::LifeTime;
    Model model{.main = {.operands = {tensor(SUBGRAPH_INPUT),
                                      {.type = OperandType::TENSOR_INT32,
                                       .dimensions = {2, 2},
                                       .lifetime = CONSTANT_COPY,
                                       .location = {.length = 16}},
                                      {.type = OperandType::INT32,
                                       .lifetime = CONSTANT_COPY,
                                       .location = {.offset = 16, .length = 4}},
                                      tensor(SUBGRAPH_OUTPUT)},
                         .operations = {{.type = OperationType::MIRROR_PAD,
                                         .inputs = {0, 1, 2},
                                         .outputs = {3}}},
                         .inputIndexes = {0},
                         .outputIndexes = {3}},
                .operandValues = Model::OperandValues(std::vector<uint8_t>(20, 0))};
    return model;
}

TEST(Aidl, AModelThatIsTooNewIsToldSinceWhen) {
    const Model model = mirrorPadModel();
    ASSERT_TRUE(validate(model).ok()) << validate(model).status();
    EXPECT_THAT(AIDL2::utils::convert(model),
                IsInvalid("main.operations[0] MIRROR_PAD: MIRROR_PAD needs feature level 7 (AIDL "
                          "3), target is feature level 6 (AIDL 2) [since]"));
    for (const HalVersion version : {AIDL3, AIDL4}) {
        const auto hal = convertTo(version, model);
        ASSERT_TRUE(hal.ok()) << hal.status();
        EXPECT_EQ(convertFrom(*hal).value(), model);
    }
    const aidl_hal::Model hal = AIDL3::utils::convert(model).value();
    EXPECT_TRUE(AIDL3::utils::valid(hal));
    EXPECT_FALSE(AIDL2::utils::valid(hal));
    EXPECT_TRUE(nn::convert(hal).ok());
}

TEST(Aidl, AModelKeepsItsVersion) {
    HalModel hal = convertTo(AIDL3, mirrorPadModel()).value();
    EXPECT_EQ(versionOf(hal), AIDL3);
    std::get<AidlModel>(hal).version = AIDL2;
    EXPECT_FALSE(convertFrom(hal).ok());
    EXPECT_TRUE(unvalidatedConvertFrom(hal).ok());
    for (const HalVersion wrong : {V1_3, HalVersion(kHalVersions.size())}) {
        std::get<AidlModel>(hal).version = wrong;
        const auto refused =
                IsInvalid(fmt::format("the version of the model is {}, allowed AIDL 1 to "
                                      "AIDL 4 [convert.version]",
                                      titleOf(wrong)));
        EXPECT_THAT(convertFrom(hal), refused);
        EXPECT_THAT(checkFrom(hal), refused);
        EXPECT_THAT(unvalidatedConvertFrom(hal), refused);
        EXPECT_THAT(unvalidatedConvertFrom(HalModel(clone(std::get<AidlModel>(hal)).value())),
                    refused);
    }
}

TEST(Aidl, HintsAreLostBeforeVersion4) {
    const ExecutionConfig config{
            .measureTiming = MeasureTiming::YES,
            .loopTimeoutDuration = std::chrono::seconds(1),
            .executionHints = {{.token = 0x10001, .value = {1, 2}}},
            .extensionNameToPrefix = {{.name = "com.example.test", .prefix = 1}}};
    Losses losses;
    const auto older = AIDL3::utils::convert(config, &losses);
    ASSERT_TRUE(older.ok()) << older.status();
    EXPECT_TRUE(older->measureTiming);
    EXPECT_EQ(older->loopTimeoutDurationNs, 1000000000);
    EXPECT_THAT(losses, ElementsAre(Loss{.path = "executionHints",
                                         .before = "[{token = 65537, value = [1, 2]}]",
                                         .after = "[]",
                                         .why = "AIDL 3 has no hints"},
                                    Loss{.path = "extensionNameToPrefix",
                                         .before = "[{name = \"com.example.test\", prefix = 1}]",
                                         .after = "[]",
                                         .why = "AIDL 3 has no hints"}));
    EXPECT_THAT(lossesOf<AIDL4>(config), IsEmpty());

    const PrepareModelConfig preparing{
            .preference = ExecutionPreference::SUSTAINED_SPEED,
            .priority = Priority::HIGH,
            .deadline = TimePoint(std::chrono::seconds(5)),
            .modelCache = {std::make_shared<const Handle>(openFd().release())},
            .dataCache = {std::make_shared<const Handle>(openFd().release())},
            .cacheToken = {1, 2},
            .compilationHints = config.executionHints,
            .extensionNameToPrefix = config.extensionNameToPrefix};
    EXPECT_EQ(lossesOf<AIDL1>(preparing).size(), 2u);
    EXPECT_THAT(lossesOf<AIDL4>(preparing), IsEmpty());
    EXPECT_EQ(nn::convert(AIDL4::utils::convert(preparing).value()).value(), preparing);
    static_assert(!ConvertsTo<TokenValuePair, AIDL3>);
}

// ---------------------------------------------------------------------------------------------
// Nothing gets lost

TEST(Aidl, PaddingTravelsBothWays) {
    const DataLocation location{.poolIndex = 1, .offset = 2, .length = 3, .padding = 61};
    const auto hal = AIDL1::utils::unvalidatedConvert(location).value();
    EXPECT_EQ(hal.padding, 61);
    EXPECT_EQ(nn::unvalidatedConvert(hal).value(), location);
    const Request::Argument argument{.location = location, .dimensions = {3}};
    EXPECT_THAT(lossesOf<AIDL1>(argument), IsEmpty());
}

TEST(Aidl, HardwareBuffersKeepTheirDescription) {
    constexpr int32_t kBlob = Memory::HardwareBuffer::Description::kBlob;
    const struct {
        HalDescription hal;
        size_t size;
        bool isBlob;
        bool isDescribed;
    } kRows[] = {
            {{.width = 64, .height = 1, .layers = 1, .format = PixelFormat::BLOB, .stride = 64},
             64,
             true,
             true},
            {{.width = 4,
              .height = 3,
              .layers = 2,
              .format = PixelFormat{1},
              .usage = BufferUsage{9}},
             0,
             false,
             true},
            // As they come from HIDL, which does not describe them.
            {{.width = 64, .format = PixelFormat::BLOB}, 64, true, false},
            {{}, 0, false, false},
    };
    static_assert(kBlob == static_cast<int32_t>(PixelFormat::BLOB));
    for (const auto& row : kRows) {
        const aidl_hal::Memory hal = hardwareBuffer(row.hal);
        const auto memory = nn::convert(hal);
        ASSERT_TRUE(memory.ok()) << memory.status();
        const auto& buffer = std::get<Memory::HardwareBuffer>((*memory)->handle);
        EXPECT_EQ(buffer.size, row.size);
        EXPECT_EQ(buffer.isBlob, row.isBlob);
        EXPECT_EQ(buffer.description != Memory::HardwareBuffer::Description{}, row.isDescribed);
        EXPECT_THAT(AIDL1::utils::convert(*memory).value(), HasTheFilesOf(&hal));

        const Losses losses = lossesOf<V1_3>(*memory);
        if (row.isDescribed) {
            ASSERT_EQ(losses.size(), 1u);
            EXPECT_EQ(losses[0].path, "description");
            EXPECT_EQ(losses[0].before, print(buffer.description));
            EXPECT_EQ(losses[0].after, "{}");
            EXPECT_EQ(losses[0].why, "HAL 1.3 has no description of hardware buffers");
        } else {
            EXPECT_THAT(losses, IsEmpty());
        }
    }
}

// A description that equals that of a buffer without one.
TEST(Aidl, ReportsLossOfEmptyDescription) {
    const SharedMemory memory =
            share(Memory::HardwareBuffer{.size = 8, .description = {.width = 8, .format = 0x21}});
    EXPECT_THAT(lossesOf<AIDL1>(memory),
                ElementsAre(Loss{.path = "description",
                                 .before = "{width = 8, format = 33}",
                                 .after = "{}",
                                 .why = "AIDL 1 has it for a buffer without one"}));
}

TEST(Aidl, TimesKeepTheirNanosecondsAndTheirClock) {
    const Timing timing{.timeOnDevice = Duration(3), .timeInDriver = std::nullopt};
    const auto hal = AIDL1::utils::unvalidatedConvert(timing).value();
    EXPECT_EQ(hal.timeOnDeviceNs, 3);
    EXPECT_EQ(hal.timeInDriverNs, -1);
    EXPECT_EQ(nn::unvalidatedConvert(hal).value(), timing);
    EXPECT_EQ(AIDL1::utils::convert(OptionalDuration()).value(), -1);
    // The default version is the last one with a type for the canonical one, not the last of all.
    static_assert(conversion::kLastVersionWith<OptionalDuration> == HalVersion::AIDL4);
    static_assert(conversion::kLastVersionWith<DeviceStatus> == HalVersion::V1_3);
    EXPECT_EQ(convertAs<OptionalDuration>(int64_t{7}).value(), Duration(7));
    EXPECT_EQ(convertAs<OptionalTimePoint>(int64_t{7}).value(), TimePoint(Duration(7)));
    EXPECT_EQ(convertAs<OptionalTimePoint>(int64_t{-1}).value(), std::nullopt);
    EXPECT_EQ(convertAs<MeasureTiming>(true).value(), MeasureTiming::YES);
    EXPECT_EQ(convertAs<MeasureTiming>(false).value(), MeasureTiming::NO);
    const CacheToken token{1, 2, 3};
    EXPECT_EQ(convertAs<CacheToken>(AIDL1::utils::convert(token).value()).value(), token);
    const SyncFence fence = SyncFence::create(UniqueFd(openFd().release()));
    EXPECT_EQ(SyncFence(nn::convert(AIDL1::utils::convert(fence).value()).value()), fence);
}

// ---------------------------------------------------------------------------------------------
// Refusals

struct Refusal {
    Status found;
    std::string message;
};

// The end of a message about a number of bytes, which both int64_t and size_t hold.
std::string allowedBytes() {
    return fmt::format(", allowed 0 to {} [convert.range]",
                       std::min<uint64_t>(std::numeric_limits<int64_t>::max(), SIZE_MAX));
}

void expectRefusals(const std::vector<Refusal>& rows) {
    for (const Refusal& row : rows) EXPECT_EQ(messageOf(row.found), row.message);
}

// Both members of each union.
TEST(Aidl, UnionsTravelBothWays) {
    for (const Operand::ExtraParams& params :
         {Operand::ExtraParams(Operand::ExtensionParams{1, 2, 3}),
          Operand::ExtraParams(
                  Operand::SymmPerChannelQuantParams{.scales = {0.5f}, .channelDim = 1}),
          Operand::ExtraParams()}) {
        const auto hal = AIDL1::utils::unvalidatedConvert(params).value();
        EXPECT_EQ(nn::unvalidatedConvert(hal).value(), params);
    }
    const Request::MemoryPool token = MemoryDomainToken{7};
    const auto hal = AIDL1::utils::unvalidatedConvert(token).value();
    EXPECT_EQ(hal.get<aidl_hal::RequestMemoryPool::Tag::token>(), 7);
    EXPECT_EQ(nn::unvalidatedConvert(hal).value(), token);
}

// Results of devices, which are pairs in canonical interfaces.
TEST(Aidl, ResultsOfDevicesConvertBothWays) {
    const NumberOfCacheFiles files(3, 32);
    const auto halFiles = AIDL2::utils::convert(files).value();
    EXPECT_EQ(halFiles, (aidl_hal::NumberOfCacheFiles{3, 32}));
    EXPECT_EQ(nn::convert(halFiles).value(), files);
    EXPECT_FALSE(nn::convert(aidl_hal::NumberOfCacheFiles{33, 0}).ok());
    const Executed executed({{.dimensions = {2, 3}, .isSufficient = true}},
                            {.timeOnDevice = Duration(5), .timeInDriver = Duration(7)});
    const auto hal = AIDL1::utils::convert(executed).value();
    EXPECT_TRUE(hal.outputSufficientSize);
    EXPECT_EQ(hal.timing, (aidl_hal::Timing{5, 7}));
    EXPECT_EQ(nn::convert(hal).value(), executed);
    EXPECT_EQ(nn::convert(AIDL4::utils::convert(Executed()).value()).value(), Executed());
}

// Invalid objects that a peer may send, with a negative value for each kind of number.
TEST(Aidl, HostileObjectsAreToldWhy) {
    using namespace aidl_hal;
    const auto in = [](const auto& object) { return nn::unvalidatedConvert(object).status(); };
    const auto inOperand = [&](const std::function<void(aidl_hal::Operand&)>& change) {
        return in(operand(change));
    };
    aidl_hal::Subgraph graph;
    graph.operands.resize(2);
    graph.operands[1].dimensions = {1, -1};
    aidl_hal::Model model;
    model.referenced.push_back(graph);
    aidl_hal::Request request;
    request.inputs.resize(1);
    request.inputs[0].location.offset = -4;
    aidl_hal::RequestMemoryPool token;
    token.set<RequestMemoryPool::Tag::token>(-1);
    aidl_hal::Capabilities capabilities;
    capabilities.operandPerformance = {{.type = aidl_hal::OperandType::INT32},
                                       {.type = aidl_hal::OperandType::FLOAT32}};
    aidl_hal::Capabilities unknown;
    unknown.operandPerformance = {{.type = static_cast<aidl_hal::OperandType>(77)}};
    aidl_hal::ExecutionConfig config;
    config.executionHints = {{.token = -5}};
    expectRefusals({
            {inOperand([](aidl_hal::Operand& o) { o.type = aidl_hal::OperandType(-1); }),
             "type: OperandType(0xffffffff) does not exist in AIDL 4 [convert.enumerator]"},
            {inOperand([](aidl_hal::Operand& o) { o.type = aidl_hal::OperandType(10000); }),
             "type: OEM does not exist in AIDL 4 [convert.enumerator]"},
            {in(aidl_hal::OperandType(10001)),
             "TENSOR_OEM_BYTE does not exist in AIDL 4 [convert.enumerator]"},
            {in(aidl_hal::OperationType(10000)),
             "OEM_OPERATION does not exist in AIDL 4 [convert.enumerator]"},
            {inOperand([](aidl_hal::Operand& o) {
                 o.dimensions = {3, -7};
             }),
             "dimensions[1]: value is -7, allowed 0 to 2147483647 [convert.range]"},
            {inOperand([](aidl_hal::Operand& o) { o.lifetime = OperandLifeTime(7); }),
             "lifetime: POINTER does not exist in AIDL 4 [convert.enumerator]"},
            {inOperand([](aidl_hal::Operand& o) { o.lifetime = OperandLifeTime(-1); }),
             "lifetime: Operand::LifeTime(0xffffffff) does not exist in AIDL 4 "
             "[convert.enumerator]"},
            {inOperand([](aidl_hal::Operand& o) { o.location.poolIndex = -1; }),
             "location: poolIndex is -1, allowed 0 to 2147483647 [convert.range]"},
            {inOperand([](aidl_hal::Operand& o) { o.location.offset = -1; }),
             "location: offset is -1, allowed 0 to 4294967295 [convert.range]"},
            {inOperand([](aidl_hal::Operand& o) { o.location.length = 1ll << 32; }),
             "location: length is 4294967296, allowed 0 to 4294967295 [convert.range]"},
            {inOperand([](aidl_hal::Operand& o) { o.location.padding = INT64_MIN; }),
             "location: padding is -9223372036854775808, allowed 0 to 4294967295 [convert.range]"},
            {inOperand([](aidl_hal::Operand& o) {
                 using Tag = OperandExtraParams::Tag;
                 o.extraParams.emplace().set<Tag::channelQuant>();
                 o.extraParams->get<Tag::channelQuant>().channelDim = -1;
             }),
             "extraParams: channelDim is -1, allowed 0 to 2147483647 [convert.range]"},
            {in(aidl_hal::Operation{.type = aidl_hal::OperationType(-2)}),
             "type: OperationType(0xfffffffe) does not exist in AIDL 4 [convert.enumerator]"},
            {in(aidl_hal::Operation{.inputs = {0, -1}}),
             "inputs[1]: value is -1, allowed 0 to 2147483647 [convert.range]"},
            {in(aidl_hal::Operation{.outputs = {-1}}),
             "outputs[0]: value is -1, allowed 0 to 2147483647 [convert.range]"},
            {in(aidl_hal::Subgraph{.inputIndexes = {-1}}),
             "inputIndexes[0]: value is -1, allowed 0 to 2147483647 [convert.range]"},
            {in(aidl_hal::Subgraph{.outputIndexes = {0, INT32_MIN}}),
             "outputIndexes[1]: value is -2147483648, allowed 0 to 2147483647 [convert.range]"},
            {in(model),
             "referenced[0].operands[1].dimensions[1]: value is -1, allowed 0 to 2147483647 "
             "[convert.range]"},
            {in(request),
             "inputs[0].location: offset is -4, allowed 0 to 4294967295 [convert.range]"},
            {in(aidl_hal::RequestArgument{.dimensions = {-1}}),
             "dimensions[0]: value is -1, allowed 0 to 2147483647 [convert.range]"},
            {in(token), "token is -1, allowed 0 to 2147483647 [convert.range]"},
            {in(aidl_hal::OutputShape{.dimensions = {-1}}),
             "dimensions[0]: value is -1, allowed 0 to 2147483647 [convert.range]"},
            {in(aidl_hal::BufferDesc{.dimensions = {-1}}),
             "dimensions[0]: value is -1, allowed 0 to 2147483647 [convert.range]"},
            {in(aidl_hal::BufferRole{.modelIndex = -1}),
             "modelIndex is -1, allowed 0 to 2147483647 [convert.range]"},
            {in(aidl_hal::BufferRole{.ioIndex = -1}),
             "ioIndex is -1, allowed 0 to 2147483647 [convert.range]"},
            {in(ExtensionOperandTypeInformation{.byteSize = -1}),
             "byteSize is -1, allowed 0 to 2147483647 [convert.range]"},
            {in(aidl_hal::ExtensionNameAndPrefix{.prefix = 0x8000}),
             "prefix is 32768, allowed 0 to 32767 [convert.range]"},
            {in(aidl_hal::TokenValuePair{.token = -1}),
             "token is -1, allowed 0 to 2147483647 [convert.range]"},
            {in(aidl_hal::NumberOfCacheFiles{.numModelCache = -1}),
             "numModelCache is -1, allowed 0 to 2147483647 [convert.range]"},
            {in(aidl_hal::NumberOfCacheFiles{.numDataCache = INT32_MIN}),
             "numDataCache is -2147483648, allowed 0 to 2147483647 [convert.range]"},
            {in(aidl_hal::ExecutionResult{}),
             "outputs are too small, which is not how an execution succeeds "
             "[convert.execution_result]"},
            {in(aidl_hal::ExecutionResult{.outputSufficientSize = true,
                                          .outputShapes = {{}, {.dimensions = {-1}}}}),
             "outputShapes[1].dimensions[0]: value is -1, allowed 0 to 2147483647 [convert.range]"},
            {in(aidl_hal::ExecutionResult{.outputSufficientSize = true,
                                          .timing = {.timeInDriverNs = -2}}),
             "timing.timeInDriverNs: time is -2 ns, allowed 0 or more, or -1 for none "
             "[convert.range]"},
            {in(config), "executionHints[0]: token is -5, allowed 0 to 2147483647 [convert.range]"},
            {in(aidl_hal::PrepareModelConfig{.deadlineNs = -2}),
             "deadlineNs: time is -2 ns, allowed 0 or more, or -1 for none [convert.range]"},
            {in(aidl_hal::ExecutionConfig{.loopTimeoutDurationNs = INT64_MIN}),
             "loopTimeoutDurationNs: time is -9223372036854775808 ns, allowed 0 or more, or -1 for "
             "none [convert.range]"},
            {in(aidl_hal::Timing{.timeOnDeviceNs = -2, .timeInDriverNs = -3}),
             "timeInDriverNs: time is -3 ns, allowed 0 or more, or -1 for none [convert.range]"},
            {in(aidl_hal::Timing{.timeOnDeviceNs = -2}),
             "timeOnDeviceNs: time is -2 ns, allowed 0 or more, or -1 for none [convert.range]"},
            {unvalidatedConvertAs<CacheToken>(std::vector<uint8_t>(31)).status(),
             "the cache token has 31 bytes, allowed 32 [convert.cache_token]"},
            {in(aidl_hal::ErrorStatus(9)),
             "ErrorStatus(9) does not exist in AIDL 4 [convert.enumerator]"},
            {in(aidl_hal::DeviceType(0)), "UNKNOWN does not exist in AIDL 4 [convert.enumerator]"},
            {in(capabilities),
             "operandPerformance[1]: FLOAT32 comes after INT32, allowed ascending types, each once "
             "[convert.performance_order]"},
            {in(unknown),
             "operandPerformance[0].type: OperandType(77) does not exist in AIDL 4 "
             "[convert.enumerator]"},
            {in(ScopedFileDescriptor()),
             "file descriptor -1 cannot be duplicated [convert.handle]"},
            {in(closedFd()), "file descriptor 2147483647 cannot be duplicated [convert.handle]"},
            {in(file(-1, 0)), "length is -1" + allowedBytes()},
            {in(file(1, -1)), "offset is -1" + allowedBytes()},
            {in(file(1, 0, closedFd())),
             "file descriptor 2147483647 cannot be duplicated [convert.handle]"},
            {in(aidl_hal::Memory::make<aidl_hal::Memory::Tag::ashmem>()),
             "file descriptor -1 cannot be duplicated [convert.handle]"},
            {in(hardwareBuffer({}, closedFd())),
             "file descriptor 2147483647 cannot be duplicated [convert.handle]"},
            {in(hardwareBuffer({.width = -1})),
             "width is -1, allowed 0 to 2147483647 [convert.range]"},
            {in(hardwareBuffer({.height = -1})),
             "height is -1, allowed 0 to 2147483647 [convert.range]"},
            {in(hardwareBuffer({.layers = -1})),
             "layers is -1, allowed 0 to 2147483647 [convert.range]"},
            {in(hardwareBuffer({.stride = -1})),
             "stride is -1, allowed 0 to 2147483647 [convert.range]"},
    });
    aidl_hal::Memory ashmem;
    ashmem.get<aidl_hal::Memory::Tag::ashmem>() = {.fd = openFd(), .size = -1};
    EXPECT_EQ(messageOf(in(ashmem)), "size is -1" + allowedBytes());
}

// The peer sets the tag of a union; here only overwriting its bytes can make it invalid.
template <class Union, class Largest, class Check>
void withWrongTag(Check&& check) {
    Union held;
    auto* tag = reinterpret_cast<unsigned char*>(&held) + sizeof(Largest);
    ASSERT_EQ(*tag, 0);
    *tag = 9;
    check(held);
    *tag = 0;
}

TEST(Aidl, UnionsThatHoldNoneOfTheirMembersAreRefused) {
    constexpr const char* kMessage = "union holds none of its members [convert.union]";
    withWrongTag<aidl_hal::Memory, HalBuffer>([&](const aidl_hal::Memory& held) {
        EXPECT_EQ(messageOf(nn::unvalidatedConvert(held).status()), kMessage);
        EXPECT_TRUE(clone(held).ok());
    });
    withWrongTag<aidl_hal::RequestMemoryPool, aidl_hal::Memory>(
            [&](const aidl_hal::RequestMemoryPool& held) {
                EXPECT_EQ(messageOf(nn::unvalidatedConvert(held).status()), kMessage);
            });
    // Copying such a union would not preserve it, so the optional is constructed in place.
    std::optional<aidl_hal::OperandExtraParams> params(std::in_place);
    auto* tag = reinterpret_cast<unsigned char*>(&*params) +
                sizeof(aidl_hal::SymmPerChannelQuantParams);
    ASSERT_EQ(*tag, 0);
    *tag = 9;
    EXPECT_EQ(messageOf(nn::unvalidatedConvert(params).status()), kMessage);
    *tag = 0;
}

TEST(Aidl, WhatNoVersionCarriesIsToldWhy) {
    constexpr uint32_t kLarge = 1u << 31;
    const auto out = [](const auto& object) {
        Losses losses;
        const Status status = AIDL1::utils::unvalidatedConvert(object, &losses).status();
        EXPECT_THAT(losses, IsEmpty());
        // The same outside of a list.
        EXPECT_EQ(AIDL1::utils::unvalidatedConvert(object).status(), status);
        return status;
    };
    const auto outOperand = [&](const std::function<void(Operand&)>& change) {
        Operand object = tensor(Operand::LifeTime::TEMPORARY_VARIABLE);
        change(object);
        return out(object);
    };
    using Hardware = Memory::HardwareBuffer;
    Capabilities capabilities;
    capabilities.operandPerformance.update(OperandType::OEM, {});
    expectRefusals({
            {out(OperandType::OEM), "OEM does not exist in AIDL 1 [convert.enumerator]"},
            {out(OperandType::TENSOR_OEM_BYTE),
             "TENSOR_OEM_BYTE does not exist in AIDL 1 [convert.enumerator]"},
            {out(OperationType::OEM_OPERATION),
             "OEM_OPERATION does not exist in AIDL 1 [convert.enumerator]"},
            {out(capabilities),
             "operandPerformance[0].type: OEM does not exist in AIDL 1 [convert.enumerator]"},
            {outOperand([](Operand& o) { o.type = static_cast<OperandType>(0x80010000); }),
             "type: OperandType(0x80010000) does not exist in AIDL 1 [convert.enumerator]"},
            {outOperand([](Operand& o) { o.dimensions = {kLarge}; }),
             "dimensions[0]: value is 2147483648, allowed 0 to 2147483647 [convert.range]"},
            {outOperand([](Operand& o) { o.lifetime = Operand::LifeTime::POINTER; }),
             "the value lies in caller-owned memory, call flushDataFromPointerToShared before "
             "converting [convert.pointer]"},
            {outOperand([](Operand& o) { o.location.poolIndex = kLarge; }),
             "location: poolIndex is 2147483648, allowed 0 to 2147483647 [convert.range]"},
            {outOperand([](Operand& o) {
                 o.extraParams = Operand::SymmPerChannelQuantParams{.channelDim = kLarge};
             }),
             "extraParams: channelDim is 2147483648, allowed 0 to 2147483647 [convert.range]"},
            {out(Operation{.inputs = {kLarge}}),
             "inputs[0]: value is 2147483648, allowed 0 to 2147483647 [convert.range]"},
            {out(Operation{.outputs = {1, kLarge}}),
             "outputs[1]: value is 2147483648, allowed 0 to 2147483647 [convert.range]"},
            {out(Model::Subgraph{.inputIndexes = {kLarge}}),
             "inputIndexes[0]: value is 2147483648, allowed 0 to 2147483647 [convert.range]"},
            {out(BufferRole{.modelIndex = kLarge}),
             "modelIndex is 2147483648, allowed 0 to 2147483647 [convert.range]"},
            {out(BufferRole{.ioIndex = kLarge}),
             "ioIndex is 2147483648, allowed 0 to 2147483647 [convert.range]"},
            {out(Extension::OperandTypeInformation{.byteSize = kLarge}),
             "byteSize is 2147483648, allowed 0 to 2147483647 [convert.range]"},
            {out(ExtensionNameAndPrefix{.prefix = 0x8000}),
             "prefix is 32768, allowed 0 to 32767 [convert.range]"},
            {out(Request::MemoryPool(MemoryDomainToken{kLarge})),
             "token is 2147483648, allowed 0 to 2147483647 [convert.range]"},
            {out(Request::MemoryPool(SharedBuffer())),
             "a buffer cannot be sent in AIDL 1, allowed memory or a token [convert.pool]"},
            {out(SharedMemory()), "memory is null [convert.memory]"},
            {out(share(Memory::Unknown{.name = "mine"})),
             "memory of unknown kind cannot be sent in AIDL 1, allowed ashmem, a mappable file and "
             "a hardware buffer [convert.memory]"},
            {out(share(Hardware{.size = 4, .description = {.width = 5, .format = 0x21}})),
             "the description says a blob of 5 bytes, the buffer is a blob of 4 bytes "
             "[convert.hardware_buffer]"},
            {out(share(Hardware{.size = 4, .description = {.width = 4, .format = 1}})),
             "the description says no blob of 0 bytes, the buffer is a blob of 4 bytes "
             "[convert.hardware_buffer]"},
            {out(share(Hardware{.isBlob = false, .description = {.width = 4, .format = 0x21}})),
             "the description says a blob of 4 bytes, the buffer is no blob of 0 bytes "
             "[convert.hardware_buffer]"},
            {out(share(Hardware{.size = kLarge})),
             "width is 2147483648, allowed 0 to 2147483647 [convert.range]"},
            {out(SharedHandle()), "handle is null [convert.handle]"},
            {out(SyncFence::createAsSignaled()),
             "the fence is signaled, allowed one with a file descriptor [convert.handle]"},
            {out(DeviceType::UNKNOWN), "UNKNOWN does not exist in AIDL 1 [convert.enumerator]"},
            {out(static_cast<MeasureTiming>(2)),
             "MeasureTiming(2) does not exist in AIDL 1 [convert.enumerator]"},
            {out(OptionalDuration(Duration(-5))),
             "time is -5 ns, allowed 0 or more [convert.range]"},
            {out(Timing{.timeOnDevice = Duration(-5)}),
             "timeOnDevice: time is -5 ns, allowed 0 or more [convert.range]"},
            {AIDL1::utils::unvalidatedConvert(nn::NumberOfCacheFiles(0x80000000, 0)).status(),
             "numModelCache is 2147483648, allowed 0 to 2147483647 [convert.range]"},
            {AIDL1::utils::unvalidatedConvert(nn::NumberOfCacheFiles(0, 0xffffffff)).status(),
             "numDataCache is 4294967295, allowed 0 to 2147483647 [convert.range]"},
            {AIDL1::utils::convert(nn::NumberOfCacheFiles(33, 0)).status(),
             "the driver wants 33 files of the model cache, allowed 0 to 32 [cache.number]"},
            {AIDL1::utils::unvalidatedConvert(Executed({{.dimensions = {0x80000000}}}, {}))
                     .status(),
             "outputShapes[0].dimensions[0]: value is 2147483648, allowed 0 to 2147483647 "
             "[convert.range]"},
            {AIDL1::utils::unvalidatedConvert(Executed({}, {.timeOnDevice = Duration(-5)}))
                     .status(),
             "timing.timeOnDevice: time is -5 ns, allowed 0 or more [convert.range]"},
            {AIDL4::utils::unvalidatedConvert(TokenValuePair{.token = -1}).status(),
             "token is -1, allowed 0 to 2147483647 [convert.range]"},
    });
    EXPECT_EQ(messageOf(out(share(Memory::Ashmem{}))),
              "file descriptor -1 cannot be duplicated [convert.handle]");
}

// ---------------------------------------------------------------------------------------------
// Between HIDL and AIDL

TEST(Aidl, CapabilitiesOfOldDriversCannotBeSent) {
    const auto old = V1_0::Capabilities{.float32Performance = {.execTime = 1, .powerUsage = 1},
                                        .quantized8Performance = {.execTime = 1, .powerUsage = 1}};
    EXPECT_EQ(messageOf(AIDL1::utils::convertFromNonCanonical(old).status()),
              "operandPerformance[6].type: OEM does not exist in AIDL 1 [convert.enumerator]");
}

TEST(Aidl, ModelsGoFromHidlToAidlAndBack) {
    const auto hidl = V1_0::utils::convert(reluModel()).value();
    const auto aidl = AIDL1::utils::convertFromNonCanonical(hidl).value();
    EXPECT_EQ(V1_0::utils::convertFromNonCanonical(aidl).value(), hidl);
}

// ---------------------------------------------------------------------------------------------
// Copies

TEST(Aidl, ClonesOwnTheirDescriptors) {
    aidl_hal::Model model = AIDL1::utils::convert(reluModel()).value();
    model.pools.push_back(file(8, 0));
    model.pools.push_back(hardwareBuffer({.width = 4}));
    model.pools.push_back(aidl_hal::Memory());
    model.pools.back().get<aidl_hal::Memory::Tag::ashmem>() = {.fd = openFd(), .size = 4};
    const auto copy = clone(model);
    ASSERT_TRUE(copy.ok()) << copy.status();
    EXPECT_THAT(*copy, HasTheFilesOf(&model));
    using Tag = aidl_hal::Memory::Tag;
    EXPECT_NE(copy->pools[0].get<Tag::mappableFile>().fd.get(),
              model.pools[0].get<Tag::mappableFile>().fd.get());
    const auto versioned = clone(AidlModel{.version = AIDL2, .model = clone(model).value()});
    EXPECT_EQ(versioned->version, AIDL2);
    EXPECT_THAT(versioned->model, HasTheFilesOf(&model));

    aidl_hal::Request request;
    request.pools.resize(2);
    request.pools[0].get<aidl_hal::RequestMemoryPool::Tag::pool>() = file(8, 0);
    request.pools[1].set<aidl_hal::RequestMemoryPool::Tag::token>(5);
    EXPECT_THAT(clone(request).value(), HasTheFilesOf(&request));
    request.pools[0].get<aidl_hal::RequestMemoryPool::Tag::pool>() = file(8, 0, closedFd());
    EXPECT_EQ(messageOf(clone(request).status()),
              "pools[0]: file descriptor 2147483647 cannot be duplicated");

    aidl_hal::PrepareModelConfig config;
    config.modelCache.push_back(openFd());
    EXPECT_THAT(clone(config).value(), HasTheFilesOf(&config));
    config.dataCache.push_back({});
    EXPECT_EQ(messageOf(clone(config).status()),
              "dataCache[0]: file descriptor -1 cannot be duplicated");
}

// Reading the wrong member returns a default one, where generated code would abort the process.
TEST(Aidl, TheWrongMemberOfAUnionIsADefaultOne) {
    if (hal::kIsStrict) GTEST_SKIP() << "as in generated code";
    const auto memory = file(8, 4);
    EXPECT_EQ(memory.get<aidl_hal::Memory::Tag::ashmem>().size, 0);
    EXPECT_EQ(print(memory.getTag()), "1");
}

}  // namespace
}  // namespace nn::aidl_test
