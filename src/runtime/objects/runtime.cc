#include "runtime/objects/runtime.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>

#include "base/files.h"
#include "base/printable.h"
#include "base/status_message.h"
#include "nnapi/driver/registry.h"
#include "nnapi/driver/sample.h"
#include "nnapi/driver/trace.h"
#include "runtime/devices/host_device.h"
#include "runtime/extras/extras.h"
#ifdef NNAPI_HAS_XNNPACK
#include "nnapi/driver/xnnpack.h"
#endif

namespace nn::runtime {
namespace {

constexpr size_t kFencedThreads = 2;

// The performance of the reference, the baseline for all others.
constexpr Capabilities::PerformanceInfo kReference = {.execTime = 1.0f, .powerUsage = 1.0f};

SharedLog logOf(VlogMask mask) {
    return std::make_shared<const Log>(
            [](const LogRecord& record) {
                const std::string line = toString(record) + "\n";
                (void)std::fwrite(line.data(), 1, line.size(), stderr);
            },
            mask);
}

// The log that drivers write to; none unless NNAPI_VLOG enables it.
SharedLog logForDevices(const SharedLog& log, VlogMask mask) {
    return mask == kVlogNone ? nullptr : log;
}

RegistryOptions optionsOf(const Configuration& configuration, const SharedLog& log) {
    RegistryOptions options{.reference = {.versionString = "UNKNOWN",
                                          .capabilities = sameForAll(kReference),
                                          .fencedThreads = kFencedThreads,
                                          .log = log,
                                          .hasCache = false},
                            .log = log};
    if (!configuration.enabled.empty()) {
        auto filter = NameFilter::create(configuration.enabled);
        if (filter.has_value()) options.enabled = *std::move(filter);
    }
    return options;
}

// Addresses are unix:PATH and HOST:PORT. Names have no colon, and a path has none before its first
// '/'.
bool mayBeAddress(const std::string& spec) {
    return spec.find(':') != std::string::npos && !hasPluginPath(spec);
}

// Devices that a configuration may name, apart from plug-ins.
Result<DeviceRegistry> registryFor(const ConfiguredDevice& configured, const SharedLog& log) {
    RegistryOptions options{.log = log};
    if (mayBeAddress(configured.spec)) {
        NNAPI_ASSIGN_OR_RETURN(more, extras());
        more->openAddresses(options, configured);
    }
    DeviceRegistry registry(std::move(options));
    registerSampleDevices(registry, kFencedThreads, log);
#ifdef NNAPI_HAS_XNNPACK
    (void)registry.registerDevice("nnapi-xnnpack", [log] { return xnnpackDevice({.log = log}); });
#endif
    return registry;
}

// The server of an address "SERVER#DEVICE@VERSION", and the options for reaching it.
ConfiguredDevice serverOf(ConfiguredDevice configured) {
    std::string& spec = configured.spec;
    const size_t at = spec.rfind('@');
    if (at != std::string::npos && parseHalVersion(std::string_view(spec).substr(at + 1)))
        spec.resize(at);
    spec.resize(std::min(spec.find('#'), spec.size()));
    return configured;
}

Status addDevices(DeviceRegistry& registry, const ConfiguredDevice& configured,
                  const SharedLog& log) {
    const std::string& spec = configured.spec;
    const bool isWholePlugin =
            hasPluginPath(spec) && spec.find_first_of("@:", spec.rfind('/')) == std::string::npos;
    if (isWholePlugin) return registry.registerPlugin(spec).status();
    NNAPI_ASSIGN_OR_RETURN(own, registryFor(configured, log));
    NNAPI_ASSIGN_OR_RETURN(devices, own.openAll(spec));
    for (SharedDevice& device : devices) {
        NNAPI_RETURN_IF_ERROR(registry.registerDevice(std::move(device)).status());
    }
    return {};
}

// The trace that is written when the process ends; a later file replaces an earlier one.
struct TraceFile {
    std::string path{};
    SharedTrace trace{};
};
TraceFile* gTraceFile = nullptr;  // never freed, since other threads may still trace

void writeTrace() {
    const std::filesystem::path path = gTraceFile->path;
    std::error_code ignored;
    // Symbolic links are not followed, since others may have put them there; devices such as
    // /dev/stderr are not replaced.
    const bool isLink = std::filesystem::is_symlink(path, ignored);
    const Status written =
            isLink ? makeError(ErrorStatus::INVALID_ARGUMENT,
                               printable(path.string()) + ": is a link, allowed is a regular file")
                   : writeFileIn(path.parent_path(), path.filename().string(),
                                 gTraceFile->trace->json());
    if (!written.ok()) {
        std::fprintf(stderr, "NNAPI_TRACE: %s\n", std::string(written.message()).c_str());
    }
}

// From here on each call of a device is a slice of the trace.
void traceUntilExit(const std::string& path, std::vector<PlanDevice>& devices) {
    const bool isFirst = gTraceFile == nullptr;
    gTraceFile = new TraceFile{path, std::make_shared<Trace>()};
    for (PlanDevice& each : devices) each.device = traced(each.device, gTraceFile->trace);
    if (isFirst) (void)std::atexit(writeTrace);
}

std::shared_ptr<Report>* gReport = nullptr;  // never freed, like the trace

void writeReport() {
    const std::string text = (*gReport)->text();
    (void)std::fwrite(text.data(), 1, text.size(), stderr);
}

std::shared_ptr<Report> reportAtExit() {
    const bool isFirst = gReport == nullptr;
    gReport = new std::shared_ptr<Report>(std::make_shared<Report>());
    if (isFirst) (void)std::atexit(writeReport);
    return *gReport;
}

}  // namespace

std::unique_ptr<const Runtime> Runtime::create(const Configuration& configuration) {
    const SharedLog log = logOf(configuration.vlog);
    for (const std::string& complaint : configuration.complaints) {
        NNAPI_LOG(log, WARNING) << complaint;
    }
    if (!configuration.enabled.empty()) {
        const auto filter = NameFilter::create(configuration.enabled);
        if (!filter.has_value()) {
            NNAPI_LOG(log, WARNING) << "NNAPI_DEVICES: " << filter.error().message;
        }
    }
    const SharedLog deviceLog = logForDevices(log, configuration.vlog);
    DeviceRegistry registry(optionsOf(configuration, deviceLog));
    // Each is tried once, since waiting for a silent one takes seconds.
    std::vector<ConfiguredDevice> unavailable;
    for (const ConfiguredDevice& each : configuration.devices) {
        const ConfiguredDevice server = serverOf(each);
        const bool isTried = std::ranges::find(unavailable, server) != unavailable.end();
        const Status added = isTried ? makeError(ErrorStatus::DEVICE_UNAVAILABLE,
                                                 "unavailable, as for an earlier device")
                                     : addDevices(registry, each, deviceLog);
        if (!added.ok()) {
            if (errorStatus(added) == ErrorStatus::DEVICE_UNAVAILABLE && mayBeAddress(each.spec))
                unavailable.push_back(server);
            NNAPI_LOG(log, WARNING)
                    << "device " << printable(each.spec) << ": " << std::string(added.message());
        }
    }
    if (configuration.hasHost) {
        const auto added = registry.registerDevice(hostDevice(deviceLog));
        if (!added.has_value()) NNAPI_LOG(log, WARNING) << added.error().message;
    }
    std::vector<Status> refused;
    std::vector<PlanDevice> devices;
    for (SharedDevice& device : registry.devices(&refused)) {
        const bool isCpu = device->getName() == kReferenceDeviceName;
        devices.push_back(planDevice(std::move(device)));
        devices.back().isCpu = isCpu;
    }
    for (const Status& status : refused) {
        NNAPI_LOG(log, WARNING) << std::string(status.message());
    }
    Options options{.partitioning = configuration.partitioning,
                    .cpuOnly = configuration.cpuOnly,
                    .log = log};
    if (!configuration.record.empty()) {
        if (const auto more = extras(); more.ok()) {
            options.recorder = (*more)->makeRecorder(configuration.record,
                                                     configuration.recordedExecutions, log);
        } else {
            NNAPI_LOG(log, WARNING) << "NNAPI_RECORD: " << messageOf(more.status());
        }
    }
    if (configuration.hasReport) options.report = reportAtExit();
    if (!configuration.trace.empty()) traceUntilExit(configuration.trace, devices);
    return std::make_unique<const Runtime>(std::move(devices), std::move(options));
}

// Programs with raised privileges do not read the environment.
std::unique_ptr<const Runtime> makeRuntime() {
    return Runtime::create(readConfiguration([](const char* name) { return secure_getenv(name); }));
}

}  // namespace nn::runtime
