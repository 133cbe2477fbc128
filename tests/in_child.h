// Runs a function in a child process.
#pragma once

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

namespace nn {

inline constexpr int kHangs = -1;

// Waits for a child: its exit code, 256 and the signal that ended it, or kHangs after 30 seconds,
// when it is killed.
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

// What `run` answers in a child, which ends without destroying anything; see exitCodeOf.
inline int inChild(const std::function<int()>& run) {
    const pid_t child = fork();
    if (child == 0) _exit(run());
    return child < 0 ? kHangs : exitCodeOf(child);
}

}  // namespace nn
