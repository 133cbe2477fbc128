// The table of commands and options, one row each. Parsing, --help, the man page and shell
// completion are generated from it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "nnapi/result.h"
#include "nnapi/types.h"
#include "tools/nnapi/command.h"

namespace nn::cli {

// The target of an option. Two of the unsigned types are size_t and uint64_t, or one is both.
using OptionTarget = std::variant<bool*, unsigned*, unsigned long*, unsigned long long*,
                                  std::optional<size_t>*, std::string*, std::vector<std::string>*,
                                  std::optional<HalVersion>*, std::optional<schema::StreamFormat>*>;

// An option, or an argument without a flag.
struct OptionRow {
    std::string_view flags;  // "-o,--output"; empty for an argument
    std::string_view value;  // the kind of its value, see valuesOf(); empty: it has none
    std::string_view text;   // its effect, in a line
    OptionTarget (*target)(Options&) = nullptr;
    int least = 0;                // 1: must be given
    int most = 1;                 // kMany: several values in a row
    bool isRepeatable = false;    // one value each time that it is given
    std::string_view excludes{};  // an option that cannot be given together with this one
    bool isRare = false;          // only shown by --help --all
    bool isReport = false;        // the file of a report, which may not replace a model
    uint64_t smallest = 0;        // of a number
    uint64_t largest = UINT64_MAX;

    static constexpr int kMany = 1 << 20;
    bool isFlag() const { return value.empty(); }
    // "-o" and "--output"
    std::vector<std::string_view> names() const;
    // All values that it may have. Also empty for operations and commands: their look-up suggests
    // the one that was probably meant.
    std::span<const std::string_view> choices() const;
};

// A command line that runs in a folder with model.json, its input.bin, cases.jsonl.gz, a folder
// models and device.textproto; tests/cli/run_examples runs them all.
struct Example {
    std::string_view command;
    std::string_view text;
};

struct CommandRow {
    std::string_view name;
    std::string_view summary;
    Exit (*run)(const Options&);       // null: nnapi-device executes it
    std::vector<OptionRow> arguments;  // given without a flag
    std::vector<OptionRow> options;
    std::vector<std::string_view> rare{};  // of these options, those that --help leaves out
    std::vector<Example> examples;
    bool hasLimits = false;         // it takes the options --limit-...
    bool opensDevice = false;       // nnapi-device executes it with --device
    bool readsDescription = false;  // except where --device is a description, which it reads itself
};

std::span<const CommandRow> commands();

// The command with this name; null if there is none.
const CommandRow* commandOf(std::string_view name);

// "there is no command valdate, did you mean validate?"
std::string noCommand(std::string_view name);

// The values of that kind: versions, operations, commands. Empty for files, numbers and other kinds
// without a list.
std::span<const std::string_view> valuesOf(std::string_view kind);

// "--limit-constant-bytes"
std::string limitFlag(const LimitInfo& info);
std::vector<std::string> limitFlags();

// The options of a command, with those that all commands have; without those of limits.
std::vector<OptionRow> optionsOf(const CommandRow& command);

// The flags that a command takes: "--hal", "-o", "--output", "--help"; without those of limits.
std::vector<std::string_view> flagsOf(const CommandRow& command);

// The operation of that name in any case; empty after a complaint.
std::optional<OperationType> operationOf(const std::string& name);

// Reads the arguments of a command into options. Fails if they are invalid.
Status readArguments(const CommandRow& command, std::vector<std::string> arguments,
                     Options& options);

}  // namespace nn::cli
