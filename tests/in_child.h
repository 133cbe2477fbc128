// Runs a function in a child process.
#pragma once

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

namespace nn {

inline constexpr int kHangs = -1;

// Waits for a child and returns its exit code, 256 plus the signal that ended it, or kHangs after
// killing it at 30 seconds.
inline int exitCodeOf(pid_t child) {
    int status = 0;
    for (int i = 0; i < 3000; ++i) {
        if (waitpid(child, &status, WNOHANG) == child) {
            return WIFEXITED(status) ? WEXITSTATUS(status) : 256 + WTERMSIG(status);
        }
        usleep(10000);
    }
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    return kHangs;
}

// Returns the result of `run` in a child, which exits without running destructors; see exitCodeOf.
inline int inChild(const std::function<int()>& run) {
    const pid_t child = fork();
    if (child == 0) _exit(run());
    return child < 0 ? kHangs : exitCodeOf(child);
}

}  // namespace nn
