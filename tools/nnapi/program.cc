#include "tools/nnapi/program.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "base/no_throw.h"
#include "base/status_message.h"
#include "tools/nnapi/command_table.h"
#include "tools/nnapi/device_program.h"
#include "tools/nnapi/help.h"
#include "tools/nnapi/input_files.h"
#include "tools/nnapi/interrupt.h"
#include "tools/nnapi/text_layout.h"

namespace nn::cli {
namespace {

Exit wrongUsage(const std::string& message, std::string_view seeAlso) {
    Output::complain(message);
    std::fprintf(stderr, "See nnapi help%s.\n", std::string(seeAlso).c_str());
    return kUsageOrUnreadable;
}

bool isHelpFlag(std::string_view word) { return word == "-h" || word == "--help"; }

using DeviceCommands = std::span<const DeviceCommand>;

// Runs a command that opens devices: in this program, or in nnapi-device with the same command
// line.
Exit runWithDevices(std::string_view name, const Options& options,
                    const std::vector<std::string>& words, DeviceCommands commands) {
    const auto found = std::ranges::find(commands, name, &DeviceCommand::name);
    return found != commands.end() ? found->run(options) : executeDeviceProgram(words);
}

Exit runCommand(const CommandRow& command, const std::vector<std::string>& words,
                DeviceCommands deviceCommands) {
    Options options;
    std::vector<std::string> arguments(words.begin() + 1, words.end());
    if (std::ranges::any_of(arguments, isHelpFlag)) {
        options.names = {std::string(command.name)};
        options.all = std::ranges::find(arguments, "--all") != arguments.end();
        return help(options);
    }
    const Status status = readArguments(command, std::move(arguments), options);
    setColor(options.color);
    if (!status.ok()) return wrongUsage(messageOf(status), fmt::format(" {}", command.name));
    const bool isOnDevice = command.opensDevice && !options.device.empty() &&
                            !(command.readsDescription && isDeviceFile(options.device));
    if (command.run == nullptr || isOnDevice)
        return runWithDevices(command.name, options, words, deviceCommands);
    return command.run(options);
}

Exit runProgram(const std::vector<std::string>& words, DeviceCommands deviceCommands) {
    if (words.empty()) return wrongUsage("a command is missing", "");
    const Output output(/*json=*/false);
    if (words[0] == "--version") {
        output.text("{}", Lines{versionText()});
        return kGood;
    }
    if (isHelpFlag(words[0])) return help({});
    if (words[0] == kDeviceWorker) return runWithDevices(kDeviceWorker, {}, words, deviceCommands);
    if (const CommandRow* command = commandOf(words[0]))
        return runCommand(*command, words, deviceCommands);
    if (!words[0].starts_with('-')) return wrongUsage(noCommand(words[0]), "");
    static constexpr std::string_view kFlags[] = {"--version", "--help"};
    return wrongUsage(fmt::format("there is no option {} before a command{}", words[0],
                                  didYouMean(words[0], kFlags)),
                      "");
}

// If standard output is closed, a file opened later must not take its number.
void keepStandardStreams() {
    for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (fcntl(fd, F_GETFD) < 0) (void)open("/dev/null", O_RDONLY);
    }
}

}  // namespace

int program(int argc, char** argv, std::span<const DeviceCommand> deviceCommands) {
    keepStandardStreams();
    Exit exit = kUsageOrUnreadable;
    try {
        exit = runProgram({argv + std::min(argc, 1), argv + argc}, deviceCommands);
    } catch (...) {
        Output::complain(messageOf(statusOfException()));
    }
    if (interrupted()) {
        if (!isInterruptReported()) Output::complain("interrupted");
        exit = kInterrupted;
    }
    return Output::finish(exit);
}

}  // namespace nn::cli
