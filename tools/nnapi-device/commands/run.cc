// Runs the models of the command line on a device.
#include "tools/nnapi/commands/run.h"

#include "base/status_message.h"
#include "nnapi/type_utils.h"
#include "tools/nnapi-device/device_commands.h"
#include "tools/nnapi-device/device_execution.h"
#include "tools/nnapi-device/open_device.h"
#include "tools/nnapi/vlog.h"

namespace nn::cli {
namespace {

// Prepares and executes; the time is that of the execution.
ModelRun execute(const SharedDevice& device, const Input& input, const Model& model,
                 const std::vector<Tensor>& inputs, const Options& options,
                 const SharedTrace& trace) {
    const Result<DeviceExecution> prepared = [&] {
        NNAPI_TRACE(trace, APPLICATION, COMPILATION, input.name.raw);
        return DeviceExecution::prepare(device, model);
    }();
    NNAPI_VLOG(programLog(), COMPILATION)
            << input.name.raw << ": prepared, " << errorStatus(prepared.status());
    if (!prepared.ok()) return {.outputs = prepared.status()};
    ModelRun run;
    NNAPI_TRACE(trace, APPLICATION, EXECUTION, input.name.raw);
    const TimePoint start = Clock::now();
    run.outputs = prepared->run(inputs, options.limits);
    run.time = Clock::now() - start;
    NNAPI_VLOG(programLog(), EXECUTION)
            << input.name.raw << ": executed, " << errorStatus(run.outputs.status());
    return run;
}

}  // namespace

Exit runOnDevice(const Options& options) {
    if (!isFolderOrComplain(options.out)) return kUsageOrUnreadable;
    return runModels(options, [&](const SharedTrace& trace) -> ModelExecutor {
        SharedDevice device = openDeviceOrComplain(options.device);
        if (device == nullptr) return nullptr;
        if (trace != nullptr) device = traced(device, trace);
        return [device, &options, trace](const Input& input, const Model& model,
                                         const std::vector<Tensor>& inputs) {
            return execute(device, input, model, inputs, options, trace);
        };
    });
}

}  // namespace nn::cli
