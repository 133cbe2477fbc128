// Reads the input of a command: path, bytes and format, as models and test cases.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/untrusted_text.h"
#include "model_io/streams.h"
#include "nnapi/device_profile.h"
#include "nnapi/import/imported_model.h"
#include "nnapi/io.h"
#include "tools/nnapi/options.h"
#include "tools/nnapi/output.h"
#include "tools/nnapi/random_inputs.h"

namespace nn::cli {

// The content of a pipe.
struct PipeContent {
    std::filesystem::path file;
    std::string bytes;
    schema::StreamFormat format;
};

Result<AnyModel> modelOf(const PipeContent& content, const Limits& limits);
Result<TestCaseReader> testCasesOf(const PipeContent& content, const Limits& limits);

// The test cases of a file, whatever its extension.
Result<TestCaseReader> testCasesOf(const std::filesystem::path& file, const Limits& limits);

// One model of an input file: of a model file, or of one test case of many.
struct Input {
    std::filesystem::path file;
    UntrustedText name;  // of the test case, or the file without folder and extension
    AnyModel model;      // of a test case canonical
    std::optional<TestCase> testCase{};            // without its model
    std::shared_ptr<const PipeContent> content{};  // of a pipe; empty for a file
    std::shared_ptr<const Import> import{};        // of a file of another format, without models
    ImportedPart names{};                          // of such a file, without the model
};

// Shows what became of the operators of a file of another format.
using ImportObserver = std::function<void(const UntrustedText& name, const Import& import)>;

// The number of files that these arguments name, those in folders among them.
size_t inputFileCount(const Options& options);

// Calls a function for every model of the files, in order, until the user interrupts. A folder
// means the files in it, `-` standard input. Reports and skips unreadable files. Returns the
// largest of all exit codes. Complains about refused operators of files of other formats, unless an
// observer shows them.
Exit forEachInput(const Options& options, const std::function<Exit(Input&)>& function,
                  const ImportObserver& observer = {});

// The same for models that can be executed: without --input, models in a folder with test cases, as
// NNAPI_RECORD writes both, are left out.
Exit forEachExecution(const Options& options, const std::function<Exit(Input&)>& function);

// The same for one of the files.
Exit forEachExecutionOf(const std::string& file, const Options& options,
                        const std::function<Exit(Input&)>& function);

// The canonical form of any model, for commands that do not care about its version. Canonical
// models are moved out.
Result<Model> canonical(AnyModel&& model);

// The version of a model; empty for a canonical model.
std::optional<HalVersion> halVersionOf(const AnyModel& model);

// The option that gives the open dimensions of an operand of an imported file: "--shape
// x=1,224,224,3". Empty if it has none, or no name.
std::string shapeOption(const Input& input, const Operand& operand, uint32_t index);

// The inputs of a model: raw files where --input names them, else those of the test case, else
// random ones of --seed.
Result<ExecutionInputs> inputsOf(const Input& input, const Model& model, const Options& options);

// True if --device names the description of a device, not a device.
bool isDeviceFile(std::string_view device);

// The description of --device, restricted to the version of --hal; empty after a complaint.
std::optional<DeviceProfile> deviceOf(const Options& options);

}  // namespace nn::cli
