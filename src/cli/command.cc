#include "cli/command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>

namespace nn::cli {
namespace {

namespace fs = std::filesystem;

bool isModelOrTestCaseFile(const fs::path& path) {
    return isTestCaseFile(path) || formatOf(path).has_value();
}

// The files, with those of folders and their folders in place of these, sorted.
std::vector<fs::path> expand(const std::vector<std::string>& files) {
    std::vector<fs::path> expanded;
    for (const std::string& file : files) {
        std::error_code error;
        if (!fs::is_directory(file, error)) {
            expanded.emplace_back(file);
            continue;
        }
        std::vector<fs::path> inside;
        for (auto entry = fs::recursive_directory_iterator(file, error);
             !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
            if (entry->is_regular_file(error) && isModelOrTestCaseFile(entry->path())) {
                inside.push_back(entry->path());
            }
        }
        std::ranges::sort(inside);
        expanded.insert(expanded.end(), inside.begin(), inside.end());
    }
    return expanded;
}

// Shows on a terminal how far long work has come.
class Progress {
   public:
    ~Progress() {
        if (mShown) std::fputs("\r\x1b[K", stderr);
    }
    void step(const fs::path& file) {
        if (!mIsTerminal || ++mDone % 16 != 0) return;
        std::fprintf(stderr, "\r\x1b[K%zu models, %s", mDone, file.filename().c_str());
        mShown = true;
    }

   private:
    bool mIsTerminal = isatty(STDERR_FILENO) != 0 && isatty(STDOUT_FILENO) == 0;
    bool mShown = false;
    size_t mDone = 0;
};

Exit worse(Exit a, Exit b) { return std::max(a, b); }

Exit unreadable(const Status& status) {
    Output::complain(messageOf(status));
    return kUsageOrUnreadable;
}

Exit forEachTestCase(const fs::path& file, const Limits& limits, Progress& progress,
                     const std::function<Exit(Input&)>& function) {
    Result<TestCaseReader> reader = TestCaseReader::open(file, limits);
    if (!reader.ok()) return unreadable(reader.status());
    Exit worst = kGood;
    while (auto next = reader->next()) {
        if (!next->ok()) {
            worst = worse(worst, unreadable(next->status()));
            continue;
        }
        TestCase testCase = **std::move(next);
        Input input{.file = file, .name = testCase.name, .model = std::move(testCase.model)};
        input.testCase = std::move(testCase);
        progress.step(file);
        worst = worse(worst, function(input));
    }
    return worst;
}

Result<std::vector<uint8_t>> readBytes(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::vector<uint8_t> bytes{std::istreambuf_iterator<char>(file),
                               std::istreambuf_iterator<char>()};
    if (!file.good() && !file.eof()) {
        return makeError(ErrorStatus::INVALID_ARGUMENT, fmt::format("{}: cannot be read", path));
    }
    return bytes;
}

}  // namespace

bool isTestCaseFile(const fs::path& path) {
    return path.extension() == ".jsonl" || path.string().ends_with(".jsonl.gz");
}

void Output::object(const Json& object) const {
    write(object.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
}

void Output::write(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }

void Output::complain(const std::string& message) {
    std::fflush(stdout);
    std::fprintf(stderr, "nnapi: %s\n", message.c_str());
}

Exit forEachInput(const std::vector<std::string>& files, const Limits& limits,
                  const std::function<Exit(Input&)>& function) {
    Progress progress;
    Exit worst = kGood;
    const std::vector<fs::path> expanded = expand(files);
    if (expanded.empty()) {
        Output::complain("there are no model files or test cases in what was named");
        return kUsageOrUnreadable;
    }
    for (const fs::path& file : expanded) {
        if (isTestCaseFile(file)) {
            worst = worse(worst, forEachTestCase(file, limits, progress, function));
            continue;
        }
        Result<AnyModel> model = readModel(file, limits);
        if (!model.ok()) {
            worst = worse(worst, unreadable(model.status()));
            continue;
        }
        Input input{.file = file, .name = file.stem().string(), .model = *std::move(model)};
        progress.step(file);
        worst = worse(worst, function(input));
    }
    return worst;
}

Result<std::vector<Tensor>> inputsOf(const Input& input, const Model& model,
                                     const Options& options) {
    if (options.inputs.empty()) {
        if (input.testCase) return input.testCase->inputs;
        if (model.main.inputIndexes.empty()) return std::vector<Tensor>();
        return makeError(
                ErrorStatus::INVALID_ARGUMENT,
                fmt::format("{} needs {} with the raw bytes of its inputs: --input FILE...",
                            input.name, counted(model.main.inputIndexes.size(), "file", "files")));
    }
    std::vector<Tensor> inputs;
    for (size_t i = 0; i < options.inputs.size(); ++i) {
        NNAPI_ASSIGN_OR_RETURN(bytes, readBytes(options.inputs[i]));
        Tensor tensor{.data = std::move(bytes)};
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
                    return unvalidatedConvert(std::forward<M>(held));
                }
            },
            std::move(model));
}

std::optional<HalVersion> halVersionOf(const AnyModel& model) {
    if (model.index() == 0) return std::nullopt;
    return kHalVersions[model.index() - 1];
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

std::string messageOf(const Status& status) { return std::string(status.message()); }

std::vector<Diagnostic> diagnosticsOf(const Status& status) {
    if (status.ok()) return {};
    if (auto found = diagnostic(status)) return {*std::move(found)};
    return {{.message = messageOf(status)}};
}

std::string counted(size_t count, std::string_view one, std::string_view many) {
    return fmt::format("{} {}", count, count == 1 ? one : many);
}

testing::Criteria criteriaFor(const std::string& name, const Model& model) {
    testing::Criteria criteria = testing::criteriaFor(model);
    if (name.find("mobilenet") != std::string::npos) criteria.quant8.absolute = 3;
    return criteria;
}

Result<PreparedModel> prepareFor(const Options& options, const Model& model) {
    return prepare(model, {.limits = options.limits, .threads = options.threads});
}

std::vector<Tensor> expectedOutputs(const TestCase& testCase) {
    std::vector<Tensor> expected;
    for (const TestCase::Output& output : testCase.outputs) {
        expected.push_back(output.ignored ? Tensor{.hasNoValue = true} : output.value);
    }
    return expected;
}

}  // namespace nn::cli
