#include "tools/nnapi/input_files.h"

#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>

#include "base/files.h"
#include "base/no_throw.h"
#include "base/printable.h"
#include "base/status_message.h"
#include "model_io/inputs.h"
#include "nnapi/convert.h"
#include "nnapi/validate.h"
#include "tools/nnapi/import_files.h"
#include "tools/nnapi/interrupt.h"
#include "tools/nnapi/progress.h"
#include "tools/nnapi/stream_formats.h"

namespace nn::cli {
namespace {

namespace fs = std::filesystem;
using schema::StreamFormat;

// Reads a pipe. Without a format, the first bytes tell it.
Result<PipeContent> spool(const fs::path& path, const std::optional<StreamFormat>& format,
                          const Limits& limits) {
    NNAPI_ASSIGN_OR_RETURN(bytes, schema::readInput(path, limits));
    if (bytes.empty()) {
        return makeError(ErrorStatus::INVALID_ARGUMENT,
                         fmt::format("{}: is empty, or was read before", schema::shownName(path)));
    }
    const StreamFormat found = format.value_or(schema::guessFormat(bytes));
    return PipeContent{.file = path, .bytes = std::move(bytes), .format = found};
}

// An exception inside the readers has become a status without a name.
Exit unreadable(const fs::path& file, const Status& status) {
    return Output::complain(isOutOfMemory(status) ? fmt::format("out of memory while reading {}",
                                                                schema::shownName(file))
                                                  : messageOf(status));
}

Exit forEachTestCase(Result<TestCaseReader> reader, const fs::path& file,
                     const std::shared_ptr<const PipeContent>& content,
                     const std::function<Exit(Input&)>& function) {
    if (!reader.ok()) return unreadable(file, reader.status());
    Exit worst = kGood;
    while (!Output::hasFailed() && !interrupted()) {
        auto next = reader->next();
        if (!next) break;
        if (!next->ok()) {
            worst = worse(worst, unreadable(file, next->status()));
            continue;
        }
        TestCase testCase = **std::move(next);
        Input input{.file = file, .name = {testCase.name}, .model = std::move(testCase.model)};
        input.testCase = std::move(testCase);
        input.content = content;
        Progress::model(input.name.raw);
        worst = worse(worst, function(input));
    }
    return worst;
}

Exit forEachModel(Result<AnyModel> model, const fs::path& file, const std::string& name,
                  const std::shared_ptr<const PipeContent>& content,
                  const std::function<Exit(Input&)>& function) {
    if (!model.ok()) return unreadable(file, model.status());
    Input input{.file = file, .name = {name}, .model = *std::move(model), .content = content};
    Progress::model(input.name.raw);
    return function(input);
}

// Operators that stay behind, a line each.
void complainOfRefusals(const UntrustedText& name, const Import& import) {
    for (const ImportedOperator& op : import.operators) {
        for (const ImportRefusal& refusal : op.refusals) {
            Output::complain(fmt::format("{}: {}: {}", name, toString(op), toString(refusal)));
        }
    }
}

// The models of a file of another format: one, or the parts of it that could be imported.
Exit forEachPart(Result<Import> imported, const fs::path& file, const std::string& stem,
                 const std::shared_ptr<const PipeContent>& content,
                 const std::function<Exit(Input&)>& function, const ImportObserver& observer) {
    if (!imported.ok()) return unreadable(file, imported.status());
    std::vector<ImportedPart> parts = std::move(imported->parts);
    imported->parts.clear();
    const auto import = std::make_shared<const Import>(*std::move(imported));
    Exit worst = preparationErrors(*import).ok() ? kGood : kInvalidOrDiffers;
    observer ? observer({stem}, *import) : complainOfRefusals({stem}, *import);
    const bool isWhole = worst == kGood;
    for (size_t i = 0; i < parts.size(); ++i) {
        Input input{.file = file,
                    .name = {isWhole ? stem : fmt::format("{}_part{}", stem, i + 1)},
                    .model = std::move(parts[i].model),
                    .content = content,
                    .import = import,
                    .names = std::move(parts[i])};
        Progress::model(input.name.raw);
        worst = worse(worst, function(input));
    }
    return worst;
}

Exit forEachSpooled(const fs::path& file, const Options& options,
                    const std::function<Exit(Input&)>& function, const ImportObserver& observer) {
    // Where input and output are streams, --format is that of the output; the input shows its own.
    const bool isOfOutput = isStandardOutput(options.out);
    Result<PipeContent> content =
            spool(file, isOfOutput ? std::nullopt : options.format, options.limits);
    if (!content.ok()) return unreadable(file, content.status());
    const auto shared = std::make_shared<const PipeContent>(*std::move(content));
    if (hasImportableBytes(shared->bytes)) {
        return forEachPart(importBytes(shared->bytes, schema::shownName(file), options), file,
                           "stdin", shared, function, observer);
    }
    if (shared->format == schema::StreamFormat::TEST_CASES) {
        return forEachTestCase(testCasesOf(*shared, options.limits), file, shared, function);
    }
    return forEachModel(modelOf(*shared, options.limits), file, "stdin", shared, function);
}

// The bytes of a file determine its format, whatever its name; the name does if they do not.
Exit forEachInFile(const fs::path& file, const Options& options,
                   const std::function<Exit(Input&)>& function, const ImportObserver& observer) {
    const Result<std::string> head = readHead(file, schema::kFormatBytes);
    if (!head.ok()) return unreadable(file, head.status());
    const auto format = schema::formatOfFile(file, *head);
    if (isImportable(file, *head)) {
        return forEachPart(importFile(file, options), file, file.stem().string(), nullptr, function,
                           observer);
    }
    if (!format) return unreadable(file, schema::unknownContent(file, modelExtensions()));
    if (*format == StreamFormat::TEST_CASES) {
        return forEachTestCase(testCasesOf(file, options.limits), file, nullptr, function);
    }
    return forEachModel(readModel(file, options.limits), file, file.stem().string(), nullptr,
                        function);
}

// As schema::expand(), without the models of folders that have test cases.
schema::Expanded expandToExecute(const std::vector<std::string>& files) {
    schema::Expanded all;
    for (const std::string& file : files) {
        schema::Expanded some = schema::expand({file}, isNamedImportable);
        std::error_code error;
        if (fs::is_directory(file, error) && absl::c_any_of(some.files, schema::isTestCaseFile)) {
            std::erase_if(some.files,
                          [](const fs::path& path) { return !schema::isTestCaseFile(path); });
        }
        absl::c_move(some.files, std::back_inserter(all.files));
        absl::c_move(some.unreadable, std::back_inserter(all.unreadable));
    }
    return all;
}

Exit forEachInput(const schema::Expanded& expanded, const Options& options,
                  const std::function<Exit(Input&)>& function, const ImportObserver& observer) {
    Exit worst = kGood;
    for (const std::string& message : expanded.unreadable) {
        Output::complain(message);
        worst = kUsageOrUnreadable;
    }
    if (expanded.files.empty()) {
        return Output::complain("the arguments name no model files and no test cases");
    }
    Progress::files(expanded.files.size());
    for (const fs::path& file : expanded.files) {
        if (Output::hasFailed() || interrupted()) break;
        Progress::file(file);
        worst = worse(worst, withMemory(schema::shownName(file), [&] {
                          return schema::openDescriptor(file)
                                         ? forEachSpooled(file, options, function, observer)
                                         : forEachInFile(file, options, function, observer);
                      }));
    }
    return worst;
}

}  // namespace

Result<AnyModel> modelOf(const PipeContent& content, const Limits& limits) {
    auto model = parseModel(content.bytes, schema::modelFormat(content.format), limits);
    if (model.ok()) return model;
    return within(schema::shownName(content.file) + ": ", model.status());
}

Result<TestCaseReader> testCasesOf(const PipeContent& content, const Limits& limits) {
    return schema::testCasesOf(content.bytes, schema::shownName(content.file), limits);
}

Result<TestCaseReader> testCasesOf(const fs::path& file, const Limits& limits) {
    if (schema::isTestCaseFile(file)) return TestCaseReader::open(file, limits);
    NNAPI_ASSIGN_OR_RETURN(fd, openRegularFile(file));
    return TestCaseReader::open(std::move(fd), nameOf(file), limits);
}

size_t inputFileCount(const Options& options) {
    return schema::expand(options.files, isNamedImportable).files.size();
}

Exit forEachInput(const Options& options, const std::function<Exit(Input&)>& function,
                  const ImportObserver& observer) {
    return forEachInput(schema::expand(options.files, isNamedImportable), options, function,
                        observer);
}

Exit forEachExecution(const Options& options, const std::function<Exit(Input&)>& function) {
    return forEachInput(options.inputs.empty() ? expandToExecute(options.files)
                                               : schema::expand(options.files, isNamedImportable),
                        options, function, {});
}

Exit forEachExecutionOf(const std::string& file, const Options& options,
                        const std::function<Exit(Input&)>& function) {
    Options one = options;
    one.files = {file};
    return forEachExecution(one, function);
}

std::string shapeOption(const Input& input, const Operand& operand, uint32_t index) {
    const std::vector<std::string>& names = input.names.operandNames;
    const bool isOpen = std::ranges::find(operand.dimensions, 0u) != operand.dimensions.end();
    if (!isOpen || index >= names.size() || names[index].empty()) return {};
    std::vector<uint32_t> sizes = operand.dimensions;
    std::ranges::replace(sizes, 0u, 1u);
    return fmt::format("--shape {}={}", printable(names[index]), fmt::join(sizes, ","));
}

Result<ExecutionInputs> inputsOf(const Input& input, const Model& model, const Options& options) {
    if (options.inputs.empty()) {
        if (input.testCase) return ExecutionInputs{.values = input.testCase->inputs};
        Result<ExecutionInputs> random = randomInputs(model, options.seed, options.limits);
        if (random.ok()) return random;
        return within(fmt::format("{}: ", input.name), random.status());
    }
    std::vector<Tensor> inputs;
    for (size_t i = 0; i < options.inputs.size(); ++i) {
        NNAPI_ASSIGN_OR_RETURN(bytes, schema::readInput(options.inputs[i], options.limits));
        Tensor tensor{.data = {bytes.begin(), bytes.end()}};
        const uint32_t index =
                i < model.main.inputIndexes.size() ? model.main.inputIndexes[i] : UINT32_MAX;
        if (index < model.main.operands.size()) {
            const Operand& operand = model.main.operands[index];
            if (const std::string shape = shapeOption(input, operand, index); !shape.empty()) {
                return makeError(ErrorStatus::INVALID_ARGUMENT,
                                 fmt::format("{}: inputs[{}] has open dimensions: try {}",
                                             input.name, i, shape));
            }
            tensor.dimensions = operand.dimensions;
        }
        inputs.push_back(std::move(tensor));
    }
    return ExecutionInputs{.values = std::move(inputs)};
}

Result<Model> canonical(AnyModel&& model) {
    return std::visit(
            []<class M>(M&& held) -> Result<Model> {
                if constexpr (std::same_as<std::remove_cvref_t<M>, Model>) {
                    return std::forward<M>(held);
                } else {
                    return unvalidatedConvertFrom(HalModel(std::forward<M>(held)));
                }
            },
            std::move(model));
}

std::optional<HalVersion> halVersionOf(const AnyModel& model) {
    return std::visit(
            []<class M>(const M& held) -> std::optional<HalVersion> {
                if constexpr (std::same_as<M, Model>) {
                    return std::nullopt;
                } else {
                    return conversion::versionIn(held);
                }
            },
            model);
}

bool isDeviceFile(std::string_view device) {
    return device.ends_with(".textproto") || device.ends_with(".pb") || device.ends_with(".json");
}

std::optional<DeviceProfile> deviceOf(const Options& options) {
    Result<DeviceProfile> device = readDevice(options.device, options.limits);
    if (!device.ok()) {
        Output::complain(device.status());
        return std::nullopt;
    }
    if (const Status status = nn::validate(*device); !status.ok()) {
        Output::complain(fmt::format("{}: {}", printable(options.device), messageOf(status)));
        return std::nullopt;
    }
    const Version target = options.hal ? toVersion(*options.hal) : device->version;
    if (!isCompliantVersion(device->version, target)) device->version = target;
    return *std::move(device);
}

}  // namespace nn::cli
