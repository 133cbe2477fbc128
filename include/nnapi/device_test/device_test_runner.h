// nnapi/device_test/device_test_runner.h -- Runs device tests in worker processes, with reports.
//
//   nn::GeneralResult<nn::SharedDevice> open(const std::string&, const std::string&) {
//       return std::make_shared<const MyDevice>();
//   }
//
//   int main(int argc, char** argv) {
//       using namespace nn::testing;
//       if (argc == 2 && std::string_view(argv[1]) == "worker") {
//           return serveDeviceRun(open).ok() ? 0 : 2;
//       }
//       DeviceRunOptions options{.device = "npu",
//                                .worker = {.arguments = {argv[0], "worker"}},
//                                .files = {"cases.jsonl.gz"}};
//       auto run = DeviceRun::list(std::move(options));
//       const auto report = run.ok() ? run->run() : run.status();
//       if (!report.ok()) return 2;
//       puts(summaryOf(*report).c_str());
//       return writeHtml("report.html", *report).ok() && report->isGood() ? 0 : 1;
//   }
//
// The cases are those of device_test.h. A device that hangs or crashes only affects the case that
// was running: its worker is replaced, and the run continues. A worker is a program, usually this
// one again, that calls serveDeviceRun(). This is the engine of `nnapi test-device`;
// docs/test_device.md describes its files.
//
// The functions in DeviceRunOptions are called on the thread that calls list() or run(). Nothing
// here prints. Different runs may be used on different threads at the same time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nnapi/device_test/device_test.h"
#include "nnapi/device_test/name_filter.h"
#include "nnapi/device_test/shrink.h"
#include "nnapi/limits.h"
#include "nnapi/result.h"
#include "nnapi/stop_condition.h"

namespace nn::testing {

// ---------------------------------------------------------------------------------------------
// Results

// How a case ended in its worker.
enum class CaseEnd {
    SUCCESS,
    FAILURE,
    HANG,           // no result in time
    CRASH,          // the process ended
    NOT_SUPPORTED,  // the device may lack the feature
};

// "success", "failure", "hang", "crash", "notSupported"
std::string_view toString(CaseEnd end);

// The facts about a case before it runs; see DeviceCase.
struct CaseHead {
    std::string name{};       // unique in a run
    std::string kind{};       // the first part of the name
    std::string operation{};  // of the model, if it is one
    std::string type{};       // of its first output
    std::string path{};       // the last part of the name: "sync"
    std::string file{};       // with the test case; empty if there is none
};

// The position of a worker's thread when the worker hung or crashed.
struct ThreadStack {
    std::string thread{};  // its name
    std::string call{};    // the call of the device that it was in; empty: in none
    // Its state and the kernel function that it waits in, as the kernel reports them: "S
    // futex_wait".
    std::string state{};
    // The innermost first: "conv(float*)+0x1c (libnpu.so)", or "libnpu.so+0x1234" if the file has
    // no name for it. Empty if the thread blocks signals, and if the worker has exited.
    std::vector<std::string> frames{};
};

// Result of a case, as reports show it.
struct CaseResult {
    CaseHead head{};                 // which case
    CaseEnd end = CaseEnd::SUCCESS;  // how it ended
    // Why it did not succeed. The place of a hang or crash is the call of the device that had not
    // returned: "prepareModel", "third execute of the burst"; "after execute" if none was running.
    DeviceOutcome outcome{};
    std::string arguments{};            // of that call: types, sizes and checksums
    std::vector<ThreadStack> stacks{};  // of a hang or crash; that of the culprit first
    Duration took{};                    // from its start to its end
    bool isKnown = false;               // listed among the known failures
    std::string repeat{};               // of a failed one: the shell command that runs only this
                                        // case

    // True for a result that makes a run fail, unless it isKnown.
    bool isBad() const {
        return end == CaseEnd::FAILURE || end == CaseEnd::HANG || end == CaseEnd::CRASH;
    }
    // A driver process that went away, seen as a call that fails.
    bool isDeath() const { return outcome.code == ErrorStatus::DEAD_OBJECT; }
};

// "execute: GENERAL_FAILURE: ... [execution.result]"; empty for a success.
std::string reasonOf(const CaseResult& result);

// "CRASH vectors/add/sync: execute: the process ended by SIGSEGV", in one line that is safe for
// terminals.
std::string toString(const CaseResult& result);

// The arguments of a hang or crash, and the stacks of the culprit and of threads in calls, on lines
// of their own; empty for other results.
std::string detailsOf(const CaseResult& result);

// Equal for results that probably have the same cause: results of one kind with the same outcome,
// at the same place, with the same message apart from numbers and names of cases; for wrong values,
// hangs and crashes, the operation must be the same too. Results that are not supported have the
// same cause if the message is the same. Empty for a success.
std::string causeOf(const CaseResult& result);

// Cases of a kind that a run has left out.
struct NotRun {
    std::string kind{};    // of the cases
    std::string reason{};  // "3 cases of the kind hang"
    size_t count = 0;      // of cases
};

// Results of a run, or of several parts of it (see mergeResults).
struct DeviceReport {
    std::string device{};                         // as the run called it
    uint64_t seed = 1;                            // of random models and mutants
    std::vector<CaseResult> results{};            // in the order of the list
    std::vector<std::string> unexpectedPasses{};  // lines of known failures whose cases all pass
    std::map<std::string, CaseEnd> earlier{};     // by name; empty: nothing to compare with
    std::vector<std::string> missing{};  // parts without results: which, and how to get them
    std::vector<NotRun> notRun{};        // see EarlyEnd
    bool isInterrupted = false;          // ended by `stop`

    // Number of results with this end; of those that are known; of those with a dead driver.
    size_t count(CaseEnd end) const;
    size_t known() const;
    size_t deaths() const;
    // Nothing is bad that is not known, nothing passes unexpectedly, nothing is missing, and all
    // cases have run.
    bool isGood() const;
};

// A table of kinds and outcomes, failures and unsupported features by cause, and changes since
// `earlier`.
std::string summaryOf(const DeviceReport& report);

// A result as one line of JSON, without its end, as `nnapi test-device --json` writes it.
// `earlier` of the report has the previous result. Cases that have not run: one line for each kind.
std::string jsonLineOf(const CaseResult& result, const DeviceReport& report);
std::string jsonLineOf(const NotRun& notRun);

// Both replace the file, or fail and leave the old one: JUnit's XML, which systems for continuous
// integration read, and one self-contained page of HTML.
Status writeJunit(const std::string& path, const DeviceReport& report);
Status writeHtml(const std::string& path, const DeviceReport& report);

// ---------------------------------------------------------------------------------------------
// Running

// Every of-th case from number `number` on, which counts from 1.
struct DeviceShard {
    static constexpr size_t kMaxOf = 100'000;  // the most parts of a run

    size_t number = 1;
    size_t of = 1;

    // True for 1 to `of`, and at most kMaxOf parts.
    bool isLegal() const { return number >= 1 && number <= of && of <= kMaxOf; }
};

// How a worker is started.
struct WorkerProgram {
    std::string executable = "/proc/self/exe";  // a path; by default this program
    // From argv[0] on. The program has to call serveDeviceRun() then.
    std::vector<std::string> arguments{};
};

// The maximum mean error, in steps, of quantized results for which all modes of rounding to nearest
// agree. Truncation has a mean error of a half.
inline constexpr double kMaxBias = 0.25;

// Files that a report takes into account; an empty path is none.
struct ReportFiles {
    std::string knownFailures{};  // patterns of cases that may fail
    std::string earlier{};        // written by jsonLineOf(), line by line
};

// Conditions that end a run, or its cases of one kind, before all have run. Cases that are left out
// have no result: they are counted in DeviceReport::notRun, are not in the file of results, and run
// when the run is resumed. Failures that are known do not count.
struct EarlyEnd {
    size_t failures = 0;  // cases that are bad; 0: any number
    Duration time{};      // of the whole run; 0: any
    size_t hangs = 3;     // of one kind, whose other cases are left out then; 0: any number
};

// Options of DeviceRun::list(), which keeps them for run() and shrink().
struct DeviceRunOptions {
    std::string device{};    // passed to serveDeviceRun(); its name in the report
    std::string settings{};  // passed to serveDeviceRun(), not interpreted here
    WorkerProgram worker{};  // how workers are started
    size_t workers = 0;      // processes at one time; 0: one a processor
    // Of a case. Opening the device may take as long, and at least 10 s.
    Duration timeLimit = std::chrono::seconds(20);
    DeviceTestOptions tests{};  // of listCases()
    std::string tolerances{};   // a file of rows for `tests.tolerances`
    Limits limits{};            // of files

    std::vector<std::string> files{};  // test cases, folders of them; none: those built in
    bool hasDeviceCases = true;        // also the cases of the device itself
    std::function<bool(const DeviceCase&)> fits{};  // which of the cases; empty: all
    DeviceShard shard{};                            // by default all cases
    Duration soak{};                                // continue with random models for this long
    EarlyEnd earlyEnd{};                            // by default three hangs of a kind

    ReportFiles reportFiles{};  // read by list()
    double maxBias = kMaxBias;  // more is a failure of kind "bias"
    // A file to which each result is written as soon as it is known. With `isResumed`, results that
    // it has are kept; cases without one, and those that met DEAD_OBJECT, run.
    std::string results{};
    bool isResumed = false;
    std::string resumeCommand{};  // shown by mergeResults() where results are missing
    std::function<std::string(const CaseHead&)> repeatCommand{};  // for CaseResult::repeat

    StopFunction isCancelled{};  // called repeatedly; true ends the run
    // Called by list(): before each of `count` files is read, and for each file that is skipped
    // because it cannot be read.
    std::function<void(const std::filesystem::path& file, size_t count)> onFile{};
    std::function<void(const Status&)> onUnreadable{};
    // Called by run(): for each result as it arrives, and for each in the order of the list.
    std::function<void(const CaseResult& last, size_t done, size_t all, size_t bad)> onProgress{};
    std::function<void(const CaseResult& result, const DeviceReport& soFar)> onResult{};
};

// ---------------------------------------------------------------------------------------------
// Shrinking

// A failure whose test case was made smaller, and the files that show it: FOLDER/NAME.jsonl,
// NAME.cc and NAME_c_api.c (see reproducer.h).
struct ShrunkFailure {
    CaseHead head{};                 // of the case that failed
    CaseHead smallest{};             // of the case in NAME.jsonl
    CaseEnd end = CaseEnd::FAILURE;  // of the smallest case
    DeviceOutcome outcome{};         // of the smallest case
    std::string operations{};        // of it: "ADD", "CONV_2D, RELU"
    CaseSize before{};               // of the case that failed
    CaseSize after{};                // of the smallest one
    size_t candidates = 0;           // that were run
    Duration took{};                 // for all of them
    bool isFinished = true;          // false: time ran out before the smallest case was found
    std::string repeat{};            // DeviceRunOptions::repeatCommand for `smallest`
    std::vector<std::string> files{};
    std::string why{};  // why nothing was written; empty if something was
};

// "vectors/add/sync: 5 operations, 120 elements became 1 operation (ADD), 3 elements ...": some
// lines, safe for terminals.
std::string toString(const ShrunkFailure& shrunk);
// The same as one line of JSON, without its end.
std::string jsonLineOf(const ShrunkFailure& shrunk);

// Options of DeviceRun::shrink().
struct ShrinkRunOptions {
    std::string folder{};                                  // created if it does not exist
    size_t most = 10;                                      // failures that are shrunk
    ShrinkOptions each{};                                  // of each of them
    std::function<void(const ShrunkFailure&)> onShrunk{};  // called for each, on the calling thread
};

// The cases of a device and of files, listed and then run.
class DeviceRun {
   public:
    // INVALID_ARGUMENT if a file of the report or of tolerances in `options` is invalid.
    static Result<DeviceRun> list(DeviceRunOptions options);
    DeviceRun(DeviceRun&&) noexcept;
    DeviceRun& operator=(DeviceRun&&) noexcept;
    ~DeviceRun();

    // The cases that run() will run, in their order.
    std::vector<CaseHead> cases() const;

    // Runs them; call it once. Fails if a worker cannot be started or cannot open the device, and
    // if the file of results belongs to another run or cannot be written.
    Result<DeviceReport> run();

    // Shrinks failures of cases that run one test case: the first of each operation, kind and
    // message, but for numbers in it. Candidates run in a worker, and must fail with that message
    // too. Fails if a worker cannot be started, or a file cannot be written.
    Result<std::vector<ShrunkFailure>> shrink(const DeviceReport& report,
                                              const ShrinkRunOptions& options);

   private:
    class State;
    explicit DeviceRun(std::unique_ptr<State> state);
    std::unique_ptr<State> mState;
};

// The work of a worker process: opens the device and runs cases until the run is over. `open` gets
// `device` and `settings` of DeviceRunOptions, and is called again after the device has returned
// DEAD_OBJECT. Fails if no run has started this process.
Status serveDeviceRun(const std::function<GeneralResult<SharedDevice>(
                              const std::string& device, const std::string& settings)>& open);

// Merges the files of results that the parts of a run have written; for a case in several files,
// the last one counts. INVALID_ARGUMENT if they belong to different runs.
Result<DeviceReport> mergeResults(const std::vector<std::string>& files,
                                  const ReportFiles& reportFiles = {}, const Limits& limits = {},
                                  double maxBias = kMaxBias);

}  // namespace nn::testing
