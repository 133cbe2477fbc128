// The commands of the program, a row each, in the order of the help.
#include <tuple>

#include "tools/nnapi/command_table.h"

namespace nn::cli {
namespace {

template <class Member>
struct PartOf;
template <class Part, class Value>
struct PartOf<Value Part::*> {
    using Type = Part;
};

// To a field of Options, or of a part of it.
template <auto Field>
OptionTarget field(Options& options) {
    const auto parts = std::tie(options, options.cases, options.serve, options.exec, options.driver,
                                options.peers);
    return &(std::get<typename PartOf<decltype(Field)>::Type&>(parts).*Field);
}

// Further properties of a row, in addition to flags, value, text and field.
OptionRow required(OptionRow row) {
    row.least = 1;
    return row;
}
OptionRow several(OptionRow row, int most = OptionRow::kMany) {
    row.most = most;
    return row;
}
// An option of a command whose arguments may follow it: values in a row would be theirs as well.
OptionRow repeatable(OptionRow row) {
    row.isRepeatable = true;
    return row;
}
OptionRow within(uint64_t smallest, uint64_t largest, OptionRow row) {
    row.smallest = smallest;
    row.largest = largest;
    return row;
}
OptionRow without(std::string_view other, OptionRow row) {
    row.excludes = other;
    return row;
}
OptionRow report(OptionRow row) {
    row.isReport = true;
    return row;
}
// Shown only by --help --all.
OptionRow rare(OptionRow row) {
    row.isRare = true;
    return row;
}

// Options that several commands take.
const OptionRow kFiles = required(several({"", "FILE",
                                           "models, test cases, or folders of them; - is standard "
                                           "input",
                                           field<&Options::files>}));
const OptionRow kFormat =
        rare({"--format", "FORMAT", "of standard input; with -o - of standard output",
              field<&Options::format>});
const OptionRow kJson = {"--json", "", "print one JSON object per line", field<&Options::json>};
const OptionRow kMarkdown = {"--markdown", "", "print Markdown, as in the documentation",
                             field<&Options::markdown>};
const OptionRow kMinimize = {"--minimize", "",
                             "first remove trailing default arguments and unused parts",
                             field<&Options::minimize>};
const OptionRow kThreads =
        rare(within(1, 1024,
                    {"--threads", "N", "threads for one execution; results are the same [1]",
                     field<&Options::threads>}));
const OptionRow kInputs = repeatable(
        {"--input", "RAW",
         "raw bytes of an input, once for each; test cases have their own, models random ones",
         field<&Options::inputs>});
const OptionRow kSeed = {"--seed", "N", "seed of random inputs, for models without inputs [1]",
                         field<&Options::seed>};
// Of the commands that execute, and of test-device.
OptionRow onDevice(std::string_view text) {
    return {"--device", "DEVICE", text, field<&Options::device>};
}
// Those of a command that opens devices, with how to reach them on other machines.
std::vector<OptionRow> withPeers(std::vector<OptionRow> rows) {
    [[maybe_unused]] const OptionRow peers[] = {
            {"--tls-cert", "FILE", "for TCP: own certificate, PEM",
             field<&PeerChoices::certificate>},
            {"--tls-key", "FILE", "key of the certificate", field<&PeerChoices::key>},
            {"--tls-ca", "FILE", "authorities that sign the certificates of peers",
             field<&PeerChoices::authorities>},
            {"--tls-name", "NAME", "name in the server's certificate [the host]",
             field<&PeerChoices::serverName>},
            {"--insecure-plain-tcp", "", "no certificates: anyone who reaches the port has access",
             field<&PeerChoices::insecurePlainTcp>},
            within(0, 86400000,
                   {"--heartbeat", "MS",
                    "silence after which a server is dead [1000]; 0: never, for debuggers",
                    field<&PeerChoices::heartbeat>}),
    };
#ifdef NNAPI_HAS_SERVICE
    for (const OptionRow& row : peers) rows.push_back(rare(row));
#endif
    return rows;
}
// Those of a command that reads models, with how to import files of other formats.
std::vector<OptionRow> withImports(std::vector<OptionRow> rows, bool isConversion = false) {
    [[maybe_unused]] const OptionRow importFor = {
            "--import-for", "VERSION",
            "of a .tflite or .onnx file: import it for this version [each version that the command "
            "converts to or checks, else the newest]",
            field<&Options::importFor>};
    [[maybe_unused]] const OptionRow imports[] = {
            repeatable({"--shape", "NAME=1,2",
                        "of a .tflite or .onnx file: dimensions of an input; repeatable",
                        field<&Options::shapes>}),
            rare(repeatable(
                    {"--value", "NAME=1,2",
                     "of a .onnx file: elements of an input that becomes a constant, or NAME=FILE "
                     "with them; repeatable",
                     field<&Options::values>})),
            isConversion ? importFor : rare(importFor),
            rare({"--partial", "",
                  "of a .tflite or .onnx file: what lies between operators that are refused",
                  field<&Options::partial>}),
    };
#ifdef NNAPI_HAS_IMPORTERS
    rows.insert(rows.end(), std::begin(imports), std::end(imports));
#endif
    return rows;
}
constexpr std::string_view kInstead =
        "execute on this device: a name, NAME@1.2 or NAME@aidl3 through that HAL, or ./lib.so";
const OptionRow kFilter = repeatable(
        {"--filter", "PATTERN", "cases to run: a glob of whole names, or re:EXPRESSION; repeatable",
         field<&CaseOptions::filters>});
const OptionRow kTimeout = within(
        1, 86400000,
        {"--timeout", "MS", "time limit of each case [20000]", field<&CaseOptions::timeout>});
const OptionRow kKnownFailures = {"--known-failures", "FILE",
                                  "patterns of cases that may fail; reports those that pass",
                                  field<&CaseOptions::knownFailures>};
const OptionRow kBias =
        within(0, 1000,
               {"--bias", "HUNDREDTHS",
                "most steps that quantized results are off to one side on average, by 100 [25]",
                field<&CaseOptions::bias>});
const OptionRow kCompare = {"--compare", "RESULTS", "show changes since these results of --json",
                            field<&CaseOptions::earlier>};
const OptionRow kOutput = {"-o,--output", "PATH", "output file, folder for several models, or -",
                           field<&Options::out>};

// clang-format off
const CommandRow kCommands[] = {
    {.name = "info",
     .summary = "shows sizes, operations, the lowest version and why",
     .run = info,
     .arguments = {kFiles},
     .options = withPeers(withImports({onDevice("also count what this device takes: a name, NAME@1.2 "
                                               "or NAME@aidl3 through that HAL, or ./lib.so"),
                                      kFormat, kJson})),
     .examples = {{"nnapi info model.json", "contents of a model"},
                  {"nnapi info --device nnapi-xnnpack model.json", "does a device take it?"},
                  {"nnapi info --json cases.jsonl.gz", "the same for each test case, for a script"}},
     .hasLimits = true,
     .opensDevice = true},

    {.name = "validate",
     .summary = "checks whether models are legal, and from which version on",
     .run = validate,
     .arguments = {kFiles},
     .options = withPeers(withImports({{"--hal", "VERSION", "check for this version", field<&Options::hal>},
                 {"--all", "", "show all reasons and all warnings", field<&Options::all>},
                 onDevice("show which operations this device supports, through --hal: a name, "
                                        "./lib.so, or FILE.textproto with a description"),
                 kFormat, kJson})),
     .examples = {{"nnapi validate --all model.json", "all errors and warnings"},
                  {"nnapi validate --hal 1.2 model.json", "can a HAL 1.2 driver take it?"},
                  {"nnapi validate --device device.textproto cases.jsonl.gz",
                   "which operations does this device support?"}},
     .hasLimits = true,
     .opensDevice = true,
     .readsDescription = true},

    {.name = "convert",
     .summary = "converts to a version and reports losses",
     .run = convert,
     .arguments = {kFiles},
     .options = withImports({required({"--to", "TARGET", "version or format to convert to", field<&Options::to>}),
                 kOutput,
                 kMinimize,
                 {"--slice", "", "convert only the operations that the version supports",
                  field<&Options::slice>},
                 kFormat, kJson}, /*isConversion=*/true),
     .examples = {{"nnapi convert --to 1.0 model.json", "what would HAL 1.0 lose?"},
                  {"nnapi convert --to 1.2 -o model.pb model.json", "write the converted model"},
#ifdef NNAPI_HAS_IMPORTERS
                  {"nnapi convert --to tflite -o model.tflite model.json", "a file of TensorFlow Lite"},
#endif
                  {"nnapi convert --to canonical -o canonical cases.jsonl.gz",
                   "the models of test cases, one file each"}},
     .hasLimits = true},

    {.name = "run",
     .summary = "executes models and test cases",
     .run = run,
     .arguments = {kFiles},
     .options = withPeers(withImports({kInputs,
                 {"-o,--output", "FOLDER", "folder for raw outputs", field<&Options::out>},
                 {"--dump", "PATH", "write the results of every operation, for diff --dump",
                  field<&Options::dump>},
                 without("--dump", onDevice(kInstead)),
                 report({"--trace", "FILE", "write a trace of all steps, for ui.perfetto.dev",
                  field<&Options::trace>}),
                 kSeed, kThreads, kFormat, kJson})),
     .examples = {{"nnapi run cases.jsonl.gz", "the outputs of test cases"},
                  {"nnapi run model.json --input input.bin -o outputs",
                   "on your own input, outputs to files"},
                  {"nnapi run model.json --input input.bin --dump dump",
                   "also the results of every operation"},
                  {"nnapi run --trace trace.json cases.jsonl.gz", "where the time goes"},
                  {"nnapi run --device nnapi-reference@1.2 cases.jsonl.gz", "on a device"}},
     .hasLimits = true,
     .opensDevice = true},

    {.name = "verify",
     .summary = "checks conversions to every version: losses, round trip, results",
     .run = verify,
     .arguments = {kFiles},
     .options = withImports({{"--all", "", "show all models, not only remarkable ones",
                  field<&Options::all>},
                 report({"--html", "FILE", "also write a page whose losses and reasons expand",
                  field<&CaseOptions::html>}),
                 kMinimize, kSeed, kThreads, kFormat, kJson}, /*isConversion=*/true),
     .examples = {{"nnapi verify cases.jsonl.gz", "what each version does to a model"},
                  {"nnapi verify models", "remarkable models of a folder, and a summary"}},
     .hasLimits = true},

    {.name = "conformance",
     .summary = "runs test cases and compares their outputs",
     .run = conformance,
     .arguments = {kFiles},
     .options = withPeers({within(1, 256, {"-j,--jobs", "N", "cases to run in parallel [1]",
                                 field<&Options::jobs>}),
                 kFilter, onDevice(kInstead), kTimeout, kThreads, kFormat, kJson}),
     .examples = {{"nnapi conformance cases.jsonl.gz", "which cases fail, and why"},
                  {"nnapi conformance --device nnapi-reference@1.2 -j 2 cases.jsonl.gz",
                   "which fail on a device, and which it does not support"}},
     .hasLimits = true,
     .opensDevice = true},

    {.name = "test-device",
     .summary = "tests whether a driver keeps the rules and computes correctly",
     .run = nullptr,
     .arguments = {several({"", "FILE", "test cases, or folders of them; default: built-in ones",
                            field<&Options::files>})},
     .options = withPeers({{"--device", "DEVICE",
                  "nnapi-reference, or through a HAL nnapi-reference@1.2, nnapi-reference@aidl3 "
                  "[nnapi-reference]",
                  field<&Options::device>},
                 {"--list", "", "only list the cases", field<&CaseOptions::list>},
                 kFilter,
                 within(0, INT64_MAX, {"--seed", "N", "seed of random models and mutants [1]",
                                       field<&Options::seed>}),
                 within(1, 1000000, {"--soak", "SECONDS",
                                     "continue with random models for this long",
                                     field<&CaseOptions::soak>}),
                 without("--max-failures", {"--fail-fast", "", "end after the first failure",
                                            field<&CaseOptions::failFast>}),
                 within(1, 1000000, {"--max-failures", "N", "end after N failures",
                                     field<&CaseOptions::maxFailures>}),
                 within(1, 1000000, {"--time-limit", "SECONDS", "end after this time",
                                     field<&CaseOptions::timeLimit>}),
                 within(0, 1000000, {"--max-hangs", "N",
                                     "after N hangs leave out the rest of their kind; 0: never [3]",
                                     field<&CaseOptions::maxHangs>}),
                 kKnownFailures,
                 {"--tolerance", "FILE", "lines of OPERATION TYPE ABSOLUTE RELATIVE",
                  field<&CaseOptions::tolerances>},
                 kBias,
                 kCompare,
                 {"--shard", "I/N", "run only the I-th of N parts", field<&CaseOptions::shard>},
                 without("--soak", {"--results", "FILE", "write each result to this file at once",
                                    field<&CaseOptions::results>}),
                 {"--resume", "", "continue an interrupted run with its --results",
                  field<&CaseOptions::resume>},
                 within(1, 256, {"-j,--jobs", "N", "worker processes [one per processor]",
                                 field<&CaseOptions::workers>}),
                 kTimeout,
                 without("--list", report({"--junit", "FILE", "also write results as JUnit XML",
                  field<&CaseOptions::junit>})),
                 without("--list", report({"--html", "FILE", "also write an HTML report",
                  field<&CaseOptions::html>})),
                 {"--shrink", "FOLDER", "make failing test cases smaller; write them, and programs "
                                        "that show the failure",
                  field<&CaseOptions::shrink>},
                 within(1, 86400, {"--shrink-limit", "SECONDS", "time for each of them [30]",
                                   field<&CaseOptions::shrinkLimit>}),
                 kJson}),
     .rare = {"--soak", "--fail-fast", "--max-failures", "--time-limit", "--max-hangs", "--tolerance",
              "--bias", "--shard", "--results", "--resume", "--junit", "--shrink-limit", "--compare"},
     .examples = {{"nnapi test-device --filter 'basics/*'", "properties of the reference"},
                  {"nnapi test-device cases.jsonl.gz --filter 'vectors/*' --html report.html",
                   "test cases on every path, with an HTML report"},
                  {"nnapi test-device --device nnapi-reference --filter 'basics/*' --json "
                   ">r.jsonl",
                   "results for a later --compare"},
                  {"nnapi test-device --filter 'basics/*' --shard 1/2 --results a.jsonl",
                   "half of the cases, results in a file"},
                  {"nnapi test-device --filter 'random/*' --shrink small",
                   "the smallest model for each failure"},
                  {"nnapi test-device --list", "the names of the cases"}},
     .hasLimits = true},

    {.name = "report",
     .summary = "merges results of test-device into one report",
     .run = nullptr,
     .arguments = {required({"", "ACTION", "what to do", field<&Options::action>}),
                   required(several({"", "RESULTS", "files written by test-device --results",
                                     field<&Options::files>}))},
     .options = {report({"-o,--html", "FILE", "HTML report", field<&CaseOptions::html>}),
                 report({"--junit", "FILE", "results as JUnit XML", field<&CaseOptions::junit>}),
                 kKnownFailures,
                 kBias,
                 kCompare,
                 kJson},
     .examples = {{"nnapi test-device --filter 'basics/*' --shard 2/2 --results b.jsonl",
                   "the other half of a.jsonl"},
                  {"nnapi report merge a.jsonl b.jsonl -o report.html", "an HTML report of both"}},
     .hasLimits = true},

    {.name = "devices",
     .summary = "lists devices, and those of running drivers, with their properties",
     .run = nullptr,
     .arguments = {},
     .options = withPeers({repeatable({"--device", "DEVICE", "a device, or all of a server; "
                                                             "repeatable [all]",
                          field<&Options::devices>}),
                 kJson}),
     .examples = {{"nnapi devices", "the devices of this program, and of drivers that run"}}},

#ifdef NNAPI_HAS_SERVICE
    {.name = "serve",
     .summary = "serves devices to other processes, until SIGTERM or ^C",
     .run = nullptr,
     .arguments = {},
     .options = withPeers({required(repeatable({"--device", "DEVICE", "device to serve; "
                                                                      "repeatable",
                                   field<&Options::devices>})),
                 required({"--listen", "ADDRESS", "unix:PATH or HOST:PORT", field<&ServeChoices::listen>}),
                 within(1, 65536, {"--clients", "N", "clients at one time [64]",
                                   field<&ServeChoices::clients>}),
                 within(1, 65536, {"--clients-per-address", "N", "clients of one address, or "
                                                                 "process at a Unix socket [32]",
                                   field<&ServeChoices::clientsPerAddress>}),
                 within(1, 65536, {"--greetings", "N", "connections that have not authenticated "
                                                       "yet [128]",
                                   field<&ServeChoices::greetings>}),
                 within(1, 1 << 30, {"--objects", "N", "objects of each client [16384]",
                                     field<&ServeChoices::objects>}),
                 {"--bytes", "N", "bytes of memories, constants and buffers of each client "
                                  "[8589934592]",
                  field<&ServeChoices::bytes>},
                 within(1, 1 << 30, {"--calls", "N", "concurrent calls of each client [256]",
                                     field<&ServeChoices::calls>}),
                 within(0, 1024, {"--queues", "N", "bursts and models with queues, of each client [16]",
                                  field<&ServeChoices::queues>}),
                 {"--descriptors", "N", "file descriptors of all clients [3/4 of the limit]",
                  field<&ServeChoices::descriptors>},
                 within(1, 86400, {"--ceiling", "SECONDS", "time limit of a call without an "
                                                           "earlier one [600]",
                                   field<&ServeChoices::ceiling>}),
                 within(0, 1'000'000, {"--polling", "MICROSECONDS",
                                       "how long to poll a queue before sleeping [50]",
                                       field<&ServeChoices::polling>}),
                 within(1, 1024, {"--threads", "N", "concurrent driver calls [4]",
                                  field<&ServeChoices::threads>}),
                 kJson}),
     .rare = {"--clients", "--clients-per-address", "--greetings", "--objects", "--bytes", "--calls",
              "--queues", "--descriptors", "--ceiling", "--polling"},
     .examples = {{"nnapi serve --device nnapi-reference --listen unix:npu & sleep 1; "
                   "nnapi test-device --device unix:npu --filter 'basics/*'; kill $!",
                   "the reference in another process, and a test of it"}},
     .hasLimits = true},
#endif

    {.name = "new-driver",
     .summary = "writes a driver that works, with places to fill in",
     .run = nullptr,
     .arguments = {required({"", "NAME", "name of the device: a-z, 0-9, - and _",
                             field<&NewDriverChoices::name>})},
     .options = {required(repeatable({"--operations", "OPERATION", "operations to support, separated by commas",
                                   field<&Options::names>})),
                 {"--level", "LEVEL", "interface that the driver implements: nn::IDevice, HIDL 1.3 or AIDL 3 [canonical]",
                  field<&NewDriverChoices::level>},
                 {"-o,--output", "FOLDER", "new or empty folder; default: NAME", field<&Options::out>},
                 {"--burst", "", "bursts of its own, which keep the client's memories",
                  field<&NewDriverChoices::burst>},
                 {"--caching", "", "save prepared models in cache files, and load them",
                  field<&NewDriverChoices::caching>},
                 {"--memory-domains", "", "memory of its own for inputs and outputs",
                  field<&NewDriverChoices::memoryDomains>},
                 kJson},
     .examples = {{"nnapi new-driver npu --operations ADD,CONV_2D",
                   "a driver of the canonical interface, in the folder npu"},
                  {"nnapi new-driver vpu --operations SOFTMAX --level hidl --burst --caching",
                   "a HIDL driver with a burst of its own and a cache"}}},

    {.name = "exec",
     .summary = "runs a program with libneuralnetworks.so, the C API, and observes it",
     .run = nullptr,
     .arguments = {required(several({"", "PROGRAM", "program and its arguments, after --",
                                     field<&ExecChoices::words>}))},
     .options = withPeers(
                {repeatable({"--device", "DEVICE", "device before nnapi-host, which is the CPU: a "
                                                   "plug-in, a server, a name; repeatable",
                          field<&Options::devices>}),
                 {"--no-host", "", "disable nnapi-host", field<&ExecChoices::isWithoutHost>},
                 {"--record", "FOLDER", "write each compiled model", field<&ExecChoices::record>},
                 {"--executions", "N", "also write this many executions of each [0]", field<&ExecChoices::executions>},
                 report({"--trace", "PATH", "write a trace of device time, for ui.perfetto.dev", field<&Options::trace>}),
                 {"--report", "", "report at exit which device executes what", field<&ExecChoices::report>}}),
     .examples = {{"nnapi exec --report -- true", "a program that does not use it"}}},

    {.name = "diff",
     .summary = "finds the first operation at which two executions differ",
     .run = diff,
     .arguments = {required(several({"", "FILE", "two models or files of test cases, or one with --hal, --dump or --device",
                                     field<&Options::files>}, 2))},
     .options = withPeers(withImports({{"--hal", "VERSION", "compare with the conversion to this version and "
                                                "back",
                  field<&Options::hal>},
                 without("--hal", {"--dump", "PATH",
                                   "compare with a driver's dump: a folder or a .jsonl file",
                                   field<&Options::dump>}),
                 without("--hal", onDevice("compare with this device: a name, NAME@1.2 or "
                                           "NAME@aidl3 through that HAL, or ./lib.so")),
                 {"-o,--output", "FILE", "with --device: write differing operations as test cases",
                  field<&Options::out>},
                 {"--each", "", "with --device: run each operation by itself, and show how far all "
                                "results are off",
                  field<&Options::each>},
                 without("--json", {"--dot", "PATH",
                                    "draw the difference for Graphviz; - replaces the report",
                                    field<&Options::drawing>}),
                 {"--exact", "", "compare bit by bit", field<&Options::exact>},
                 kInputs, kSeed, kThreads, kFormat, kJson})),
     .rare = {"--each", "--exact"},
     .examples = {{"nnapi diff --hal 1.2 cases.jsonl.gz",
                   "does a model compute the same after HAL 1.2?"},
                  {"nnapi diff model.json --input input.bin --dump dump",
                   "where does a driver's dump first differ?"},
                  {"nnapi diff --device nnapi-reference@1.2 cases.jsonl.gz",
                   "at which operation does a driver first differ?"},
                  {"nnapi diff --exact model.json model.json --input input.bin",
                   "do two models compute the same bits?"}},
     .hasLimits = true,
     .opensDevice = true},

    {.name = "ops",
     .summary = "shows operations with their signatures, versions and rules",
     .run = ops,
     .arguments = {several({"", "OPERATION", "operations; default: list all",
                            field<&Options::names>})},
     .options = {kMarkdown, kJson},
     .examples = {{"nnapi ops", "names, codes and versions"},
                  {"nnapi ops CONV_2D", "its operands, types and rules"}}},

    {.name = "rules",
     .summary = "explains the rules that messages name in brackets",
     .run = rules,
     .arguments = {several({"", "RULE", "ids of rules, numbers of rules of devices; default: all ids",
                            field<&Options::names>})},
     .options = {kJson},
     .examples = {{"nnapi rules operand.zero_point softmax.beta", "two rules"},
                  {"nnapi rules execution.timing", "a rule of devices, and who demands it"},
                  {"nnapi rules", "all rules"}}},

    {.name = "bench",
     .summary = "measures median times of each step",
     .run = bench,
     .arguments = {kFiles},
     .options = withImports({within(1, 100000, {"--repeat", "N", "repetitions of each step [5]",
                                    field<&Options::repeat>}),
                 kInputs, kSeed, kThreads, kFormat, kJson}),
     .examples = {{"nnapi bench --repeat 3 cases.jsonl.gz",
                   "reading, validating, converting, preparing, executing"}},
     .hasLimits = true},

    {.name = "dot",
     .summary = "draws a model for Graphviz",
     .run = dot,
     .arguments = {kFiles},
     .options = withPeers(withImports({{"--all", "", "draw every operand as a node", field<&Options::all>},
                 without("--all", {"--hal", "VERSION", "mark illegal operations of this version "
                                                       "in red",
                                   field<&Options::hal>}),
                 without("--all", onDevice("mark what this device supports in green, through --hal: "
                                           "a name, ./lib.so, or FILE.textproto with a "
                                           "description")),
                 kFormat})),
     .examples = {{"nnapi dot model.json >model.dot", "for dot -Tsvg model.dot"}},
     .hasLimits = true,
     .opensDevice = true,
     .readsDescription = true},

    {.name = "view",
     .summary = "writes a page with the drawing of a model, its parts and losses",
     .run = view,
     .arguments = {kFiles},
     .options = withPeers(withImports({required({"-o,--output", "PATH", "FILE.html, a folder for several models, or -",
                                     field<&Options::out>}),
                 {"--hal", "VERSION", "mark illegal operations of this version in red, and list the losses "
                                      "of the conversion to it",
                  field<&Options::hal>},
                 onDevice("mark what this device supports in green, through --hal: a name, ./lib.so, or "
                          "FILE.textproto with a description"),
                 kFormat})),
     .examples = {{"nnapi view model.json -o page.html", "a page for a browser; needs Graphviz"},
                  {"nnapi view --hal 1.1 model.json -o page.html", "operations that HAL 1.1 lacks, and losses"}},
     .hasLimits = true,
     .opensDevice = true,
     .readsDescription = true},

    {.name = "generate",
     .summary = "generates random models that are valid and execute",
     .run = generate,
     .arguments = {},
     .options = {{"--seed", "N", "equal seeds give equal models, inputs and outputs [1]", field<&Options::seed>},
                 within(1, 1000000, {"--count", "N", "number of models, from consecutive seeds "
                                                     "[1]",
                                     field<&Options::count>}),
                 within(1, 10000, {"--operations", "N", "most operations of a model [6]",
                                   field<&Options::operations>}),
                 {"--hal", "VERSION", "generate for this version", field<&Options::hal>},
                 several({"--op", "OPERATION", "operations to choose from; default: all",
                          field<&Options::names>}),
                 {"--unknown-dimensions", "", "leave some dimensions open until execution",
                  field<&Options::unknownDimensions>},
                 {"--nan", "", "also test cases with NaN among their outputs", field<&Options::nan>},
                 {"--failing", "", "also test cases whose execution fails",
                  field<&Options::failing>},
                 kOutput, kFormat, kJson},
     .rare = {"--unknown-dimensions", "--nan", "--failing"},
     .examples = {{"nnapi generate --seed 7 --hal 1.1 -o random.pb", "a model for a HAL 1.1 driver"},
                  {"nnapi generate --count 10 -o random.jsonl",
                   "test cases with inputs and the reference's outputs"},
                  {"nnapi generate --count 10 --op CONV_2D RELU", "ten of these operations"}}},

    {.name = "limits",
     .summary = "shows the resource limits of files, models and executions",
     .run = limits,
     .arguments = {},
     .options = {kMarkdown, kJson},
     .examples = {{"nnapi limits", "the limits and their defaults"},
                  {"nnapi validate --limit-rank 8 model.json", "refuse a higher rank"}}},

    {.name = "help",
     .summary = "shows this overview, or the help of a command",
     .run = help,
     .arguments = {{"", "COMMAND", "command to explain", field<&Options::names>}},
     .options = {{"--all", "", "also show rare options", field<&Options::all>},
                 {"--man", "", "print a manual page, in the format of man",
                  field<&Options::man>},
                 {"--completion", "SHELL", "print a completion script for this shell",
                  field<&Options::completion>}},
     .examples = {{"nnapi help convert", "help of a command"},
                  {"nnapi help limits", "resource limits, and how to change them"},
                  {"nnapi help --man >nnapi.1", "for man -l nnapi.1"},
                  {"source <(nnapi help --completion bash)", "enables completion with TAB"},
                  {"nnapi help --completion fish >nnapi.fish", "for ~/.config/fish/completions"}}},
};
// clang-format on

}  // namespace

std::span<const CommandRow> commands() { return kCommands; }

}  // namespace nn::cli
