// Options, input and output that all commands of `nnapi` share.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/output_files.h"
#include "cli/peer_options.h"
#include "cli/untrusted_name.h"
#include "nnapi/convert.h"
#include "nnapi/interpreter.h"
#include "nnapi/io.h"
#include "nnapi/testing/compare.h"
#include "nnapi/validate.h"
#include "types/status_message.h"

namespace nn::cli {

using Json = nlohmann::ordered_json;

// The exit codes; where several files answer differently, the largest counts.
enum Exit : int { kGood = 0, kInvalidOrDiffers = 1, kUsageOrUnreadable = 2, kInterrupted = 130 };
constexpr Exit worse(Exit a, Exit b) { return a < b ? b : a; }

struct Options;

// One model of an input file: of a model file, or of one test case of many.
struct Input {
    std::filesystem::path file;
    Name name;       // of the test case, or the file without folder and extension
    AnyModel model;  // of a test case canonical
    std::optional<TestCase> testCase{};        // without its model
    std::shared_ptr<const Spooled> spooled{};  // the content of a pipe; empty for a file
};

// The output of a command: text for people, or one JSON object per line.
class Output {
   public:
    // `people`: another stream for text where standard output carries data.
    explicit Output(bool json, std::FILE* people = stdout) : mJson(json), mPeople(people) {}
    bool isJson() const { return mJson; }

    // An object on a line of its own.
    void object(const Json& object) const;

    // Prints text for people, unless the output is JSON.
    template <class... Args>
    void text(fmt::format_string<Args...> format, Args&&... args) const {
        if (!mJson) write(fmt::format(format, std::forward<Args>(args)...), mPeople);
    }

    // A message to standard error, on one line.
    static void complain(const std::string& message);

    // Bytes as they are.
    static void write(std::string_view bytes, std::FILE* to = stdout);

    // True once a write has failed; going on is useless then.
    static bool hasFailed();

    // Ends standard output. Returns the exit code, or kUsageOrUnreadable, after a complaint, where
    // output was lost.
    static Exit finish(Exit exit);

   private:
    bool mJson;
    std::FILE* mPeople;
};

// Calls a function for every model of the files, in order, until the user interrupts; folders stand
// for the files in them, `-` for standard input. Complains about what cannot be read, and skips it.
// Returns the largest of all exit codes.
Exit forEachInput(const Options& options, const std::function<Exit(Input&)>& function);

// The same for one of the files.
Exit forEachInputOf(const std::string& file, const Options& options,
                    const std::function<Exit(Input&)>& function);

// The canonical form of any model, for commands that do not care about its version. Canonical
// models are moved out.
Result<Model> canonical(AnyModel&& model);

// The version of a model; empty for a canonical model.
std::optional<HalVersion> halVersionOf(const AnyModel& model);

// ---- parts of answers

Json toJson(const std::vector<Diagnostic>& diagnostics);
Json toJson(const Losses& losses);
Json dimensionsToJson(const std::vector<uint32_t>& dimensions);

// The status as diagnostics; a failure without one has the rule "".
std::vector<Diagnostic> diagnosticsOf(const Status& status);

// "1 loss", "2 losses"
std::string counted(size_t count, std::string_view one, std::string_view many);

// The inputs of a model: raw files where --input names them, else those of the test case.
Result<std::vector<Tensor>> inputsOf(const Input& input, const Model& model,
                                     const Options& options);

// The device that --device names; empty after a complaint.
std::optional<DeviceOverlay> deviceOf(const Options& options);

// Prepares a model for executions as the options ask for them.
Result<PreparedModel> prepareFor(const Options& options, Model model);
Result<PreparedModel> prepareFor(const Options& options, const CheckedModel& model);

// The options to execute a case with. A case that must fail may be endless, so it gets a short
// time.
ExecuteOptions executeOptions(const TestCase& testCase);

// The operation of that name in any case; empty after a complaint.
std::optional<OperationType> operationOf(const std::string& name);

// ---- the commands

// Of test-device and report; conformance has filters and timeout too.
struct CaseOptions {
    bool list = false;
    std::vector<std::string> filters{};
    std::string knownFailures{};
    std::string tolerances{};
    std::string earlier{};  // --compare
    std::string shard{};    // "2/4"
    std::string results{};
    bool resume = false;
    size_t workers = 0;      // 0: one for each processor
    size_t timeout = 20000;  // milliseconds
    size_t soak = 0;         // seconds
    std::string junit{};
    std::string html{};
};

// Of serve alone.
struct ServeChoices {
    std::string listen{};
    size_t clients = 64;
    size_t clientsPerAddress = 32;
    size_t greetings = 128;
    size_t objects = 16384;
    uint64_t bytes = uint64_t{8} << 30;
    size_t calls = 256;
    size_t queues = 16;
    std::optional<size_t> descriptors{};
    uint64_t ceiling = 600;  // seconds
    size_t polling = 0;      // microseconds
    size_t threads = 4;
};

// Of exec alone.
struct ExecChoices {
    std::vector<std::string> words{};  // the program and its arguments
    std::string record{};
    uint64_t executions = 0;
    bool report = false;
    bool isWithoutHost = false;
};

struct Options {
    std::vector<std::string> files{};
    Limits limits{};
    std::optional<schema::StreamFormat> format{};  // of input or output without an extension
    size_t threads = 1;                            // of the commands that execute
    size_t jobs = 1;                               // conformance
    bool json = false;
    bool all = false;                 // validate, verify, dot
    std::string device{};             // a file: validate, dot; a device: run, diff, test-device ...
    std::optional<HalVersion> hal{};  // --hal of validate, diff, dot, generate; convert --to
    bool minimize = false;            // convert, verify
    bool slice = false;               // convert
    std::string out{};                // convert, run, diff, generate
    std::vector<std::string> inputs{};   // run, diff
    bool exact = false;                  // diff
    std::string dump{};                  // run, diff
    std::string trace{};                 // run, exec
    std::string drawing{};               // diff --dot
    std::vector<std::string> names{};    // ops, generate --op, help
    std::string action{};                // report
    bool markdown = false;               // ops, limits
    size_t repeat = 5;                   // bench
    uint64_t seed = 1;                   // generate
    uint64_t count = 1;                  // generate
    size_t operations = 6;               // generate: most operations of a model
    bool unknownDimensions = false;      // generate
    bool man = false;                    // help
    std::string completion{};            // help
    bool nan = false;                    // generate
    bool failing = false;                // generate
    std::vector<std::string> devices{};  // devices, serve, exec
    CaseOptions cases{};                 // test-device
    ServeChoices serve{};                // serve
    ExecChoices exec{};                  // exec
    PeerChoices peers{};                 // of all that open devices
};

Exit info(const Options& options);
Exit validate(const Options& options);
Exit convert(const Options& options);
Exit run(const Options& options);
Exit verify(const Options& options);
Exit conformance(const Options& options);
Exit ops(const Options& options);
Exit rules(const Options& options);
Exit limits(const Options& options);
Exit bench(const Options& options);
Exit dot(const Options& options);
Exit diff(const Options& options);
Exit generate(const Options& options);
Exit testDevice(const Options& options);
Exit report(const Options& options);
Exit devices(const Options& options);
#ifdef NNAPI_HAS_SERVICE
Exit serve(const Options& options);
#endif
Exit exec(const Options& options);
Exit help(const Options& options);

}  // namespace nn::cli
