// Shows models, and which of their operations a device supports.
#include "tools/nnapi/commands/info.h"

#include <map>
#include <nlohmann/json.hpp>

#include "base/printable.h"
#include "base/status_message.h"
#include "driver/wrap/supported_parts.h"
#include "nnapi/print.h"
#include "nnapi/type_utils.h"
#include "tools/nnapi-device/device_commands.h"
#include "tools/nnapi-device/open_device.h"
#include "tools/nnapi/output_parts.h"

namespace nn::cli {
namespace {

// The operations of the main graph that a device does not support, by type; those of other graphs
// belong to the IF or WHILE that calls them.
std::map<std::string, size_t> unsupportedByType(const Model& model,
                                                const std::vector<bool>& supported) {
    std::map<std::string, size_t> counts;
    for (size_t i = 0; i < model.main.operations.size(); ++i) {
        if (!supported[i]) ++counts[toString(model.main.operations[i].type)];
    }
    return counts;
}

// Describes which operations of a valid model a device supports.
Exit describeSupport(const Output& output, const Input& input, const IDevice& device,
                     const Model& model, const Limits& limits, Json& object) {
    const UntrustedText& name = input.name;
    const Result<ValidatedModel> checked = validateModel(model, limits);
    const GeneralResult<std::vector<bool>> supported =
            checked.ok() ? driver::supportedParts(device, *checked)
                         : GeneralResult<std::vector<bool>>(checked.status());
    if (!supported.has_value()) {
        return Output::complain(fmt::format("{}: {}", name, messageOf(supported.status())),
                                kInvalidOrDiffers);
    }
    const std::map<std::string, size_t> unsupported = unsupportedByType(model, *supported);
    size_t refused = 0;
    std::string list;
    for (const auto& [type, count] : unsupported) {
        list += fmt::format("{} {} {}", refused == 0 ? "; not" : ",", count, type);
        refused += count;
    }
    const size_t total = model.main.operations.size();
    output.text("  {} supports {} of {}{}\n", printable(device.getName()), total - refused,
                counted(total, "operation", "operations"), list);
    if (!isCompliantVersion(checked->version(), device.getFeatureLevel())) {
        output.text("  {} has {}, and supports no operation that needs more\n",
                    printable(device.getName()), withLevel(device.getFeatureLevel()));
    }
    for (const uint32_t index : model.main.inputIndexes) {
        const std::string shape = shapeOption(input, model.main.operands[index], index);
        if (refused == 0 || shape.empty()) continue;
        output.text("  {} has open dimensions, which few devices support: try {}\n",
                    inQuotes(input.names.operandNames[index]), shape);
    }
    object["device"] = {{"name", device.getName()},
                        {"version", toString(device.getFeatureLevel())},
                        {"supported", total - refused},
                        {"operations", total},
                        {"unsupported", unsupported}};
    return kGood;
}

}  // namespace

Exit infoWithDevice(const Options& options) {
    const SharedDevice device = openDeviceOrComplain(options.device);
    if (device == nullptr) return kUsageOrUnreadable;
    return describeModels(options, [&](const Output& output, const Input& input, const Model& model,
                                       Json& object) {
        return describeSupport(output, input, *device, model, options.limits, object);
    });
}

}  // namespace nn::cli
