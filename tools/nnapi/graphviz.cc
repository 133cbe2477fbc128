#include "tools/nnapi/graphviz.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/files.h"
#include "base/standard_streams.h"

namespace nn::cli {
namespace {

constexpr rlim_t kSeconds = 20;

// A file in memory, which cannot block as a pipe can.
Result<UniqueFd> memoryFile() {
    UniqueFd file = aboveStandardStreams(memfd_create("graphviz", MFD_CLOEXEC));
    if (file.get() < 0) return systemError("graphviz");
    return file;
}

Result<std::string> contentOf(const UniqueFd& file) {
    NNAPI_ASSIGN_OR_RETURN(size, sizeOfFile(file.get()));
    return readBytes(file.get(), 0, size);
}

// Runs `dot -Tsvg` with these standard streams. Returns an error number, or 0 and its status.
int runDot(const UniqueFd& input, const UniqueFd& output, const UniqueFd& errors, int& status) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input.get(), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output.get(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, errors.get(), STDERR_FILENO);
    char program[] = "dot", format[] = "-Tsvg";
    char* const arguments[] = {program, format, nullptr};
    pid_t process = -1;
    const int error = posix_spawnp(&process, program, &actions, nullptr, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    const rlimit time{.rlim_cur = kSeconds, .rlim_max = kSeconds + 1};
    if (error == 0) (void)prlimit(process, RLIMIT_CPU, &time, nullptr);
    // Without a status, where SIGCHLD is ignored, the output shows whether dot has finished.
    while (error == 0 && waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    return error;
}

}  // namespace

Result<std::string> svgOf(std::string_view drawing) {
    NNAPI_ASSIGN_OR_RETURN(input, memoryFile());
    NNAPI_ASSIGN_OR_RETURN(output, memoryFile());
    NNAPI_ASSIGN_OR_RETURN(errors, memoryFile());
    NNAPI_RETURN_IF_ERROR(writeBytes(input.get(), drawing, 0));
    int status = 0;
    if (const int error = runDot(input, output, errors, status); error != 0) {
        return makeError(ErrorStatus::GENERAL_FAILURE,
                         error == ENOENT
                                 ? std::string("Graphviz is not installed: there is no program dot "
                                               "in PATH (Debian package graphviz)")
                                 : fmt::format("dot, of Graphviz: {}", std::strerror(error)));
    }
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) {
        return makeError(ErrorStatus::MISSED_DEADLINE_PERSISTENT,
                         fmt::format("dot, of Graphviz, takes more than {} s", kSeconds));
    }
    NNAPI_ASSIGN_OR_RETURN(text, contentOf(output));
    const size_t begin = text.find("<svg");
    if (status != 0 || begin == std::string::npos || !text.ends_with("</svg>\n")) {
        NNAPI_ASSIGN_OR_RETURN(said, contentOf(errors));
        return makeError(
                ErrorStatus::GENERAL_FAILURE,
                fmt::format("dot, of Graphviz, fails: {}", said.substr(0, said.find('\n'))));
    }
    return text.substr(begin);
}

}  // namespace nn::cli
