#include "tools/nnapi/commands/run.h"

#include <absl/strings/escaping.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/printable.h"
#include "base/status_message.h"
#include "nnapi/comparison.h"
#include "nnapi/driver/trace.h"
#include "nnapi/print.h"
#include "nnapi/type_utils.h"
#include "op_support/rules/op_view.h"
#include "tools/nnapi/command.h"
#include "tools/nnapi/dump.h"
#include "tools/nnapi/input_files.h"
#include "tools/nnapi/output_files.h"
#include "tools/nnapi/output_parts.h"
#include "tools/nnapi/preparation.h"
#include "tools/nnapi/stream_formats.h"
#include "tools/nnapi/vlog.h"

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
ModelRun execute(const Input& input, const Model& model, const std::vector<Tensor>& inputs,
                 const Options& options, DumpWriter* dump, const SharedTrace& trace) {
    const Result<PreparedModel> prepared = [&] {
        NNAPI_TRACE(trace, APPLICATION, COMPILATION, input.name.raw);
        return prepareFor(options, model);
    }();
    NNAPI_VLOG(programLog(), COMPILATION)
            << input.name.raw << ": prepared, " << errorStatus(prepared.status());
    ModelRun run;
    const TimePoint start = Clock::now();
    run.outputs = prepared.ok() ? execute(*prepared, input, inputs, dump, run.unwritten, trace)
                                : Result<std::vector<Tensor>>(prepared.status());
    run.time = Clock::now() - start;
    return run;
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

// Executes a model of the command line on its inputs. Fails if the inputs do not fit.
Result<ModelRun> runOn(const Input& input, const Result<Model>& model, const Options& options,
                       const ModelExecutor& execute, const SharedTrace& trace) {
    if (!model.ok()) return ModelRun{.outputs = model.status()};
    NNAPI_VLOG(programLog(), MODEL)
            << input.name.raw << ": "
            << counted(model->main.operations.size(), "operation", "operations")
            << " in the main graph";
    Result<ExecutionInputs> inputs = [&] {
        NNAPI_TRACE(trace, APPLICATION, INPUTS_AND_OUTPUTS, input.name.raw);
        return inputsOf(input, *model, options);
    }();
    if (!inputs.ok()) return inputs.status();
    ModelRun run = execute(input, *model, inputs->values);
    run.inputs = *std::move(inputs);
    if (run.unwritten.ok()) return run;
    return absl::Status(run.unwritten.code(),
                        fmt::format("{}: {}", input.name, messageOf(run.unwritten)));
}

// Prints outputs as people read them.
void printOutputs(const Output& output, const Input& input, const Model& model,
                  const ModelRun& run) {
    output.text("{}: executed in {:.3f} ms{}{}\n", input.name,
                static_cast<double>(run.time.count()) / 1e6, run.inputs.seed ? " " : "",
                run.inputs.origin());
    for (size_t i = 0; i < run.outputs->size(); ++i) {
        const OperandType type = model.main.operands[model.main.outputIndexes[i]].type;
        const Tensor& tensor = (*run.outputs)[i];
        output.text("  output {} {} {}: {}\n", i, toString(type), print(tensor.dimensions),
                    preview(type, tensor));
    }
}

// Prints the result, and writes its outputs to files where -o asks for them.
Exit reportRun(const Output& output, const Input& input, const Result<Model>& model,
               const ModelRun& run, const Options& options, FileNames& names) {
    const Status& status = run.outputs.status();
    if (output.isJson()) {
        output.object({{"name", input.name},
                       {"status", toString(errorStatus(status))},
                       {"outputs", status.ok() ? jsonOf(*run.outputs) : Json::array()},
                       {"inputsSeed", run.inputs.seed ? Json(*run.inputs.seed) : Json()},
                       {"timings", {{"executeNs", run.time.count()}}},
                       {"diagnostics", toJson(diagnosticsOf(status))}});
    }
    if (!status.ok()) {
        output.text("{}: {}\n  {}\n", input.name, toString(errorStatus(status)), messageOf(status));
        return kInvalidOrDiffers;
    }
    printOutputs(output, input, *model, run);
    if (options.out.empty()) return kGood;
    const std::string stem = names.take(input.name.raw);
    const Status written = writeOutputs(options.out, stem, *run.outputs);
    if (!written.ok()) return Output::complain(written);
    if (stem != input.name.raw) {
        const std::filesystem::path path = std::filesystem::path(options.out) / stem;
        output.text("  written to {}\n", printable(path.string()) + "_output*.bin");
    }
    return kGood;
}

Exit unlessFailed(const Status& written, Exit exit) {
    return written.ok() ? exit : Output::complain(written);
}

}  // namespace

bool isFolderOrComplain(const std::string& out) {
    std::error_code ignored;
    if (!isStandardOutput(out) &&
        (std::filesystem::is_directory(out, ignored) ||
         !std::filesystem::path(out).has_extension() || out.ends_with('/'))) {
        return true;
    }
    Output::complain(
            fmt::format("-o of run is {}, allowed a folder, since each output has a file of its "
                        "own: one that is there, ends in '/' or has no extension",
                        printable(out)));
    return false;
}

Exit runModels(const Options& options, const OpenExecutor& open) {
    const Output output(options.json);
    FileNames names;
    SharedTrace trace;
    if (!options.trace.empty()) {
        trace = std::make_shared<Trace>();
        // A path that cannot be written is reported before the work.
        const Status writable = requireWritable(options.trace);
        if (const Exit exit = unlessFailed(writable, kGood); exit != kGood) return exit;
    }
    const ModelExecutor execute = open(trace);
    if (!execute) return kUsageOrUnreadable;
    const Exit exit = forEachExecution(options, [&](Input& input) {
        const Result<Model> model = [&] {
            NNAPI_TRACE(trace, APPLICATION, PREPARATION, input.name.raw);
            return canonical(std::move(input.model));
        }();
        const Result<ModelRun> run = runOn(input, model, options, execute, trace);
        if (!run.ok()) return unlessFailed(run.status(), kGood);
        return reportRun(output, input, model, *run, options, names);
    });
    return trace == nullptr ? exit : unlessFailed(writeFile(options.trace, trace->json()), exit);
}

Exit run(const Options& options) {
    if (!isFolderOrComplain(options.out)) return kUsageOrUnreadable;
    std::optional<DumpWriter> dump;
    if (!options.dump.empty()) {
        Result<DumpWriter> created = DumpWriter::create(options.dump);
        if (!created.ok()) return unlessFailed(created.status(), kGood);
        dump = *std::move(created);
    }
    const Exit exit = runModels(options, [&](const SharedTrace& trace) -> ModelExecutor {
        return [&](const Input& input, const Model& model, const std::vector<Tensor>& inputs) {
            return execute(input, model, inputs, options, dump ? &*dump : nullptr, trace);
        };
    });
    return unlessFailed(dump ? dump->commit() : Status(), exit);
}

}  // namespace nn::cli
