// The program `nnapi`: reads the command line and calls the command. Each command has a file of its
// own beside this one.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>

#include "cli/command.h"

namespace nn::cli {
namespace {

using Command = Exit (*)(const Options&);

// Checks and reads a HAL version; "canonical" is none.
void addVersion(CLI::App* command, const std::string& flag, std::optional<HalVersion>& version,
                const std::string& text, bool mayBeCanonical) {
    std::vector<std::string> allowed;
    allowed.reserve(std::size(kHalVersions) + 1);
    for (const HalVersion hal : kHalVersions) allowed.emplace_back(toString(hal));
    if (mayBeCanonical) allowed.emplace_back("canonical");
    CLI::Option* option = command->add_option_function<std::string>(
            flag, [&version](const std::string& value) { version = parseHalVersion(value); }, text);
    option->check(CLI::IsMember(allowed))->option_text("VERSION");
    if (mayBeCanonical) option->required();
}

// An option for each limit.
void addLimits(CLI::App* command, Limits& limits) {
    for (const LimitInfo& info : limitInfos()) {
        std::string flag = fmt::format("--limit-{}", info.name);
        std::ranges::replace(flag, '_', '-');
        command->add_option(flag, limits.*info.limit, fmt::format("Most {}", info.counts))
                ->option_text(fmt::format("N [{}]", limits.*info.limit))
                ->group("Limits");
    }
}

int main(int argc, char** argv) {
    CLI::App app(
            "Types, conversions, validation and a reference interpreter for the Android NNAPI.\n"
            "Reads models (.pb, .textproto, .json), test cases (.jsonl, .jsonl.gz) and folders of "
            "them.\n"
            "Exit code: 0 all good, 1 some input is invalid or differs, 2 usage error or "
            "unreadable input.");
    app.require_subcommand(1);
    Options options;
    Command chosen = nullptr;

    const auto add = [&](const char* name, const char* text, Command command) {
        CLI::App* sub = app.add_subcommand(name, text);
        sub->callback([&chosen, command] { chosen = command; });
        if (command != dot) sub->add_flag("--json", options.json, "One JSON object a line");
        return sub;
    };
    const auto addWithFiles = [&](const char* name, const char* text, Command command) {
        CLI::App* sub = add(name, text, command);
        sub->add_option("files", options.files, "Models, test cases, folders")
                ->required()
                ->option_text("FILE...");
        addLimits(sub, options.limits);
        return sub;
    };
    const auto addExecuting = [&](const char* name, const char* text, Command command) {
        CLI::App* sub = addWithFiles(name, text, command);
        sub->add_option("--threads", options.threads, "That share an execution, results the same")
                ->check(CLI::Range(1, 1024))
                ->option_text("N [1]");
        return sub;
    };

    addWithFiles("info", "Sizes, operations, and the least version with what demands it", info);

    CLI::App* validateCommand =
            addWithFiles("validate", "Is it legal, and from which version on?", validate);
    addVersion(validateCommand, "--hal", options.hal, "Legal in this version", false);
    validateCommand->add_flag("--all", options.all, "All reasons, and warnings");
    validateCommand
            ->add_option("--device", options.device,
                         "Which operations does the device of this file support?")
            ->excludes("--hal");

    CLI::App* convertCommand =
            addWithFiles("convert", "Converts to a version and tells what is lost", convert);
    addVersion(convertCommand, "--to", options.hal, "1.0 to 1.3 or canonical", true);
    convertCommand->add_option("-o,--output", options.out,
                               "File to write; for several models a folder");

    const std::string minimizeText =
            "First takes away trailing default arguments and what nothing refers to";
    convertCommand->add_flag("--minimize", options.minimize, minimizeText);
    convertCommand->add_flag("--slice", options.slice,
                             "Converts the operations that the version can carry");

    CLI::App* runCommand = addExecuting("run", "Executes", run);
    runCommand->add_option("--input", options.inputs,
                           "Raw bytes of each input; test cases bring theirs");
    runCommand->add_option("-o,--output", options.out, "Folder to write raw outputs to");
    runCommand->add_option("--dump", options.dump,
                           "Writes what every operation computes to a folder or .jsonl file, as "
                           "diff --dump reads it");

    addExecuting("verify",
                 "For every version: converts, valid, lost, comes back, computes the same?", verify)
            ->add_flag("--minimize", options.minimize, minimizeText);
    addExecuting("conformance", "Runs test cases against their expected outputs", conformance);

    CLI::App* diffCommand =
            addExecuting("diff", "The first operation at which two executions differ", diff);
    diffCommand->get_option("files")->expected(1, 2)->description(
            "Two models or files of test cases, or one with --hal or --dump");
    addVersion(diffCommand, "--hal", options.hal, "Against what comes back from this version",
               false);
    diffCommand->add_flag("--exact", options.exact, "Every bit counts");
    diffCommand->add_option("--input", options.inputs, "Raw bytes of each input of both");
    diffCommand
            ->add_option("--dump", options.dump,
                         "Against what a driver computed: a folder of main.operand_12.raw, or a "
                         ".jsonl file")
            ->excludes("--hal");
    diffCommand
            ->add_option("--dot", options.drawing,
                         "Writes a drawing, as Graphviz text, of where they depart; - for standard "
                         "output, in place of the report")
            ->option_text("FILE")
            ->excludes("--json");

    CLI::App* opsCommand = add("ops", "The table of operations", ops);
    opsCommand->add_option("names", options.names, "Operations; none: all")->option_text("NAME...");
    opsCommand->add_flag("--markdown", options.markdown, "As the pages of docs/ops show it");

    add("limits", "What files, models and executions may ask for", limits)
            ->add_flag("--markdown", options.markdown, "As docs/security.md shows it");

    CLI::App* benchCommand = addExecuting("bench", "Median times of each step", bench);
    benchCommand->add_option("--repeat", options.repeat, "Times to repeat each step")
            ->check(CLI::Range(1, 100000));

    CLI::App* dotCommand = addWithFiles("dot", "A drawing of a model, as Graphviz text", dot);
    CLI::Option* everything =
            dotCommand->add_flag("--all", options.all, "Every operand as a node of its own");
    addVersion(dotCommand, "--hal", options.hal, "Red: what is not legal in this version", false);
    dotCommand
            ->add_option("--device", options.device,
                         "Green: what the device of this file supports; red: what it does not")
            ->option_text("FILE")
            ->excludes(everything)
            ->excludes("--hal");
    dotCommand->get_option("--hal")->excludes(everything);

    CLI::App* generateCommand =
            add("generate", "Random models that are valid and execute", generate);
    generateCommand->add_option("--seed", options.seed,
                                "Equal seeds give equal models, inputs and outputs");
    generateCommand->add_option("--count", options.count, "Models, from consecutive seeds")
            ->check(CLI::Range(1, 1000000));
    generateCommand->add_option("--operations", options.operations, "Operations of one at the most")
            ->check(CLI::Range(1, 10000));
    addVersion(generateCommand, "--hal", options.hal, "Legal in this version", false);
    generateCommand->add_option("--op", options.names, "Operations to choose from; none: all")
            ->option_text("NAME...");
    generateCommand->add_flag("--unknown-dimensions", options.unknownDimensions,
                              "Leave some dimensions open until execution");
    generateCommand->add_option("-o,--output", options.out,
                                "File to write: of test cases (.jsonl, .jsonl.gz), with inputs and "
                                "what the reference computes, or of one model; or a folder");
    generateCommand->add_flag("--nan", options.nan, "Also test cases with NaN among their outputs");
    generateCommand->add_flag("--failing", options.failing,
                              "Also test cases whose execution fails");

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? kGood : kUsageOrUnreadable;
    }
    const Exit exit = chosen(options);
    if (std::fflush(stdout) != 0) {
        Output::complain("cannot write to standard output");
        return kUsageOrUnreadable;
    }
    return exit;
}

}  // namespace
}  // namespace nn::cli

int main(int argc, char** argv) { return nn::cli::main(argc, argv); }
