// Reads the environment variables and the device file that configure the runtime.
#pragma once

#include <chrono>
#include <functional>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nnapi/driver/vlog.h"
#include "nnapi/service/credentials.h"
#include "runtime/plan/plan.h"

namespace nn::runtime {

// The spec of a device (nnapi/driver/registry.h), and options for reaching another machine.
struct ConfiguredDevice {
    std::string spec{};
    service::CredentialFiles credentials{};
    std::string serverName{};
    bool insecurePlainTcp = false;
    std::optional<std::chrono::milliseconds> heartbeat{};  // that of service::ClientOptions

    bool operator==(const ConfiguredDevice&) const = default;
};

struct Configuration {
    // In the order of the configuration.
    std::vector<ConfiguredDevice> devices{};
    // True unless "host off" removes nnapi-host.
    bool hasHost = true;
    // NNAPI_DEVICES: a regular expression for the names of devices; empty for all.
    std::string enabled{};
    bool cpuOnly = false;
    PlanOptions::Partitioning partitioning = PlanOptions::Partitioning::WITH_FALLBACK;
    VlogMask vlog = kVlogNone;
    // The folder for recordings, empty for none, and how many executions of each model to record.
    std::string record{};
    uint64_t recordedExecutions = 0;
    // The file of a trace; empty for none.
    std::string trace{};
    // True if a report is printed when the process ends.
    bool hasReport = false;
    // One sentence for each invalid setting; these are skipped.
    std::vector<std::string> complaints{};
};

// The value of a variable; null if it is not set.
using Environment = std::function<const char*(const char* name)>;

// Reads the variables that docs/c_api.md lists.
Configuration readConfiguration(const Environment& environment);

// Reads the lines of a configuration file. Relative paths in it start at the folder of `file`.
void readDevices(std::istream& lines, const std::string& file, Configuration& configuration);

}  // namespace nn::runtime
