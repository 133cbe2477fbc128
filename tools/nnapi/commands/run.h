// Runs the models of the command line with an executor: the interpreter, or a device.
#pragma once

#include <chrono>
#include <functional>
#include <vector>

#include "nnapi/driver/trace.h"
#include "nnapi/io.h"
#include "nnapi/result.h"
#include "tools/nnapi/input_files.h"
#include "tools/nnapi/options.h"
#include "tools/nnapi/output.h"

namespace nn::cli {

// The execution of a model.
struct ModelRun {
    Result<std::vector<Tensor>> outputs = std::vector<Tensor>();
    std::chrono::nanoseconds time{};
    Status unwritten{};  // why results of operations could not be dumped
};

using ModelExecutor = std::function<ModelRun(const Input& input, const Model& model,
                                             const std::vector<Tensor>& inputs)>;
// Called once, with the trace of --trace or null. Returns an empty executor after a complaint.
using OpenExecutor = std::function<ModelExecutor(const SharedTrace& trace)>;

// Executes each model, prints its outputs, and writes the files that the options request.
Exit runModels(const Options& options, const OpenExecutor& open);

// True if -o of run names a folder; false after a complaint.
bool isFolderOrComplain(const std::string& out);

}  // namespace nn::cli
