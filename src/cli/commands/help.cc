#include "cli/help.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "cli/text_layout.h"
#include "nnapi/type_utils.h"
#include "nnapi/validate.h"

namespace nn::cli {
namespace {

constexpr size_t kPageWidth = 80;

constexpr std::string_view kPurpose =
        "types, conversions, validation, reference interpreter for Android NNAPI";
#ifdef NNAPI_HAS_IMPORTERS
#define NNAPI_IMPORTED_FILES ", or a .tflite or .onnx file"
#define NNAPI_IMPORTED_EXTENSIONS "|tflite|onnx"
#else
#define NNAPI_IMPORTED_FILES
#define NNAPI_IMPORTED_EXTENSIONS
#endif
constexpr std::string_view kFilesText =
        "A model is a .pb, .textproto or .json file with canonical types or those of a HAL "
        "version" NNAPI_IMPORTED_FILES
        ". "
        "Test cases (models with inputs and expected outputs) are lines of a .jsonl or .jsonl.gz "
        "file. A folder stands for all such files below it.";
constexpr std::string_view kExtensions =
        "pb|textproto|json|jsonl|jsonl.gz" NNAPI_IMPORTED_EXTENSIONS;
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

// The arguments and options of a command with their texts; the limits share one row.
std::vector<std::vector<std::string>> rowsOf(const CommandRow& command) {
    std::vector<std::vector<std::string>> rows;
    for (const OptionRow& row : command.arguments) rows.push_back({placeholder(row), textOf(row)});
    for (const OptionRow& row : command.options) rows.push_back({synopsisOf(row), textOf(row)});
    if (command.hasLimits) {
        rows.push_back({"--limit-NAME N", fmt::format("one of {} limits: see nnapi help limits",
                                                      limitInfos().size())});
    }
    rows.push_back({"-h, --help", "show these options, and examples"});
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

// ---- bash

constexpr std::string_view kBashCompletion =
        R"bash(# Bash completion for nnapi, printed by `nnapi help --completion bash`.
_nnapi() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} word words=() option= place=0 several= flags= limits= kind=
  COMPREPLY=()
  # Bash takes the = of --to=1.0 for a word.
  for word in "${{COMP_WORDS[@]:0:COMP_CWORD}}"; do
    [[ $word == = ]] || words+=("$word")
  done
  [[ $current == = ]] && current=
  if ((${{#words[@]}} == 1)); then
    mapfile -t COMPREPLY < <(compgen -W '{commands} --help --version' -- "$current")
    return
  fi
  case ${{words[1]}} in
{flags}  esac
  if [[ $current == -* ]]; then
    # The limits are many, and seldom meant.
    [[ -n $limits && $current == --l* ]] && flags+=' {limits}'
    mapfile -t COMPREPLY < <(compgen -W "$flags" -- "$current")
    return
  fi
  # Whose value is this? That of the last option, if it takes one, or takes several.
  for ((place = ${{#words[@]}} - 1; place > 1; --place)); do
    [[ ${{words[place]}} == -* ]] && option=${{words[place]}} && break
  done
  case "${{words[1]}} $option" in
{values}    *' --limit-'*) kind=N ;;
  esac
  if [[ -z $kind || (-z $several && $place -lt $((${{#words[@]}} - 1))) ]]; then
    case ${{words[1]}} in
{arguments}      *) return ;;
    esac
  fi
  case $kind in
    N) ;;
{words}    FOLDER)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -d -- "$current")
      ;;
    FILE)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(
        compgen -d -- "$current"
        compgen -f -- "$current" | grep -E '\.({extensions})$'
      )
      ;;
    *)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -f -- "$current")
      ;;
  esac
}}
complete -F _nnapi nnapi
)bash";

std::string bashCompletion() {
    std::string flags, arguments, values, words;
    std::set<std::string_view> kinds;
    for (const CommandRow& command : commands()) {
        flags += fmt::format("    {}) flags='{}'{} ;;\n", command.name,
                             fmt::join(flagsOf(command), " "),
                             command.hasLimits ? " limits=yes" : "");
        for (const OptionRow& row : command.arguments) {
            kinds.insert(row.value);
            arguments += fmt::format("      {}) kind={} ;;\n", command.name, row.value);
        }
        for (const OptionRow& row : command.options) {
            if (row.isFlag()) continue;
            kinds.insert(row.value);
            for (const std::string_view name : row.names()) {
                values += fmt::format("    '{} {}') kind={}{} ;;\n", command.name, name, row.value,
                                      row.most > 1 ? " several=yes" : "");
            }
        }
    }
    for (const std::string_view kind : kinds) {
        if (valuesOf(kind).empty()) continue;
        // Operations are in capitals, but users may type them in any case.
        words += fmt::format("    {}) mapfile -t COMPREPLY < <(compgen -W '{}' -- \"{}\") ;;\n",
                             kind, fmt::join(valuesOf(kind), " "),
                             kind == "OPERATION" ? "${current^^}" : "$current");
    }
    std::string extensions(kExtensions);
    for (size_t dot = 0; (dot = extensions.find('.', dot)) != extensions.npos; dot += 2)
        extensions.insert(dot, "\\");
    return fmt::format(kBashCompletion, fmt::arg("commands", fmt::join(valuesOf("COMMAND"), " ")),
                       fmt::arg("flags", flags), fmt::arg("values", values),
                       fmt::arg("arguments", arguments), fmt::arg("words", words),
                       fmt::arg("limits", fmt::join(limitFlags(), " ")),
                       fmt::arg("extensions", extensions));
}

}  // namespace

std::string overview() {
    std::vector<std::vector<std::string>> rows;
    for (const CommandRow& command : commands())
        rows.push_back({std::string(command.name), std::string(command.summary)});
    std::string text =
            fmt::format("usage: nnapi COMMAND [OPTION...] [ARGUMENT...]\n\n{}\n{}",
                        paragraph(fmt::format("nnapi: {}", kPurpose)), listOf(std::move(rows)));
    text += "\n" + paragraph(kFilesText) + "\nexit codes:\n";
    rows.clear();
    for (const auto& [code, meaning] : kExitCodes)
        rows.push_back({fmt::to_string(code), std::string(meaning)});
    return text + listOf(std::move(rows)) +
           "\nnnapi help COMMAND shows all options of a command, with examples; nnapi --version.\n";
}

std::string pageOf(const CommandRow& command) {
    std::string text = fmt::format("usage: {}\n\n{}\n", usageOf(command),
                                   paragraph(fmt::format("{}: {}", command.name, command.summary)));
    text += "options:\n" + listOf(rowsOf(command));
    if (command.run == limits) text += "\n" + paragraph(limitedCommands()) + listOf(limitRows());
    text += "\nexamples:\n";
    for (const Example& example : command.examples)
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
            ".TH NNAPI 1 \"\" \"nnapi {}\" \"User Commands\"\n.SH NAME\nnnapi \\- {}\n.SH "
            "SYNOPSIS\n",
            NNAPI_VERSION, roff(kPurpose));
    for (const CommandRow& command : commands())
        text += fmt::format(".B {}\n.br\n", roff(usageOf(command)));
    text += fmt::format(".B {}\n.SH DESCRIPTION\n{}\n.SH COMMANDS\n", roff("nnapi --version"),
                        roff(kFilesText));
    for (const CommandRow& command : commands()) {
        text += fmt::format(".SS {}\n{}\n", roff(usageOf(command)), roff(command.summary));
        text += roffRows(rowsOf(command)) + ".PP\nExamples:\n";
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
        output.text("{}", Lines{bashCompletion()});
    } else if (options.names.empty()) {
        output.text("{}", Lines{overview()});
    } else if (const CommandRow* command = commandOf(options.names[0])) {
        output.text("{}", Lines{pageOf(*command)});
    } else {
        Output::complain(noCommand(options.names[0]));
        return kUsageOrUnreadable;
    }
    return kGood;
}

}  // namespace nn::cli
