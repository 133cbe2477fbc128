#include "tools/nnapi/help.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "nnapi/type_utils.h"
#include "nnapi/validate.h"
#include "tools/nnapi/completion.h"
#include "tools/nnapi/text_layout.h"

namespace nn::cli {
namespace {

constexpr size_t kPageWidth = 80;

constexpr std::string_view kPurpose =
        "types, conversions, validation, reference interpreter for Android NNAPI";
#ifdef NNAPI_HAS_IMPORTERS
#define NNAPI_IMPORTED_FILES ", or a .tflite or .onnx file"
#else
#define NNAPI_IMPORTED_FILES
#endif
constexpr std::string_view kFilesText =
        "A model is a .pb, .textproto or .json file with canonical types or those of a HAL "
        "version" NNAPI_IMPORTED_FILES
        ". "
        "Test cases (models with inputs and expected outputs) are lines of a .jsonl or .jsonl.gz "
        "file. A folder stands for all such files below it.";
constexpr std::pair<int, std::string_view> kExitCodes[] = {
        {kGood, "success"},
        {kInvalidOrDiffers, "some input is invalid or differs"},
        {kUsageOrUnreadable, "usage error, or unreadable input"},
        {kInterrupted, "interrupted by ^C; prints the results so far"},
};

// "VERSION", "RAW...", "[FILE]"
std::string placeholder(const OptionRow& row) {
    const std::string many = row.most == OptionRow::kMany ? "..." : "";
    std::string one = fmt::format("{}{}", row.value, many);
    if (!row.flags.empty()) return one;
    if (row.least == 0) return "[" + one + "]";
    return row.most == 2 ? fmt::format("{0} [{0}]", row.value) : one;
}

// "-o, --output PATH"
std::string synopsisOf(const OptionRow& row) {
    std::string flags(row.flags);
    if (const size_t comma = flags.find(','); comma != flags.npos) flags.insert(comma + 1, " ");
    return row.isFlag() ? flags : fmt::format("{} {}", flags, placeholder(row));
}

// The text of an option, with its allowed values if they are few.
std::string textOf(const OptionRow& row) {
    std::string text(row.text);
    if (const auto values = row.choices(); !values.empty())
        text += fmt::format(" ({})", fmt::join(values, ", "));
    return row.least > 0 && !row.flags.empty() ? text + ", required" : text;
}

// "nnapi convert --to TARGET [OPTION...] FILE..."
std::string usageOf(const CommandRow& command) {
    std::string usage = fmt::format("nnapi {}", command.name);
    for (const OptionRow& row : command.options) {
        if (row.least > 0) usage += fmt::format(" {} {}", row.names().back(), placeholder(row));
    }
    usage += " [OPTION...]";
    for (const OptionRow& row : command.arguments) usage += " " + placeholder(row);
    return usage;
}

// The arguments and options of a command with their texts; the limits share one row. Without `all`,
// only the options that most users need.
std::vector<std::vector<std::string>> rowsOf(const CommandRow& command, bool all) {
    std::vector<std::vector<std::string>> rows;
    for (const OptionRow& row : command.arguments) rows.push_back({placeholder(row), textOf(row)});
    for (const OptionRow& row : optionsOf(command)) {
        if (all || !row.isRare) rows.push_back({synopsisOf(row), textOf(row)});
    }
    if (command.hasLimits && all) {
        rows.push_back({"--limit-NAME N", fmt::format("one of {} limits: see nnapi help limits",
                                                      limitInfos().size())});
    }
    rows.push_back({"-h, --help", "show these options, and examples; with --all, all options"});
    return rows;
}

std::vector<std::vector<std::string>> limitRows() {
    std::vector<std::vector<std::string>> rows;
    for (const LimitInfo& info : limitInfos()) {
        rows.push_back(
                {limitFlag(info) + " N",
                 fmt::format("at most {} {}: {}", Limits{}.*info.limit, info.counts, info.why)});
    }
    return rows;
}

std::string limitedCommands() {
    std::vector<std::string_view> names;
    for (const CommandRow& command : commands()) {
        if (command.hasLimits) names.push_back(command.name);
    }
    return fmt::format("Options of {}:", fmt::join(names, ", "));
}

// Which commands nnapi-device executes.
std::string deviceCommands() {
    std::vector<std::string_view> always, withDevice;
    for (const CommandRow& command : commands()) {
        if (command.run == nullptr) always.push_back(command.name);
        if (command.opensDevice) withDevice.push_back(command.name);
    }
    return fmt::format("The program nnapi-device executes {}; with --device also {}.",
                       fmt::join(always, ", "), fmt::join(withDevice, ", "));
}

std::string paragraph(std::string_view text) {
    return fmt::format("{}\n", fmt::join(wrap(text, kPageWidth), "\n"));
}

// A table without a heading.
std::string listOf(std::vector<std::vector<std::string>> rows) {
    rows.insert(rows.begin(), {"", ""});
    return table(std::move(rows), 2, kPageWidth);
}

// ---- man

// A line of text that man shows as it is.
std::string roff(std::string_view text) {
    static constexpr std::pair<char, std::string_view> kEscapes[] = {
            {'\\', "\\e"},  {'-', "\\-"},   {'^', "\\(ha"}, {'\'', "\\(aq"},
            {'"', "\\(dq"}, {'`', "\\(ga"}, {'~', "\\(ti"}};
    std::string escaped = text.starts_with('.') ? "\\&" : "";
    for (const char c : text) {
        const auto* escape =
                std::ranges::find(kEscapes, c, &std::pair<char, std::string_view>::first);
        escaped += escape == std::end(kEscapes) ? std::string_view(&c, 1) : escape->second;
    }
    return escaped;
}

std::string roffRows(const std::vector<std::vector<std::string>>& rows) {
    std::string text;
    for (const auto& row : rows)
        text += fmt::format(".TP\n.B {}\n{}\n", roff(row[0]), roff(row[1]));
    return text;
}

}  // namespace

std::string overview() {
    std::vector<std::vector<std::string>> rows;
    for (const CommandRow& command : commands())
        rows.push_back({std::string(command.name), std::string(command.summary)});
    std::string text =
            fmt::format("usage: nnapi COMMAND [OPTION...] [ARGUMENT...]\n\n{}\n{}",
                        paragraph(fmt::format("nnapi: {}", kPurpose)), listOf(std::move(rows)));
    text += "\n" + paragraph(deviceCommands()) + "\n" + paragraph(kFilesText) + "\nexit codes:\n";
    rows.clear();
    for (const auto& [code, meaning] : kExitCodes)
        rows.push_back({fmt::to_string(code), std::string(meaning)});
    return text + listOf(std::move(rows)) +
           "\nnnapi help COMMAND shows all options of a command, with examples; nnapi --version.\n";
}

std::string pageOf(const CommandRow& command, bool all) {
    std::string text = fmt::format("usage: {}\n\n{}\n", usageOf(command),
                                   paragraph(fmt::format("{}: {}", command.name, command.summary)));
    text += "options:\n" + listOf(rowsOf(command, all));
    const auto rare = std::ranges::count_if(optionsOf(command), &OptionRow::isRare);
    if (!all) text += fmt::format("{} more: nnapi {} --help --all\n", rare, command.name);
    if (command.run == limits) text += "\n" + paragraph(limitedCommands()) + listOf(limitRows());
    text += "\nexamples:\n";
    constexpr size_t kFirst = 2;
    const std::span<const Example> examples(command.examples);
    for (const Example& example :
         examples.first(all ? examples.size() : std::min(kFirst, examples.size())))
        text += fmt::format("  {}\n      {}\n", example.command, example.text);
    return text;
}

std::string versionText() {
    return fmt::format(
            "nnapi {}\nHAL {}; feature levels 1 to {} of the NNAPI; {} operations, {} operand "
            "types\n",
            NNAPI_VERSION, fmt::join(valuesOf("VERSION"), ", "), featureLevel(kNewestVersion),
            operationTypes().size(), operandTypes().size());
}

std::string manualPage() {
    std::string text = fmt::format(
            ".TH NNAPI 1 \"\" \"nnapi {}\" \"User Commands\"\n.SH NAME\nnnapi, nnapi\\-device \\- "
            "{}\n.SH "
            "SYNOPSIS\n",
            NNAPI_VERSION, roff(kPurpose));
    for (const CommandRow& command : commands())
        text += fmt::format(".B {}\n.br\n", roff(usageOf(command)));
    text += fmt::format(".B {}\n.SH DESCRIPTION\n{}\n.PP\n{}\n.SH COMMANDS\n",
                        roff("nnapi --version"), roff(kFilesText), roff(deviceCommands()));
    for (const CommandRow& command : commands()) {
        text += fmt::format(".SS {}\n{}\n", roff(usageOf(command)), roff(command.summary));
        text += roffRows(rowsOf(command, /*all=*/true)) + ".PP\nExamples:\n";
        for (const Example& example : command.examples)
            text += fmt::format(".TP\n.B {}\n{}\n", roff(example.command), roff(example.text));
    }
    text += fmt::format(".SH LIMITS\n{}\n{}.SH EXIT STATUS\n", roff(limitedCommands()),
                        roffRows(limitRows()));
    for (const auto& [code, meaning] : kExitCodes)
        text += fmt::format(".TP\n.B {}\n{}\n", code, roff(meaning));
    return text;
}

Exit help(const Options& options) {
    const Output output(/*json=*/false);
    if (options.man) {
        output.text("{}", Lines{manualPage()});
    } else if (!options.completion.empty()) {
        output.text("{}", Lines{completionFor(options.completion)});
    } else if (options.names.empty()) {
        output.text("{}", Lines{overview()});
    } else if (const CommandRow* command = commandOf(options.names[0])) {
        output.text("{}", Lines{pageOf(*command, options.all)});
    } else {
        return Output::complain(noCommand(options.names[0]));
    }
    return kGood;
}

}  // namespace nn::cli
