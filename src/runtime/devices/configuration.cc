#include "runtime/devices/configuration.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <sstream>

#include "base/files.h"
#include "base/printable.h"
#include "base/status_message.h"
#include "nnapi/driver/registry.h"

namespace nn::runtime {
namespace {

constexpr std::string_view kBlank = " \t\r";
constexpr std::string_view kUnixScheme = "unix:";
constexpr size_t kMaxShown = 256;  // bytes of a line or a value that is wrong
// An application keeps the devices and errors in memory, and queries each device.
constexpr uint64_t kMaxFileBytes = 1 << 20;
constexpr size_t kMaxDevices = 256;
constexpr size_t kMaxComplaints = 16;

std::string_view trimmed(std::string_view text) {
    const size_t begin = text.find_first_not_of(kBlank);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(kBlank) + 1 - begin);
}

// Removes a comment: from a '#' at the beginning or after a blank, since addresses contain '#' too.
std::string_view statementOf(std::string_view line) {
    size_t end = line.find('#');
    while (end != std::string_view::npos && end != 0 &&
           kBlank.find(line[end - 1]) == std::string_view::npos) {
        end = line.find('#', end + 1);
    }
    return trimmed(line.substr(0, end));
}

void readConfigurationFile(const std::string& file, Configuration& configuration) {
    Result<std::string> text = readFile(file, {.fileBytes = kMaxFileBytes});
    if (!text.ok()) {
        configuration.complaints.push_back("NNAPI_CONFIG: " + messageOf(text.status()));
        return;
    }
    std::istringstream lines(*std::move(text));
    readDevices(lines, file, configuration);
}

void readPartitioning(std::string_view value, Configuration& configuration) {
    using enum PlanOptions::Partitioning;
    if (value == "0") {
        configuration.partitioning = NO;
    } else if (value == "1") {
        configuration.partitioning = WITH_FALLBACK;
    } else if (value == "2") {
        configuration.partitioning = WITHOUT_FALLBACK;
    } else {
        configuration.complaints.push_back(fmt::format("NNAPI_PARTITION is {}, allowed 0, 1 and 2",
                                                       printable(value, kMaxShown)));
    }
}

// "1" or "0".
bool readSwitch(std::string_view name, std::string_view value, Configuration& configuration) {
    if (value != "0" && value != "1") {
        configuration.complaints.push_back(
                fmt::format("{} is {}, allowed 0 and 1", name, printable(value, kMaxShown)));
    }
    return value == "1";
}

void readCpuOnly(std::string_view value, Configuration& configuration) {
    configuration.cpuOnly = readSwitch("NNAPI_CPU_ONLY", value, configuration);
}

void readReport(std::string_view value, Configuration& configuration) {
    configuration.hasReport = readSwitch("NNAPI_REPORT", value, configuration);
}

template <typename Number>
std::optional<Number> numberIn(std::string_view text) {
    Number number = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || stop != end) return std::nullopt;
    return number;
}

void readExecutions(std::string_view value, Configuration& configuration) {
    const auto executions = numberIn<uint64_t>(value);
    configuration.recordedExecutions = executions.value_or(0);
    if (executions.has_value()) return;
    configuration.complaints.push_back(fmt::format(
            "NNAPI_RECORD_EXECUTIONS is {}, allowed a number", printable(value, kMaxShown)));
}

void readVlog(std::string_view value, Configuration& configuration) {
    const VlogSetting setting = parseVlog(value);
    configuration.vlog = setting.mask;
    for (const std::string& name : setting.unknown) {
        configuration.complaints.push_back(
                fmt::format("NNAPI_VLOG has the unknown tag {}, allowed all, model, compilation, "
                            "execution, cpuexe, manager, driver, memory",
                            printable(name, kMaxShown)));
    }
}

}  // namespace

void readDevices(std::istream& lines, const std::string& file, Configuration& configuration) {
    const std::filesystem::path folder = std::filesystem::path(file).parent_path();
    ConfiguredDevice device;  // the next one
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
        const std::string_view text = statementOf(line);
        if (text.empty()) continue;
        const size_t blank = text.find_first_of(kBlank);
        const std::string_view word = text.substr(0, blank);
        const std::string_view rest =
                blank == std::string_view::npos ? "" : trimmed(text.substr(blank));
        const std::string path = (folder / rest).string();
        const bool isSwitch = rest == "on" || rest == "off";
        const auto milliseconds = numberIn<uint32_t>(rest);
        if (configuration.complaints.size() >= kMaxComplaints ||
            configuration.devices.size() == kMaxDevices) {
            configuration.complaints.push_back(fmt::format(
                    "{}:{}: this line and those after it are not read, after {} devices and {} "
                    "wrong lines",
                    printable(file), number, configuration.devices.size(),
                    configuration.complaints.size()));
            return;
        }
        if (word == "device" && !rest.empty()) {
            device.spec = hasPluginPath(rest) ? path : std::string(rest);
            if (rest.starts_with(kUnixScheme) && rest != kUnixScheme)
                device.spec.replace(kUnixScheme.size(), std::string::npos,
                                    (folder / rest.substr(kUnixScheme.size())).string());
            configuration.devices.push_back(device);
        } else if (word == "host" && isSwitch) {
            configuration.hasHost = rest == "on";
        } else if (word == "tls-cert" && !rest.empty()) {
            device.credentials.certificate = path;
        } else if (word == "tls-key" && !rest.empty()) {
            device.credentials.key = path;
        } else if (word == "tls-ca" && !rest.empty()) {
            device.credentials.authorities = path;
        } else if (word == "tls-name" && !rest.empty()) {
            device.serverName = rest;
        } else if (word == "insecure-plain-tcp" && isSwitch) {
            device.insecurePlainTcp = rest == "on";
        } else if (word == "heartbeat" && milliseconds.has_value()) {
            device.heartbeat = std::chrono::milliseconds(*milliseconds);
        } else {
            configuration.complaints.push_back(
                    fmt::format("{}:{}: {} is no statement, allowed device SPEC, host on or off, "
                                "tls-cert, tls-key and tls-ca FILE, tls-name NAME, "
                                "insecure-plain-tcp on or off, heartbeat MS",
                                printable(file), number, inQuotes(text, kMaxShown)));
        }
    }
}

Configuration readConfiguration(const Environment& environment) {
    Configuration configuration;
    const auto with = [&](const char* name, auto read) {
        const char* value = environment(name);
        if (value != nullptr && *value != '\0') read(value, configuration);
    };
    with("NNAPI_CONFIG", readConfigurationFile);
    with("NNAPI_PARTITION", readPartitioning);
    with("NNAPI_CPU_ONLY", readCpuOnly);
    with("NNAPI_REPORT", readReport);
    with("NNAPI_VLOG", readVlog);
    with("NNAPI_RECORD", [](const char* value, Configuration& to) { to.record = value; });
    with("NNAPI_RECORD_EXECUTIONS", readExecutions);
    with("NNAPI_TRACE", [](const char* value, Configuration& to) { to.trace = value; });
    with("NNAPI_DEVICES", [](const char* value, Configuration& to) { to.enabled = value; });
    return configuration;
}

}  // namespace nn::runtime
