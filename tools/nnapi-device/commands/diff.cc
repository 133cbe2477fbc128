// Finds where a device computes other values than the reference.
#include <vector>

#include "base/printable.h"
#include "tools/nnapi-device/device_commands.h"
#include "tools/nnapi-device/diff/device.h"
#include "tools/nnapi-device/open_device.h"
#include "tools/nnapi/diff/diff_output.h"
#include "tools/nnapi/diff/sides.h"
#include "tools/nnapi/input_files.h"

namespace nn::cli {

// With -o, the operations at which the device differs become test cases.
Exit diffWithDevice(const Options& options) {
    if (!hasValidUsage(options)) return kUsageOrUnreadable;
    const SharedDevice device = openDeviceOrComplain(options.device);
    if (device == nullptr) return kUsageOrUnreadable;
    DiffOutput output(options);
    std::vector<TestCase> examples;
    const Exit exit = forEachExecution(options, [&](Input& input) {
        const std::optional<Side> side = sideOf(input, options);
        if (!side) return kUsageOrUnreadable;
        const Verdict verdict = compareWithDevice(*side, options, device);
        if (verdict.device) {
            const auto& own = verdict.device->examples;
            examples.insert(examples.end(), own.begin(), own.end());
        }
        return output.add(*side, {.exact = options.device, .shown = printable(options.device)},
                          verdict);
    });
    if (options.out.empty() || examples.empty()) return output.finish(exit);
    const Status written = writeTestCases(options.out, examples);
    return output.finish(written.ok() ? exit : Output::complain(written));
}

}  // namespace nn::cli
