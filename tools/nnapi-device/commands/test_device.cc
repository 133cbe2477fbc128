// Tests a device: lists cases, executes them in worker processes, and reports each result.
#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/files.h"
#include "base/printable.h"
#include "base/untrusted_text.h"
#include "tools/nnapi-device/device_commands.h"
#include "tools/nnapi-device/report_output.h"
#include "tools/nnapi-device/worker_command.h"
#include "tools/nnapi/interrupt.h"
#include "tools/nnapi/output_files.h"
#include "tools/nnapi/output_parts.h"
#include "tools/nnapi/progress.h"

namespace nn::cli {
namespace {

Result<testing::DeviceShard> shardOf(const std::string& text) {
    testing::DeviceShard shard;
    if (text.empty()) return shard;
    const char* end = text.data() + text.size();
    const auto first = std::from_chars(text.data(), end, shard.number);
    const bool hasSlash = first.ec == std::errc() && first.ptr != end && *first.ptr == '/';
    const auto second = hasSlash ? std::from_chars(first.ptr + 1, end, shard.of) : first;
    if (!hasSlash || second.ec != std::errc() || second.ptr != end || !shard.isLegal()) {
        return makeError(
                ErrorStatus::INVALID_ARGUMENT,
                fmt::format("--shard is {}, allowed I/N with I from 1 to N, as 2/4, and N up to {}",
                            printable(text), testing::DeviceShard::kMaxOf));
    }
    return shard;
}

std::string deviceName(const Options& options) {
    return options.device.empty() ? "nnapi-reference" : options.device;
}

// A word as a shell takes it.
std::string quoted(const std::string& word) {
    const auto isPlain = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
               std::string_view("_-./@:,+=").find(c) != std::string_view::npos;
    };
    if (!word.empty() && std::ranges::all_of(word, isPlain)) return word;
    std::string text = "'";
    for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

std::string repeatWith(const Options& options) {
    std::string command = "nnapi test-device --device " + quoted(deviceName(options));
    if (options.cases.timeout != CaseOptions().timeout) {
        command += fmt::format(" --timeout {}", options.cases.timeout);
    }
    if (!options.cases.tolerances.empty()) {
        command += " --tolerance " + quoted(options.cases.tolerances);
    }
    return command;
}

// A random model has its own seed; the choice of mutants hangs on that of the run.
std::string repeatOf(const Options& options, const testing::CaseHead& head) {
    std::string command = repeatWith(options);
    const std::string name =
            head.kind == "bias" ? fmt::format("numbers/{}/*", head.operation) : head.name;
    if (head.kind == "random") {
        command += fmt::format(" --seed {}", head.path);
    } else if (options.seed != 1) {
        command += fmt::format(" --seed {}", options.seed);
    }
    if (!head.file.empty()) command += " " + quoted(head.file);
    return command + " --filter " + quoted(name);
}

// The command that goes on with the file of results.
std::string resumeWith(const Options& options) {
    const CaseOptions& own = options.cases;
    std::string command = repeatWith(options);
    if (options.seed != 1) command += fmt::format(" --seed {}", options.seed);
    if (!own.shard.empty()) command += " --shard " + quoted(own.shard);
    if (!own.knownFailures.empty()) command += " --known-failures " + quoted(own.knownFailures);
    if (own.bias != CaseOptions().bias) command += fmt::format(" --bias {}", own.bias);
    command += fmt::format(" --results {} --resume", quoted(own.results));
    for (const std::string& file : options.files) command += " " + quoted(file);
    for (const std::string& filter : own.filters) command += " --filter " + quoted(filter);
    return command;
}

// Converts checked options to those of a run; its progress goes to the output.
Result<testing::DeviceRunOptions> runOptionsOf(const Options& options, const Output& output,
                                               Exit& exit) {
    const CaseOptions& own = options.cases;
    testing::DeviceRunOptions run{.device = deviceName(options),
                                  .settings = workerSettings(),
                                  .worker = workerProgram(),
                                  .workers = own.workers,
                                  .timeLimit = std::chrono::milliseconds(own.timeout),
                                  .tolerances = own.tolerances,
                                  .limits = options.limits,
                                  .files = options.files,
                                  .soak = std::chrono::seconds(own.soak),
                                  .earlyEnd = {.failures = own.failFast ? 1 : own.maxFailures,
                                               .time = std::chrono::seconds(own.timeLimit),
                                               .hangs = own.maxHangs},
                                  .reportFiles = reportFilesOf(own),
                                  .maxBias = maxBiasOf(own),
                                  .results = own.results,
                                  .isResumed = own.resume,
                                  .resumeCommand = resumeWith(options),
                                  .isCancelled = interrupted};
    run.tests.seed = options.seed;
    run.tests.patience = std::chrono::milliseconds(own.timeout) / 2;
    if (const char* folder = std::getenv("TMPDIR"); folder != nullptr && *folder != '\0') {
        run.tests.temporaryFolder = folder;
    }
    NNAPI_ASSIGN_OR_RETURN(filter, testing::nameFilter(own.filters));
    run.fits = [filter](const testing::DeviceCase& one) { return filter(one.name); };
    if (own.resume && own.results.empty()) {
        return makeError(ErrorStatus::INVALID_ARGUMENT,
                         "--resume goes on with the file of --results, which is not given");
    }
    NNAPI_ASSIGN_OR_RETURN(shard, shardOf(own.shard));
    run.shard = shard;
    run.repeatCommand = [&](const testing::CaseHead& head) { return repeatOf(options, head); };
    run.onFile = [](const std::filesystem::path& file, size_t count) {
        Progress::files(count);
        Progress::file(file);
    };
    run.onUnreadable = [&exit](const Status& why) { exit = Output::complain(why); };
    run.onProgress = [](const testing::CaseResult& last, size_t done, size_t all, size_t bad) {
        Progress::cases(done, all, bad, last.head.name);
    };
    run.onResult = [printer = std::make_shared<ResultPrinter>(output)](
                           const testing::CaseResult& result, const testing::DeviceReport& soFar) {
        printer->print(result, soFar);
    };
    return run;
}

void printCases(const Output& output, const std::vector<testing::CaseHead>& cases) {
    for (const testing::CaseHead& head : cases) {
        if (output.isJson()) {
            output.object({{"name", head.name},
                           {"kind", head.kind},
                           {"operation", head.operation},
                           {"type", head.type},
                           {"path", head.path}});
        }
        output.text("{}\n", UntrustedText{head.name});
    }
}

// The smallest cases of the failures.
Exit shrink(const Options& options, const Output& output, testing::DeviceRun& run,
            const testing::DeviceReport& report) {
    testing::ShrinkRunOptions how{.folder = options.cases.shrink};
    how.each.time = std::chrono::seconds(options.cases.shrinkLimit);
    how.onShrunk = [&output](const testing::ShrunkFailure& shrunk) {
        if (output.isJson()) Output::write(jsonLineOf(shrunk) + "\n");
        output.text("{}", Lines{toString(shrunk)});
    };
    const auto all = run.shrink(report, how);
    if (!all.ok()) return Output::complain(all.status());
    if (all->empty()) output.text("no failure has a test case to shrink\n");
    return kGood;
}

// Reports files that do not exist, and places that cannot be written, before a run that may take
// long.
Status checkPaths(const Options& options) {
    for (const std::string& file : options.files) {
        struct stat status {};
        if (stat(file.c_str(), &status) != 0) return systemError(file);
    }
    const CaseOptions& own = options.cases;
    if (!own.shrink.empty()) NNAPI_RETURN_IF_ERROR(makeFolder(own.shrink));
    const std::string shrunk = own.shrink.empty() ? "" : own.shrink + "/shrunk.jsonl";
    for (const std::string& path : {own.junit, own.html, shrunk}) {
        if (!path.empty()) NNAPI_RETURN_IF_ERROR(requireWritable(path));
    }
    return {};
}

}  // namespace

Exit testDevice(const Options& options) {
    // If the parent process ignores SIGCHLD, the exit status of a worker would be lost.
    (void)std::signal(SIGCHLD, SIG_DFL);
    const Progress progress;
    const Output output(options.json);
    if (const Status checked = checkPaths(options); !checked.ok()) return Output::complain(checked);
    Exit listed = kGood;
    auto runOptions = runOptionsOf(options, output, listed);
    if (!runOptions.ok()) return Output::complain(runOptions.status());
    // The first line, once the device is open.
    std::string heading;
    const auto showHeading = [&] {
        if (!heading.empty()) output.text("{}\n", std::exchange(heading, ""));
    };
    runOptions->onResult = [&showHeading, next = runOptions->onResult](const auto&... arguments) {
        showHeading();
        next(arguments...);
    };
    auto run = testing::DeviceRun::list(*std::move(runOptions));
    if (!run.ok()) return Output::complain(run.status());
    if (listed != kGood) return listed;
    const std::vector<testing::CaseHead> cases = run->cases();
    if (cases.empty() && options.cases.soak == 0) {
        return Output::complain("no case fits --filter and --shard; --list names all");
    }
    if (options.cases.list) {
        printCases(output, cases);
        return kGood;
    }
    heading = fmt::format("{}{}: {}", deviceName(options),
                          options.device.empty() ? ", which is tested without --device" : "",
                          counted(cases.size(), "test case", "test cases"));
    const Result<testing::DeviceReport> report = run->run();
    if (!report.ok()) return Output::complain(report.status());
    showHeading();
    const Exit exit = printReport(output, options.cases, *report);
    return options.cases.shrink.empty() ? exit
                                        : worse(exit, shrink(options, output, *run, *report));
}

}  // namespace nn::cli
