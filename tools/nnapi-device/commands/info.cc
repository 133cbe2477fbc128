// Shows models, and which of their operations a device supports.
#include "tools/nnapi/commands/info.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "base/printable.h"
#include "base/status_message.h"
#include "nnapi/print.h"
#include "tools/nnapi-device/device_commands.h"
#include "tools/nnapi-device/open_device.h"
#include "tools/nnapi/answers.h"

namespace nn::cli {
namespace {

// The operations of the main graph that a device does not support, by type; those of other graphs
// belong to the IF or WHILE that calls them.
GeneralResult<std::map<std::string, size_t>> unsupportedByType(const IDevice& device,
                                                               const Model& model) {
    NNAPI_ASSIGN_OR_RETURN(supported, device.getSupportedOperations(model));
    std::map<std::string, size_t> counts;
    for (size_t i = 0; i < std::min(supported.size(), model.main.operations.size()); ++i) {
        if (!supported[i]) ++counts[toString(model.main.operations[i].type)];
    }
    return counts;
}

// Describes which operations of a valid model a device supports.
Exit describeSupport(const Output& output, const Input& input, const IDevice& device,
                     const Model& model) {
    const UntrustedText& name = input.name;
    const auto unsupported = unsupportedByType(device, model);
    if (!unsupported.has_value()) {
        Output::complain(fmt::format("{}: {}", name, messageOf(unsupported.status())));
        return kInvalidOrDiffers;
    }
    size_t refused = 0;
    std::string list;
    for (const auto& [type, count] : *unsupported) {
        list += fmt::format("{} {} {}", refused == 0 ? "; not" : ",", count, type);
        refused += count;
    }
    const size_t total = model.main.operations.size();
    output.text("  {} takes {} of {}{}\n", printable(device.getName()), total - refused,
                counted(total, "operation", "operations"), list);
    for (const uint32_t index : model.main.inputIndexes) {
        const std::string shape = shapeOption(input, model.main.operands[index], index);
        if (refused == 0 || shape.empty()) continue;
        output.text("  {} has open dimensions, which few devices take: try {}\n",
                    inQuotes(input.names.operandNames[index]), shape);
    }
    if (output.isJson()) {
        output.object({{"name", name},
                       {"device", device.getName()},
                       {"takes", total - refused},
                       {"operations", total},
                       {"unsupported", *unsupported}});
    }
    return kGood;
}

}  // namespace

Exit infoWithDevice(const Options& options) {
    const SharedDevice device = openDeviceOrComplain(options.device);
    if (device == nullptr) return kUsageOrUnreadable;
    return describeModels(options,
                          [&](const Output& output, const Input& input, const Model& model) {
                              return describeSupport(output, input, *device, model);
                          });
}

}  // namespace nn::cli
