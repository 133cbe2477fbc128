#include <absl/strings/escaping.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/answers.h"
#include "cli/command.h"
#include "cli/device_execution.h"
#include "cli/dump.h"
#include "cli/input_files.h"
#include "cli/open_device.h"
#include "cli/output_files.h"
#include "cli/preparation.h"
#include "cli/stream_formats.h"
#include "cli/vlog.h"
#include "nnapi/driver/trace.h"
#include "nnapi/print.h"
#include "nnapi/testing/compare.h"
#include "nnapi/type_utils.h"
#include "opkit/rules/call.h"
#include "types/files.h"
#include "types/printable.h"
#include "types/status_message.h"

namespace nn::cli {
namespace {

// The first elements as numbers.
std::string preview(OperandType type, const Tensor& tensor) {
    constexpr size_t kMaxShown = 12;
    const size_t width = std::max<size_t>(elementSize(type), 1);
    const size_t count = tensor.data.size() / width;
    std::string text;
    for (size_t i = 0; i < std::min(count, kMaxShown); ++i) {
        text += fmt::format("{}{}", i == 0 ? "" : ", ", testing::elementValue(type, tensor, i));
    }
    return count > kMaxShown ? text + fmt::format(", ... {} in all", count) : text;
}

Status writeOutputs(const std::filesystem::path& folder, const std::string& stem,
                    const std::vector<Tensor>& outputs) {
    NNAPI_RETURN_IF_ERROR(makeFolder(folder));
    for (size_t i = 0; i < outputs.size(); ++i) {
        const std::string name = fmt::format("{}_output{}.bin", stem, i);
        const std::string_view bytes(reinterpret_cast<const char*>(outputs[i].data.data()),
                                     outputs[i].data.size());
        NNAPI_RETURN_IF_ERROR(writeFileIn(folder, name, bytes));
    }
    return absl::OkStatus();
}

// With what --trace and NNAPI_VLOG ask for.
Result<std::vector<Tensor>> execute(const PreparedModel& prepared, const Input& input,
                                    const std::vector<Tensor>& inputs, ExecuteOptions options,
                                    const SharedTrace& trace) {
    const SharedLog& log = programLog();
    if (NNAPI_VLOG_IS_ON(log, CPUEXE)) {
        options.starter = [&](const ComputedOperation& operation) {
            NNAPI_VLOG(log, CPUEXE)
                    << input.name.raw << ": " << operation.path << " " << operation.name;
        };
    }
    NNAPI_TRACE(trace, APPLICATION, EXECUTION, input.name.raw);
    auto outputs = prepared.run(inputs, traced(std::move(options), trace));
    NNAPI_VLOG(log, EXECUTION) << input.name.raw << ": executed, " << errorStatus(outputs.status());
    return outputs;
}

// Executes, and dumps the results of every operation if asked to; `written` is the status of the
// dump.
Result<std::vector<Tensor>> execute(const PreparedModel& prepared, const Input& input,
                                    const std::vector<Tensor>& inputs, DumpWriter* dump,
                                    Status& written, const SharedTrace& trace) {
    if (dump == nullptr) return execute(prepared, input, inputs, ExecuteOptions(), trace);
    const Result<std::string> prefix = dumpPrefix(input.name.raw, input.testCase.has_value());
    written = prefix.status();
    DumpNames names;
    const auto observer = [&](const ComputedOperation& computed) {
        for (const ComputedOperation::Output& output : computed.outputs) {
            if (!written.ok()) return;
            written =
                    dump->write(*prefix + names.next(computed.graph, output.operand),
                                {.dimensions = {output.dimensions.begin(), output.dimensions.end()},
                                 .data = {output.data.begin(), output.data.end()}});
        }
    };
    return execute(prepared, input, inputs, {.observer = observer}, trace);
}

// Prepares and executes with the interpreter; the time is that of the execution.
Result<std::vector<Tensor>> execute(const Input& input, const Model& model,
                                    const std::vector<Tensor>& inputs, const Options& options,
                                    DumpWriter* dump, Status& written, const SharedTrace& trace,
                                    Timing& timing) {
    const Result<PreparedModel> prepared = [&] {
        NNAPI_TRACE(trace, APPLICATION, COMPILATION, input.name.raw);
        return prepareFor(options, model);
    }();
    NNAPI_VLOG(programLog(), COMPILATION)
            << input.name.raw << ": prepared, " << errorStatus(prepared.status());
    const TimePoint start = Clock::now();
    auto outputs = prepared.ok() ? execute(*prepared, input, inputs, dump, written, trace)
                                 : Result<std::vector<Tensor>>(prepared.status());
    timing.timeInDriver = Clock::now() - start;
    return outputs;
}

// The same on a device.
Result<std::vector<Tensor>> execute(const SharedDevice& device, const Input& input,
                                    const Model& model, const std::vector<Tensor>& inputs,
                                    const Options& options, const SharedTrace& trace,
                                    Timing& timing) {
    const Result<DeviceExecution> prepared = [&] {
        NNAPI_TRACE(trace, APPLICATION, COMPILATION, input.name.raw);
        return DeviceExecution::prepare(device, model);
    }();
    NNAPI_VLOG(programLog(), COMPILATION)
            << input.name.raw << ": prepared, " << errorStatus(prepared.status());
    const TimePoint start = Clock::now();
    if (!prepared.ok()) return prepared.status();
    NNAPI_TRACE(trace, APPLICATION, EXECUTION, input.name.raw);
    auto outputs = prepared->run(inputs, options.limits);
    timing.timeInDriver = Clock::now() - start;
    NNAPI_VLOG(programLog(), EXECUTION)
            << input.name.raw << ": executed, " << errorStatus(outputs.status());
    return outputs;
}

Json jsonOf(const std::vector<Tensor>& outputs) {
    Json list = Json::array();
    for (const Tensor& tensor : outputs) {
        const auto* data = reinterpret_cast<const char*>(tensor.data.data());
        const std::string encoded = absl::Base64Escape(absl::string_view(data, tensor.data.size()));
        list.push_back({{"dimensions", dimensionsToJson(tensor.dimensions)}, {"data", encoded}});
    }
    return list;
}

}  // namespace

Exit run(const Options& options) {
    const Output output(options.json);
    std::error_code ignored;
    if (isStandardOutput(options.out) ||
        (!std::filesystem::is_directory(options.out, ignored) &&
         std::filesystem::path(options.out).has_extension() && !options.out.ends_with('/'))) {
        Output::complain(
                fmt::format("-o of run is {}, allowed a folder, since each output has a file of "
                            "its own: one that "
                            "is there, ends in '/' or has no extension",
                            printable(options.out)));
        return kUsageOrUnreadable;
    }
    FileNames names;
    std::optional<DumpWriter> dump;
    if (!options.dump.empty()) {
        Result<DumpWriter> created = DumpWriter::create(options.dump);
        if (!created.ok()) {
            Output::complain(messageOf(created.status()));
            return kUsageOrUnreadable;
        }
        dump = *std::move(created);
    }
    SharedTrace trace;
    const auto writeTrace = [&] { return writeFile(options.trace, trace->json()); };
    if (!options.trace.empty()) {
        trace = std::make_shared<Trace>();
        // Now, since a path that cannot be written to is known before the work.
        if (const Status written = writeTrace(); !written.ok()) {
            Output::complain(messageOf(written));
            return kUsageOrUnreadable;
        }
    }
    SharedDevice device;
    if (!options.device.empty()) {
        device = openDeviceOrComplain(options.device);
        if (device == nullptr) return kUsageOrUnreadable;
        if (trace != nullptr) device = traced(device, trace);
    }
    const Exit exit = forEachExecution(options, [&](Input& input) {
        Result<Model> model = [&] {
            NNAPI_TRACE(trace, APPLICATION, PREPARATION, input.name.raw);
            return canonical(std::move(input.model));
        }();
        if (model.ok()) {
            NNAPI_VLOG(programLog(), MODEL)
                    << input.name.raw << ": "
                    << counted(model->main.operations.size(), "operation", "operations")
                    << " in the main graph";
        }
        Result<std::vector<Tensor>> outputs = std::vector<Tensor>();
        if (!model.ok()) outputs = model.status();
        Timing timing;
        if (model.ok()) {
            const Result<std::vector<Tensor>> inputs = [&] {
                NNAPI_TRACE(trace, APPLICATION, INPUTS_AND_OUTPUTS, input.name.raw);
                return inputsOf(input, *model, options);
            }();
            if (!inputs.ok()) {
                Output::complain(messageOf(inputs.status()));
                return kUsageOrUnreadable;
            }
            Status dumped;
            outputs = device != nullptr
                              ? execute(device, input, *model, *inputs, options, trace, timing)
                              : execute(input, *model, *inputs, options, dump ? &*dump : nullptr,
                                        dumped, trace, timing);
            if (!dumped.ok()) {
                Output::complain(fmt::format("{}: {}", input.name, messageOf(dumped)));
                return kUsageOrUnreadable;
            }
        }
        if (output.isJson()) {
            output.object(
                    {{"name", input.name},
                     {"status", toString(errorStatus(outputs.status()))},
                     {"outputs", outputs.ok() ? jsonOf(*outputs) : Json::array()},
                     {"timings",
                      {{"executeNs", timing.timeInDriver ? timing.timeInDriver->count() : 0}}},
                     {"diagnostics", toJson(diagnosticsOf(outputs.status()))}});
        }
        if (!outputs.ok()) {
            output.text("{}: {}\n  {}\n", input.name, toString(errorStatus(outputs.status())),
                        messageOf(outputs.status()));
            return kInvalidOrDiffers;
        }
        output.text("{}: executed in {:.3f} ms\n", input.name,
                    static_cast<double>(timing.timeInDriver->count()) / 1e6);
        for (size_t i = 0; i < outputs->size(); ++i) {
            const OperandType type = model->main.operands[model->main.outputIndexes[i]].type;
            output.text("  output {} {} {}: {}\n", i, toString(type),
                        print((*outputs)[i].dimensions), preview(type, (*outputs)[i]));
        }
        if (options.out.empty()) return kGood;
        const std::string stem = names.take(input.name.raw);
        const Status written = writeOutputs(options.out, stem, *outputs);
        if (!written.ok()) {
            Output::complain(messageOf(written));
            return kUsageOrUnreadable;
        }
        if (stem != input.name.raw) {
            const std::filesystem::path path = std::filesystem::path(options.out) / stem;
            output.text("  written to {}\n", printable(path.string()) + "_output*.bin");
        }
        return kGood;
    });
    for (const Status& written :
         {dump ? dump->commit() : Status(), trace == nullptr ? Status() : writeTrace()}) {
        if (written.ok()) continue;
        Output::complain(messageOf(written));
        return kUsageOrUnreadable;
    }
    return exit;
}

}  // namespace nn::cli
