#include "testing/runner/worker_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <thread>

#include "testing/runner/worker_pool.h"

namespace nn::testing {
namespace {

// How long to wait for the stacks of threads; some may block signals.
constexpr Duration kPatience = std::chrono::milliseconds(500);

std::string nameOfSignal(int number) {
    const char* name = sigabbrev_np(number);
    return name == nullptr ? fmt::format("signal {}", number) : fmt::format("SIG{}", name);
}

std::string howItEnded(int status) {
    if (WIFSIGNALED(status)) return "ended by " + nameOfSignal(WTERMSIG(status));
    return fmt::format("exited with {}", WEXITSTATUS(status));
}

Status cannotStart(std::string_view what, int error) {
    return makeError(ErrorStatus::GENERAL_FAILURE,
                     fmt::format("a worker cannot start: {}: {}", what, std::strerror(error)));
}

}  // namespace

Result<WorkerProcess> WorkerProcess::start(const WorkerProgram& program) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        return cannotStart("its socket", errno);
    }
    UniqueFd own(ends[0]);
    const UniqueFd first(ends[1]);
    NNAPI_ASSIGN_OR_RETURN(calls, NewCallPage::create());
    // Above the numbers that they get in the worker, so that none replaces another.
    const UniqueFd socket(fcntl(first.get(), F_DUPFD_CLOEXEC, kWorkerCalls + 1));
    const UniqueFd page(fcntl(calls.fd(), F_DUPFD_CLOEXEC, kWorkerCalls + 1));
    if (socket.get() < 0 || page.get() < 0) return cannotStart("its descriptors", errno);

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, socket.get(), kWorkerSocket);
    posix_spawn_file_actions_adddup2(&actions, page.get(), kWorkerCalls);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    // In a process group of its own: ^C reaches only the parent, and processes that a driver starts
    // end with the worker. What this thread blocks and this program ignores does not concern a
    // driver, but for the signals by which a user or a shell ends programs.
    posix_spawnattr_setflags(
            &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(&attributes, 0);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    sigset_t standard;
    sigemptyset(&standard);
    for (const int number : {SIGCHLD, SIGPIPE, SIGXFSZ}) sigaddset(&standard, number);
    posix_spawnattr_setsigdefault(&attributes, &standard);

    std::vector<std::string> words = program.arguments;
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    pid_t pid = -1;
    const int error = posix_spawn(&pid, program.executable.c_str(), &actions, &attributes,
                                  argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (error != 0) return cannotStart(program.executable, error);
    return WorkerProcess(std::move(own), std::move(calls), pid);
}

WorkerProcess::~WorkerProcess() { kill(); }

std::vector<ThreadStack> WorkerProcess::stacks(StackReader& reader) {
    return mPid < 0 ? std::vector<ThreadStack>() : reader.read(mPid, calls(), kPatience);
}

void WorkerProcess::kill() {
    if (mPid < 0) return;
    ::kill(-mPid, SIGKILL);
    ::kill(mPid, SIGKILL);
    while (waitpid(mPid, nullptr, 0) < 0 && errno == EINTR) {
    }
    mPid = -1;
}

bool WorkerProcess::receive(bool hasInput) {
    if (hasInput) return mSocket.receive();
    // A line that arrives just before the end is a result, too.
    return !hasEnded() || mSocket.hasInput();
}

bool WorkerProcess::hasEnded() const {
    if (mPid < 0) return false;
    siginfo_t state{};
    const int error = waitid(P_PID, static_cast<id_t>(mPid), &state, WEXITED | WNOHANG | WNOWAIT);
    // The system has forgotten it where this program ignores SIGCHLD, or waits for any child.
    return error == 0 ? state.si_pid == mPid : errno == ECHILD;
}

std::string WorkerProcess::waitForEnd(Duration patience) {
    const TimePoint end = Clock::now() + patience;
    while (mPid >= 0) {
        int status = 0;
        const pid_t ended = waitpid(mPid, &status, WNOHANG);
        const bool isForgotten = ended < 0 && errno == ECHILD;
        if (ended == mPid || isForgotten) {
            ::kill(-mPid, SIGKILL);  // its remaining descendants
            mPid = -1;
            return isForgotten ? "ended, and this program was not told how: it ignores SIGCHLD, or "
                                 "has waited for all children"
                               : howItEnded(status);
        }
        if (Clock::now() >= end) break;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    kill();
    return "did not end";
}

}  // namespace nn::testing
