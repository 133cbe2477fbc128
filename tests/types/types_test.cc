#include "nnapi/types.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <map>
#include <set>
#include <thread>

#include "nnapi/hal/v1_3.h"
#include "nnapi/memory.h"
#include "nnapi/print.h"
#include "nnapi/result.h"
#include "nnapi/type_utils.h"

namespace nn {
namespace {

using testing::ElementsAre;

TEST(Version, CombinesAndComplies) {
    const Version runtimeOnly{.level = Version::Level::FEATURE_LEVEL_4,
                              .runtimeOnlyFeatures = true};
    EXPECT_EQ(combineVersions(kVersionFeatureLevel2, kVersionFeatureLevel3), kVersionFeatureLevel3);
    EXPECT_EQ(combineVersions(kVersionFeatureLevel6, runtimeOnly),
              (Version{.level = Version::Level::FEATURE_LEVEL_6, .runtimeOnlyFeatures = true}));
    EXPECT_TRUE(isCompliantVersion(kVersionFeatureLevel2, kVersionFeatureLevel3));
    EXPECT_FALSE(isCompliantVersion(kVersionFeatureLevel3, kVersionFeatureLevel2));
    EXPECT_FALSE(isCompliantVersion(runtimeOnly, kVersionFeatureLevel8));
    EXPECT_TRUE(isCompliantVersion(runtimeOnly, runtimeOnly));
    EXPECT_EQ(toString(kVersionFeatureLevel3), "HAL 1.2");
    EXPECT_EQ(toString(kVersionFeatureLevel6), "feature level 6 (AIDL 2)");
    EXPECT_EQ(toString(Version{.level = static_cast<Version::Level>(9)}), "feature level 9");
    EXPECT_EQ(toString(runtimeOnly), "HAL 1.3 with runtime-only features");
}

TEST(Version, IsARowOfTheTable) {
    using enum HalVersion;
    const HalVersionInfo kRows[] = {
            {V1_0, "1.0", "HAL 1.0", HalFamily::HIDL},
            {V1_1, "1.1", "HAL 1.1", HalFamily::HIDL},
            {V1_2, "1.2", "HAL 1.2", HalFamily::HIDL},
            {V1_3, "1.3", "HAL 1.3", HalFamily::HIDL},
            {AIDL1, "aidl1", "AIDL 1", HalFamily::AIDL},
            {AIDL2, "aidl2", "AIDL 2", HalFamily::AIDL},
            {AIDL3, "aidl3", "AIDL 3", HalFamily::AIDL},
            {AIDL4, "aidl4", "AIDL 4", HalFamily::AIDL},
    };
    int level = 0;
    for (const HalVersionInfo& row : kRows) {
        EXPECT_EQ(kHalVersions[level], row.version);
        EXPECT_EQ(featureLevel(toVersion(row.version)), ++level);
        EXPECT_EQ(toString(row.version), row.text);
        EXPECT_EQ(titleOf(row.version), row.title);
        EXPECT_EQ(halVersionInfo(row.version)->family, row.family);
        EXPECT_EQ(parseHalVersion(row.text), row.version);
    }
    EXPECT_EQ(kHalVersions.size(), std::size(kRows));
    EXPECT_EQ(kNewestVersion, kVersionFeatureLevel8);

    const HalVersion none{kHalVersions.size()};
    EXPECT_EQ(halVersionInfo(none), nullptr);
    EXPECT_EQ(toString(none), "unknown");
    EXPECT_EQ(titleOf(none), "unknown version");
    for (const char* text : {"", "1.4", "aidl", "aidl0", "AIDL1", "5"})
        EXPECT_FALSE(parseHalVersion(text)) << text;
}

TEST(Rows, CodesAndNamesAreUniqueAndCountedAsInTheHal) {
    std::set<int32_t> codes;
    std::set<std::string_view> names;
    for (const OperandTypeInfo& row : operandTypes()) {
        EXPECT_TRUE(codes.insert(static_cast<int32_t>(row.type)).second) << row.name;
        EXPECT_TRUE(names.insert(row.name).second) << row.name;
        EXPECT_EQ(operandTypeInfo(row.type), &row);
        EXPECT_EQ(parseOperandType(row.name), row.type);
        EXPECT_EQ(toString(row.type), row.name);
    }
    EXPECT_EQ(codes.size(), 16u + 2u);

    std::map<int, int> perLevel;
    for (const OperationTypeInfo& row : operationTypes()) {
        ++perLevel[featureLevel(row.since)];
        EXPECT_EQ(operationTypeInfo(row.type), &row);
        EXPECT_EQ(parseOperationType(row.name), row.type);
        EXPECT_EQ(toString(row.type), row.name);
    }
    // Released codes never change.
    const std::map<int, int> released = {{1, 29 + 1}, {2, 9}, {3, 57}, {4, 7},
                                         {5, 0},      {6, 2}, {7, 2},  {8, 0}};
    for (const auto& [level, count] : released) EXPECT_EQ(perLevel[level], count) << level;
}

TEST(Names, ValuesWithoutAName) {
    EXPECT_EQ(toString(static_cast<OperandType>(77)), "OperandType(77)");
    EXPECT_EQ(toString(static_cast<OperandType>(0x20001)), "OperandType(0x00020001)");
    EXPECT_EQ(toString(static_cast<OperationType>(-1)), "OperationType(0xffffffff)");
    EXPECT_EQ(toString(static_cast<Priority>(3)), "Priority(3)");
    EXPECT_EQ(toString(V1_0::OperandType{6}), "OperandType(6)");
    EXPECT_EQ(toString(V1_2::OperandType{6}), "BOOL");
    EXPECT_EQ(toString(V1_0::OperationType{29}), "OperationType(29)");
    EXPECT_EQ(toString(V1_1::OperationType{29}), "BATCH_TO_SPACE_ND");
    EXPECT_EQ(toString(V1_0::OperandLifeTime::MODEL_INPUT), "MODEL_INPUT");
    EXPECT_EQ(toString(V1_3::OperandLifeTime{1}), "SUBGRAPH_INPUT");
    EXPECT_EQ(toString(V1_0::ErrorStatus{5}), "ErrorStatus(5)");
    EXPECT_EQ(toString(V1_3::ErrorStatus{5}), "MISSED_DEADLINE_TRANSIENT");
}

// Every enumerator of every enumeration has its own name: no value prints as a number.
template <class E>
void expectNamed(std::initializer_list<int> codes, int firstUnnamed) {
    std::set<std::string> names;
    for (const int code : codes) names.insert(toString(static_cast<E>(code)));
    EXPECT_EQ(names.size(), codes.size());
    for (const std::string& name : names) EXPECT_EQ(name.find('('), std::string::npos) << name;
    EXPECT_NE(toString(static_cast<E>(firstUnnamed)).find('('), std::string::npos);
}

TEST(Names, EveryEnumerator) {
    expectNamed<DeviceStatus>({0, 1, 2, 3}, 4);
    expectNamed<ExecutionPreference>({0, 1, 2}, 3);
    expectNamed<DeviceType>({0, 1, 2, 3, 4}, 5);
    expectNamed<MeasureTiming>({0, 1}, 2);
    expectNamed<Priority>({0, 1, 2}, 3);
    expectNamed<ErrorStatus>({0, 1, 2, 3, 4, 5, 6, 7, 8, 10000}, 9);
    expectNamed<FusedActivationFunc>({0, 1, 2, 3}, 4);
    expectNamed<Operand::LifeTime>({0, 1, 2, 3, 4, 5, 6, 7}, 8);
    expectNamed<Request::Argument::LifeTime>({0, 1, 2}, 3);
    expectNamed<V1_0::OperandLifeTime>({0, 1, 2, 3, 4, 5}, 6);
    expectNamed<V1_0::DeviceStatus>({0, 1, 2, 3}, 4);
    expectNamed<V1_0::ErrorStatus>({0, 1, 2, 3, 4}, 5);
    expectNamed<V1_0::FusedActivationFunc>({0, 1, 2, 3}, 4);
    expectNamed<V1_1::ExecutionPreference>({0, 1, 2}, 3);
    expectNamed<V1_2::DeviceType>({1, 2, 3, 4}, 0);
    expectNamed<V1_2::MeasureTiming>({0, 1}, 2);
    expectNamed<V1_3::Priority>({0, 1, 2}, 3);
    expectNamed<V1_3::OperandLifeTime>({0, 1, 2, 3, 4, 5, 6}, 7);
    expectNamed<V1_3::ErrorStatus>({0, 1, 2, 3, 4, 5, 6, 7, 8}, 9);
}

TEST(OperandSize, UnknownIsZeroAndOverflowIsEmpty) {
    struct Row {
        OperandType type;
        std::vector<uint32_t> dimensions;
        std::optional<uint64_t> size;
    };
    const Row kRows[] = {
            {OperandType::FLOAT32, {}, 4},
            {OperandType::FLOAT16, {}, 2},
            {OperandType::TENSOR_FLOAT32, {2, 3}, 24},
            {OperandType::TENSOR_QUANT8_ASYMM, {2, 3}, 6},
            {OperandType::TENSOR_QUANT16_SYMM, {7}, 14},
            {OperandType::TENSOR_FLOAT32, {}, 0},
            {OperandType::TENSOR_FLOAT32, {2, 0}, 0},
            {OperandType::OEM, {}, 0},
            {OperandType{0x20001}, {2}, 0},
            {OperandType::TENSOR_FLOAT32, {UINT32_MAX, UINT32_MAX}, {}},
            {OperandType::TENSOR_QUANT8_ASYMM,
             {UINT32_MAX, UINT32_MAX},
             uint64_t{UINT32_MAX} * UINT32_MAX},
    };
    for (const Row& row : kRows)
        EXPECT_EQ(operandSize(row.type, row.dimensions), row.size) << row.type;
}

TEST(CombineDimensions, KnownSidesMustAgree) {
    using Dims = std::vector<uint32_t>;
    struct Row {
        Dims a, b;
        std::optional<Dims> combined;
    };
    const Row kRows[] = {
            {{}, {}, Dims{}},
            {{}, {1, 2}, Dims{1, 2}},
            {{1, 2}, {}, Dims{1, 2}},
            {{1, 0}, {0, 2}, Dims{1, 2}},
            {{1, 2}, {1, 2}, Dims{1, 2}},
            {{1, 2}, {1, 3}, {}},
            {{1, 2}, {1}, {}},
            {{0}, {0}, Dims{0}},
    };
    for (const Row& row : kRows) EXPECT_EQ(combineDimensions(row.a, row.b), row.combined);
}

TEST(OperandValues, AlignsByWidth) {
    Model::OperandValues values;
    const uint8_t bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    EXPECT_EQ(values.append(bytes, 1)->offset, 0u);
    EXPECT_EQ(values.append(bytes, 2)->offset, 2u);
    EXPECT_EQ(values.append(bytes, 1)->offset, 4u);
    EXPECT_EQ(values.append(bytes, 8)->offset, 8u);
    EXPECT_EQ(values.size(), 16u);
    EXPECT_EQ(values.append(bytes, 0)->length, 0u);
}

TEST(PerformanceTable, KeepsItsOrder) {
    using Table = Capabilities::OperandPerformanceTable;
    const Capabilities::PerformanceInfo one{.execTime = 1, .powerUsage = 1},
            two{.execTime = 2, .powerUsage = 2};
    EXPECT_TRUE(Table::create({{OperandType::INT32, one}, {OperandType::UINT32, two}}));
    EXPECT_FALSE(Table::create({{OperandType::UINT32, one}, {OperandType::INT32, two}}));
    EXPECT_FALSE(Table::create({{OperandType::INT32, one}, {OperandType::INT32, two}}));

    Table table;
    table.update(OperandType::UINT32, one);
    table.update(OperandType::FLOAT32, one);
    table.update(OperandType::UINT32, two);
    EXPECT_THAT(table.asVector(),
                ElementsAre(Capabilities::OperandPerformance{OperandType::FLOAT32, one},
                            Capabilities::OperandPerformance{OperandType::UINT32, two}));
    EXPECT_EQ(table.lookup(OperandType::UINT32), two);
    EXPECT_EQ(table.lookup(OperandType::INT32), Capabilities::PerformanceInfo{});

    EXPECT_EQ(nonExtensionOperandPerformance(HalVersion::V1_0, one).asVector().size(), 8u);
    EXPECT_EQ(nonExtensionOperandPerformance(HalVersion::V1_2, one).asVector().size(), 16u);
    EXPECT_EQ(nonExtensionOperandPerformance(HalVersion::V1_3, one).asVector().size(), 17u);
    // AIDL has no types of OEMs.
    EXPECT_EQ(nonExtensionOperandPerformance(HalVersion::AIDL4, one).asVector().size(), 15u);
}

TEST(CountNumberOfConsumers, CountsUsesAndPassesOverWhatIsNotThere) {
    Model::Subgraph graph;
    graph.operands.resize(3);
    graph.operations = {{.inputs = {0, 0, 1}, .outputs = {2}}, {.inputs = {0, 99}, .outputs = {2}}};
    EXPECT_THAT(countNumberOfConsumers(graph), ElementsAre(3u, 1u, 0u));
}

TEST(Equality, SharedMemoryIsComparedByWhatItIs) {
    const SharedMemory memory = *createSharedMemory(16);
    const int fd = std::get<Memory::Ashmem>(memory->handle).fd.get();
    const auto copy =
            std::make_shared<const Memory>(Memory{Memory::Ashmem{.fd = duplicate(fd), .size = 16}});
    const auto shorter =
            std::make_shared<const Memory>(Memory{Memory::Ashmem{.fd = duplicate(fd), .size = 8}});
    const SharedMemory other = *createSharedMemory(16);
    EXPECT_TRUE(memory == copy);
    EXPECT_FALSE(memory == shorter);
    EXPECT_FALSE(memory == other);
    EXPECT_FALSE(memory == SharedMemory());

    Model a, b;
    a.pools = {memory};
    b.pools = {copy};
    EXPECT_EQ(a, b);
    b.pools = {other};
    EXPECT_NE(a, b);
}

// A hardware buffer in a file.
SharedMemory hardwareBuffer(int fd, size_t size, bool isBlob) {
    Memory::HardwareBuffer buffer{.size = size, .isBlob = isBlob};
    buffer.handle.fds.push_back(duplicate(fd));
    return std::make_shared<const Memory>(Memory{std::move(buffer)});
}

TEST(Memory, MapsWhatItCanAndRefusesTheRest) {
    const SharedMemory memory = *createSharedMemory(100);
    EXPECT_EQ(size(memory), 100u);
    const Result<Mapping> mapping = map(memory);
    ASSERT_TRUE(mapping.ok()) << mapping.status();
    mapping->mutableData()[99] = 7;
    EXPECT_EQ(map(memory)->data()[99], 7);

    const int fd = std::get<Memory::Ashmem>(memory->handle).fd.get();
    const SharedMemory readOnly = *createSharedMemory(100, PROT_READ, fd, 0);
    EXPECT_EQ(map(readOnly)->data()[99], 7);
    EXPECT_EQ(map(readOnly)->mutableData(), nullptr);
    const SharedMemory writeOnly = *createSharedMemory(100, PROT_WRITE, fd, 0);
    EXPECT_EQ(map(writeOnly)->mutableData()[99], 7);
    const SharedMemory blob = hardwareBuffer(fd, 100, /*isBlob=*/true);
    ASSERT_TRUE(map(blob).ok()) << map(blob).status();
    EXPECT_EQ(map(blob)->mutableData()[99], 7);
    EXPECT_TRUE(cannotShrink(blob));

    struct Row {
        const char* name;
        SharedMemory memory;
        std::string message;
    };
    const Row kRows[] = {
            {"Null", nullptr, "memory is null"},
            {"TooLong", *createSharedMemory(101, PROT_READ, fd, 0),
             "memory claims bytes 0 to 0 + 101 of a file of 100 bytes"},
            {"OffsetBehindTheEnd", *createSharedMemory(1, PROT_READ, fd, 4096),
             "memory claims bytes 4096 to 4096 + 1 of a file of 100 bytes"},
            {"OffsetWraps", *createSharedMemory(SIZE_MAX, PROT_READ, fd, 4096),
             fmt::format("memory claims bytes 4096 to 4096 + {} of a file of 100 bytes", SIZE_MAX)},
            {"NoAccess", *createSharedMemory(1, PROT_NONE, fd, 0),
             "memory has prot 0, allowed PROT_READ, PROT_WRITE or both to be mapped"},
            {"NoFile", std::make_shared<const Memory>(Memory{Memory::Ashmem{.fd = {}, .size = 4}}),
             "memory has no open file: Bad file descriptor"},
            {"Opaque", std::make_shared<const Memory>(Memory{Memory::HardwareBuffer{}}),
             "memory is of a kind that cannot be mapped on this host"},
            {"Image", hardwareBuffer(fd, 100, /*isBlob=*/false),
             "memory is of a kind that cannot be mapped on this host"},
            {"BlobThatIsTooLong", hardwareBuffer(fd, 101, /*isBlob=*/true),
             "memory claims bytes 0 to 0 + 101 of a file of 100 bytes"},
    };
    for (const Row& row : kRows)
        EXPECT_EQ(map(row.memory).status().message(), row.message) << row.name;
    EXPECT_EQ(createSharedMemory(0).status().message(),
              "size of shared memory is 0, allowed 1 or more");
    EXPECT_EQ(createSharedMemory(0, PROT_READ, fd, 0).status().message(),
              "size of shared memory is 0, allowed 1 or more");
    EXPECT_FALSE(createSharedMemory(SIZE_MAX).ok());
    EXPECT_FALSE(createSharedMemory(1, PROT_READ, -1, 0).ok());
    std::array<uint8_t, 1> byte{};
    EXPECT_EQ(readMemory(kRows[6].memory, 0, byte).message(), kRows[6].message);
}

// Rules fence.states and fence.pipe.
TEST(SyncFence, WaitsForItsDescriptor) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const UniqueFd writer(ends[1]);
    const SyncFence fence(std::make_shared<const Handle>(ends[0]));
    EXPECT_EQ(fence.syncWait(Duration(0)), SyncFence::FenceState::ACTIVE);
    EXPECT_EQ(fence.syncWait(Duration(-5)), SyncFence::FenceState::ACTIVE);
    ASSERT_EQ(write(writer.get(), "x", 1), 1);
    EXPECT_EQ(fence.syncWait(std::nullopt), SyncFence::FenceState::SIGNALED);
    EXPECT_EQ(SyncFence::createAsSignaled().syncWait(std::nullopt),
              SyncFence::FenceState::SIGNALED);
    EXPECT_EQ(SyncFence(std::make_shared<const Handle>(9999)).syncWait(Duration(0)),
              SyncFence::FenceState::UNKNOWN);
}

// Rule fence.handle.
TEST(SyncFence, IsMadeOfAnOpenDescriptor) {
    EXPECT_FALSE(SyncFence::create(SharedHandle()).ok());
    EXPECT_FALSE(SyncFence::create(std::make_shared<const Handle>()).ok());
    EXPECT_TRUE(
            SyncFence::create(std::make_shared<const Handle>(memfd_create("fence", MFD_CLOEXEC)))
                    .ok());
}

// Rule fence.pipe: no process is left that could signal it.
TEST(SyncFence, FailsWithTheOtherEnd) {
    for (const bool isSignaled : {false, true}) {
        int ends[2];
        ASSERT_EQ(pipe(ends), 0);
        const SyncFence fence(std::make_shared<const Handle>(ends[0]));
        if (isSignaled) {
            ASSERT_EQ(write(ends[1], "x", 1), 1);
        }
        close(ends[1]);
        const auto expected =
                isSignaled ? SyncFence::FenceState::SIGNALED : SyncFence::FenceState::ERROR;
        EXPECT_EQ(fence.syncWait(Duration(0)), expected);
        EXPECT_EQ(fence.syncWait(std::nullopt), expected);
    }
}

// A signal that arrives meanwhile does not end the wait.
TEST(SyncFence, WaitsOnAfterASignal) {
    struct sigaction old {};
    struct sigaction ignoring {};
    ignoring.sa_handler = [](int) {};  // without SA_RESTART
    ASSERT_EQ(sigaction(SIGUSR1, &ignoring, &old), 0);
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const UniqueFd writer(ends[1]);
    const SyncFence fence(std::make_shared<const Handle>(ends[0]));
    std::atomic<bool> isDone = false;
    auto state = SyncFence::FenceState::UNKNOWN;
    std::thread waiting([&] {
        state = fence.syncWait(std::nullopt);
        isDone = true;
    });
    for (int i = 0; i < 20; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        pthread_kill(waiting.native_handle(), SIGUSR1);
    }
    EXPECT_FALSE(isDone);
    ASSERT_EQ(write(writer.get(), "x", 1), 1);
    waiting.join();
    EXPECT_EQ(state, SyncFence::FenceState::SIGNALED);
    sigaction(SIGUSR1, &old, nullptr);
}

TEST(UniqueFd, ComparesFiles) {
    const UniqueFd file(memfd_create("a", 0));
    const UniqueFd same = duplicate(file.get());
    const UniqueFd other(memfd_create("b", 0));
    const struct {
        const char* name;
        int a, b;
        bool areSame;
    } kRows[] = {
            {"one descriptor", file.get(), file.get(), true},
            {"two of one file", file.get(), same.get(), true},
            {"two files", file.get(), other.get(), false},
            {"of other file systems", file.get(), STDIN_FILENO, false},
            {"none", -1, -2, true},
            {"none and a file", -1, file.get(), false},
            {"a file and none", file.get(), -1, false},
            {"a closed one and a file", 9999, file.get(), false},
            {"a file and a closed one", file.get(), 9999, false},
    };
    for (const auto& row : kRows) {
        EXPECT_EQ(UniqueFd::sameFile(row.a, row.b), row.areSame) << row.name;
    }
    const auto handleOf = [](UniqueFd fd) {
        return SharedHandle(std::make_shared<const Handle>(std::move(fd)));
    };
    const SharedHandle handle = handleOf(duplicate(file.get()));
    EXPECT_TRUE(handle == handleOf(duplicate(file.get())));
    EXPECT_FALSE(handle == handleOf(duplicate(other.get())));
    EXPECT_FALSE(handle == SharedHandle());
    EXPECT_FALSE(SharedHandle() == handle);
    EXPECT_TRUE(SharedHandle() == SharedHandle());
}

TEST(UniqueFd, MovesAndCloses) {
    UniqueFd a(memfd_create("a", 0));
    const int fd = a.get();
    UniqueFd b = std::move(a);
    EXPECT_FALSE(a.ok());  // NOLINT(bugprone-use-after-move,clang-analyzer-cplusplus.Move)
    EXPECT_EQ(b.get(), fd);
    b.reset();
    EXPECT_EQ(fcntl(fd, F_GETFD), -1);
    EXPECT_FALSE(duplicate(-1).ok());
    EXPECT_FALSE(duplicate(9999).ok());
}

TEST(Print, LeavesOutDefaults) {
    const Operand operand{.type = OperandType::TENSOR_QUANT8_ASYMM,
                          .dimensions = {1, 2},
                          .scale = 0.5f,
                          .zeroPoint = 3,
                          .lifetime = Operand::LifeTime::CONSTANT_COPY,
                          .location = {.offset = 4, .length = 2}};
    EXPECT_EQ(print(operand),
              "{type = TENSOR_QUANT8_ASYMM, dimensions = [1, 2], scale = 0.5, zeroPoint = 3, "
              "lifetime = CONSTANT_COPY, location = {offset = 4, length = 2}}");
    EXPECT_EQ(print(Model{.relaxComputationFloat32toFloat16 = true}),
              "{relaxComputationFloat32toFloat16 = true}");
    EXPECT_EQ(print(Extension{.name = "a\"b\n"}), "{name = \"a\\\"b\\n\"}");
    EXPECT_EQ(print(std::vector<int>(40, 1)).substr(91), "1, 1, ... 40 in all]");
    EXPECT_EQ(print(Timing{.timeOnDevice = Duration(5)}), "{timeOnDevice = 5 ns}");
}

TEST(Print, VersionedTypes) {
    V1_2::Operand operand{.type = V1_2::OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL,
                          .dimensions = {2}};
    operand.extraParams.channelQuant({.scales = {0.5f, 1}, .channelDim = 0});
    EXPECT_EQ(print(operand),
              "{type = TENSOR_QUANT8_SYMM_PER_CHANNEL, dimensions = [2], extraParams = {scales = "
              "[0.5, 1]}}");
    V1_3::Request request;
    request.pools.resize(2);
    request.pools[1].token(7);
    EXPECT_EQ(print(request), "{pools = [memory(\"\", 0 bytes, no handle), 7]}");
}

TEST(SafeUnion, ReadsWhatItHolds) {
    V1_3::OptionalTimePoint time;
    EXPECT_EQ(time.getDiscriminator(), V1_3::OptionalTimePoint::hidl_discriminator::none);
    time.nanosecondsSinceEpoch(5);
    EXPECT_EQ(time.getDiscriminator(),
              V1_3::OptionalTimePoint::hidl_discriminator::nanosecondsSinceEpoch);
    EXPECT_EQ(std::as_const(time).nanosecondsSinceEpoch(), 5u);
    V1_3::OptionalTimePoint other;
    EXPECT_FALSE(time == other);
    other.nanosecondsSinceEpoch(4);
    other.nanosecondsSinceEpoch() = 5;
    EXPECT_TRUE(time == other);

    V1_2::FmqRequestDatum datum;
    datum.poolIdentifier(-3);
    EXPECT_EQ(datum.getDiscriminator(), V1_2::FmqRequestDatum::hidl_discriminator::poolIdentifier);
    EXPECT_EQ(datum.poolIdentifier(), -3);
}

#ifndef NNAPI_STRICT_HAL
TEST(SafeUnion, HasDefaultsForWhatItDoesNotHold) {
    V1_3::OptionalTimePoint time;
    EXPECT_EQ(std::as_const(time).nanosecondsSinceEpoch(), 0u);
    time.nanosecondsSinceEpoch() = 5;
    EXPECT_EQ(time.nanosecondsSinceEpoch(), 5u);
}
#endif

TEST(NativeHandle, SharesItsDescriptorsAndComparesFiles) {
    EXPECT_EQ(hidl::native_handle_create(-1, 0), nullptr);
    EXPECT_EQ(hidl::native_handle_create(0, 1025), nullptr);

    const auto handleOf = [](int fd, int number) {
        hidl::native_handle_t* native = hidl::native_handle_create(1, 1);
        native->data[0] = fd;
        native->data[1] = number;
        hidl::hidl_handle handle;
        handle.setTo(native, true);
        return handle;
    };
    const UniqueFd file(memfd_create("file", 0));
    const hidl::hidl_handle a = handleOf(duplicate(file.get()).release(), 1);
    EXPECT_TRUE(a == handleOf(duplicate(file.get()).release(), 1));
    EXPECT_FALSE(a == handleOf(duplicate(file.get()).release(), 2));
    EXPECT_FALSE(a == handleOf(memfd_create("other", 0), 1));
    EXPECT_FALSE(a == hidl::hidl_handle());

    int fd = -1;
    {
        const hidl::hidl_handle copy = handleOf(duplicate(file.get()).release(), 1);
        fd = copy.getNativeHandle()->data[0];
        EXPECT_NE(fcntl(fd, F_GETFD), -1);
    }
    EXPECT_EQ(fcntl(fd, F_GETFD), -1);
}

TEST(Result, CarriesTheErrorStatusAndTheDiagnostic) {
    for (const int code : {1, 2, 3, 4, 5, 6, 7, 8, 10000}) {
        const Status status = makeError(static_cast<ErrorStatus>(code), "x");
        EXPECT_FALSE(status.ok());
        EXPECT_EQ(errorStatus(status), static_cast<ErrorStatus>(code));
    }
    EXPECT_EQ(errorStatus(absl::OkStatus()), ErrorStatus::NONE);
    EXPECT_EQ(errorStatus(absl::NotFoundError("x")), ErrorStatus::GENERAL_FAILURE);
    EXPECT_EQ(errorStatus(makeError(ErrorStatus::NONE, "x")), ErrorStatus::GENERAL_FAILURE);

    const Diagnostic why{.rule = "softmax.types",
                         .path = "main.operations[4]",
                         .operation = "SOFTMAX",
                         .message = "input 1 'beta' (operand 17) is INT32, allowed FLOAT32",
                         .since = kVersionFeatureLevel3};
    const Status status = makeError(ErrorStatus::INVALID_ARGUMENT, why);
    EXPECT_EQ(status.message(),
              "main.operations[4] SOFTMAX: input 1 'beta' (operand 17) is INT32, allowed FLOAT32 "
              "[softmax.types]");
    EXPECT_EQ(diagnostic(status), why);
    EXPECT_EQ(diagnostic(absl::NotFoundError("x")), std::nullopt);
    EXPECT_EQ(status.ToString(),
              "INVALID_ARGUMENT: main.operations[4] SOFTMAX: input 1 'beta' (operand 17) is INT32, "
              "allowed FLOAT32 [softmax.types] [nnapi='error 4 (INVALID_ARGUMENT), rule "
              "softmax.types, path main.operations[4], operation SOFTMAX, since feature level 3']");
    EXPECT_EQ(toString(makeError(ErrorStatus::DEAD_OBJECT, "gone")), "DEAD_OBJECT: gone");
    EXPECT_EQ(toString(Status()), "OK");
    EXPECT_EQ(makeError(ErrorStatus::DEAD_OBJECT, "gone").ToString(),
              "UNAVAILABLE: gone [nnapi='error 10000 (DEAD_OBJECT)']");

    const Result<int> value = 5;
    EXPECT_TRUE(value.has_value());
    const Result<int> none = status;
    EXPECT_FALSE(none.has_value());
    EXPECT_EQ(none.error(), (GeneralError{.message = std::string(status.message()),
                                          .code = ErrorStatus::INVALID_ARGUMENT}));
    EXPECT_EQ(value.error(), (GeneralError{.message = "", .code = ErrorStatus::NONE}));
    const Result<int> same = none.error();
    EXPECT_EQ(same.error(), none.error());
}

std::string everyByte() {
    std::string bytes;
    for (int c = 0; c < 256; ++c) bytes += static_cast<char>(c);
    return bytes;
}

const std::string kHard[] = {"",
                             "x",
                             ", rule y",
                             "a: b [c]",
                             "%41",
                             "%",
                             "\x1f",
                             "\x1b[31m\nmain: forged [since]",
                             "message 'quoted'",
                             everyByte()};

// Each field comes back equal, and a reader of the text sees no control character.
TEST(Diagnostic, TravelsWhole) {
    const auto travels = [](const Diagnostic& why) {
        const Status status = makeError(ErrorStatus::INVALID_ARGUMENT, why);
        EXPECT_EQ(diagnostic(status), why) << status;
        EXPECT_EQ(errorStatus(status), ErrorStatus::INVALID_ARGUMENT);
        for (const char c : status.ToString()) EXPECT_TRUE(c >= ' ' && c <= '~') << int{c};
    };
    for (std::string Diagnostic::*field :
         {&Diagnostic::rule, &Diagnostic::path, &Diagnostic::operation, &Diagnostic::message}) {
        for (const std::string& value : kHard) {
            Diagnostic why{.rule = "r", .path = "p", .operation = "o", .message = "m"};
            why.*field = value;
            travels(why);
            Diagnostic alone;
            alone.*field = value;
            travels(alone);
        }
    }
    for (int level = 0; level < 256; ++level) {
        for (const bool runtimeOnly : {false, true}) {
            travels({.since = Version{.level = static_cast<Version::Level>(level),
                                      .runtimeOnlyFeatures = runtimeOnly}});
        }
    }
    for (const std::string& value : kHard) {
        travels({.rule = value, .path = value, .operation = value, .message = value});
    }
}

TEST(Diagnostic, HasTheTextOfTheStatusWhereThatIsAnother) {
    const Status status = makeError(ErrorStatus::INVALID_ARGUMENT,
                                    Diagnostic{.rule = "r", .path = "p", .message = "m"});
    Status other(status.code(), "while preparing: p: m");
    other.SetPayload("nnapi", *status.GetPayload("nnapi"));
    EXPECT_EQ(diagnostic(other),
              (Diagnostic{.rule = "r", .path = "p", .message = "while preparing: p: m"}));
}

}  // namespace
}  // namespace nn
