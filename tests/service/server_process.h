// A server of server_program.cc, which the test may stop and kill.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "nnapi/types.h"

namespace nn {

// A folder that goes with the test.
class Folder {
   public:
    Folder() {
        char name[] = "/tmp/nnapi-service-XXXXXX";
        mPath = mkdtemp(name);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() { std::filesystem::remove_all(mPath); }
    std::string operator/(const std::string& name) const { return mPath + "/" + name; }

   private:
    std::string mPath;
};

class ServerProcess {
   public:
    ServerProcess(const std::string& path, const std::string& phase) {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0) return;
        mTold = UniqueFd(ends[0]);
        const UniqueFd other(ends[1]);
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, other.get(), 100);
        std::string words[] = {NNAPI_SERVER_PROGRAM, path, phase, "100"};
        char* arguments[] = {words[0].data(), words[1].data(), words[2].data(), words[3].data(),
                             nullptr};
        if (posix_spawn(&mProcess, words[0].c_str(), &actions, nullptr, arguments, environ) != 0) {
            mProcess = -1;
        }
        posix_spawn_file_actions_destroy(&actions);
    }
    ServerProcess(const ServerProcess&) = delete;
    ServerProcess& operator=(const ServerProcess&) = delete;
    ~ServerProcess() { end(); }

    // False where it does not say so within 20 s.
    bool says(char what) const {
        pollfd poll{.fd = mTold.get(), .events = POLLIN, .revents = 0};
        char said = 0;
        return ::poll(&poll, 1, 20000) == 1 && read(mTold.get(), &said, 1) == 1 && said == what;
    }
    void send(int signal) const {
        if (mProcess <= 0) return;
        kill(mProcess, signal);
        // Signals take a moment to arrive.
        if (signal == SIGSTOP) waitpid(mProcess, nullptr, WUNTRACED);
    }
    void end() {
        if (mProcess <= 0) return;
        kill(mProcess, SIGKILL);
        waitpid(mProcess, nullptr, 0);
        mProcess = -1;
    }

   private:
    pid_t mProcess = -1;
    UniqueFd mTold{};
};

}  // namespace nn
