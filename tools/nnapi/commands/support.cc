#include "tools/nnapi/commands/support.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/printable.h"
#include "tools/nnapi/input_files.h"
#include "tools/nnapi/output_parts.h"

namespace nn::cli {

std::optional<SupportQuery> descriptionOf(const Options& options) {
    std::optional<DeviceProfile> device = deviceOf(options);
    if (!device) return std::nullopt;
    const std::string name = device->name;
    return SupportQuery{.name = name,
                        .supportOf = [device = *std::move(device),
                                      limits = options.limits](const Model& model) {
                            return supportedOperations(model, device, {.limits = limits});
                        }};
}

Exit validateOn(const SupportQuery& device, const Options& options) {
    const Output output(options.json);
    return forEachInput(options, [&](Input& input) {
        const Result<Model> model = canonical(std::move(input.model));
        const Result<DeviceSupport> support =
                model.ok() ? device.supportOf(*model) : model.status();
        std::vector<Diagnostic> reasons = diagnosticsOf(support.status());
        Json supported = Json::array();
        size_t count = 0;
        if (support.ok()) {
            for (const OperationSupport& operation : support->operations) {
                supported.push_back(operation.isSupported());
                count += operation.isSupported() ? 1 : 0;
                const size_t shown = options.all ? operation.reasons.size() : 1;
                for (size_t i = 0; i < std::min(shown, operation.reasons.size()); ++i) {
                    reasons.push_back(operation.reasons[i]);
                }
            }
            std::ranges::copy(support->reasons, std::back_inserter(reasons));
        }
        if (output.isJson()) {
            output.object({{"name", input.name},
                           {"device", device.name},
                           {"valid", support.ok()},
                           {"supported", supported},
                           {"diagnostics", toJson(reasons)}});
        }
        output.text("{}: {}\n", input.name,
                    support.ok()
                            ? fmt::format("{} supports {} of {}", printable(device.name), count,
                                          counted(supported.size(), "operation", "operations"))
                            : std::string("invalid"));
        for (const Diagnostic& reason : reasons) output.text("  {}\n", toString(reason));
        return support.ok() && support->all() ? kGood : kInvalidOrDiffers;
    });
}

}  // namespace nn::cli
