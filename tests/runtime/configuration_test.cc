// Devices and options that the environment and the device file configure.
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "driver/fences/fences.h"
#include "driver/models.h"
#include "nnapi/driver/registry.h"
#include "runtime/c_api_objects.h"
#include "runtime/devices/configuration.h"
#include "runtime/devices/pointer_staging.h"
#include "temporary_folder.h"

namespace nn::runtime::configuration {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

Configuration read(const std::map<std::string, std::string>& variables) {
    return readConfiguration([&](const char* name) {
        const auto row = variables.find(name);
        return row == variables.end() ? nullptr : row->second.c_str();
    });
}

std::string repeated(std::string_view text, int times) {
    std::string all;
    for (int i = 0; i < times; ++i) all += text;
    return all;
}

std::vector<std::string> namesOf(const Runtime& runtime) {
    std::vector<std::string> names;
    for (const auto& device : runtime.devices()) names.push_back(device->name);
    return names;
}

std::vector<std::string> namesOf(const Configuration& configuration) {
    return namesOf(*Runtime::create(configuration));
}

TEST(Configuration, WithoutOneThereAreTheHostAndTheReference) {
    const Configuration configuration = read({});
    EXPECT_THAT(configuration.complaints, IsEmpty());
    EXPECT_EQ(configuration.partitioning, PlanOptions::Partitioning::WITH_FALLBACK);
    EXPECT_THAT(namesOf(configuration), ElementsAre("nnapi-host", "nnapi-reference"));
}

TEST(Configuration, VariablesAndWhatIsWrongWithThem) {
    const struct {
        const char* name;
        const char* value;
        const char* complaint;  // null if there is none
    } kRows[] = {
            {"NNAPI_PARTITION", "0", nullptr},
            {"NNAPI_PARTITION", "2", nullptr},
            {"NNAPI_PARTITION", "3", "NNAPI_PARTITION is 3, allowed 0, 1 and 2"},
            {"NNAPI_CPU_ONLY", "1", nullptr},
            {"NNAPI_CPU_ONLY", "yes", "NNAPI_CPU_ONLY is yes, allowed 0 and 1"},
            {"NNAPI_RECORD_EXECUTIONS", "12", nullptr},
            {"NNAPI_RECORD_EXECUTIONS", "-1", "NNAPI_RECORD_EXECUTIONS is -1, allowed a number"},
            {"NNAPI_REPORT", "1", nullptr},
            {"NNAPI_REPORT", "yes", "NNAPI_REPORT is yes, allowed 0 and 1"},
            {"NNAPI_VLOG", "execution", nullptr},
            {"NNAPI_VLOG", "x",
             "NNAPI_VLOG has the unknown tag x, allowed all, model, compilation, execution, "
             "cpuexe, manager, driver, memory"},
            {"NNAPI_CONFIG", "/no/such/file",
             "NNAPI_CONFIG: /no/such/file: No such file or directory"},
            {"NNAPI_CONFIG", "/dev/zero", "NNAPI_CONFIG: /dev/zero: is not a regular file"},
            {"NNAPI_CONFIG", "/", "NNAPI_CONFIG: /: is not a regular file"},
            {"NNAPI_CONFIG", "/proc/self/status",
             "NNAPI_CONFIG: /proc/self/status: is not a regular file"},
            {"NNAPI_PARTITION", "", nullptr},
    };
    for (const auto& row : kRows) {
        const Configuration configuration = read({{row.name, row.value}});
        if (row.complaint == nullptr) {
            EXPECT_THAT(configuration.complaints, IsEmpty()) << row.name;
        } else {
            EXPECT_THAT(configuration.complaints, ElementsAre(row.complaint));
        }
    }
    EXPECT_EQ(read({{"NNAPI_PARTITION", "0"}}).partitioning, PlanOptions::Partitioning::NO);
    EXPECT_EQ(read({{"NNAPI_PARTITION", "2"}}).partitioning,
              PlanOptions::Partitioning::WITHOUT_FALLBACK);
    EXPECT_EQ(read({{"NNAPI_VLOG", "execution"}}).vlog, maskOf(VlogTag::EXECUTION));
}

// The pipe has no writer: reading it would block forever.
TEST(Configuration, TheFileIsNoPipe) {
    const TemporaryFolder folder;
    const std::string pipe = folder / "pipe";
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_THAT(read({{"NNAPI_CONFIG", pipe}}).complaints,
                ElementsAre("NNAPI_CONFIG: " + pipe + ": is not a regular file"));
}

TEST(Configuration, ComplaintsRepeatTheBeginningOfWhatIsWrong) {
    // The limit falls within the last character.
    const std::string shown = "ab" + repeated("模", 84), wrong = shown + "模型";
    EXPECT_THAT(
            read({{"NNAPI_VLOG", "model," + wrong}}).complaints,
            ElementsAre(StartsWith("NNAPI_VLOG has the unknown tag " + shown + "..., allowed")));
    EXPECT_THAT(read({{"NNAPI_PARTITION", wrong}}).complaints,
                ElementsAre("NNAPI_PARTITION is " + shown + "..., allowed 0, 1 and 2"));
    EXPECT_THAT(read({{"NNAPI_REPORT", wrong}}).complaints,
                ElementsAre("NNAPI_REPORT is " + shown + "..., allowed 0 and 1"));
    EXPECT_THAT(read({{"NNAPI_RECORD_EXECUTIONS", wrong}}).complaints,
                ElementsAre("NNAPI_RECORD_EXECUTIONS is " + shown + "..., allowed a number"));
    std::istringstream lines(wrong);
    Configuration configuration;
    readDevices(lines, "devices", configuration);
    EXPECT_THAT(configuration.complaints,
                ElementsAre(StartsWith("devices:1: \"" + shown + "\"... is no statement")));
}

// A damaged file, or one of another kind, costs an application neither time nor memory.
TEST(Configuration, TheFileIsBounded) {
    const auto linesOf = [](const std::string& line, size_t count) {
        std::istringstream lines(repeated(line + "\n", count));
        Configuration configuration;
        readDevices(lines, "devices", configuration);
        return configuration;
    };
    const Configuration wrong = linesOf("wrong", 1000);
    ASSERT_EQ(wrong.complaints.size(), 17u);
    EXPECT_THAT(wrong.complaints.back(),
                "devices:17: this line and those after it are not read, after 0 devices and 16 "
                "wrong lines");
    const Configuration many = linesOf("device nnapi-reference", 1000);
    EXPECT_EQ(many.devices.size(), 256u);
    EXPECT_EQ(many.complaints.size(), 1u);

    const TemporaryFolder folder;
    const std::string file = folder / "large";
    std::ofstream(file) << std::string((1 << 20) + 1, '#');
    EXPECT_THAT(read({{"NNAPI_CONFIG", file}}).complaints,
                ElementsAre("NNAPI_CONFIG: " + file +
                            ": has 1048577 bytes, allowed 1048576 [limits.file_bytes]"));
}

// Like an application: a compilation and two executions, one of which is recorded.
TEST(Configuration, CompilationsAreRecorded) {
    const TemporaryFolder folder;
    const Configuration configuration =
            read({{"NNAPI_RECORD", folder / "made"}, {"NNAPI_RECORD_EXECUTIONS", "1"}});
    setRuntime(Runtime::create(configuration));
    const c_api::OwnedModel model = c_api::addition();
    const c_api::OwnedCompilation compilation = c_api::compiled(model, /*isForOne=*/false);
    for (int i = 0; i < 2; ++i) {
        const c_api::OwnedExecution execution = c_api::executionOf(compilation);
        c_api::Values values;
        values.set(execution);
        EXPECT_EQ(ANeuralNetworksExecution_compute(execution), c_api::OK);
        EXPECT_EQ(values.z, c_api::Values::kSum);
    }
    const std::string name = "model_" + std::to_string(getpid()) + "_1";
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder / "made")) {
        names.push_back(entry.path().filename());
    }
    EXPECT_THAT(names, testing::UnorderedElementsAre(name + ".pb", name + "_execution_1.jsonl"));
}

TEST(Configuration, ReportsSayWhoExecutesWhat) {
    FakeOptions npu{.name = "npu"};
    npu.supports = [](const Operation&) { return false; };
    const auto report = std::make_shared<Report>();
    c_api::useDevices({std::move(npu)}, {.report = report});
    const c_api::OwnedModel model = c_api::addition();
    const c_api::OwnedCompilation compilation = c_api::compiled(model, /*isForOne=*/false);
    const c_api::OwnedCompilation refused = c_api::compilationOf(model, /*isForOne=*/true);
    EXPECT_EQ(ANeuralNetworksCompilation_finish(refused), ANEURALNETWORKS_BAD_DATA);
    report->addFallback("npu", makeError(ErrorStatus::DEAD_OBJECT, "it is\ngone"));
    EXPECT_EQ(report->text(),
              "1 model\n"
              "nnapi-reference executes ADD 1\n"
              "left by npu: not supported: ADD 1\n"
              "not compiled 1 time, by npu: main.operations[0] ADD: no device supports it\n"
              "failed 1 time, npu: it is\\ngone\n");
}

// A device behind an overlay can report more, also through a tracing wrapper.
TEST(Configuration, ReportsSayWhatAnOverlayDoesNotAllow) {
    const DeviceProfile overlay{
            .operations = {{.type = OperationType::ADD,
                            .operands = {{.name = "input0",
                                          .types = {OperandType::TENSOR_QUANT8_ASYMM}}}}}};
    const SharedDevice npu = referenceDevice({.name = "npu", .overlay = overlay});
    const auto report = std::make_shared<Report>();
    setRuntime(std::make_unique<const Runtime>(
            std::vector<PlanDevice>{{takingPointers(npu)}, {referenceDevice(), /*isCpu=*/true}},
            Runtime::Options{.report = report}));
    const c_api::OwnedModel model = c_api::addition();
    const c_api::OwnedCompilation compilation = c_api::compiled(model, /*isForOne=*/false);
    EXPECT_EQ(report->text(),
              "1 model\n"
              "nnapi-reference executes ADD 1\n"
              "left by npu: input 0 'input0' is TENSOR_FLOAT32, allowed TENSOR_QUANT8_ASYMM on the "
              "device [device.types]: ADD 1\n");
}

TEST(Configuration, TheFileListsDevicesInTheirOrder) {
    std::istringstream lines(
            "# what this machine has\n"
            "device ./libnpu.so   # next to this file\n"
            "\n"
            "  device\t/opt/other.so\n"
            "device unix:/run/npu#one # of several\n"
            "device unix:run/npu#two@1.2\n"
            "device nnapi-sample_all\n"
            "tls-cert keys/my npu.pem\n"
            "tls-key /etc/keys/npu.key\n"
            "tls-ca ca.pem  # a comment\n"
            "device npu:8000\n"
            "tls-name board\n"
            "insecure-plain-tcp on\n"
            "heartbeat 60000\n"
            "device npu:8001\n"
            "host off\r\n"
            "host maybe\n"
            "device\n"
            "tls-key\n"
            "insecure-plain-tcp\n"
            "heartbeat 1s\n"
            "heartbeat -1\n"
            "heartbeat 4294967296\n"
            "divice x\n");
    Configuration configuration;
    readDevices(lines, "/etc/nnapi/devices", configuration);
    std::vector<std::string> specs;
    for (const ConfiguredDevice& device : configuration.devices) specs.push_back(device.spec);
    EXPECT_THAT(specs, ElementsAre("/etc/nnapi/./libnpu.so", "/opt/other.so", "unix:/run/npu#one",
                                   "unix:/etc/nnapi/run/npu#two@1.2", "nnapi-sample_all",
                                   "npu:8000", "npu:8001"));
    EXPECT_TRUE(configuration.devices[4].credentials.empty());
    // Options apply to the devices on later lines.
    for (const size_t i : {5, 6}) {
        const ConfiguredDevice& device = configuration.devices[i];
        EXPECT_EQ(device.credentials.certificate, "/etc/nnapi/keys/my npu.pem");
        EXPECT_EQ(device.credentials.key, "/etc/keys/npu.key");
        EXPECT_EQ(device.credentials.authorities, "/etc/nnapi/ca.pem");
        EXPECT_EQ(device.serverName, i == 5 ? "" : "board");
        EXPECT_EQ(device.insecurePlainTcp, i == 6);
        EXPECT_EQ(device.heartbeat.has_value(), i == 6);
    }
    EXPECT_FALSE(configuration.hasHost);
    EXPECT_THAT(
            configuration.complaints,
            ElementsAre(StartsWith("/etc/nnapi/devices:17: \"host maybe\" is no statement"),
                        StartsWith("/etc/nnapi/devices:18: \"device\" is no statement"),
                        StartsWith("/etc/nnapi/devices:19: \"tls-key\" is no statement"),
                        StartsWith("/etc/nnapi/devices:20: \"insecure-plain-tcp\" is no statement"),
                        StartsWith("/etc/nnapi/devices:21: \"heartbeat 1s\" is no statement"),
                        StartsWith("/etc/nnapi/devices:22: \"heartbeat -1\" is no statement"),
                        StartsWith("/etc/nnapi/devices:23: \"heartbeat 4294967296\" is no "),
                        "/etc/nnapi/devices:24: \"divice x\" is no statement, allowed device SPEC, "
                        "host on or off, tls-cert, tls-key and tls-ca FILE, tls-name NAME, "
                        "insecure-plain-tcp on or off, heartbeat MS"));
}

TEST(Configuration, PluginsAndFilters) {
    const std::string plugin = NNAPI_PLUGINS "/example_add_plugin.so";
    const TemporaryFolder folder;
    const std::string file = folder / "devices";
    std::ofstream(file) << "device " << plugin << "\ndevice ./no_such.so\n";
    const Configuration all = read({{"NNAPI_CONFIG", file}});
    const std::vector<std::string> names = namesOf(all);
    ASSERT_EQ(names.size(), 3u);  // devices that do not open are omitted
    EXPECT_EQ(names[1], "nnapi-host");
    EXPECT_EQ(names[2], "nnapi-reference");
    EXPECT_THAT(namesOf(read({{"NNAPI_CONFIG", file}, {"NNAPI_DEVICES", names[0]}})),
                ElementsAre(names[0], "nnapi-reference"));
    EXPECT_THAT(namesOf(read({{"NNAPI_CONFIG", file}, {"NNAPI_DEVICES", "nobody"}})),
                ElementsAre("nnapi-reference"));
    // An invalid expression disables the filter.
    EXPECT_THAT(namesOf(read({{"NNAPI_DEVICES", "("}})),
                ElementsAre("nnapi-host", "nnapi-reference"));
}

// The devices of this library, by their full names.
TEST(Configuration, DevicesOfThisLibrary) {
    const auto with = [](const std::vector<std::string>& specs) {
        Configuration configuration{.hasHost = false};
        for (const std::string& spec : specs) configuration.devices.push_back({.spec = spec});
        return namesOf(configuration);
    };
    EXPECT_THAT(with({"nnapi-sample_quant", "nnapi-sample_all@1.2"}),
                ElementsAre("nnapi-sample_quant", "nnapi-sample_all", "nnapi-reference"));
#ifdef NNAPI_HAS_XNNPACK
    EXPECT_THAT(with({"nnapi-xnnpack"}), ElementsAre("nnapi-xnnpack", "nnapi-reference"));
#endif
    for (const char* spec : {"nnapi-sample_quantum", "nnapi-xnnpackfoo", "nnapi-host", "./no.so"}) {
        EXPECT_THAT(with({spec}), ElementsAre("nnapi-reference")) << spec;
    }
}

// Like the example device, it accepts only arguments in pools.
TEST(Configuration, DriversNeedNotTakePointers) {
    const SharedDevice device = takingPointers(fakeDevice(FakeOptions{.takesPointers = false}));
    std::vector<PlanDevice> devices = {{device}, {referenceDevice(), true}};
    setRuntime(std::make_unique<const Runtime>(std::move(devices), Runtime::Options{}));
    const c_api::OwnedModel model = c_api::addition();
    const c_api::OwnedCompilation compilation = c_api::compiled(model);
    for (const bool isReusable : {false, true}) {
        for (const c_api::ExecutionMode mode : c_api::kModes) {
            const c_api::OwnedExecution execution = c_api::executionOf(compilation);
            EXPECT_EQ(ANeuralNetworksExecution_setReusable(execution, isReusable), c_api::OK);
            c_api::Values values;
            values.set(execution);
            EXPECT_EQ(c_api::executeIn(mode, compilation, execution), c_api::OK);
            EXPECT_EQ(values.z, c_api::Values::kSum);
        }
    }
}

// Executions stay in a burst as long as the driver's burst accepts their pointers.
TEST(Configuration, BurstsTakePointersAsTheirDriversDo) {
    struct CountingBurst final : ForwardingBurst {
        CountingBurst(SharedBurst inner, std::atomic<int>& c)
            : ForwardingBurst(std::move(inner)), count(c) {}
        ExecutionResult<Executed> execute(
                const Request& request, MeasureTiming measure, const OptionalTimePoint& deadline,
                const OptionalDuration& loop, const std::vector<TokenValuePair>& hints,
                const std::vector<ExtensionNameAndPrefix>& prefixes) const override {
            ++count;
            return ForwardingBurst::execute(request, measure, deadline, loop, hints, prefixes);
        }
        std::atomic<int>& count;
    };
    // The first execution detects it.
    for (const auto& [takesPointers, executions] : {std::pair(true, 6), std::pair(false, 1)}) {
        std::atomic<int> count = 0;
        const auto counting = [&count](SharedBurst made) -> GeneralResult<SharedBurst> {
            return SharedBurst(std::make_shared<const CountingBurst>(std::move(made), count));
        };
        const SharedDevice device = takingPointers(fakes::hooked(
                fakeDevice(FakeOptions{.takesPointers = takesPointers}), {.burst = counting}));
        const SharedPreparedModel model = prepareOn(*device, addition()).value();
        const SharedBurst burst = model->configureExecutionBurst().value();
        Sum sum;
        const auto execution =
                burst->createReusableExecution(sum.request(), MeasureTiming::NO, {}, {}, {});
        ASSERT_TRUE(execution.has_value());
        for (int i = 0; i < 3; ++i) {
            sum.z.assign(4, 0);
            EXPECT_TRUE(
                    burst->execute(sum.request(), MeasureTiming::NO, {}, {}, {}, {}).has_value());
            EXPECT_THAT(sum.z, ElementsAre(11, 22, 33, 44));
            sum.z.assign(4, 0);
            EXPECT_TRUE((*execution)->compute({}).has_value());
            EXPECT_THAT(sum.z, ElementsAre(11, 22, 33, 44));
        }
        EXPECT_EQ(count, executions) << takesPointers;
        const auto launched = (*execution)->computeFenced({}, {}, {});
        ASSERT_TRUE(launched.has_value());
        EXPECT_EQ(launched->first.syncWait({}), SyncFence::FenceState::SIGNALED);
        // ThreadSanitizer does not know that a fence orders the accesses before and after it.
        EXPECT_TRUE(launched->second().has_value());
    }
}

// For such a driver, inputs are copied once they are available.
TEST(Configuration, InputsOfMovedExecutionsAreThoseOfTheFences) {
    const auto prepared = [](Duration ceiling) {
        const SharedDevice device =
                takingPointers(fakeDevice(FakeOptions{.takesPointers = false}), ceiling);
        return prepareOn(*device, addition()).value();
    };
    const SharedPreparedModel model = prepared(std::chrono::minutes(1));
    Sum sum;
    const auto execution =
            model->createReusableExecution(sum.request(), MeasureTiming::YES, {}, {}, {}).value();
    for (const float x : {5.f, 7.f, 9.f}) {
        const Fence fence;
        const auto launched = launchedBefore(
                [&] {
                    overwrite(sum.x, x);
                    fence.signal();
                },
                [&] {
                    if (x > 7) return execution->computeFenced({fence.get()}, {}, {});
                    return model->executeFenced(sum.request(), {fence.get()}, MeasureTiming::YES,
                                                {}, {}, {}, {}, {});
                });
        ASSERT_TRUE(launched.has_value()) << launched.error().message;
        EXPECT_THAT(sum.z, ElementsAre(x + 10, x + 20, x + 30, x + 40));
        const auto [sinceLaunch, sinceFences] = launched->second().value();
        EXPECT_GE(sinceLaunch.timeInDriver, sinceFences.timeInDriver);
    }
    const Fence never;
    EXPECT_THAT(
            prepared(kSoon)->executeFenced(sum.request(), {never.get()}, {}, {}, {}, {}, {}, {}),
            Refuses(ErrorStatus::GENERAL_FAILURE,
                    "the fences before executeFenced: no result for 100 ms, the most to wait "
                    "without a deadline"));
}

// If a driver never signals, or its fence fails, a fenced execution with copied arguments still
// ends.
TEST(Configuration, FencesOfMovedExecutionsAreNotWaitedForLonger) {
    using namespace std::chrono_literals;
    const struct {
        Duration timeout;  // 0 means none
        Duration ceiling;
        bool isGone;  // whether the signaler has exited
        ErrorStatus code;
        const char* message;
    } kRows[] = {
            {0s, 20ms, false, ErrorStatus::GENERAL_FAILURE,
             "the fence of the execution: no result for 20 ms, the most to wait without a "
             "deadline"},
            {20ms, 1min, false, ErrorStatus::MISSED_DEADLINE_TRANSIENT,
             "the fence of the execution: no result before the deadline"},
            {0s, 1min, true, ErrorStatus::GENERAL_FAILURE, "the fence of the execution has failed"},
    };
    for (const auto& row : kRows) {
        std::vector<driver::OwnFence> fences;
        FakeOptions options{.takesPointers = false};
        options.onLaunched = [&](GeneralResult<ExecutedFenced> launched) {
            driver::OwnFence own = *driver::OwnFence::create();
            launched = ExecutedFenced{own.fence(), [] { return FencedTimings(); }};
            if (!row.isGone) fences.push_back(std::move(own));
            return launched;
        };
        const SharedDevice device = takingPointers(fakeDevice(std::move(options)), row.ceiling);
        const SharedPreparedModel model = prepareOn(*device, addition()).value();
        Sum sum;
        OptionalTimePoint deadline;
        if (row.timeout != 0s) deadline = makeDeadline(row.timeout);
        const auto launched = model->executeFenced(sum.request(), {}, MeasureTiming::NO, deadline,
                                                   {}, {}, {}, {});
        ASSERT_FALSE(launched.has_value());
        EXPECT_EQ(launched.error().code, row.code);
        EXPECT_EQ(launched.error().message, row.message);
    }
}

TEST(Configuration, CpuOnlyIsForApplicationsThatChooseNoDevice) {
    const auto runtime = Runtime::create(read({{"NNAPI_CPU_ONLY", "1"}}));
    EXPECT_THAT(namesOf(*runtime), ElementsAre("nnapi-host", "nnapi-reference"));
    ASSERT_EQ(runtime->devicesForAll().size(), 1u);
    EXPECT_TRUE(runtime->devicesForAll()[0].isCpu);
}

TEST(Configuration, TheReferenceIsAsFastAsItself) {
    const auto runtime = Runtime::create({});
    const ANeuralNetworksDevice& reference = *runtime->devices().back();
    EXPECT_EQ(reference.version, "UNKNOWN");
    EXPECT_EQ(reference.device->getType(), DeviceType::CPU);
    EXPECT_EQ(reference.device->getNumberOfCacheFilesNeeded(), std::pair(0u, 0u));
    EXPECT_THAT(reference.device->getSupportedExtensions(), IsEmpty());
    const Capabilities& capabilities = reference.device->getCapabilities();
    const Capabilities::PerformanceInfo one = {1.0f, 1.0f};
    EXPECT_EQ(capabilities.ifPerformance, one);
    EXPECT_EQ(capabilities.whilePerformance, one);
    EXPECT_EQ(capabilities.relaxedFloat32toFloat16PerformanceTensor, one);
    EXPECT_EQ(capabilities.operandPerformance.lookup(OperandType::TENSOR_FLOAT32), one);
}

}  // namespace
}  // namespace nn::runtime::configuration
