// The commands of the program, a row each, in the order of the help.
#include "cli/command_table.h"

namespace nn::cli {
namespace {

// To a field of Options, or of a part of it.
template <auto Field>
OptionTarget field(Options& options) {
    return &(options.*Field);
}
template <auto Field>
OptionTarget caseField(Options& options) {
    return &(options.cases.*Field);
}
template <auto Field>
OptionTarget serveField(Options& options) {
    return &(options.serve.*Field);
}
template <auto Field>
OptionTarget execField(Options& options) {
    return &(options.exec.*Field);
}
template <auto Field>
OptionTarget peerField(Options& options) {
    return &(options.peers.*Field);
}

// Further properties of a row, beside flags, value, text and field.
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

// Options that several commands take.
const OptionRow kFiles =
        required(several({"", "FILE", "models, test cases, folders of them; - is standard input",
                          field<&Options::files>}));
const OptionRow kFormat = {"--format", "FORMAT", "of standard input; with -o - of standard output",
                           field<&Options::format>};
const OptionRow kJson = {"--json", "", "answer with one JSON object a line", field<&Options::json>};
const OptionRow kMarkdown = {"--markdown", "", "as the pages of the documentation show it",
                             field<&Options::markdown>};
const OptionRow kMinimize = {"--minimize", "",
                             "first remove trailing default arguments and unused parts",
                             field<&Options::minimize>};
const OptionRow kThreads =
        within(1, 1024,
               {"--threads", "N", "threads that share an execution, which change no result [1]",
                field<&Options::threads>});
const OptionRow kInputs = repeatable(
        {"--input", "RAW", "raw bytes of an input, once for each; test cases bring theirs",
         field<&Options::inputs>});
// Of the commands that execute, and of test-device.
OptionRow onDevice(std::string_view text) {
    return {"--device", "DEVICE", text, field<&Options::device>};
}
// Those of a command that opens devices, with how to reach them on other machines.
std::vector<OptionRow> withPeers(std::vector<OptionRow> rows) {
    [[maybe_unused]] const OptionRow peers[] = {
            {"--tls-cert", "FILE", "over TCP: the certificate to show, PEM",
             peerField<&PeerChoices::certificate>},
            {"--tls-key", "FILE", "its key", peerField<&PeerChoices::key>},
            {"--tls-ca", "FILE", "who has signed the certificates of those to believe",
             peerField<&PeerChoices::authorities>},
            {"--tls-name", "NAME", "that the server's certificate has [the host]",
             peerField<&PeerChoices::serverName>},
            {"--insecure-plain-tcp", "", "no certificates: all who reach the port are let in",
             peerField<&PeerChoices::insecurePlainTcp>},
    };
#ifdef NNAPI_HAS_SERVICE
    rows.insert(rows.end(), std::begin(peers), std::end(peers));
#endif
    return rows;
}
constexpr std::string_view kInstead =
        "execute on this device: a name, NAME@1.2 or NAME@aidl3 through that HAL, or ./lib.so";
const OptionRow kFilter =
        repeatable({"--filter", "PATTERN",
                    "cases to run: a glob of whole names, or re:EXPRESSION; again for more",
                    caseField<&CaseOptions::filters>});
const OptionRow kTimeout =
        within(1, 86400000,
               {"--timeout", "MS", "for each case [20000]", caseField<&CaseOptions::timeout>});
const OptionRow kOutput = {"-o,--output", "PATH", "file to write, folder for several models, or -",
                           field<&Options::out>};

// clang-format off
const CommandRow kCommands[] = {
    {.name = "info",
     .summary = "sizes, operations, the least version and what demands it",
     .run = info,
     .arguments = {kFiles},
     .options = {kFormat, kJson},
     .examples = {{"nnapi info model.json", "what is in a model"},
                  {"nnapi info --json cases.jsonl.gz", "the same of each test case, for a script"}},
     .hasLimits = true},

    {.name = "validate",
     .summary = "is it legal, and from which version on?",
     .run = validate,
     .arguments = {kFiles},
     .options = {{"--hal", "VERSION", "legal in this version", field<&Options::hal>},
                 {"--all", "", "show all reasons and all warnings", field<&Options::all>},
                 without("--hal", {"--device", "DEVICE",
                                   "which operations does the device of this file support?",
                                   field<&Options::device>}),
                 kFormat, kJson},
     .examples = {{"nnapi validate --all model.json", "all that is wrong or doubtful"},
                  {"nnapi validate --hal 1.2 model.json", "can a HAL 1.2 driver take it?"},
                  {"nnapi validate --device device.textproto cases.jsonl.gz",
                   "can this device take it?"}},
     .hasLimits = true},

    {.name = "convert",
     .summary = "converts to a version and tells what is lost",
     .run = convert,
     .arguments = {kFiles},
     .options = {required({"--to", "TARGET", "version to convert to", field<&Options::hal>}),
                 kOutput,
                 kMinimize,
                 {"--slice", "", "convert only the operations that the version can carry",
                  field<&Options::slice>},
                 kFormat, kJson},
     .examples = {{"nnapi convert --to 1.0 model.json", "what would HAL 1.0 lose?"},
                  {"nnapi convert --to 1.2 -o model.pb model.json", "write the converted model"},
                  {"nnapi convert --to canonical -o canonical cases.jsonl.gz",
                   "the models of test cases, each in a file of its own"}},
     .hasLimits = true},

    {.name = "run",
     .summary = "executes",
     .run = run,
     .arguments = {kFiles},
     .options = withPeers({kInputs,
                 {"-o,--output", "FOLDER", "folder to write raw outputs to", field<&Options::out>},
                 {"--dump", "PATH", "write what every operation computes, for diff --dump",
                  field<&Options::dump>},
                 without("--dump", onDevice(kInstead)),
                 {"--trace", "FILE", "write the times of all steps, for ui.perfetto.dev",
                  field<&Options::trace>},
                 kThreads, kFormat, kJson}),
     .examples = {{"nnapi run cases.jsonl.gz", "the outputs of test cases"},
                  {"nnapi run model.json --input input.bin -o outputs",
                   "on an input of your own, the outputs to files"},
                  {"nnapi run model.json --input input.bin --dump dump",
                   "and what every operation computes"},
                  {"nnapi run --trace trace.json cases.jsonl.gz", "where the time goes"},
                  {"nnapi run --device nnapi-reference@1.2 cases.jsonl.gz", "on a device"}},
     .hasLimits = true},

    {.name = "verify",
     .summary = "for every version: converts, valid, lost, comes back, computes the same?",
     .run = verify,
     .arguments = {kFiles},
     .options = {{"--all", "", "with several models, show all of them, not only remarkable ones",
                  field<&Options::all>},
                 kMinimize, kThreads, kFormat, kJson},
     .examples = {{"nnapi verify cases.jsonl.gz", "what each version does to a model"},
                  {"nnapi verify models", "remarkable models of a folder, and a summary"}},
     .hasLimits = true},

    {.name = "conformance",
     .summary = "runs test cases against their expected outputs",
     .run = conformance,
     .arguments = {kFiles},
     .options = withPeers({within(1, 256, {"-j,--jobs", "N", "cases to work on at once [1]",
                                 field<&Options::jobs>}),
                 kFilter, onDevice(kInstead), kTimeout, kThreads, kFormat, kJson}),
     .examples = {{"nnapi conformance cases.jsonl.gz", "which of the cases fail, and why"},
                  {"nnapi conformance --device nnapi-reference@1.2 -j 2 cases.jsonl.gz",
                   "which fail on a device, and which it does not support"}},
     .hasLimits = true},

    {.name = "test-device",
     .summary = "does a driver keep the rules, and compute what it should?",
     .run = testDevice,
     .arguments = {several({"", "FILE", "test cases, folders of them; none: a few that are built in",
                            field<&Options::files>})},
     .options = withPeers({{"--device", "DEVICE",
                  "nnapi-reference, or nnapi-reference@1.2, nnapi-reference@aidl3 through that HAL [nnapi-reference]",
                  field<&Options::device>},
                 {"--list", "", "only name the cases", caseField<&CaseOptions::list>},
                 kFilter,
                 {"--seed", "N", "of random models and mutants [1]", field<&Options::seed>},
                 {"--soak", "SECONDS", "go on with random models for so long",
                  caseField<&CaseOptions::soak>},
                 {"--known-failures", "FILE", "patterns of cases that may fail; one that passes is told",
                  caseField<&CaseOptions::knownFailures>},
                 {"--tolerance", "FILE", "lines of OPERATION TYPE ABSOLUTE RELATIVE",
                  caseField<&CaseOptions::tolerances>},
                 {"--compare", "RESULTS", "what has changed since these, written by --json",
                  caseField<&CaseOptions::earlier>},
                 {"--shard", "I/N", "only the I-th of N parts", caseField<&CaseOptions::shard>},
                 without("--soak", {"--results", "FILE", "write each result there as it comes",
                                    caseField<&CaseOptions::results>}),
                 {"--resume", "", "go on with the file of --results where that run stopped",
                  caseField<&CaseOptions::resume>},
                 within(1, 256, {"-j,--jobs", "N", "processes [one for each processor]",
                                 caseField<&CaseOptions::workers>}),
                 kTimeout,
                 {"--junit", "FILE", "also write the results for JUnit",
                  caseField<&CaseOptions::junit>},
                 {"--html", "FILE", "also write a page with all results",
                  caseField<&CaseOptions::html>},
                 kJson}),
     .examples = {{"nnapi test-device --filter 'basics/*'", "what the reference says of itself"},
                  {"nnapi test-device cases.jsonl.gz --filter 'vectors/*' --html report.html",
                   "test cases by every path, as a page"},
                  {"nnapi test-device --device nnapi-reference@1.2 --json >results.jsonl",
                   "results to compare the next ones with"},
                  {"nnapi test-device --filter 'basics/*' --shard 1/2 --results a.jsonl",
                   "half of the cases, with their results in a file"},
                  {"nnapi test-device --list", "the names of the cases"}},
     .hasLimits = true},

    {.name = "report",
     .summary = "one report of several runs of test-device",
     .run = report,
     .arguments = {required({"", "ACTION", "what to do", field<&Options::action>}),
                   required(several({"", "RESULTS", "files that test-device --results has written",
                                     field<&Options::files>}))},
     .options = {{"-o,--html", "FILE", "a page with all results", caseField<&CaseOptions::html>},
                 {"--junit", "FILE", "the results for JUnit", caseField<&CaseOptions::junit>},
                 {"--known-failures", "FILE",
                  "patterns of cases that may fail; one that passes is told",
                  caseField<&CaseOptions::knownFailures>},
                 {"--compare", "RESULTS", "what has changed since these, written by --json",
                  caseField<&CaseOptions::earlier>},
                 kJson},
     .examples = {{"nnapi test-device --filter 'basics/*' --shard 2/2 --results b.jsonl",
                   "the other half of what a.jsonl has"},
                  {"nnapi report merge a.jsonl b.jsonl -o report.html", "a page of both"}},
     .hasLimits = true},

    {.name = "devices",
     .summary = "which devices there are, and what they say of themselves",
     .run = devices,
     .arguments = {},
     .options = withPeers({repeatable({"--device", "DEVICE", "this, or all of a server; again for more [those with names]",
                          field<&Options::devices>}),
                 kJson}),
     .examples = {{"nnapi devices", "those that the program has"}}},

#ifdef NNAPI_HAS_SERVICE
    {.name = "serve",
     .summary = "offers devices to other processes, until SIGTERM or ^C",
     .run = serve,
     .arguments = {},
     .options = withPeers({required(repeatable({"--device", "DEVICE", "what to offer; again for more",
                                   field<&Options::devices>})),
                 required({"--listen", "ADDRESS", "unix:PATH or HOST:PORT", serveField<&ServeChoices::listen>}),
                 within(1, 65536, {"--clients", "N", "at one time [64]",
                                   serveField<&ServeChoices::clients>}),
                 within(1, 65536, {"--clients-per-address", "N", "of them, or of one process at a Unix socket [32]",
                                   serveField<&ServeChoices::clientsPerAddress>}),
                 within(1, 65536, {"--greetings", "N", "connections that have not shown yet who they are [128]",
                                   serveField<&ServeChoices::greetings>}),
                 within(1, 1 << 30, {"--objects", "N", "that each client may hold [16384]",
                                     serveField<&ServeChoices::objects>}),
                 {"--bytes", "N", "of memories, constants and buffers of each client [8589934592]",
                  serveField<&ServeChoices::bytes>},
                 within(1, 1 << 30, {"--calls", "N", "of each client at one time [256]",
                                     serveField<&ServeChoices::calls>}),
                 within(0, 1024, {"--queues", "N", "of each client, for bursts without calls [16]",
                                  serveField<&ServeChoices::queues>}),
                 {"--descriptors", "N", "that all clients may hold [3/4 of the limit]",
                  serveField<&ServeChoices::descriptors>},
                 within(1, 86400, {"--ceiling", "SECONDS", "for a call without a sooner end [600]",
                                   serveField<&ServeChoices::ceiling>}),
                 within(0, 1'000'000, {"--polling", "MICROSECONDS",
                                       "that a queue is looked at before its thread sleeps [0]",
                                       serveField<&ServeChoices::polling>}),
                 within(1, 1024, {"--threads", "N", "calls of drivers at one time [4]",
                                  serveField<&ServeChoices::threads>}),
                 kJson}),
     .examples = {{"nnapi serve --device nnapi-reference --listen unix:npu & sleep 1; "
                   "nnapi test-device --device unix:npu --filter 'basics/*'; kill $!",
                   "the reference in another process, and a test of it"}},
     .hasLimits = true},
#endif

    {.name = "exec",
     .summary = "runs a program on libneuralnetworks.so, the C API, and sees what it does",
     .run = exec,
     .arguments = {required(several({"", "PROGRAM", "and its arguments, after --",
                                     execField<&ExecChoices::words>}))},
     .options = withPeers(
                {repeatable({"--device", "DEVICE", "before nnapi-host, which has the processor: a plug-in, a server, a name; again for more",
                          field<&Options::devices>}),
                 {"--no-host", "", "without nnapi-host", execField<&ExecChoices::isWithoutHost>},
                 {"--record", "FOLDER", "write each model that is compiled", execField<&ExecChoices::record>},
                 {"--executions", "N", "and of each so many executions [0]", execField<&ExecChoices::executions>},
                 {"--trace", "PATH", "where the time of devices goes, for ui.perfetto.dev", field<&Options::trace>},
                 {"--report", "", "say at the end which device executes what", execField<&ExecChoices::report>}}),
     .examples = {{"nnapi exec --report -- true", "a program that makes no use of it"}}},

    {.name = "diff",
     .summary = "the first operation at which two executions differ",
     .run = diff,
     .arguments = {required(several({"", "FILE", "two models or files of test cases, or one with --hal, --dump or --device",
                                     field<&Options::files>}, 2))},
     .options = withPeers({{"--hal", "VERSION", "against what comes back from this version",
                  field<&Options::hal>},
                 without("--hal", {"--dump", "PATH",
                                   "against what a driver computed: a folder or a .jsonl file",
                                   field<&Options::dump>}),
                 without("--hal", onDevice("against this device: a name, NAME@1.2 or NAME@aidl3 through that HAL, or ./lib.so")),
                 {"-o,--output", "FILE", "with --device: write what differs as test cases",
                  field<&Options::out>},
                 without("--json", {"--dot", "PATH",
                                    "draw the difference for Graphviz; - replaces the report",
                                    field<&Options::drawing>}),
                 {"--exact", "", "every bit counts", field<&Options::exact>},
                 kInputs, kThreads, kFormat, kJson}),
     .examples = {{"nnapi diff --hal 1.2 cases.jsonl.gz",
                   "does a model compute the same after HAL 1.2?"},
                  {"nnapi diff model.json --input input.bin --dump dump",
                   "where does a driver's dump first differ?"},
                  {"nnapi diff --device nnapi-reference@1.2 cases.jsonl.gz",
                   "at which operation does a driver first differ?"},
                  {"nnapi diff --exact model.json model.json --input input.bin",
                   "do two models compute the same bits?"}},
     .hasLimits = true},

    {.name = "ops",
     .summary = "the operations, and the signatures, versions and rules of one",
     .run = ops,
     .arguments = {several({"", "OPERATION", "operations; none: a list of all",
                            field<&Options::names>})},
     .options = {kMarkdown, kJson},
     .examples = {{"nnapi ops", "names, codes, and since when"},
                  {"nnapi ops CONV_2D", "how it is called"}}},

    {.name = "rules",
     .summary = "what each rule demands that a message names in brackets",
     .run = rules,
     .arguments = {several({"", "RULE", "ids of rules; none: all", field<&Options::names>})},
     .options = {kJson},
     .examples = {{"nnapi rules operand.zero_point softmax.beta", "these two"},
                  {"nnapi rules", "all"}}},

    {.name = "bench",
     .summary = "median times of each step",
     .run = bench,
     .arguments = {kFiles},
     .options = {within(1, 100000, {"--repeat", "N", "times to repeat each step [5]",
                                    field<&Options::repeat>}),
                 kThreads, kFormat, kJson},
     .examples = {{"nnapi bench --repeat 3 cases.jsonl.gz",
                   "reading, validating, converting, preparing, executing"}},
     .hasLimits = true},

    {.name = "dot",
     .summary = "a drawing of a model, for Graphviz",
     .run = dot,
     .arguments = {kFiles},
     .options = {{"--all", "", "every operand as a node of its own", field<&Options::all>},
                 without("--all", {"--hal", "VERSION", "red: what is not legal in this version",
                                   field<&Options::hal>}),
                 without("--hal", {"--device", "DEVICE",
                                   "green: what the device of this file supports; red: the rest",
                                   field<&Options::device>}),
                 kFormat},
     .examples = {{"nnapi dot model.json >model.dot", "for dot -Tsvg model.dot"}},
     .hasLimits = true},

    {.name = "generate",
     .summary = "random models that are valid and execute",
     .run = generate,
     .arguments = {},
     .options = {{"--seed", "N", "equal seeds give equal models, inputs and outputs [1]", field<&Options::seed>},
                 within(1, 1000000, {"--count", "N", "models, from consecutive seeds [1]",
                                     field<&Options::count>}),
                 within(1, 10000, {"--operations", "N", "operations of a model at the most [6]",
                                   field<&Options::operations>}),
                 {"--hal", "VERSION", "legal in this version", field<&Options::hal>},
                 several({"--op", "OPERATION", "operations to choose from; none: all",
                          field<&Options::names>}),
                 {"--unknown-dimensions", "", "leave some dimensions open until execution",
                  field<&Options::unknownDimensions>},
                 {"--nan", "", "also test cases with NaN among their outputs", field<&Options::nan>},
                 {"--failing", "", "also test cases whose execution fails",
                  field<&Options::failing>},
                 kOutput, kFormat, kJson},
     .examples = {{"nnapi generate --seed 7 --hal 1.1 -o random.pb", "a model for a HAL 1.1 driver"},
                  {"nnapi generate --count 10 -o random.jsonl",
                   "test cases with inputs and what the reference computes"},
                  {"nnapi generate --count 10 --op CONV_2D RELU", "ten of these operations"}}},

    {.name = "limits",
     .summary = "what files, models and executions may ask for",
     .run = limits,
     .arguments = {},
     .options = {kMarkdown, kJson},
     .examples = {{"nnapi limits", "the limits and their defaults"},
                  {"nnapi validate --limit-rank 8 model.json", "refuse more than that"}}},

    {.name = "help",
     .summary = "this overview, or the page of a command",
     .run = help,
     .arguments = {{"", "COMMAND", "its page", field<&Options::names>}},
     .options = {{"--man", "", "all pages as a manual page, in the format of man",
                  field<&Options::man>},
                 {"--completion", "SHELL", "a script that completes commands in this shell",
                  field<&Options::completion>}},
     .examples = {{"nnapi help convert", "the page of a command"},
                  {"nnapi help limits", "what files and models may ask for, and how to change it"},
                  {"nnapi help --man >nnapi.1", "for man -l nnapi.1"},
                  {"source <(nnapi help --completion bash)", "complete with TAB from now on"}}},
};
// clang-format on

}  // namespace

std::span<const CommandRow> commands() { return kCommands; }

}  // namespace nn::cli
