// Reads the environment variables and the device file that configure the runtime.
#pragma once

#include <functional>
#include <istream>
#include <string>
#include <string_view>
#include <vector>

#include "nnapi/driver/vlog.h"
#include "nnapi/service/credentials.h"
#include "runtime/plan/plan.h"

namespace nn::runtime {

// As a registry opens it (nnapi/driver/registry.h), and how it is reached on another machine.
struct ConfiguredDevice {
    std::string spec{};
    service::CredentialFiles credentials{};
    std::string serverName{};
    bool insecurePlainTcp = false;
};

struct Configuration {
    // In their order.
    std::vector<ConfiguredDevice> devices{};
    // Is nnapi-host there?
    bool hasHost = true;
    // A regular expression for the names of devices, NNAPI_DEVICES; empty for all.
    std::string enabled{};
    bool cpuOnly = false;
    PlanOptions::Partitioning partitioning = PlanOptions::Partitioning::WITH_FALLBACK;
    VlogMask vlog = kVlogNone;
    // The folder of what is recorded, empty for none, and how many executions of each model are.
    std::string record{};
    uint64_t recordedExecutions = 0;
    // The file of a trace; empty for none.
    std::string trace{};
    // Is there a report at the end of the process?
    bool hasReport = false;
    // What is wrong with it, one sentence for each, and is skipped.
    std::vector<std::string> complaints{};
};

// The value of a variable; null where there is none.
using Environment = std::function<const char*(const char* name)>;

// By the variables that docs/c_api.md lists.
Configuration readConfiguration(const Environment& environment);

// The lines of a configuration file; `file` is its path, to which relative paths in it relate.
void readDevices(std::istream& lines, const std::string& file, Configuration& configuration);

}  // namespace nn::runtime
