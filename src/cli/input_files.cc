#include "cli/command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>

#include "cli/command_table.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/text_layout.h"
#include "nnapi/type_utils.h"
#include "schema/inputs.h"

namespace nn::cli {
namespace {

namespace fs = std::filesystem;

Exit unreadable(const Status& status) {
    Output::complain(messageOf(status));
    return kUsageOrUnreadable;
}

Exit forEachTestCase(Result<TestCaseReader> reader, const fs::path& file,
                     const std::shared_ptr<const Spooled>& spooled,
                     const std::function<Exit(Input&)>& function) {
    if (!reader.ok()) return unreadable(reader.status());
    Exit worst = kGood;
    while (!Output::hasFailed() && !interrupted()) {
        auto next = reader->next();
        if (!next) break;
        if (!next->ok()) {
            worst = worse(worst, unreadable(next->status()));
            continue;
        }
        TestCase testCase = **std::move(next);
        Input input{.file = file, .name = {testCase.name}, .model = std::move(testCase.model)};
        input.testCase = std::move(testCase);
        input.spooled = spooled;
        Progress::model(input.name.raw);
        worst = worse(worst, function(input));
    }
    return worst;
}

Exit forEachModel(Result<AnyModel> model, const fs::path& file, const std::string& name,
                  const std::shared_ptr<const Spooled>& spooled,
                  const std::function<Exit(Input&)>& function) {
    if (!model.ok()) return unreadable(model.status());
    Input input{.file = file, .name = {name}, .model = *std::move(model), .spooled = spooled};
    Progress::model(input.name.raw);
    return function(input);
}

Exit forEachSpooled(const fs::path& file, const Options& options,
                    const std::function<Exit(Input&)>& function) {
    // Where input and output are streams, --format is that of the output; the input shows its own.
    const bool isOfOutput = isStandardOutput(options.out);
    Result<Spooled> spooled =
            spool(file, isOfOutput ? std::nullopt : options.format, options.limits);
    if (!spooled.ok()) return unreadable(spooled.status());
    const auto shared = std::make_shared<const Spooled>(*std::move(spooled));
    if (shared->format == schema::StreamFormat::TEST_CASES) {
        return forEachTestCase(testCasesOf(*shared, options.limits), file, shared, function);
    }
    return forEachModel(modelOf(*shared, options.limits), file, "stdin", shared, function);
}

Exit forEachInput(const std::vector<std::string>& files, const Options& options,
                  const std::function<Exit(Input&)>& function) {
    Exit worst = kGood;
    const schema::Expanded expanded = schema::expand(files);
    for (const std::string& message : expanded.unreadable) {
        Output::complain(message);
        worst = kUsageOrUnreadable;
    }
    if (expanded.files.empty()) {
        Output::complain("the arguments name no model files and no test cases");
        return kUsageOrUnreadable;
    }
    Progress::files(expanded.files.size());
    for (const fs::path& file : expanded.files) {
        if (Output::hasFailed() || interrupted()) break;
        Progress::file(file);
        Exit exit = kGood;
        if (schema::openDescriptor(file)) {
            exit = forEachSpooled(file, options, function);
        } else if (schema::isTestCaseFile(file)) {
            exit = forEachTestCase(TestCaseReader::open(file, options.limits), file, nullptr,
                                   function);
        } else {
            exit = forEachModel(readModel(file, options.limits), file, file.stem().string(),
                                nullptr, function);
        }
        worst = worse(worst, exit);
    }
    return worst;
}

PrepareOptions prepareOptions(const Options& options) {
    return {.limits = options.limits, .threads = options.threads, .until = {.stop = interrupted}};
}

// The errno of the first write to standard output that failed; 0 while none has.
int& writeError() {
    static int error = 0;
    return error;
}

}  // namespace

// Only ASCII, so the output is exact and contains no control sequences of terminals.
void Output::object(const Json& object) const {
    write(object.dump(-1, ' ', true, Json::error_handler_t::replace) + "\n");
}

void Output::write(std::string_view bytes, std::FILE* to) {
    Progress::hide();
    if (std::fwrite(bytes.data(), 1, bytes.size(), to) == bytes.size()) return;
    if (to == stdout && writeError() == 0) writeError() = errno;
}

bool Output::hasFailed() { return writeError() != 0; }

void Output::complain(const std::string& message) {
    Progress::hide();
    std::fflush(stdout);
    std::fprintf(stderr, "nnapi: %s\n", onOneLine(message).c_str());
}

Exit Output::finish(Exit exit) {
    errno = 0;
    // Some file systems report a full disk only when a descriptor is closed. The help goes to cout.
    const bool isWritten = std::fflush(stdout) == 0 && close(dup(STDOUT_FILENO)) == 0 &&
                           std::cout.flush().good() && std::ferror(stdout) == 0;
    if (isWritten && !hasFailed()) return exit;
    const int error = hasFailed() ? writeError() : errno;
    // A reader that closed its pipe knows that.
    if (error != EPIPE) {
        Output::complain(fmt::format("standard output: {}",
                                     error == 0 ? "cannot be written" : std::strerror(error)));
    }
    return kUsageOrUnreadable;
}

Exit forEachInput(const Options& options, const std::function<Exit(Input&)>& function) {
    return forEachInput(options.files, options, function);
}

Exit forEachInputOf(const std::string& file, const Options& options,
                    const std::function<Exit(Input&)>& function) {
    return forEachInput(std::vector<std::string>{file}, options, function);
}

Result<std::vector<Tensor>> inputsOf(const Input& input, const Model& model,
                                     const Options& options) {
    if (options.inputs.empty()) {
        if (input.testCase) return input.testCase->inputs;
        if (model.main.inputIndexes.empty()) return std::vector<Tensor>();
        return makeError(
                ErrorStatus::INVALID_ARGUMENT,
                fmt::format(
                        "{} needs {} with the raw bytes of its inputs: --input FILE, once for each",
                        input.name, counted(model.main.inputIndexes.size(), "file", "files")));
    }
    std::vector<Tensor> inputs;
    for (size_t i = 0; i < options.inputs.size(); ++i) {
        NNAPI_ASSIGN_OR_RETURN(bytes, schema::readInput(options.inputs[i], options.limits));
        Tensor tensor{.data = {bytes.begin(), bytes.end()}};
        if (i < model.main.inputIndexes.size() &&
            model.main.inputIndexes[i] < model.main.operands.size()) {
            tensor.dimensions = model.main.operands[model.main.inputIndexes[i]].dimensions;
        }
        inputs.push_back(std::move(tensor));
    }
    return inputs;
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

Json toJson(const std::vector<Diagnostic>& diagnostics) {
    Json list = Json::array();
    for (const Diagnostic& d : diagnostics) {
        std::string message = toString(d);
        list.push_back({{"rule", d.rule}, {"path", d.path}, {"message", std::move(message)}});
    }
    return list;
}

Json toJson(const Losses& losses) {
    Json list = Json::array();
    for (const Loss& loss : losses) {
        list.push_back({{"path", loss.path},
                        {"before", loss.before},
                        {"after", loss.after},
                        {"why", loss.why}});
    }
    return list;
}

Json dimensionsToJson(const std::vector<uint32_t>& dimensions) {
    Json list = Json::array();
    for (const uint32_t dimension : dimensions) list.push_back(dimension);
    return list;
}

std::vector<Diagnostic> diagnosticsOf(const Status& status) {
    if (status.ok()) return {};
    if (auto found = diagnostic(status)) return {*std::move(found)};
    return {{.message = messageOf(status)}};
}

std::string counted(size_t count, std::string_view one, std::string_view many) {
    return fmt::format("{} {}", count, count == 1 ? one : many);
}

Result<PreparedModel> prepareFor(const Options& options, Model model) {
    return prepare(std::move(model), prepareOptions(options));
}

Result<PreparedModel> prepareFor(const Options& options, const CheckedModel& model) {
    return prepare(model, prepareOptions(options));
}

ExecuteOptions executeOptions(const TestCase& testCase) {
    ExecuteOptions options{.stop = interrupted};
    if (testCase.expectFailure) options.loopTimeout = std::chrono::milliseconds(1);
    return options;
}

std::optional<OperationType> operationOf(const std::string& name) {
    std::string capitals = name;
    std::ranges::transform(capitals, capitals.begin(),
                           [](unsigned char c) { return std::toupper(c); });
    const auto type = parseOperationType(capitals);
    if (!type) {
        Output::complain(fmt::format("there is no operation {}{}", name,
                                     didYouMean(name, valuesOf("OPERATION"))));
    }
    return type;
}

}  // namespace nn::cli
