#include "tools/nnapi/command_table.h"

#include <absl/strings/ascii.h>
#include <absl/strings/numbers.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <concepts>
#include <limits>
#include <map>

#include "base/spelling_suggestions.h"
#include "nnapi/device_test/device_rules.h"
#include "nnapi/type_utils.h"
#include "tools/nnapi/rules_index.h"
#include "tools/nnapi/stream_formats.h"

namespace nn::cli {
namespace {

std::string complaintAboutEmptiness(const std::string& value) {
    return value.empty() ? "is empty" : "";
}

// CLI11 reads -1 as 2^64 - 1 and 010 as 8, and its messages differ between its versions.
template <class Number, class Target>
CLI::Option* addNumber(CLI::App& app, const std::string& name, Target& target,
                       uint64_t smallest = 0, uint64_t largest = UINT64_MAX) {
    largest = std::min<uint64_t>(largest, std::numeric_limits<Number>::max());
    const auto complaint = [=](const std::string& text) {
        if (text.empty()) return complaintAboutEmptiness(text);
        uint64_t value = 0;
        const bool isNumber =
                std::ranges::all_of(text, absl::ascii_isdigit) && absl::SimpleAtoi(text, &value);
        if (isNumber && value >= smallest && value <= largest) return std::string();
        if (text.starts_with('-') && largest == UINT64_MAX) return text + " is negative";
        return fmt::format("Value {} not in range {} to {}", text, smallest, largest);
    };
    return app
            .add_option_function<std::string>(name,
                                              [&target](const std::string& text) {
                                                  Number value = 0;
                                                  if (absl::SimpleAtoi(text, &value))
                                                      target = value;
                                              })
            ->check(complaint);
}

// Binds an option to its field.
CLI::Option* bind(CLI::App& app, const OptionRow& row, Options& options) {
    // CLI11 names an option without a flag by its value, and names have no dots.
    const std::string name(row.flags.empty() ? row.value : row.flags);
    return std::visit(
            [&]<class T>(T* value) -> CLI::Option* {
                if constexpr (std::same_as<T, bool>) {
                    return app.add_flag(name, *value);
                } else if constexpr (std::same_as<T, std::optional<HalVersion>>) {
                    return app.add_option_function<std::string>(
                            name,
                            [value](const std::string& text) { *value = parseHalVersion(text); });
                } else if constexpr (std::same_as<T, std::optional<schema::StreamFormat>>) {
                    return app.add_option_function<std::string>(
                            name,
                            [value](const std::string& text) { *value = parseStreamFormat(text); });
                } else if constexpr (std::same_as<T, std::optional<size_t>>) {
                    return addNumber<size_t>(app, name, *value, row.smallest, row.largest);
                } else if constexpr (std::unsigned_integral<T>) {
                    return addNumber<T>(app, name, *value, row.smallest, row.largest);
                } else {
                    return app.add_option(name, *value);
                }
            },
            row.target(options));
}

// `--html *.tflite` would overwrite the first model.
std::string complaintAboutReport(const std::string& path) {
    if (path == "-") return "is not a file: a report is not written to standard output";
    constexpr std::string_view kModels[] = {".tflite",    ".onnx",  ".pb",
                                            ".textproto", ".jsonl", ".jsonl.gz"};
    for (const std::string_view extension : kModels) {
        if (path.ends_with(extension))
            return fmt::format("extension is \"{}\", which is that of a model", extension);
    }
    return "";
}

void addOption(CLI::App& app, const OptionRow& row, Options& options) {
    CLI::Option* option = bind(app, row, options);
    if (row.least > 0) option->required();
    if (row.isFlag()) return;
    if (!row.flags.empty()) option->check(complaintAboutEmptiness);
    if (row.most > 1) option->expected(1, row.most);
    if (row.isRepeatable) option->allow_extra_args(false);
    if (const auto values = row.choices(); !values.empty())
        option->check(CLI::IsMember(std::vector<std::string>(values.begin(), values.end()),
                                    CLI::ignore_case));
    if (row.isReport) option->check(complaintAboutReport);
}

std::string didYouMeanOption(const CommandRow& command, const std::string& typed) {
    std::vector<std::string_view> candidates = flagsOf(command);
    const std::vector<std::string> limits = limitFlags();
    if (command.hasLimits) candidates.insert(candidates.end(), limits.begin(), limits.end());
    return didYouMean(typed.substr(0, typed.find('=')), candidates);
}

// The later of two reports would replace the earlier one.
Status requireSeparateReports(const CommandRow& command, const CLI::App& app) {
    std::map<std::string, std::string> flagOf;  // by file
    for (const OptionRow& row : command.options) {
        if (!row.isReport) continue;
        const std::string flag(row.names().back());
        for (const std::string& file : app.get_option(flag)->results()) {
            const auto [first, isNew] = flagOf.try_emplace(file, flag);
            if (!isNew) {
                return absl::InvalidArgumentError(fmt::format("{}: {} and {} name the same file",
                                                              command.name, first->second, flag));
            }
        }
    }
    return {};
}

}  // namespace

const CommandRow* commandOf(std::string_view name) {
    const std::span<const CommandRow> all = commands();
    const auto found = std::ranges::find(all, name, &CommandRow::name);
    return found == all.end() ? nullptr : &*found;
}

std::string noCommand(std::string_view name) {
    const std::span<const std::string_view> all = valuesOf("COMMAND");
    const std::string suggestion = didYouMean(name, all);
    return fmt::format(
            "there is no command {}{}", name,
            suggestion.empty() ? fmt::format("; there are {}", fmt::join(all, ", ")) : suggestion);
}

std::vector<std::string_view> OptionRow::names() const {
    std::vector<std::string_view> list;
    for (std::string_view rest = flags; !rest.empty();) {
        const size_t end = std::min(rest.find(','), rest.size());
        list.push_back(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return list;
}

std::span<const std::string_view> OptionRow::choices() const {
    if (value == "OPERATION" || value == "RULE" || value == "COMMAND") return {};
    return valuesOf(value);
}

namespace {

// Separately, since most calls of the program do not use these hundreds of ids.
std::span<const std::string_view> idsOfRules() {
    static const std::vector<Rule> all = allRules();
    static const auto ids = [] {
        std::vector<std::string_view> list;
        for (const Rule& rule : all) list.push_back(rule.id);
        for (const testing::DeviceRule& rule : testing::deviceRules()) list.push_back(rule.name);
        return list;
    }();
    return ids;
}

}  // namespace

std::span<const std::string_view> valuesOf(std::string_view kind) {
    static const auto versions = [] {
        std::vector<std::string_view> names(std::size(kHalVersions));
        std::ranges::transform(kHalVersions, names.begin(),
                               [](HalVersion version) { return toString(version); });
        return names;
    }();
    static const auto targets = [] {
        std::vector<std::string_view> names = versions;
        names.emplace_back("canonical");
#ifdef NNAPI_HAS_IMPORTERS
        names.emplace_back("tflite");
#endif
        return names;
    }();
    static const auto operations = [] {
        std::vector<std::string_view> names;
        for (const OperationTypeInfo& info : operationTypes()) names.push_back(info.name);
        return names;
    }();
    static const auto names = [] {
        std::vector<std::string_view> list(commands().size());
        std::ranges::transform(commands(), list.begin(), &CommandRow::name);
        return list;
    }();
    static const auto formats = [] {
        std::vector<std::string_view> names(std::size(kStreamFormats));
        std::ranges::transform(kStreamFormats, names.begin(), &StreamFormatRow::name);
        return names;
    }();
    static const std::vector<std::string_view> shells = {"bash", "fish", "zsh"};
    static const std::vector<std::string_view> colors = {"auto", "always", "never"};
    static const std::vector<std::string_view> actions = {"merge"};
    static const std::vector<std::string_view> levels = {"canonical", "hidl", "aidl"};
    if (kind == "VERSION") return versions;
    if (kind == "TARGET") return targets;
    if (kind == "FORMAT") return formats;
    if (kind == "OPERATION") return operations;
    if (kind == "RULE") return idsOfRules();
    if (kind == "COMMAND") return names;
    if (kind == "SHELL") return shells;
    if (kind == "WHEN") return colors;
    if (kind == "ACTION") return actions;
    if (kind == "LEVEL") return levels;
    return {};
}

std::string limitFlag(const LimitInfo& info) {
    std::string flag = fmt::format("--limit-{}", info.name);
    std::ranges::replace(flag, '_', '-');
    return flag;
}

std::vector<std::string> limitFlags() {
    std::vector<std::string> flags;
    for (const LimitInfo& info : limitInfos()) flags.push_back(limitFlag(info));
    return flags;
}

std::vector<OptionRow> optionsOf(const CommandRow& command) {
    std::vector<OptionRow> rows = command.options;
    for (OptionRow& row : rows) {
        row.isRare |= std::ranges::find(command.rare, row.names().back()) != command.rare.end();
    }
    rows.push_back({.flags = "--color",
                    .value = "WHEN",
                    .text = "colors: auto is for terminals, unless NO_COLOR is set [auto]",
                    .target = [](Options& options) -> OptionTarget { return &options.color; },
                    .isRare = true});
    return rows;
}

std::vector<std::string_view> flagsOf(const CommandRow& command) {
    std::vector<std::string_view> flags;
    for (const OptionRow& row : optionsOf(command)) {
        for (const std::string_view name : row.names()) flags.push_back(name);
    }
    flags.insert(flags.end(), {"-h", "--help"});
    return flags;
}

Status readArguments(const CommandRow& command, std::vector<std::string> arguments,
                     Options& options) {
    CLI::App app;
    app.set_help_flag();
    for (const OptionRow& row : command.arguments) addOption(app, row, options);
    for (const OptionRow& row : optionsOf(command)) addOption(app, row, options);
    for (const OptionRow& row : command.options) {
        if (row.excludes.empty()) continue;
        app.get_option(std::string(row.names().back()))
                ->excludes(app.get_option(std::string(row.excludes)));
    }
    if (command.hasLimits) {
        for (const LimitInfo& info : limitInfos())
            addNumber<uint64_t>(app, limitFlag(info), options.limits.*info.limit);
    }
    // CLI11 would read the next word as the value of `--device=`.
    for (const std::string& word : arguments) {
        if (word == "--") break;
        if (!word.starts_with("--") || word.find('=') != word.size() - 1) continue;
        return absl::InvalidArgumentError(
                fmt::format("{}: {}: is empty", command.name, word.substr(0, word.size() - 1)));
    }
    std::ranges::reverse(arguments);  // as CLI11 requires
    try {
        app.parse(std::move(arguments));
    } catch (const CLI::ArgumentMismatch& error) {
        const std::string text = error.what();
        return absl::InvalidArgumentError(
                fmt::format("{}: {} {}", command.name, text.substr(0, text.find(':')),
                            text.find("At Most") != std::string::npos ? "is given more than once"
                                                                      : "needs a value"));
    } catch (const CLI::ParseError& error) {
        // A misspelt option is also a reason why a required one is missing.
        const bool isOfValue =
                error.get_name() == "ValidationError" || error.get_name() == "ConversionError";
        const std::vector<std::string> unknown = app.remaining(true);
        if (!isOfValue && !unknown.empty()) {
            const std::string& first = unknown.front();
            const bool isOption = first.starts_with('-');
            return absl::InvalidArgumentError(
                    fmt::format("{}: there is no {}{}", command.name,
                                (isOption ? "option " : "place for the argument ") + first,
                                isOption ? didYouMeanOption(command, first) : ""));
        }
        return absl::InvalidArgumentError(fmt::format("{}: {}", command.name, error.what()));
    }
    return requireSeparateReports(command, app);
}

std::optional<OperationType> operationOf(const std::string& name) {
    std::string capitals = name;
    std::ranges::transform(capitals, capitals.begin(),
                           [](unsigned char c) { return std::toupper(c); });
    const auto type = parseOperationType(capitals);
    if (!type) {
        Output::complain(fmt::format("there is no operation {}{}", name,
                                     didYouMean(name, valuesOf("OPERATION"))));
    }
    return type;
}

}  // namespace nn::cli
