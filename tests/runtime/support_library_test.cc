// Support libraries: tables as devices, and the table of this library. The runtime of these tests
// uses the devices of each test; its table, loaded again, is a driver in the same process.
#include <fcntl.h>

#include <functional>
#include <limits>
#include <mutex>
#include <set>
#include <thread>

#include "device_test/cases/execution_paths.h"
#include "driver/models.h"
#include "driver/support_library/library.h"
#include "nnapi/device_test/device_test.h"
#include "nnapi/driver/registry.h"
#include "nnapi/driver/support_library.h"
#include "runtime/c_api/support_table.h"
#include "runtime/check_rows.h"
#include "runtime/compiled/model_architecture.h"
#include "runtime/observe/telemetry.h"
#include "service/pooled_request.h"

namespace nn::c_api::support {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using enum ErrorStatus;
using Table = NnApiSLDriverImplFL8;

Table ownTable() { return runtime::supportLibraryTable(); }

GeneralResult<std::vector<SharedDevice>> wrapped(const Table& table,
                                                 const SupportLibraryOptions& options = {}) {
    return wrapSupportLibrary(&table.base.base, "vendor", options);
}

// The first device of the runtime, through the table.
SharedDevice driver(const Table& table = ownTable(), const SupportLibraryOptions& options = {}) {
    const auto devices = wrapped(table, options);
    EXPECT_TRUE(devices.has_value()) << devices.error().message;
    return devices.has_value() ? devices->front() : nullptr;
}

SharedPreparedModel prepared(const SharedDevice& device, const Model& model = nn::addition()) {
    auto made = prepareOn(*device, model);
    EXPECT_TRUE(made.has_value()) << made.error().message;
    return made.has_value() ? *made : nullptr;
}

// ---- invalid tables

TEST(SupportLibrary, RejectsInvalidTables) {
    Fixture w;
    const auto message = [](const NnApiSLDriverImpl* table) {
        const auto devices = wrapSupportLibrary(table, "vendor");
        EXPECT_EQ(devices.error().code, INVALID_ARGUMENT);
        return devices.error().message;
    };
    EXPECT_EQ(message(nullptr), "support library vendor has failed: its entry returns null");
    const NnApiSLDriverImpl old{.implFeatureLevel = ANEURALNETWORKS_FEATURE_LEVEL_4};
    EXPECT_EQ(message(&old),
              "support library vendor has a table of level 30, allowed 31 and later");
}

struct MissingRow {
    const char* function;
    void (*take)(Table& table);
    enum { NEEDED, DIAGNOSTIC, UNUSED } use;
};

// Each function that a driver requires.
TEST(SupportLibrary, RefusesATableWithoutAFunctionThatItNeeds) {
    Fixture w;
    constexpr MissingRow kRows[] = {
#define NNAPI_SL_ENTRY(function, use) \
    {#function, [](Table& table) { table.base.function = nullptr; }, MissingRow::use},
#define NNAPI_SL_ENTRY8(function) \
    {#function, [](Table& table) { table.function = nullptr; }, MissingRow::NEEDED},
#include "driver/support_library/entries.def"
    };
    EXPECT_EQ(std::size(kRows), 106u);
    int needed = 0;
    for (const MissingRow& row : kRows) {
        Table table = ownTable();
        row.take(table);
        const auto devices = wrapped(table, {.onCompilation = [](const auto&) {}});
        if (row.use != MissingRow::NEEDED) {
            EXPECT_TRUE(devices.has_value()) << row.function << devices.error().message;
            continue;
        }
        ++needed;
        EXPECT_THAT(devices, Refuses(INVALID_ARGUMENT,
                                     std::string("support library vendor has no function ") +
                                             row.function + " in its table"));
    }
    EXPECT_GT(needed, 65);
}

// ---- invalid devices

// A function of the table that only returns this code.
template <int kCode>
constexpr auto kReturns = [](auto...) { return kCode; };

// A function of the table that succeeds and writes this value to its last argument.
template <auto kValue>
constexpr auto kYields = [](auto... arguments) {
    *std::get<sizeof...(arguments) - 1>(std::tuple(arguments...)) = kValue;
    return OK;
};

constexpr char kNoName[] = "", kBadName[] = "an npu";

struct HostileRow {
    const char* name;
    void (*change)(NnApiSLDriverImplFL5& table);
    const char* message;  // of a device: after "support library vendor "
};

TEST(SupportLibrary, RejectsInvalidDevices) {
    const HostileRow kRows[] = {
            {"CountFails",
             [](auto& table) { table.ANeuralNetworks_getDeviceCount = kReturns<OP_FAILED>; },
             "is refused: ANeuralNetworks_getDeviceCount: the library returns OP_FAILED"},
            {"CodeIsNone", [](auto& table) { table.ANeuralNetworks_getDeviceCount = kReturns<-7>; },
             "is refused: ANeuralNetworks_getDeviceCount: the library returns -7, which is no "
             "code"},
            {"NoDevices", [](auto& table) { table.ANeuralNetworks_getDeviceCount = kReturns<OK>; },
             "has 0 devices, allowed 1 to 64"},
            {"TooMany",
             [](auto& table) { table.ANeuralNetworks_getDeviceCount = kYields<0xffffffff>; },
             "has 4294967295 devices, allowed 1 to 64"},
            {"NullDevice", [](auto& table) { table.ANeuralNetworks_getDevice = kReturns<OK>; },
             "returns null for device 0"},
            {"OneTwice",
             [](auto& table) {
                 table.ANeuralNetworks_getDevice = [](uint32_t, ANeuralNetworksDevice** device) {
                     return ANeuralNetworks_getDevice(0, device);
                 };
             },
             "has two devices with the name npu"},
            {"NoName", [](auto& table) { table.ANeuralNetworksDevice_getName = kReturns<OK>; },
             "is refused: a device has no name"},
            {"WrongName",
             [](auto& table) { table.ANeuralNetworksDevice_getName = kYields<kBadName>; },
             "is refused: the name of a device is \"an npu\", allowed visible characters of ASCII "
             "without '/' and '@'"},
            {"NoVersion",
             [](auto& table) { table.ANeuralNetworksDevice_getVersion = kYields<kNoName>; },
             "is refused: device npu: it has no version string"},
            {"Level",
             [](auto& table) { table.ANeuralNetworksDevice_getFeatureLevel = kYields<1000005>; },
             "is refused: device npu: its feature level is 1000005, which is no code"},
            {"Type", [](auto& table) { table.ANeuralNetworksDevice_getType = kYields<77>; },
             "is refused: device npu: "},
            {"CacheFiles",
             [](auto& table) {
                 table.SL_ANeuralNetworksDevice_getNumberOfCacheFilesNeeded =
                         [](auto*, uint32_t* model, auto*) {
                             *model = 33;
                             return OK;
                         };
             },
             "is refused: device npu: "},
            {"Performance",
             [](auto& table) {
                 table.SL_ANeuralNetworksDevice_getPerformanceInfo =
                         [](auto*, int32_t kind, auto*) { return kind == 3 ? BAD_DATA : OK; };
             },
             "is refused: device npu: SL_ANeuralNetworksDevice_getPerformanceInfo: the library "
             "returns BAD_DATA"},
            {"PerformanceTwice",
             [](auto& table) {
                 table.SL_ANeuralNetworksDevice_forEachOperandPerformanceInfo =
                         [](auto*, void* context, auto* add) {
                             add({.operandType = 3, .performanceInfo = {1, 1}}, context);
                             add({.operandType = 3, .performanceInfo = {2, 2}}, context);
                             return OK;
                         };
             },
             "is refused: device npu: it has two performances of one type"},
            {"PerformancesWithoutEnd",
             [](auto& table) {
                 table.SL_ANeuralNetworksDevice_forEachOperandPerformanceInfo =
                         [](auto*, void* context, auto* add) {
                             for (int i = 0; i < 100000; ++i) {
                                 add({.operandType = i, .performanceInfo = {1, 1}}, context);
                             }
                             return OK;
                         };
             },
             "is refused: device npu: it has too many performances of types, allowed 65536"},
            {"Extensions",
             [](auto& table) {
                 table.SL_ANeuralNetworksDevice_getVendorExtensionCount = kYields<1u << 31>;
             },
             "is refused: device npu: it has 2147483648 extensions, allowed 256"},
            {"ExtensionWithoutName",
             [](auto& table) {
                 table.SL_ANeuralNetworksDevice_getVendorExtensionName = kReturns<OK>;
             },
             "is refused: device npu: its extension 0 has no name"},
    };
    Fixture w;
    for (const HostileRow& row : kRows) {
        Table table = ownTable();
        row.change(table.base);
        const auto devices = wrapped(table);
        EXPECT_EQ(devices.error().code, INVALID_ARGUMENT) << row.name;
        EXPECT_THAT(devices.error().message,
                    ::testing::StartsWith(std::string("support library vendor ") + row.message))
                << row.name;
    }
}

// Exceptions of a library are caught in the call.
TEST(SupportLibrary, ContainsExceptions) {
    Fixture w;
    Table table = ownTable();
    table.base.ANeuralNetworks_getDeviceCount = [](uint32_t*) -> int { throw 7; };
    EXPECT_EQ(wrapped(table).error().code, GENERAL_FAILURE);
    table = ownTable();
    table.base.ANeuralNetworksExecution_compute = [](ANeuralNetworksExecution*) -> int { throw 7; };
    Sum values;
    EXPECT_EQ(
            executeBy(nn::testing::ExecutionPath::SYNC, *prepared(driver(table)), values.request())
                    .error()
                    .code,
            GENERAL_FAILURE);
}

// ---- properties of a device

TEST(SupportLibrary, IsTheDevicesOfItsTable) {
    FakeOptions options = npuOptions();
    options.featureLevel = kVersionFeatureLevel6;
    options.cacheFiles = {2, 3};
    useDevices({options});
    const auto devices = wrapped(ownTable());
    ASSERT_TRUE(devices.has_value()) << devices.error().message;
    ASSERT_THAT(*devices, SizeIs(2));
    const IDevice& npu = *devices->front();
    const IDevice& own = *runtime::runtime().devices().front()->device;
    EXPECT_EQ(npu.getName(), "npu");
    EXPECT_EQ(npu.getVersionString(), "1.0");
    EXPECT_EQ(npu.getFeatureLevel(), kVersionFeatureLevel6);
    EXPECT_EQ(npu.getType(), DeviceType::ACCELERATOR);
    EXPECT_EQ(npu.getSupportedExtensions(), options.extensions);
    EXPECT_EQ(npu.getCapabilities(), own.getCapabilities());
    EXPECT_EQ(npu.getNumberOfCacheFilesNeeded(), std::pair(2u, 3u));
    EXPECT_TRUE(npu.wait().has_value());
    // A device is not newer than its table.
    Table table = ownTable();
    table.base.base.implFeatureLevel = ANEURALNETWORKS_FEATURE_LEVEL_5;
    EXPECT_EQ(driver(table)->getFeatureLevel(), kVersionFeatureLevel5);
    // A later level is treated as the newest known one.
    table.base.base.implFeatureLevel = 1000099;
    EXPECT_EQ(wrapped(table)->back()->getFeatureLevel(), kNewestVersion);
}

TEST(SupportLibrary, HandsOverHowToPrepare) {
    std::vector<PrepareModelConfig> configs;
    FakeOptions options = npuOptions();
    options.onConfig = [&](const PrepareModelConfig& config) { configs.push_back(config); };
    useDevices({options});
    const std::vector<TokenValuePair> hints{{.token = (5 << 16) | 3, .value = {1, 2}}};
    const std::vector<ExtensionNameAndPrefix> names{{.name = kExtension, .prefix = 5}};
    for (const int64_t level : {ANEURALNETWORKS_FEATURE_LEVEL_8, ANEURALNETWORKS_FEATURE_LEVEL_7}) {
        Table table = ownTable();
        table.base.base.implFeatureLevel = level;
        configs.clear();
        const auto made = driver(table)->prepareModel(
                nn::addition(), ExecutionPreference::LOW_POWER, Priority::HIGH,
                makeDeadline(std::chrono::hours(1)), {}, {}, {}, hints, names);
        ASSERT_TRUE(made.has_value()) << made.error().message;
        ASSERT_THAT(configs, SizeIs(1));
        EXPECT_EQ(configs[0].preference, ExecutionPreference::LOW_POWER);
        EXPECT_EQ(configs[0].priority, Priority::HIGH);
        ASSERT_TRUE(configs[0].deadline.has_value());
        const Duration left = *configs[0].deadline - Clock::now();
        EXPECT_GT(left, std::chrono::minutes(59));
        EXPECT_LT(left, std::chrono::minutes(61));
        // Hints exist from level 8 on.
        ASSERT_THAT(configs[0].compilationHints,
                    SizeIs(level == ANEURALNETWORKS_FEATURE_LEVEL_8 ? 1 : 0));
        if (!configs[0].compilationHints.empty()) {
            EXPECT_EQ(configs[0].compilationHints[0].value, hints[0].value);
            EXPECT_EQ(configs[0].extensionNameToPrefix[0].name, kExtension);
        }
    }
    const auto late = driver()->prepareModel(nn::addition(), ExecutionPreference::DEFAULT,
                                             Priority::DEFAULT, Clock::now(), {}, {}, {}, {}, {});
    EXPECT_EQ(late.error().code, MISSED_DEADLINE_PERSISTENT);
}

// ---- executions

// Types of extensions have other numbers in the library, also in requests with dimensions.
TEST(SupportLibrary, NumbersTypesOfExtensionsAsTheLibraryDoes) {
    Fixture w;
    static std::vector<std::pair<int32_t, Dimensions>> given;
    static int32_t numbered = 0;
    Table table = ownTable();
    NnApiSLDriverImplFL5& api = table.base;
    // No device supports the operation, so the table pretends to.
    api.ANeuralNetworksCompilation_finish = kReturns<OK>;
    api.ANeuralNetworksExecution_create = [](auto*, ANeuralNetworksExecution** execution) {
        *execution = reinterpret_cast<ANeuralNetworksExecution*>(&given);
        return OK;
    };
    api.ANeuralNetworksExecution_free = [](auto*) {};
    api.ANeuralNetworksExecution_setInput = [](auto*, int32_t,
                                               const ANeuralNetworksOperandType* type, auto...) {
        if (type != nullptr) {
            given.push_back(
                    {type->type, {type->dimensions, type->dimensions + type->dimensionCount}});
        }
        return OK;
    };
    api.ANeuralNetworksExecution_setOutput = kReturns<OK>;
    api.ANeuralNetworksExecution_compute = kReturns<OP_FAILED>;
    api.ANeuralNetworksModel_getExtensionOperandType =
            [](ANeuralNetworksModel* model, const char* name, uint16_t code, int32_t* type) -> int {
        const int result = ANeuralNetworksModel_getExtensionOperandType(model, name, code, type);
        numbered = *type;
        return result;
    };
    constexpr uint16_t kPrefix = 77;
    const auto type = static_cast<OperandType>((kPrefix << kExtensionTypeBits) | 1);
    Model model;
    model.extensionNameToPrefix = {{.name = kExtension, .prefix = kPrefix}};
    model.main.operands = {
            {.type = type, .dimensions = {0}, .lifetime = Operand::LifeTime::SUBGRAPH_INPUT},
            {.type = OperandType::TENSOR_FLOAT32,
             .dimensions = {4},
             .lifetime = Operand::LifeTime::SUBGRAPH_OUTPUT}};
    model.main.operations = {
            {static_cast<OperationType>((kPrefix << kExtensionTypeBits) | 1), {0}, {1}}};
    model.main.inputIndexes = {0};
    model.main.outputIndexes = {1};
    const auto made = prepareOn(*driver(table), model);
    ASSERT_TRUE(made.has_value()) << made.error().message;
    Sum values;
    const Request request{.inputs = {pointerTo(values.x, {4})}, .outputs = {pointerTo(values.z)}};
    EXPECT_EQ((*made)->execute(request, MeasureTiming::NO, {}, {}, {}, {}).error().code,
              GENERAL_FAILURE);
    ASSERT_THAT(given, SizeIs(1));
    EXPECT_EQ(given[0], std::pair(numbered, Dimensions{4}));
    EXPECT_NE(numbered, static_cast<int32_t>(type));
}

TEST(SupportLibrary, TranslatesCodes) {
    Fixture w;
    static int code = OK;
    constexpr std::pair<int, ErrorStatus> kRows[] = {
            {ANEURALNETWORKS_OUT_OF_MEMORY, RESOURCE_EXHAUSTED_TRANSIENT},
            {ANEURALNETWORKS_INCOMPLETE, GENERAL_FAILURE},
            {UNEXPECTED_NULL, INVALID_ARGUMENT},
            {BAD_DATA, INVALID_ARGUMENT},
            {OP_FAILED, GENERAL_FAILURE},
            {BAD_STATE, GENERAL_FAILURE},
            {UNMAPPABLE, GENERAL_FAILURE},
            {ANEURALNETWORKS_UNAVAILABLE_DEVICE, DEVICE_UNAVAILABLE},
            {10, MISSED_DEADLINE_TRANSIENT},
            {11, MISSED_DEADLINE_PERSISTENT},
            {12, RESOURCE_EXHAUSTED_TRANSIENT},
            {13, RESOURCE_EXHAUSTED_PERSISTENT},
            {14, DEAD_OBJECT},
            {15, GENERAL_FAILURE},
            {-1, GENERAL_FAILURE}};
    Table table = ownTable();
    table.base.ANeuralNetworksExecution_compute = [](ANeuralNetworksExecution*) { return code; };
    const SharedPreparedModel model = prepared(driver(table));
    for (const auto& [returned, status] : kRows) {
        code = returned;
        Sum values;
        const auto executed = model->execute(values.request(), MeasureTiming::NO, {}, {}, {}, {});
        EXPECT_EQ(executed.error().code, status) << code;
        EXPECT_THAT(
                executed.error().message,
                ::testing::StartsWith("ANeuralNetworksExecution_compute: the library returns "));
    }
}

// Shapes that a device must not return.
TEST(SupportLibrary, RejectsInvalidShapes) {
    Fixture w;
    constexpr HostileRow kRows[] = {
            {"OtherRank",
             [](auto& table) { table.ANeuralNetworksExecution_getOutputOperandRank = kYields<0>; },
             "outputShapes[0]"},
            {"HugeRank",
             [](auto& table) {
                 table.ANeuralNetworksExecution_getOutputOperandRank = kYields<0xffffffff>;
             },
             "output 0 has 4294967295 dimensions, allowed 64"},
            {"OtherDimensions",
             [](auto& table) {
                 table.ANeuralNetworksExecution_getOutputOperandDimensions = kYields<5>;
             },
             "outputShapes[0]"},
            {"Insufficient",
             [](auto& table) {
                 table.ANeuralNetworksExecution_getOutputOperandRank = [](auto*, int32_t,
                                                                          uint32_t* rank) {
                     *rank = 1;
                     return INSUFFICIENT;
                 };
             },
             "outputShapes[0]"},
            {"NoShapes",
             [](auto& table) {
                 table.ANeuralNetworksExecution_getOutputOperandRank = kReturns<BAD_STATE>;
             },
             "ANeuralNetworksExecution_getOutputOperandRank: the library returns BAD_STATE"},
    };
    for (const HostileRow& row : kRows) {
        Table table = ownTable();
        row.change(table.base);
        Sum values;
        const auto executed =
                prepared(driver(table))
                        ->execute(values.request(), MeasureTiming::NO, {}, {}, {}, {});
        EXPECT_EQ(executed.error().code, GENERAL_FAILURE) << row.name;
        EXPECT_THAT(executed.error().message, HasSubstr(row.message)) << row.name;
        EXPECT_THAT(executed.error().outputShapes, IsEmpty()) << row.name;
    }
}

// Functions that succeed without creating an object.
TEST(SupportLibrary, RejectsNullInsteadOfObjects) {
    Fixture w;
    Table table = ownTable();
    table.base.ANeuralNetworksCompilation_createForDevices = kReturns<OK>;
    EXPECT_THAT(prepareOn(*driver(table), nn::addition()),
                Refuses(GENERAL_FAILURE,
                        "ANeuralNetworksCompilation_createForDevices: the library returns null"));
}

TEST(SupportLibrary, ExecutesInEveryWay) {
    Fixture w;
    for (const int64_t level : {ANEURALNETWORKS_FEATURE_LEVEL_5, ANEURALNETWORKS_FEATURE_LEVEL_8}) {
        Table table = ownTable();
        table.base.base.implFeatureLevel = level;
        const SharedPreparedModel model = prepared(driver(table));
        for (const nn::testing::ExecutionPath path : nn::testing::kExecutionPaths) {
            for (const bool hasDeadline : {false, true}) {
                Sum values;
                nn::testing::PathOptions options{.measure = MeasureTiming::YES};
                if (hasDeadline) options.deadline = makeDeadline(std::chrono::minutes(1));
                const auto executed = executeBy(path, *model, values.request(), options);
                ASSERT_TRUE(executed.has_value()) << nameOf(path) << executed.error().message;
                EXPECT_THAT(values.z, ElementsAre(11, 22, 33, 44)) << nameOf(path);
                // Fenced executions run on the reference device, which reports its own times.
                if (path == nn::testing::ExecutionPath::FENCED) continue;
                EXPECT_EQ(executed->second.timeOnDevice, Duration(10)) << nameOf(path);
                EXPECT_EQ(executed->second.timeInDriver, Duration(20)) << nameOf(path);
            }
        }
    }
}

TEST(SupportLibrary, LaunchesAfterFences) {
    Fixture w;
    const SharedPreparedModel model = prepared(driver());
    Sum values;
    const Pooled others;
    Fence before;
    const auto launch = [&](const Request& request) {
        return model->executeFenced(request, {before.get()}, MeasureTiming::NO, {}, {}, {}, {}, {});
    };
    const auto launched = launch(values.request());
    ASSERT_TRUE(launched.has_value()) << launched.error().message;
    const auto& [fence, info] = *launched;
    ASSERT_TRUE(fence.hasFd());
    EXPECT_EQ(fence.syncWait(Duration::zero()), SyncFence::FenceState::ACTIVE);
    EXPECT_THAT(info(), Refuses(GENERAL_FAILURE, "the execution has not ended yet"));
    // Releasing the callback of this launch does not wait.
    const TimePoint start = Clock::now();
    const SyncFence other = launch(others.request).value().first;
    EXPECT_LT(Clock::now() - start, std::chrono::seconds(5));
    EXPECT_EQ(other.syncWait(Duration::zero()), SyncFence::FenceState::ACTIVE);
    before.signal();
    for (const SyncFence& each : {fence, other}) {
        EXPECT_EQ(each.syncWait(std::chrono::seconds(10)), SyncFence::FenceState::SIGNALED);
    }
    EXPECT_TRUE(info().has_value()) << info().error().message;
    EXPECT_THAT(values.z, ElementsAre(11, 22, 33, 44));
    EXPECT_THAT(others.result(), ElementsAre(11, 22, 33, 44));
    // The driver waits for a library without exportable fences.
    Table table = ownTable();
    table.base.ANeuralNetworksEvent_getSyncFenceFd = kReturns<BAD_DATA>;
    values.z = {0, 0, 0, 0};
    const auto done =
            prepared(driver(table))
                    ->executeFenced(values.request(), {}, MeasureTiming::NO, {}, {}, {}, {}, {});
    ASSERT_TRUE(done.has_value()) << done.error().message;
    EXPECT_FALSE(done->first.hasFd());
    EXPECT_TRUE(done->second().has_value());
    EXPECT_THAT(values.z, ElementsAre(11, 22, 33, 44));
}

TEST(SupportLibrary, RefusesBuffersAndPreparedModelsOfOthers) {
    Fixture w;
    const SharedDevice device = driver();
    Sum values;
    Request request = values.request();
    request.pools = {MemoryDomainToken{77}};
    request.inputs[0] = {.location = {.poolIndex = 0}};
    EXPECT_THAT(prepared(device)->execute(request, MeasureTiming::NO, {}, {}, {}, {}),
                Refuses(INVALID_ARGUMENT, "pools[0]: the device has no buffer with token 77"));
    EXPECT_EQ(device->allocate({{4}}, {prepared(driver())}, {{0, 0, 1.0f}}, {}).error().code,
              INVALID_ARGUMENT);
}

// ---- caches in open files

TEST(SupportLibrary, CachesInFilesThatAreOpen) {
    int fromCache = 0;
    const auto log = std::make_shared<const Log>(
            [&](const LogRecord& record) {
                fromCache += std::string(record.text).find("prepareModelFromCache: done") !=
                             std::string::npos;
            },
            kVlogAll);
    std::vector<runtime::PlanDevice> devices{
            {referenceDevice({.name = "npu", .fencedThreads = 2, .log = log}), false}};
    runtime::setRuntime(std::make_unique<const runtime::Runtime>(std::move(devices),
                                                                 runtime::Runtime::Options{}));
    const SharedDevice device = driver();
    ASSERT_EQ(device->getNumberOfCacheFilesNeeded(), std::pair(1u, 1u));
    const auto file = [] {
        return std::make_shared<const Handle>(UniqueFd(memfd_create("cache", MFD_CLOEXEC)));
    };
    const SharedHandle model = file(), data = file();
    const auto prepare = [&](const SharedHandle& modelFile, const SharedHandle& dataFile) {
        return device->prepareModel(nn::addition(), ExecutionPreference::DEFAULT, Priority::DEFAULT,
                                    {}, {modelFile}, {dataFile}, {7}, {}, {});
    };
    ASSERT_TRUE(prepare(model, data).has_value());
    EXPECT_EQ(fromCache, 0);
    const auto again = prepare(model, data);
    ASSERT_TRUE(again.has_value()) << again.error().message;
    EXPECT_EQ(fromCache, 1);
    Sum values;
    EXPECT_TRUE((*again)->execute(values.request(), MeasureTiming::NO, {}, {}, {}, {}).has_value());
    EXPECT_THAT(values.z, ElementsAre(11, 22, 33, 44));
    // An invalid cache does not fail the preparation.
    EXPECT_TRUE(prepare(nullptr, data).has_value());
    EXPECT_EQ(fromCache, 1);
    EXPECT_THAT(device->prepareModelFromCache({}, {model}, {data}, {7}),
                Refuses(GENERAL_FAILURE, "a support library prepares nothing without the model"));
}

// ---- telemetry

// The diagnostics reported by any thread.
struct ReceivedDiagnostics {
    std::mutex mutex{};
    std::vector<CompilationDiagnostics> compilations{};
    std::vector<ExecutionDiagnostics> executions{};

    SupportLibraryOptions options() {
        return {.onCompilation =
                        [this](const CompilationDiagnostics& info) {
                            const std::lock_guard lock(mutex);
                            compilations.push_back(info);
                        },
                .onExecution =
                        [this](const ExecutionDiagnostics& info) {
                            const std::lock_guard lock(mutex);
                            executions.push_back(info);
                        }};
    }
    ~ReceivedDiagnostics() {
        ownTable().base.SL_ANeuralNetworksDiagnostic_registerCallbacks(nullptr, nullptr, nullptr);
    }
};

TEST(Telemetry, ReportsCompilationsAndExecutions) {
    Fixture w;
    ReceivedDiagnostics diagnostics;
    using Mode = ExecutionDiagnostics::Mode;
    using DataClass = Diagnostics::DataClass;
    const SharedPreparedModel model = prepared(driver(ownTable(), diagnostics.options()));
    ASSERT_THAT(diagnostics.compilations, SizeIs(1));
    const CompilationDiagnostics& compiled = diagnostics.compilations.front();
    EXPECT_GT(compiled.sessionId, 0);
    EXPECT_EQ(compiled.nnApiVersion, ANEURALNETWORKS_FEATURE_LEVEL_8);
    EXPECT_EQ(compiled.modelArchHash, runtime::architectureHash(nn::addition()));
    EXPECT_EQ(compiled.deviceIds, "npu=1.0");
    EXPECT_EQ(compiled.errorCode, OK);
    EXPECT_EQ(compiled.inputDataClass, DataClass::FLOAT32);
    EXPECT_EQ(compiled.outputDataClass, DataClass::FLOAT32);
    EXPECT_FALSE(compiled.isCachingEnabled || compiled.isControlFlowUsed ||
                 compiled.areDynamicTensorsUsed);
    ASSERT_TRUE(compiled.compilationTime.has_value());
    EXPECT_GT(*compiled.compilationTime, Duration::zero());

    constexpr Mode kModes[] = {Mode::SYNC, Mode::SYNC, Mode::BURST, Mode::ASYNC_WITH_DEPS};
    for (size_t i = 0; i < nn::testing::kExecutionPaths.size(); ++i) {
        for (const MeasureTiming measure : {MeasureTiming::NO, MeasureTiming::YES}) {
            diagnostics.executions.clear();
            Sum values;
            ASSERT_TRUE(executeBy(nn::testing::kExecutionPaths[i], *model, values.request(),
                                  {.measure = measure})
                                .has_value());
            ASSERT_THAT(diagnostics.executions, SizeIs(1)) << i;
            const ExecutionDiagnostics& executed = diagnostics.executions.front();
            EXPECT_EQ(executed.mode, kModes[i]);
            EXPECT_EQ(executed.errorCode, OK);
            EXPECT_EQ(executed.sessionId, compiled.sessionId);
            EXPECT_EQ(executed.modelArchHash, compiled.modelArchHash);
            EXPECT_EQ(executed.deviceIds, compiled.deviceIds);
            EXPECT_EQ(executed.inputDataClass, DataClass::FLOAT32);
            const bool isFenced = kModes[i] == Mode::ASYNC_WITH_DEPS;
            EXPECT_EQ(executed.runtimeTime.has_value(), !isFenced);
            if (isFenced) continue;
            const bool isMeasured = measure == MeasureTiming::YES;
            EXPECT_EQ(executed.driverTime,
                      isMeasured ? OptionalDuration(Duration(20)) : std::nullopt);
            EXPECT_EQ(executed.hardwareTime,
                      isMeasured ? OptionalDuration(Duration(10)) : std::nullopt);
        }
    }
}

TEST(Telemetry, ReportsFailures) {
    FakeOptions options = npuOptions();
    std::atomic<bool> isBroken = false;
    options.onExecute = [&]() -> Status {
        if (!isBroken) return {};
        return error(RESOURCE_EXHAUSTED_TRANSIENT) << "busy";
    };
    options.onPrepare = options.onExecute;
    Fixture w(options);
    ReceivedDiagnostics diagnostics;
    const SharedDevice device = driver(ownTable(), diagnostics.options());
    const SharedPreparedModel model = prepared(device);
    isBroken = true;
    Sum values;
    EXPECT_FALSE(model->execute(values.request(), MeasureTiming::NO, {}, {}, {}, {}).has_value());
    EXPECT_FALSE(prepareOn(*device, nn::addition()).has_value());
    ASSERT_THAT(diagnostics.executions, SizeIs(1));
    EXPECT_EQ(diagnostics.executions[0].errorCode, ANEURALNETWORKS_RESOURCE_EXHAUSTED_TRANSIENT);
    ASSERT_THAT(diagnostics.compilations, SizeIs(2));
    EXPECT_EQ(diagnostics.compilations[1].errorCode, ANEURALNETWORKS_RESOURCE_EXHAUSTED_TRANSIENT);
}

// Asynchronous executions, and a missing argument, which can only occur in the C API.
TEST(Telemetry, TellsOfExecutionsThatApplicationsStart) {
    Fixture w;
    ReceivedDiagnostics diagnostics;
    const SharedDevice device = driver(ownTable(), diagnostics.options());
    ANeuralNetworksExecution* execution = w.fresh();
    w.values.set(execution);
    OwnedEvent event;
    ASSERT_EQ(ANeuralNetworksExecution_startCompute(execution, event.out()), OK);
    ASSERT_EQ(ANeuralNetworksEvent_wait(event), OK);
    EXPECT_EQ(ANeuralNetworksExecution_compute(w.fresh()), BAD_DATA);
    ASSERT_THAT(diagnostics.executions, SizeIs(2));
    EXPECT_EQ(diagnostics.executions[0].mode, ExecutionDiagnostics::Mode::ASYNC);
    EXPECT_EQ(diagnostics.executions[1].errorCode, BAD_DATA);
    // Callbacks may call the library.
    struct Context {
        ANeuralNetworksExecution* execution;
        int code = 0;
    } context{w.fresh()};
    w.values.set(context.execution);
    ownTable().base.SL_ANeuralNetworksDiagnostic_registerCallbacks(
            nullptr,
            [](const void* given, const ANeuralNetworksDiagnosticExecutionInfo*) {
                auto* to = static_cast<Context*>(const_cast<void*>(given));
                uint32_t rank = 0;
                to->code = ANeuralNetworksExecution_getOutputOperandRank(to->execution, 0, &rank) +
                           static_cast<int>(rank);
            },
            &context);
    ASSERT_EQ(ANeuralNetworksExecution_compute(context.execution), OK);
    EXPECT_EQ(context.code, OK + 1);
}

struct ClassRow {
    std::vector<OperandType> types;
    Diagnostics::DataClass wanted;
};

runtime::Diagnosed diagnose(Model model) {
    auto finished = std::make_shared<runtime::FinishedModel>();
    finished->model = std::move(model);
    return runtime::diagnose({.model = std::move(finished)});
}

TEST(Telemetry, ClassesOfData) {
    using enum OperandType;
    using DataClass = Diagnostics::DataClass;
    const ClassRow kRows[] = {
            {{}, DataClass::UNKNOWN},
            {{TENSOR_INT32}, DataClass::OTHER},
            {{TENSOR_FLOAT32, TENSOR_INT32}, DataClass::FLOAT32},
            {{TENSOR_INT32, TENSOR_FLOAT16}, DataClass::FLOAT16},
            {{TENSOR_QUANT8_ASYMM, TENSOR_QUANT16_SYMM}, DataClass::QUANT},
            {{TENSOR_QUANT8_SYMM, TENSOR_QUANT8_ASYMM_SIGNED}, DataClass::QUANT},
            {{TENSOR_QUANT8_SYMM_PER_CHANNEL, TENSOR_QUANT16_ASYMM}, DataClass::QUANT},
            {{TENSOR_QUANT8_ASYMM, TENSOR_FLOAT32}, DataClass::MIXED},
            {{TENSOR_FLOAT32, TENSOR_FLOAT16, TENSOR_FLOAT16}, DataClass::MIXED},
    };
    for (const ClassRow& row : kRows) {
        Model model;
        for (uint32_t i = 0; i < row.types.size(); ++i) {
            model.main.operands.push_back({.type = row.types[i]});
            model.main.inputIndexes.push_back(i);
        }
        const auto found = diagnose(std::move(model));
        EXPECT_EQ(static_cast<int>(found.inputs), static_cast<int>(row.wanted));
    }
    EXPECT_TRUE(diagnose(endlessLoop()).isControlFlowUsed);
}

// Everything but the weights of a model counts.
TEST(Telemetry, ArchitectureHash) {
    const auto hashOf = [](const std::function<void(Model&)>& change) {
        Model model = nn::addition();
        model.extensionNameToPrefix = {{.name = kExtension, .prefix = 5}};
        change(model);
        return runtime::architectureHash(model);
    };
    const auto same = hashOf([](Model&) {});
    const uint32_t scalar = nn::addition().main.operations[0].inputs[2];
    EXPECT_EQ(hashOf([](Model& model) {
                  model.operandValues = Model::OperandValues(std::vector<uint8_t>{1, 0, 0, 0});
              }),
              same);
    EXPECT_EQ(hashOf([&](Model& model) { model.main.operands[scalar].location.offset = 4; }), same);
    const std::function<void(Model&)> kChanges[] = {
            [](Model& model) { model.main.operands[0].type = OperandType::TENSOR_FLOAT16; },
            [](Model& model) { model.main.operands[0].dimensions = {5}; },
            [](Model& model) { model.main.operands[0].scale = 0.5f; },
            [](Model& model) { model.main.operands[0].zeroPoint = 1; },
            [](Model& model) { model.main.operands[0].lifetime = Operand::LifeTime::NO_VALUE; },
            [](Model& model) {
                model.main.operands[0].extraParams =
                        Operand::SymmPerChannelQuantParams{.scales = {1, 2}};
            },
            [](Model& model) {
                model.main.operands[0].extraParams =
                        Operand::SymmPerChannelQuantParams{.scales = {1, 3}};
            },
            [](Model& model) { model.main.operands[0].extraParams = Operand::ExtensionParams{1}; },
            [](Model& model) { model.main.operations[0].type = OperationType::MUL; },
            [](Model& model) {
                std::swap(model.main.operations[0].inputs[0], model.main.operations[0].inputs[1]);
            },
            [](Model& model) {
                model.main.inputIndexes = {1, 0};
            },
            [](Model& model) { model.referenced.emplace_back(); },
            [](Model& model) { model.main.operands[0].type = OperandType{(5 << 16) | 1}; },
            [](Model& model) {
                model.extensionNameToPrefix = {{.name = "org.example.test", .prefix = 5}};
                model.main.operands[0].type = OperandType{(5 << 16) | 1};
            },
            [](Model& model) {
                model.extensionNameToPrefix = {{.name = "net.x", .prefix = 5}};
                model.main.operands[0].type = OperandType{(5 << 16) | 1};
            },
            [](Model& model) {
                model.extensionNameToPrefix = {{.name = "net.y", .prefix = 5}};
                model.main.operands[0].type = OperandType{(5 << 16) | 1};
            },
    };
    std::set<runtime::ArchitectureHash> all{same};
    for (const auto& change : kChanges) all.insert(hashOf(change));
    EXPECT_EQ(all.size(), 1 + std::size(kChanges));
    // The name of an extension counts, not its prefix.
    EXPECT_EQ(
            hashOf([](Model& model) {
                model.extensionNameToPrefix = {{.name = kExtension, .prefix = 9}};
                model.main.operands[0].type = OperandType{(9 << 16) | 1};
            }),
            hashOf([](Model& model) { model.main.operands[0].type = OperandType{(5 << 16) | 1}; }));
}

// A library may report arbitrary values, up to the limits of their types.
TEST(Telemetry, AcceptsArbitraryValues) {
    Fixture w;
    ReceivedDiagnostics diagnostics;
    Table table = ownTable();
    auto& base = table.base;
    using Info = ANeuralNetworksDiagnosticCompilationInfo;
    base.SL_ANeuralNetworksDiagnosticCompilationInfo_getModelArchHash =
            [](const Info*) -> const uint8_t* { return nullptr; };
    base.SL_ANeuralNetworksDiagnosticCompilationInfo_getDeviceIds = [](const Info*) -> const char* {
        return nullptr;
    };
    base.SL_ANeuralNetworksDiagnosticCompilationInfo_getInputDataClass = [](const Info*) {
        return static_cast<ANeuralNetworksDiagnosticDataClass>(7);
    };
    base.SL_ANeuralNetworksDiagnosticCompilationInfo_getCompilationTimeNanos = [](const Info*) {
        return std::numeric_limits<uint64_t>::max();
    };
    (void)prepared(driver(table, diagnostics.options()));
    ASSERT_THAT(diagnostics.compilations, SizeIs(1));
    EXPECT_EQ(diagnostics.compilations[0].deviceIds, "");
    EXPECT_EQ(diagnostics.compilations[0].modelArchHash, (std::array<uint8_t, 32>{}));
    EXPECT_EQ(diagnostics.compilations[0].inputDataClass, Diagnostics::DataClass::UNKNOWN);
    EXPECT_EQ(diagnostics.compilations[0].compilationTime, std::nullopt);
    EXPECT_EQ(diagnostics.compilations[0].errorCode, OK);
}

// ---- the functions that only support libraries have

TEST(SupportFunctions, CheckTheirArguments) {
    Fixture w;
    const NnApiSLDriverImplFL5 sl = ownTable().base;
    ANeuralNetworksDevice* npu = w.device();
    auto* none = reinterpret_cast<ANeuralNetworksDevice*>(&w);
    uint32_t a = 0, b = 0;
    SL_ANeuralNetworksPerformanceInfo info{};
    const char* name = nullptr;
    const auto addType = [](SL_ANeuralNetworksExtensionOperandTypeInformation, void* count) {
        ++*static_cast<int*>(count);
    };
    const auto addInfo = [](SL_ANeuralNetworksOperandPerformanceInfo, void* count) {
        ++*static_cast<int*>(count);
    };
    int count = 0;
    const std::array<uint8_t, 32> token{};
    const int files[] = {0, -1};
    const auto getFiles = sl.SL_ANeuralNetworksDevice_getNumberOfCacheFilesNeeded;
    const auto getInfo = sl.SL_ANeuralNetworksDevice_getPerformanceInfo;
    const auto forEachInfo = sl.SL_ANeuralNetworksDevice_forEachOperandPerformanceInfo;
    const auto getCount = sl.SL_ANeuralNetworksDevice_getVendorExtensionCount;
    const auto getName = sl.SL_ANeuralNetworksDevice_getVendorExtensionName;
    const auto forEachType =
            sl.SL_ANeuralNetworksDevice_forEachVendorExtensionOperandTypeInformation;
    const auto setFiles = [&](ANeuralNetworksCompilation* compilation, const int* models,
                              uint32_t modelCount, const uint8_t* given) {
        return sl.SL_ANeuralNetworksCompilation_setCachingFromFds(compilation, models, modelCount,
                                                                  nullptr, 0, given);
    };
    struct Row {
        int found, wanted;
    } kRows[] = {
            {getFiles(npu, &a, nullptr), UNEXPECTED_NULL},
            {getFiles(none, &a, &b), BAD_DATA},
            {getInfo(npu, 0, nullptr), UNEXPECTED_NULL},
            {getInfo(none, 0, &info), BAD_DATA},
            {getInfo(npu, -1, &info), BAD_DATA},
            {getInfo(npu, 4, &info), BAD_DATA},
            {getInfo(npu, 3, &info), OK},
            {forEachInfo(npu, &count, nullptr), UNEXPECTED_NULL},
            {forEachInfo(none, &count, addInfo), BAD_DATA},
            {getCount(npu, nullptr), UNEXPECTED_NULL},
            {getCount(none, &a), BAD_DATA},
            {getName(npu, 0, nullptr), UNEXPECTED_NULL},
            {getName(npu, 1, &name), BAD_DATA},
            {getName(npu, 0, &name), OK},
            {forEachType(npu, 0, &count, nullptr), UNEXPECTED_NULL},
            {forEachType(npu, 1, &count, addType), BAD_DATA},
            {forEachType(npu, 0, &count, addType), OK},
            {setFiles(nullptr, nullptr, 0, token.data()), UNEXPECTED_NULL},
            {setFiles(w.forOne(), nullptr, 1, token.data()), UNEXPECTED_NULL},
            {setFiles(w.forOne(), nullptr, 0, nullptr), UNEXPECTED_NULL},
            {setFiles(w.done(), files, 2, token.data()), BAD_STATE},
            {setFiles(w.forAll(), nullptr, 0, token.data()), BAD_DATA},
            {setFiles(w.forOne(), files, 1, token.data()), BAD_DATA},
            {setFiles(w.forOne(), nullptr, 0, token.data()), OK},
    };
    for (size_t i = 0; i < std::size(kRows); ++i) EXPECT_EQ(kRows[i].found, kRows[i].wanted) << i;
    EXPECT_STREQ(name, kExtension);
    EXPECT_EQ(count, 2);
    // Getters have no return code.
    EXPECT_EQ(sl.SL_ANeuralNetworksDiagnosticCompilationInfo_getModelArchHash(nullptr), nullptr);
    EXPECT_EQ(sl.SL_ANeuralNetworksDiagnosticExecutionInfo_getRuntimeExecutionTimeNanos(nullptr),
              std::numeric_limits<uint64_t>::max());
    FakeOptions options = npuOptions();
    options.cacheFiles = {2, 0};
    useDevices({options});
    EXPECT_EQ(setFiles(w.forOne(), files, 2, token.data()),
              BAD_DATA);  // -1 is not open
}

// ---- the shared object

TEST(SupportLibraryFile, OpensAsTheDevicesThatItHas) {
    const auto devices = openSupportLibrary(NNAPI_SUPPORT_LIBRARY);
    ASSERT_TRUE(devices.has_value()) << devices.error().message;
    std::vector<std::string> names;
    for (const SharedDevice& device : *devices) names.push_back(device->getName());
    EXPECT_THAT(names, ElementsAre("nnapi-host", "nnapi-sample_sl"));
    for (const SharedDevice& device : *devices) {
        Sum values;
        EXPECT_TRUE(prepared(device)
                            ->execute(values.request(), MeasureTiming::NO, {}, {}, {}, {})
                            .has_value());
        EXPECT_THAT(values.z, ElementsAre(11, 22, 33, 44));
    }
}

// A registry recognizes the kind of a shared object by its entry point.
TEST(SupportLibraryFile, OpensWherePlugInsDo) {
    const std::string path = NNAPI_SUPPORT_LIBRARY;
    DeviceRegistry registry;
    EXPECT_EQ(registry.open(path + ":nnapi-sample_sl").value()->getName(), "nnapi-sample_sl");
    EXPECT_EQ(registry.open(path + ":nnapi-sample_sl@1.2").value()->getFeatureLevel(),
              kVersionFeatureLevel3);
    EXPECT_EQ(registry.open(path).error().message,
              "plug-in " + path + " has several devices, say which: " + path +
                      ":nnapi-host; it has nnapi-host, nnapi-sample_sl");
    ASSERT_THAT(registry.registerPlugin(path).value(), SizeIs(2));
    EXPECT_THAT(registry.names(), ElementsAre("nnapi-host", "nnapi-sample_sl", "nnapi-reference"));
    EXPECT_EQ(openSupportLibrary(NNAPI_PLUGINS "/example_add_plugin.so").error().message,
              "plug-in " NNAPI_PLUGINS
              "/example_add_plugin.so has no function ANeuralNetworks_getSLDriverImpl");
}

// A device computes the same as a plug-in and as a support library, except for functions that the
// table lacks.
TEST(SupportLibraryFile, IsADriverLikeItsPlugIn) {
    const std::string path = NNAPI_PLUGINS "/nnapi_exported.so";
    DeviceRegistry registry;
    const auto plugin = registry.open(path);
    ASSERT_TRUE(plugin.has_value()) << plugin.error().message;
    const auto library = openSupportLibrary(path);
    ASSERT_TRUE(library.has_value()) << library.error().message;
    ASSERT_THAT(*library, SizeIs(1));
    EXPECT_EQ((*plugin)->getVersionString(), library->front()->getVersionString());
    using enum nn::testing::DeviceOutcome::Result;
    int passed = 0;
    for (const auto& each :
         nn::testing::listCases({.randomModels = 5, .drawnModels = 0, .executions = 100})) {
        const auto wanted = runCase(*plugin, each), found = runCase(library->front(), each);
        passed += found.result == PASSED;
        const std::string outcome = toString(found);
        if (outcome.ends_with("(a support library prepares nothing without the model)")) continue;
        EXPECT_EQ(found.result, wanted.result)
                << each.name << ": " << outcome << ", as a plug-in " << toString(wanted);
    }
    EXPECT_GT(passed, 100);
}

// A plug-in built for another version of the library opens through its table.
TEST(SupportLibraryFile, OpensWhereThePlugInIsOfAnotherBuild) {
    DeviceRegistry registry;
    const auto device = registry.open(NNAPI_PLUGINS "/nnapi_exported_by_another_build.so");
    ASSERT_TRUE(device.has_value()) << device.error().message;
    Sum values;
    EXPECT_TRUE(prepared(*device)
                        ->execute(values.request(), MeasureTiming::NO, {}, {}, {}, {})
                        .has_value());
    EXPECT_THAT(values.z, ElementsAre(11, 22, 33, 44));
}

TEST(SupportLibraryFile, HasNoTableIfADeviceDoesNotOpen) {
    ::testing::internal::CaptureStderr();
    const auto devices = openSupportLibrary(NNAPI_PLUGINS "/nnapi_exported_without_board.so");
    EXPECT_EQ(::testing::internal::GetCapturedStderr(),
              "nnapi: support library: device exported does not open: there is no board\n");
    EXPECT_EQ(devices.error().message,
              "support library " NNAPI_PLUGINS
              "/nnapi_exported_without_board.so has failed: its entry returns null");
}

// In the configuration of libneuralnetworks.so, whose own nnapi-host comes after it.
TEST(SupportLibraryFile, IsADeviceOfTheRuntime) {
    runtime::Configuration configuration;
    configuration.devices = {{.spec = NNAPI_SUPPORT_LIBRARY}};
    configuration.hasHost = false;
    const auto made = runtime::Runtime::create(configuration);
    std::vector<std::string> names;
    for (const auto& device : made->devices()) names.push_back(device->name);
    EXPECT_THAT(names, ElementsAre("nnapi-host", "nnapi-sample_sl", "nnapi-reference"));
}

// Log messages about the calls of a support library name the device and its version.
TEST(SupportLibraryFile, WritesToTheLog) {
    std::mutex mutex;
    std::string all;
    const auto log = std::make_shared<const Log>(
            [&](const LogRecord& record) {
                const std::lock_guard lock(mutex);
                all += toString(record) + "\n";
            },
            maskOf(VlogTag::DRIVER));
    DeviceRegistry registry({.log = log});
    const auto device = registry.open(NNAPI_SUPPORT_LIBRARY ":nnapi-sample_sl");
    ASSERT_TRUE(device.has_value()) << device.error().message;
    (void)prepared(*device);
    EXPECT_THAT(all, HasSubstr("compiles by nnapi-sample_sl=JUST_AN_EXAMPLE: code 0 in "));
    (void)openSupportLibrary(NNAPI_SUPPORT_LIBRARY, {.onExecution = [](const auto&) {}});
}

}  // namespace
}  // namespace nn::c_api::support
