// Runs a program with this library's libneuralnetworks.so and its switches.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/files.h"
#include "base/printable.h"
#include "base/status_message.h"
#include "nnapi/driver/registry.h"
#include "nnapi/memory.h"
#include "tools/nnapi-device/device_commands.h"
#include "tools/nnapi-device/open_device.h"
#include "tools/nnapi-device/peer_options.h"
#include "tools/nnapi/output_files.h"

namespace nn::cli {
namespace {

Exit failed(const std::string& why) { return Output::complain("exec: " + why); }

// The folder of libneuralnetworks.so: next to the folder of this program, as built and as installed
// in bin or libexec/nnapi; empty if it is not found.
std::string folderOfLibrary() {
    std::error_code ignored;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", ignored);
    auto prefix = program.parent_path().parent_path();
    if (prefix.filename() == "libexec") prefix = prefix.parent_path();
    for (const char* folder : {NNAPI_LIBRARY_FOLDER, "lib"}) {
        const auto path = (prefix / folder).lexically_normal();
        if (std::filesystem::exists(path.string() + "/libneuralnetworks.so", ignored))
            return path.string();
    }
    return {};
}

void set(const char* name, const std::string& value) {
    if (!value.empty()) setenv(name, value.c_str(), 1);
}

std::string absolute(const std::string& path) {
    return path.empty() ? path : std::filesystem::absolute(path).string();
}

std::string statement(const char* word, const std::string& value) {
    return value.empty() ? value : fmt::format("{} {}\n", word, value);
}

// A configuration with these devices, in an unnamed file that the program inherits, so that nothing
// needs to be removed.
Result<std::string> configurationOf(const Options& options) {
    const PeerChoices& peers = options.peers;
    std::string lines = options.exec.isWithoutHost ? "host off\n" : "";
    lines += statement("tls-cert", absolute(peers.certificate));
    lines += statement("tls-key", absolute(peers.key));
    lines += statement("tls-ca", absolute(peers.authorities));
    lines += statement("tls-name", peers.serverName);
    lines += statement("insecure-plain-tcp", peers.insecurePlainTcp ? "on" : "");
    if (peers.heartbeat != PeerChoices().heartbeat) {
        lines += statement("heartbeat", fmt::to_string(peers.heartbeat));
    }
    for (const std::string& device : options.devices) {
        // The path of a plug-in or of a socket; others have none.
        constexpr std::string_view kUnixScheme = "unix:";
        const size_t begin = hasPluginPath(device)             ? 0
                             : device.starts_with(kUnixScheme) ? kUnixScheme.size()
                                                               : device.size();
        lines += "device " + device.substr(0, begin) + absolute(device.substr(begin)) + "\n";
    }
    const int file = memfd_create("nnapi-devices", 0);
    if (file < 0 || write(file, lines.data(), lines.size()) != static_cast<ssize_t>(lines.size())) {
        return absl::InternalError(std::strerror(errno));
    }
    return fmt::format("/proc/self/fd/{}", file);
}

}  // namespace

Exit exec(const Options& options) {
    const ExecChoices& own = options.exec;
    for (const std::string& device : options.devices) {
        const Status opened = openForLibrary(device);
        if (!opened.ok()) return failed(messageOf(opened));
    }
    // The program cannot report them: it writes them at its end.
    if (!own.record.empty()) {
        if (const Status made = makeFolder(own.record); !made.ok()) return failed(messageOf(made));
        if (access(own.record.c_str(), W_OK) != 0)
            return failed(messageOf(systemError(own.record)));
    }
    if (!options.trace.empty()) {
        const Status writable = requireWritable(options.trace);
        if (!writable.ok()) return failed(messageOf(writable));
    }
    const std::string folder = folderOfLibrary();
    if (folder.empty()) {
        return failed("the library, libneuralnetworks.so, is not beside this program, in ../lib");
    }
    const char* others = std::getenv("LD_LIBRARY_PATH");
    set("LD_LIBRARY_PATH", others == nullptr || *others == '\0' ? folder : folder + ":" + others);
    if (!options.devices.empty() || own.isWithoutHost) {
#ifdef NNAPI_HAS_SERVICE
        if (const auto credentials = credentialsOf(options.peers); !credentials.has_value()) {
            return failed(credentials.error().message);
        }
#endif
        const Result<std::string> file = configurationOf(options);
        if (!file.ok()) return failed("a list of devices: " + messageOf(file.status()));
        set("NNAPI_CONFIG", *file);
    } else if (options.peers != PeerChoices()) {
        return failed("how devices are reached is said, but there is no --device");
    }
    set("NNAPI_RECORD", absolute(own.record));
    if (own.executions != 0) set("NNAPI_RECORD_EXECUTIONS", fmt::format("{}", own.executions));
    set("NNAPI_TRACE", absolute(options.trace));
    set("NNAPI_REPORT", own.report ? "1" : "");

    std::vector<std::string> words = own.words;
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    execvp(arguments[0], arguments.data());
    return failed(fmt::format("{}: {}", printable(words[0]), std::strerror(errno)));
}

}  // namespace nn::cli
