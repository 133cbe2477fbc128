
#include <absl/strings/str_join.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/files.h"
#include "nnapi/type_utils.h"
#include "tools/nnapi-device/device_commands.h"
#include "tools/nnapi-device/driver_project.h"
#include "tools/nnapi/command_table.h"
#include "tools/nnapi/output_files.h"

namespace nn::cli {
namespace {

// The names of operations that can have a kernel; empty after a complaint.
std::vector<std::string> kernelOperations(const std::vector<std::string>& lists) {
    std::vector<std::string> operations;
    for (const std::string& list : lists) {
        std::istringstream names(list);
        for (std::string given; std::getline(names, given, ',');) {
            const auto type = operationOf(given);
            if (!type) return {};
            const std::string name = toString(*type);
            if (*type == OperationType::IF || *type == OperationType::WHILE ||
                *type == OperationType::OEM_OPERATION) {
                Output::complain(
                        fmt::format("{} has no kernel: allowed are operations on tensors", name));
                return {};
            }
            if (std::find(operations.begin(), operations.end(), name) == operations.end()) {
                operations.push_back(name);
            }
        }
    }
    return operations;
}

// Writes into a folder that is new or empty.
Status writeProject(const std::filesystem::path& folder, const std::vector<DriverFile>& files) {
    NNAPI_RETURN_IF_ERROR(makeFolder(folder));
    std::error_code failure;
    if (!std::filesystem::is_empty(folder, failure) || failure) {
        return makeError(ErrorStatus::GENERAL_FAILURE,
                         nameOf(folder) + ": has files already, allowed none");
    }
    for (const DriverFile& file : files) {
        NNAPI_RETURN_IF_ERROR(writeFileIn(folder, file.name, file.text));
    }
    return {};
}

}  // namespace

Exit newDriver(const Options& options) {
    const Output output(options.json);
    DriverChoices choices{.name = options.driver.name,
                          .operations = kernelOperations(options.names),
                          .level = options.driver.level,
                          .burst = options.driver.burst,
                          .caching = options.driver.caching,
                          .memoryDomains = options.driver.memoryDomains};
    if (choices.operations.empty()) return kUsageOrUnreadable;
    if (const Status named = checkDriverName(choices.name); !named.ok()) {
        return Output::complain(named);
    }
    const std::string folder = options.out.empty() ? choices.name : options.out;
    const std::vector<DriverFile> files = driverFiles(choices);
    if (const Status written = writeProject(folder, files); !written.ok()) {
        return Output::complain(written);
    }
    std::vector<std::string> names;
    size_t places = 0;
    for (const DriverFile& file : files) {
        names.push_back(file.name);
        for (size_t at = file.text.find("FILL IN"); at != std::string::npos;
             at = file.text.find("FILL IN", at + 1)) {
            ++places;
        }
    }
    if (output.isJson()) output.object({{"folder", folder}, {"files", names}, {"places", places}});
    output.text("{}: a driver with kernels of {}, in {} files with {} places to fill in\n", folder,
                absl::StrJoin(choices.operations, ", "), names.size(), places);
    output.text(
            "  grep -n 'FILL IN' {0}/*\n"
            "  cmake -S {0} -B {0}/build && cmake --build {0}/build\n"
            "  nnapi test-device --device {0}/build/lib{1}.so\n",
            folder, choices.name);
    return kGood;
}

}  // namespace nn::cli
