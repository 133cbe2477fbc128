#include "tools/nnapi/completion.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "tools/nnapi/command_table.h"

namespace nn::cli {
namespace {

#ifdef NNAPI_HAS_IMPORTERS
#define NNAPI_IMPORTED_EXTENSIONS "|tflite|onnx"
#else
#define NNAPI_IMPORTED_EXTENSIONS
#endif
constexpr std::string_view kExtensions =
        "pb|textproto|json|jsonl|jsonl.gz" NNAPI_IMPORTED_EXTENSIONS;

// Prints the names of the devices, also those of running drivers.
constexpr std::string_view kDeviceNames =
        R"sh(nnapi devices --json 2>/dev/null | sed -n 's/^{"name":"\([^"]*\)".*/\1/p')sh";

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
    DEVICE)
      # Names of devices, and files: plug-ins and descriptions.
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(
        compgen -W "$({devices})" -- "$current"
        compgen -f -- "$current"
      )
      ;;
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
complete -F _nnapi nnapi nnapi-device
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
        for (const OptionRow& row : optionsOf(command)) {
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
                       fmt::arg("extensions", extensions), fmt::arg("devices", kDeviceNames));
}

// ---- fish and zsh

// A text in single quotes.
std::string quoted(std::string_view text, std::string_view quote) {
    std::string result = "'";
    for (const char c : text) result += c == '\'' ? std::string(quote) : std::string(1, c);
    return result + "'";
}

// A flag for several values is offered again.
bool isRepeated(const OptionRow& row) { return row.isRepeatable || row.most > 1; }

// `-s o -l output`
std::string fishFlags(const OptionRow& row) {
    std::string flags;
    for (const std::string_view name : row.names()) {
        flags += name.starts_with("--") ? fmt::format(" -l {}", name.substr(2))
                                        : fmt::format(" -s {}", name.substr(1));
    }
    return flags;
}

// How fish completes a value of that kind.
std::string fishValues(std::string_view kind) {
    if (kind == "N") return "-x";
    if (kind == "DEVICE") return "-r -F -a '(__nnapi_devices)'";
    if (kind == "FOLDER") return "-x -a '(__fish_complete_directories)'";
    std::string values;
    for (const std::string_view value : valuesOf(kind)) {
        // Fish would redirect to "<stem>.types", the pattern of a rule.
        if (value.find('<') == value.npos) values.append(values.empty() ? "" : " ").append(value);
    }
    return values.empty() ? "-r -F" : fmt::format("-x -a '{}'", values);
}

std::string fishCompletion() {
    std::string text = fmt::format(
            "# Fish completion for nnapi, printed by `nnapi help --completion fish`.\n"
            "function __nnapi_devices\n  {}\nend\n"
            "for program in nnapi nnapi-device\n"
            "  complete -c $program -f\n"
            "  complete -c $program -n __fish_use_subcommand -l help -l version\n",
            kDeviceNames);
    for (const CommandRow& command : commands()) {
        const std::string within = fmt::format(
                "  complete -c $program -n '__fish_seen_subcommand_from {}'", command.name);
        text += fmt::format("  complete -c $program -n __fish_use_subcommand -a {} -d {}\n",
                            command.name, quoted(command.summary, "\\'"));
        for (const OptionRow& row : command.arguments)
            text += fmt::format("{} {}\n", within, fishValues(row.value));
        for (const OptionRow& row : optionsOf(command)) {
            text += fmt::format("{}{}{} -d {}\n", within, fishFlags(row),
                                row.isFlag() ? "" : " " + fishValues(row.value),
                                quoted(row.text, "\\'"));
        }
        text += within + " -s h -l help -d 'show the options'\n";
    }
    return text + "end\n";
}

// How zsh completes a value of that kind: "VERSION:(1.0 1.1)".
std::string zshValues(std::string_view kind) {
    std::string name(kind);
    std::ranges::replace(name, ':', ' ');
    std::string action = "_files";
    if (kind == "N") action = " ";
    if (kind == "DEVICE") action = "_nnapi_devices";
    if (kind == "FOLDER") action = "_files -/";
    if (kind == "FILE") action = fmt::format("_files -g \"*.({})(-.)\"", kExtensions);
    if (!valuesOf(kind).empty()) action = fmt::format("({})", fmt::join(valuesOf(kind), " "));
    return fmt::format("{}:{}", name, action);
}

// "-o'[output file]:PATH:_files'", a line for each name.
std::string zshOption(const OptionRow& row) {
    std::string text;
    for (const char c : row.text)
        text += c == '[' || c == ']' || c == ':' ? fmt::format("\\{}", c) : std::string(1, c);
    const std::string rest = quoted(
            fmt::format("[{}]{}", text, row.isFlag() ? "" : ":" + zshValues(row.value)), R"('\'')");
    const std::string star = isRepeated(row) ? "\\*" : "";
    std::string specs;
    for (const std::string_view name : row.names())
        specs += fmt::format(" \\\n        {}{}{}", star, name, rest);
    return specs;
}

std::string zshCompletion() {
    std::string list, cases;
    for (const CommandRow& command : commands()) {
        list += fmt::format("    {}\n",
                            quoted(fmt::format("{}:{}", command.name, command.summary), R"('\'')"));
        cases += fmt::format("    {})\n      _arguments -S", command.name);
        for (const OptionRow& row : optionsOf(command)) cases += zshOption(row);
        cases += " \\\n        {-h,--help}'[show the options]'";
        for (const OptionRow& row : command.arguments) {
            cases += fmt::format(
                    " \\\n        {}",
                    quoted(fmt::format("{}:{}", row.most > 1 ? "*" : "1", zshValues(row.value)),
                           R"('\'')"));
        }
        cases += "\n      ;;\n";
    }
    return fmt::format(
            "#compdef nnapi nnapi-device\n"
            "# Zsh completion for nnapi, printed by `nnapi help --completion zsh`.\n"
            "_nnapi_devices() {{\n"
            "  local -a names\n"
            "  names=(${{(f)\"$({})\"}})\n"
            "  _alternative 'devices:device:compadd -a names' 'files:file:_files'\n"
            "}}\n"
            "_nnapi() {{\n"
            "  local -a commands\n"
            "  commands=(\n{}  )\n"
            "  if ((CURRENT == 2)); then\n"
            "    _describe command commands\n"
            "    return\n"
            "  fi\n"
            "  shift words\n"
            "  ((CURRENT--))\n"
            "  case ${{words[1]}} in\n{}  esac\n"
            "}}\n"
            "if [[ $zsh_eval_context[-1] == loadautofunc ]]; then\n"
            "  _nnapi \"$@\"\n"
            "else\n"
            "  compdef _nnapi nnapi nnapi-device\n"
            "fi\n",
            kDeviceNames, list, cases);
}

}  // namespace

std::string completionFor(std::string_view shell) {
    if (shell == "fish") return fishCompletion();
    return shell == "zsh" ? zshCompletion() : bashCompletion();
}

}  // namespace nn::cli
