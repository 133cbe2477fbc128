// A soak of the importers: random graphs, each imported and computed.
//
//   nnapi_import_soak onnx                          100000 graphs
//   nnapi_import_soak tflite --graphs 500000 --first 1
//   nnapi_import_soak onnx --write 4711 FILE        the graph of a number as a file
//
// A worker process imports one graph after another. It is replaced when it ends, when an import
// takes more than --within milliseconds of CPU time (2000) or more than --megabytes (500), or when
// a property does not hold (import_trial.h). Findings are distinguished by the first line of a
// sanitizer that names a place; the first graph of each is kept as finding-<format>-<number>, with
// the output of the worker. Ends with a table of operators: graphs that have them, graphs that
// import them, graphs that were computed. Exit code 1: there are findings.
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <string_view>

#include "importers/graphs/any_graph.h"
#include "importers/onnx/operators.h"
#include "importers/tflite/conversion.h"

namespace nn::graphs {
namespace {

struct Options {
    FileFormat format = FileFormat::ONNX;
    uint64_t first = 1;
    uint64_t graphs = 100'000;
    uint64_t violations = 2;
    int64_t within = 2000;
    int64_t megabytes = 500;
    bool listsOperators = true;
};

struct Counts {
    uint64_t tried = 0, imported = 0, executed = 0;
};

constexpr size_t kMaxOperators = 512;

// The worker's messages to the process that watches it.
struct Shared {
    uint64_t number;  // of the graph that is tried
    bool isImporting;
    uint64_t rejected, whole, executed;
    int64_t slowest;  // milliseconds
    uint64_t slowestNumber;
    Counts operators[kMaxOperators];  // in the order of namesOf()
};

// Operators that are counted individually; the last is for all others.
std::vector<std::string> namesOf(FileFormat format) {
    std::set<std::string> names;
    if (format == FileFormat::ONNX) {
        for (const onnx::OperatorRow& row : onnx::operatorRows()) {
            names.insert(operatorName(row.domain, row.type));
        }
    } else {
        for (const tflite::Row& row : tflite::operatorRows()) {
            names.emplace(tflite::nameOf(row));
        }
    }
    std::vector<std::string> all(names.begin(), names.end());
    all.emplace_back("others");
    return all;
}

size_t indexOf(const std::vector<std::string>& names, const std::string& name) {
    const auto found = std::lower_bound(names.begin(), names.end() - 1, name);
    const bool isKnown = found != names.end() - 1 && *found == name;
    return static_cast<size_t>((isKnown ? found : names.end() - 1) - names.begin());
}

int64_t cpuMilliseconds() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000 +
           (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1000;
}

int64_t peakMegabytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss / 1024;
}

[[noreturn]] void give(const std::string& finding) {
    fmt::print(stderr, "FINDING: {}\n", finding);
    std::fflush(stderr);
    _exit(3);
}

// Ends the process that takes more CPU time: with SIGPROF.
void limitTime(int64_t milliseconds) {
    const itimerval timer{{}, {milliseconds / 1000, milliseconds % 1000 * 1000}};
    setitimer(ITIMER_PROF, &timer, nullptr);
}

void tryGraph(const Options& options, const std::vector<std::string>& names, Shared& shared) {
    const std::vector<uint8_t> bytes = choicesOf(shared.number);
    testing::Source source(bytes);
    const AnyGraph graph = anyGraph(options.format, source, {.violations = options.violations});
    for (const std::string& name : graph.operators) {
        ++shared.operators[indexOf(names, name)].tried;
    }
    const int64_t start = cpuMilliseconds(), before = peakMegabytes();
    limitTime(options.within + 500);
    shared.isImporting = true;
    const Result<Import> imported = importAny(options.format, graph.bytes, source);
    shared.isImporting = false;
    const int64_t time = cpuMilliseconds() - start, grown = peakMegabytes() - before;
    if (time > shared.slowest) shared.slowest = time, shared.slowestNumber = shared.number;
    if (time > options.within) give(fmt::format("import takes {} s", time / 1000));
    if (grown > options.megabytes) give(fmt::format("import takes over {} MB", options.megabytes));

    limitTime(20'000);
    const Trial trial = tryImport(options.format, imported, source);
    limitTime(0);
    if (trial.wrong) give(*trial.wrong);
    shared.rejected += imported.ok() ? 0 : 1;
    shared.whole += trial.isWhole;
    shared.executed += trial.isExecuted;
    for (const std::string& name : trial.imported) {
        Counts& counts = shared.operators[indexOf(names, name)];
        ++counts.imported;
        counts.executed += trial.isExecuted;
    }
}

[[noreturn]] void work(const Options& options, const std::vector<std::string>& names,
                       Shared& shared, const char* log) {
    const int fd = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0 || dup2(fd, STDERR_FILENO) < 0) _exit(4);
    const uint64_t end = options.first + options.graphs;
    for (; shared.number < end; ++shared.number) {
        if (shared.number % 64 == 0 && ftruncate(fd, 0) != 0) _exit(4);
        tryGraph(options, names, shared);
    }
    _exit(0);
}

// The place and the kind of what ended a worker: the sanitizers' lines without addresses.
std::string kindOf(const std::string& log, int status) {
    for (const std::string_view mark :
         {"runtime error: ", "SUMMARY: ", "FINDING: ", "Assertion '"}) {
        const size_t at = log.find(mark);
        if (at == std::string::npos) continue;
        const size_t line = log.rfind('\n', at) + 1;
        std::string kind = log.substr(line, std::min(log.find('\n', at), line + 200) - line);
        // Numbers after the message differ from graph to graph.
        if (mark == "runtime error: ")
            kind = kind.substr(0, at - line) + mark.data() +
                   std::string(kind.substr(at - line + mark.size(), 28));
        if (mark == "FINDING: ") kind = kind.substr(0, kind.find_first_of("0123456789["));
        return kind;
    }
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF) return "takes too long";
    return WIFSIGNALED(status) ? fmt::format("signal {}", WTERMSIG(status))
                               : fmt::format("exit code {}", WEXITSTATUS(status));
}

std::string textOf(const char* path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void writeGraph(const Options& options, uint64_t number, const std::string& path) {
    const std::vector<uint8_t> choices = choicesOf(number);
    testing::Source source(choices);
    const AnyGraph graph = anyGraph(options.format, source, {.violations = options.violations});
    std::ofstream(path, std::ios::binary)
            .write(reinterpret_cast<const char*>(graph.bytes.data()),
                   static_cast<std::streamsize>(graph.bytes.size()));
}

std::string_view nameOf(FileFormat format) {
    return format == FileFormat::ONNX ? "onnx" : "tflite";
}

struct Finding {
    uint64_t first = 0, count = 0;
};

void print(const Options& options, const std::vector<std::string>& names, const Shared& shared,
           const std::map<std::string, Finding>& findings) {
    uint64_t found = 0;
    for (const auto& [kind, finding] : findings) {
        fmt::print("finding: {} graphs, first {}: {}\n", finding.count, finding.first, kind);
        found += finding.count;
    }
    fmt::print(
            "{}: {} graphs: {} rejected, {} partly imported, {} imported, {} of these computed, {} "
            "findings; slowest import {} ms of graph {}\n",
            nameOf(options.format), options.graphs, shared.rejected,
            options.graphs - shared.rejected - shared.whole - found, shared.whole, shared.executed,
            found, shared.slowest, shared.slowestNumber);
    if (!options.listsOperators) return;
    fmt::print("{:32} {:>9} {:>9} {:>9}\n", "operator", "tried", "imported", "computed");
    for (size_t i = 0; i < names.size(); ++i) {
        const Counts& counts = shared.operators[i];
        fmt::print("{:32} {:9} {:9} {:9}\n", names[i], counts.tried, counts.imported,
                   counts.executed);
    }
}

int soak(const Options& options) {
    const std::vector<std::string> names = namesOf(options.format);
    void* memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                        -1, 0);
    if (memory == MAP_FAILED || names.size() > kMaxOperators) return 2;
    auto& shared = *static_cast<Shared*>(memory);
    shared.number = options.first;
    std::map<std::string, Finding> findings;
    const std::string log = fmt::format("import_soak_{}.log", getpid());
    while (shared.number < options.first + options.graphs) {
        std::fflush(stdout);
        const pid_t child = fork();
        if (child < 0) return 2;
        if (child == 0) work(options, names, shared, log.c_str());
        int status = 0;
        if (waitpid(child, &status, 0) != child) return 2;
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0) break;
        const std::string text = textOf(log.c_str());
        Finding& finding =
                findings[(shared.isImporting ? "import: " : "computing: ") + kindOf(text, status)];
        if (finding.count++ == 0) {
            finding.first = shared.number;
            const auto path = fmt::format("finding-{}-{}", nameOf(options.format), shared.number);
            writeGraph(options, shared.number, path);
            std::ofstream(path + ".log") << text;
        }
        shared.isImporting = false;
        ++shared.number;
    }
    unlink(log.c_str());
    print(options, names, shared, findings);
    return findings.empty() ? 0 : 1;
}

int usage() {
    fmt::print(stderr,
               "usage: nnapi_import_soak onnx|tflite [--graphs N] [--first N] [--violations N] "
               "[--within MS] [--megabytes N] [--operators 0|1] [--write N FILE]\n");
    return 2;
}

int main(std::span<char* const> arguments) {
    Options options;
    const std::string_view format = arguments.empty() ? "" : arguments[0];
    if (format != "onnx" && format != "tflite") return usage();
    options.format = format == "tflite" ? FileFormat::TFLITE : FileFormat::ONNX;
    for (size_t i = 1; i < arguments.size(); i += 2) {
        const std::string_view name = arguments[i];
        if (i + 1 == arguments.size()) return usage();
        const uint64_t value = std::strtoull(arguments[i + 1], nullptr, 10);
        if (name == "--graphs") {
            options.graphs = value;
        } else if (name == "--first") {
            options.first = value;
        } else if (name == "--violations") {
            options.violations = value;
        } else if (name == "--within") {
            options.within = static_cast<int64_t>(value);
        } else if (name == "--megabytes") {
            options.megabytes = static_cast<int64_t>(value);
        } else if (name == "--operators") {
            options.listsOperators = value != 0;
        } else if (name == "--write" && i + 2 < arguments.size()) {
            writeGraph(options, value, arguments[i + 2]);
            return 0;
        } else {
            return usage();
        }
    }
    return soak(options);
}

}  // namespace
}  // namespace nn::graphs

// Allocations of gigabytes are findings, not the end of the machine. Without leaks: a worker ends
// at any time.
extern "C" const char* __asan_default_options() {
    return "quarantine_size_mb=16:hard_rss_limit_mb=3000:max_allocation_size_mb=2500:detect_leaks="
           "0:malloc_context_size=8";
}

int main(int argc, char** argv) {
    return nn::graphs::main({argv + 1, static_cast<size_t>(argc - 1)});
}
