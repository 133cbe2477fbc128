#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>

#include <limits>

#include "nnapi/memory.h"
#include "nnapi/type_utils.h"
#include "validate/models.h"

namespace nn::types_test {
namespace {

constexpr Version V1_0 = kVersionFeatureLevel1, V1_1 = kVersionFeatureLevel2,
                  V1_2 = kVersionFeatureLevel3, V1_3 = kVersionFeatureLevel4;
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Every value of an enumeration, in order from 0, and the values around them.
template <class E>
void expectEnumeration(const char* name, const std::vector<Version>& needed) {
    for (size_t i = 0; i < needed.size(); ++i) {
        EXPECT_THAT(validate(static_cast<E>(i)), Needs(needed[i])) << name << i;
    }
    const auto count = static_cast<int32_t>(needed.size());
    for (const int32_t code :
         {-1, count, std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()}) {
        EXPECT_THAT(validate(static_cast<E>(code)),
                    Refuses(std::string(name) + " is " + std::to_string(code) + ", allowed 0 to " +
                            std::to_string(count - 1) + " [enumeration.value]"));
    }
}

TEST(Validate, Enumerations) {
    expectEnumeration<DeviceStatus>("DeviceStatus", {V1_0, V1_0, V1_0, V1_0});
    expectEnumeration<ExecutionPreference>("ExecutionPreference", {V1_1, V1_0, V1_1});
    expectEnumeration<DeviceType>("DeviceType", {V1_0, V1_2, V1_2, V1_2, V1_2});
    expectEnumeration<MeasureTiming>("MeasureTiming", {V1_0, V1_2});
    expectEnumeration<Priority>("Priority", {V1_3, V1_0, V1_3});
    expectEnumeration<FusedActivationFunc>("FusedActivationFunc", {V1_0, V1_0, V1_0, V1_0});
}

TEST(Validate, ErrorStatus) {
    for (int32_t code = 0; code <= 8; ++code) {
        EXPECT_THAT(validate(static_cast<ErrorStatus>(code)), Needs(V1_0));
    }
    EXPECT_THAT(validate(ErrorStatus::DEAD_OBJECT), Needs(V1_0));
    for (const int32_t code : {-1, 9, 9999, 10001}) {
        EXPECT_THAT(validate(static_cast<ErrorStatus>(code)),
                    Refuses("ErrorStatus is " + std::to_string(code) +
                            ", allowed 0 to 8 and 10000 [enumeration.value]"));
    }
}

TEST(Validate, OperandType) {
    for (const OperandTypeInfo& info : operandTypes()) {
        EXPECT_THAT(validate(info.type), Needs(info.since)) << info.name;
    }
    EXPECT_THAT(validate(static_cast<OperandType>(0x00010000)), Needs(V1_2));
    EXPECT_THAT(validate(static_cast<OperandType>(-1)), Needs(V1_2));  // prefix 0xFFFF
    for (const int32_t code : {16, 9999, 10002, 0xFFFF}) {
        EXPECT_THAT(validate(static_cast<OperandType>(code)),
                    Refuses("type is " + std::to_string(code) +
                            ", allowed 0 to 15, 10000, 10001 and extension types [operand.type]"));
    }
}

TEST(Validate, TimingAndTimes) {
    using std::chrono::nanoseconds;
    const auto timing = [](OptionalDuration onDevice, OptionalDuration inDriver) {
        return validate(Timing{.timeOnDevice = onDevice, .timeInDriver = inDriver});
    };
    EXPECT_THAT(timing({}, {}), Needs(V1_0));
    EXPECT_THAT(timing(nanoseconds(0), {}), Needs(V1_2));
    EXPECT_THAT(timing({}, nanoseconds(5)), Needs(V1_2));
    EXPECT_THAT(timing(nanoseconds(5), nanoseconds(5)), Needs(V1_2));
    EXPECT_THAT(timing(nanoseconds(6), nanoseconds(5)),
                Refuses("timeOnDevice is 6 ns, allowed at most timeInDriver, which is 5 ns "
                        "[timing.order]"));
    EXPECT_THAT(timing(nanoseconds(-1), {}),
                Refuses("timeOnDevice is -1 ns, allowed 0 or more [time.negative]"));
    EXPECT_THAT(timing({}, nanoseconds(-1)),
                Refuses("timeInDriver is -1 ns, allowed 0 or more [time.negative]"));

    EXPECT_THAT(validate(OptionalDuration()), Needs(V1_0));
    EXPECT_THAT(validate(OptionalDuration(nanoseconds(0))), Needs(V1_3));
    EXPECT_THAT(validate(OptionalDuration(nanoseconds(-1))),
                Refuses("duration is -1 ns, allowed 0 or more [time.negative]"));
    EXPECT_THAT(validate(OptionalTimePoint()), Needs(V1_0));
    EXPECT_THAT(validate(OptionalTimePoint(TimePoint())), Needs(V1_3));
    EXPECT_THAT(
            validate(OptionalTimePoint(TimePoint::min())),
            Refuses("time point is -9223372036854775808 ns, allowed 0 or more [time.negative]"));
}

TEST(Validate, Capabilities) {
    Capabilities capabilities{.operandPerformance =
                                      nonExtensionOperandPerformance(HalVersion::V1_3, {1, 1})};
    EXPECT_THAT(validate(capabilities), Needs(V1_0));
    capabilities.ifPerformance = {kInfinity, 1};
    EXPECT_THAT(validate(capabilities), Needs(V1_0));

    capabilities.ifPerformance = {0, 1};
    EXPECT_THAT(
            validate(capabilities),
            Refuses("ifPerformance: execTime is 0, allowed above 0 [capabilities.performance]"));
    capabilities.ifPerformance = {1, kNaN};
    EXPECT_THAT(validate(capabilities), Refuses("ifPerformance: powerUsage is nan, allowed above 0 "
                                                "[capabilities.performance]"));
    capabilities.ifPerformance = {};
    capabilities.operandPerformance.update(OperandType::INT32, {1, 0});
    EXPECT_THAT(validate(capabilities), Refuses("operandPerformance[1]: powerUsage is 0, allowed "
                                                "above 0 [capabilities.performance]"));
    capabilities.operandPerformance = {};
    capabilities.operandPerformance.update(static_cast<OperandType>(0x00010000), {0.5f, 0.5f});
    EXPECT_THAT(validate(capabilities), Needs(V1_0));
    capabilities.operandPerformance = {};
    capabilities.operandPerformance.update(static_cast<OperandType>(77), {});
    EXPECT_THAT(validate(capabilities),
                Refuses("operandPerformance[0]: type is 77, allowed 0 to 15, 10000, 10001 and "
                        "extension types [capabilities.type]"));
}

TEST(Validate, CapabilitiesOfWhateverKind) {
    const struct {
        Capabilities::PerformanceInfo Capabilities::*field;
        const char* name;
    } kRows[] = {
            {&Capabilities::relaxedFloat32toFloat16PerformanceScalar,
             "relaxedFloat32toFloat16PerformanceScalar"},
            {&Capabilities::relaxedFloat32toFloat16PerformanceTensor,
             "relaxedFloat32toFloat16PerformanceTensor"},
            {&Capabilities::ifPerformance, "ifPerformance"},
            {&Capabilities::whilePerformance, "whilePerformance"},
    };
    for (const auto& [field, name] : kRows) {
        Capabilities capabilities;
        capabilities.*field = {-1, 1};
        EXPECT_THAT(
                validate(capabilities),
                Refuses(fmt::format(
                        "{}: execTime is -1, allowed above 0 [capabilities.performance]", name)));
    }
}

TEST(Validate, BuffersAndTokens) {
    EXPECT_THAT(validate(OutputShape()), Needs(V1_2));
    EXPECT_THAT(validate(std::vector<OutputShape>()), Needs(V1_0));
    EXPECT_THAT(validate(std::vector<OutputShape>(1)), Needs(V1_2));
    EXPECT_THAT(validate(BufferDesc()), Needs(V1_0));
    EXPECT_THAT(validate(BufferDesc{.dimensions = {1}}), Needs(V1_3));
    EXPECT_THAT(validate(CacheToken{}), Needs(V1_0));
    EXPECT_THAT(validate(CacheToken{1}), Needs(V1_2));

    EXPECT_THAT(validate(BufferRole{.probability = 1}), Needs(V1_3));
    EXPECT_THAT(validate(BufferRole{.probability = 0}),
                Refuses("probability is 0, allowed above 0, at most 1 [buffer_role.probability]"));
    EXPECT_THAT(validate(std::vector<BufferRole>{{.probability = 1}, {.probability = 1.5f}}),
                Refuses("[1]: probability is 1.5, allowed above 0, at most 1 "
                        "[buffer_role.probability]"));
    EXPECT_THAT(
            validate(BufferRole{.probability = kNaN}),
            Refuses("probability is nan, allowed above 0, at most 1 [buffer_role.probability]"));

    EXPECT_THAT(validate(TokenValuePair()), Needs(kVersionFeatureLevel8));
    EXPECT_THAT(validate(std::vector<TokenValuePair>{{.token = 1}, {.token = 2}}),
                Needs(kVersionFeatureLevel8));
    EXPECT_THAT(validate(std::vector<TokenValuePair>{{.token = 1}, {.token = 2}, {.token = 1}}),
                Refuses("[2]: token is that of element 0, allowed only once [hint.token]"));
}

// Hints require no version: versions without them omit them.
TEST(Validate, Configurations) {
    const std::vector<TokenValuePair> hints = {{.token = 1}};
    const std::vector<TokenValuePair> twice = {{.token = 1}, {.token = 1}};
    EXPECT_THAT(validate(ExecutionConfig{.executionHints = hints}), Needs(kVersionFeatureLevel5));
    EXPECT_THAT(validate(ExecutionConfig{.measureTiming = static_cast<MeasureTiming>(2)}),
                Refuses("measureTiming: MeasureTiming is 2, allowed 0 to 1 [enumeration.value]"));
    EXPECT_THAT(
            validate(ExecutionConfig{.loopTimeoutDuration = Duration(-1)}),
            Refuses("loopTimeoutDuration: duration is -1 ns, allowed 0 or more [time.negative]"));
    EXPECT_THAT(validate(ExecutionConfig{.executionHints = twice}),
                Refuses("executionHints[1]: token is that of element 0, allowed only once "
                        "[hint.token]"));
    EXPECT_THAT(validate(PrepareModelConfig{.compilationHints = hints}),
                Needs(kVersionFeatureLevel5));
    EXPECT_THAT(validate(PrepareModelConfig{.priority = static_cast<Priority>(3)}),
                Refuses("priority: Priority is 3, allowed 0 to 2 [enumeration.value]"));
    EXPECT_THAT(validate(PrepareModelConfig{.deadline = TimePoint(Duration(-1))}),
                Refuses("deadline: time point is -1 ns, allowed 0 or more [time.negative]"));
    EXPECT_THAT(validate(PrepareModelConfig{.modelCache = {std::make_shared<const Handle>()}}),
                Refuses("modelCache[0]: file descriptor is -1, allowed 0 or more [handle.fd]"));
    EXPECT_THAT(validate(PrepareModelConfig{.compilationHints = twice}),
                Refuses("compilationHints[1]: token is that of element 0, allowed only once "
                        "[hint.token]"));
    EXPECT_THAT(validate(PrepareModelConfig{.extensionNameToPrefix = {{.name = "x"}}}),
                Refuses("extensionNameToPrefix[0]: name is \"x\", allowed a-z, 0-9, '_' and '.', "
                        "with a '.' at least [extension.name]"));
}

UniqueFd openFd() { return UniqueFd(memfd_create("test", MFD_CLOEXEC)); }

TEST(Validate, HandlesAndFences) {
    const auto open = std::make_shared<const Handle>(openFd());
    const auto closed = std::make_shared<const Handle>();
    EXPECT_THAT(validate(SharedHandle()), Needs(V1_0));
    EXPECT_THAT(validate(SharedHandle(open)), Needs(V1_2));
    EXPECT_THAT(validate(SharedHandle(closed)),
                Refuses("file descriptor is -1, allowed 0 or more [handle.fd]"));
    EXPECT_THAT(validate(std::vector<SharedHandle>{nullptr, closed}),
                Refuses("[1]: file descriptor is -1, allowed 0 or more [handle.fd]"));
    EXPECT_THAT(validate(SyncFence::createAsSignaled()), Needs(V1_0));
    EXPECT_THAT(validate(SyncFence(open)), Needs(V1_3));
    EXPECT_THAT(validate(SyncFence(closed)),
                Refuses("file descriptor is -1, allowed 0 or more [handle.fd]"));
    EXPECT_THAT(validate(std::vector<SyncFence>{SyncFence(open), SyncFence(closed)}),
                Refuses("[1]: file descriptor is -1, allowed 0 or more [handle.fd]"));
}

template <class Kind>
SharedMemory memoryOf(Kind kind) {
    return std::make_shared<const Memory>(Memory{std::move(kind)});
}

Memory::NativeHandle nativeHandle(UniqueFd fd) {
    Memory::NativeHandle handle;
    handle.fds.push_back(std::move(fd));
    return handle;
}

TEST(Validate, Memory) {
    const int all = PROT_READ | PROT_WRITE;
    const size_t most = std::numeric_limits<size_t>::max();
    struct {
        SharedMemory memory;
        Version needed;
    } const kLegal[] = {
            {memoryOf(Memory::Ashmem{.fd = openFd(), .size = 1}), V1_0},
            {memoryOf(Memory::Fd{.size = 1, .prot = all, .fd = openFd()}), V1_0},
            {memoryOf(Memory::Fd{.size = 1, .fd = openFd(), .offset = 4096}), V1_0},
            {memoryOf(Memory::HardwareBuffer{.handle = nativeHandle(openFd())}), V1_2},
            {memoryOf(Memory::Unknown{.handle = nativeHandle(openFd())}), V1_2},
            {memoryOf(Memory::Unknown{.name = "anything"}), V1_2},
    };
    for (const auto& row : kLegal) {
        EXPECT_THAT(validate(row.memory), Needs(row.needed)) << print(row.memory);
    }
    struct {
        SharedMemory memory;
        std::string message;
    } const kBroken[] = {
            {nullptr, "memory is null [memory.null]"},
            {memoryOf(Memory::Ashmem{.size = 1}),
             "file descriptor is -1, allowed 0 or more [memory.fd]"},
            {memoryOf(Memory::Ashmem{.fd = openFd()}),
             "size is 0, allowed 1 or more [memory.size]"},
            {memoryOf(Memory::Fd{.size = 1}),
             "file descriptor is -1, allowed 0 or more [memory.fd]"},
            {memoryOf(Memory::Fd{.fd = openFd()}), "size is 0, allowed 1 or more [memory.size]"},
            {memoryOf(Memory::Fd{.size = 1, .prot = PROT_EXEC, .fd = openFd()}),
             "prot is 0x4, allowed the bits of PROT_READ | PROT_WRITE [memory.prot]"},
            {memoryOf(Memory::Fd{.size = 2, .fd = openFd(), .offset = most}),
             fmt::format("offset {} + size 2 is more than size_t holds [memory.size]", SIZE_MAX)},
            {memoryOf(Memory::HardwareBuffer{.handle = nativeHandle({})}),
             "fds[0]: file descriptor is -1, allowed 0 or more [memory.fd]"},
            {memoryOf(Memory::Unknown{.handle = nativeHandle({})}),
             "fds[0]: file descriptor is -1, allowed 0 or more [memory.fd]"},
    };
    for (const auto& row : kBroken) EXPECT_THAT(validate(row.memory), Refuses(row.message));
}

TEST(Validate, MemoryPreference) {
    EXPECT_TRUE(validateMemoryPreference(kMinMemoryAlignment, kMinMemoryPadding).ok());
    EXPECT_TRUE(validateMemoryPreference(1, 1u << 31).ok());
    struct Row {
        uint32_t alignment, padding;
        const char* message;
    };
    for (const auto& [alignment, padding, message] : {
                 Row{0, 64, "alignment is 0, allowed powers of two [memory_preference.alignment]"},
                 Row{48, 64,
                     "alignment is 48, allowed powers of two [memory_preference.alignment]"},
                 Row{64, 0, "padding is 0, allowed powers of two [memory_preference.padding]"},
                 Row{64, 3, "padding is 3, allowed powers of two [memory_preference.padding]"},
         }) {
        EXPECT_EQ(validateMemoryPreference(alignment, padding).message(), message);
    }
}

TEST(Validate, NumberOfCacheFiles) {
    EXPECT_TRUE(validateNumberOfCacheFiles(0, 0).ok());
    EXPECT_TRUE(validateNumberOfCacheFiles(kMaxNumberOfCacheFiles, kMaxNumberOfCacheFiles).ok());
    EXPECT_EQ(validateNumberOfCacheFiles(33, 0).message(),
              "the driver wants 33 files of the model cache, allowed 0 to 32 [cache.number]");
    EXPECT_EQ(
            validateNumberOfCacheFiles(0, UINT32_MAX).message(),
            "the driver wants 4294967295 files of the data cache, allowed 0 to 32 [cache.number]");
}

TEST(Validate, CacheFiles) {
    const SharedHandle open =
            std::make_shared<const Handle>(::open("/dev/null", O_RDWR | O_CLOEXEC));
    const SharedHandle closed = std::make_shared<const Handle>();
    EXPECT_THAT(validateCacheFiles({}, 0), Needs(kVersionFeatureLevel1));
    EXPECT_THAT(validateCacheFiles({}, 3), Needs(kVersionFeatureLevel1));
    EXPECT_THAT(validateCacheFiles({open, open}, 2), Needs(kVersionFeatureLevel3));
    EXPECT_THAT(validateCacheFiles({open, open}, 3),
                Refuses("there are 2 cache files, allowed 0 or 3 [cache.files]"));
    EXPECT_THAT(validateCacheFiles({open}, 0),
                Refuses("there are 1 cache files, allowed 0 or 0 [cache.files]"));
    EXPECT_THAT(validateCacheFiles({open, nullptr}, 2),
                Refuses("files[1]: the file is null [cache.null]"));
    EXPECT_THAT(validateCacheFiles({closed}, 1),
                Refuses("files[0]: file descriptor is -1, allowed 0 or more [handle.fd]"));
}

}  // namespace
}  // namespace nn::types_test
