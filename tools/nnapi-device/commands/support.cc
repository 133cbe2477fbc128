// Shows which operations of models a device supports: validate, dot and view with --device.
#include "tools/nnapi/commands/support.h"

#include <fmt/format.h>

#include "base/printable.h"
#include "driver/wrap/supported_parts.h"
#include "nnapi/drawing.h"
#include "nnapi/type_utils.h"
#include "tools/nnapi-device/device_commands.h"
#include "tools/nnapi-device/open_device.h"

namespace nn::cli {
namespace {

// The operations that a device supports, with the reason for each operation that needs a later
// version.
Result<DeviceSupport> supportOf(const IDevice& device, const Model& model, const Limits& limits) {
    NNAPI_ASSIGN_OR_RETURN(checked, validateModel(model, limits));
    NNAPI_ASSIGN_OR_RETURN(supported, driver::supportedParts(device, checked));
    const DrawingMarks tooNew = marksForVersion(model, device.getFeatureLevel());
    DeviceSupport support;
    for (size_t i = 0; i < supported.size(); ++i) {
        OperationSupport& operation = support.operations.emplace_back();
        if (supported[i]) continue;
        const std::string path = fmt::format("main.operations[{}]", i);
        const auto newer = tooNew.find(path);
        operation.reasons.push_back(
                {.rule = "device.operation",
                 .path = fmt::format("{} {}", path, toString(model.main.operations[i].type)),
                 .message = newer == tooNew.end()
                                    ? printable(device.getName()) + " does not support it"
                                    : newer->second.why});
    }
    return support;
}

// --hal restricts a device to a version as it does the description of one.
std::string specOf(const Options& options) {
    if (!options.hal) return options.device;
    return fmt::format("{}@{}", options.device, toString(*options.hal));
}

std::optional<SupportQuery> openQuery(const Options& options) {
    const size_t at = options.device.rfind('@');
    if (options.hal && at != std::string::npos && parseHalVersion(options.device.substr(at + 1))) {
        Output::complain(fmt::format("--device {} and --hal {} both give a version, allowed one",
                                     printable(options.device), toString(*options.hal)));
        return std::nullopt;
    }
    const SharedDevice device = openDeviceOrComplain(specOf(options));
    if (device == nullptr) return std::nullopt;
    return SupportQuery{.name = device->getName(),
                        .supportOf = [device, limits = options.limits](const Model& model) {
                            return supportOf(*device, model, limits);
                        }};
}

}  // namespace

Exit validateWithDevice(const Options& options) {
    const std::optional<SupportQuery> device = openQuery(options);
    return device ? validateOn(*device, options) : kUsageOrUnreadable;
}

Exit dotWithDevice(const Options& options) {
    const std::optional<SupportQuery> device = openQuery(options);
    return device ? drawOn(*device, options) : kUsageOrUnreadable;
}

Exit viewWithDevice(const Options& options) {
    const std::optional<SupportQuery> device = openQuery(options);
    return device ? viewOn(*device, options) : kUsageOrUnreadable;
}

}  // namespace nn::cli
