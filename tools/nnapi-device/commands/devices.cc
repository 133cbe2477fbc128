// Lists devices.
#include <absl/strings/str_join.h>

#include <map>
#include <nlohmann/json.hpp>

#include "base/printable.h"
#include "nnapi/validate.h"
#include "tools/nnapi-device/device_commands.h"
#include "tools/nnapi-device/open_device.h"
#ifdef NNAPI_HAS_SERVICE
#include "nnapi/service/runtime_folder.h"
#endif

namespace nn::cli {
namespace {

using Performance = Capabilities::PerformanceInfo;

// The performances in the capabilities, by name, in order.
std::vector<std::pair<std::string, Performance>> performances(const Capabilities& capabilities) {
    std::vector<std::pair<std::string, Performance>> all;
    for (const auto& operand : capabilities.operandPerformance.asVector()) {
        all.emplace_back(toString(operand.type), operand.info);
    }
    all.emplace_back("relaxedScalar", capabilities.relaxedFloat32toFloat16PerformanceScalar);
    all.emplace_back("relaxedTensor", capabilities.relaxedFloat32toFloat16PerformanceTensor);
    all.emplace_back("IF", capabilities.ifPerformance);
    all.emplace_back("WHILE", capabilities.whilePerformance);
    return all;
}

std::string performanceText(float value) {
    return value == Capabilities::kUnknownPerformance ? "unknown" : fmt::format("{}", value);
}

// A device, and the address of its server if no option names it.
struct Found {
    SharedDevice device;
    std::string address{};
};

Json deviceToJson(const IDevice& device) {
    Json capabilities = Json::object();
    for (const auto& [name, info] : performances(device.getCapabilities())) {
        capabilities[name] = {{"execTime", info.execTime}, {"powerUsage", info.powerUsage}};
    }
    Json extensions = Json::array();
    for (const Extension& extension : device.getSupportedExtensions()) {
        extensions.push_back(extension.name);
    }
    const auto [model, data] = device.getNumberOfCacheFilesNeeded();
    return {{"name", device.getName()},
            {"version", device.getVersionString()},
            {"type", toString(device.getType())},
            {"featureLevel", featureLevel(device.getFeatureLevel())},
            {"extensions", extensions},
            {"cacheFiles", {{"model", model}, {"data", data}}},
            {"capabilities", capabilities}};
}

void printDevice(const Output& output, const IDevice& device) {
    const auto [model, data] = device.getNumberOfCacheFilesNeeded();
    output.text("{}  version {}, {}, {}, cache files {}+{}\n", printable(device.getName()),
                printable(device.getVersionString()), toString(device.getType()),
                toString(device.getFeatureLevel()), model, data);
    for (const Extension& extension : device.getSupportedExtensions()) {
        output.text("  extension {}\n", printable(extension.name));
    }
    // Types of equal performance share a line.
    std::map<std::pair<float, float>, std::vector<std::string>> groups;
    for (const auto& [name, info] : performances(device.getCapabilities())) {
        groups[{info.execTime, info.powerUsage}].push_back(name);
    }
    for (const auto& [numbers, names] : groups) {
        output.text("  time {}, power {}: {}\n", performanceText(numbers.first),
                    performanceText(numbers.second), absl::StrJoin(names, " "));
    }
}

void addOpened(const std::string& spec, const std::string& address, std::vector<Found>& found,
               std::vector<Status>& refused) {
    const auto opened = openDevices(spec);
    if (!opened.has_value()) {
        refused.push_back(opened.status());
        return;
    }
    for (const SharedDevice& device : *opened) found.push_back({device, address});
}

}  // namespace

Exit devices(const Options& options) {
    const Output output(options.json);
    std::vector<Found> found;
    std::vector<Status> refused;
    if (options.devices.empty()) {
        for (SharedDevice& device : registeredDevices(refused))
            found.push_back({std::move(device)});
#ifdef NNAPI_HAS_SERVICE
        for (const std::string& address : service::runningServices()) {
            addOpened(address, address, found, refused);
        }
#endif
    }
    for (const std::string& spec : options.devices) addOpened(spec, "", found, refused);
    for (const auto& [device, address] : found) {
        if (output.isJson()) {
            Json object = deviceToJson(*device);
            if (!address.empty()) object["address"] = address;
            output.object(object);
        } else {
            printDevice(output, *device);
            if (!address.empty()) output.text("  at {}\n", onOneLine(address));
        }
    }
    for (const Status& status : refused) Output::complain(status);
    return refused.empty() ? kGood : kUsageOrUnreadable;
}

}  // namespace nn::cli
